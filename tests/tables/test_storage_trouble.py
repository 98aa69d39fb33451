"""What goes wrong with databases: what was said to be stored is, what wasn't isn't, and nobody waits for ever."""

import asyncio
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

import pytest

from nevel.tables.storage import postgres, sqlite, sqlite_worker
from nevel.tables.storage.database import StorageError, UncertainError
from nevel.tables.storage.postgres import PostgresStorage
from nevel.tables.storage.schema import Message
from nevel.tables.storage.sqlite import SqliteStorage
from nevel.tables.storage.sqlite_appending import store
from nevel.tables.storage.storage import open_storage
from tests.databases import END_OTHERS, administrator
from tests.tables.storing import Open, Run, Wire, held, make_append, sqlite_path

APPENDS_FOR_EVER = """
import asyncio, sys
from nevel.tables.storage.schema import Append, Row, Summary
from nevel.tables.storage.storage import open_storage

async def append(storage, table):
    seq = 0
    while True:
        summary = Summary(table, "misty", "playing", True, 1, seq, 2, 2, "ann", "{}")
        assert await storage.append(Append((Row(table, seq, seq, f"body {seq}"),), summary, None, None))
        print(table, seq, flush=True)
        seq += 1

async def main():
    storage = await open_storage(sys.argv[1])
    await asyncio.gather(*(append(storage, f"t{number}") for number in range(8)))

asyncio.run(main())
"""


def test_what_was_acknowledged_outlives_the_process(url: str, open_another: Open, run: Run) -> None:
    with subprocess.Popen([sys.executable, "-c", APPENDS_FOR_EVER, url], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            acknowledged = [process.stdout.readline() for _ in range(500)]
        finally:
            process.send_signal(signal.SIGKILL)
        acknowledged += process.stdout.readlines()
    storage = run(open_another())
    newest: dict[str, int] = {}
    for line in acknowledged:
        if line.endswith("\n"):
            table, seq = line.split()
            newest[table] = int(seq)
    assert len(newest) == 8
    for table, seq in newest.items():
        rows = run(storage.rows(table))
        assert [(row.seq, row.body) for row in rows] == [(number, f"body {number}") for number in range(len(rows))]
        # The last one may have been stored before the process could say so.
        assert len(rows) - 1 in (seq, seq + 1)
        assert run(storage.append(make_append(table, len(rows))))


# SQLite.


def test_a_full_file_refuses_and_takes_more_when_there_is_room(sqlite_url: str, run: Run) -> None:
    storage = run(SqliteStorage.open(sqlite_path(sqlite_url)))

    async def limit(pages: int) -> None:
        await storage.writer.do(lambda connection: None)
        storage.writer.connection.execute(f"PRAGMA max_page_count = {pages}")

    async def append_all() -> list[Any]:
        appends = [make_append(f"t{number}", body="x" * size) for number, size in enumerate([10, 500_000, 10, 10])]
        return await asyncio.gather(*map(storage.append, appends), return_exceptions=True)

    run(storage.append(make_append("t")))
    run(limit(60))
    answers = run(append_all())
    assert isinstance(answers[1], StorageError)
    assert "full" in str(answers[1])
    assert [answers[0], *answers[2:]] == [True] * 3, "there was room for these"
    assert run(storage.rows("t1")) == []
    assert len(run(storage.rows("t"))) == 1
    run(limit(10_000))
    assert run(append_all()) == [True] * 4
    run(storage.close())


FILLS_THE_DISK = """
import asyncio, resource, sys
from nevel.tables.storage.schema import Append, Row, Summary
from nevel.tables.storage.database import StorageError
from nevel.tables.storage.storage import open_storage

def limit(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

async def main():
    storage = await open_storage(sys.argv[1])
    seq, troubles = 0, 0
    while seq < 100:
        summary = Summary("t", "misty", "playing", True, 1, seq, 2, 2, "ann", "{}")
        try:
            assert await storage.append(Append((Row("t", seq, seq, "x" * 5000),), summary, None, None))
            seq += 1
        except StorageError:
            troubles += 1
            assert [row.seq for row in await storage.rows("t")] == list(range(seq))
            limit(resource.RLIM_INFINITY)
        if seq == 30 and not troubles:
            limit(300_000)
    await storage.close()
    print(troubles)

asyncio.run(main())
"""


def test_a_disk_that_takes_no_more_loses_nothing(sqlite_url: str, run: Run) -> None:
    program = subprocess.run(
        [sys.executable, "-c", FILLS_THE_DISK, sqlite_url], capture_output=True, text=True, timeout=30, check=False
    )
    assert (program.stdout, program.stderr) == ("1\n", "")
    storage = run(open_storage(sqlite_url))
    assert [row.seq for row in run(storage.rows("t"))] == list(range(100))
    run(storage.close())


def test_a_file_somebody_else_keeps_refuses_all_at_once(
    sqlite_url: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.2)

    async def append_while_held() -> None:
        storage = await open_storage(sqlite_url)
        async with held(sqlite_url, "t"):
            started = time.monotonic()
            appends = (storage.append(make_append(f"t{number}")) for number in range(50))
            answers = await asyncio.gather(*appends, return_exceptions=True)
            # Those who came first wait in one batch, those who came meanwhile in another.
            assert time.monotonic() - started < 2
            assert all(isinstance(answer, StorageError) and "locked" in str(answer) for answer in answers)
        assert await storage.append(make_append("t0"))
        await storage.close()

    run(append_while_held())


def test_a_file_somebody_else_is_making_is_waited_for(sqlite_url: str, run: Run) -> None:
    sqlite_path(sqlite_url).parent.mkdir()
    other = sqlite3.connect(sqlite_path(sqlite_url), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    async def open_meanwhile() -> None:
        opening = asyncio.create_task(open_storage(sqlite_url))
        done, _ = await asyncio.wait([opening], timeout=0.1)
        assert not done
        other.close()
        await (await opening).close()

    run(open_meanwhile())


def test_a_file_that_may_not_be_written_is_still_read(sqlite_url: str, run: Run) -> None:
    storage = run(SqliteStorage.open(sqlite_path(sqlite_url)))
    run(storage.append(make_append("t")))
    storage.writer.connection.execute("PRAGMA query_only = ON")
    with pytest.raises(StorageError, match="readonly"):
        run(storage.append(make_append("t", 1)))
    assert len(run(storage.rows("t"))) == 1
    storage.writer.connection.execute("PRAGMA query_only = OFF")
    assert run(storage.append(make_append("t", 1)))
    run(storage.close())


def test_a_folder_that_is_gone_is_no_reason_to_crash(sqlite_url: str, run: Run) -> None:
    storage = run(SqliteStorage.open(sqlite_path(sqlite_url)))
    shutil.rmtree(sqlite_path(sqlite_url).parent)

    async def look() -> None:
        async with storage.session():
            pass

    with pytest.raises(StorageError, match="can't be opened"):
        run(look())
    run(storage.close())


class DeathError(BaseException):
    """What no thread expects."""


def test_when_the_writing_thread_dies_nobody_waits_for_it(
    sqlite_url: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_worker, "MOST_JOBS", 1)

    def die(_connection: sqlite3.Connection) -> None:
        raise DeathError("dead")

    async def append_around() -> list[Any]:
        async with held(sqlite_url, "t"):
            # What comes in one turn of the loop is handed over together, so one in each.
            before = asyncio.create_task(storage.append(make_append("t")))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            death = storage.writer.do(die)
            await asyncio.sleep(0)
            after = asyncio.create_task(storage.append(make_append("u")))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        return list(await asyncio.gather(before, death, after, return_exceptions=True))

    storage = run(SqliteStorage.open(sqlite_path(sqlite_url)))
    answers = run(append_around())
    assert answers[0] is True
    assert [type(answer) for answer in answers[1:]] == [UncertainError, StorageError]
    with pytest.raises(StorageError):
        run(storage.append(make_append("v")))
    assert not run(storage.is_ready())
    assert len(run(storage.rows("t"))) == 1
    run(storage.close())


def test_the_thread_finishes_its_work_when_the_event_loop_has_ended(sqlite_url: str) -> None:
    async def leave() -> SqliteStorage:
        storage = await SqliteStorage.open(sqlite_path(sqlite_url))
        lock.execute("BEGIN IMMEDIATE")
        storage.writer.do(lambda connection: store(connection, make_append("t", 0)))
        storage.writer.do(lambda connection: store(connection, make_append("t", 1)))
        return storage

    async def look() -> int:
        storage = await open_storage(sqlite_url)
        rows = await storage.rows("t")
        await storage.close()
        return len(rows)

    sqlite_path(sqlite_url).parent.mkdir()
    lock = sqlite3.connect(sqlite_path(sqlite_url), isolation_level=None)
    left = asyncio.run(leave())
    lock.close()
    asyncio.run(left.close())
    assert asyncio.run(look()) == 2


# PostgreSQL.


@pytest.fixture
def wire(postgres_url: str) -> Iterator[Wire]:
    with tempfile.TemporaryDirectory(prefix="nevel-wire-") as folder:
        yield Wire(postgres_url, folder)


@pytest.mark.parametrize("lost", ["loses_question", "loses_answer"])
def test_an_append_whose_answer_is_lost_is_stored_once(wire: Wire, run: Run, lost: str) -> None:
    async def append() -> None:
        async with wire.open():
            storage = await open_storage(wire.url)
            assert await storage.append(make_append("t", 0))
            setattr(wire, lost, True)
            appends = [
                make_append("t", 1, 2, members=("ann",)),
                make_append("u", 0),
                make_append("t", 1, body='"late"'),
            ]
            answers = await asyncio.gather(*map(storage.append, appends))
            assert not getattr(wire, lost), "nothing was lost"
            assert answers == [True, True, False]
            assert [row.seq for row in await storage.rows("t")] == [0, 1, 2]
            assert len(await storage.rows("u")) == 1
            await storage.close()

    run(append())


@pytest.mark.parametrize(("lost", "is_stored"), [("loses_question", False), ("loses_answer", True)])
def test_what_nobody_can_know_is_called_uncertain(
    wire: Wire, run: Run, monkeypatch: pytest.MonkeyPatch, lost: str, is_stored: bool
) -> None:
    monkeypatch.setattr(postgres, "PATIENCE_SECONDS", 0.3)

    async def append() -> None:
        async with wire.open():
            storage = await open_storage(wire.url)
            assert await storage.append(make_append("t", 0))
            setattr(wire, lost, True)
            wire.is_cut_afterwards = True
            appends = [storage.append(make_append("t", 1)), storage.append(make_append("u", 0))]
            answers = await asyncio.gather(*appends, return_exceptions=True)
            assert all(isinstance(answer, UncertainError) for answer in answers)
            # From now on there isn't even a connection: nothing is sent, and that is certain.
            with pytest.raises(StorageError) as refused:
                await storage.append(make_append("v", 0))
            assert not isinstance(refused.value, UncertainError)
            with pytest.raises(StorageError):
                await storage.rows("t")
            assert not await storage.is_ready()
            wire.is_cut = wire.is_cut_afterwards = False
            assert len(await storage.rows("t")) == 1 + is_stored
            assert await storage.append(make_append("t", 1)), "the same again, whatever became of it"
            assert len(await storage.rows("t")) == 2
            assert await storage.rows("v") == []
            await storage.close()

    run(append())


def test_an_append_survives_the_end_of_its_connection(postgres_url: str, run: Run) -> None:
    async def append() -> None:
        storage = await open_storage(postgres_url)
        await storage.append(make_append("t", 0))
        async with administrator(postgres_url) as connection:
            async with held(postgres_url, "t"):
                waiting = asyncio.create_task(storage.append(make_append("t", 1)))
                blocked = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                while not (process := await connection.fetchval(blocked)):
                    await asyncio.sleep(0.01)
                assert await connection.fetchval("SELECT pg_terminate_backend($1)", process)
            assert await waiting
            # Those that nobody uses may end too.
            await connection.execute(END_OTHERS)
        assert await storage.append(make_append("t", 2))
        assert [row.seq for row in await storage.rows("t")] == [0, 1, 2]
        await storage.close()

    run(append())


def test_nodes_whose_batches_cross_do_not_wait_for_each_other(
    postgres_url: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_arguments: object) -> bool:
        raise AssertionError("PostgreSQL had to end a deadlock")

    async def cross() -> None:
        async with administrator(postgres_url) as connection:
            # Plans that visit rows in the order in which they were asked for.
            for way in ("hashjoin", "mergejoin", "seqscan", "bitmapscan"):
                await connection.execute(f"ALTER ROLE CURRENT_USER SET enable_{way} = off")
            nodes = [await open_storage(postgres_url), await open_storage(postgres_url)]
            await connection.execute("ALTER ROLE CURRENT_USER RESET ALL")
        tables = [f"t{number}" for number in range(100)]
        for seq in range(20):
            appends = [make_append(table, seq, body=f'"{table}"') for table in tables]
            made = [*map(nodes[0].append, appends), *map(nodes[1].append, reversed(appends))]
            assert await asyncio.gather(*made) == [True] * 200
        for node in nodes:
            await node.close()

    monkeypatch.setattr(PostgresStorage, "_settle", never)
    run(cross())


def test_reading_goes_on_when_connections_end(postgres_url: str, run: Run) -> None:
    async def read() -> None:
        storage = await open_storage(postgres_url)
        await storage.append(make_append("t", 0))
        async with administrator(postgres_url) as connection:
            for _ in range(5):
                await connection.execute(END_OTHERS)
                assert len(await storage.rows("t")) == 1
        await storage.close()

    run(read())


def test_a_mistake_of_ours_leaves_nobody_waiting(postgres_url: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(_batch: object) -> None:
        raise ZeroDivisionError("a mistake")

    async def append() -> None:
        storage = await PostgresStorage.open(postgres_url)
        with monkeypatch.context() as patched:
            patched.setattr(storage, "_store", fail)
            appends = [storage.append(make_append("t", 0)), storage.append(make_append("t", 1))]
            first, second = await asyncio.gather(*appends, return_exceptions=True)
            assert isinstance(first, UncertainError)
            assert isinstance(second, StorageError)
            assert storage.storing
            assert isinstance(storage.storing.exception(), ZeroDivisionError)
        assert await storage.append(make_append("t", 0))
        await storage.close()

    run(append())


# Hearing of other nodes.


async def hear(heard: "asyncio.Queue[Any]") -> Any:
    return await asyncio.wait_for(heard.get(), 10)


def test_a_node_hears_what_others_append_and_say(postgres_url: str, run: Run) -> None:
    async def listen() -> None:
        one, two = await open_storage(postgres_url), await open_storage(postgres_url)
        heard: asyncio.Queue[Any] = asyncio.Queue()
        await one.listen(heard.put_nowait)
        await one.append(make_append("own", 0))
        odd = 'odd "id" 🌫'
        await two.append(make_append(odd, 0, 3))
        assert await hear(heard) == [(odd, 2)]
        assert await two.append(make_append(odd, 3)) is True
        assert await two.append(make_append(odd, 3, body='"late"')) is False
        assert await hear(heard) == [(odd, 3)]
        await two.add_message(Message(odd, 1, "ann", 0, "hello"))
        assert await hear(heard) == [(odd, 3)]
        many = [make_append(f"{'long' * 10} {number}") for number in range(300)]
        await asyncio.gather(*map(two.append, many))
        news: list[tuple[str, int]] = []
        for _ in range(10):  # a few notifications, not one for each
            if len(news) < 300:
                news += await hear(heard)
        assert sorted(news) == sorted((append.table, 0) for append in many)
        assert heard.empty()
        await one.close()
        await two.close()

    run(listen())


def test_a_node_that_was_deaf_says_so_and_hears_again(postgres_url: str, run: Run) -> None:
    async def listen() -> None:
        one, two = await open_storage(postgres_url), await open_storage(postgres_url)
        heard: asyncio.Queue[Any] = asyncio.Queue()
        await one.listen(heard.put_nowait)
        for seq in range(3):
            async with administrator(postgres_url) as connection:
                await connection.execute(END_OTHERS)
            assert await hear(heard) == []
            assert await two.append(make_append("t", seq))
            assert await hear(heard) == [("t", seq)]
        await one.close()
        await two.close()

    run(listen())


def test_a_connection_that_died_in_silence_is_noticed(wire: Wire, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(postgres, "COMMAND_SECONDS", 1.2)
    monkeypatch.setattr(postgres, "CONNECT_SECONDS", 1)

    async def listen() -> None:
        async with wire.open():
            storage = await open_storage(wire.url)
            heard: asyncio.Queue[Any] = asyncio.Queue()
            await storage.listen(heard.put_nowait)
            await storage.append(make_append("t", 0))
            wire.go_deaf()
            assert await storage.append(make_append("t", 1))
            assert await hear(heard) == []
            wire.go_deaf()
            assert len(await storage.rows("t")) == 2
            await storage.close()

    run(listen())


def test_who_cannot_listen_is_told(wire: Wire, run: Run) -> None:
    async def listen() -> None:
        async with wire.open():
            storage = await open_storage(wire.url)
            wire.is_cut = True
            with pytest.raises(StorageError):
                await storage.listen(lambda _: None)
            await storage.close()

    run(listen())


def test_a_mistake_in_what_follows_from_an_answer_is_none_of_the_others_business(
    sqlite_url: str, run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    def stumble(_is_stored: bool, _problem: Exception | None) -> None:
        raise RuntimeError("a stumble")

    async def append_both() -> bool:
        async with held(sqlite_url, "t"):
            storage.begin_append(make_append("t"), stumble)
            other = asyncio.create_task(storage.append(make_append("u")))
            await asyncio.sleep(0)
        return await other

    storage = run(SqliteStorage.open(sqlite_path(sqlite_url)))
    assert run(append_both()) is True
    assert "a stumble" in caplog.text
    assert len(run(storage.rows("t"))) == 1
    run(storage.close())
