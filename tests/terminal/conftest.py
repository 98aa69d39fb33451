"""What tests of commands share: a terminal that is wide enough, and commands that are interrupted."""

import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from nevel.cli import common

WIDTH = 160


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that is looked for is wrapped, whatever terminal the tests are run from and wherever files lie."""
    for console in (common.console, common.errors):
        monkeypatch.setattr(console, "_width", WIDTH)


@pytest.fixture
def interrupt() -> Callable[..., tuple[int, str, str]]:
    """Start Python code with arguments, interrupt it once it has said a line; gives status, output and errors."""

    def run(code: str, *arguments: str, line: str) -> tuple[int, str, str]:
        process = subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # Whoever runs the tests in the background ignores interrupts, and children inherit that.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        try:
            assert process.stderr
            assert process.stderr.readline() == line
            process.send_signal(signal.SIGINT)
            shown, errors = process.communicate(timeout=120)
        finally:
            process.kill()
            process.wait()
        return process.returncode, shown, errors

    return run
