"""What a link, a cookie or a token lets somebody do, and how it is taken back."""

from collections.abc import Iterator
from contextlib import contextmanager

from tests.web.serving import Serving, Visitor, closing_code, receive, send, two_at_a_table
from tests.web.test_api import problem
from tests.web.test_forms import look, press, refused, seen


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
        refused(press(stranger, f"/tables/{table}/{command}?key={key}", **body), 403, "A chair's link")
    assert ann.look(table)["seq"] == seq
    ann.ask(table, "seat-bot", {"level": "casual"})
    ann.ask(table, "start")
    for command, body in DURING:
        problem(stranger.post(f"/api/tables/{table}/{command}", body, key=key), 403, "not-allowed")
    problem(stranger.get(f"/api/tables/{table}/muted", key=key), 403, "not-allowed")
    refused(stranger.client.get(f"/tables/{table}/somebody?seat=1&key={key}"), 403, "A chair's link")
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


# ---------------------------------------------------------------- taking back


@contextmanager
def another_browser(visitor: Visitor) -> Iterator[Visitor]:
    """A browser with a copy of somebody's cookie."""
    with visitor.serving.visitor(**visitor.cookie) as other:
        yield other


def is_known(visitor: Visitor) -> bool:
    return visitor.get("/api/me/export").status_code == 200


def token_of(visitor: Visitor) -> tuple[str, dict[str, str]]:
    """A new token: its id, and the header a program shows it in."""
    made = visitor.post("/api/me/tokens", {"label": "program"}).json()
    return made["id"], {"Authorization": f"Bearer {made['token']}"}


def test_a_token_that_is_taken_back_loses_its_sockets_at_once(ann: Visitor, stranger: Visitor) -> None:
    table = ann.open()
    taken_back, header = token_of(ann)
    _, other_header = token_of(ann)
    with (
        stranger.socket(table, **header) as program,
        stranger.socket(table, **other_header) as other,
        ann.socket(table) as hers,
    ):
        for socket in (program, other, hers):
            receive(socket)
        assert ann.client.delete(f"/api/me/tokens/{taken_back}").status_code == 204
        assert closing_code(program) == 4401
        for socket in (other, hers):
            assert send(socket, "seat-bot", level="casual")["type"] == "done"


def test_who_is_deleted_loses_all_sockets_at_once(ann: Visitor, bob: Visitor, stranger: Visitor) -> None:
    table = two_at_a_table(ann, bob)
    by_link = f"?key={chair_key(bob, table)}"
    _, header = token_of(bob)
    with (
        bob.socket(table) as his,
        stranger.socket(table, **header) as program,
        stranger.socket(table, by_link) as other_device,
        ann.socket(table) as hers,
    ):
        for socket in (his, program, other_device, hers):
            receive(socket)
        assert bob.client.delete("/api/me").status_code == 204
        assert [closing_code(socket) for socket in (his, program, other_device)] == [4401, 4401, 4404]
        assert receive(hers)["view"]["chairs"][1]["kind"] == "stood-in"
    with stranger.socket(table, by_link) as socket:
        assert closing_code(socket) == 4404


def test_logging_out_everywhere_leaves_this_browser_alone(ann: Visitor, bob: Visitor, stranger: Visitor) -> None:
    table = two_at_a_table(ann, bob)
    key = chair_key(ann, table)
    _, header = token_of(ann)
    me = ann.get("/api/me").json()
    with another_browser(ann) as thief, ann.serving.visitor(**header) as program:
        assert is_known(thief)
        assert is_known(program)
        with (
            thief.socket(table, **ann.cookie) as stolen,
            stranger.socket(table, f"?key={key}") as by_link,
            bob.socket(table) as his,
        ):
            for socket in (stolen, by_link, his):
                receive(socket)
            assert ann.post("/api/me/log-out").status_code == 204
            assert (closing_code(stolen), closing_code(by_link)) == (4401, 4404)
            assert send(his, "say", text="hello")["type"] == "done"
        assert not is_known(thief)
        assert not is_known(program)
        problem(stranger.get(f"/api/tables/{table}", key=key), 404, "no-such-table")
        assert ann.get("/api/me").json() == me
        assert ann.get("/api/me/tokens").json() == []
        assert stranger.look(table, key=chair_key(ann, table))["you"]["chair"] == 0
    # Again, from a program: it stays, with its token.
    _, header = token_of(ann)
    with ann.serving.visitor(**header) as program:
        answer = program.post("/api/me/log-out")
        assert answer.status_code == 204
        assert "set-cookie" not in answer.headers
        assert is_known(program)
    assert not is_known(ann)


def test_logging_out_everywhere_from_the_page(ann: Visitor) -> None:
    ann.get("/api/me")
    with another_browser(ann) as other:
        assert 'action="/me/log-out"' in look(ann, "/me")
        assert "logged in on this browser only" in seen(ann, "/me/log-out")
        assert is_known(ann)
        assert not is_known(other)


def test_links_are_renewed_by_whose_they_are(ann: Visitor, bob: Visitor, stranger: Visitor) -> None:
    table = ann.open(chairs=3)
    before = ann.get(f"/api/tables/{table}/links").json()
    bob.ask(table, "sit", {}, key=before["invitation"])
    with (
        stranger.socket(table, f"?key={before['invitation']}") as invited,
        stranger.socket(table, f"?key={before['spectator']}") as watching,
    ):
        for socket in (invited, watching):
            receive(socket)
        ann.ask(table, "renew-links", {"which": "invitation"})
        assert closing_code(invited) == 4404
        assert send(watching, "say", text="hello")["problem"]["status"] == 401
    after = ann.get(f"/api/tables/{table}/links").json()
    assert after["invitation"] != before["invitation"]
    assert {**after, "invitation": ""} == {**before, "invitation": ""}
    problem(stranger.get(f"/api/tables/{table}", key=before["invitation"]), 404, "no-such-table")
    assert stranger.look(table, key=after["invitation"])["you"]["may_sit"]
    ann.ask(table, "renew-links")
    assert all(after[one] != key for one, key in ann.get(f"/api/tables/{table}/links").json().items() if one != "chair")
    # The others' links aren't for who sits there; one's own is.
    problem(bob.post(f"/api/tables/{table}/renew-links", {"which": "spectator"}), 403, "not-allowed")
    problem(bob.post(f"/api/tables/{table}/renew-links", {"which": "chair", "chair": 0}), 403, "not-allowed")
    key = chair_key(bob, table)
    problem(stranger.post(f"/api/tables/{table}/renew-links", {"which": "chair"}, key=key), 403, "not-allowed")
    page = seen(bob, f"/tables/{table}/renew-links", which="chair")
    assert key not in page
    assert chair_key(bob, table) in page
    problem(stranger.get(f"/api/tables/{table}", key=key), 404, "no-such-table")


def test_who_is_shown_the_door_comes_back_only_by_a_new_invitation(
    ann: Visitor, bob: Visitor, stranger: Visitor
) -> None:
    for is_public in (False, True):
        table = ann.open(is_public=is_public)
        old = ann.invitation(table)
        bob.ask(table, "sit", {}, key=old)
        ann.ask(table, "kick", {"chair": 1})
        for visitor in (bob, stranger) if not is_public else (bob,):  # as somebody new, too
            assert visitor.post(f"/api/tables/{table}/sit", key=old).status_code in (403, 404)
            assert visitor.post(f"/api/tables/{table}/sit").status_code in (403, 404)
        assert ann.look(table)["chairs"][1]["kind"] == "empty"
        bob.ask(table, "sit", {}, key=ann.invitation(table))
        assert bob.look(table)["you"]["chair"] == 1


def test_who_is_shown_the_door_keeps_no_other_chair(ann: Visitor, bob: Visitor) -> None:
    table = ann.open(chairs=4)
    for _ in range(2):
        bob.ask(table, "sit", {}, key=ann.invitation(table))
    ann.ask(table, "kick", {"chair": 1})
    assert [chair["kind"] for chair in ann.look(table)["chairs"]] == ["person", "empty", "empty", "empty"]
    problem(bob.post(f"/api/tables/{table}/sit"), 404, "no-such-table")
    bob.ask(table, "sit", {}, key=ann.invitation(table))
    assert bob.look(table)["you"]["chair"] == 1


def test_what_is_taken_back_is_so_on_other_nodes(compiled: None, postgres_database: str) -> None:
    nodes = [Serving(postgres_database) for _ in range(2)]
    for node in nodes:
        node.start()
    try:
        with nodes[0].visitor() as ann, nodes[1].visitor() as bob:
            table = two_at_a_table(ann, bob)
            key = chair_key(ann, table)
            identifier, header = token_of(ann)
            cookie = ann.cookie
            # What somebody else does with Ann's cookie, token and link, at the other node.
            with (
                nodes[1].visitor() as thief,
                thief.socket(table, **header) as by_token,
                thief.socket(table, **cookie) as by_cookie,
                thief.socket(table, f"?key={key}") as by_link,
            ):
                for socket in (by_token, by_cookie, by_link):
                    receive(socket)
                assert ann.client.delete(f"/api/me/tokens/{identifier}").status_code == 204
                assert closing_code(by_token) == 4401
                assert ann.post("/api/me/log-out").status_code == 204
                assert (closing_code(by_cookie), closing_code(by_link)) == (4401, 4404)
                with nodes[1].visitor(**cookie) as other:
                    assert not is_known(other)
            with nodes[1].visitor(**ann.cookie) as elsewhere, elsewhere.socket(table, **ann.cookie) as hers:
                receive(hers)
                assert is_known(elsewhere)
                assert ann.client.delete("/api/me").status_code == 204
                assert closing_code(hers) == 4401
                assert not is_known(elsewhere)
    finally:
        for node in nodes:
            node.stop()


# ---------------------------------------------------------------- over HTTPS


def test_over_https_the_cookie_is_this_hosts_alone_and_an_old_one_is_replaced(ann: Visitor) -> None:
    me = ann.get("/api/me").json()
    assert set(ann.client.cookies) == {"nevel"}, "without HTTPS browsers wouldn't take the other name"
    old = ann.client.cookies["nevel"]
    https = {"X-Forwarded-Proto": "https"}
    with ann.serving.visitor(**https, Cookie=f"nevel={old}") as before:
        answer = before.get("/api/me")
        assert answer.json() == me
        new, forgotten = answer.headers.get_list("set-cookie")
        assert new.startswith(f"__Host-nevel={old};")
        assert "Secure" in new
        assert "Path=/" in new
        assert "Domain" not in new
        assert forgotten.startswith('nevel="";')
        assert "Max-Age=0" in forgotten
        assert "max-age" in answer.headers["strict-transport-security"]
        table = before.open()
        assert "set-cookie" in before.get(f"/tables/{table}").headers
    with ann.serving.visitor(**https, Cookie=f"__Host-nevel={old}") as after:
        answer = after.get("/api/me")
        assert answer.json() == me
        assert "set-cookie" not in answer.headers
        with after.socket(table, **https, Cookie=f"__Host-nevel={old}") as socket:
            assert receive(socket)["view"]["you"]["is_host"]
        gone = after.client.delete("/api/me")
        assert gone.status_code == 204
        assert gone.headers.get_list("set-cookie")[0].startswith('__Host-nevel="";')
    with ann.serving.visitor(Cookie=f"__Host-nevel={old}") as plain:
        answer = plain.get("/")
        assert "strict-transport-security" not in answer.headers
