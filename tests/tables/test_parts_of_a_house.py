"""The parts of a house, each by itself: presence, deadlines, chat, rooms, news from other nodes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from nevel.tables.domain.command import Asker
from nevel.tables.domain.commands import Play, Sit, Start
from nevel.tables.domain.pace import Pace
from nevel.tables.domain.refusals import NoSuchTableError, NotAllowedError
from nevel.tables.runtime.background import BackgroundTasks
from nevel.tables.runtime.chat import Chat
from nevel.tables.runtime.deadlines import Deadlines
from nevel.tables.runtime.node_news import NodeNews
from nevel.tables.runtime.opening import Opening
from nevel.tables.runtime.presence import ASLEEP_AFTER, Presence
from nevel.tables.runtime.room import Room
from nevel.tables.runtime.rooms import Rooms
from nevel.tables.storage.database import CHANGED, HERE, PERSON, REVIEW
from nevel.tables.storage.storage import Storage
from tests.tables.storing import Run
from tests.tables.test_house import Clock


@pytest.fixture
def url(sqlite_url: str) -> str:
    return sqlite_url


async def begun(rooms: Rooms, pace: Pace | None = None) -> Room:
    """A table of two people at which a game has begun."""
    room = await Opening(rooms).open_table("ann", "the-game", 2, pace=pace)
    for person in ("ann", "bob"):
        await room.ask(Sit(contribution=person), Asker(person))
    await room.ask(Start(), Asker("ann"))
    return room


@asynccontextmanager
async def background() -> AsyncIterator[BackgroundTasks]:
    tasks = BackgroundTasks()
    try:
        yield tasks
    finally:
        await tasks.close()


def test_who_comes_is_awake_and_counted_once(storage: Storage) -> None:
    clock = Clock()
    presence = Presence(storage, clock)
    presence.notice("ann")
    presence.notice("ann")
    assert presence.arrivals == 1
    assert presence.awake(("ann", "bob")) == {"ann"}
    clock.now += ASLEEP_AFTER + 1
    presence.on_active("bob")
    assert presence.arrivals == 2
    assert presence.is_asleep("ann")
    presence.forget_sleepers()
    assert [*presence.last_active] == ["bob"]
    presence.notice("ann")
    assert presence.arrivals == 3


def test_a_room_is_read_once_and_forgotten(storage: Storage, run: Run) -> None:
    async def work() -> None:
        name = (await begun(Rooms(storage))).table.name
        added = list[Room]()
        rooms = Rooms(storage)
        rooms.on_added = added.append
        first, second = await asyncio.gather(rooms.enter(name), rooms.enter(name))
        assert first is second is rooms[name]
        assert added == [first]
        rooms.remove(name)
        assert name not in rooms
        again = await rooms.enter(name)
        assert again is not first
        assert again.table.seq == first.table.seq
        with pytest.raises(NoSuchTableError):
            await rooms.enter("nowhere")

    run(work())


def test_whose_time_has_run_out_is_stood_in_for(storage: Storage, run: Run) -> None:
    clock = Clock()

    async def work() -> None:
        rooms = Rooms(storage, clock)
        room = await begun(rooms, Pace("live", seconds=30))
        await room.ask(Play("start", room.table.seq), Asker("bob"))
        deadlines = Deadlines(rooms)
        await deadlines.expire_due()
        assert room.table.humans == [0, 1]
        clock.now += 31_000
        await deadlines.expire_due()
        assert room.table.humans == [0]

    run(work())


def test_what_is_said_is_stored_and_told_to_watchers(storage: Storage, run: Run) -> None:
    async def work() -> None:
        rooms = Rooms(storage)
        presence = Presence(storage)
        room = await begun(rooms)
        told = list[Room]()
        room.watchers.add(told.append)
        chat = Chat(rooms, presence)
        message = await chat.say(room.table.name, "bob", "Well  done!")
        assert (message.seat, message.number) == (1, 0)
        assert [m.text for m in await storage.messages(room.table.name, -1, 5)] == [message.text]
        assert told == [room]
        assert not presence.is_asleep("bob")
        with pytest.raises(NotAllowedError):
            await chat.say(room.table.name, "carl", "Hello")
        assert len(told) == 1

    run(work())


def test_news_go_to_whom_they_concern(storage: Storage, run: Run) -> None:
    async def work() -> None:
        here, elsewhere = Rooms(storage), Rooms(storage)
        presence = Presence(storage)
        name = (await begun(elsewhere)).table.name
        room = await here.enter(name)
        async with background() as tasks:
            news = NodeNews(here, presence, tasks)
            changed, reviews = list[str](), list[tuple[str, int]]()
            news.on_person_changed = changed.append
            news.on_review_progress = lambda table, share: reviews.append((table, share))
            news.on_news([(PERSON + "ann", HERE), (PERSON + "bob", CHANGED), (REVIEW + name, 250), ("unknown", 3)])
            assert (presence.awake(("ann", "bob")), changed, reviews) == ({"ann"}, ["bob"], [(name, 250)])
            # With nothing named, every table in memory is read again.
            other = elsewhere[name]
            await other.ask(Play("start", other.table.seq), Asker("bob"))
            assert room.table.seq < other.table.seq
            told = asyncio.Event()
            room.watchers.add(lambda _: told.set())
            news.on_news([])
            await told.wait()
            assert room.table.seq == other.table.seq

    run(work())
