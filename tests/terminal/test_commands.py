"""`nevel simulate`, `ladder`, `think` and `play` with bots that think and programs, through their real output."""

import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import nevel
from nevel.bots import levels
from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.bots.mind import PolicyMind
from nevel.cli import app
from nevel.engine.knowledge import Knowledge
from nevel.game.registry import find
from nevel.languages import LANGUAGES, language
from nevel.players.seating import seat_players
from nevel.players.table import play_to_end
from tests.commands import run_nevel
from tests.own_games import OWN_GAMES

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "outside_bot.py"


class ThinkingMind(PolicyMind):
    """A level that searches whatever the others do: simple, but by play-outs."""

    def settled(self, knowledge: Knowledge, rng: Any) -> int | None:
        return None


@pytest.fixture
def thinker(monkeypatch: pytest.MonkeyPatch) -> None:
    """`expert` at Misty thinks."""
    spec = find("misty")
    monkeypatch.setitem(spec._parts, "bots", spec.load("bots")._replace(expert=ThinkingMind(0)))


def run(*arguments: str, language: str = "en") -> Result:
    return CliRunner().invoke(app, arguments, env={"NEVEL_LANGUAGE": language})


def figures(*arguments: str) -> dict[str, Any]:
    done = run(*arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def saved(tmp_path: Path, game: str, moves: int, seats: int = 2) -> Path:
    """A game some moves in."""
    played = nevel.new(game, seats=seats, seed=3)
    players = seat_players("simple", range(seats), 1)
    while len(played.log) < moves and not played.is_over:
        for seat in played.waiting_for:
            move = players[seat].choose(played, seat)
            if move:
                played.play(seat, move)
                break
    file = tmp_path / f"{game}.json"
    file.write_text(nevel.save(played), "utf-8")
    return file


# ------------------------------------------------------------ simulate


RECONSTRUCTED = {"en": "reconstructed", "de": "rekonstruiert", "fr": "reconstitué", "nl": "gereconstrueerd"}


@pytest.mark.parametrize(("code", "says"), RECONSTRUCTED.items())
def test_rules_say_what_is_reconstructed(code: str, says: str) -> None:
    for game in OWN_GAMES:
        told = run_nevel("rules", game, NEVEL_LANGUAGE=code).stdout
        sections = find(game).box_sections
        for section in sections:
            line = next(line for line in told.splitlines() if line.startswith(language(code).say(section.title)))
            assert section.clause in line
            assert (says in line) is section.is_reconstructed
            for row in section.rows:
                assert row.title(language(code)) in told
        assert ("--box" in told) is any(section.is_reconstructed for section in sections)


@pytest.mark.usefixtures("thinker")
def test_searches_are_simulated_the_same_on_any_number_of_cores() -> None:
    given = ("simulate", "misty", "--seats", "2", "--bots", "expert,random", "--games", "3", "--playouts", "60")
    one = figures(*given, "--seed", "5", "--cores", "1")
    two = figures(*given, "--seed", "5", "--cores", "2")
    same = ("games", "seed", "bots", "mean_moves", "mean_scores", "win_shares", "win_share_intervals")
    assert {name: one[name] for name in same} == {name: two[name] for name in same}
    assert one["decision_seconds"] > 0
    assert [len(interval) for interval in one["win_share_intervals"]] == [2, 2]
    assert figures(*given, "--seed", "6")["mean_scores"] != one["mean_scores"]


def test_rotated_bots_play_every_deal_from_every_chair() -> None:
    given = ("simulate", "misty", "--seats", "3", "--bots", "beginner,strong,beginner", "--seed", "5", "--rotate")
    done = figures(*given, "--games", "90")
    assert sum(done["win_shares"]) == pytest.approx(1, abs=0.001)
    assert done["win_shares"][1] > 0.6
    # All alike, each sits everywhere on every deal: whatever the deals favour, the sums agree.
    equal = figures("simulate", "misty", "--seats", "3", "--bots", "simple", "--seed", "5", "--rotate", "--games", "30")
    assert len(set(equal["mean_scores"])) == 1


def test_compiled_simulations_have_intervals() -> None:
    done = figures("simulate", "the-game", "--games", "500", "--seed", "5")
    low, high = done["win_rate_interval"]
    assert low <= done["win_rate"] <= high
    assert "decision_seconds" not in done
    for code in LANGUAGES:
        shown = run("simulate", "misty", "--games", "50", language=code)
        assert shown.exit_code == 0
        assert "…" in shown.stdout


def test_programs_are_simulated() -> None:
    program = f"program:{sys.executable} -S {EXAMPLE}"
    done = run("simulate", "the-game", "--bots", f"{program},casual", "--games", "2", "--seed", "1", "--json")
    assert done.stderr == ""
    assert json.loads(done.stdout)["mean_cards_left"] > 0


def test_what_programs_do_wrong_is_told_on_the_error_output(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("print('hello?')", "utf-8")
    given = ("simulate", "the-game", "--seats", "1", "--bots", f"program:{sys.executable} -S {file}", "--games", "1")
    said = {"en": "didn't send “hello”", "de": "kein „hello“", "fr": "n’a pas envoyé", "nl": "geen “hello”"}
    for code, words in said.items():
        done = run(*given, "--json", language=code)
        assert words in re.sub(r"\s+", " ", done.stderr)
        assert json.loads(done.stdout)["games"] == 1


# ------------------------------------------------------------ ladder


@pytest.mark.usefixtures("thinker")
def test_a_ladder_of_levels_that_think(tmp_path: Path) -> None:
    picture = tmp_path / "ladder.svg"
    given = ("ladder", "misty", "--seats", "2", "--levels", "expert,random", "--games", "2", "--playouts", "30")
    done = figures(*given, "--seed", "1", "--cores", "1", "--plot", str(picture))
    assert done["games"] == 4
    assert {rating["level"] for rating in done["ratings"]} == {"expert", "random"}
    assert done["pairings"][0]["deals"] == 2
    again = figures(*given, "--seed", "1", "--cores", "2")
    assert (again["ratings"], again["pairings"]) == (done["ratings"], done["pairings"])
    assert "expert" in picture.read_text("utf-8")


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_ladder_is_shown_in_every_language(code: str) -> None:
    for game in ("the-game", "misty"):
        shown = run("ladder", game, "--levels", "random,simple,casual", "--games", "4", "--seed", "1", language=code)
        assert shown.exit_code == 0, shown.output
        assert "random – simple" in shown.stdout
        assert nevel.language(code).say("Rating") in shown.stdout


# ------------------------------------------------------------ think


@pytest.mark.parametrize("game", OWN_GAMES)
def test_a_position_is_thought_about(tmp_path: Path, game: str) -> None:
    file = saved(tmp_path, game, 12)
    done = figures("think", str(file), "--playouts", "200")
    position = nevel.load(file.read_bytes())
    prompt = position.prompts()[0]
    assert {choice["move"] for choice in done["moves"]} == set(prompt.moves)
    assert done["player"] == prompt.seat + 1
    assert done["is_complete"]
    assert figures("think", str(file), "--playouts", "200") == done
    assert all(0 <= choice["win"] <= 1 and choice["error"] > 0 for choice in done["moves"])
    for code in LANGUAGES:
        shown = run("think", str(file), "--playouts", "50", "--level", "casual", language=code)
        teller = nevel.Teller(nevel.language(code))
        words = position.vocabulary.describe(position.vocabulary.moves.parse(prompt.moves[0]), teller)
        assert words in shown.stdout


def test_thinking_doesnt_depend_on_what_the_seat_cant_know(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the seat's knowledge reaches the bot."""
    seen: list[Knowledge] = []
    evaluate = Bot.evaluate

    def note(bot: Bot, knowledge: Knowledge, *more: Any) -> Any:
        seen.append(knowledge)
        return evaluate(bot, knowledge, *more)

    monkeypatch.setattr(Bot, "evaluate", note)
    file = saved(tmp_path, "misty", 6)
    figures("think", str(file), "--playouts", "50", "--seat", str(nevel.load(file.read_bytes()).waiting_for[0] + 1))
    position = nevel.load(file.read_bytes())
    allowed = position.knowledge(position.waiting_for[0])
    assert np.array_equal(seen[0].states, allowed.states)
    assert np.array_equal(seen[0].moves, allowed.moves)


@pytest.mark.skipif(os.name != "posix", reason="a signal as POSIX sends it")
def test_control_c_shows_what_is_known_so_far(tmp_path: Path, interrupt: Callable[..., tuple[int, str, str]]) -> None:
    file = saved(tmp_path, "misty", 6)
    arguments = ("think", str(file), "--seconds", "100", "--language", "en")
    status, shown, errors = interrupt(LISTENING, *arguments, line="thinking\n")
    assert status == 0, errors
    assert "Chance to win" in shown
    assert "Stopped early" in shown


#: The command line, saying when its bot begins to think.
LISTENING = """
import sys
from nevel.bots.search import Search
from nevel.cli import app
run = Search.run
def tell(self, *arguments):
    self.mind.sample  # compiled by its first stride
    def progress(share, told=[]):
        if not told:
            told.append(sys.stderr.write("thinking\\n"))
            sys.stderr.flush()
    return run(self, *arguments[:-1], progress)
Search.run = tell
app()
"""


# ------------------------------------------------------------ play


def nobody(*arguments: str) -> Result:
    """Play while nobody is there to answer: what happened until then is on the screen, the game is kept."""
    return run("play", *arguments)


def test_people_play_with_levels_and_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    program = f"program:{sys.executable} -S {EXAMPLE}"
    done = nobody("misty", "--seats", "3", "--bots", f"{program},strong", "--seconds", "0.05", "--seed", "1")
    assert done.exit_code == 0, done.output
    assert "--resume" in done.stdout
    (kept,) = tmp_path.glob("*.json")
    assert nevel.load(kept.read_bytes()).seats == 3


# ------------------------------------------------------------ what makes no sense


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["play", "misty", "--seats", "3", "--bots", "casual,strong,expert"], "you named 3"),
        (["play", "misty", "--bots", "program:"], "which program"),
        (["play", "misty", "--bots", "program:nosuchprogramanywhere"], "nosuchprogramanywhere"),
        (["simulate", "misty", "--seats", "3", "--bots", "casual,strong"], "you named 2"),
        (["simulate", "misty", "--bots", "genius"], "beginner, casual, strong, expert"),
        (["ladder", "chess"], "chess"),
        (["ladder", "misty", "--levels", "casual"], "at least two levels"),
        (["ladder", "misty", "--levels", "casual,casual"], "each named once"),
        (["ladder", "misty", "--levels", "casual,genius"], "genius"),
        (["ladder", "misty", "--seats", "9"], "seats is 9"),
        (
            ["ladder", "misty", "--levels", "random,simple", "--games", "1", "--plot", "/nowhere/x.svg"],
            "/nowhere/x.svg",
        ),
        (["think", "nowhere.json"], "nowhere.json"),
        (["think", "FILE", "--level", "genius"], "genius"),
        (["think", "FILE", "--seat", "7"], "There is no player 7; there are 2."),
        (["think", "FILE", "--seat", "OTHER"], "It isn't player"),
        (["think", "OVER"], "This game is over"),
    ],
)
def test_what_makes_no_sense_is_answered_with_a_sentence(tmp_path: Path, arguments: list[str], says: str) -> None:
    file = saved(tmp_path, "what-the-fog", 1)
    asked = nevel.load(file.read_bytes()).waiting_for
    replaced: dict[str, Callable[[], str]] = {
        "FILE": lambda: str(file),
        "OTHER": lambda: str(2 - asked[0]),
        "OVER": lambda: str(saved(tmp_path, "the-game", 10_000)),
    }
    done = run(*(replaced[word]() if word in replaced else word for word in arguments))
    assert done.exit_code == 2, done.output
    assert says in re.sub(r"\s+", " ", done.stderr)
    assert done.exception is None or isinstance(done.exception, SystemExit)


def test_a_whole_table_of_bots_hears_each_other() -> None:
    """Every level plays The Game to its end through the same table as people do."""
    for level in levels.LEVELS:
        game = nevel.new("the-game", seats=3, seed=2)
        play_to_end(game, seat_players(level, range(3), 1, Budget(playouts=20)))
        assert game.is_over


def test_backup_and_restore(tmp_path: Path) -> None:
    first, second, file = tmp_path / "first.db", tmp_path / "second.db", tmp_path / "all.backup"
    saved = run("backup", str(file), "--database", f"sqlite:///{first}")
    assert saved.exit_code == 0, saved.output
    assert run("backup", str(file), "--database", f"sqlite:///{first}").exit_code == 2  # it is there already
    restored = run("restore", str(file), "--database", f"sqlite:///{second}")
    assert restored.exit_code == 0, restored.output
    file.write_bytes(file.read_bytes()[:-20])
    assert run("restore", str(file), "--database", f"sqlite:///{tmp_path / 'third.db'}").exit_code == 2
    assert run("restore", str(file), "--database", "mongodb://here").exit_code == 2
