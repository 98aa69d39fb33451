"""Puzzles in a browser without a script: forms, links and addresses, and what hostile ones get."""

import re
import sqlite3
from html import unescape
from urllib.parse import quote

import httpx
import pytest

from nevel.crowd.page import moves_in
from nevel.games.the_game.words import TheGameView
from nevel.languages import LANGUAGES
from nevel.study.puzzle_kind import all_kinds
from nevel.study.puzzles import Puzzle, collection, puzzle
from tests.web.serving import Visitor

ACTION = re.compile(r'<form id="play"[^>]* action="([^"]*)"')


def press(visitor: Visitor, address: str, move: str) -> httpx.Response:
    """Press what makes a move: a button, or a card and a pile."""
    if move.startswith("play "):
        _, card, pile = move.split()
        fields = {"card": card, "place": f"play * {pile}"}
    else:
        fields = {"move": move}
    return visitor.client.post(address, data=fields)


def offered(response: httpx.Response) -> list[str]:
    """What a page lets one do."""
    return moves_in(response.content)


def address_in(response: httpx.Response) -> str:
    found = ACTION.search(response.text)
    assert found
    return unescape(found[1])


def solve(visitor: Visitor, given: Puzzle) -> httpx.Response:
    """The right answer, pressed move by move; gives the page after it."""
    shown = visitor.get(f"/puzzles/{given.kind}/{given.number}")
    for move in given.answer:
        assert move in offered(shown)
        done = press(visitor, address_in(shown), move)
        assert done.status_code == 303, done.text
        shown = visitor.client.get(done.headers["location"])
        assert shown.status_code == 200
    return shown


@pytest.mark.parametrize("kind", all_kinds())
def test_a_puzzle_is_solved_without_a_script(ann: Visitor, kind: str) -> None:
    given = puzzle(kind, 2)
    shown = ann.get(f"/puzzles/{kind}/2")
    prompt = given.position().prompt(given.seat)
    assert prompt
    assert sorted(offered(shown)) == sorted(prompt.moves)
    assert 'id="verdict"' not in shown.text
    done = solve(ann, given)
    assert "Solved!" in done.text
    assert not offered(done)
    assert ann.get("/api/me/export").json()["solved"][0]["number"] == 2


@pytest.mark.parametrize("kind", all_kinds())
@pytest.mark.parametrize("code", LANGUAGES)
def test_the_answer_is_shown_step_by_step(stranger: Visitor, kind: str, code: str) -> None:
    given = puzzle(kind, 5)
    stranger.client.headers["accept-language"] = code
    for step in range(len(given.answer) + 2):
        shown = stranger.get(f"/puzzles/{kind}/5", answer=step)
        assert shown.status_code == 200
        assert not offered(shown)
        assert "{" not in re.sub(r"<script.*?</script>|<svg.*?</svg>", "", shown.text, flags=re.DOTALL)
        assert "style=" not in shown.text
    assert "nevel" not in stranger.client.cookies


def test_what_is_solved_counts_once_and_is_told(ann: Visitor) -> None:
    given = puzzle("fog-predict", 7)
    for tries in (3, 4, 4):
        address = f"/puzzles/fog-predict/7?tries={tries}"
        assert press(ann, address, given.answer[0]).status_code == 303
    (solved,) = ann.get("/api/me/export").json()["solved"]
    assert (solved["kind"], solved["number"], solved["tries"]) == ("fog-predict", 7, 3)
    page = ann.get("/puzzles").text
    assert f"1 of {len(collection('fog-predict'))} solved" in page
    assert f"0 of {len(collection('fog-place'))} solved" in page
    stored = sqlite3.connect(ann.serving.settings.database)
    person = ann.get("/api/me").json()["id"]
    found = "SELECT count(*) FROM solved WHERE person = ?"
    assert stored.execute(found, (person,)).fetchone() == (1,)
    assert ann.client.delete("/api/me").status_code == 204
    assert stored.execute(found, (person,)).fetchone() == (0,)
    stored.close()


def test_a_wrong_answer_is_told_and_not_stored(stranger: Visitor) -> None:
    given = puzzle("fog-place", 1)
    wrong = given.checked.options[-1].move
    done = press(stranger, "/puzzles/fog-place/1", wrong)
    shown = stranger.client.get(done.headers["location"])
    assert "Not quite." in shown.text
    assert shown.text.count("<progress") >= len(given.checked.options)
    assert "nevel" not in stranger.client.cookies


def test_a_refused_move_is_told_beside_the_position(stranger: Visitor) -> None:
    given = puzzle("the-game-endgame", 1)
    view = given.position().view(0)
    assert isinstance(view, TheGameView)
    refused = press(stranger, "/puzzles/the-game-endgame/1", "end turn")
    assert refused.status_code == 400
    assert "(TG-T" in refused.text
    assert len(offered(refused)) == given.checked.first_moves
    for fields in (
        {},
        {"card": "5"},
        {"place": "play * up1"},
        {"move": "dance"},
        {"move": "x" * 65},
        {"card": "5", "place": ""},
    ):
        refused = stranger.client.post("/puzzles/the-game-endgame/1", data=fields)
        assert refused.status_code == 400, fields
        assert 'id="play"' in refused.text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/puzzles/misty-window/0", 404),
        ("/puzzles/misty-window/-1", 404),
        ("/puzzles/misty-window/100000", 404),
        ("/puzzles/misty-window/99999999999999999999999999", 404),
        ("/puzzles/misty-window/one", 404),
        ("/puzzles/misty-window/%D9%A1%D9%A1%D9%A1%D9%A1", 404),
        ("/puzzles/nowhere/1", 404),
        ("/puzzles/..%5C..%5Cetc/1", 404),
        ("/puzzles/misty-window/1?moves=dance", 400),
        ("/puzzles/misty-window/1?moves=,,,", 400),
        ("/puzzles/misty-window/1?moves=" + quote("move a1,") * 20, 400),
        ("/puzzles/misty-window/1?moves=" + "x" * 2000, 400),
        ("/puzzles/fog-predict/1?moves=pass,pass", 400),
        ("/puzzles/misty-window/1?moves=%00", 400),
        ("/puzzles/misty-window/1?tries=0", 400),
        ("/puzzles/misty-window/1?tries=many", 400),
        ("/puzzles/misty-window/1?answer=-1", 400),
        ("/puzzles/misty-window/1?answer=101", 400),
    ],
)
def test_addresses_that_lead_nowhere(stranger: Visitor, path: str, status: int) -> None:
    for response in (stranger.client.get(path), stranger.client.post(path, data={"move": "move a1"})):
        assert response.status_code == status, path
        assert "<main" in response.text


def test_today_is_a_puzzle(stranger: Visitor) -> None:
    today = stranger.get("/puzzles/today")
    assert today.status_code == 303
    assert stranger.client.get(today.headers["location"]).status_code == 200
    assert today.headers["location"] in stranger.get("/puzzles").text
    assert "/puzzles/today" in stranger.get("/").text


def test_every_kind_has_a_drawing(stranger: Visitor) -> None:
    shown = stranger.get("/puzzles").text
    for kind in all_kinds():
        assert f"/puzzles/{kind}/1" in shown
