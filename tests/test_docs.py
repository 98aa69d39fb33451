"""What the documentation shows is run: examples in docstrings, Python and commands of the README."""

import doctest
import importlib
import re
import shlex
import subprocess
from pathlib import Path

import pytest

import nevel
from tests.commands import run_nevel

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


PACKAGE = Path(nevel.__file__).parent
#: Every module with an example in a docstring, by its dotted name.
EXAMPLES = [
    ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    for file in sorted(PACKAGE.rglob("*.py"))
    if re.search(r"^\s*>>> ", file.read_text("utf-8"), re.MULTILINE)
]


def test_modules_with_examples_are_found() -> None:
    assert {"nevel", "nevel.game.game", "nevel.study.puzzles"} <= set(EXAMPLES)


@pytest.mark.parametrize("module", EXAMPLES)
def test_examples_in_docstrings_are_true(module: str) -> None:
    results = doctest.testmod(importlib.import_module(module))
    assert results.attempted > 0
    assert results.failed == 0


def test_the_python_of_the_readme_runs_and_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})
    assert "FOG-P1" in capsys.readouterr().out


COMMANDS = re.findall(r"^(nevel [^#\n]+?)\s*(?:#.*)?$", README, re.MULTILINE)

#: The game a command of the README is shown with, and how many moves of it.
SAVED = {"think": ("misty", 0), "review": ("misty", 8), "forecasts": ("what-the-fog", 1000)}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_readme_run(command: str, tmp_path: Path) -> None:
    arguments = shlex.split(command)[1:]
    # The last one counts.
    if arguments[0] == "simulate":
        arguments += ["--games", "2", "--seconds", "0.01"] if "--seconds" in arguments else ["--games", "200"]
    elif arguments[0] == "ladder":
        arguments += ["--games", "2", "--seconds", "0.01"]
    elif arguments[0] == "tournament":
        arguments[1] = str(ROOT / arguments[1])
    elif arguments[0] == "think":
        arguments += ["--seconds", "0.1"]
    elif arguments[0] == "review":
        arguments += ["--playouts", "2"]
    if "game.json" in arguments:
        game, moves = SAVED[arguments[0]]
        (tmp_path / "game.json").write_text(nevel.save(played(game, moves)), "utf-8")
    done = run_nevel(*arguments, cwd=tmp_path, NEVEL_LANGUAGE="en")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout) > 100


def played(name: str, moves: int) -> nevel.Game:
    """A game, some moves in or to its end."""
    game = nevel.new(name, seats=2, seed=1)
    while len(game.log) < moves and not game.is_over:
        prompt = game.prompts()[0]
        game.play(prompt.seat, prompt.moves[0])
    return game


def test_the_readme_shows_commands_and_pictures_that_are_there() -> None:
    assert len(COMMANDS) >= 7
    for picture in re.findall(r"\]\((docs/[^)]+)\)", README):
        assert (ROOT / picture).exists()
    targets = re.findall(r"^make (\w+)", README, re.MULTILINE)
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert {"play", "test"} <= set(targets)
    assert all(f"\n{target}:" in makefile for target in targets)


def test_the_outside_bot_of_the_documentation_is_the_one_that_is_tested() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "outside-bots.md").read_text("utf-8"), re.DOTALL)
    assert code == (ROOT / "docs" / "examples" / "outside_bot.py").read_text("utf-8")


def test_no_file_names_a_registry_or_a_lock() -> None:
    """Dependencies are pinned by version alone."""
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in tracked.split():
        file = ROOT / name
        if file.suffix in {".toml", ".txt", ".md", ".cfg", ".py", ""} and file.is_file():
            assert not re.search(r"(pypi|pythonhosted|npmjs)\.(org|com)", file.read_text("utf-8")), name
    pins = [line for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9_.+!-]+", pin) for pin in pins)
