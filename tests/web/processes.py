"""Servers that are processes of their own: they can be killed."""

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import msgspec

from tests.web.serving import Server

ROOT = Path(__file__).parents[2]
#: Seconds until a server is there that has everything to compile before.
PATIENCE = 280


class ServerProcess(Server):
    """`nevel serve`, as people start it."""

    def __init__(self, database: str, folder: Path, **settings: Any) -> None:
        super().__init__(database, **settings)
        self.log = folder / f"{self.settings.port}.log"
        self.pid = 0

    def start(self) -> None:
        given = {f"NEVEL_{name.upper()}": str(value) for name, value in msgspec.structs.asdict(self.settings).items()}
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "nevel.cli", "serve"], stdout=log, stderr=log, env={**os.environ, **given}
            )
        self.pid = self.process.pid

    def wait_until_ready(self) -> None:
        until = time.monotonic() + 120
        with httpx.Client(base_url=f"http://{self.address}", trust_env=False) as client:
            while not is_ready(client):
                assert self.is_alive(), self.log.read_text("utf-8")
                assert time.monotonic() < until, self.log.read_text("utf-8")
                time.sleep(0.01)

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def kill(self) -> None:
        """As a machine does that runs out of memory: the server can't do anything about it."""
        self.end(signal.SIGKILL)

    def stop(self) -> None:
        self.end(signal.SIGTERM)

    def end(self, how: signal.Signals) -> None:
        until = time.monotonic() + 30
        if self.is_alive():
            os.kill(self.pid, how)
        while self.is_alive():
            if time.monotonic() > until:
                os.kill(self.pid, signal.SIGKILL)
                raise AssertionError(self.log.read_text("utf-8"))
            time.sleep(0.001)


def is_ready(client: httpx.Client) -> bool:
    try:
        return client.get("/readyz").status_code == 200
    except httpx.TransportError:
        return False


class Nursery:
    """Where servers come from that are started in a tenth of the time, so that they can be killed many times over."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.web.nursery"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, server: Server, log: Path) -> int:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(msgspec.json.encode((server.settings, str(log))).decode() + "\n")
        self.process.stdin.flush()
        assert select.select([self.process.stdout], [], [], PATIENCE)[0], "no server was started"
        return int(self.process.stdout.readline())

    def close(self) -> None:
        try:
            self.process.communicate(timeout=30)
        finally:
            self.process.kill()


class QuickServerProcess(ServerProcess):
    """The same server from the nursery."""

    def __init__(self, nursery: Nursery, database: str, folder: Path, **settings: Any) -> None:
        super().__init__(database, folder, **settings)
        self.nursery = nursery

    def start(self) -> None:
        self.pid = self.nursery.start(self, self.log)

    def is_alive(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True
