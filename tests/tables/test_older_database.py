"""A database of an older version opens: its tables read, its games go on, its links and logins stay valid.

`tests/data/database_schema_4.db.gz` was written by Nevel as it was with four schema steps, before every game had a
folder of its own; the JSON beside it is what that version showed of the tables in it.
"""

import gzip
from pathlib import Path
from typing import Any

import msgspec
import pytest

from nevel.bots.evaluation import Budget
from nevel.game.registry import find
from nevel.tables.domain.commands import Play, Sit
from nevel.tables.domain.table import PLAYING
from nevel.tables.runtime.house import House
from nevel.tables.storage import schema
from nevel.tables.storage.backup import backup, restore
from nevel.tables.storage.storage import Storage, open_storage
from nevel.tables.views.encoding import encode_view
from nevel.tables.views.view import PeopleStatus, Scene, Viewer, told_since
from nevel.web.people.links import Links
from nevel.web.people.people import People
from tests.tables.storing import Run

DATA = Path(__file__).parents[1] / "data"
SHOWN: dict[str, Any] = msgspec.json.decode((DATA / "database_schema_4.json").read_bytes())
TABLES: list[dict[str, Any]] = SHOWN["tables"]
ANN, BOB = SHOWN["people"]["ann"], SHOWN["people"]["bob"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "nevel.db"
    path.write_bytes(gzip.decompress((DATA / "database_schema_4.db.gz").read_bytes()))
    return path


async def with_house(path: Path, work: Any) -> None:
    storage = await open_storage(str(path))
    house = House(storage, Budget(playouts=5))
    try:
        await work(storage, house)
    finally:
        await house.close()
        await storage.close()


def test_its_tables_are_as_they_were(path: Path, run: Run) -> None:
    async def work(storage: Storage, house: House) -> None:
        people = PeopleStatus({ANN: "Ann", BOB: "Bob"}, lambda _: False)
        for shown in TABLES:
            table = (await house.room(shown["name"])).table
            assert (table.opened.game, table.phase, table.seq) == (shown["game"], shown["phase"], shown["seq"])
            assert table.game
            assert (table.game.fingerprint(), len(table.played)) == (shown["fingerprint"], shown["moves"])
            view = msgspec.json.decode(encode_view(Scene(table, people), Viewer("player", 1)))
            you = {**shown["view"]["you"], "is_by_link": False}  # which is told since
            # Options that came since say how it was played before.
            options = find(shown["game"]).vocabulary.recall_options(shown["view"]["options"])
            assert {name: view[name] for name in shown["view"]} == {**shown["view"], "you": you, "options": options}
            assert len(told_since(table, 1, -1)) == shown["events"]
            assert [m.text for m in await storage.messages(table.name, -1, 9)] == ["Bonjour à tous"]
        assert {shown["phase"] for shown in TABLES} == {"playing", "over"}
        brought = (await house.room(SHOWN["brought"]["name"])).table
        assert brought.opened.prelude
        assert len(brought.opened.prelude.moves) == SHOWN["brought"]["moves"]
        everything = {table["name"] for table in TABLES} | {SHOWN["open"]["name"], SHOWN["brought"]["name"]}
        assert {summary.table for summary in await storage.tables_of(BOB, 99)} == everything
        assert [summary.table for summary in await storage.open_tables(None, 9)] == [SHOWN["open"]["name"]]

    run(with_house(path, work))


def test_its_games_go_on(path: Path, run: Run) -> None:
    async def work(_: Storage, house: House) -> None:
        for shown in TABLES:
            room = await house.room(shown["name"])
            # A command that was done before is known, and isn't done again.
            person, _, command_id = shown["last_command"].partition(":")
            assert await house.ask(shown["name"], Play("whatever", room.table.seq), person, command_id) == shown["seq"]
            while room.table.phase == PLAYING:
                assert room.table.game
                prompt = room.table.game.prompts()[0]
                move = Play(prompt.moves[0], room.table.seq, prompt.seat)
                await house.ask(shown["name"], move, (ANN, BOB)[prompt.seat])
            assert room.table.phase == "over"
            again = await house.opening.open_rematch(shown["name"], BOB)
            assert (await house.room(again)).table.opened.reserved == {0: ANN, 1: BOB}
        await house.ask(SHOWN["open"]["name"], Sit(), ANN)
        assert (await house.room(SHOWN["open"]["name"])).table.people == [BOB, ANN]
        # What was stored since is read again.
        for shown in TABLES:
            seq = (await house.room(shown["name"])).table.seq
            await house.forget(shown["name"])
            assert (await house.room(shown["name"])).table.seq == seq

    run(with_house(path, work))


def test_its_links_and_logins_are_valid(path: Path, run: Run) -> None:
    async def work(storage: Storage, house: House) -> None:
        key = await storage.setting("signing-key", "another")
        links, people = Links(key), People(storage, key, house.clock)
        for shown in TABLES:
            table = (await house.room(shown["name"])).table
            for purpose in ("invitation", "spectator", "screen"):
                assert links.key(table, purpose) == shown["links"][purpose]
            by_link = links.access(table, None, shown["links"]["chair"])
            assert by_link
            assert (by_link.viewer.chair, by_link.person) == (1, BOB)
        assert (await people.by_token(SHOWN["token"])).name == "Ann"
        bob = await people.by_cookie(SHOWN["cookie"])
        assert bob
        assert (bob.id, bob.name, bob.language) == (BOB, "Bob", "nl")

    run(with_house(path, work))


def test_it_is_found_out_who_stands_in_its_logs(path: Path, run: Run) -> None:
    async def work(storage: Storage, _: House) -> None:
        async with storage.session() as session:
            for person in (ANN, BOB):
                found = await session.run("SELECT DISTINCT table_id FROM events WHERE body LIKE $1", f"%{person}%")
                assert sorted(await storage.tables_naming(person)) == sorted(table for (table,) in found)
                assert len(found) > 1

    run(with_house(path, work))


def test_a_backup_from_before_tells_it_too(
    path: Path, url: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def write() -> None:
        storage = await open_storage(str(path))
        await backup(storage, tmp_path / "before.backup")
        await storage.close()

    async def read() -> set[str]:
        storage = await open_storage(url)
        await restore(storage, tmp_path / "before.backup")
        found = await storage.tables_naming(BOB)
        await storage.close()
        return set(found)

    with monkeypatch.context() as before:
        before.setattr(schema, "STEPS", schema.STEPS[:8])
        columns = {name: columns for name, columns in schema.BACKUP_COLUMNS.items() if name != "appearances"}
        before.setattr(schema, "BACKUP_COLUMNS", columns)
        run(write())
    tables = {table["name"] for table in TABLES}
    assert run(read()) == tables | {SHOWN["open"]["name"], SHOWN["brought"]["name"]}
