"""What could be known, in replays: right, for the seat asked for, and only when the game is over."""

import re
from html import unescape
from typing import Any

import pytest

import nevel
from nevel.game.event import Teller
from nevel.game.game import Game
from nevel.games.misty.words import MistyView
from nevel.languages import LANGUAGES, language
from nevel.study.forecasts import add_up, predictions_of
from nevel.study.mist import Mist, look_into
from nevel.web.pages.study.forecasts import draw_forecasts
from nevel.web.pages.study.mist import draw_mist, say_share, spans
from nevel.web.rendering.templates import templates
from tests.own_games import OWN_GAMES
from tests.web.serving import Serving, Visitor, two_at_a_table

TELLER = Teller(language("en"), ("Ann", "Bob", "Cid"))


@pytest.fixture(scope="module")
def finished() -> dict[str, Game]:
    """A game of each kind, played to its end by whoever answers first."""
    played = dict[str, Game]()
    for name in OWN_GAMES:
        game = nevel.new(name, seats=2, seed=4)
        while not game.is_over:
            prompt = game.prompts()[0]
            game.play(prompt.seat, prompt.moves[0])
        played[name] = game
    return played


def bring(visitor: Visitor, game: Game) -> str:
    response = visitor.client.post(
        "/api/tables/import", content=nevel.save(game), headers={"content-type": "application/json"}
    )
    assert response.status_code == 201, response.text
    return response.json()["view"]["table"]


def panel(visitor: Visitor, table: str, **query: Any) -> str:
    response = visitor.get(f"/tables/{table}/replay", **query)
    assert response.status_code == 200
    found = re.search(r'<section class="panel mist".*?</section>', response.text, re.DOTALL)
    assert found
    return unescape(found[0])


def warm(visitor: Visitor, table: str) -> None:
    """Wait until the server has got everything ready: until then it says so, each time after some seconds."""
    assert any("<table" in panel(visitor, table, seat=0, at=1) for _ in range(60))


@pytest.mark.parametrize("name", OWN_GAMES)
def test_a_replay_shows_what_the_seat_could_know(ann: Visitor, finished: dict[str, Game], name: str) -> None:
    game = finished[name]
    table = bring(ann, game)
    warm(ann, table)
    at = len(game.log) // 2
    seen = [panel(ann, table, seat=seat, at=at) for seat in (0, 1)]
    assert seen[0] != seen[1]
    for seat in (0, 1):
        then = game.rewind(at)
        mist = look_into(then.knowledge(seat), name)
        for card in mist.cards:
            said = say_share(card.likelihood[0], TELLER)
            assert said in seen[seat]
        drawn = draw_mist(mist, then, TELLER)
        for row in drawn["rows"]:
            assert f'<th scope="row">{row["name"]}</th>' + "".join(f"<td>{s}</td>" for s in row["shares"]) in seen[seat]
    assert panel(ann, table, seat=0, at=at) == seen[0], "the second time it is remembered"


def test_nothing_is_guessed_with_everything_open_or_at_the_end(ann: Visitor, finished: dict[str, Game]) -> None:
    table = bring(ann, finished["misty"])
    warm(ann, table)
    open_to_all = panel(ann, table, at=3)
    assert "misted" not in open_to_all
    assert f'href="/tables/{table}/replay?seat=1&at=3"' in open_to_all
    over = panel(ann, table, seat=0, at=len(finished["misty"].log))
    assert "nothing is left to guess" in over
    assert "<table" not in over


@pytest.mark.parametrize("code", LANGUAGES)
def test_in_every_language(serving: Serving, finished: dict[str, Game], code: str) -> None:
    with serving.visitor(**{"Accept-Language": code}) as visitor:
        table = bring(visitor, finished["what-the-fog"])
        warm(visitor, table)
        shown = panel(visitor, table, seat=1, at=20)
        spoken = language(code)
        assert spoken.say("What could be known") in shown
        assert spoken.say("Deck") in shown


def test_a_game_that_is_played_has_no_replay(ann: Visitor, bob: Visitor) -> None:
    table = two_at_a_table(ann, bob, "what-the-fog")
    for query in ({}, {"seat": 0}, {"seat": 1, "at": 0}):
        response = ann.get(f"/tables/{table}/replay", **query)
        assert response.status_code == 409
        assert "misted" not in response.text


def test_there_are_only_so_many_chairs(ann: Visitor, finished: dict[str, Game]) -> None:
    table = bring(ann, finished["the-game"])
    assert ann.get(f"/tables/{table}/replay", seat=2, at=1).status_code == 400
    assert ann.get(f"/tables/{table}/replay", seat=9, at=1).status_code == 400


def test_what_isnt_certain_isnt_written_as_certain() -> None:
    assert [say_share(share, TELLER) for share in (0, 0.001, 0.25, 0.999, 1)] == [
        "0%",
        "<1%",
        "25%",
        ">99%",
        "100%",
    ]
    assert spans([2, 3, 4, 7, 9, 10]) == "2–4, 7, 9–10"


def test_numbers_say_where_they_are() -> None:
    """Every number once: laid, in the hand looked at, or hidden; a number surely with somebody is seen clearly."""
    game = nevel.new("the-game", seats=2, seed=9)
    game.play(0, "start")
    game.play(0, game.prompts()[0].moves[0])
    game.play(1, "hint up1 leave!")
    mist = look_into(game.knowledge(0), "the-game")
    drawn = draw_mist(mist, game, TELLER)["numbers"]
    assert [one["number"] for one in drawn] == list(range(2, 100))
    looks = [one["look"] for one in drawn]
    assert looks.count("own") == game.state.held[0]
    assert looks.count("laid") == 1
    top = int(game.state.tops[0])
    near = next(one for one in drawn if one["number"] > top and one["look"] == "hidden")
    far = drawn[-1] if drawn[-1]["look"] == "hidden" else drawn[-2]
    assert near["veil"] < far["veil"]
    assert "Bob" in near["says"]


def test_a_known_hand_is_clear(finished: dict[str, Game]) -> None:
    """In Misty with two players, everything that has been passed once is known to both."""
    game = finished["misty"]
    at = next(at for at in range(len(game.log)) if game.rewind(at).state.passes == 1)
    then = game.rewind(at)
    mist: Mist = look_into(then.knowledge(0), "misty")
    hand = draw_mist(mist, then, TELLER)["hands"][0]
    assert hand["is_known"]
    seen = then.view(1)
    assert isinstance(seen, MistyView)
    held = seen.hand or {}
    assert {card["id"]: card["expected"] for card in hand["cards"]} == {card: str(held[card]) for card in held}
    assert all(card["veil"] == 0 and card["ink"] == 1 for card in hand["cards"])


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_forecasters_record_is_drawn(finished: dict[str, Game], code: str) -> None:
    record = add_up([predictions_of(finished["what-the-fog"], 0)])
    drawn = draw_forecasts(record, language(code))
    page = templates(code).render("forecasts.html", forecasts=drawn)
    assert '<desc id="forecasts-words">' in page
    assert page.count('class="missed"') == max(record.by_prediction) + 1
    for row in drawn["rows"]:
        assert f'<th scope="row">{row["predicted"]}</th><td>{row["made"]}</td><td>{row["hits"]}</td>' in page
    for one, tally in zip(
        [column for column in drawn["columns"] if column["text"]], record.by_prediction.values(), strict=True
    ):
        assert one["text"] == f"{tally.hits}/{tally.made}"
        assert one["hits"] <= one["made"] <= drawn["height"]
    empty = templates(code).render("forecasts.html", forecasts=draw_forecasts(add_up([]), language(code)))
    assert "<svg" not in empty
