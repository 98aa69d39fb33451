"""Several worker processes on one port: each is a whole server, and all they share is the database."""

import multiprocessing
import os
import signal
import socket
import tempfile
import time
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from multiprocessing.synchronize import Event
from typing import Any

import msgspec

from nevel.languages import mark
from nevel.web.server import logs
from nevel.web.server.metrics import SHARED_FOLDER
from nevel.web.server.server import NOT_STARTED, run
from nevel.web.server.settings import Settings, SettingsError

#: Seconds between two looks at whether all is well.
LOOK_EVERY = 0.5
#: Seconds a worker has to end beyond its grace, before it is made to.
SHUTDOWN_SECONDS = 10.0

spawn = multiprocessing.get_context("spawn")


class Workers:
    """The processes, from their start to their end. One that dies or hangs is replaced."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.is_warm = spawn.Event()
        self.processes: list[SpawnProcess] = []
        #: When each process gave its last sign of life, by the clock they share; 0 before the first.
        self.beats: dict[SpawnProcess, Any] = {}
        #: Those that were ended because they hung.
        self.hung: set[SpawnProcess] = set()
        #: How many were replaced because they died, or hung; read by the workers.
        self.replaced = {why: spawn.Value("q", 0, lock=False) for why in ("died", "hung")}
        self.should_stop = False

    def run(self) -> int:
        """Serve until told to stop; gives the exit status."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.stop)
        status = 0
        self.processes.append(self.start())
        while not self.should_stop:
            wait([process.sentinel for process in self.processes], LOOK_EVERY)
            # The first one compiles what isn't compiled yet, so that the others find it done.
            while self.is_warm.is_set() and len(self.processes) < self.settings.workers:
                self.processes.append(self.start())
            self.kill_the_hanging()
            status = status or self.replace_the_dead()
        self.end()
        return status

    def stop(self, *_: Any) -> None:
        self.should_stop = True

    def start(self) -> SpawnProcess:
        beat = spawn.Value("d", 0.0, lock=False)
        process = spawn.Process(target=work, args=(self.settings, self.is_warm, beat, self.replaced))
        process.start()
        self.beats[process] = beat
        return process

    def kill_the_hanging(self) -> None:
        """Kill workers whose event loop has been stuck for too long."""
        if not self.is_warm.is_set():
            return  # it may compile for minutes
        now, most = time.monotonic(), self.settings.hang_seconds
        for process in self.processes:
            last = self.beats[process].value
            if most and last and now - last > most and process.exitcode is None:
                logs.note("a worker hangs", process=process.pid, seconds=round(now - last, 1))
                process.kill()
                process.join()
                self.hung.add(process)

    def replace_the_dead(self) -> int:
        """Replace workers that died; give up if one couldn't even start."""
        for i, process in enumerate(self.processes):
            if process.exitcode is None or self.should_stop:
                continue
            logs.note("a worker died", status=process.exitcode)
            del self.beats[process]
            self.replaced["hung" if process in self.hung else "died"].value += 1
            self.hung.discard(process)
            if process.exitcode == NOT_STARTED or not self.is_warm.is_set():
                self.should_stop = True
                return NOT_STARTED
            self.processes[i] = self.start()
        return 0

    def end(self) -> None:
        """Stop all workers once they have finished what is under way."""
        for process in self.processes:
            process.terminate()
        until = time.monotonic() + self.settings.grace + SHUTDOWN_SECONDS
        for process in self.processes:
            process.join(max(0.0, until - time.monotonic()))
            if process.exitcode is None:
                process.kill()
                process.join()


def run_workers(settings: Settings) -> None:
    """Serve with several processes until told to stop."""
    logs.begin()
    with reserve(settings) as held, tempfile.TemporaryDirectory(prefix="nevel-figures-") as folder:
        # Workers are told by their environment where to write down their figures.
        os.environ[SHARED_FOLDER] = folder
        port = held.getsockname()[1]
        status = Workers(msgspec.structs.replace(settings, port=port)).run()
    if status:
        raise SystemExit(status)


def work(settings: Settings, is_warm: Event, last_beat: Any, replaced: dict[str, Any]) -> None:
    """Run one worker: serve, and write down the time of every heartbeat, by a clock all processes share."""

    def count_replaced() -> dict[str, int]:
        return {why: count.value for why, count in replaced.items()}

    def beat() -> None:
        last_beat.value = time.monotonic()

    run(settings, sockets=[reserve(settings)], warmed=is_warm.set, beat=beat, replaced=count_replaced)


def reserve(settings: Settings) -> socket.socket:
    """Reserve the port: bind it without listening. Every worker binds it too and gets its share of connections."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    one = socket.socket(family)
    try:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        one.bind((settings.host, settings.port))
    except OSError as problem:
        one.close()
        message = mark("Can't listen on {host}, port {port}: {reason}")
        raise SettingsError(message, host=settings.host, port=settings.port, reason=problem) from problem
    return one
