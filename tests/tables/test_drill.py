"""A restore drill: a good backup passes, and whatever is wrong with one is found and told."""

import asyncio
from pathlib import Path

import asyncpg
import pytest

from nevel.bots.evaluation import Budget
from nevel.languages import SpokenError
from nevel.tables.domain.commands import Play, Sit, Start
from nevel.tables.runtime.house import House
from nevel.tables.storage.backup import DamagedError, backup
from nevel.tables.storage.schema import Person
from nevel.tables.storage.storage import Storage
from nevel.tables.upkeep.drill import drill
from tests.commands import run_nevel
from tests.tables.storing import Run


async def played(storage: Storage) -> list[str]:
    """Two people, and a table of each kind: open, being played at, and over."""
    await storage.save_person(Person("ann", "Ann", "en", 1, 1))
    await storage.save_person(Person("bob", "Bob", "nl", 1, 1))
    house, tables = House(storage, Budget(playouts=5)), list[str]()
    for kind in ("open", "playing", "over"):
        room = await house.opening.open_table("ann", "misty", 2)
        name = room.table.name
        tables.append(name)
        await house.ask(name, Sit(), "ann")
        await house.ask(name, Sit(), "bob")
        if kind != "open":
            await house.ask(name, Start(), "ann")
        while kind == "over" and room.table.phase == "playing":
            assert room.table.game
            prompt = room.table.game.prompts()[0]
            person = room.table.chairs[prompt.seat].person or ""
            await house.ask(name, Play(prompt.moves[0], room.table.seq, prompt.seat), person)
    await house.close()
    return tables


@pytest.fixture
def tables(storage: Storage, run: Run) -> list[str]:
    return run(played(storage))


def databases(url: str) -> list[str]:
    """The databases of a PostgreSQL server."""

    async def look() -> list[str]:
        connection = await asyncpg.connect(url)
        found = await connection.fetch("SELECT datname FROM pg_database")
        await connection.close()
        return [name for (name,) in found]

    return asyncio.run(look())


def test_a_good_backup_passes_and_nothing_is_left(
    storage: Storage, tables: list[str], url: str, tmp_path: Path, run: Run
) -> None:
    path, shares = tmp_path / "a.backup", list[float]()
    run(backup(storage, path))
    figures = run(drill(path, url, shares.append))
    assert (figures.people, figures.tables) == (2, {"open": 1, "playing": 1, "over": 1})
    assert (figures.verified, figures.erased, figures.problem_count, figures.problems) == (1, 0, 0, [])
    assert figures.rows == sum(len(run(storage.rows(table))) for table in tables)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    if url.startswith("postgres"):
        assert not [name for name in databases(url) if name.startswith("nevel_drill")]


def test_what_is_wrong_is_told_table_by_table(storage: Storage, tables: list[str], tmp_path: Path, run: Run) -> None:
    async def spoil() -> None:
        async with storage.session(writes=True) as session:
            await session.run("DELETE FROM events WHERE table_id = $1 AND seq = 1", tables[0])
            await session.run("UPDATE tables SET phase = 'over' WHERE table_id = $1", tables[1])
            await session.run("UPDATE tables SET secret = $2 WHERE table_id = $1", tables[2], "0" * 64)
        await backup(storage, tmp_path / "a.backup")

    run(spoil())
    figures = run(drill(tmp_path / "a.backup"))
    assert {problem.partition(":")[0] for problem in figures.problems} == set(tables)
    assert figures.verified == 0


def test_a_damaged_file_is_refused(storage: Storage, tables: list[str], tmp_path: Path, run: Run) -> None:
    path = tmp_path / "a.backup"
    run(backup(storage, path))
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DamagedError):
        run(drill(path))
    with pytest.raises(SpokenError, match="can't be read"):
        run(drill(tmp_path / "nowhere.backup"))


def test_the_commands(storage: Storage, tables: list[str], url: str, tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    refused = run_nevel("backup", str(tmp_path / "file"), "--keep", "1", "--database", url, NEVEL_LANGUAGE="en")
    assert refused.returncode == 2
    assert "isn't a folder" in " ".join(refused.stderr.split())
    assert not (tmp_path / "file").exists()
    (folder / "nevel-20200101T000000Z.backup").touch()
    run(storage.forget("ann"))
    done = run_nevel("backup", str(folder), "--keep", "1", "--database", url, NEVEL_LANGUAGE="en")
    assert done.returncode == 0, done.stderr
    journal, file = sorted(folder.iterdir())
    assert journal.name == "erasures"
    assert file.name in done.stdout.replace("\n", "")
    tried = run_nevel("restore", "--drill", str(file), "--database", url, NEVEL_LANGUAGE="fr")
    assert tried.returncode == 0, tried.stderr
    assert "La sauvegarde est complète" in tried.stdout
    assert run_nevel("restore", "--drill", str(journal), NEVEL_LANGUAGE="en").returncode == 2

    # An older backup in the same folder: who was deleted since stays deleted.
    run(storage.save_person(Person("cleo", "Cleo", "en", 1, 1)))
    older = folder / "older.backup"
    run(backup(storage, older))
    run(storage.forget("cleo"))
    assert run_nevel("backup", str(folder), "--database", url).returncode == 0
    place = f"sqlite:///{tmp_path / 'restored.db'}"
    back = run_nevel("restore", str(older), "--database", place, NEVEL_LANGUAGE="en")
    assert back.returncode == 0, back.stderr
    assert "1 person who was deleted since stays deleted." in back.stdout
    assert b"Cleo" not in (tmp_path / "restored.db").read_bytes()
    assert b"Bob" in (tmp_path / "restored.db").read_bytes()
    nowhere = run_nevel("restore", str(older), "--erasures", str(tmp_path / "no"), "--database", place)
    assert nowhere.returncode == 2
