"""What is brought along or played for practice: said on every page of its table, and counted nowhere."""

from html import unescape
from typing import Any

import pytest

import nevel
from nevel.languages import LANGUAGES, language
from nevel.web.rendering.notices import BROUGHT, NOWHERE, OWN_BOX, PRACTICE, SHORT
from tests.web.serving import Visitor, two_at_a_table


def brought(visitor: Visitor) -> dict[str, Any]:
    """A game of a chosen seed, of which nothing was played yet."""
    text = nevel.save(nevel.new("the-game", seats=1, seed=3))
    done = visitor.client.post("/api/tables/import", content=text)
    assert done.status_code == 201, done.text
    return done.json()["view"]


def own_box(visitor: Visitor) -> dict[str, Any]:
    return visitor.look(visitor.open("the-game", 1, box='game = "the-game"\nhands = [8, 6, 6, 6, 6]\n'))


def practice(visitor: Visitor) -> dict[str, Any]:
    return visitor.look(visitor.open("the-game", 1, is_practice=True))


def usual(visitor: Visitor) -> dict[str, Any]:
    return visitor.look(visitor.open("the-game", 1))


def says(visitor: Visitor, path: str, sentence: str, **query: Any) -> bool:
    """Whether a page says something, in all languages or in none."""
    said = set[bool]()
    for code in LANGUAGES:
        visitor.client.put("/api/me", json={"language": code})
        page = visitor.get(path, **query)
        assert page.status_code in (200, 202), path
        said.add(language(code).say(sentence) in unescape(page.text))
    assert len(said) == 1, path
    return said.pop()


def play_to_the_end(visitor: Visitor, table: str) -> dict[str, Any]:
    view = visitor.look(table)
    while view["phase"] == "playing":
        view = visitor.ask(table, "play", {"move": view["prompt"]["moves"][0], "seq": view["seq"]})
    return view


@pytest.mark.parametrize(
    ("opened", "sentence", "is_brought", "has_own_box", "is_practice"),
    [
        (brought, BROUGHT, True, False, False),
        (own_box, OWN_BOX, False, True, False),
        (practice, PRACTICE, False, False, True),
        (usual, None, False, False, False),
    ],
)
def test_what_counts_nowhere_is_told_on_every_page(
    ann: Visitor, opened: Any, sentence: str | None, is_brought: bool, has_own_box: bool, is_practice: bool
) -> None:
    view = opened(ann)
    table = view["table"]
    flags = {"is_brought": is_brought, "has_own_box": has_own_box, "is_practice": is_practice}

    def check(*more: str) -> None:
        seen = ann.look(table)
        assert {name: seen[name] for name in flags} == flags
        assert bool(seen["commitment"]) is not (is_brought or has_own_box)
        listed = ann.get("/api/me/tables").json()["tables"]
        assert [{name: one[name] for name in flags} for one in listed if one["table"] == table] == [flags]
        for page in ("", *more):
            assert says(ann, f"/tables/{table}{page}", NOWHERE) is (sentence is not None)
            assert sentence is None or says(ann, f"/tables/{table}{page}", sentence)
        assert sentence is None or says(ann, "/", SHORT[sentence])

    if view["phase"] == "open" and not any(chair["is_you"] for chair in view["chairs"]):
        ann.ask(table, "sit")
    check()
    ann.ask(table, "start")
    check()
    assert play_to_the_end(ann, table)["phase"] == "over"
    check("/replay", "/review")
    games = ann.get("/api/me/statistics").json()["games"]
    assert any(game["table"] == table for game in games) is (sentence is None)
    if is_brought:
        assert ann.look(table)["proof"] is None


def test_it_is_told_to_those_who_come_by_a_link_and_on_the_page_about_somebody(
    ann: Visitor, bob: Visitor, stranger: Visitor
) -> None:
    text = nevel.save(nevel.new("the-game", seats=2, seed=3))
    table = ann.client.post("/api/tables/import", content=text).json()["view"]["table"]
    keys = ann.get(f"/api/tables/{table}/links").json()
    ann.ask(table, "sit")
    bob.ask(table, "sit", key=keys["invitation"])

    def check() -> None:
        for whose in ("spectator", "screen"):
            assert says(stranger, f"/tables/{table}", BROUGHT, key=keys[whose])
        for visitor, seat in ((ann, 1), (bob, 0)):
            assert says(visitor, f"/tables/{table}/somebody", BROUGHT, seat=seat)

    check()
    ann.ask(table, "start")
    check()
    plain = two_at_a_table(ann, bob)
    assert not says(ann, f"/tables/{plain}/somebody", NOWHERE, seat=1)
