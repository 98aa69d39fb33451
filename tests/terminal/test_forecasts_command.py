"""`nevel forecasts`, through its real output."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import nevel
from nevel.cli import app
from nevel.languages import LANGUAGES


def run(*arguments: object, language: str = "en") -> Result:
    given = [str(argument) for argument in arguments]
    return CliRunner().invoke(app, ["forecasts", *given], env={"NEVEL_LANGUAGE": language})


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two games: in the second, Ann sits elsewhere and Cid has come for Bob."""
    written: list[Path] = []
    for seed, names in ((1, ["Ann", "Bob"]), (2, ["Cid", "Ann"])):
        game = nevel.new("what-the-fog", seats=2, seed=seed, names=names)
        while not game.is_over:
            prompt = game.prompts()[0]
            game.play(prompt.seat, prompt.moves[0])
        written.append(tmp_path_factory.mktemp("games") / "game.json")
        written[-1].write_text(nevel.save(game), "utf-8")
    return written


def test_players_are_followed_by_name(files: list[Path]) -> None:
    players = json.loads(run(*files, "--json").stdout)["players"]
    assert {name: (one["games"], one["all"]["made"]) for name, one in players.items()} == {
        "Ann": (2, 8),
        "Bob": (1, 4),
        "Cid": (1, 4),
    }
    ann = players["Ann"]
    assert sum(tally["hits"] for tally in ann["by_prediction"].values()) == ann["all"]["hits"]


@pytest.mark.parametrize("code", LANGUAGES)
def test_bars(files: list[Path], code: str) -> None:
    done = run(files[0], language=code)
    assert done.exit_code == 0
    record = json.loads(run(files[0], "--json").stdout)["players"]["Bob"]
    for tally in record["by_prediction"].values():
        bar = "█" * tally["hits"] + "░" * (tally["made"] - tally["hits"])
        assert f"{bar} {tally['hits']} / {tally['made']}" in done.stdout
    assert "Bob" in done.stdout


def test_what_cant_be_read_is_said(files: list[Path], tmp_path: Path) -> None:
    other = tmp_path / "misty.json"
    other.write_text(nevel.save(nevel.new("misty", seats=2, seed=1)), "utf-8")
    (tmp_path / "torn.json").write_text("{", "utf-8")
    for file, word in ((other, "Misty"), (tmp_path / "torn.json", "torn.json"), (tmp_path / "none.json", "none.json")):
        done = run(files[0], file)
        assert done.exit_code == 2
        assert word in done.output
        assert "Traceback" not in done.output
