"""Clients that do what the documentation tells them to when something goes wrong, and what must be true in the end.

They come back with the last row they saw, and ask again by the same id until they are answered.
"""

import asyncio
import json
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from nevel.tables.domain import facts, record
from nevel.tables.runtime.room import Room
from nevel.tables.storage.storage import open_storage
from nevel.tables.views.view import PeopleStatus, Viewer, look, told_since
from nevel.web.live.channel import encode
from tests.own_games import OWN_GAMES
from tests.web.processes import ServerProcess
from tests.web.serving import Visitor, two_at_a_table

GAMES = tuple(OWN_GAMES)
#: Seconds between two attempts.
PAUSE = 0.02


class Luck(NamedTuple):
    """How likely it is that a frame is sent twice, that a copy of it comes late, and that the connection breaks."""

    twice: float = 0.0
    late: float = 0.0
    broken: float = 0.0
    #: The most seconds a frame takes.
    delay: float = 0.0


NO_TROUBLE = Luck()


class Client:
    """Somebody at a table who plays at random until the game is over, whatever happens to the network."""

    def __init__(
        self, visitor: Visitor, table: str, seed: int, luck: Luck = NO_TROUBLE, addresses: Sequence[str] = ()
    ) -> None:
        self.person = visitor.client.cookies["nevel"].partition(".")[0]
        self.cookie = visitor.cookie
        self.table = table
        self.dice = random.Random(seed)
        self.luck = luck
        #: Where the table is served; after a loss the next one is tried.
        self.addresses = addresses or [visitor.serving.address]
        self.losses = 0
        self.view: dict[str, Any] = {"seq": -1, "phase": ""}
        #: The newest row everything was told of, and what was told.
        self.seen = -1
        self.told: list[bytes] = []
        #: What was done by each id, what was refused, and what the server couldn't do.
        self.done: dict[str, int] = {}
        self.refused: set[str] = set()
        self.troubles: list[dict[str, Any]] = []
        #: What isn't answered yet, whether it has to be asked again, and copies that will come late.
        self.waiting: dict[str, Any] | None = None
        self.must_repeat = False
        self.late: list[dict[str, Any]] = []

    async def play(self) -> dict[str, Any]:
        """Play to the end; gives the last view."""
        while True:
            try:
                server = self.addresses[self.losses % len(self.addresses)]
                address = f"ws://{server}/api/tables/{self.table}/socket?since={self.seen}"
                async with connect(address, additional_headers=self.cookie, proxy=None) as socket:
                    return await self.follow(socket)
            except (OSError, WebSocketException, TimeoutError):
                self.losses += 1
            await asyncio.sleep(PAUSE)

    async def follow(self, socket: ClientConnection) -> dict[str, Any]:
        self.must_repeat = True
        while True:
            self.take(json.loads(await socket.recv()))
            if self.seen == self.view["seq"] and self.view["phase"] == "over" and not self.waiting:
                return self.view
            if self.waiting and self.must_repeat:
                await asyncio.sleep(PAUSE)
                await self.send(socket, self.waiting)
            elif not self.waiting and (move := self.choose()):
                do = {"command": "play", "move": move, "seq": self.view["seq"]}
                self.waiting = {"id": f"click {self.dice.random()}", "do": do}
                await self.send(socket, self.waiting)
            self.must_repeat = False

    def choose(self) -> str | None:
        view = self.view
        if view["seq"] < max(self.done.values(), default=-1) or not view["prompt"]:
            return None
        moves = view["prompt"]["moves"]
        if view["hints"] and self.dice.random() < 0.2:
            moves = view["hints"]
        return self.dice.choice(moves)

    async def send(self, socket: ClientConnection, frame: dict[str, Any]) -> None:
        frames = [frame] * (1 + (self.dice.random() < self.luck.twice))
        while self.late and self.dice.random() < 0.5:
            frames.insert(self.dice.randint(0, len(frames)), self.late.pop(self.dice.randrange(len(self.late))))
        if self.dice.random() < self.luck.late:
            self.late.append(frame)
        for each in frames:
            await asyncio.sleep(self.dice.random() * self.luck.delay)
            await socket.send(json.dumps(each))
            if self.dice.random() < self.luck.broken:
                socket.transport.abort()

    def take(self, frame: dict[str, Any]) -> None:
        match frame["type"]:
            case "view":
                assert frame["view"]["seq"] >= self.view["seq"], "nobody is sent back in time"
                self.view = frame["view"]
                self.seen = self.view["seq"]
                self.told += [encode(told) for told in frame["events"]]
            case "done":
                assert self.done.setdefault(frame["id"], frame["seq"]) == frame["seq"], "a repeat is answered the same"
                self.answered(frame)
            case "refused" if frame["problem"]["status"] == 503:
                self.troubles.append(frame["problem"])
                self.must_repeat = True
            case "refused":
                assert frame["id"] not in self.done, "what was done isn't refused"
                if frame["problem"]["type"] == "/problems/stale":
                    self.view = max(self.view, frame["problem"]["view"], key=lambda view: view["seq"])
                else:
                    assert frame["problem"]["type"] == "/problems/wrong-time", frame
                self.refused.add(frame["id"])
                self.answered(frame)

    def answered(self, frame: dict[str, Any]) -> None:
        if self.waiting and self.waiting["id"] == frame["id"]:
            self.waiting = None


async def play_all(clients: Sequence[Client]) -> None:
    await asyncio.wait_for(asyncio.gather(*(client.play() for client in clients)), 240)


async def done_by(clients: Sequence[Client], count: int, playing: "asyncio.Task[None]") -> None:
    """Wait until these clients have been acknowledged so much, or have done all there was to do."""
    while sum(len(client.done) for client in clients) < count and not playing.done():
        await asyncio.sleep(0.001)


async def check(database: str, clients: Sequence[Client]) -> list[facts.AnyFact]:
    """One table's log has every acknowledged move exactly once, all saw the same game, and its record is true."""
    storage = await open_storage(database)
    try:
        rows = await storage.rows(clients[0].table)
        table = (await Room.enter(storage, clients[0].table)).table
    finally:
        await storage.close()
    log = [facts.read(row.body) for row in rows]
    assert [row.seq for row in rows] == list(range(len(rows)))
    commands = [fact.command for fact in log if fact.command]
    assert len(commands) == len(set(commands)), "something was done twice"
    assert table.phase == "over"
    for client in clients:
        for click, seq in client.done.items():
            assert log[seq].command == f"{client.person}:{click}", "something acknowledged isn't there"
        assert not {f"{client.person}:{click}" for click in client.refused} & set(commands)
        own = [command for command in commands if command.startswith(f"{client.person}:click")]
        assert len(own) == len(client.done), "all were answered in the end"
        [chair] = table.chairs_of(client.person)
        seen = look(table, Viewer("player", chair), PeopleStatus({}, lambda _: False))
        for part in ("seq", "phase", "board", "outcome", "proof"):
            assert client.view[part] == json.loads(encode(getattr(seen, part))), part
        told = [json.loads(encode(told)) for told in told_since(table, chair, -1)]
        assert [json.loads(one) for one in client.told] == told, "everybody was told everything, once"
    assert record.verify(record.write_record(table, {})).moves == len(table.played)
    return log


@contextmanager
def at_every_game(server: ServerProcess, database: str) -> Iterator[tuple[Visitor, list[list[Client]]]]:
    """Two people and a bot at a table of each game, for something to happen to their server; then all must be true."""
    server.start()
    try:
        server.wait_until_ready()
        with server.visitor() as ann, server.visitor() as bob:
            tables = [two_at_a_table(ann, bob, game, bots=1) for game in GAMES]
            pairs = [[Client(one, table, seed) for seed, one in enumerate((ann, bob))] for table in tables]
            yield ann, pairs
    finally:
        server.kill()
    for pair in pairs:
        asyncio.run(check(database, pair))
