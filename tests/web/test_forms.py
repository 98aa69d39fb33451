"""What pages' forms do, as a browser without a script sends them; the games themselves are in tests/browser."""

import html
import re
from typing import Any

import httpx
import pytest
from msgspec import convert

import nevel
from nevel.game.registry import all_games
from nevel.languages import LANGUAGES
from nevel.web.pages.terms import Terms, read_options, with_options
from nevel.web.services.records import LARGEST
from tests.web.serving import Visitor, receive, send, two_at_a_table
from tests.web.test_api import problem
from tests.web.test_records import played, unfinished
from tests.web.test_silence import known, say

#: What a browser without a script asks for.
LOOKING = {"accept": "text/html"}


def press(visitor: Visitor, path: str, **fields: Any) -> httpx.Response:
    """Send a form; gives the page one comes to."""
    return visitor.client.post(path, data=fields, headers=LOOKING, follow_redirects=True)


def seen(visitor: Visitor, path: str, **fields: Any) -> str:
    """Send a form that has to work; gives what there is to read then."""
    response = press(visitor, path, **fields)
    assert response.status_code == 200, response.text
    return html.unescape(response.text)


def look(visitor: Visitor, path: str, **query: Any) -> str:
    """A page, as it reads."""
    response = visitor.client.get(path, params=query or None, headers=LOOKING)
    assert response.status_code == 200, response.text
    return html.unescape(response.text)


def refused(response: httpx.Response, status: int, words: str) -> None:
    assert response.status_code == status, response.text
    assert response.headers["content-type"].startswith("text/html")
    assert words in html.unescape(response.text)


def bring(visitor: Visitor, content: bytes) -> httpx.Response:
    files = {"file": ("game.json", content, "application/json")}
    return visitor.client.post("/open", files=files, headers=LOOKING, follow_redirects=True)


# ---------------------------------------------------------------- files


def test_a_record_is_opened_from_a_file(ann: Visitor, bob: Visitor) -> None:
    table = played(ann, bob)
    record = ann.get(f"/api/tables/{table}/export").content
    page = bring(bob, record)
    assert page.status_code == 200
    assert str(page.url.path).startswith("/tables/")
    assert 'data-phase="over"' in page.text
    # Half of it can be gone on with.
    half = nevel.save(unfinished())
    page = bring(bob, half.encode())
    assert 'data-phase="open"' in page.text


def test_what_is_no_game_is_refused_on_a_page(ann: Visitor) -> None:
    refused(bring(ann, b"GIF89a\xff\xfe\x00"), 400, "This is not a saved game")
    refused(bring(ann, b"\xff\xfe{}"), 400, "This is not a saved game")
    refused(bring(ann, b'{"box": ' + b"[" * 100_000), 400, "This is not a saved game")
    refused(bring(ann, b'{"names": ["\\u0000"]}'), 400, "This request isn't valid")
    refused(bring(ann, b""), 400, "Choose a file first")
    refused(press(ann, "/open", file="game.json"), 400, "Choose a file first")
    for kind in ("multipart/form-data", "multipart/form-data; boundary=é", "text/plain; charset=utf-64", "", "é"):
        headers = {**LOOKING, "content-type": kind.encode()}
        response = ann.client.post("/open", content=b"--\r\n\r\nboundary", headers=headers)
        refused(response, 400, "Choose a file first")


@pytest.mark.parametrize("size", [LARGEST, 5_000_000])
def test_a_file_that_is_too_large_is_refused_on_a_page(ann: Visitor, size: int) -> None:
    refused(bring(ann, b" " * (size + 5000)), 413, f"at most {LARGEST} bytes")


def test_the_page_of_a_game_that_is_over_gives_its_record(ann: Visitor, bob: Visitor) -> None:
    table = played(ann, bob)
    page = look(ann, f"/tables/{table}")
    assert f'href="/api/tables/{table}/export"' in page
    assert f"nevel verify nevel-misty-{table}.json" in page
    key = ann.get(f"/api/tables/{table}/links").json()["spectator"]
    with ann.serving.visitor() as friend:
        page = look(friend, f"/tables/{table}", key=key)
        assert f'href="/api/tables/{table}/export?key={key}"' in page
        assert friend.get(f"/api/tables/{table}/export", key=key).status_code == 200


# ---------------------------------------------------------------- other people


def test_somebody_is_muted_blocked_and_met_again(ann: Visitor, bob: Visitor) -> None:
    known(bob, "Bob")
    table = two_at_a_table(ann, bob)
    say(bob, table, "good morning")
    there = f"/tables/{table}/somebody?seat=1"
    assert there in look(ann, f"/tables/{table}")
    assert f"/tables/{table}/somebody?said=0" in look(ann, f"/tables/{table}")
    assert f"/tables/{table}/somebody?seat=0" not in look(ann, f"/tables/{table}"), "oneself"
    screen = ann.get(f"/api/tables/{table}/links").json()["screen"]
    assert "/somebody" not in look(ann, f"/tables/{table}", key=screen)
    for whom in ({"seat": 1}, {"said": 0}):
        assert "good morning" in look(ann, f"/tables/{table}")
        assert "You have muted this player at this table." in seen(ann, f"/tables/{table}/mute", **whom)
        assert "good morning" not in look(ann, f"/tables/{table}")
        assert "good morning" in look(bob, f"/tables/{table}")
        assert "You have muted this player" not in seen(ann, f"/tables/{table}/unmute", **whom)
        assert "You have blocked this player" in seen(ann, f"/tables/{table}/block", **whom)
        assert "good morning" not in look(ann, f"/tables/{table}")
        assert "Bob" in look(ann, "/me")
        assert "You have blocked this player" not in seen(ann, f"/tables/{table}/unblock", **whom)
    press(ann, f"/tables/{table}/block", seat=1)
    alias = ann.get("/api/me/blocked").json()[0]["id"]
    public = bob.open(is_public=True)
    assert public not in look(ann, "/")
    for _ in range(2):  # a double click
        assert "Bob" not in seen(ann, "/me/unblock", id=alias)
    assert public in look(ann, "/")


def test_what_cant_be_done_to_people_is_said_at_the_table(ann: Visitor, bob: Visitor) -> None:
    table = two_at_a_table(ann, bob, bots=1, game="the-game")
    for path in ("mute", "block", "unmute", "unblock"):
        refused(press(ann, f"/tables/{table}/{path}", seat=0), 400, "You can't mute or block yourself.")
        refused(press(ann, f"/tables/{table}/{path}", seat=2), 400, "That player can't be found.")
        refused(press(ann, f"/tables/{table}/{path}"), 400, "That player can't be found.")
    refused(ann.client.get(f"/tables/{table}/somebody", params={"seat": 2}), 400, "nobody")
    key = ann.get(f"/api/tables/{table}/links").json()["chair"]
    with ann.serving.visitor() as other_device:
        page = other_device.client.get(f"/tables/{table}/somebody", params={"seat": 1, "key": key})
        refused(page, 403, "A chair's link")


def test_the_host_hands_over_and_empties_chairs(ann: Visitor, bob: Visitor) -> None:
    table = ann.open(chairs=3)
    key = ann.invitation(table)
    bob.ask(table, "sit", key=key)
    theirs = look(ann, f"/tables/{table}/somebody", seat=1)
    assert "/kick" in theirs
    assert "/make-host" in theirs
    assert "/kick" not in look(bob, f"/tables/{table}/somebody", seat=0)
    refused(press(bob, f"/tables/{table}/kick", chair=0), 403, "Only the host")
    press(ann, f"/tables/{table}/kick", chair=1)
    bob.ask(table, "sit", key=ann.invitation(table))
    press(ann, f"/tables/{table}/seat-bot", level="casual")
    press(ann, f"/tables/{table}/start")
    # While a game is played, too.
    theirs = look(ann, f"/tables/{table}/somebody", seat=1)
    assert "/kick" not in theirs
    assert "/make-host" in theirs
    press(ann, f"/tables/{table}/make-host", chair=1)
    assert bob.look(table)["you"]["is_host"]
    assert "/make-host" not in look(ann, f"/tables/{table}/somebody", seat=1)


# ---------------------------------------------------------------- oneself


def test_a_programs_token_is_made_shown_once_used_and_taken_back(ann: Visitor) -> None:
    known(ann, "Ann")
    page = seen(ann, "/me/tokens", label="My <b>bot</b>")
    found = re.findall(r"nvl_[\w-]+", page)
    assert len(set(found)) == 1
    assert "My <b>bot<" in page
    assert "never used" in page
    assert "nvl_" not in look(ann, "/me")
    token = {"authorization": f"Bearer {found[0]}"}
    with ann.serving.visitor(**token) as program:
        assert program.get("/api/me").json()["name"] == "Ann"
        assert "last used on" in look(ann, "/me")
        refused(press(ann, "/me/tokens", label="\u200b"), 400, "A name needs 1 to")
        identifier = ann.get("/api/me/tokens").json()[0]["id"]
        for _ in range(2):  # a double click
            assert "My <b" not in seen(ann, "/me/tokens/revoke", id=identifier)
        assert program.get("/api/me").status_code == 401


def test_nobodys_page_offers_a_name_alone(stranger: Visitor) -> None:
    assert "/me/tokens" not in look(stranger, "/me")
    refused(press(stranger, "/me/tokens/revoke", id="x"), 401, "We don't know who you are")
    refused(press(stranger, "/me/unblock", id="x"), 401, "We don't know who you are")


@pytest.mark.parametrize("code", LANGUAGES)
def test_all_of_it_in_every_language(ann: Visitor, bob: Visitor, code: str) -> None:
    ann.client.put("/api/me", json={"language": code})
    table = two_at_a_table(ann, bob)
    press(ann, f"/tables/{table}/block", seat=1)
    press(ann, "/me/tokens", label="x")
    for path in ("/", "/me", f"/tables/{table}/somebody?seat=1", f"/tables/{table}"):
        page = look(ann, path)
        assert f'<html lang="{code}"' in page
        # What a script fills in stands in attributes of its own.
        assert "{" not in re.sub(r' data-[a-z-]+="[^"]*"', "", page), "something wasn't filled in"


# ---------------------------------------------------------------- the waiting room


def test_the_host_changes_how_to_play_until_the_start(ann: Visitor, bob: Visitor) -> None:
    table = ann.open("the-game", 2, is_public=True)
    bob.ask(table, "sit")
    seq = ann.look(table)["seq"]
    variants = {"minimum": 3, "fewer_cards": 1, "open_tricks": 1}
    terms = {"pace": "live", "seconds": 30, "reserve": 60, "stand_in": "strong", **variants}
    page = seen(ann, f"/tables/{table}/set-terms", **terms, seq=seq)
    assert "Live: 30 seconds per decision, 60 in reserve" in page
    view = bob.look(table)
    assert view["options"] == variants
    assert view["stand_in"] == "strong"
    assert "Live: 30 seconds per decision" in look(bob, f"/tables/{table}")
    assert 'id="terms"' not in look(bob, f"/tables/{table}")
    refused(press(bob, f"/tables/{table}/set-terms", **terms), 403, "Only the host")
    # A page from before; what isn't ticked isn't sent.
    refused(press(ann, f"/tables/{table}/set-terms", minimum=2, seq=seq), 409, "choose again")
    seen(ann, f"/tables/{table}/set-terms", minimum=3, seq=view["seq"])
    assert ann.look(table)["options"] == {"minimum": 3, "fewer_cards": 0, "open_tricks": 0}
    assert ann.look(table)["pace"] == {}
    refused(press(ann, f"/tables/{table}/set-terms", pace="live", seconds=1), 400, "5 to 600 seconds")
    refused(press(ann, f"/tables/{table}/set-terms", pace="hasty"), 400, "This request isn't valid")
    refused(press(ann, f"/tables/{table}/set-terms", minimum=7), 400, "choose from 2, 3")
    press(ann, f"/tables/{table}/start")
    refused(press(ann, f"/tables/{table}/set-terms", minimum=2), 409, "already started")


def test_terms_over_the_api_and_the_socket(ann: Visitor, bob: Visitor) -> None:
    table = ann.open("misty", 2, is_public=True)
    known(bob)
    with bob.socket(table) as his, ann.socket(table) as hers:
        receive(his)
        receive(hers)
        assert ann.ask(table, "set-terms", {"options": {"beginners": 1}})["options"] == {"beginners": 1}
        assert receive(his)["view"]["options"] == {"beginners": 1}
        pace = {"kind": "correspondence", "seconds": 172800}
        assert send(hers, "set-terms", pace=pace)["type"] == "done"
        assert receive(his)["view"]["pace"] == pace
        assert send(his, "set-terms", pace={})["problem"]["status"] == 403
    problem(ann.post(f"/api/tables/{table}/set-terms", {"options": {"beginners": 0}, "seq": 1}), 409, "stale")
    problem(ann.post(f"/api/tables/{table}/set-terms", {"options": {"ended": 1}}), 400, "malformed")


def test_a_game_that_was_brought_along_keeps_its_variants(ann: Visitor) -> None:
    page = bring(ann, nevel.save(unfinished()).encode())
    assert 'name="beginners"' not in page.text
    assert "Live: 45 seconds" in seen(ann, f"{page.url.path}/set-terms", pace="live")


@pytest.mark.parametrize(
    ("path", "back"),
    [
        ("/puzzles/the-game-endgame/1?moves=", "/puzzles/the-game-endgame/1?moves="),
        ("/tables/nowhere?key=abc&chair=1", "/tables/nowhere?key=abc&chair=1"),
    ],
)
def test_another_language_is_chosen_where_one_is(ann: Visitor, path: str, back: str) -> None:
    """With everything in the address: a spectator's key, a puzzle's moves."""
    page = html.unescape(ann.client.get(path, headers=LOOKING).text)
    assert page.count(f'name="back" value="{back}"') == 2


@pytest.mark.parametrize(
    ("path", "back"),
    [("/open", "/"), ("/me/tokens", "/me"), ("/tables/nowhere/play?key=abc", "/tables/nowhere?key=abc")],
)
def test_another_language_is_chosen_where_a_form_was_refused(ann: Visitor, path: str, back: str) -> None:
    page = press(ann, path, label="")
    assert page.status_code >= 400
    assert html.unescape(page.text).count(f'name="back" value="{back}"') == 2


def test_a_chair_of_the_next_game_is_kept_for_somebody_by_name(ann: Visitor, bob: Visitor) -> None:
    known(bob, "Bob")
    table = played(ann, bob)
    again = ann.post(f"/api/tables/{table}/rematch").json()["table"]
    assert ann.look(again)["chairs"][1]["name"] == "Bob"
    assert "kept for Bob" in look(ann, f"/tables/{again}")
    with ann.socket(again) as hers:
        assert receive(hers)["view"]["chairs"][1]["name"] == "Bob"
        bob.client.put("/api/me", json={"name": "Robert"})
        assert receive(hers)["view"]["chairs"][1]["name"] == "Robert"
    # Who has left for good isn't named any more.
    bob.client.delete("/api/me")
    assert "kept for somebody" in look(ann, f"/tables/{again}")
    assert ann.look(again)["chairs"][1]["name"] is None


def test_forms_have_a_field_for_every_option_of_every_game() -> None:
    wanted = {option.name for spec in all_games().values() for option in spec.vocabulary.options}
    fields = set(with_options(Terms).__struct_fields__) - set(Terms.__struct_fields__)
    assert fields == wanted
    read = convert({"beginners": "1"}, with_options(Terms), strict=False)
    assert read_options(read, "misty") == {"beginners": 1}
