"""Old tables and people nobody has seen for long are deleted as by hand, and deletions are written down."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nevel.tables.storage.storage import Storage
from nevel.tables.upkeep import backups, retention
from nevel.tables.upkeep.journal import NAME, read_journal, trace_of
from nevel.tables.upkeep.retention import DAY
from nevel.web.live.gallery import NO_TABLE
from tests.web.serving import Serving, Visitor, closing_code
from tests.web.test_metrics import figure

PATIENCE = 60


@pytest.fixture(params=["sqlite", "postgres"])
def database_of_a_kind(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue(f"{request.param}_database")


@pytest.fixture
def keeping(
    compiled: None, database_of_a_kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Serving]:
    """A server that keeps everything for ten days, looks often, and makes backups."""
    monkeypatch.setattr(retention, "LOOK_EVERY", 0.05)
    monkeypatch.setattr(retention, "PAUSE", 0.0)
    one = Serving(database_of_a_kind, keep_tables_days=10, keep_people_days=10, backup_folder=str(tmp_path / "backups"))
    one.start()
    yield one
    one.stop()


def ask(serving: Serving, statement: str, *values: Any) -> list[Any]:
    """What a statement says to the database of a server."""

    async def work(storage: Storage) -> list[Any]:
        return [tuple(row) for row in await storage._write(statement, *values)]

    loop = serving.server.servers[0].get_loop()
    return asyncio.run_coroutine_threadsafe(work(serving.app.state.site.storage), loop).result(PATIENCE)


def until(serving: Serving, statement: str, *values: Any) -> None:
    """Wait until a statement finds nothing."""
    end = time.monotonic() + PATIENCE
    while ask(serving, statement, *values):
        assert time.monotonic() < end, statement
        time.sleep(0.05)


def grow_old(serving: Serving, table: str, days: float) -> None:
    ask(serving, "UPDATE tables SET changed = changed - $2 WHERE table_id = $1 RETURNING 1", table, round(days * DAY))


def test_old_tables_go_with_all_that_belongs_to_them(keeping: Serving) -> None:
    with keeping.visitor() as ann:
        old, recent, talking = (ann.open() for _ in range(3))
        for table in (old, recent, talking):
            assert ann.post(f"/api/tables/{table}/chat", {"text": "hello"}).status_code < 300
        with ann.socket(old) as socket:
            ask(keeping, "UPDATE messages SET at = at - $2 WHERE table_id = $1 RETURNING 1", old, 11 * DAY)
            grow_old(keeping, old, 11)
            assert closing_code(socket) == NO_TABLE
        grow_old(keeping, recent, 9)
        grow_old(keeping, talking, 11)
        for part in ("tables", "events", "members", "messages"):
            until(keeping, f"SELECT 1 FROM {part} WHERE table_id = $1", old)
        assert ann.get(f"/api/tables/{old}").status_code == 404
        assert ann.look(recent)
        assert ann.look(talking), "somebody talked there lately"
        ask(keeping, "UPDATE messages SET at = at - $2 WHERE table_id = $1 RETURNING 1", talking, 11 * DAY)
        until(keeping, "SELECT 1 FROM tables WHERE table_id = $1", talking)
        assert ann.look(recent)


def test_people_nobody_has_seen_are_deleted_as_by_hand(keeping: Serving, tmp_path: Path) -> None:
    with keeping.visitor() as ann, keeping.visitor() as bob:
        table = ann.open()
        bob.ask(table, "sit", {"chair": 1}, key=ann.invitation(table))
        gone, stays = (one.get("/api/me").json()["id"] for one in (bob, ann))
        ask(keeping, "UPDATE people SET seen = seen - $2 WHERE id = $1 RETURNING 1", stays, round(10.5 * DAY))
        ask(keeping, "UPDATE people SET seen = seen - $2 WHERE id = $1 RETURNING 1", gone, 12 * DAY)
        until(keeping, "SELECT 1 FROM people WHERE id = $1", gone)
        until(keeping, "SELECT 1 FROM deletions WHERE person = $1 AND is_done = 0", gone)
        assert [chair["kind"] for chair in ann.look(table)["chairs"]] == ["person", "empty"]
        assert bob.get("/api/me").json().get("id") != gone
        assert ask(keeping, "SELECT 1 FROM people WHERE id = $1", stays)
        end = time.monotonic() + PATIENCE
        while trace_of(gone) not in (read_journal(path) if (path := tmp_path / "backups" / NAME).exists() else ""):
            assert time.monotonic() < end
        assert trace_of(stays) not in read_journal(path)


def test_who_leaves_is_in_the_journal_before_they_are_told(keeping: Serving, tmp_path: Path) -> None:
    with keeping.visitor() as ann:
        ann.open()
        person = ann.get("/api/me").json()["id"]
        assert ann.client.delete("/api/me").status_code < 300
        assert trace_of(person) in read_journal(tmp_path / "backups" / NAME)


def test_the_age_of_the_last_backup_is_a_figure(keeping: Serving) -> None:
    def age(ann: Visitor) -> float:
        return figure(ann.get("/metrics").text, "nevel_backup_age_seconds")

    with keeping.visitor() as ann:
        end = time.monotonic() + PATIENCE
        while age(ann) == float("inf"):
            assert time.monotonic() < end
        assert 0 <= age(ann) < backups.LOOK_EVERY + PATIENCE
        assert "nevel_backup_failures_total 0.0" in ann.get("/metrics").text
