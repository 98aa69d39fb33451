"""What is kept for looking back, in either database: reviews, and how somebody's games are counted."""

import msgspec
import pytest

from nevel.tables.storage.database import StorageError
from nevel.tables.storage.schema import Person, Statistics, StoredReview
from nevel.tables.storage.storage import Storage
from tests.tables.storing import Run, make_append

REVIEW = StoredReview("t", 1, 100, 5000, "[91.5, null]", "[[], []]", '{"game": "misty", "said": "brouillard 🌫"}')


def test_a_review_is_read_as_it_was_written_and_a_newer_one_takes_its_place(storage: Storage, run: Run) -> None:
    assert run(storage.review("t")) is None
    run(storage.save_review(REVIEW))
    assert run(storage.review("t")) == REVIEW
    newer = msgspec.structs.replace(
        REVIEW, version=2, playouts=7, at=6000, accuracies="[]", predictions="[]", body="{}"
    )
    run(storage.save_review(newer))
    assert run(storage.review("t")) == newer
    assert run(storage.review("other")) is None


def test_finished_games_come_newest_first_with_how_well_everybody_chose(storage: Storage, run: Run) -> None:
    for number, phase in enumerate(["over", "playing", "over", "over", "closed"]):
        append = make_append(f"t{number}", members=("ann", "bob"), phase=phase, created=1000 + number)
        assert run(storage.append(append))
    assert run(storage.append(make_append("other", members=("bob",), phase="over", created=2000)))
    run(storage.save_review(msgspec.structs.replace(REVIEW, table="t2")))
    found = run(storage.finished("ann", 0, 10))
    told = [(one.summary.table, one.accuracies, one.predictions) for one in found]
    assert told == [("t3", None, None), ("t2", "[91.5, null]", "[[], []]"), ("t0", None, None)]
    assert found[0].summary == run(storage.summary("t3"))
    assert [one.summary.table for one in run(storage.finished("ann", 1000, 1))] == ["t3"]
    assert [one.summary.table for one in run(storage.finished("ann", 1002, 10))] == ["t3"]
    assert run(storage.finished("cid", 0, 10)) == []


def test_statistics_are_for_oneself_until_one_says_otherwise(storage: Storage, run: Run) -> None:
    assert run(storage.statistics("ann")) == Statistics("ann", 0, None)
    shared = Statistics("ann", 7, "a link nobody guesses")
    run(storage.save_statistics(shared))
    assert run(storage.statistics("ann")) == shared
    assert run(storage.shared_statistics("a link nobody guesses")) == shared
    assert run(storage.shared_statistics("another")) is None
    run(storage.save_statistics(Statistics("ann", 7)))
    assert run(storage.shared_statistics("a link nobody guesses")) is None
    # Any number of people share nothing, no two the same.
    run(storage.save_statistics(Statistics("bob")))
    run(storage.save_statistics(shared))
    with pytest.raises(StorageError):
        run(storage.save_statistics(Statistics("bob", 0, shared.link)))


def test_who_leaves_takes_their_statistics_along(storage: Storage, run: Run) -> None:
    run(storage.save_person(Person("ann", "Ann", "en", 1, 2)))
    run(storage.append(make_append("t", members=("ann",), phase="over")))
    run(storage.save_statistics(Statistics("ann", 7, "link")))
    assert run(storage.everything_about("ann"))["statistics"] == {"person": "ann", "since": 7, "link": "link"}
    run(storage.forget("ann"))
    assert run(storage.shared_statistics("link")) is None
    assert run(storage.finished("ann", 0, 10)) == []
    assert run(storage.statistics("ann")) == Statistics("ann")
