"""The table in the terminal, played through its real input and output."""

import io
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import nevel
from nevel.game.registry import all_games
from nevel.languages import LANGUAGES
from nevel.players.seating import seat_players
from nevel.terminal.table import TerminalTable
from tests.commands import run_nevel
from tests.own_games import OWN_GAMES

NEVEL = [sys.executable, "-m", "nevel.cli"]


class Answers(io.TextIOBase):
    """Standard input whose lines are thought up when they are asked for."""

    def __init__(self, next_line: Callable[[], str]) -> None:
        self.next_line = next_line

    def readline(self, size: int | None = -1, /) -> str:
        return self.next_line() + "\n"


def sit_down(
    monkeypatch: pytest.MonkeyPatch,
    game: nevel.Game,
    answers: Callable[[], str],
    people: int = 1,
    code: str = "en",
) -> str:
    """Play a game with these answers; gives what was on the screen."""
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stdin", Answers(answers))
    bots = seat_players("simple", range(people, game.seats), seed=0)
    console = Console(file=screen, width=160)
    TerminalTable(game, bots, nevel.Teller(nevel.language(code)), console).run()
    return screen.getvalue()


def careless(game: nevel.Game, dice: random.Random) -> Callable[[], str]:
    """Somebody who types numbers, moves, nonsense and questions in turn."""

    def line() -> str:
        seat = game.waiting_for[0] if game.waiting_for else 0
        prompt = game.prompt(seat)
        kind = dice.random()
        if kind < 0.05 or prompt is None:
            return dice.choice(["", "?", "nonsense", "99999", "-1", "0", "? nonsense", "lift 1", "place b3", "💥"])
        if kind < 0.5:
            return str(dice.randint(1, len(prompt.moves)))
        return "y" if kind < 0.6 else dice.choice(prompt.moves)

    return line


@pytest.mark.slow
@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", OWN_GAMES)
def test_every_game_is_played_to_its_end_alone_with_bots(monkeypatch: pytest.MonkeyPatch, name: str, code: str) -> None:
    game = nevel.new(name, seats=3, seed=12)
    screen = sit_down(monkeypatch, game, careless(game, random.Random(name)), code=code)
    assert game.outcome is not None
    teller = nevel.Teller(nevel.language(code))
    assert game.vocabulary.tell_outcome(game.outcome, teller) in screen


def test_people_at_one_screen_dont_see_each_others_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    game = nevel.new("misty", seats=2, seed=3)
    screen = sit_down(monkeypatch, game, careless(game, random.Random(5)), people=2)
    assert game.is_over
    assert screen.count("Press Enter when only you see the screen") > 10


def scripted(*lines: str) -> Callable[[], str]:
    """These answers, then nobody is there any more."""
    left: Iterator[str] = iter(lines)

    def line() -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return line


def test_a_refusal_names_its_clause(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    game = nevel.new("the-game", seats=1, seed=1)
    screen = sit_down(monkeypatch, game, scripted("end turn", "? end turn", "fin de tour", "hint up1 jump", "rules"))
    assert screen.count("(TG-T1)") == 3
    assert "I can jump back here" in screen
    assert "TG-E3" in screen


def test_a_game_nobody_answers_any_more_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    game = nevel.new("misty", seats=2, seed=3)
    sit_down(monkeypatch, game, scripted("1"))
    saved = list(tmp_path.glob("nevel-misty-*.json"))
    assert len(saved) == 1
    assert nevel.load(saved[0].read_bytes()).fingerprint() == game.fingerprint()


def test_a_move_that_would_lose_asks_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    game = nevel.new("the-game", seats=1, seed=1)
    state = game.state
    state.tops[:] = [98, 98, 3, 3]
    state.where[:] = 0
    for slot, card in enumerate([99, 97, 96, 95, 94, 93, 92, 91]):
        state.hand[0, slot] = card
        state.where[10 + card] = 1
    screen = sit_down(monkeypatch, game, scripted("play 99 up1", "n", "play 99 up1", "y"))
    assert screen.count("This would lose the game.") == 2
    assert game.outcome is not None
    assert game.outcome.clause == "TG-E2"


def run(*arguments: str, folder: Path | None = None, **environment: Any) -> subprocess.CompletedProcess[str]:
    return run_nevel(*arguments, cwd=folder, COLUMNS="140", **environment)


@pytest.mark.slow
def test_control_c_offers_to_save_and_the_game_goes_on_from_there(tmp_path: Path) -> None:
    """A real terminal, a real interrupt."""
    main, other = pty.openpty()
    process = subprocess.Popen(
        [*NEVEL, "play", "misty", "--seats", "2", "--seed", "4"],
        stdin=other,
        stdout=other,
        stderr=other,
        cwd=tmp_path,
        # Whoever runs the tests in the background ignores interrupts, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(other)
    try:
        read_until(main, "›")
        os.write(main, b"1\n")
        read_until(main, "›")
        interrupt_until(process, main, "[Y/n]")
        os.write(main, b"\n")
        read_until(main, "--resume")
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait()
        os.close(main)
    (saved,) = tmp_path.glob("nevel-misty-*.json")
    game = nevel.load(saved.read_bytes())
    assert len(game.log) >= 2
    again = run("play", "--resume", str(saved), folder=tmp_path)
    assert "Misty" in again.stdout


def interrupt_until(process: subprocess.Popen[bytes], terminal: int, words: str) -> None:
    """Press Ctrl-C, and again if nothing happens: input() can miss one that comes just as it begins to wait."""
    for _ in range(6):
        process.send_signal(signal.SIGINT)
        ready, _, _ = select.select([terminal], [], [], 15)
        if ready:
            break
    read_until(terminal, words)


def read_until(terminal: int, words: str, seconds: float = 90) -> str:
    """What the terminal shows, until it shows these words."""
    shown = b""
    ends = time.monotonic() + seconds
    while words.encode() not in shown:
        ready, _, _ = select.select([terminal], [], [], max(ends - time.monotonic(), 0))
        assert ready, shown.decode(errors="replace")
        shown += os.read(terminal, 4096)
    return shown.decode(errors="replace")


@pytest.mark.slow
def test_games_and_rules_are_listed_in_every_language() -> None:
    for code in LANGUAGES:
        shown = run("games", "--language", code)
        assert shown.returncode == 0
        assert all(name in shown.stdout for name in all_games())
        rules = run("rules", "extreme", "--language", code)
        assert "TG-T1" in rules.stdout
        assert "EX-L2" in rules.stdout


@pytest.mark.slow
def test_help_speaks_the_language_of_the_terminal() -> None:
    helps = {code: run("--help", NEVEL_LANGUAGE=code).stdout for code in LANGUAGES}
    assert len(set(helps.values())) == len(LANGUAGES)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["play", "chess"], ", ".join(all_games())),
        (["play", "misty", "--seats", "9"], "seats is 9"),
        (["play", "misty", "--bots", "genius"], "genius"),
        (["play", "misty", "--language", "tlh"], "tlh"),
        (["play", "misty", "--people", "7"], "people"),
        (["play", "misty", "--option", "beginners"], "name=number"),
        (["play", "misty", "--option", "beginners=9"], "beginners is 9"),
        (["play", "misty", "--box", "nowhere.toml"], "nowhere.toml"),
        (["play", "--resume", "nowhere.json"], "nowhere.json"),
        (["rules", "chess"], "chess"),
        (["simulate", "chess"], "chess"),
        (["simulate", "misty", "--bots", "genius"], "genius"),
        (["simulate", "misty", "--seats", "1"], "seats is 1"),
    ],
)
def test_what_makes_no_sense_is_answered_with_a_sentence(arguments: list[str], says: str) -> None:
    done = run(*arguments, NEVEL_LANGUAGE="en")
    assert done.returncode == 2
    assert says in re.sub(r"\s+", " ", done.stderr)
    assert "Traceback" not in done.stderr
