"""What a link, a cookie or a token lets somebody do, and how it is taken back."""

from tests.web.serving import Visitor, receive, send, two_at_a_table
from tests.web.test_api import problem
from tests.web.test_forms import look, press, refused


def chair_key(visitor: Visitor, table: str, **query: int) -> str:
    return visitor.get(f"/api/tables/{table}/links", **query).json()["chair"]


# ---------------------------------------------------------------- the link of a chair


def test_a_chairs_link_plays_talks_and_takes_back(ann: Visitor, bob: Visitor, stranger: Visitor) -> None:
    table = two_at_a_table(ann, bob, "the-game")
    key = chair_key(ann, table)
    view = stranger.look(table, key=key)
    assert view["you"] == {"role": "player", "chair": 0, "is_host": False, "may_sit": False, "is_by_link": True}
    move = {"move": "start", "seq": view["seq"], "chair": 0}
    before = stranger.ask(table, "play", move, key=key)["board"]["hand"]
    assert ann.look(table)["you"]["is_by_link"] is False
    with stranger.socket(table, f"?key={key}") as socket:
        assert receive(socket)["view"]["board"]["hand"] == before
        assert send(socket, "say", text="hello")["type"] == "done"
        assert send(socket, "undo")["type"] == "done"
    assert ann.get(f"/api/tables/{table}/chat").json()["said"][0]["chair"] == 0


#: What a host or a person may do, and what they would have to say with it.
BEFORE = [("kick", {"chair": 1}), ("seat-bot", {"level": "casual"}), ("make-host", {"chair": 1}), ("close", {})]
BEFORE += [("set-terms", {"stand_in": "expert"}), ("start", {}), ("sit", {}), ("leave", {})]
DURING = [
    ("leave", {}),
    ("let-bot-play", {"chair": 1}),
    ("rematch", {}),
    ("mute", {"chair": 1}),
    ("block", {"chair": 1}),
]


def test_a_chairs_link_has_none_of_its_owners_other_powers(ann: Visitor, bob: Visitor, stranger: Visitor) -> None:
    table = ann.open(chairs=3)
    bob.ask(table, "sit", {}, key=ann.invitation(table))
    key = chair_key(ann, table)
    stranger.get("/api/me")
    seq = ann.look(table)["seq"]
    for command, body in BEFORE:
        problem(stranger.post(f"/api/tables/{table}/{command}", body, key=key), 403, "not-allowed")
        with stranger.socket(table, f"?key={key}") as socket:
            receive(socket)
            assert send(socket, command, **body)["problem"]["status"] == 403
        refused(press(stranger, f"/tables/{table}/{command}?key={key}", **body), 403, "The link of a chair")
    assert ann.look(table)["seq"] == seq
    ann.ask(table, "seat-bot", {"level": "casual"})
    ann.ask(table, "start")
    for command, body in DURING:
        problem(stranger.post(f"/api/tables/{table}/{command}", body, key=key), 403, "not-allowed")
    problem(stranger.get(f"/api/tables/{table}/muted", key=key), 403, "not-allowed")
    refused(stranger.client.get(f"/tables/{table}/somebody?seat=1&key={key}"), 403, "The link of a chair")
    assert set(stranger.get(f"/api/tables/{table}/links", key=key).json().values()) == {None}
    assert ann.get(f"/api/tables/{table}/muted").json() == ann.get("/api/me/blocked").json() == []
    assert ann.get("/api/me/tables").json() != stranger.get("/api/me/tables", key=key).json()


def test_a_chairs_link_acts_for_no_other_chair_of_its_owner(ann: Visitor, bob: Visitor, stranger: Visitor) -> None:
    table = ann.open("misty", 3)
    ann.ask(table, "sit", {"chair": 1})
    bob.ask(table, "sit", {}, key=ann.invitation(table))
    ann.ask(table, "start")
    key = chair_key(ann, table, chair=1)
    view = stranger.look(table, key=key, chair=0)
    assert view["you"]["chair"] == 1
    move = {"move": view["prompt"]["moves"][0], "seq": view["seq"]}
    for command, body in (("play", move), ("undo", {}), ("answer-undo", {"is_agreed": True}), ("reclaim", {})):
        problem(stranger.post(f"/api/tables/{table}/{command}", {**body, "chair": 0}, key=key), 403, "not-allowed")
    stranger.post(f"/api/tables/{table}/say", {"text": "hello"}, key=key)
    assert bob.get(f"/api/tables/{table}/chat").json()["said"][0]["chair"] == 1
    # For the owner it is no more than a way to that chair.
    assert ann.look(table, key=key)["you"] == {**ann.look(table, chair=1)["you"]}


def test_a_page_by_the_link_of_a_chair_offers_what_it_is_for(ann: Visitor, bob: Visitor, stranger: Visitor) -> None:
    table = ann.open("the-game", 2)
    bob.ask(table, "sit", {}, key=ann.invitation(table))
    key = chair_key(ann, table)
    page = look(stranger, f"/tables/{table}", key=key)
    for form in ("/start", "/leave", "/somebody", "/close", 'id="invite"'):
        assert form in look(ann, f"/tables/{table}")
        assert form not in page
    ann.ask(table, "start")
    ann.post(f"/api/tables/{table}/say", {"text": "hello"})
    bob.post(f"/api/tables/{table}/say", {"text": "hello"})
    page = look(stranger, f"/tables/{table}", key=key)
    for form in ("/play", "/say"):
        assert form in page
    for form in ("/leave", "/somebody"):
        assert form in look(ann, f"/tables/{table}")
        assert form not in page
