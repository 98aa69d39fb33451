"""A real server on a port of this machine, and people with browsers or programs who visit it."""

import itertools
import json
import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpx
import uvicorn
from starlette.applications import Starlette
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as connect_async
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection as Socket
from websockets.sync.client import connect

from nevel.web.server.server import configure, make_app
from nevel.web.server.settings import Settings

#: The levels of bots that tests play with; others would only take time to compile.
LEVELS = ("casual",)

clicks = itertools.count()


def free_port() -> int:
    """A port nobody listens at. None of those that machines give to whoever connects: a server may be away a moment."""
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", port))
            return port


class Server:
    """A server on a port of its own, without limits and with quick bots."""

    #: The application, where it runs in this process.
    app: Starlette

    def __init__(self, database: str, **settings: Any) -> None:
        usual = {"person_rate": 0, "address_rate": 0, "opening_rate": 0, "bot_pause": 0, "bot_seconds": 0.05}
        self.settings = Settings(port=free_port(), database=database, **{**usual, **settings})
        self.address = f"127.0.0.1:{self.settings.port}"

    @contextmanager
    def visitor(self, **headers: str) -> Iterator["Visitor"]:
        with httpx.Client(base_url=f"http://{self.address}", headers=headers, trust_env=False, timeout=30) as client:
            yield Visitor(self, client)


class Serving(Server):
    """A server in a thread. Stopped and started again it is another process as far as anybody can tell."""

    def start(self, listening: socket.socket | None = None) -> None:
        self.app = make_app(self.settings, LEVELS)
        self.server = uvicorn.Server(configure(self.settings, self.app))
        # Whatever happens to a test, its process can end.
        self.thread = threading.Thread(target=self.server.run, args=[[listening] if listening else None], daemon=True)
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive(), "the server didn't start"
            time.sleep(0.01)

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(20)
        assert not self.thread.is_alive()


class Visitor:
    """Somebody with a browser: keeps their cookie."""

    def __init__(self, serving: Server, client: httpx.Client) -> None:
        self.serving = serving
        self.client = client

    def get(self, path: str, **query: Any) -> httpx.Response:
        return self.client.get(path, params=query)

    def post(self, path: str, body: Any = None, **query: Any) -> httpx.Response:
        return self.client.post(path, json={} if body is None else body, params=query)

    def ask(self, table: str, command: str, body: Any = None, **query: Any) -> dict[str, Any]:
        """Ask something of a table that has to work; gives the view."""
        response = self.post(f"/api/tables/{table}/{command}", body, **query)
        assert response.status_code == 200, response.text
        return response.json()["view"]

    def look(self, table: str, **query: Any) -> dict[str, Any]:
        response = self.get(f"/api/tables/{table}", **query)
        assert response.status_code == 200, response.text
        return response.json()["view"]

    def open(self, game: str = "misty", chairs: int = 2, **more: Any) -> str:
        response = self.post("/api/tables", {"game": game, "chairs": chairs, **more})
        assert response.status_code == 201, response.text
        return response.json()["view"]["table"]

    def invitation(self, table: str) -> str:
        return self.get(f"/api/tables/{table}/links").json()["invitation"]

    @property
    def cookie(self) -> dict[str, str]:
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())}

    def socket_address(self, table: str, query: str = "") -> str:
        return f"ws://{self.serving.address}/api/tables/{table}/socket{query}"

    def socket(self, table: str, query: str = "", **headers: str) -> Socket:
        return connect(self.socket_address(table, query), additional_headers={**self.cookie, **headers}, proxy=None)

    def socket_async(self, table: str, query: str = "") -> connect_async:
        return connect_async(self.socket_address(table, query), additional_headers=self.cookie, proxy=None)


def receive(socket: Socket, kind: str = "view") -> dict[str, Any]:
    """The next frame of a kind."""
    while True:
        frame = json.loads(socket.recv(20))
        if frame["type"] == kind:
            return frame


def send(socket: Socket, command: str, click: str = "", **fields: Any) -> dict[str, Any]:
    """Ask something over a socket; gives the answer."""
    click = click or f"click {next(clicks)}"
    socket.send(json.dumps({"id": click, "do": {"command": command, **fields}}))
    while True:
        frame = json.loads(socket.recv(20))
        if frame["type"] != "view" and frame["id"] == click:
            return frame


def closing_code(socket: Socket) -> int:
    """How the server closes a socket, whatever it sends before."""
    try:
        while True:
            socket.recv(20)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 0


def two_at_a_table(ann: Visitor, bob: Visitor, game: str = "misty", bots: int = 0, **more: Any) -> str:
    """A table at which two people and some bots have begun a game."""
    table = ann.open(game, 2 + bots, **more)
    bob.ask(table, "sit", {"contribution": "bob"}, key=ann.invitation(table))
    if bots:
        ann.ask(table, "seat-bot", {"level": "casual"})
    ann.ask(table, "start")
    return table


async def play_on(socket: ClientConnection, moves: int = 10_000) -> dict[str, Any]:
    """Answer every question with its first move, until the game is over or enough moves were made; the last view."""
    while True:
        frame = json.loads(await socket.recv())
        if frame["type"] == "view":
            view = frame["view"]
            if view["phase"] == "over" or not moves:
                return view
            if view["prompt"]:
                moves -= 1
                move = {"command": "play", "move": view["prompt"]["moves"][0], "seq": view["seq"]}
                await socket.send(json.dumps({"id": f"click {next(clicks)}", "do": move}))
        elif frame["type"] == "refused":
            # Somebody else was quicker, and the newer view is on its way.
            assert frame["problem"]["status"] in (409, 422), frame
