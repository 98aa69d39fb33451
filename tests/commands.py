"""Runs `nevel …` in a process of its own, without waiting for Python to start: a fork server is started once.

It reads one command a line and answers with the exit status; output goes to files. What it has imported and loaded is
in `tests.command_server`. Commands for which the start itself matters use `subprocess`.
"""

import atexit
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]


@cache
def server() -> subprocess.Popen[str]:
    """The fork server of this test process; it ends with it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.command_server"],
        cwd=ROOT,
        env={**os.environ, "PYTHONUTF8": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    atexit.register(end, process)
    assert process.stdout
    assert process.stdout.readline() == "ready\n"  # everything is compiled, however long that took
    return process


def end(process: subprocess.Popen[str]) -> None:
    """End the fork server, which it does when its input ends, unless a command in it doesn't."""
    try:
        process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        kill(process)


def kill(process: subprocess.Popen[str]) -> None:
    """End it, and whatever runs in it."""
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def run_nevel(
    *arguments: str, cwd: Path | None = None, timeout: float = 120, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run `nevel ARGUMENTS` with nobody at its input; gives exit status, output and errors."""
    process = server()
    assert process.stdin
    assert process.stdout
    with tempfile.TemporaryDirectory(prefix="nevel-command-") as folder:
        files = [str(Path(folder, name)) for name in ("stdout", "stderr")]
        given = {
            "arguments": arguments,
            "folder": str(cwd or Path.cwd()),
            "environment": {**os.environ, **environment},
            "files": files,
        }
        try:
            process.stdin.write(json.dumps(given) + "\n")
            process.stdin.flush()
            if not select.select([process.stdout], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(["nevel", *arguments], timeout)
            status = int(process.stdout.readline())
        except BaseException:  # the time of the test may be over, too: the next command isn't answered for this one
            server.cache_clear()
            kill(process)
            raise
        shown, errors = (Path(file).read_text("utf-8") for file in files)
    return subprocess.CompletedProcess(["nevel", *arguments], status, shown, errors)
