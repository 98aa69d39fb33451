"""What is stored, in either database: the log of a table, the lists it is in, people and what they say."""

import asyncio
import stat
import time
from typing import Any

import msgspec
import pytest

from nevel.languages import LANGUAGES, SpokenError, language
from nevel.tables.runtime.room import milliseconds
from nevel.tables.storage import schema
from nevel.tables.storage.database import StorageError
from nevel.tables.storage.schema import Append, Message, Person, Row, Solved, Summary, Token
from nevel.tables.storage.sqlite import SqliteStorage
from nevel.tables.storage.storage import NEVER, Storage, open_storage
from tests.tables.storing import Open, Run, held, make_append, race, sqlite_path

ANN = Person("ann", "Ann", "en", 1, 2)
BEN = Person("ben", "Ben «'\"\\ 🌫»", "nl", 3, 4)


def make_token(number: int, person: str = "ann") -> Token:
    return Token(f"digest {number}", person, f"laptop {number}", number, None, f"id {number}")


# The log of a table.


def test_a_log_is_read_as_it_was_written(storage: Storage, run: Run) -> None:
    body = '{"move": "lift 2", "said": "brouillard 🌫 \\u0000", "quote": "\'"}'
    assert run(storage.append(make_append("a b's", 0, 2, body, secret="s3cret", details='{"name": "é"}')))
    assert run(storage.append(make_append("a b's", 2)))
    assert run(storage.rows("a b's")) == [
        Row("a b's", 0, 1000, body),
        Row("a b's", 1, 1001, body),
        Row("a b's", 2, 1002, "{}"),
    ]
    assert run(storage.rows("a b's", after=1)) == [Row("a b's", 2, 1002, "{}")]
    assert run(storage.rows("other")) == []
    assert run(storage.secret("a b's")) == "s3cret"
    assert run(storage.secret("other")) is None
    assert run(storage.summary("a b's")) == Summary("a b's", "misty", "open", True, 1000, 1002, 4, 1, "ann", "{}")
    assert run(storage.summary("other")) is None


async def everything_of(storage: Storage, table: str) -> list[object]:
    return [
        await storage.rows(table),
        await storage.summary(table),
        await storage.secret(table),
        await storage.due(NEVER, 10),
        await storage.tables_of("ann", 10),
        await storage.tables_of("eve", 10),
    ]


@pytest.mark.parametrize(
    ("seq", "count"), [(1, 1), (2, 2), (1, 3), (0, 1), (0, 5), (4, 1), (7, 1)], ids=lambda number: str(number)
)
def test_rows_that_are_not_the_next_ones_change_nothing(storage: Storage, run: Run, seq: int, count: int) -> None:
    run(storage.append(make_append("t", 0, 3, members=("ann",), deadline=5, secret="s")))
    before = run(everything_of(storage, "t"))
    late = make_append("t", seq, count, '"other"', members=("eve",), deadline=9, phase="over", is_public=False)
    assert run(storage.append(late)) is False
    assert run(everything_of(storage, "t")) == before


def test_a_log_begins_at_zero(storage: Storage, run: Run) -> None:
    assert run(storage.append(make_append("t", 1))) is False
    assert run(storage.summary("t")) is None
    assert run(storage.rows("t")) == []


def test_the_very_same_rows_again_are_a_repetition_and_change_nothing(storage: Storage, run: Run) -> None:
    first, second = make_append("t", 0, 2, members=("ann",), secret="s"), make_append("t", 2, 2, phase="playing")
    assert run(storage.append(first))
    assert run(storage.append(second))
    before = run(everything_of(storage, "t"))
    assert run(storage.append(first))
    assert run(storage.append(second))
    assert run(everything_of(storage, "t")) == before

    later = tuple(msgspec.structs.replace(row, at=row.at + 1) for row in first.rows)
    assert run(storage.append(msgspec.structs.replace(first, rows=later))) is False
    assert run(storage.append(make_append("t", 2, 3))) is False, "only some of these are stored"
    assert run(everything_of(storage, "t")) == before


def test_members_are_replaced_or_left(storage: Storage, run: Run) -> None:
    run(storage.append(make_append("t", 0, members=("ann", "ben", "ann"))))
    run(storage.append(make_append("u", 0, members=("ben",))))
    run(storage.append(make_append("t", 1)))
    assert [summary.table for summary in run(storage.tables_of("ann", 9))] == ["t"]
    run(storage.append(make_append("t", 2, members=("ben", "eve"))))
    assert run(storage.tables_of("ann", 9)) == []
    assert {summary.table for summary in run(storage.tables_of("ben", 9))} == {"t", "u"}
    assert [summary.table for summary in run(storage.tables_of("eve", 9))] == ["t"]
    run(storage.append(make_append("t", 3, members=())))
    assert run(storage.tables_of("eve", 9)) == []
    assert [summary.table for summary in run(storage.tables_of("ben", 9))] == ["u"]


@pytest.mark.parametrize(
    "mistaken",
    [
        msgspec.structs.replace(make_append(), rows=(Row("t", 0, 1, ""), Row("t", 2, 1, ""))),
        msgspec.structs.replace(make_append(), rows=(Row("t", 0, 1, ""), Row("u", 1, 1, ""))),
        msgspec.structs.replace(make_append(), summary=make_append("u").summary),
        make_append("t", 1, secret="late"),
    ],
)
def test_an_append_that_contradicts_itself_is_a_mistake(storage: Storage, run: Run, mistaken: Any) -> None:
    with pytest.raises(ValueError, match="an append to t"):
        run(storage.append(mistaken))


def test_text_that_one_database_cannot_keep_is_refused_by_both(storage: Storage, run: Run) -> None:
    run(storage.append(make_append("t", 0)))
    for attempt in (
        storage.append(make_append("t", 1, body="\0")),
        storage.add_message(Message("t", 1, "ann", 0, "a\0b")),
        storage.save_person(Person("ann", "\0", "en", 1, 1)),
    ):
        with pytest.raises(StorageError, match="NUL"):
            run(attempt)
    assert len(run(storage.rows("t"))) == 1


# Many at once.


def test_appends_made_at_once_are_stored_in_the_order_they_were_made(storage: Storage, run: Run) -> None:
    async def append_all() -> list[bool]:
        made = [make_append(table, seq) for seq in range(100) for table in ("t", "u", "v")]
        return await asyncio.gather(*map(storage.append, made))

    assert run(append_all()) == [True] * 300
    for table in ("t", "u", "v"):
        assert [row.seq for row in run(storage.rows(table))] == list(range(100))


def test_a_plain_move_leaves_what_lists_show_but_for_its_time(storage: Storage, run: Run) -> None:
    def plain(table: str, seq: int) -> Append:
        return msgspec.structs.replace(make_append(table, seq, phase="playing", deadline=5), is_plain=True)

    async def move_on() -> list[bool]:
        made = [*(plain(table, 1) for table in ("t", "u", "nowhere")), make_append("v", 1, phase="over"), plain("t", 7)]
        return await asyncio.gather(*map(storage.append, made))

    for table in ("t", "u", "v"):
        run(storage.append(make_append(table, 0, phase="playing", deadline=5)))
    assert run(move_on()) == [True, True, False, True, False]
    for table in ("t", "u"):
        summary = run(storage.summary(table))
        assert summary
        assert (summary.phase, summary.taken, summary.changed) == ("playing", 1, 1001)
        assert [row.seq for row in run(storage.rows(table))] == [0, 1]
    assert run(storage.unfinished_by_the_clock()) == ["t", "u"]
    assert run(storage.due(5, 9)) == ["t", "u"]
    assert run(storage.append(plain("t", 1)))
    assert run(storage.rows("nowhere")) == []


def test_appends_made_at_once_share_commits(storage: Storage, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, name = (storage.writer, "_commit") if isinstance(storage, SqliteStorage) else (storage, "_insert")
    commit, commits = getattr(owner, name), list[int]()
    monkeypatch.setattr(owner, name, lambda jobs: (commits.append(len(jobs)), commit(jobs))[1])

    async def append_all() -> None:
        await asyncio.gather(*(storage.append(make_append(f"t{number}")) for number in range(200)))

    run(append_all())
    assert sum(commits) == 200
    assert len(commits) <= 20


def test_one_append_that_cannot_be_stored_does_not_fail_the_others(storage: Storage, run: Run) -> None:
    too_late = msgspec.structs.replace(make_append("late"), rows=(Row("late", 0, 2**63, "{}"),))
    made = [make_append(f"t{number}") for number in range(20)]
    made[5:5] = [make_append("half", body="\ud800")]
    made[15:15] = [too_late]

    async def append_all() -> list[bool | BaseException]:
        return await asyncio.gather(*map(storage.append, made), return_exceptions=True)

    answers = run(append_all())
    assert [type(answer) for answer in answers].count(StorageError) == 2
    assert isinstance(answers[5], StorageError)
    assert isinstance(answers[15], StorageError)
    assert answers.count(True) == 20
    assert run(storage.summary("late")) is None
    assert run(storage.append(make_append("half")))


def test_of_two_nodes_exactly_one_stores_a_row(storage: Storage, open_another: Open, run: Run) -> None:
    async def compete() -> list[str]:
        other, winners = await open_another(), list[str]()
        for seq in range(200):
            both = (
                storage.append(make_append("t", seq, body='"one"')),
                other.append(make_append("t", seq, body='"two"')),
            )
            won = await asyncio.gather(*both)
            assert sorted(won) == [False, True]
            winners.append('"one"' if won[0] else '"two"')
        return winners

    winners = run(compete())
    assert [(row.seq, row.body) for row in run(storage.rows("t"))] == list(enumerate(winners))


def test_two_nodes_that_race_leave_logs_without_gaps(storage: Storage, open_another: Open, run: Run) -> None:
    tables = ["t1", "t2", "t3", "t4"]

    async def compete() -> list[list[int]]:
        nodes = [storage, await open_another()]
        # Each node asks for the tables in another order: batches that lock rows crosswise would show here.
        racers = [
            race(node, table, str(number), 50)
            for number, node in enumerate(nodes)
            for table in tables[:: 1 - 2 * number]
        ]
        return await asyncio.gather(*racers)

    won = run(compete())
    for index, table in enumerate(tables):
        first, second = won[index], won[-1 - index]
        rows = run(storage.rows(table))
        assert sorted(first + second) == [row.seq for row in rows] == list(range(100))
        assert all(row.body == f'"{0 if row.seq in first else 1} {row.seq}"' for row in rows)


def test_who_stops_waiting_does_not_disturb_the_others(storage: Storage, run: Run) -> None:
    async def leave() -> list[Any]:
        tasks = [asyncio.create_task(storage.append(make_append(f"t{number}"))) for number in range(10)]
        await asyncio.sleep(0)
        tasks[3].cancel()
        return await asyncio.gather(*tasks, return_exceptions=True)

    answers = run(leave())
    assert isinstance(answers.pop(3), asyncio.CancelledError)
    assert answers == [True] * 9


def test_reading_does_not_wait_for_writing(storage: Storage, url: str, run: Run) -> None:
    async def read_while_held() -> None:
        await storage.append(make_append("t", 0))
        async with held(url, "t"):
            writing = asyncio.create_task(storage.append(make_append("t", 1)))
            assert len(await storage.rows("t")) == 1
            assert await storage.is_ready()
            assert not writing.done()
        assert await writing
        assert len(await storage.rows("t")) == 2

    run(read_while_held())


# Opening and closing.


def test_all_is_there_after_a_restart(url: str, run: Run) -> None:
    async def live(seq: int) -> None:
        storage = await open_storage(url)
        assert [row.seq for row in await storage.rows("t")] == list(range(seq))
        assert await storage.append(make_append("t", seq))
        await storage.close()

    for seq in range(3):
        run(live(seq))


def test_closing_stores_what_waits_and_refuses_what_comes_later(storage: Storage, open_another: Open, run: Run) -> None:
    async def close() -> list[bool]:
        appends = [asyncio.create_task(storage.append(make_append("t", seq))) for seq in range(50)]
        await asyncio.sleep(0)
        await storage.close()
        return await asyncio.gather(*appends)

    assert run(close()) == [True] * 50
    with pytest.raises(StorageError):
        run(storage.append(make_append("t", 50)))
    with pytest.raises(StorageError):
        run(storage.rows("t"))
    assert not run(storage.is_ready())
    assert len(run(run(open_another()).rows("t"))) == 50


def test_a_file_is_made_where_it_is_wanted_and_is_nobody_else_s(sqlite_url: str, run: Run) -> None:
    storage = run(open_storage(sqlite_url))
    run(storage.append(make_append("t", secret="s")))
    path = sqlite_path(sqlite_url)
    assert {file.name for file in path.parent.iterdir()} == {"nevel.db", "nevel.db-wal", "nevel.db-shm"}
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}
    run(storage.close())
    again = run(open_storage(str(path)))
    assert run(again.secret("t")) == "s"
    run(again.close())


def test_a_path_from_here_has_three_slashes(tmp_path: Any, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.chdir(tmp_path)
    run(run(open_storage("sqlite:///some%20where/nevel.db")).close())
    assert (tmp_path / "some where" / "nevel.db").exists()


def test_what_cannot_be_opened_says_why(tmp_path: Any, run: Run, postgres_server: str) -> None:
    (tmp_path / "text").write_text("This isn't a database at all, but it is long enough to be one. " * 20)
    (tmp_path / "file").write_text("")
    nowhere = postgres_server.partition("?")[0] + f"?host={tmp_path}"
    nobody = postgres_server.replace("/postgres?", "/nobody?")
    places = [tmp_path / "text", tmp_path, tmp_path / "file" / "below", nowhere, nobody, "postgresql://a:b"]
    for place in map(str, places):
        with pytest.raises(SpokenError, match="can't be opened"):
            run(open_storage(place))
    with pytest.raises(SpokenError, match="mysql://”") as refused:
        run(open_storage("mysql://root:password@localhost/nevel"))
    assert "password" not in str(refused.value)


def test_several_nodes_may_make_a_database_at_once(url: str, run: Run) -> None:
    async def open_all() -> None:
        storages = await asyncio.gather(*(open_storage(url) for _ in range(6)))
        assert await storages[0].append(make_append("t", 0))
        assert all([len(await storage.rows("t")) == 1 for storage in storages])
        for storage in storages:
            await storage.close()

    run(open_all())


LATER = (
    "ALTER TABLE people ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey'",
    "UPDATE people SET colour = 'blue' WHERE language = 'nl'",
)


async def colours(storage: Storage) -> dict[str, str]:
    async with storage.session() as session:
        return {line[0]: line[1] for line in await session.run("SELECT id, colour FROM people")}


def test_an_older_database_is_brought_up_to_date(url: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def save() -> None:
        storage = await open_storage(url)
        await storage.save_person(ANN)
        await storage.save_person(BEN)
        await storage.close()

    async def look() -> dict[str, str]:
        storage = await open_storage(url)
        assert await storage.people(["ann", "ben"]) == {"ann": ANN, "ben": BEN}
        found = await colours(storage)
        await storage.close()
        return found

    run(save())
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, LATER))
    assert run(look()) == {"ann": "grey", "ben": "blue"}
    assert run(look()) == {"ann": "grey", "ben": "blue"}
    monkeypatch.undo()
    with pytest.raises(SpokenError, match="newer version of Nevel") as refused:
        run(open_storage(url))
    known = len(schema.STEPS)
    assert refused.value.values == {"found": known + 1, "known": known}


def test_a_step_that_fails_leaves_the_database_as_it_was(
    url: str, storage: Storage, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(storage.save_person(BEN))
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, LATER, ("UPDATE nothing SET nowhere = 1",)))
    with pytest.raises(StorageError, match=r"can't be opened.*nothing"):
        run(open_storage(url))
    with pytest.raises(StorageError, match="colour"):
        run(colours(storage))
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS[:-2], LATER))
    run(run(open_storage(url)).close())
    assert run(colours(storage)) == {"ben": "blue"}


# Lists.


def test_open_tables_are_public_and_the_newest_comes_first(storage: Storage, run: Run) -> None:
    differences: list[dict[str, Any]] = [
        {},
        {"game": "extreme"},
        {"is_public": False},
        {"phase": "playing"},
        {},
        {"phase": "over"},
    ]
    for number, changes in enumerate(differences):
        run(storage.append(make_append(f"t{number}", created=number, **changes)))
    tables = run(storage.open_tables(None, 10))
    assert [summary.table for summary in tables] == ["t4", "t1", "t0"]
    assert all(summary.is_public is True for summary in tables)
    assert [summary.table for summary in run(storage.open_tables("misty", 10))] == ["t4", "t0"]
    assert [summary.table for summary in run(storage.open_tables(None, 2))] == ["t4", "t1"]
    run(storage.append(make_append("t4", 1, phase="playing", created=4)))
    assert [summary.table for summary in run(storage.open_tables(None, 10))] == ["t1", "t0"]
    assert run(storage.unfinished_by_the_clock()) == ["t3", "t4"]


def test_somebody_s_tables_come_in_pages(storage: Storage, run: Run) -> None:
    for number in range(10):
        run(storage.append(make_append(f"t{number}", members=("ann",), changed=number // 4)))
    pages, last = list[list[str]](), None
    while page := run(storage.tables_of("ann", 3, last)):
        pages.append([summary.table for summary in page])
        last = page[-1].changed, page[-1].table
    assert pages == [["t9", "t8", "t7"], ["t6", "t5", "t4"], ["t3", "t2", "t1"], ["t0"]]


def test_deadlines_pass_in_their_order(storage: Storage, run: Run) -> None:
    for table, deadline in [("a", 30), ("b", 10), ("c", None), ("d", 20), ("e", 40)]:
        run(storage.append(make_append(table, deadline=deadline)))
    assert run(storage.due(9, 10)) == []
    assert run(storage.due(30, 10)) == ["b", "d", "a"]
    assert run(storage.due(30, 2)) == ["b", "d"]
    run(storage.append(make_append("b", 1)))
    run(storage.append(make_append("d", 1, deadline=50)))
    assert run(storage.due(30, 10)) == ["a"]


def test_a_lease_is_one_node_s_until_it_ends(storage: Storage, open_another: Open, run: Run) -> None:
    other = run(open_another())
    assert run(storage.claim("bots of t", "one", 60_000))
    assert not run(other.claim("bots of t", "two", 60_000))
    assert run(other.claim("bots of u", "two", 60_000))
    assert run(storage.claim("bots of t", "one", 1)), "it is ours already"
    time.sleep(0.01)
    assert run(other.claim("bots of t", "two", 60_000)), "it has run out"
    run(storage.release("bots of t", "one"))
    assert not run(storage.claim("bots of t", "one", 60_000)), "it wasn't ours to release"
    run(other.release("bots of t", "two"))
    assert run(storage.claim("bots of t", "one", 60_000))


@pytest.mark.parametrize("hours", [1, -1])
def test_a_lease_by_a_wrong_clock_keeps_nobody_waiting(storage: Storage, run: Run, hours: int) -> None:
    """As older versions stored it, by the clock of a node."""

    async def work() -> None:
        async with storage.session(writes=True) as session:
            until = milliseconds() + hours * 3_600_000
            await session.run("INSERT INTO leases (name, node, until) VALUES ($1, $2, $3)", "bots of t", "dead", until)
        assert await storage.claim("bots of t", "two", 60_000)
        assert not await storage.claim("bots of t", "three", 60_000)

    run(work())


def test_two_nodes_that_claim_at_once_do_not_both_get_it(storage: Storage, open_another: Open, run: Run) -> None:
    async def claim() -> None:
        nodes = [storage, await open_another()]
        for number in range(20):
            both = [node.claim(f"task {number}", str(index), 60_000) for index, node in enumerate(nodes)]
            assert sorted(await asyncio.gather(*both)) == [False, True]

    run(claim())


def test_a_setting_is_the_same_for_all(storage: Storage, open_another: Open, run: Run) -> None:
    async def ask() -> None:
        nodes = [storage, await open_another()]
        for number in range(20):
            both = [node.setting(f"key {number}", str(index)) for index, node in enumerate(nodes)]
            values = await asyncio.gather(*both)
            assert len(set(values)) == 1
            assert await storage.setting(f"key {number}", "later") == values[0]

    run(ask())


# People.


def test_people_are_remembered(storage: Storage, run: Run) -> None:
    run(storage.save_person(ANN))
    run(storage.save_person(BEN))
    assert run(storage.person("ben")) == BEN
    assert run(storage.person("eve")) is None
    assert run(storage.people(["ben", "eve", "ann", "ben"])) == {"ann": ANN, "ben": BEN}
    assert run(storage.people([])) == {}
    assert run(storage.people(["ann", *map(str, range(1200))])) == {"ann": ANN}
    assert run(storage.change_person("ann", "Anna", "fr"))
    run(storage.person_seen("ann", 99))
    assert run(storage.person("ann")) == msgspec.structs.replace(ANN, name="Anna", language="fr", seen=99)
    assert not run(storage.change_person("eve", "Eve", "fr")), "who isn't there any more doesn't come back by it"
    assert run(storage.person("eve")) is None


def test_who_logs_out_everywhere_does_so_from_a_new_moment_each_time(storage: Storage, run: Run) -> None:
    run(storage.save_person(ANN))
    for number in range(2):
        run(storage.add_token(make_token(number)))
    run(storage.add_token(make_token(2, "ben")))
    assert run(storage.log_out("ann", 50, make_token(1).digest)) == 50
    assert run(storage.tokens_of("ann")) == [make_token(1)]
    assert len(run(storage.tokens_of("ben"))) == 1
    assert [run(storage.log_out("ann", at, "")) for at in (50, 20, 60)] == [51, 52, 60]
    assert run(storage.person("ann")) == msgspec.structs.replace(ANN, logged_out=60)
    assert run(storage.tokens_of("ann")) == []


def test_tokens_are_found_by_their_digest_and_revoked_by_their_owner(storage: Storage, run: Run) -> None:
    one, two, other = make_token(1), make_token(2), make_token(3, "ben")
    for token in (two, one, other):
        run(storage.add_token(token))
    assert run(storage.token("digest 1")) == one
    assert run(storage.token("digest 9")) is None
    assert run(storage.tokens_of("ann")) == [one, two]
    run(storage.token_used("digest 1", 77))
    assert run(storage.token("digest 1")) == msgspec.structs.replace(one, used=77)
    assert not run(storage.revoke("ann", "id 3"))
    assert run(storage.revoke("ann", "id 2"))
    assert not run(storage.revoke("ann", "id 2"))
    assert run(storage.token("digest 2")) is None
    assert run(storage.token("digest 3")) == other
    with pytest.raises(StorageError):
        run(storage.add_token(msgspec.structs.replace(other, digest="digest 4")))


def test_blocks_are_one_sided(storage: Storage, run: Run) -> None:
    for other in ("ben", "eve", "ben"):
        run(storage.block("ann", other))
    assert run(storage.blocked_by("ann")) == {"ben", "eve"}
    assert run(storage.blocked_by("ben")) == set()
    run(storage.unblock("ann", "eve"))
    run(storage.unblock("ben", "ann"))
    assert run(storage.blocked_by("ann")) == {"ben"}
    assert run(storage.blockers_of("ben")) == {"ann"}
    assert run(storage.blockers_of("ann")) == set()


def test_who_is_muted_at_a_table_or_blocked_isnt_heard(storage: Storage, run: Run) -> None:
    for table, other in (("t", "ben"), ("t", "ben"), ("u", "eve")):
        run(storage.mute("ann", table, other))
    run(storage.block("eve", "ben"))
    assert run(storage.muted_by("ann")) == [("t", "ben"), ("u", "eve")]
    many = ["ben", "eve", *map(str, range(1200))]
    assert run(storage.deaf_to("t", many)) == {("ann", "ben"), ("eve", "ben")}
    assert run(storage.deaf_to("u", many)) == {("ann", "eve"), ("eve", "ben")}
    assert run(storage.deaf_to("u", [])) == set()
    run(storage.unmute("ann", "t", "ben"))
    run(storage.unmute("ann", "t", "eve"))
    assert run(storage.deaf_to("t", many)) == {("eve", "ben")}
    run(storage.append(make_append("t")))
    assert run(storage.add_message(Message("t", 1, "ben", 0, "hello"))).number == 0
    assert run(storage.speaker("t", 0)) == "ben"
    assert run(storage.speaker("t", 1)) is None


def test_messages_are_numbered_and_a_number_is_never_given_again(
    storage: Storage, open_another: Open, run: Run
) -> None:
    async def talk() -> list[Message]:
        nodes = [storage, await open_another()]
        said = [nodes[number % 2].add_message(Message("t", number, "ann", None, f"{number}")) for number in range(30)]
        return await asyncio.gather(*said)

    run(storage.append(make_append("t")))
    run(storage.append(make_append("u")))
    said = sorted(run(talk()), key=lambda message: message.number)
    assert [message.number for message in said] == list(range(30))
    last = run(storage.add_message(Message("t", 99, "ben", 2, "fog! 🌫")))
    assert last == Message("t", 99, "ben", 2, "fog! 🌫", 30)
    assert run(storage.messages("t", -1, 100)) == [*said, last]
    assert run(storage.messages("t", 27, 100)) == [*said[28:], last]
    assert run(storage.messages("t", -1, 2)) == [said[29], last]
    assert run(storage.messages("u", -1, 100)) == []
    run(storage.forget("ben"))
    assert run(storage.add_message(Message("t", 100, "ann", 0, "still here"))).number == 31
    with pytest.raises(SpokenError, match="no table nowhere"):
        run(storage.add_message(Message("nowhere", 1, "ann", 0, "hello?")))


async def fill(storage: Storage) -> None:
    """Two people, with something of everything."""
    for person, other in ((ANN, BEN), (BEN, ANN)):
        await storage.save_person(person)
        await storage.add_token(make_token(person.created, person.id))
        await storage.block(person.id, other.id)
        await storage.mute(person.id, "of ann", other.id)
        await storage.add_solved(person.id, Solved("misty-window", 3, 7, 2))
        await storage.save_box(person.id, "misty", '{"of": "' + person.id + '"}')
        await storage.append(make_append(f"of {person.id}", 0, 2, members=("ann", "ben"), secret=f"s {person.id}"))
        await storage.add_message(Message(f"of {person.id}", 5, "ann", 0, "hello"))
        await storage.add_message(Message(f"of {person.id}", 6, "ben", None, "hi"))


def nothing_about(person: str) -> dict[str, Any]:
    lists = {name: list[Any]() for name in ("tokens", "blocks", "mutes", "messages", "tables", "solved")}
    return {"person": None, **lists, "boxes": {}, "statistics": {"person": person, "since": 0, "link": None}}


def test_everything_about_somebody_is_theirs_alone(storage: Storage, run: Run) -> None:
    run(fill(storage))
    known = run(storage.everything_about("ann"))
    assert msgspec.json.decode(msgspec.json.encode(known)) == known
    assert known["person"] == {"id": "ann", "name": "Ann", "language": "en", "created": 1, "seen": 2, "logged_out": 0}
    assert known["tokens"] == [{"person": "ann", "label": "laptop 1", "created": 1, "used": None, "id": "id 1"}]
    assert known["blocks"] == ["ben"]
    assert known["mutes"] == [{"table": "of ann", "other": "ben"}]
    assert [(message["table"], message["text"]) for message in known["messages"]] == [
        ("of ann", "hello"),
        ("of ben", "hello"),
    ]
    assert [summary["table"] for summary in known["tables"]] == ["of ben", "of ann"]
    assert known["solved"] == [{"kind": "misty-window", "number": 3, "at": 7, "tries": 2}]
    assert known["boxes"] == {"misty": '{"of": "ann"}'}
    assert run(storage.everything_about("eve")) == nothing_about("eve")


def test_who_is_forgotten_leaves_nothing_but_the_log(storage: Storage, run: Run) -> None:
    run(fill(storage))
    ben = run(storage.everything_about("ben"))
    run(storage.forget("ann"))
    assert run(storage.everything_about("ann")) == nothing_about("ann")
    assert run(storage.everything_about("ben")) == {**ben, "blocks": [], "mutes": []}
    assert run(storage.token("digest 1")) is None
    assert len(run(storage.rows("of ann"))) == 2
    assert run(storage.secret("of ann")) == "s ann"


def test_a_box_is_kept_for_each_game(storage: Storage, run: Run) -> None:
    for person in (ANN, BEN):
        run(storage.save_person(person))
    assert run(storage.box_of("ann", "misty")) is None
    for game, content in (("misty", "{}"), ("extreme", '{"é": 1}'), ("misty", '{"cards": {}}')):
        run(storage.save_box("ann", game, content))
    assert run(storage.boxes_of("ann")) == {"extreme": '{"é": 1}', "misty": '{"cards": {}}'}
    assert run(storage.box_of("ann", "misty")) == '{"cards": {}}'
    assert run(storage.boxes_of("ben")) == {}
    run(storage.drop_box("ann", "misty"))
    assert run(storage.boxes_of("ann")) == {"extreme": '{"é": 1}'}
    # What comes too late for somebody who has left is kept for nobody.
    run(storage.forget("ann"))
    run(storage.save_box("ann", "misty", "{}"))
    assert run(storage.boxes_of("ann")) == {}


def test_a_puzzle_is_solved_once(storage: Storage, run: Run) -> None:
    first = Solved("fog-place", 4, 100, 2)
    for solved in (
        first,
        Solved("fog-place", 4, 200, 1),
        Solved("fog-place", 5, 300, 1),
        Solved("fog-predict", 4, 50, 9),
    ):
        run(storage.add_solved("ann", solved))
    assert run(storage.solved_by("ann")) == [first, Solved("fog-place", 5, 300, 1), Solved("fog-predict", 4, 50, 9)]
    assert run(storage.solved_by("ben")) == []


def test_every_complaint_can_be_said_in_every_language(storage: Storage, run: Run) -> None:
    with pytest.raises(StorageError) as refused:
        run(storage.append(make_append("t", body="\ud800")))
    for code in LANGUAGES:
        assert "surrogates not allowed" in refused.value.sentence(language(code))
