"""`docs/add-a-game.md` shows what is really in this package, and its commands run."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]
PAGE = (HERE.parents[1] / "docs" / "add-a-game.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+) (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = re.findall(r"^\$ (nevel .+)$", PAGE, re.MULTILINE)
#: Python, templates and style of the whole game.
MOST_LINES = 900


@pytest.mark.parametrize(("file", "shown"), [(file, shown) for _, file, shown in BLOCKS])
def test_what_the_page_shows_is_in_the_file(file: str, shown: str) -> None:
    text = (HERE / file).read_text("utf-8")
    place = 0
    for piece in shown.split("…\n"):
        assert piece in text[place:]
        place = text.index(piece, place) + len(piece)


def test_every_block_of_the_page_is_checked_or_run() -> None:
    assert PAGE.count("\n```") == 2 * (len(BLOCKS) + PAGE.count("\n```console\n"))
    assert len(BLOCKS) > 15
    assert len(COMMANDS) == PAGE.count("\n$ ")


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_page_run(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "nevel.cli", *shlex.split(command)[1:]],
        cwd=HERE,
        env={**os.environ, "NEVEL_LANGUAGE": "en"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "liar" in done.stdout.lower() or "checks passed" in done.stdout


def test_the_game_is_small() -> None:
    """The proof that a game needs little: Python, templates and style in at most so many lines."""
    files = [path for path in (HERE / "src").rglob("*") if path.suffix in (".py", ".html", ".css")]
    assert len(files) > 10
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) <= MOST_LINES
