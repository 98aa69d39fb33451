"""Games as data: what is written, that it plays again, and what nobody may learn from it."""

import json
import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pyarrow
import pyarrow.parquet
import pytest

import nevel
from nevel.game.box import Box
from nevel.game.registry import find
from nevel.game.saving import LoadError
from nevel.lab import data
from nevel.lab.data import DataError, ExportScope, Source, export, from_record, load, simulated
from nevel.lab.matches.match import Matches
from nevel.tables.domain.record import write_record
from tests.commands import run_nevel
from tests.own_games import OWN_GAMES
from tests.tables.one_table import started

ROOT = Path(__file__).parents[2]
GAMES = tuple(OWN_GAMES)
PEOPLE = {"ann": "Ann Example", "bob": "Bob Example"}


def matches(game: str, seats: int, seed: int = 4) -> Matches:
    return Matches(find(game), seats, Box.of(game), {}, seed)


def record(game: str) -> str:
    """What a table gives when its game is over: two people and a bot."""
    one = started(game, ("ann", "bob"), bots=1)
    dice = random.Random(2)
    while one.table.phase == "playing":
        assert one.table.game
        chair = dice.choice(one.table.waiting_for)
        prompt = one.table.game.prompt(chair)
        assert prompt
        person = one.table.chairs[chair].person
        move = dice.choice(prompt.moves)
        if person is None:
            one.bot_plays(chair, move)
        else:
            one.play(person, move)
    return write_record(one.table, PEOPLE)


def rows(folder: Path, name: str) -> list[dict[str, object]]:
    return pyarrow.parquet.read_table(folder / name).to_pylist()


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run_nevel("data", *arguments, timeout=600, NEVEL_LANGUAGE="en")


@pytest.mark.parametrize("game", GAMES)
def test_simulated_games_come_back_move_by_move(game: str, tmp_path: Path) -> None:
    played = list(simulated(matches(game, 2), ["simple", "random"], 3, cores=2))
    assert list(export(played, tmp_path, ExportScope())) == [1, 2, 3]
    back = list(load(tmp_path))
    assert [nevel.save(one.game) for one in played] == [nevel.save(each) for each in back]
    table = rows(tmp_path, data.GAMES)
    assert [row["source"] for row in table] == ["simulated"] * 3
    assert [row["players"] for row in table] == [["simple", "random"]] * 3
    for row, each in zip(table, back, strict=True):
        assert each.outcome is not None
        assert (row["clause"], row["points"], row["winners"]) == tuple(
            getattr(each.outcome, name) for name in ("clause", "points", "winners")
        )
    moves = rows(tmp_path, data.MOVES)
    assert len(moves) == sum(len(each.log) for each in back)
    assert {row["view"] for row in moves} == {None}


def test_the_order_doesnt_depend_on_the_cores() -> None:
    one, many = (list(simulated(matches("the-game", 2), ["random"] * 2, 20, cores)) for cores in (1, 4))
    assert [nevel.save(each.game) for each in one] == [nevel.save(each.game) for each in many]


def test_a_view_is_what_the_seat_saw_before_its_move(tmp_path: Path) -> None:
    (played,) = simulated(matches("misty", 2), ["simple"] * 2, 1)
    list(export([played], tmp_path, ExportScope(views=True)))
    again = matches("misty", 2).deal(0)
    for row, entry in zip(rows(tmp_path, data.MOVES), played.game.log, strict=True):
        assert json.loads(str(row["view"])) == json.loads(msgspec.json.encode(again.view(entry.seat)))
        again.play(entry.seat, entry.move)


@pytest.mark.parametrize("game", GAMES)
def test_without_consent_no_hand_can_be_learnt_from_a_table(game: str, tmp_path: Path) -> None:
    text = record(game)
    list(export([from_record(text)], tmp_path, ExportScope(deal=False)))
    (row,) = rows(tmp_path, data.GAMES)
    assert row["source"] == "table"
    assert row["players"] == ["person", "person", "casual"]
    assert row["seed"] is None
    assert row["names"] is None
    moves = rows(tmp_path, data.MOVES)
    saved = json.loads(text)
    assert len(moves) == len(saved["moves"])
    for move, true in zip(moves, saved["moves"], strict=True):
        assert move["key"] is None
        assert move["after"] is None
        assert move["view"] is None
        assert move["move"] == (None if move["is_secret"] else true["move"])
    assert any(move["is_secret"] for move in moves) == (game in ("misty", "what-the-fog"))
    # Nothing that was secret stands anywhere in the files, compressed or not.
    content = json.dumps([row, moves])
    secrets = [saved["seed"], saved["table"]["secret"], *(move["key"] for move in saved["moves"]), *PEOPLE.values()]
    for secret in secrets:
        assert secret not in content
    with pytest.raises(DataError, match="without its deal"):
        next(load(tmp_path))


def test_with_consent_a_table_s_game_plays_again(tmp_path: Path) -> None:
    text = record("what-the-fog")
    list(export([from_record(text)], tmp_path, ExportScope(deal=True, views=True, names=True)))
    (game,) = load(tmp_path)
    assert [entry.key for entry in game.log] == [move["key"] for move in json.loads(text)["moves"]]
    assert game.names == ["Ann Example", "Bob Example", "casual"]
    assert all(row["view"] for row in rows(tmp_path, data.MOVES))


def test_views_need_consent_and_games_an_end(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="consent"):
        list(export([from_record(record("the-game"))], tmp_path, ExportScope(deal=False, views=True)))
    with pytest.raises(DataError, match="isn't over"):
        from_record(nevel.save(nevel.new("misty", 2, seed=1)))
    assert list(tmp_path.iterdir()) == []


def test_a_failed_export_leaves_nothing_behind(tmp_path: Path) -> None:
    def sources() -> Iterator[Source]:
        yield Source(next(iter(simulated(matches("the-game", 1), ["random"], 1))).game, ["random"])
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(export(sources(), tmp_path, ExportScope()))
    assert list(tmp_path.iterdir()) == []


def test_what_isnt_an_export_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no exported games"):
        load(tmp_path)
    (tmp_path / data.GAMES).write_bytes(b"what?")
    with pytest.raises(DataError, match="no exported games"):
        load(tmp_path)
    other = pyarrow.table({"id": ["x"]})
    for name in (data.GAMES, data.MOVES):
        pyarrow.parquet.write_table(other, tmp_path / name)
    with pytest.raises(DataError, match="another format"):
        load(tmp_path)


def test_a_changed_move_is_noticed(tmp_path: Path) -> None:
    list(export(simulated(matches("the-game", 1), ["simple"], 1), tmp_path, ExportScope()))
    table = pyarrow.parquet.read_table(tmp_path / data.MOVES)
    changed = table.to_pylist()
    changed[4]["after"] = "00000000"
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(changed, schema=table.schema), tmp_path / data.MOVES)
    with pytest.raises(LoadError, match="Move 5"):
        list(load(tmp_path))


@pytest.mark.slow
def test_the_commands_write_files_and_say_so(tmp_path: Path) -> None:
    done = run("simulate", "the-game", "--bots", "simple", "--games", "3", "--seed", "1", "--out", str(tmp_path / "a"))
    assert done.returncode == 0, done.stderr
    assert "3 games" in done.stdout
    assert len(list(load(tmp_path / "a"))) == 3
    file = tmp_path / "record.json"
    file.write_text(record("extreme"), "utf-8")
    done = run("records", str(file), "--consent", "--out", str(tmp_path / "b"))
    assert done.returncode == 0, done.stderr
    assert [game.name for game in load(tmp_path / "b")] == ["extreme"]
    refused = run("records", str(file), "--views", "--out", str(tmp_path / "c"))
    assert refused.returncode == 2
    assert "consent" in refused.stderr
    file.write_text("{}", "utf-8")
    refused = run("records", str(file), "--out", str(tmp_path / "c"))
    assert refused.returncode == 2
    assert "record.json" in refused.stderr.replace("\n", "")  # long paths are wrapped
    refused = run("records", str(tmp_path / "none.json"), "--out", str(tmp_path / "c"))
    assert refused.returncode == 2
    assert not (tmp_path / "c" / data.GAMES).exists()


def test_the_card_names_every_column_with_its_type() -> None:
    card = (ROOT / "docs" / "data.md").read_text("utf-8")
    told = dict(re.findall(r"^\| `(\w+)` \| `([\w<>]+)` \|", card, re.MULTILINE))
    written = {name: kind.removesuffix("_") for name, kind in (data.GAME_COLUMNS | data.MOVE_COLUMNS).items()}
    assert told == written
