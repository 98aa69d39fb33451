"""The JSON API: people, tokens, links, commands, talk, and what is refused."""

import json
import sqlite3
import time
from typing import Any

import httpx
import pytest

from nevel.languages import LANGUAGES, language
from nevel.tables.domain.dealing import digest
from nevel.tables.runtime.room import milliseconds
from nevel.tables.storage.database import NOT_STORED, StorageError
from nevel.web.people.people import DAY
from nevel.web.server.logs import JsonFormatter
from tests.rulebooks import CLAUSES
from tests.web.serving import Serving, Visitor, two_at_a_table


def problem(response: httpx.Response, status: int, name: str) -> dict[str, Any]:
    """A response that is a problem document of this name."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    document = response.json()
    assert document["type"] == f"/problems/{name}"
    assert document["status"] == status
    assert document["title"]
    assert document["detail"]
    return document


# ---------------------------------------------------------------- people


def test_somebody_new_gets_a_name_and_a_cookie_they_keep(ann: Visitor) -> None:
    first = ann.get("/api/me")
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Path=/" in cookie
    assert "Secure" not in cookie
    again = ann.get("/api/me")
    assert "set-cookie" not in again.headers
    assert again.json() == first.json()
    assert first.json()["name"]


def test_the_cookie_is_secure_over_https(serving: Serving) -> None:
    with serving.visitor(**{"X-Forwarded-Proto": "https"}) as one:
        assert "Secure" in one.get("/api/me").headers["set-cookie"]


def test_a_forged_cookie_is_nobodys(ann: Visitor, stranger: Visitor) -> None:
    person = ann.get("/api/me").json()["id"]
    for forged in (f"{person}.", f"{person}.AAAA", person, "é", "." * 100):
        response = stranger.client.get("/api/me/export", headers=[(b"Cookie", f"nevel={forged}".encode())])
        problem(response, 401, "unknown-person")


def test_people_choose_their_name_and_language(ann: Visitor) -> None:
    ann.get("/api/me")
    changed = ann.client.put("/api/me", json={"name": "  Ann   de Wit ", "language": "nl"}).json()
    assert (changed["name"], changed["language"]) == ("Ann de Wit", "nl")
    for wrong in ({"name": ""}, {"name": "x" * 40}, {"name": "\u202e"}, {"language": "tlh"}, {"nom": "Ann"}):
        problem(ann.client.put("/api/me", json=wrong), 400, "malformed")
    assert ann.get("/api/me").json() == changed


def test_people_read_and_delete_all_that_is_known(ann: Visitor, bob: Visitor) -> None:
    table = two_at_a_table(ann, bob)
    ann.post(f"/api/tables/{table}/say", {"text": "Good luck!"})
    ann.post("/api/me/tokens", {"label": "my program"})
    known = ann.get("/api/me/export").json()
    assert [message["text"] for message in known["messages"]] == ["Good luck!"]
    assert [token["label"] for token in known["tokens"]] == ["my program"]
    assert [one["table"] for one in known["tables"]] == [table]
    cookie = ann.cookie
    assert ann.client.delete("/api/me").status_code == 204
    chair = bob.look(table)["chairs"][0]
    assert (chair["name"], chair["kind"]) == (None, "stood-in")
    assert bob.look(table)["you"]["is_host"]
    problem(bob.client.get("/api/me/export", headers=cookie), 401, "unknown-person")


def test_a_token_stands_for_its_person_until_it_is_taken_back(ann: Visitor, stranger: Visitor) -> None:
    me = ann.get("/api/me").json()
    made = ann.post("/api/me/tokens", {"label": "a bot"})
    assert made.status_code == 201
    token = made.json()["token"]
    assert token.startswith("nvl_")
    (listed,) = ann.get("/api/me/tokens").json()
    assert "token" not in listed
    stored = sqlite3.connect(ann.serving.settings.database)
    assert token not in str(stored.execute("SELECT * FROM tokens").fetchall())
    stored.close()
    stranger.client.headers["Authorization"] = f"Bearer {token}"
    assert stranger.get("/api/me").json() == me
    assert ann.get("/api/me/tokens").json()[0]["used"]
    # A program isn't a browser another site's page could use.
    stranger.client.headers["Origin"] = "https://elsewhere.example"
    stranger.open()
    assert ann.client.delete(f"/api/me/tokens/{listed['id']}").status_code == 204
    problem(ann.client.delete(f"/api/me/tokens/{listed['id']}"), 404, "not-found")
    refused = stranger.get("/api/me")
    problem(refused, 401, "unknown-person")
    assert refused.headers["www-authenticate"] == "Bearer"


# ---------------------------------------------------------------- links


def test_a_private_table_is_for_those_with_a_link(ann: Visitor, bob: Visitor, stranger: Visitor) -> None:
    table = ann.open(chairs=3)
    keys = ann.get(f"/api/tables/{table}/links").json()
    assert len(set(keys.values())) == 4
    for path in ("", "/prompt", "/links", "/chat"):
        problem(stranger.get(f"/api/tables/{table}{path}"), 404, "no-such-table")
        problem(stranger.get(f"/api/tables/{table}{path}", key="wrong"), 404, "no-such-table")
    problem(stranger.post(f"/api/tables/{table}/sit"), 404, "no-such-table")
    problem(stranger.post(f"/api/tables/{table}/sit", key=keys["spectator"]), 403, "not-allowed")
    assert stranger.look(table, key=keys["spectator"])["you"]["role"] == "spectator"
    assert stranger.look(table, key=keys["screen"])["you"]["role"] == "screen"
    assert bob.ask(table, "sit", {}, key=keys["invitation"])["you"]["chair"] == 1
    assert set(filter(None, bob.get(f"/api/tables/{table}/links").json().values())) != set(keys.values())
    assert table not in str(stranger.get("/api/tables").json())
    # At a private table somebody may take a second chair, for a friend beside them; at a public one not.
    assert bob.ask(table, "sit")["you"]["chair"] == 1
    assert bob.look(table, chair=2)["you"]["chair"] == 2


def test_a_chairs_own_link_acts_for_it_until_it_changes_hands(ann: Visitor, bob: Visitor, stranger: Visitor) -> None:
    table = ann.open()
    bob.ask(table, "sit", {}, key=ann.invitation(table))
    key = bob.get(f"/api/tables/{table}/links").json()["chair"]
    ann.ask(table, "kick", {"chair": 1})
    problem(stranger.get(f"/api/tables/{table}", key=key), 404, "no-such-table")
    bob.ask(table, "sit", {}, key=ann.invitation(table))
    problem(stranger.get(f"/api/tables/{table}", key=key), 404, "no-such-table")
    key = bob.get(f"/api/tables/{table}/links").json()["chair"]
    ann.ask(table, "start")
    view = stranger.look(table, key=key)
    assert view["you"]["chair"] == 1
    moved = stranger.ask(table, "play", {"move": view["prompt"]["moves"][0], "seq": view["seq"]}, key=key)
    assert moved["seq"] == view["seq"] + 1
    assert bob.look(table)["seq"] == moved["seq"]
    # Which doesn't make them the person everywhere else.
    assert stranger.get("/api/me").json() != bob.get("/api/me").json()


def test_a_public_table_is_listed_watched_and_joined(ann: Visitor, bob: Visitor, stranger: Visitor) -> None:
    table = ann.open("extreme", is_public=True)
    (listed,) = [one for one in bob.get("/api/tables", game="extreme").json()["tables"] if one["table"] == table]
    assert listed["host"] == ann.get("/api/me").json()["name"]
    assert [chair["is_empty"] for chair in listed["chairs"]] == [False, True]
    assert table not in str(bob.get("/api/tables", game="misty").json())
    problem(bob.get("/api/tables", game="chess"), 400, "malformed")
    assert stranger.look(table)["you"]["role"] == "spectator"
    bob.ask(table, "sit")
    problem(bob.post(f"/api/tables/{table}/sit"), 409, "taken")
    assert bob.get("/api/me/tables").json()["tables"][0]["table"] == table


# ---------------------------------------------------------------- commands


def test_the_host_arranges_the_table(ann: Visitor, bob: Visitor) -> None:
    table = ann.open("the-game", 4)
    bob.ask(table, "sit", {"chair": 2}, key=ann.invitation(table))
    problem(bob.post(f"/api/tables/{table}/start"), 403, "not-allowed")
    problem(ann.post(f"/api/tables/{table}/start"), 409, "wrong-time")
    assert ann.ask(table, "seat-bot", {"level": "beginner", "chair": 1})["chairs"][1]["level"] == "beginner"
    assert ann.ask(table, "kick", {"chair": 1})["chairs"][1]["kind"] == "empty"
    problem(ann.post(f"/api/tables/{table}/seat-bot", {"level": "genius"}), 400, "malformed")
    problem(ann.post(f"/api/tables/{table}/kick", {"chair": 9}), 400, "malformed")
    assert bob.look(table)["you"]["is_host"] is False
    ann.ask(table, "make-host", {"chair": 2})
    assert bob.look(table)["you"]["is_host"] is True
    bob.ask(table, "seat-bot", {"level": "casual"})
    assert bob.ask(table, "start")["phase"] == "playing"
    other = ann.open()
    assert ann.ask(other, "close")["phase"] == "closed"


def test_a_chair_is_taken_once_however_often_one_clicks(ann: Visitor, bob: Visitor) -> None:
    table = ann.open(chairs=4)
    key = ann.invitation(table)
    for _ in range(3):
        bob.ask(table, "sit", {"id": "click"}, key=key)
    assert [chair["kind"] for chair in bob.look(table)["chairs"]] == ["person", "person", "empty", "empty"]


def test_a_move_is_repeated_refused_and_explained(ann: Visitor, bob: Visitor) -> None:
    table = two_at_a_table(ann, bob, "the-game")
    prompt = ann.get(f"/api/tables/{table}/prompt").json()
    assert prompt["question"] == "start"
    assert prompt["sentence"]
    assert prompt["moves"][0]["text"]
    move = {"move": "start", "seq": prompt["seq"], "id": "one"}
    first, second = (ann.post(f"/api/tables/{table}/play", move) for _ in range(2))
    assert first.json() == second.json()
    early = ann.post(f"/api/tables/{table}/play", {"move": "end turn", "seq": first.json()["seq"]})
    assert problem(early, 422, "illegal-move")["clause"] == "TG-T1"
    problem(ann.post(f"/api/tables/{table}/play", {"move": "castle", "seq": first.json()["seq"]}), 400, "malformed")
    problem(bob.post(f"/api/tables/{table}/play", {"move": "start", "seq": 99, "chair": 0}), 403, "not-allowed")


def test_hints_undo_and_leaving(ann: Visitor, bob: Visitor) -> None:
    table = two_at_a_table(ann, bob, "the-game")
    ann.ask(table, "play", {"move": "start", "seq": ann.look(table)["seq"]})
    view = bob.look(table)
    assert view["prompt"] is None
    bob.ask(table, "play", {"move": view["hints"][0], "seq": view["seq"]})
    view = ann.look(table)
    view = ann.ask(table, "play", {"move": view["prompt"]["moves"][0], "seq": view["seq"]})
    assert view["undo"]["may_ask"]
    assert ann.ask(table, "undo")["undo"]["asked"] == 0
    problem(bob.post(f"/api/tables/{table}/answer-undo", {"is_agreed": True, "seq": 3}), 409, "stale")
    assert bob.ask(table, "answer-undo", {"is_agreed": True})["undo"]["asked"] is None
    assert ann.look(table)["prompt"]["moves"]
    problem(bob.post(f"/api/tables/{table}/let-bot-play", {"chair": 0}), 403, "not-allowed")
    assert bob.ask(table, "leave")["chairs"][1]["kind"] == "stood-in"
    assert bob.ask(table, "reclaim")["chairs"][1]["kind"] == "person"


def test_play_now_is_one_call(ann: Visitor) -> None:
    done = ann.post("/api/play-now", {"game": "the-game", "chairs": 1})
    assert done.status_code == 201
    assert done.json()["view"]["phase"] == "playing"
    done = ann.post("/api/play-now", {"game": "misty", "chairs": 4, "level": "beginner", "contribution": "luck"})
    assert [chair["level"] for chair in done.json()["view"]["chairs"]] == [None, "beginner", "beginner", "beginner"]
    problem(ann.post("/api/play-now", {"game": "misty", "chairs": 9}), 400, "malformed")


def test_play_now_waits_for_a_part_of_the_shuffle_if_that_is_wanted(ann: Visitor) -> None:
    view = ann.post("/api/play-now", {"game": "misty", "chairs": 3, "start": False}).json()["view"]
    assert [chair["kind"] for chair in view["chairs"]] == ["person", "bot", "bot"]
    table, part = view["table"], "drawn after the commitment was seen"
    assert (view["phase"], len(view["commitment"])) == ("open", 64)
    ann.ask(table, "promise", {"promise": digest(part)})
    assert ann.ask(table, "start")["shuffle"]["is_locked"]
    problem(ann.post(f"/api/tables/{table}/contribute", {"part": "another"}), 400, "malformed")
    assert ann.ask(table, "contribute", {"part": part})["phase"] == "playing"


def test_talk_is_refereed(ann: Visitor, bob: Visitor, stranger: Visitor) -> None:
    table = two_at_a_table(ann, bob, "the-game", is_public=True)
    said = ann.post(f"/api/tables/{table}/say", {"text": "Leave the first pile to me"}).json()
    assert (said["number"], said["chair"]) == (0, 0)
    assert (
        problem(bob.post(f"/api/tables/{table}/say", {"text": "I have 42"}), 422, "chat-refused")["clause"] == "TG-H1"
    )
    problem(bob.post(f"/api/tables/{table}/say", {"text": "   "}), 400, "malformed")
    problem(stranger.post(f"/api/tables/{table}/say", {"text": "psst"}), 401, "unknown-person")
    stranger.get("/api/me")
    problem(stranger.post(f"/api/tables/{table}/say", {"text": "psst"}), 403, "not-allowed")
    bob.post(f"/api/tables/{table}/say", {"text": "Fine"})
    assert [one["text"] for one in bob.get(f"/api/tables/{table}/chat", after=0).json()["said"]] == ["Fine"]


@pytest.mark.clause("TG-H2")
def test_a_name_is_refereed_while_one_plays(ann: Visitor, bob: Visitor) -> None:
    """It is read at the table at once. Elsewhere, and where nothing is secret in numbers, it may be anything."""
    two_at_a_table(ann, bob, "misty")
    for visitor, name in ((ann, "Ann 42"), (bob, "Bob thir")):
        assert rename(visitor, name).status_code == 200
    table = two_at_a_table(ann, bob, "the-game")
    for name in ("Ann 43", "Forty-three", "quarante-trois", "drieënveertig"):
        refused = problem(rename(ann, name), 422, "chat-refused")
        assert refused["clause"] == "TG-H1"
    assert problem(rename(bob, "ty"), 422, "chat-refused")["clause"] == "TG-H1"
    assert ann.get("/api/me").json()["name"] == "Ann 42"
    assert rename(ann, "Ann 42").status_code == 200, "the same name as before the game"
    assert ann.client.put("/api/me", json={"language": "nl"}).status_code == 200
    assert "scheidsrechter" not in ann.client.post("/me", data={"name": "Ann 42", "language": "en"}).text
    page = ann.client.post("/me", data={"name": "Ann 43"})
    assert page.status_code == 422
    assert "can be read as a number" in page.text
    assert rename(ann, "Anna").json()["name"] == "Anna"
    assert {chair["name"] for chair in bob.look(table)["chairs"]} == {"Anna", "Bob thir"}


@pytest.mark.clause("EX-I2")
def test_nobody_takes_another_name_under_silence(ann: Visitor, bob: Visitor) -> None:
    table = silenced(ann, bob)
    for visitor in (ann, bob):
        refused = problem(rename(visitor, "Zephyr"), 422, "chat-refused")
        assert refused["clause"] == "EX-I2"
        problem(visitor.post(f"/api/tables/{table}/say", {"text": "Oh"}), 422, "chat-refused")
    name = ann.get("/api/me").json()["name"]
    assert rename(ann, name).status_code == 200


def rename(visitor: Visitor, name: str) -> Any:
    return visitor.client.put("/api/me", json={"name": name})


def silenced(ann: Visitor, bob: Visitor) -> str:
    """A table where a silence has just been played; one in two deals has none in Ann's hand."""
    for _ in range(40):
        table = two_at_a_table(ann, bob, "extreme")
        hand = ann.ask(table, "play", {"move": "start", "seq": ann.look(table)["seq"]})["board"]["hand"]
        silence = next((card for card in (14, 28) if card in hand), None)
        if silence is not None:
            ann.ask(table, "play", {"move": f"play {silence} up1", "seq": ann.look(table)["seq"]})
            if ann.look(table)["phase"] == "playing":
                return table
    raise AssertionError("nobody has a silence")


# ---------------------------------------------------------------- what is refused


def test_nonsense_is_refused_as_a_problem(ann: Visitor) -> None:
    table = ann.open()
    for body in (b"", b"{", b"[]", b'{"chair": "one"}', b'{"unknown": 1}', b'{"id": "\\u0000"}', b"\xff\xfe"):
        response = ann.client.post(f"/api/tables/{table}/kick", content=body)
        problem(response, 400, "malformed")
    problem(ann.client.post("/api/tables", content=b" " * 70_000), 413, "too-large")
    problem(ann.client.post("/api/tables", content=(b" " * 1000 for _ in range(70))), 413, "too-large")
    wrong = ann.client.delete("/api/tables")
    problem(wrong, 405, "wrong-method")
    assert set(wrong.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}
    problem(ann.get("/api/nothing"), 404, "not-found")
    problem(ann.get("/api/tables/%00"), 404, "no-such-table")
    problem(ann.get(f"/api/tables/{table}", since="soon"), 400, "malformed")
    problem(ann.get(f"/api/tables/{table}", since=2**70), 400, "malformed")


def test_problems_are_told_in_the_readers_language(ann: Visitor, bob: Visitor, serving: Serving) -> None:
    table = two_at_a_table(ann, bob, "the-game")
    seq = ann.ask(table, "play", {"move": "start", "seq": ann.look(table)["seq"]})["seq"]
    sentences = set[str]()
    for code in LANGUAGES:
        ann.client.put("/api/me", json={"language": code})
        refused = ann.post(f"/api/tables/{table}/play", {"move": "end turn", "seq": seq})
        assert refused.json()["detail"] == f"{CLAUSES['TG-T1'].sentence(language(code))} (TG-T1)"
        assert refused.headers["content-language"] == code
        sentences.add(refused.json()["detail"])
    assert len(sentences) == len(LANGUAGES)
    for accepted, code in (
        ("fr-BE,nl;q=0.5", "fr"),
        ("pl, nl;q=0.9, fr;q=0.1", "nl"),
        ("de-AT,en;q=0.5", "de"),
        ("xx", "en"),
        (";q=,", "en"),
    ):
        with serving.visitor(**{"Accept-Language": accepted}) as somebody:
            assert somebody.get("/api/tables/nowhere").headers["content-language"] == code
            assert somebody.get("/api/me").json()["language"] == code


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_another_sites_page_can_do_nothing(ann: Visitor, headers: dict[str, str]) -> None:
    ann.get("/api/me")
    body = {"game": "misty", "chairs": 2}
    problem(ann.client.post("/api/tables", json=body, headers=headers), 403, "cross-site")
    problem(ann.client.delete("/api/me", headers=headers), 403, "cross-site")
    ours = {"Origin": f"http://{ann.serving.address}", "Sec-Fetch-Site": "same-origin"}
    assert ann.client.post("/api/tables", json=body, headers=ours).status_code == 201


def test_every_answer_tells_browsers_to_be_careful(ann: Visitor) -> None:
    for response in (ann.get("/api/me"), ann.get("/api/nothing"), ann.get("/healthz")):
        policy = response.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["referrer-policy"] == "same-origin"
    assert ann.get("/api/me").headers["cache-control"] == "no-store"


def test_when_nothing_can_be_stored_people_may_look_all_the_same(ann: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    table = ann.open()
    token = ann.post("/api/me/tokens", {"label": "late"}).json()["token"]
    site = ann.serving.app.state.site
    writer = site.storage.writer.connection
    # Two days later they would be noticed again.
    monkeypatch.setattr(site.people, "clock", lambda: milliseconds() + 2 * DAY)
    writer.execute("PRAGMA query_only = ON")
    try:
        assert ann.look(table)["phase"] == "open"
        with ann.serving.visitor(Authorization=f"Bearer {token}") as program:
            assert program.look(table)["you"]["is_host"]
        assert ann.post(f"/api/tables/{table}/start").status_code == 409
        assert ann.post(f"/api/tables/{table}/seat-bot", {"level": "casual"}).status_code == 503
    finally:
        writer.execute("PRAGMA query_only = OFF")
    ann.ask(table, "seat-bot", {"level": "casual"})


def test_trouble_with_the_database_is_told_and_passes(ann: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    table = ann.open()
    storage = ann.serving.app.state.site.storage

    async def fail(_: object) -> bool:
        raise StorageError(NOT_STORED, reason="disk full")

    with monkeypatch.context() as patch:
        patch.setattr(storage, "append", fail)
        refused = ann.post(f"/api/tables/{table}/seat-bot", {"level": "casual"})
        problem(refused, 503, "storage")
        assert refused.headers["retry-after"] == "1"
    assert ann.look(table)["chairs"][1]["kind"] == "empty"
    ann.ask(table, "seat-bot", {"level": "casual"})


def test_probes_and_figures(ann: Visitor) -> None:
    ann.open()
    assert ann.get("/healthz").text == "ok"
    assert ann.get("/readyz").text == "ready"
    figures = ann.get("/metrics").text
    for name in (
        "nevel_tables ",
        "nevel_sockets ",
        "nevel_moves_total ",
        "nevel_bot_queue ",
        "nevel_command_seconds_bucket",
    ):
        assert name in figures


def test_logs_have_no_ids_or_keys(ann: Visitor, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "nevel.web"):
        table = ann.open()
        key = ann.invitation(table)
        ann.get(f"/api/tables/{table}", key=key)
        wanted = {"method": "GET", "route": "/api/tables/{table}", "status": 200}.items()
        lines, found, until = list[str](), dict[str, Any](), time.monotonic() + 30
        while not found and time.monotonic() < until:  # it is written once the answer is on its way
            lines = [JsonFormatter().format(record) for record in caplog.records if record.name == "nevel.web"]
            found = next((line for line in map(json.loads, lines) if wanted <= line.items()), {})
    assert found["ms"] > 0
    person = ann.get("/api/me").json()["id"]
    assert not any(secret in line for line in lines for secret in (table, key, person))
