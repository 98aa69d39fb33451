"""Who leaves for good leaves nothing in the logs of tables but an id, and the games of others are as they were."""

import asyncio
from pathlib import Path

import pytest

import nevel
from nevel.bots.evaluation import Budget
from nevel.tables.domain import record
from nevel.tables.domain.commands import Contribute, Kick, Leave, MakeHost, Play, Promise, Sit, Start
from nevel.tables.domain.dealing import digest
from nevel.tables.runtime.house import House
from nevel.tables.runtime.room import Room
from nevel.tables.storage import schema
from nevel.tables.storage.schema import Person
from nevel.tables.storage.storage import NEVER, Storage, open_storage
from tests.tables.storing import Open, Run

GONE, STAYS = "person-that-goes", "person-that-stays"
WORDS = "what Anne-Marie added"


async def sat_down(house: House, starts: bool = True) -> Room:
    """A table at which both sit."""
    room = await house.opening.open_table(STAYS, "misty", 2)
    await house.ask(room.table.name, Sit(contribution=WORDS), GONE, "click-1")
    await house.ask(room.table.name, Sit(contribution="mine"), STAYS, "click-2")
    if starts:
        await house.ask(room.table.name, Start(), STAYS)
    return room


async def play_on(house: House, room: Room) -> None:
    while room.table.phase == "playing":
        assert room.table.game
        prompt = room.table.game.prompts()[0]
        person = room.table.chairs[prompt.seat].person or ""
        command_id = f"move-{room.table.seq}"
        await house.ask(room.table.name, Play(prompt.moves[0], room.table.seq, prompt.seat), person, command_id)


async def everything(storage: Storage) -> str:
    """All that a database holds, as text."""
    async with storage.session() as session:
        found = [await session.run(f"SELECT * FROM {name}") for name in schema.BACKUP_COLUMNS]
    return "\n".join(repr(tuple(row)) for rows in found for row in rows)


def test_nothing_is_left_but_an_id(open_another: Open, run: Run) -> None:
    async def work() -> None:
        storage = await open_another()
        house = House(storage, Budget(playouts=5))
        over = await sat_down(house)
        await play_on(house, over)
        left = await sat_down(house, starts=False)
        await house.ask(left.table.name, Leave(), GONE, "click-3")
        saved = nevel.new("misty", seats=2, seed=3)
        saved.names = ["Aunt Agatha", "Uncle Bob"]
        await house.opening.open_saved_game(GONE, nevel.save(saved))
        for words in (WORDS, "Aunt Agatha", f"{GONE}:click-1", f"{GONE}:move-"):
            assert words in await everything(storage)
        assert over.table.game
        fingerprint, outcome = over.table.game.fingerprint(), over.table.game.outcome
        record.verify(record.write_record(over.table, {}))

        await storage.forget(GONE)
        await house.erasing.erase_all()
        kept = await everything(storage)
        for words in (WORDS, "Aunt Agatha", f"{GONE}:"):
            assert words not in kept
        assert "mine" in kept
        assert f"{STAYS}:click-2" in kept
        assert await storage.deletions(9) == []
        # In memory neither; and anew from its log the game is as it was.
        for room in (over, await Room.enter(storage, over.table.name)):
            assert [chair.contribution for chair in room.table.chairs] == ["", "mine"]
            assert not room.table.commands.has_any_of(GONE)
            assert room.table.game
            assert (room.table.game.fingerprint(), room.table.game.outcome) == (fingerprint, outcome)
        with pytest.raises(record.TamperedError, match="deleted their part of the shuffle"):
            record.verify(record.write_record(over.table, {}))
        await house.close()

    run(work())


def test_a_game_that_others_play_is_cleared_when_it_is_over(open_another: Open, run: Run) -> None:
    async def work() -> None:
        storage = await open_another()
        house = House(storage, Budget(playouts=5))
        room = await sat_down(house)
        await storage.forget(GONE)
        await house.erasing.erase_all()
        assert WORDS in await everything(storage)
        await play_on(house, room)
        await house.erasing.erase_all()
        assert WORDS not in await everything(storage)
        await house.close()

    run(work())


@pytest.mark.parametrize("url", ["postgres"], indirect=True)
def test_other_nodes_forget_it_too(open_another: Open, run: Run) -> None:
    async def work() -> None:
        houses = [House(await open_another(), Budget(playouts=5)) for _ in range(2)]
        for house in houses:
            await house.start()
        try:
            one = await sat_down(houses[0])
            await play_on(houses[0], one)
            other = await houses[1].room(one.table.name)
            assert other.table.chairs[0].contribution == WORDS
            await houses[0].storage.forget(GONE)
            houses[0].erasing.wake()
            async with asyncio.timeout(20):
                while other.table.chairs[0].contribution or one.table.chairs[0].contribution:
                    await asyncio.sleep(0.01)
        finally:
            for house in houses:
                await house.close()

    run(work())


async def found_in_logs(storage: Storage, person: str) -> list[str]:
    """The tables in whose logs somebody's id stands, found by reading all of them."""
    async with storage.session() as session:
        found = await session.run("SELECT DISTINCT table_id FROM events WHERE body LIKE $1", f"%{person}%")
    return sorted(table for (table,) in found)


def test_it_is_known_who_stands_in_which_log_without_reading_it(open_another: Open, run: Run) -> None:
    async def work() -> None:
        storage = await open_another()
        house = House(storage, Budget(playouts=5))
        over = await sat_down(house)
        await play_on(house, over)
        kicked = await sat_down(house, starts=False)
        await house.ask(kicked.table.name, Kick(0), STAYS)
        handed_over = await house.opening.open_table(GONE, "misty", 2)
        await house.ask(handed_over.table.name, Sit(), STAYS)
        await house.ask(handed_over.table.name, MakeHost(0), GONE, "click-9")
        reserved = await house.opening.open_rematch(over.table.name, STAYS)
        await house.opening.open_table(STAYS, "misty", 2)
        for person in (GONE, STAYS):
            assert sorted(await storage.tables_naming(person)) == await found_in_logs(storage, person)
        everywhere = {room.table.name for room in (over, kicked, handed_over)} | {reserved}
        assert set(await storage.tables_naming(GONE)) == everywhere
        async with storage.session(writes=True) as session:
            await session.run("DELETE FROM events")
        assert set(await storage.tables_naming(GONE)) == everywhere
        # Nothing of it is kept once all is erased, nor of tables that are gone.
        await storage.deletion_done(GONE)
        assert await storage.tables_naming(GONE) == []
        for table in await storage.tables_naming(STAYS):
            await storage.delete_table(table, NEVER)
        assert await storage.tables_naming(STAYS) == []
        await house.close()

    run(work())


def test_a_promised_part_of_the_shuffle_is_erased_too(open_another: Open, run: Run) -> None:
    async def work() -> None:
        storage = await open_another()
        house = House(storage, Budget(playouts=5))
        room = await house.opening.open_table(STAYS, "misty", 2)
        name = room.table.name
        for person, part in ((GONE, WORDS), (STAYS, "mine")):
            await house.ask(name, Sit(), person)
            await house.ask(name, Promise(digest(part)), person)
        await house.ask(name, Start(), STAYS)
        await house.ask(name, Contribute(WORDS), GONE)
        assert room.table.is_shuffling
        # As long as the others wait for the cards, they depend on it.
        await storage.forget(GONE)
        await house.erasing.erase_all()
        assert WORDS in await everything(storage)
        await house.ask(name, Contribute("mine"), STAYS)
        await play_on(house, room)
        assert room.table.game
        fingerprint = room.table.game.fingerprint()
        record.verify(record.write_record(room.table, {}))
        await house.erasing.erase_all()
        assert WORDS not in await everything(storage)
        again = (await Room.enter(storage, name)).table
        assert again.parts == room.table.parts == {0: "", 1: "mine"}
        assert again.game
        assert again.game.fingerprint() == fingerprint
        with pytest.raises(record.TamperedError, match="deleted their part of the shuffle"):
            record.verify(record.write_record(again, {}))
        await house.close()

    run(work())


def test_what_is_deleted_is_overwritten_in_the_files(tmp_path: Path, run: Run) -> None:
    async def work() -> None:
        storage = await open_storage(str(tmp_path / "nevel.db"))
        house = House(storage, Budget(playouts=5))
        await storage.save_person(Person(GONE, "Anne-Marie", "en", 0, 0))
        room = await sat_down(house)
        await house.chat.say(room.table.name, GONE, "What a lovely day")
        await play_on(house, room)
        words = [WORDS, "Anne-Marie", "lovely day", f"{GONE}:click-1"]
        assert all(found_in(tmp_path, text) for text in words)
        # Somebody may be reading just then: it is tried again.
        async with storage.session() as session:
            await session.run("SELECT 1 FROM people")
            await storage.forget(GONE)
            await house.erasing.erase_all()
        await house.erasing.erase_all()
        assert not [text for text in words if found_in(tmp_path, text)], "while the server runs"
        await house.close()
        await storage.close()
        assert not [text for text in words if found_in(tmp_path, text)]
        assert found_in(tmp_path, "mine")

    run(work())


def found_in(folder: Path, text: str) -> bool:
    """Whether it stands anywhere in the files of a folder."""
    return any(text.encode() in path.read_bytes() for path in folder.iterdir())


def test_who_has_to_wait_keeps_nobody_else_waiting(
    open_another: Open, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nevel.tables.runtime.erasing.BATCH_SIZE", 1)

    async def work() -> None:
        storage = await open_another()
        house = House(storage, Budget(playouts=5))
        await sat_down(house)  # still played at by others, so that this one waits
        await storage.forget(GONE)
        await storage.forget("person-who-left-later")
        await house.erasing.erase_all()
        assert await storage.deletions(9) == [GONE]
        await house.close()

    run(work())
