"""The three paces over the API, and a deadline that passed while no server ran."""

import time
from pathlib import Path
from typing import Any

import pytest

from nevel.tables.runtime.room import milliseconds
from tests.web.serving import Serving, Visitor, two_at_a_table
from tests.web.test_api import problem

DAY = 86_400


@pytest.mark.parametrize(
    ("pace", "allowance", "reserve"),
    [
        ({"kind": "live", "seconds": 30, "reserve": 120}, 150, 120),
        ({"kind": "correspondence", "seconds": 3 * DAY}, 3 * DAY, 0),
    ],
)
def test_a_clock_runs_for_whoever_is_asked(
    ann: Visitor, bob: Visitor, pace: dict[str, Any], allowance: int, reserve: int
) -> None:
    before = milliseconds()
    view = ann.look(two_at_a_table(ann, bob, pace=pace))
    for chair in view["chairs"]:
        clock = chair["clock"]
        assert clock["reserve"] == reserve * 1000
        assert before <= clock["deadline"] - allowance * 1000 <= milliseconds()
    moved = ann.ask(view["table"], "move", {"move": view["prompt"]["moves"][0], "seq": view["seq"]})
    assert [chair["clock"]["deadline"] is None for chair in moved["chairs"]] == [True, False]


def test_a_relaxed_game_has_no_clock(ann: Visitor, bob: Visitor) -> None:
    assert [chair["clock"] for chair in ann.look(two_at_a_table(ann, bob))["chairs"]] == [None, None]


@pytest.mark.parametrize(
    "pace",
    [
        {"kind": "bullet"},
        {"kind": "live"},
        {"kind": "live", "seconds": 4},
        {"kind": "correspondence", "seconds": 60},
        {"kind": "correspondence", "seconds": 30 * DAY},
        {"kind": "relaxed", "seconds": 10},
        {"kind": "live", "seconds": 10, "reserve": -1},
    ],
)
def test_a_pace_nobody_can_play_at_is_refused(ann: Visitor, pace: dict[str, Any]) -> None:
    problem(ann.post("/api/tables", {"game": "misty", "chairs": 2, "pace": pace}), 400, "malformed")


def test_time_that_ran_out_while_no_server_ran_is_seen_afterwards(
    compiled: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serving = Serving(str(tmp_path / "nevel.db"))
    serving.start()
    with serving.visitor() as ann, serving.visitor() as bob:
        try:
            table = two_at_a_table(ann, bob, pace={"kind": "correspondence", "seconds": DAY})
            view = ann.look(table)
            ann.ask(table, "play", {"move": view["prompt"]["moves"][0], "seq": view["seq"]})
        finally:
            serving.stop()
        # Two days later.
        now = time.time_ns
        monkeypatch.setattr(time, "time_ns", lambda: now() + 2 * DAY * 10**9)
        serving.start()
        try:
            until = time.monotonic() + 60
            while bob.look(table)["chairs"][1]["kind"] != "stood-in":
                assert time.monotonic() < until
            # A bot plays for him until he takes his chair back.
            while ann.look(table)["prompt"] is None:
                assert time.monotonic() < until
            assert bob.ask(table, "reclaim")["chairs"][1]["kind"] == "person"
        finally:
            serving.stop()
