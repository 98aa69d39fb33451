"""What a node does for its database by itself: backups that rotate, and the journal that outlives a restore."""

import asyncio
import gzip
import os
import stat
import time
from pathlib import Path

import pytest

from nevel.bots.evaluation import Budget
from nevel.languages import SpokenError
from nevel.tables.domain.commands import Sit, Start
from nevel.tables.runtime.house import House
from nevel.tables.storage.backup import backup, restore
from nevel.tables.storage.schema import Message, Person, Token
from nevel.tables.storage.storage import Storage, open_storage
from nevel.tables.upkeep.backups import DEAD_AFTER, HOUR, LAST, Backups, back_up_into, rotate
from nevel.tables.upkeep.journal import NAME, Journal, read_journal, trace_of
from tests.tables.storing import Open, Run


def make_backups(storage: Storage, folder: Path, node: str = "one", hours: float = 24, keep: int = 2) -> Backups:
    return Backups(storage, node, folder, hours, keep)


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


async def pass_hours(storage: Storage, hours: float) -> None:
    """Let the last backup have been made so much earlier."""
    last = await storage.find_setting(LAST)
    assert last
    await storage.save_setting(LAST, str(int(last) - round(hours * HOUR)))


def test_a_backup_is_made_when_one_is_due(storage: Storage, tmp_path: Path, run: Run) -> None:
    async def work() -> None:
        folder = tmp_path / "new" / "backups"
        backups = make_backups(storage, folder)
        assert backups.age() == float("inf")
        first = await backups.look()
        assert first
        assert stat.S_IMODE(first.stat().st_mode) == 0o600
        assert 0 <= backups.age() < 60
        assert await backups.look() is None, "the next is due in a day"
        await pass_hours(storage, 23.9)
        assert await backups.look() is None
        assert backups.age() > 23 * 3600
        await pass_hours(storage, 0.2)
        first.rename(folder / "nevel-20200101T000000Z.backup")
        assert await backups.look()
        assert len(names(folder)) == 2
        other = await open_storage(str(tmp_path / "other.db"))
        await restore(other, folder / names(folder)[-1])
        await other.close()

    run(work())


def test_of_several_nodes_one_makes_it(open_another: Open, tmp_path: Path, run: Run) -> None:
    async def work() -> None:
        one, two = await open_another(), await open_another()
        nodes = [make_backups(one, tmp_path / "one", "one"), make_backups(two, tmp_path / "two", "two")]
        made = await asyncio.gather(*(node.look() for node in nodes))
        assert sum(file is not None for file in made) == 1
        assert [await node.look() for node in nodes] == [None, None]
        assert all(node.age() < 60 for node in nodes), "each knows of the other's"
        await pass_hours(one, 25)
        assert await one.claim("backup", "somebody who died", 60_000)
        assert await nodes[0].look() is None
        await one.release("backup", "somebody who died")
        assert await nodes[1].look()

    run(work())


def test_one_that_fails_is_told_and_leaves_those_before(storage: Storage, tmp_path: Path, run: Run) -> None:
    async def work() -> None:
        (tmp_path / "file").write_text("in the way")
        backups = make_backups(storage, tmp_path / "file" / "folder")
        with pytest.raises(SpokenError, match="can't be written"):
            await backups.look()
        failed = asyncio.Event()
        backups.on_failed = failed.set
        running = asyncio.create_task(backups.run())
        await failed.wait()
        running.cancel()
        assert backups.age() == float("inf")
        assert await storage.claim("backup", "another", 1_000), "another node may try"

    run(work())


def test_the_oldest_go_and_nothing_else(tmp_path: Path) -> None:
    days = [f"nevel-2026010{day}T000000Z.backup" for day in range(1, 6)]
    for name in (
        *days,
        "nevel-20251231T000000Z.backup.part",
        "nevel-20260105T000001Z.backup.part",
        "mine.backup",
        NAME,
    ):
        (tmp_path / name).touch()
    dead = time.time() - DEAD_AFTER - 60
    os.utime(tmp_path / "nevel-20251231T000000Z.backup.part", (dead, dead))
    rotate(tmp_path, 3)
    assert names(tmp_path) == sorted(("mine.backup", "nevel-20260105T000001Z.backup.part", NAME, *days[2:]))
    rotate(tmp_path, 0)
    assert len(names(tmp_path)) == 6


def test_the_journal_names_nobody(storage: Storage, tmp_path: Path, run: Run) -> None:
    async def work() -> None:
        journal = Journal(storage, tmp_path / "backups")
        for person in ("ann", "bob"):
            await storage.forget(person)
            await journal.catch_up()
        await journal.catch_up()
        lines = journal.path.read_text().splitlines()
        assert lines == [trace_of("ann"), trace_of("bob")]
        assert stat.S_IMODE(journal.path.stat().st_mode) == 0o600
        # Another node, or the same after a restart, adds what isn't there; half a line of a crash is nobody.
        with journal.path.open("a") as file:
            file.write(trace_of("eve")[:20])
        await storage.forget("cleo")
        await Journal(storage, tmp_path / "backups").catch_up()
        assert read_journal(journal.path) == {trace_of(person) for person in ("ann", "bob", "cleo")}
        assert len(journal.path.read_text().splitlines()) == 4

    run(work())


def test_a_journal_that_cant_be_written_is_written_later(storage: Storage, tmp_path: Path, run: Run) -> None:
    async def work() -> None:
        (tmp_path / "backups").write_text("in the way")
        journal = Journal(storage, tmp_path / "backups")
        await storage.forget("ann")
        with pytest.raises(SpokenError, match="can't be written"):
            await journal.catch_up()
        await journal.try_to_catch_up()
        (tmp_path / "backups").unlink()
        await journal.try_to_catch_up()
        assert read_journal(journal.path) == {trace_of("ann")}

    run(work())


def test_who_was_deleted_after_a_backup_stays_deleted(open_another: Open, tmp_path: Path, run: Run) -> None:
    """Ann sat at a table when the backup was made, left for good, and the backup is restored."""

    async def work() -> None:
        storage = await open_another()
        for person in ("person-ann", "person-bob"):
            await storage.save_person(Person(person, f"Name of {person}", "en", 1, 1))
            await storage.add_token(Token(f"digest of {person}", person, "phone", 1, None, f"id {person}"))
        house = House(storage, Budget(playouts=5))
        tables = list[str]()
        for starts in (True, False):
            room = await house.opening.open_table("person-ann", "misty", 2)
            tables.append(room.table.name)
            await house.ask(room.table.name, Sit(contribution="what Anne-Marie added"), "person-ann", "click")
            await house.ask(room.table.name, Sit(), "person-bob")
            await storage.add_message(Message(room.table.name, 1, "person-ann", 0, "what Ann said"))
            if starts:
                await house.ask(
                    room.table.name, Start(), "person-bob" if room.table.host == "person-bob" else "person-ann"
                )
        path = await back_up_into(storage, tmp_path / "backups", 7)
        await storage.forget("person-ann")
        await Journal(storage, tmp_path / "backups").catch_up()
        await house.close()

        restored = await open_storage(str(tmp_path / "restored.db"))
        traces = read_journal(path.with_name(NAME))
        assert await restore(restored, path, is_erased=lambda person: trace_of(person) in traces) == 1
        assert await restored.person("person-ann") is None
        assert await restored.person("person-bob")
        assert [await restored.tokens_of(person) for person in ("person-ann",)] == [[]]
        assert await restored.tables_of("person-ann", 10) == []
        assert [await restored.messages(table, -1, 10) for table in tables] == [[], []]
        # A server that starts on it clears what is left, as after any deletion.
        again = House(restored, Budget(playouts=5))
        await again.erasing.empty_chairs()
        await again.erasing.erase_all()
        playing, open_one = [(await again.room(table)).table for table in tables]
        assert open_one.chairs_of("person-ann") == []
        assert open_one.host == "person-bob"
        assert playing.chairs[0].is_bot, "a bot plays on for Ann"
        logs = [row.body for row in await restored.rows(tables[1])]
        assert not any("Anne-Marie" in body for body in logs)
        # What others still play is cleared once it is over, and is noted until then.
        assert await restored.deletions(9) == ["person-ann"]
        await again.close()
        # The next backup knows it by itself.
        await backup(restored, tmp_path / "next.backup")
        with gzip.open(tmp_path / "next.backup") as file:
            assert b'["deletions","person-ann"' in file.read()
        await restored.close()

    run(work())
