"""A page checks in the browser that the cards were drawn as they should have been."""

import json
from typing import Any

import pytest

from nevel.tables.domain.record import write_record
from tests.browser.people import People
from tests.tables.test_record import NAMES, played
from tests.tables.test_shuffle import dealt, play_on

CHECK = """async (record) => (await import(
  document.querySelector('script[src$="nevel.js"]').src.replace("nevel.js", "shuffle.js"))).check(record)"""


def record_with_parts() -> dict[str, Any]:
    one = dealt()
    play_on(one)
    return json.loads(write_record(one.table, NAMES))


@pytest.mark.slow
def test_a_page_checks_a_record(people: People) -> None:
    page = people.come()
    page.goto(people.base)
    true, plain = record_with_parts(), json.loads(write_record(played("misty").table, NAMES))
    assert page.evaluate(CHECK, true)
    assert page.evaluate(CHECK, plain)
    for where, what in (("secret", "00" * 32), ("parts", {"0": "ann's part", "1": "other"}), ("name", "other")):
        assert not page.evaluate(CHECK, {**true, "table": {**true["table"], where: what}}), where
    assert not page.evaluate(CHECK, {**true, "seed": "0" * 32})
    assert not page.evaluate(CHECK, {**true, "moves": [{**move, "key": "0" * 32} for move in true["moves"]]})
