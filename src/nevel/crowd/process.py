"""Starts a server for a load test: a process with an empty database, pinned to one core."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from nevel.crowd.wire import NoAnswerError, ServerClient
from nevel.languages import mark

HOST = "127.0.0.1"
#: Seconds for a start: the very first one compiles everything.
START_WITHIN = 600.0
STOP_WITHIN = 30.0
#: Nobody is asked to slow down.
LIMITS = (
    *("PERSON_RATE", "ADDRESS_RATE", "OPENING_RATE"),
    *("PERSON_SOCKETS", "ADDRESS_SOCKETS", "CONNECTIONS", "ADDRESS_CONNECTIONS"),
)
NO_LIMITS = {f"NEVEL_{name}": "0" for name in LIMITS}


@contextmanager
def serving(has_limits: bool = False) -> Generator[tuple[ServerClient, int], None, None]:
    """Run a server for the duration of a block; gives a client for it and its process id."""
    # A SIGTERM ends the server with us, also while it starts.
    signals = list[int]()
    signal.signal(signal.SIGTERM, lambda number, _: signals.append(number))
    with tempfile.TemporaryDirectory(prefix="nevel-load-") as folder:
        port = free_port()
        log = Path(folder) / "log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "nevel.cli", "serve", "--port", str(port), "--database", f"{folder}/load.db"],
                env={**os.environ, **({} if has_limits else NO_LIMITS)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        try:
            signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
            if signals:
                sys.exit(128 + signals[0])
            share_cores(process.pid)
            yield ServerClient(HOST, port), process.pid
        except NoAnswerError as problem:
            if process.poll() is None:
                raise
            reason = log.read_text("utf-8", "replace").strip()[-500:]
            raise NoAnswerError(mark("The server has stopped: {reason}"), reason=reason) from problem
        finally:
            process.terminate()
            try:
                process.wait(STOP_WITHIN)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def free_port() -> int:
    with socket.socket() as one:
        one.bind((HOST, 0))
        return one.getsockname()[1]


def share_cores(server: int) -> None:
    """A core for the server, the others for us, where the system lets us say so and there are enough."""
    if not hasattr(os, "sched_setaffinity"):
        return
    first, *others = sorted(os.sched_getaffinity(0))
    if others:
        os.sched_setaffinity(server, {first})
        os.sched_setaffinity(0, others)


async def wait_until_ready(client: ServerClient, server: int | None) -> None:
    """Wait until a server answers; the one that we started may take its time."""
    until = time.monotonic() + (START_WITHIN if server else 0)
    while True:
        try:
            await client.ask("GET", "/readyz")
            return
        except NoAnswerError:
            if time.monotonic() > until or (server and has_ended(server)):
                raise
        await asyncio.sleep(0.1)


def has_ended(process: int) -> bool:
    """Whether a process has ended."""
    return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
