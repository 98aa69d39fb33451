"""Somebody's games in figures: quick, for themselves alone, shared by a link if they like, gone when they say so."""

import asyncio
from typing import Any

import msgspec
import pytest

from nevel.games.what_the_fog.forecasts import Prediction
from nevel.languages import LANGUAGES
from nevel.tables.storage.schema import Append, Row, Solved, StoredReview, Summary
from nevel.tables.storage.storage import Storage
from tests.web.serving import Serving, Visitor, two_at_a_table
from tests.web.test_api import problem
from tests.web.test_records import played

PATH = "/api/me/statistics"


def record(visitor: Visitor) -> dict[str, Any]:
    answer = visitor.get(PATH)
    assert answer.status_code == 200, answer.text
    return answer.json()


def person(visitor: Visitor) -> str:
    return visitor.get("/api/me").json()["id"]


async def fill(storage: Storage, who: str, count: int) -> None:
    """Finished games of somebody, every other one won and reviewed."""
    for number in range(count):
        name, game = f"{who[:8]}-{number}", ("misty", "the-game", "what-the-fog")[number % 3]
        winners = [0] if number % 2 == 0 else [1]
        details = {
            "chairs": [{"person": who, "level": None}, {"person": None, "level": "casual"}],
            "options": {},
            "pace": {"kind": "relaxed"},
            "outcome": {
                "clause": "MI-E1",
                "points": [-number if game == "the-game" else number, 5],
                "winners": winners,
            },
        }
        # Predictions are kept of the game that has them.
        predicted = [Prediction(1, 9, 2, 2, 3, 0.5, 1.5), Prediction(2, 30, 3, 1, -2, 0.25, 0.5)]
        predictions = msgspec.json.encode([predicted, []] if game == "what-the-fog" else []).decode()
        text = msgspec.json.encode(details).decode()
        summary = Summary(name, game, "over", False, 1000 + number, 2000 + number, 2, 2, who, text)
        row = Row(name, 0, 1000, '{"fact": "closed"}')
        assert await storage.append(Append((row,), summary, (who,), None, "secret"))
        if number % 2 == 0:
            await storage.save_review(
                StoredReview(name, 1, 10, 3000, f"[{50 + number % 50}.5, null]", predictions, "{}")
            )


def filled(serving: Serving, visitor: Visitor, count: int) -> None:
    storage = serving.app.state.site.storage
    asyncio.run_coroutine_threadsafe(fill(storage, person(visitor), count), storage.writer.loop).result(120)


def test_finished_games_are_counted_for_those_who_sat_there(ann: Visitor, bob: Visitor, stranger: Visitor) -> None:
    table = played(ann, bob, "misty")
    outcome = ann.look(table)["outcome"]
    for chair, visitor in enumerate((ann, bob)):
        (game,) = record(visitor)["games"]
        assert (game["table"], game["game"], game["chair"], game["chairs"]) == (table, "misty", chair, 3)
        assert game["is_won"] == (chair in outcome["winners"])
        assert game["points"] == outcome["points"][chair]
        assert game["accuracy"] is None
    problem(stranger.get(PATH), 401, "unknown-person")
    person(stranger)
    assert record(stranger)["games"] == []
    assert record(stranger)["link"] is None
    # Looking at a game isn't playing it, nor is going on with it.
    text = ann.get(f"/api/tables/{table}/export").content
    stranger.client.post("/api/tables/import", content=text)
    assert record(stranger)["games"] == []
    # A running game isn't counted yet.
    two_at_a_table(ann, bob)
    assert len(record(ann)["games"]) == 1


def test_hundreds_of_games_are_counted_with_their_accuracies(serving: Serving, ann: Visitor) -> None:
    filled(serving, ann, 500)
    games = record(ann)["games"]
    assert len(games) == 500
    assert [game["at"] for game in games] == sorted((game["at"] for game in games), reverse=True)
    assert sum(game["is_won"] for game in games) == 250
    assert sum(game["accuracy"] is not None for game in games) == 250
    # A sixth of them are games of What the Fog?! that were reviewed.
    predictions = record(ann)["predictions"]
    assert (predictions["games"], predictions["all"]["made"], predictions["all"]["hits"]) == (83, 166, 83)
    assert predictions["all"]["points"] == 83
    assert "/puzzles" not in ann.get("/me/statistics").text.partition("<main")[2]
    storage = serving.app.state.site.storage
    solving = storage.add_solved(person(ann), Solved("misty", 1, 5000, 2))
    asyncio.run_coroutine_threadsafe(solving, storage.writer.loop).result(120)
    page = ann.get("/me/statistics")
    assert page.status_code == 200
    assert "/puzzles" in page.text.partition("<main")[2]
    assert page.text.count('class="mark"') == 250


def test_others_see_them_by_a_link_and_only_as_long_as_one_likes(
    serving: Serving, ann: Visitor, stranger: Visitor
) -> None:
    filled(serving, ann, 4)
    ann.client.put("/api/me", json={"name": "<Ann>"})
    assert record(ann)["link"] is None
    assert ann.client.put(PATH, json={"is_public": True}).status_code == 200
    link = record(ann)["link"]
    assert ann.client.put(PATH, json={"is_public": True}).json()["link"] == link
    shown = stranger.get(f"/statistics/{link}")
    assert shown.status_code == 200
    assert "&lt;Ann&gt;" in shown.text
    assert "/me/statistics/delete" not in shown.text
    assert "/tables/" not in shown.text, "the tables themselves are nobody else's"
    ann.client.put(PATH, json={"is_public": False})
    assert stranger.get(f"/statistics/{link}").status_code == 404
    ann.client.put(PATH, json={"is_public": True})
    assert record(ann)["link"] != link
    for nowhere in ("x", "x" * 5000, "%00", "é"):
        assert stranger.get(f"/statistics/{nowhere}").status_code == 404
    problem(ann.client.put(PATH, json={"is_public": 7}), 400, "malformed")


def test_deleted_figures_begin_anew(serving: Serving, ann: Visitor, bob: Visitor, stranger: Visitor) -> None:
    filled(serving, ann, 3)
    ann.client.put(PATH, json={"is_public": True})
    link = record(ann)["link"]
    table = played(ann, bob)
    assert len(record(ann)["games"]) == 4
    assert ann.client.delete(PATH).status_code == 204
    assert (record(ann)["games"], record(ann)["link"]) == ([], None)
    assert stranger.get(f"/statistics/{link}").status_code == 404
    assert len(record(bob)["games"]) == 1
    # What happens at an old table doesn't bring it back; a new one counts.
    again = ann.post(f"/api/tables/{table}/rematch").json()["table"]
    assert record(ann)["games"] == []
    assert ann.look(again)["phase"] == "open"
    played(ann, bob)
    assert len(record(ann)["games"]) == 1
    everything = ann.get("/api/me/export").json()
    assert everything["statistics"] == record(ann)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_page_works_as_plain_forms(serving: Serving, ann: Visitor, code: str) -> None:
    assert ann.get("/me/statistics").status_code == 200
    filled(serving, ann, 5)
    ann.client.put("/api/me", json={"language": code})
    ann.client.post("/me/statistics", data={"is_public": "true"}, follow_redirects=True)
    link = record(ann)["link"]
    assert link in ann.get("/me/statistics").text
    ann.client.post("/me/statistics", data={"is_public": "false"}, follow_redirects=True)
    assert record(ann)["link"] is None
    assert len(record(ann)["games"]) == 5
    done = ann.client.post("/me/statistics/delete", data={}, follow_redirects=True)
    assert done.status_code == 200
    assert record(ann)["games"] == []
