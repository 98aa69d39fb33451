"""Backups: all of a database in a file, from either kind and to either kind; or nothing, with a reason."""

import asyncio
import gzip
import hashlib
import itertools
import stat
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from nevel.languages import SpokenError
from nevel.tables.storage import postgres, schema, sqlite
from nevel.tables.storage.backup import BackupFile, DamagedError, backup, restore
from nevel.tables.storage.database import StorageError
from nevel.tables.storage.schema import Message, Person, Solved, Statistics, StoredReview, Token
from nevel.tables.storage.storage import Storage, open_storage
from tests.tables.storing import Run, make_append

Contents = dict[str, list[tuple[Any, ...]]]


async def fill(storage: Storage) -> None:
    """Something in every table, with text that isn't easy."""
    await storage.setting("key", "value")
    await storage.claim("bots of t", "one", 60_000)
    for number in range(3):
        await storage.save_person(Person(f"p{number}", f"«🌫 \n{number}\"'\\»", "fr", number, number))
        await storage.add_token(Token(f"digest {number}", "p0", "phone", number, number or None, f"id {number}"))
        await storage.block("p0", f"p{number}")
        await storage.mute("p0", "t0", f"p{number}")
        await storage.add_solved("p0", Solved("misty-window", number, number, 1))
        await storage.save_box("p0", f"game {number}", '{"é": "\\u0000"}')
        members = (f"p{number}", "p1")
        first = make_append(f"t{number}", 0, 5, '{"é": "\\u0000"}', members, number or None, "secret")
        await storage.append(msgspec.structs.replace(first, named=(*members, "p9")))
        await storage.add_message(Message(f"t{number}", number, "p1", number or None, "bonjour"))
        await storage.save_review(StoredReview(f"t{number}", 1, 10, number, "[null]", "[]", '{"é": 1}'))
        await storage.forget(f"gone {number}")
        await storage.save_statistics(Statistics(f"p{number}", number, f"link {number}" if number else None))


async def contents(storage: Storage) -> Contents:
    async with storage.session() as session:
        found = {
            name: await session.run(f"SELECT {', '.join(columns)} FROM {name}")
            for name, columns in schema.BACKUP_COLUMNS.items()
        }
    return {name: sorted((tuple(row) for row in rows), key=repr) for name, rows in found.items()}


@pytest.fixture
def filled(storage: Storage, run: Run) -> Storage:
    run(fill(storage))
    return storage


@pytest.fixture
def file(tmp_path: Path, run: Run) -> Path:
    """A backup of a filled database."""

    async def make() -> Path:
        storage = await open_storage(str(tmp_path / "original.db"))
        await fill(storage)
        await backup(storage, tmp_path / "backup.gz")
        await storage.close()
        return tmp_path / "backup.gz"

    return run(make())


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_backup_fills_a_database_of_either_kind(
    filled: Storage, tmp_path: Path, request: pytest.FixtureRequest, run: Run, kind: str
) -> None:
    path, shares = tmp_path / "backup.gz", list[float]()
    run(backup(filled, path, shares.append))
    before = run(contents(filled))
    assert all(before.values())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert shares == sorted(shares)
    assert shares[-1] == 1

    place = tmp_path / "other.db" if kind == "sqlite" else request.getfixturevalue("other_postgres_url")
    other = run(open_storage(str(place)))
    shares.clear()
    run(restore(other, path, shares.append))
    assert run(contents(other)) == before
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert run(other.append(make_append("t0", 5)))
    assert run(other.add_message(Message("t0", 9, "p0", 0, "encore"))).number == 1
    assert run(other.claim("bots of t", "two", 60_000)), "leases aren't kept"
    run(other.close())


def test_an_empty_database_has_a_backup_too(storage: Storage, tmp_path: Path, run: Run) -> None:
    run(backup(storage, tmp_path / "backup.gz"))
    run(restore(storage, tmp_path / "backup.gz"))
    assert not any(run(contents(storage)).values())


def test_a_backup_is_of_one_moment(filled: Storage, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "CHUNK", 2)
    monkeypatch.setattr(postgres, "CHUNK", 2)
    path, appended = tmp_path / "backup.gz", threading.Event()
    write = BackupFile.write

    def write_after_an_append(file: BackupFile, lines: Iterable[object]) -> None:
        appended.clear()
        assert appended.wait(10)
        write(file, lines)

    monkeypatch.setattr(BackupFile, "write", write_after_an_append)

    async def go_on() -> None:
        for seq in itertools.count(5):
            assert await filled.append(make_append("t1", seq))
            appended.set()

    async def back_up() -> None:
        before = await contents(filled)
        playing = asyncio.create_task(go_on())
        await backup(filled, path)
        playing.cancel()
        assert len(await filled.rows("t1")) > 10, "the game went on meanwhile"
        other = await open_storage(str(tmp_path / "other.db"))
        await restore(other, path)
        after = await contents(other)
        newest = next(row[-2] for row in after["tables"] if row[0] == "t1")
        assert [row.seq for row in await other.rows("t1")] == list(range(newest + 1))
        assert {**after, "tables": [], "events": []} == {**before, "tables": [], "events": []}
        await other.close()

    run(back_up())


def test_a_database_that_was_used_is_not_restored_to(filled: Storage, file: Path, run: Run) -> None:
    before = run(contents(filled))
    with pytest.raises(SpokenError, match="empty"):
        run(restore(filled, file))
    assert run(contents(filled)) == before


def rewrite(file: Path, change: Callable[[list[bytes]], object]) -> None:
    """Change the lines of a backup and seal it again, as only somebody who wants to deceive us would."""
    lines = gzip.decompress(file.read_bytes()).splitlines()[:-1]
    change(lines)
    text = b"".join(line + b"\n" for line in lines)
    seal = b'{"sha256":"%s"}\n' % hashlib.sha256(text).hexdigest().encode()
    file.write_bytes(gzip.compress(text + seal))


def replace(number: int, old: bytes, new: bytes) -> Callable[[list[bytes]], None]:
    def change(lines: list[bytes]) -> None:
        assert old in lines[number]
        lines[number] = lines[number].replace(old, new)

    return change


def flip(file: Path, place: float) -> None:
    text = bytearray(file.read_bytes())
    text[int(len(text) * place)] ^= 0x10
    file.write_bytes(text)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "empty": lambda file: file.write_bytes(b""),
    "text": lambda file: file.write_bytes(b"Dear diary"),
    "nothing in it": lambda file: file.write_bytes(gzip.compress(b"")),
    "no JSON": lambda file: file.write_bytes(gzip.compress(b"\xff\n\xff\n")),
    "cut": lambda file: file.write_bytes(file.read_bytes()[:-20]),
    "cut in half": lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
    "flipped early": lambda file: flip(file, 0.1),
    "flipped in the middle": lambda file: flip(file, 0.5),
    "flipped late": lambda file: flip(file, 0.95),
    "no seal": lambda file: file.write_bytes(
        gzip.compress(b"".join(gzip.decompress(file.read_bytes()).splitlines(keepends=True)[:-1]))
    ),
    "another's seal": lambda file: file.write_bytes(
        gzip.compress(gzip.decompress(file.read_bytes()).replace(b"bonjour", b"bonsoir"))
    ),
    "a row less": lambda file: rewrite(file, lambda lines: lines.pop()),
    "a row more": lambda file: rewrite(file, lambda lines: lines.append(lines[-1])),
    "a row too long": lambda file: rewrite(file, replace(-1, b"]", b",1]")),
    "a row of what nobody knows": lambda file: rewrite(file, replace(-1, b'"events"', b'"wishes"')),
    "a row that isn't one": lambda file: rewrite(file, replace(-1, b"[", b"[[],")),
    "another format": lambda file: rewrite(file, replace(0, b'"nevel_backup":1', b'"nevel_backup":2')),
    "a table that is a statement": lambda file: rewrite(file, replace(0, b'"value"', b'"value) --"')),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_backup_changes_nothing(storage: Storage, file: Path, run: Run, damage: str) -> None:
    DAMAGES[damage](file)
    with pytest.raises(DamagedError):
        run(restore(storage, file))
    assert not any(run(contents(storage)).values())


def test_rows_the_database_refuses_leave_it_empty(storage: Storage, file: Path, run: Run) -> None:
    def repeat(lines: list[bytes]) -> None:
        lines[-1] = lines[-2]

    rewrite(file, repeat)
    with pytest.raises(StorageError):
        run(restore(storage, file))
    assert not any(run(contents(storage)).values())


def test_a_backup_of_a_newer_nevel_is_refused(storage: Storage, file: Path, run: Run) -> None:
    known = len(schema.STEPS)
    rewrite(file, replace(0, b'"schema":%d' % known, b'"schema":%d' % (known + 1)))
    with pytest.raises(SpokenError, match="newer version of Nevel"):
        run(restore(storage, file))


def test_a_backup_of_an_older_nevel_is_brought_up_to_date(
    url: str, file: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = ("ALTER TABLE people ADD COLUMN colour TEXT", "UPDATE people SET colour = name WHERE id = 'p1'")
    monkeypatch.setattr(schema, "STEPS", (*schema.STEPS, step))
    monkeypatch.setattr(
        schema, "BACKUP_COLUMNS", {**schema.BACKUP_COLUMNS, "people": (*schema.BACKUP_COLUMNS["people"], "colour")}
    )

    async def look() -> Contents:
        storage = await open_storage(url)
        await restore(storage, file)
        assert await storage.append(make_append("t0", 5))
        assert await storage.claim("bots of t", "one", 60_000)
        found = await contents(storage)
        await storage.close()
        return found

    found = run(look())
    assert [(row[0], row[-1]) for row in found["people"]] == [("p0", None), ("p1", "«🌫 \n1\"'\\»"), ("p2", None)]
    assert len(found["events"]) == 16


def test_a_backup_that_fails_leaves_the_one_before(filled: Storage, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "backups" / "backup.gz"
    with pytest.raises(SpokenError, match="can't be written"):
        run(backup(filled, path))
    path.parent.mkdir()
    run(backup(filled, path))
    whole = path.read_bytes()

    def interrupt(_share: float) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(backup(filled, path, interrupt))
    assert path.read_bytes() == whole
    assert [file.name for file in path.parent.iterdir()] == ["backup.gz"]
    with pytest.raises(SpokenError, match="can't be read"):
        run(restore(filled, tmp_path / "nowhere.gz"))
