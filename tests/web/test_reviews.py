"""Reviews over the network: begun once, told how far, kept, the same for all; and the pages that show them."""

import asyncio
import json
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

import nevel
from nevel.languages import LANGUAGES
from nevel.study.review import Review
from nevel.tables.runtime.fair_queue import LEAST_PRIORITY
from nevel.web.services import reviews
from tests.databases import administrator
from tests.web.processes import Nursery, QuickServerProcess
from tests.web.serving import Serving, Visitor, two_at_a_table
from tests.web.test_api import problem

#: Whole processes, or much work: not for `make quick`.
pytestmark = pytest.mark.slow

#: Seconds a small review may take on a machine that has other things to do.
PATIENCE = 120


@pytest.fixture(scope="module")
def serving(compiled: None, database: str) -> Iterator[Serving]:
    one = Serving(database, review_playouts=2)
    one.start()
    yield one
    one.stop()


def saved(game: str = "the-game", seats: int = 1, seed: int = 3) -> str:
    """A short game that is over: everybody plays the first move there is."""
    one = nevel.new(game, seats=seats, seed=seed, names=["Ann", "Bob", "Cid"][:seats])
    while not one.is_over:
        prompt = one.prompts()[0]
        one.play(prompt.seat, prompt.moves[0])
    return nevel.save(one)


def bring(visitor: Visitor, text: str) -> str:
    done = visitor.client.post("/api/tables/import", content=text)
    assert done.status_code == 201, done.text
    return done.json()["view"]["table"]


def until(is_so: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE
    while not (found := is_so()):
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)
    return found


def reviewed(visitor: Visitor, table: str) -> Review:
    """The review of a table, once it is there."""

    def ask() -> httpx.Response | None:
        answer = visitor.get(f"/api/tables/{table}/review")
        if answer.status_code == 202:
            progress = answer.json()
            assert 0 <= progress["share"] <= 1
            assert progress["ahead"] >= 0
            assert answer.headers["retry-after"] == "1"
            return None
        return answer

    answer = until(ask)
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=Review)


def test_a_review_is_made_once_and_kept(ann: Visitor, bob: Visitor, serving: Serving) -> None:
    table = bring(ann, saved())
    begun = ann.get(f"/api/tables/{table}/review")
    assert begun.status_code == 202
    key = ann.get(f"/api/tables/{table}/links").json()["spectator"]
    assert bob.get(f"/api/tables/{table}/review", key=key).status_code in (200, 202)
    assert len(serving.app.state.site.reviews.jobs) <= 1
    review = reviewed(ann, table)
    assert review.game == "the-game"
    assert review.playouts == 2
    assert msgspec.json.decode(bob.get(f"/api/tables/{table}/review", key=key).content, type=Review) == review
    # It is read from the database too.
    serving.app.state.site.reviews._remembered.clear()
    assert reviewed(ann, table) == review
    (account,) = review.accounts
    assert account.prior + account.totals.whole == pytest.approx(account.chances[-1])


def test_what_is_stopped_in_the_middle_begins_again(compiled: None, tmp_path: Path) -> None:
    server = Serving(str(tmp_path / "nevel.db"), review_playouts=1_000_000)
    server.start()
    with server.visitor() as ann:
        table = bring(ann, saved("misty", 2))
        assert ann.get(f"/api/tables/{table}/review").status_code == 202
        until(lambda: ann.get("/metrics").text.count("nevel_review_queue 1.0"))
        server.stop()
        server.settings = msgspec.structs.replace(server.settings, review_playouts=1)
        server.start()
        assert reviewed(ann, table).game == "misty"
        server.stop()


def test_only_finished_games_are_reviewed_and_only_for_those_who_may_look(
    ann: Visitor, bob: Visitor, stranger: Visitor
) -> None:
    table = two_at_a_table(ann, bob)
    for visitor in (ann, bob):
        problem(visitor.get(f"/api/tables/{table}/review"), 409, "wrong-time")
        page = visitor.get(f"/tables/{table}/review")
        assert page.status_code == 409
        assert "A game can be reviewed once it is over." in page.text
    over = bring(ann, saved())
    for path in (f"/api/tables/{over}/review", "/api/tables/nowhere/review"):
        problem(stranger.get(path), 404, "no-such-table")
    assert stranger.get(f"/tables/{over}/review").status_code == 404
    assert ann.get(f"/tables/{over}/review", seat=1).status_code == 400
    assert ann.get(f"/tables/{over}/review", seat="x").status_code == 400
    assert ann.get(f"/tables/{over}/review", seat=99).status_code == 400


def test_the_queue_is_bounded_and_so_is_who_fills_it(
    compiled: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "MOST_WAITING", 2)
    server = Serving(str(tmp_path / "nevel.db"), review_playouts=1_000_000)
    server.start()
    try:
        with server.visitor() as ann:
            tables = [bring(ann, saved("misty", 2, seed)) for seed in range(3)]
            answers = [ann.get(f"/api/tables/{table}/review") for table in tables]
            assert [answer.status_code for answer in answers] == [202, 202, 503]
            assert [answer.json()["ahead"] for answer in answers[:2]] == [0, 1]
            problem(answers[2], 503, "busy")
            assert answers[2].headers["retry-after"]
            # Who asks again isn't counted twice.
            assert ann.get(f"/api/tables/{tables[0]}/review").status_code == 202
    finally:
        server.stop()


def test_who_asks_for_many_reviews_waits_behind_themselves(compiled: None, tmp_path: Path) -> None:
    server = Serving(str(tmp_path / "nevel.db"), review_playouts=1_000_000)
    server.start()
    try:
        with server.visitor() as ann, server.visitor() as bob:
            tables = [bring(ann, saved("misty", 2, seed)) for seed in range(4)]
            answers = [ann.get(f"/api/tables/{table}/review") for table in tables]
            assert [answer.status_code for answer in answers] == [202, 202, 202, 429]
            problem(answers[3], 429, "too-often")
            assert answers[3].headers["retry-after"]
            # Only the one under way is done before his.
            his = bob.get(f"/api/tables/{bring(bob, saved('misty', 2, 9))}/review")
            assert (his.status_code, his.json()["ahead"]) == (202, 1)
            until(lambda: server.app.state.site.reviews.queue.waiting == 3)
            assert next(server.app.state.site.reviews.queue.order()) == bob.get("/api/me").json()["id"]
    finally:
        server.stop()


def page_of(visitor: Visitor, table: str, **query: Any) -> str:
    answer = visitor.get(f"/tables/{table}/review", **query)
    assert answer.status_code == 200, answer.text
    assert not re.search(r"\sstyle=", answer.text), "the policy for styles forbids it"
    return unescape(answer.text)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_page_tells_how_far_it_is_and_then_everything(ann: Visitor, code: str) -> None:
    ann.client.put("/api/me", json={"language": code})
    table = bring(ann, saved("the-game", 2, seed=len(code) + ord(code[0])))
    first = ann.get(f"/tables/{table}/review")
    assert first.status_code == 202
    assert 'http-equiv="refresh"' in first.text
    assert "<progress" in first.text
    review = reviewed(ann, table)
    for seat in range(2):
        html = page_of(ann, table, seat=seat)
        assert "<progress" not in html
        assert html.count("<polyline") == 2
        moments = len(review.accounts[seat].chances)
        assert html.count('class="column"') == moments
        # Every column leads to the replay at its moment, with that seat's eyes; so does every line of the table.
        for at in range(moments):
            assert html.count(f'href="/tables/{table}/replay?seat={seat}&at={at}"') >= 2, at
        assert html.count('class="part ') == 5
        assert html.count("play-on") == len(review.accounts[seat].key_moments[:6])


def test_the_replay_shows_what_an_expert_thought_at_that_moment(ann: Visitor) -> None:
    table = bring(ann, saved("the-game", 2))
    before = unescape(ann.get(f"/tables/{table}/replay", at=0).text)
    assert "review-here" not in before
    assert f"/tables/{table}/review" in before
    review = reviewed(ann, table)
    decision = review.decisions[0]
    shown = ann.get(f"/tables/{table}/replay", at=decision.at, seat=decision.seat).text
    assert "review-here" in shown
    assert "chances-line" in shown
    other = ann.get(f"/tables/{table}/replay", at=decision.at, seat=1 - decision.seat).text
    assert "review-here" not in other
    assert "chances-line" in other


def test_names_from_anywhere_are_only_text(ann: Visitor) -> None:
    text = json.loads(saved("the-game", 2))
    text["names"] = ["<script>alert(1)</script>", "'\"><img src=x>"]
    table = bring(ann, json.dumps(text))
    reviewed(ann, table)
    for path in ("review", "replay"):
        html = ann.get(f"/tables/{table}/{path}").text
        assert "alert(1)" in html
        assert "<script>alert" not in html
        assert "<img" not in html


def test_two_nodes_make_one_review(nursery: Nursery, postgres_database: str, tmp_path: Path) -> None:
    with ExitStack() as stack:
        nodes = [QuickServerProcess(nursery, postgres_database, tmp_path, review_playouts=20) for _ in range(2)]
        visitors = list[Visitor]()
        for node in nodes:
            node.start()
            stack.callback(node.stop)
            node.wait_until_ready()
            visitors.append(stack.enter_context(node.visitor()))
        table = bring(visitors[0], saved("misty", 2))
        key = visitors[0].get(f"/api/tables/{table}/links").json()["spectator"]
        queries: list[dict[str, str]] = [{}, {"key": key}]
        for visitor, query in zip(visitors, queries, strict=True):
            assert visitor.get(f"/api/tables/{table}/review", **query).status_code in (200, 202)

        def both() -> list[Review] | None:
            answers = [v.get(f"/api/tables/{table}/review", **q) for v, q in zip(visitors, queries, strict=True)]
            if any(one.status_code != 200 for one in answers):
                return None
            return [msgspec.json.decode(one.content, type=Review) for one in answers]

        first, second = until(both)
        assert first == second


def test_another_node_takes_over_from_one_that_was_killed(
    nursery: Nursery, postgres_database: str, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        # The first would take for ever.
        nodes = [QuickServerProcess(nursery, postgres_database, tmp_path, review_playouts=n) for n in (10**9, 1)]
        visitors = list[Visitor]()
        for node in nodes:
            node.start()
            stack.callback(node.stop)
            node.wait_until_ready()
            visitors.append(stack.enter_context(node.visitor()))
        ann, bob = visitors
        table = bring(ann, saved())
        key = ann.get(f"/api/tables/{table}/links").json()["spectator"]
        assert ann.get(f"/api/tables/{table}/review").status_code == 202
        until(lambda: asyncio.run(leases(postgres_database)) == [f"review {table}"])
        for _ in range(5):
            assert bob.get(f"/api/tables/{table}/review", key=key).status_code == 202
        nodes[0].kill()

        def ask() -> httpx.Response | None:
            answer = bob.get(f"/api/tables/{table}/review", key=key)
            return None if answer.status_code == 202 else answer

        assert msgspec.json.decode(until(ask).content, type=Review).playouts == 1
        until(lambda: asyncio.run(leases(postgres_database)) == [])


async def leases(database: str) -> list[str]:
    """What nodes are at; a row of no node is what readiness is tried with."""
    async with administrator(database) as connection:
        return [name for (name,) in await connection.fetch("SELECT name FROM leases WHERE node <> '' ORDER BY name")]


def test_a_review_gives_way_to_bots_that_think_for_people_who_wait() -> None:
    def niceness() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    before = niceness()
    with ThreadPoolExecutor(1, initializer=reviews.give_way, initargs=(reviews.NICENESS,)) as thread:
        expected = min(before + reviews.NICENESS, LEAST_PRIORITY) if sys.platform == "linux" else before
        assert thread.submit(niceness).result() == expected
    assert niceness() == before
