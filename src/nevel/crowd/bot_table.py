"""One person who plays with a bot over a socket, game after game, and measures how long the bot lets them wait."""

import asyncio
import time
from collections.abc import Callable

import msgspec

from nevel.crowd.choosing import Choosing
from nevel.crowd.table_clients import RefusedFrame, ViewFrame, decode_frame, decode_opened
from nevel.crowd.wire import NoAnswerError, ServerClient, Socket

#: Seconds a person looks before they move.
LOOK = 0.2


class BotTable:
    """A table with one person and one bot."""

    def __init__(
        self, client: ServerClient, game: str, level: str, choosing: Choosing, wrong: Callable[[str], None]
    ) -> None:
        self.client = client
        self.game = game
        self.level = level
        self.choosing = choosing
        #: Told when something went wrong.
        self.wrong = wrong
        #: Seconds each of the bot's moves let them wait, pause and thinking included.
        self.waits = list[float]()
        self._cookie = ""
        self._table = ""
        self._socket: Socket | None = None
        self._seq = -1
        self._waits_since = 0.0
        self._commands = 0
        self._is_on = False
        self._next: asyncio.TimerHandle | None = None
        self._opening: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Open a table and start a game with the bot."""
        body = msgspec.json.encode({"game": self.game, "chairs": 2, "level": self.level})
        answer = await self.client.ask("POST", "/api/play-now", body, self._cookie)
        self._cookie = self._cookie or answer.cookie
        self._table = decode_opened(answer.body).view.table
        self.choosing.begin()
        self._seq, self._waits_since, self._is_on = -1, 0.0, True
        path = f"/api/tables/{self._table}/socket?frames=json"
        self._socket = await self.client.open_socket(path, self._cookie, self._on_message)

    def waits_now(self) -> list[float]:
        """How long the bot has let them wait, each time, and until now if it still does."""
        return [*self.waits, *([time.perf_counter() - self._waits_since] if self._waits_since else ())]

    async def close(self) -> None:
        self._is_on = False
        if self._next:
            self._next.cancel()
        if self._opening:
            await asyncio.gather(self._opening, return_exceptions=True)
        if self._socket:
            await self._socket.close()

    def _on_message(self, content: bytes | None) -> None:
        if content is None:
            self.wrong(f"a socket of {self._table} was closed")
            return
        frame = decode_frame(content)
        if isinstance(frame, RefusedFrame):
            # The bot said something meanwhile: the newer view is on its way.
            if b'"status":409' not in bytes(frame.problem):
                self.wrong(bytes(frame.problem).decode())
        elif isinstance(frame, ViewFrame) and self._is_on and frame.view.seq > self._seq:
            self._see(frame.view.seq, frame.view.phase, frame.view.prompt.moves if frame.view.prompt else None)

    def _see(self, seq: int, phase: str, moves: list[str] | None) -> None:
        now, self._seq = time.perf_counter(), seq
        if self._waits_since:
            self.waits.append(now - self._waits_since)
            self._waits_since = 0.0
        if self._next:
            self._next.cancel()
        if phase == "over":
            self._is_on = False
            self._opening = asyncio.get_running_loop().create_task(self._open_again())
        elif moves:
            self._next = asyncio.get_running_loop().call_later(LOOK, self._play, moves, seq)
        else:
            self._waits_since = now

    def _play(self, moves: list[str], seq: int) -> None:
        assert self._socket
        self._commands += 1
        play = b'{"command_id":"%d","do":{"command":"play","move":"%b","seq":%d}}'
        self._socket.send(play % (self._commands, self.choosing.choose(moves).encode(), seq))

    async def _open_again(self) -> None:
        try:
            if self._socket:
                await self._socket.close()
            await self.open()
        except NoAnswerError as problem:
            self.wrong(str(problem))
