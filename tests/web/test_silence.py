"""Muting and blocking: who isn't heard, who doesn't sit down, and that nobody learns who anybody is."""

import json
from typing import Any

from tests.web.serving import Visitor, receive, send, two_at_a_table
from tests.web.test_api import problem


def known(visitor: Visitor, name: str = "") -> str:
    """Somebody who is somebody; gives their id."""
    if name:
        visitor.client.put("/api/me", json={"name": name})
    return visitor.get("/api/me").json()["id"]


def say(visitor: Visitor, table: str, text: str) -> dict[str, Any]:
    response = visitor.post(f"/api/tables/{table}/say", {"text": text})
    assert response.status_code == 201, response.text
    return response.json()


def heard(visitor: Visitor, table: str, **query: Any) -> list[str]:
    return [one["text"] for one in visitor.get(f"/api/tables/{table}/chat", **query).json()["said"]]


def three(ann: Visitor, bob: Visitor, eve: Visitor) -> str:
    """A public table at which three people sit."""
    table = ann.open(chairs=3, is_public=True)
    bob.ask(table, "sit")
    eve.ask(table, "sit")
    return table


def test_a_muted_person_is_heard_by_others_only(ann: Visitor, bob: Visitor, stranger: Visitor) -> None:
    known(bob, "Bob")
    table, other = three(ann, bob, stranger), ann.open(chairs=2, is_public=True)
    bob.ask(other, "sit")
    say(bob, table, "before")
    muted = ann.post(f"/api/tables/{table}/mute", {"chair": 1})
    assert muted.status_code == 201
    assert muted.json()["name"] == "Bob"
    assert ann.post(f"/api/tables/{table}/mute", {"said": 0}).json() == muted.json()
    say(bob, table, "after")
    say(bob, other, "elsewhere")
    assert heard(ann, table) == []
    assert heard(stranger, table) == heard(bob, table) == ["before", "after"]
    assert heard(ann, other) == ["elsewhere"]
    assert ann.get(f"/api/tables/{table}/muted").json() == [muted.json()]
    assert ann.get("/api/me/blocked").json() == []
    address = f"/api/tables/{table}/muted/{muted.json()['id']}"
    problem(stranger.client.delete(address), 404, "not-found")
    assert ann.client.delete(address).status_code == 204
    problem(ann.client.delete(address), 404, "not-found")
    assert heard(ann, table) == ["before", "after"]


def test_the_socket_doesnt_carry_what_one_doesnt_want_to_hear(ann: Visitor, bob: Visitor, stranger: Visitor) -> None:
    """Ann and two spectators of the same view: what is written once for all isn't sent to her who muted."""
    table = two_at_a_table(ann, bob, is_public=True)
    known(stranger)
    with ann.serving.visitor() as other:
        known(other)
        with (
            ann.socket(table) as hers,
            stranger.socket(table) as muting,
            other.socket(table) as hearing,
            bob.socket(table) as his,
        ):
            for socket in (hers, muting, hearing, his):
                receive(socket)
            assert send(his, "say", text="one")["type"] == "done"
            for socket in (hers, muting, hearing):
                frame = receive(socket)
                assert [said["text"] for said in frame["said"]] == ["one"]
            number = frame["said"][0]["number"]
            for visitor in (ann, stranger):
                assert visitor.post(f"/api/tables/{table}/mute", {"said": number}).status_code == 201
            assert send(his, "say", text="two")["type"] == "done"
            assert send(hers, "say", text="three")["type"] == "done"
            texts: dict[str, list[str]] = {}
            for name, socket in (("hers", hers), ("muting", muting), ("hearing", hearing)):
                texts[name] = []
                while "three" not in texts[name]:
                    texts[name] += [said["text"] for said in receive(socket)["said"]]
            assert texts == {"hers": ["three"], "muting": ["three"], "hearing": ["two", "three"]}
    # Who comes back isn't told after all.
    with ann.socket(table) as hers, bob.socket(table) as his:
        assert [said["text"] for said in receive(hers)["said"]] == ["three"]
        assert [said["text"] for said in receive(his)["said"]] == ["one", "two", "three"]


def test_a_chairs_link_hears_no_more_than_its_person(ann: Visitor, bob: Visitor, stranger: Visitor) -> None:
    table = two_at_a_table(ann, bob)
    key = ann.get(f"/api/tables/{table}/links").json()["chair"]
    # Whom its person hears and meets isn't for a link to decide.
    problem(stranger.post(f"/api/tables/{table}/mute", {"chair": 1}, key=key), 403, "not-allowed")
    assert ann.post(f"/api/tables/{table}/mute", {"chair": 1}).status_code == 201
    problem(stranger.post(f"/api/tables/{table}/block", {"chair": 1}, key=key), 401, "unknown-person")
    say(bob, table, "hello")
    assert heard(ann, table) == heard(stranger, table, key=key) == []
    with stranger.socket(table, f"?key={key}") as socket:
        assert receive(socket)["said"] == []
    screen = ann.get(f"/api/tables/{table}/links").json()["screen"]
    problem(stranger.post(f"/api/tables/{table}/mute", {"chair": 1}, key=screen), 401, "unknown-person")


def test_a_blocked_person_is_heard_nowhere_and_sits_down_nowhere(ann: Visitor, bob: Visitor, stranger: Visitor) -> None:
    known(bob, "Bob")
    table = three(ann, bob, stranger)
    ids = {known(visitor) for visitor in (ann, bob, stranger)}
    blocked = ann.post(f"/api/tables/{table}/block", {"chair": 1})
    assert blocked.status_code == 201
    assert blocked.json()["name"] == "Bob"
    assert ann.get("/api/me/blocked").json() == [blocked.json()]
    assert blocked.json()["id"] not in ids
    public = ann.open(is_public=True)
    assert public not in json.dumps(bob.get("/api/tables").json())
    assert public in json.dumps(stranger.get("/api/tables").json())
    problem(bob.post(f"/api/tables/{public}/sit"), 403, "not-allowed")
    private = ann.open()
    key = ann.invitation(private)
    problem(bob.post(f"/api/tables/{private}/sit", key=key), 403, "not-allowed")
    with bob.socket(private, f"?key={key}") as his:
        receive(his)
        assert send(his, "sit")["problem"]["status"] == 403
    # One can still meet at somebody else's table, and doesn't hear them there.
    theirs = stranger.open(chairs=3, is_public=True)
    for visitor in (bob, ann):
        visitor.ask(theirs, "sit")
    say(bob, theirs, "hello")
    assert (heard(ann, theirs), heard(stranger, theirs)) == ([], ["hello"])
    bobs = bob.open(is_public=True)
    assert bobs not in json.dumps(ann.get("/api/tables").json())
    assert ann.client.delete(f"/api/me/blocked/{blocked.json()['id']}").status_code == 204
    problem(ann.client.delete(f"/api/me/blocked/{blocked.json()['id']}"), 404, "not-found")
    assert heard(ann, theirs) == ["hello"]
    bob.ask(public, "sit")


def test_a_rematch_isnt_offered_to_whom_one_blocks(ann: Visitor, bob: Visitor) -> None:
    table = two_at_a_table(ann, bob)
    while (view := ann.look(table))["phase"] == "playing":
        for visitor in (ann, bob):
            view = visitor.look(table)
            if view["prompt"]:
                visitor.ask(table, "play", {"move": view["prompt"]["moves"][0], "seq": view["seq"]})
    ann.post(f"/api/tables/{table}/block", {"chair": 1})
    again = ann.post(f"/api/tables/{table}/rematch").json()["table"]
    assert [chair["is_reserved"] for chair in ann.look(again)["chairs"]] == [True, False]
    problem(bob.get(f"/api/tables/{again}"), 404, "no-such-table")


def test_nobody_means_nobody(ann: Visitor, bob: Visitor) -> None:
    table = ann.open("the-game", 4, is_public=True)
    ann.ask(table, "seat-bot", {"level": "casual", "chair": 1})
    for path in ("mute", "block"):
        for whom in ({}, {"chair": 0}, {"chair": 1}, {"chair": 2}, {"chair": 9}, {"said": 0}, {"person": known(bob)}):
            problem(ann.post(f"/api/tables/{table}/{path}", whom), 400, "malformed")
        with ann.serving.visitor() as nobody:
            problem(nobody.post(f"/api/tables/{table}/{path}", {"chair": 0}), 401, "unknown-person")


def test_all_of_it_is_exported_and_deleted(ann: Visitor, bob: Visitor) -> None:
    known(bob, "Bob")
    table = two_at_a_table(ann, bob)
    view = ann.look(table)
    ann.ask(table, "play", {"move": view["prompt"]["moves"][0], "seq": view["seq"]})
    for path in ("mute", "block"):
        ann.post(f"/api/tables/{table}/{path}", {"chair": 1})
        bob.post(f"/api/tables/{table}/{path}", {"chair": 0})
    say(bob, table, "hello")
    told = ann.get("/api/me/export").json()
    assert told["blocked"] == ["Bob"]
    assert told["muted"] == [{"table": table, "name": "Bob"}]
    assert [(deed["fact"], deed["text"]) for deed in told["deeds"]] == [
        ("opened", ""),
        ("seated", ""),
        ("played", view["prompt"]["moves"][0]),
    ]
    theirs = bob.get("/api/me/export").json()
    assert [(deed["fact"], deed["text"]) for deed in theirs["deeds"]] == [("seated", "bob")]
    # Others are in it by their names alone.
    assert known(bob) not in json.dumps(told)
    assert known(ann) not in json.dumps(theirs)
    assert ann.client.delete("/api/me").status_code == 204
    after = bob.get("/api/me/export").json()
    assert (after["blocked"], after["muted"]) == ([], [])


def test_who_leaves_for_good_leaves_no_table_nobody_looks_after(ann: Visitor, stranger: Visitor) -> None:
    table = ann.open(is_public=True, sit=False)
    assert ann.get("/api/me/tables").json()["tables"][0]["table"] == table
    ann.client.delete("/api/me")
    assert stranger.look(table)["phase"] == "closed"
