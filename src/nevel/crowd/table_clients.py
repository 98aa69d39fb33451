"""The clients at one table, each with a cookie and a WebSocket, who play game after game."""

import itertools
import time
from collections.abc import Callable

import msgspec
from msgspec import Struct

from nevel.crowd.choosing import Choosing
from nevel.crowd.page import ReceivedPage
from nevel.crowd.wire import ServerClient, Socket


class PromptMessage(Struct):
    """What somebody is asked: all a client needs to know to go on."""

    moves: list[str]


class ViewMessage(Struct):
    """The fields of a view that a client needs; the others aren't decoded."""

    seq: int
    phase: str
    prompt: PromptMessage | None


class ViewFrame(Struct, tag_field="type", tag="view"):
    """A table as a seat sees it."""

    view: ViewMessage


class DoneFrame(Struct, tag_field="type", tag="done"):
    """A command was stored."""


class RefusedFrame(Struct, tag_field="type", tag="refused"):
    """A command was refused."""

    problem: msgspec.Raw


class TableAnswer(Struct):
    """The name of a table in an answer to a request."""

    table: str


class OpenedAnswer(Struct):
    """The answer to opening a table."""

    view: TableAnswer


class LinksAnswer(Struct):
    """The answer with a table's links."""

    invitation: str


decode_frame = msgspec.json.Decoder(ViewFrame | DoneFrame | RefusedFrame).decode
decode_opened = msgspec.json.Decoder(OpenedAnswer).decode
decode_links = msgspec.json.Decoder(LinksAnswer).decode
decode_table = msgspec.json.Decoder(TableAnswer).decode


class TableClients:
    """Plays one move at a time: the next one is due when everybody has seen the last."""

    def __init__(
        self,
        client: ServerClient,
        game: str,
        seats: int,
        frames: str,
        choosing: Choosing,
        ready: Callable[["TableClients"], None],
        ended: Callable[["TableClients"], None],
        wrong: Callable[[str], None],
    ) -> None:
        self.client = client
        self.game = game
        #: Which frames they are sent: views as data (`json`), or the pages browsers get (`html`).
        self.frames = frames
        self.choosing = choosing
        #: Told when a move can be made, when a game has ended, and when something went wrong.
        self.ready = ready
        self.ended = ended
        self.wrong = wrong
        self.cookies = [""] * seats
        self.table = ""
        self.sockets = list[Socket]()
        #: The newest row each has seen, and what each is asked.
        self.seen = [-1] * seats
        self.moves: list[list[str] | None] = [None] * seats
        self.pages = [ReceivedPage() for _ in range(seats)]
        self.phase = ""
        #: The row everybody is to see next, and how many haven't.
        self.awaited = 0
        self.behind = 0
        self.sent_at = 0.0
        #: Seconds from the last command to the last seat's view.
        self.took = 0.0
        #: How many frames they were sent to see something, and how large these were together.
        self.frames_received = 0
        self.bytes_received = 0
        self._command_ids = itertools.count()

    # ------------------------------------------------------------ sitting down

    async def meet(self) -> None:
        """Open a table through the API and sit down at it."""
        body = msgspec.json.encode({"game": self.game, "chairs": len(self.cookies)})
        answer = await self.client.ask("POST", "/api/tables", body)
        self.cookies[0] = answer.cookie
        self.table = decode_opened(answer.body).view.table
        links = decode_links(await self._ask("GET", "links", 0))
        for seat in range(1, len(self.cookies)):
            answer = await self.client.ask("POST", f"/api/tables/{self.table}/sit?key={links.invitation}", b"{}")
            self.cookies[seat] = answer.cookie
        await self._begin()

    async def wait(self, sockets: int) -> None:
        """Open a table at which one person sits in every chair, deal, and only look on."""
        body = msgspec.json.encode({"game": self.game, "chairs": len(self.cookies)})
        answer = await self.client.ask("POST", "/api/tables", body)
        self.cookies = [answer.cookie] * len(self.cookies)
        self.table = decode_opened(answer.body).view.table
        for seat in range(1, len(self.cookies)):
            await self._ask("POST", "sit", seat)
        await self._ask("POST", "start", 0)
        self.sockets = [await self.look(0) for _ in range(sockets)]

    async def meet_again(self) -> None:
        """Open the next table with the same people."""
        await self.leave()
        self.table = decode_table(await self._ask("POST", "rematch", 0)).table
        for seat in range(len(self.cookies)):
            await self._ask("POST", "sit", seat)
        await self._begin()

    async def _begin(self) -> None:
        """Start the game, and open everybody's socket."""
        self.choosing.begin()
        await self._ask("POST", "start", 0)
        seats = len(self.cookies)
        self.seen = [-1] * seats
        # One more than there are: a view may come before its socket is known here, and nobody plays before all are.
        self.awaited, self.behind = 0, seats + 1
        for seat in range(seats):
            self.sockets.append(await self.look(seat))
        self._catch_up(self.phase)

    async def look(self, seat: int) -> Socket:
        """Open a socket for one of the clients."""
        path = f"/api/tables/{self.table}/socket?frames={self.frames}"
        return await self.client.open_socket(path, self.cookies[seat], lambda content: self._on_message(seat, content))

    async def _ask(self, method: str, what: str, seat: int) -> bytes:
        path = f"/api/tables/{self.table}/{what}"
        return (await self.client.ask(method, path, b"{}" if method == "POST" else b"", self.cookies[seat])).body

    async def leave(self) -> None:
        while self.sockets:
            await self.sockets.pop().close()

    # ------------------------------------------------------------ playing

    @property
    def is_waiting(self) -> bool:
        """Whether somebody hasn't seen the last move yet."""
        return self.behind > 0

    def play(self) -> None:
        """Make a move for somebody who is asked for one."""
        seat, moves = next(((seat, moves) for seat, moves in enumerate(self.moves) if moves), (0, None))
        if moves is None:
            self.wrong(f"nobody is asked anything at {self.table}")
            return
        seq = self.seen[seat]
        self.awaited, self.behind = seq + 1, len(self.seen)
        move = self.choosing.choose(moves)
        play = b'{"command_id":"%d","do":{"command":"play","move":"%b","seq":%d}}'
        command = play % (next(self._command_ids), move.encode(), seq)
        self.sent_at = time.perf_counter()
        self.sockets[seat].send(command)

    def _on_message(self, seat: int, content: bytes | None) -> None:
        if content is None:
            self.wrong(f"a socket of {self.table} was closed")
            return
        if content.startswith(b"<"):
            self._count(content)
            self.pages[seat].take(content)
            self._see(seat, *self.pages[seat].read())
            return
        frame = decode_frame(content)
        if isinstance(frame, ViewFrame):
            self._count(content)
            view = frame.view
            self._see(seat, view.seq, view.phase, view.prompt.moves if view.prompt else None)
        elif isinstance(frame, RefusedFrame):
            self.wrong(bytes(frame.problem).decode())

    def _count(self, content: bytes) -> None:
        self.frames_received += 1
        self.bytes_received += len(content)

    def _see(self, seat: int, seq: int, phase: str, moves: list[str] | None) -> None:
        """Note that a client has seen the table up to a row."""
        before, self.seen[seat] = self.seen[seat], seq
        self.moves[seat] = moves
        self.phase = phase
        if before < self.awaited <= seq:
            self._catch_up(phase)

    def _catch_up(self, phase: str) -> None:
        """Note that a client has caught up; when all have, the table goes on."""
        self.behind -= 1
        if not self.behind:
            self.took = time.perf_counter() - self.sent_at
            (self.ended if phase == "over" else self.ready)(self)
