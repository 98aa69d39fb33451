"""Print what a move costs a server beside the same without a game: `python -m bench.bare`.

The bare server reads a command, stores a row on disk and sends a frame to four sockets, with our sockets and storage;
then Nevel itself plays at as many tables. What lies between the two figures is Nevel's.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from multiprocessing.synchronize import Event
from pathlib import Path

import psutil
import uvicorn
from rich.console import Console
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket
from uvicorn.loops.auto import auto_loop_factory

from nevel.crowd.process import HOST, free_port, share_cores
from nevel.crowd.wire import ServerClient, Socket
from nevel.tables.storage.schema import Append, Row, Summary
from nevel.tables.storage.storage import Storage, open_storage
from nevel.web.live.frames import Line
from nevel.web.live.socket import Acknowledged, SocketRequest
from nevel.web.server.endpoint import read_json
from nevel.web.server.problems import encode

SEATS = 4
#: About as long as a view.
VIEW = b'{"type":"view","view":"' + b"x" * 1500 + b'"}'
COMMAND = b'{"command_id":"%d","do":{"command":"play","move":"play 37 up1","seq":%d}}'

console = Console(highlight=False)


class BareTable:
    """The sockets of a table, and the newest row that is stored of it."""

    def __init__(self, storage: Storage, name: str) -> None:
        self.storage = storage
        self.name = name
        self.lines = list[Line]()
        self.seq = 0

    async def open(self) -> None:
        await self.storage.append(self.append("opened", is_plain=False))

    def append(self, body: str, is_plain: bool = True) -> Append:
        row = Row(self.name, self.seq, time.time_ns() // 1_000_000, body)
        summary = Summary(self.name, "the-game", "playing", False, 0, row.at, SEATS, SEATS, "somebody", "{}")
        return Append((row,), summary, None, None, None if self.seq else "secret", is_plain)

    def move(self, line: Line, text: str) -> None:
        """Store a command as it came, and send everybody something once it is on disk."""
        request: SocketRequest = read_json(text, SocketRequest)
        self.seq += 1

        def send(is_stored: bool, _: Exception | None) -> None:
            assert is_stored
            for one in self.lines:
                one.write(VIEW)
            line.write(encode(Acknowledged(request.command_id, self.seq, request.command_id)))

        self.storage.begin_append(self.append(text), send)


class BareSocket:
    """A socket at a table, told of its messages by its line."""

    def __init__(self, table: BareTable, line: Line) -> None:
        self.table = table
        self.line = line

    def on_message(self, text: str | None) -> None:
        self.table.move(self.line, text or "")

    def on_writable(self) -> None: ...

    def on_noise(self) -> None: ...

    def on_close(self) -> None: ...


def serve_bare(port: int, folder: str, is_ready: Event) -> None:
    """A server with sockets and storage, and no game."""

    async def serve() -> None:
        storage = await open_storage(f"{folder}/bare.db")
        tables = defaultdict[str, BareTable]()

        async def watch(socket: WebSocket) -> None:
            name = socket.path_params["table"]
            if name not in tables:
                tables[name] = BareTable(storage, name)
                await tables[name].open()
            await socket.accept()
            line = Line.of(socket.scope)
            tables[name].lines.append(line)
            line.hand_over(BareSocket(tables[name], line))

        app = Starlette(routes=[WebSocketRoute("/{table}", watch)])
        config = uvicorn.Config(
            app, host=HOST, port=port, ws=Line, ws_per_message_deflate=False, log_config=None, access_log=False
        )
        server = uvicorn.Server(config)
        running = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        is_ready.set()
        await running

    with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
        runner.run(serve())


class BareClients:
    """The people at one table: the next of them moves when all have been sent something."""

    def __init__(self, count: Callable[[], None]) -> None:
        self.count = count
        self.sockets = list[Socket]()
        self.seq = 0
        self.behind = 0

    async def meet(self, client: ServerClient, number: int) -> None:
        for _ in range(SEATS):
            self.sockets.append(await client.open_socket(f"/table{number}", "", self.on_message))

    def play(self) -> None:
        self.behind = SEATS
        self.sockets[self.seq % SEATS].send(COMMAND % (self.seq, self.seq))
        self.seq += 1

    def on_message(self, content: bytes | None) -> None:
        if content is not None and content.startswith(VIEW[:14]):
            self.behind -= 1
            if not self.behind:
                self.count()
                self.play()


async def play_bare(port: int, process: int, tables: int, seconds: float) -> float:
    """Microseconds of the server's time on its core for a move."""
    moves = 0

    def count() -> None:
        nonlocal moves
        moves += 1

    client = ServerClient(HOST, port)
    clients = [BareClients(count) for _ in range(tables)]
    for number, one in enumerate(clients):
        await one.meet(client, number)
    server = psutil.Process(process)
    for one in clients:
        one.play()
    await asyncio.sleep(1)  # until they are no longer all at once
    before, used = moves, used_by(server)
    await asyncio.sleep(seconds)
    return (used_by(server) - used) / (moves - before) * 1e6


def used_by(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def bare(tables: int, seconds: float) -> float:
    """The same for a server of its own, on a core of its own."""
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as folder:
        port, is_ready = free_port(), context.Event()
        server = context.Process(target=serve_bare, args=(port, folder, is_ready))
        server.start()
        try:
            is_ready.wait()
            assert server.pid
            share_cores(server.pid)
            with asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
                return runner.run(play_bare(port, server.pid, tables, seconds))
        finally:
            server.kill()
            server.join()


def with_a_game(tables: int, seconds: float, source: Path | None) -> float:
    """What `nevel load` tells of Nevel, as it is or as it is in another folder."""
    environment = {**os.environ, "PYTHONPATH": str(source)} if source else None
    command = [sys.executable, "-m", "nevel.cli", "load", "--json", "--seats", str(SEATS)]
    command += ["--tables", str(tables), "--seconds", str(seconds)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
    return json.loads(done.stdout)["server_cpu_us_per_move"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=10.0, help="for each figure")
    parser.add_argument("--times", type=int, default=1, help="how often everything is measured, in turn")
    parser.add_argument("--before", type=Path, help="the folder src of another version, to be measured in the same run")
    asked = parser.parse_args()
    versions: dict[str, Path | None] = {"before": asked.before} if asked.before else {}
    versions |= {"Nevel": None}
    for _ in range(asked.times):
        least = bare(asked.tables, asked.seconds)
        console.print(f"bare: {least:.0f} µs a move")
        for name, source in versions.items():
            figure = with_a_game(asked.tables, asked.seconds, source)
            console.print(f"{name}: {figure:.0f} µs a move, {figure / least:.2f} of bare")


if __name__ == "__main__":
    main()
