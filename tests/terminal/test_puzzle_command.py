"""`nevel puzzle`, through its real input and output."""

import io
import sys
from collections.abc import Iterator
from datetime import date

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from nevel.cli import app
from nevel.game.event import Teller
from nevel.languages import LANGUAGES, language
from nevel.study.puzzle_kind import all_kinds
from nevel.study.puzzles import Puzzle, collection, puzzle, puzzle_of_the_day
from nevel.terminal.puzzles import PuzzleTable

SOLVED = {"en": "Solved!", "de": "Gelöst!", "fr": "Résolu", "nl": "Opgelost!"}


def run(*arguments: str, answers: str = "", language: str = "en") -> Result:
    return CliRunner().invoke(app, ["puzzle", *arguments], input=answers, env={"NEVEL_LANGUAGE": language})


class Typist(io.TextIOBase):
    """Standard input that ends as it is told to."""

    def __init__(self, lines: Iterator[str], end: type[BaseException]) -> None:
        self.lines = lines
        self.end = end

    def readline(self, size: int | None = -1, /) -> str:
        line = next(self.lines, None)
        if line is None:
            raise self.end
        return line + "\n"


def sit_down(monkeypatch: pytest.MonkeyPatch, given: Puzzle, *lines: str, end: type[BaseException] = EOFError) -> str:
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stdin", Typist(iter(lines), end))
    PuzzleTable(given, Teller(language("en")), Console(file=screen, width=160)).run()
    return screen.getvalue()


@pytest.mark.parametrize("kind", all_kinds())
def test_the_answer_typed_in_solves_it(kind: str) -> None:
    """In a language each, in its own notation."""
    for number, code in enumerate(LANGUAGES, start=1):
        given = puzzle(kind, number)
        moves = given.position().vocabulary.moves
        typed = [moves.text(moves.parse(move), language(code)) for move in given.answer]
        done = run(kind, "--number", str(number), "--language", code, answers="\n".join(typed) + "\n")
        assert done.exit_code == 0, done.output
        assert SOLVED[code] in done.output


def test_nonsense_is_told_and_a_second_try_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    given = puzzle("fog-place", 1)
    wrong = given.checked.options[-1].move
    told = sit_down(monkeypatch, given, "dance", "99", "pass", "?", wrong, "y", *given.answer)
    assert "“dance” isn't a move in this game." in told
    assert "There is no choice 99." in told
    assert "(FOG-" in told
    assert "Not quite." in told
    assert told.index("Not quite.") < told.index("Solved!")
    assert told.count("█") > 5


def test_the_answer_can_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    given = next(one for one in collection("misty-window") if one.grade == "strong")
    told = sit_down(monkeypatch, given, *["1"] * len(given.position().prompts()[0].moves), *"1111", end=EOFError)
    assert "Not quite." in told
    count = told.count("Choose a card to move.")
    told = sit_down(monkeypatch, given, *["1"] * count, "n", "y")
    assert f"  {len(given.answer)}  " in told[told.index("Not quite.") :]
    assert "Solved exactly." in told


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
def test_leaving_is_clean(monkeypatch: pytest.MonkeyPatch, end: type[BaseException]) -> None:
    for lines in ((), ("quit",)):
        assert "Win it from here" in sit_down(monkeypatch, puzzle("the-game-endgame", 1), *lines, end=end)


def test_the_day_decides_for_everyone() -> None:
    for day in (date(2026, 11, 16), date(2030, 2, 28)):
        given = puzzle_of_the_day(day)
        title = f"{language('en').say(given.of_kind.title)} {given.number} "
        assert title in run("--day", day.isoformat()).output
    given = puzzle_of_the_day(date(2026, 11, 16), "misty-window")
    assert f"Windows {given.number} " in run("misty-window", "--day", "2026-11-16").output
    assert run().exit_code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("nowhere",),
        ("misty-window", "--number", "0"),
        ("misty-window", "--number", "100000"),
        ("--number", "3"),
        ("misty-window", "--number", "3", "--day", "2026-01-01"),
        ("--day", "tomorrow"),
        ("--day", "2026-02-30"),
    ],
)
@pytest.mark.parametrize("code", LANGUAGES)
def test_what_there_isnt_is_said(arguments: tuple[str, ...], code: str) -> None:
    done = run(*arguments, "--language", code)
    assert done.exit_code == 2
    assert done.output.strip()
    assert "Traceback" not in done.output


def test_the_list_has_every_kind() -> None:
    done = run("--list")
    assert done.exit_code == 0
    for kind in all_kinds():
        assert kind in done.output
