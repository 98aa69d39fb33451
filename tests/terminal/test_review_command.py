"""`nevel review`, through its real output."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner, Result

import nevel
from nevel.cli import app
from nevel.game import saving
from nevel.languages import LANGUAGES
from nevel.study.review import Review
from nevel.study.reviewing import Reviewing
from nevel.terminal.chart import draw_chances

FEW = 8


def run(*arguments: str, language: str = "en") -> Result:
    environment = {"NEVEL_LANGUAGE": language}
    return CliRunner().invoke(app, ["review", *arguments, "--playouts", str(FEW)], env=environment)


def some_game(moves: int = 16) -> nevel.Game:
    game = nevel.new("misty", seats=2, seed=3, names=["Ada", "Bob"])
    while len(game.log) < moves:
        prompt = game.prompts()[0]
        game.play(prompt.seat, prompt.moves[0])
    return game


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_text(nevel.save(some_game()), "utf-8")
    return path


def test_a_review_is_shown_in_every_language(file: Path) -> None:
    words = {
        "en": ("Accuracy", "Before the deal", "Own choices cost", "Every choice"),
        "de": ("Genauigkeit", "Vor dem Geben", "Eigene Entscheidungen haben", "Alle Entscheidungen"),
        "fr": ("Précision", "Avant la donne", "Ses propres choix ont coûté", "Tous les choix"),
        "nl": ("Nauwkeurigheid", "Vóór het delen", "Eigen keuzes kostten", "Alle keuzes"),
    }
    assert set(words) == set(LANGUAGES)
    for code, expected in words.items():
        shown = run(str(file), "--all", language=code)
        assert shown.exit_code == 0, shown.output
        for word in (*expected, "Ada", "Bob", "100 ┤", "█"):
            assert word in shown.stdout, (code, word)
    only_bob = run(str(file), "--seat", "2")
    assert "Bob" in only_bob.stdout
    assert "Ada:" not in only_bob.stdout
    assert "Every choice" not in only_bob.stdout


def test_figures_are_the_review_itself(file: Path) -> None:
    done = run(str(file), "--json")
    assert done.exit_code == 0, done.output
    assert msgspec.json.decode(done.stdout, type=Review) == Reviewing(some_game(), FEW).run()


def test_records_of_tables_are_reviewed_too(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    record.write_text(saving.save(some_game(4), {"secret": "00"}), "utf-8")
    assert json.loads(run(str(record), "--json").stdout)["game"] == "misty"


def test_what_cant_be_reviewed_is_said(tmp_path: Path, file: Path) -> None:
    empty = tmp_path / "empty.json"
    empty.write_text(nevel.save(nevel.new("misty", seats=2, seed=1)), "utf-8")
    broken = tmp_path / "broken.json"
    broken.write_text("{", "utf-8")
    for arguments, sentences in (
        (
            (str(tmp_path / "nowhere.json"),),
            ("can't be read", "lässt sich nicht lesen", "Impossible de lire", "niet worden gelezen"),
        ),
        ((str(broken),), ("not a saved game", "keine gespeicherte Partie", "pas une partie", "geen bewaarde partij")),
        ((str(empty),), ("nothing to review", "nichts zu analysieren", "rien à analyser", "niets te analyseren")),
        (
            (str(file), "--seat", "3"),
            ("There is no player 3", "Es gibt keinen Mitspieler 3", "Il n’y a pas de place 3", "Er is geen speler 3"),
        ),
    ):
        for code, sentence in zip(LANGUAGES, sentences, strict=True):
            shown = run(*arguments, language=code)
            assert shown.exit_code == 2
            assert sentence in " ".join(shown.stderr.split()), (code, shown.stderr)
            assert not shown.stdout


@pytest.mark.skipif(os.name != "posix", reason="a signal as POSIX sends it")
def test_control_c_stops_it(file: Path, interrupt: Callable[..., tuple[int, str, str]]) -> None:
    arguments = ("review", str(file), "--playouts", "100000000", "--language", "en")
    status, shown, errors = interrupt(LISTENING, *arguments, line="looking\n")
    assert status == 2, errors
    assert "Stopped" in errors
    assert not shown


#: The command line, saying when play-outs have begun.
LISTENING = """
import sys
from nevel.games.misty.bots.mind import MistyMind
from nevel.cli import app
sample = MistyMind.sample
told = []
def tell(self, *arguments):
    sample(self, *arguments)  # compiled by its first stride
    if not told:
        told.append(sys.stderr.write("looking\\n"))
        sys.stderr.flush()
MistyMind.sample = tell
app()
"""


def test_a_chart_says_the_same_without_colour() -> None:
    chart = draw_chances([0.0, 0.25, 0.5, 1.0], 40, "cyan", height=2).plain
    assert chart == "100 ┤   █\n  0 ┤▁▄██"
    wide = draw_chances([n / 999 for n in range(1000)], 50, "cyan").plain.splitlines()
    assert {len(line) for line in wide if line.endswith("█")} == {55}
