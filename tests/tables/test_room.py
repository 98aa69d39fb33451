"""Commands done at once: `Room.ask_now` does what `ask` does, or nothing at all."""

import asyncio

import pytest

from nevel.tables.domain.command import Asker
from nevel.tables.domain.commands import Play
from nevel.tables.domain.refusals import MoveRefusedError
from nevel.tables.runtime.room import BusyError, Room, try_acquire
from nevel.tables.runtime.rooms import Rooms
from nevel.tables.storage.database import NOT_STORED, StorageError, UncertainError
from nevel.tables.storage.schema import Append
from nevel.tables.storage.storage import OnStored, Storage
from tests.tables.storing import Run
from tests.tables.test_parts_of_a_house import begun


@pytest.fixture
def url(sqlite_url: str) -> str:
    return sqlite_url


class Answers:
    """What `done` was called with."""

    def __init__(self) -> None:
        self.came: asyncio.Future[tuple[int, Exception | None]] = asyncio.get_running_loop().create_future()

    def __call__(self, seq: int, problem: Exception | None) -> None:
        self.came.set_result((seq, problem))


def play(room: Room, command_id: str = "", move: str = "start") -> tuple[Play, Asker]:
    return Play(move, room.table.seq, 0), Asker("ann", command_id=command_id)


def test_a_command_at_a_free_table_is_done_at_once(storage: Storage, run: Run) -> None:
    async def check() -> None:
        room = await begun(Rooms(storage))
        told = list[int]()
        room.watchers.add(lambda room: told.append(room.table.seq))
        before, done = room.table.seq, Answers()
        move = play(room, "once")
        assert room.ask_now(*move, done)
        assert room.table.seq == before, "it isn't shown before it is stored"
        # Meanwhile nothing else is done at once; what waits is done after it.
        assert not room.ask_now(*play(room, "other"), Answers())
        waiting = asyncio.ensure_future(room.ask(*move))
        assert await done.came == (before + 1, None)
        assert told == [before + 1]
        assert (await storage.rows(room.table.name, before))[0].seq == before + 1
        assert await waiting == before + 1, "a repeat is answered the same"
        assert not room.ask_now(*move, Answers()), "the same for `ask` to answer"
        assert not room.lock.locked()

    run(check())


def test_what_is_refused_leaves_the_table_free(storage: Storage, run: Run) -> None:
    async def check() -> None:
        room = await begun(Rooms(storage))
        with pytest.raises(MoveRefusedError):
            room.ask_now(*play(room, move="end turn"), Answers())
        assert not room.lock.locked()
        # Who has seen more than this node, or a table of which more may be stored, is not for now.
        assert not room.ask_now(Play("start", 99, 0), Asker("ann"), Answers())
        room.is_doubtful = True
        assert not room.ask_now(*play(room), Answers())
        assert await room.ask(*play(room)) == room.table.seq

    run(check())


@pytest.mark.parametrize(
    ("outcome", "is_doubtful"),
    [(StorageError(NOT_STORED, reason="full"), False), (UncertainError(NOT_STORED, reason="?"), True), (False, True)],
)
def test_what_isnt_stored_isnt_shown(
    storage: Storage, run: Run, monkeypatch: pytest.MonkeyPatch, outcome: object, is_doubtful: bool
) -> None:
    async def check() -> None:
        room = await begun(Rooms(storage))
        before, done = room.table.seq, Answers()

        def fail(_: Append, on_stored: OnStored) -> None:
            problem = outcome if isinstance(outcome, Exception) else None
            asyncio.get_running_loop().call_soon(on_stored, False, problem)

        with monkeypatch.context() as patch:
            patch.setattr(storage, "begin_append", fail)
            assert room.ask_now(*play(room), done)
            seq, problem = await done.came
        assert seq == room.table.seq == before
        assert problem is outcome or isinstance(problem, BusyError)
        assert room.is_doubtful is is_doubtful
        assert await room.ask(*play(room)) == before + 1

    run(check())


def test_a_lock_isnt_taken_from_who_waits_for_it(run: Run) -> None:
    async def check() -> None:
        lock = asyncio.Lock()
        assert try_acquire(lock)
        assert not try_acquire(lock)
        waiting = asyncio.ensure_future(lock.acquire())
        await asyncio.sleep(0)
        lock.release()
        assert not try_acquire(lock)
        assert await waiting
        lock.release()
        assert try_acquire(lock)

    run(check())
