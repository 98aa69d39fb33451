"""`docs/add-a-game.md` shows what is really in this package, and its commands run at the step that shows them."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

HERE = Path(__file__).parents[1]
PAGE = (HERE.parents[1] / "docs" / "add-a-game.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+) (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = BLOCK.findall(PAGE)
STEPS = PAGE.split("\n## ")[1:]
#: Every command, and the number of the step that shows it.
COMMANDS = [
    (number, command)
    for number, step in enumerate(STEPS)
    for command in re.findall(r"^\$ (nevel .+)$", step, re.MULTILINE)
]
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


def written_until(last: int, folder: Path) -> None:
    """Install what the page has had somebody write by a step, and nothing else."""
    shown = {file for step in STEPS[: last + 1] for _, file, _ in BLOCK.findall(step)}
    names = {
        "__init__.py",
        *(Path(file).relative_to("src/liars_dice").parts[0] for file in shown if file[:4] == "src/"),
    }
    for name in names:
        whole = HERE / "src" / "liars_dice" / name
        copy = shutil.copytree if whole.is_dir() else shutil.copy2
        copy(whole, folder / "liars_dice" / name)
    about = folder / "liars_dice-1.0.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: liars-dice\nVersion: 1.0.0\n", "utf-8")
    (entry,) = entry_points(group="nevel.games", name="liars-dice")
    (about / "entry_points.txt").write_text(f"[{entry.group}]\n{entry.name} = {entry.value}\n", "utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(("step", "command"), COMMANDS)
def test_the_commands_of_the_page_run_with_what_is_written_until_then(step: int, command: str, tmp_path: Path) -> None:
    path = os.environ.get("PYTHONPATH", "")
    where = HERE
    if step < len(STEPS) - 1:  # the last one checks the package as it is
        (tmp_path / "liars_dice").mkdir()
        written_until(step, tmp_path)
        path, where = f"{tmp_path}{os.pathsep}{path}", tmp_path
    done = subprocess.run(
        [sys.executable, "-m", "nevel.cli", *shlex.split(command)[1:]],
        cwd=where,
        env={**os.environ, "NEVEL_LANGUAGE": "en", "PYTHONPATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "liar" in done.stdout.lower() or "checks passed" in done.stdout


def test_every_file_of_the_game_is_shown() -> None:
    """Somebody who follows the page writes the whole game: no module of it is missing there."""
    package = HERE / "src" / "liars_dice"
    modules = {str(path.relative_to(HERE)) for path in package.rglob("*.py") if path.name != "__init__.py"}
    assert modules <= {file for _, file, _ in BLOCKS}


def test_the_game_is_small() -> None:
    """The proof that a game needs little: Python, templates and style in at most so many lines."""
    files = [path for path in (HERE / "src").rglob("*") if path.suffix in (".py", ".html", ".css")]
    assert len(files) > 10
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) <= MOST_LINES
