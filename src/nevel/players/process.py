"""A child process that exchanges lines over pipes, with time limits on everything."""

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence

#: Longer lines are an error.
LONGEST_LINE = 1 << 20
CHUNK = 1 << 16
#: Lines buffered here; more wait in the pipe.
MOST_LINES = 64
#: How long a program may take to end when it is told so, before it is killed.
FAREWELL_SECONDS = 0.5


class StalledError(Exception):
    """No line came in time."""


class CrashedError(Exception):
    """The program ended or closed its output."""


class FloodedError(Exception):
    """The program wrote more than a line can hold."""


class Process:
    """A running program whose pipes are read and written by threads, because a pipe can block."""

    def __init__(self, command: Sequence[str], shows_errors: bool = True) -> None:
        windows = sys.platform == "win32"
        self.child = subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if shows_errors else subprocess.DEVNULL,
            # A group of its own, so that its children can be ended with it and our Ctrl-C isn't its.
            start_new_session=not windows,
            creationflags=subprocess.CREATE_NEW_PROCESS_GROUP if sys.platform == "win32" else 0,
        )
        self.lines: queue.Queue[bytes | Exception] = queue.Queue(MOST_LINES)
        self.unsent: queue.Queue[bytes | None] = queue.Queue()
        self.is_closing = threading.Event()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.writer = threading.Thread(target=self._write, daemon=True)
        self.reader.start()
        self.writer.start()

    def send(self, line: bytes) -> None:
        """Give the program a line, without waiting until it reads it."""
        self.unsent.put(line + b"\n")

    def receive(self, seconds: float) -> bytes:
        """The program's next line, if it comes in time."""
        try:
            line = self.lines.get(timeout=max(seconds, 0))
        except queue.Empty:
            raise StalledError from None
        if isinstance(line, Exception):
            raise line
        return line

    def close(self, is_friendly: bool = False) -> None:
        """End the program and its children; a friendly end leaves it a moment to read what it was sent last."""
        self.unsent.put(None)
        self.is_closing.set()
        if is_friendly:
            self.reader.join(FAREWELL_SECONDS)
        self._kill()
        self.child.wait()
        for thread in (self.reader, self.writer):
            thread.join(FAREWELL_SECONDS)
        # A grandchild that left the group may still hold the pipes; then the threads keep them.
        if self.child.stdout and not self.reader.is_alive():
            self.child.stdout.close()
        if self.child.stdin and not self.writer.is_alive():
            self.child.stdin.close()

    def _kill(self) -> None:
        """Before anybody waits for the program: until then nobody else can have its number."""
        try:
            if sys.platform == "win32":
                subprocess.run(["taskkill", "/T", "/F", "/PID", str(self.child.pid)], capture_output=True, check=False)
            else:
                os.killpg(self.child.pid, signal.SIGKILL)
        except OSError:  # it has ended already, or was never ours to end
            self.child.kill()

    def _read(self) -> None:
        pending = b""
        while True:
            try:
                chunk = self.child.stdout.read(CHUNK) if self.child.stdout else b""
            except (OSError, ValueError):
                chunk = b""
            if self.is_closing.is_set() and chunk:
                pending = b""  # nobody listens any more, but it may not block before it has read the end
                continue
            *lines, pending = (pending + chunk).split(b"\n")
            for line in lines:
                self._hand_over(line if len(line) <= LONGEST_LINE else FloodedError())
            if not chunk:
                self._hand_over(CrashedError())
                return
            if len(pending) > LONGEST_LINE:
                self._hand_over(FloodedError())
                return

    def _hand_over(self, line: bytes | Exception) -> None:
        while not self.is_closing.is_set():
            try:
                self.lines.put(line, timeout=0.1)
                return
            except queue.Full:
                continue

    def _write(self) -> None:
        stdin = self.child.stdin
        while stdin and (line := self.unsent.get()) is not None:
            try:
                while line:
                    line = line[stdin.write(line) or 0 :]
            except (OSError, ValueError):
                return  # it no longer reads; what it answers, or doesn't, will show
        if stdin:
            stdin.close()
