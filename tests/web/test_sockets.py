"""Whole games over sockets, and everything that can happen to one."""

import asyncio
import json
import random
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from tests.own_games import OWN_GAMES
from tests.web.serving import Serving, Visitor, closing_code, play_on, receive, send, two_at_a_table

GAMES = tuple(OWN_GAMES)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue(f"{request.param}_database")


def play_both(ann: Visitor, bob: Visitor, table: str, moves: int = 10_000) -> list[dict[str, Any]]:
    async def both() -> list[dict[str, Any]]:
        async with ann.socket_async(table) as hers, bob.socket_async(table) as his:
            return [*await asyncio.wait_for(asyncio.gather(play_on(hers, moves), play_on(his, moves)), 60)]

    return asyncio.run(both())


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_two_people_and_a_bot_play_to_the_end(ann: Visitor, bob: Visitor, game: str) -> None:
    table = two_at_a_table(ann, bob, game, bots=1)
    hers, his = play_both(ann, bob, table)
    assert hers["outcome"] == his["outcome"] is not None
    assert hers["proof"]["contributions"] == {"0": "", "1": "bob"}
    assert [chair["is_you"] for chair in hers["chairs"]] == [True, False, False]
    assert [chair["is_you"] for chair in his["chairs"]] == [False, True, False]
    again = ann.post(f"/api/tables/{table}/rematch").json()["table"]
    assert bob.post(f"/api/tables/{table}/rematch").json()["table"] == again
    assert bob.look(again)["chairs"][1]["is_reserved"]


def test_the_first_frame_is_the_view_and_changes_follow(ann: Visitor, bob: Visitor) -> None:
    table = ann.open(chairs=2)
    key = ann.invitation(table)
    with ann.socket(table) as hers, bob.socket(table, f"?key={key}") as his:
        assert receive(hers)["view"]["phase"] == "open"
        lobby = receive(his)["view"]
        you = {"role": "spectator", "chair": None, "is_host": False, "may_sit": True, "is_by_link": False}
        assert lobby["you"] == you
        # Nobody knows who he is, as he hasn't needed to be anybody yet.
        assert send(his, "sit")["problem"]["type"] == "/problems/unknown-person"
        bob.get("/api/me")
    with ann.socket(table) as hers, bob.socket(table, f"?key={key}") as his:
        receive(hers)
        assert send(his, "sit")["type"] == "done"
        assert receive(hers)["view"]["chairs"][1]["kind"] == "person"
        assert send(hers, "start")["type"] == "done"
        frame = receive(his)
        while frame["view"]["phase"] == "open":
            frame = receive(his)
        assert frame["view"]["you"]["chair"] == 1
        assert frame["view"]["prompt"]["question"] == "pick"
        assert {told["seq"] for told in frame["events"]} == {frame["view"]["seq"]}
        assert frame["now"] > 1_600_000_000_000
        assert send(his, "say", text="Hello!")["type"] == "done"
        while not (frame := receive(hers))["said"]:
            pass
        assert frame["said"][0]["text"] == "Hello!"
        assert frame["said"][0]["chair"] == 1


def test_who_comes_back_is_told_what_they_missed(ann: Visitor, bob: Visitor) -> None:
    table = two_at_a_table(ann, bob)
    with ann.socket(table) as hers:
        seq = receive(hers)["view"]["seq"]
    for visitor in (ann, bob):
        view = visitor.look(table)
        visitor.ask(table, "play", {"move": view["prompt"]["moves"][0], "seq": view["seq"]})
    with ann.socket(table, f"?since={seq}") as hers:
        frame = receive(hers)
    assert frame["view"]["seq"] == seq + 2
    assert {told["seq"] for told in frame["events"]} == {seq + 1, seq + 2}
    assert frame["events"] == ann.get(f"/api/tables/{table}", since=seq).json()["events"]


def test_a_repeat_is_done_once_and_what_is_stale_is_refused(ann: Visitor, bob: Visitor) -> None:
    table = two_at_a_table(ann, bob)
    with ann.socket(table) as hers:
        view = receive(hers)["view"]
        move, seq = view["prompt"]["moves"][0], view["seq"]
        first = send(hers, "play", "once", move=move, seq=seq)
        assert first == send(hers, "play", "once", move=move, seq=seq)
        assert send(hers, "play", move=move, seq=seq)["problem"]["status"] in (409, 422)
    view = bob.look(table)
    bob.ask(table, "play", {"move": view["prompt"]["moves"][0], "seq": view["seq"]})
    now = ann.look(table)
    stale = ann.post(f"/api/tables/{table}/play", {"move": now["prompt"]["moves"][0], "seq": seq})
    assert stale.status_code == 409
    assert stale.json()["type"] == "/problems/stale"
    assert stale.json()["view"] == now
    with ann.socket(table) as hers:
        refused = send(hers, "play", move=now["prompt"]["moves"][0], seq=seq)
        assert refused["problem"]["type"] == "/problems/stale"
        assert refused["problem"]["view"] == now


def test_what_is_said_twice_by_one_id_is_said_once(ann: Visitor, bob: Visitor) -> None:
    table = two_at_a_table(ann, bob)
    with ann.socket(table) as hers:
        receive(hers)
        for click in ("one", "one", "two"):
            assert send(hers, "say", click, text="Hello!")["type"] == "done"
    for click in ("three", "three"):
        assert ann.post(f"/api/tables/{table}/say", {"text": "Bye!", "id": click}).status_code == 201
    said = ann.get(f"/api/tables/{table}/chat").json()["said"]
    assert [one["text"] for one in said] == ["Hello!", "Hello!", "Bye!"]


def test_two_at_once_both_count(ann: Visitor, bob: Visitor) -> None:
    """Choices made at the same time don't make each other stale."""
    table = two_at_a_table(ann, bob)
    with ann.socket(table) as hers, bob.socket(table) as his:
        views = [receive(hers)["view"], receive(his)["view"]]
        for socket, view in zip((hers, his), views, strict=True):
            move = {"command": "play", "move": view["prompt"]["moves"][0], "seq": view["seq"]}
            socket.send(json.dumps({"id": "now", "do": move}))
        assert receive(hers, "done")["id"] == receive(his, "done")["id"] == "now"


def test_all_who_watch_get_the_same_and_nothing_hidden(ann: Visitor, bob: Visitor, stranger: Visitor) -> None:
    table = two_at_a_table(ann, bob, "the-game")
    keys = ann.get(f"/api/tables/{table}/links").json()
    hidden = [set(visitor.look(table)["board"]["hand"]) for visitor in (ann, bob)]
    with (
        stranger.socket(table, f"?key={keys['spectator']}") as one,
        stranger.socket(table, f"?key={keys['spectator']}") as other,
        stranger.socket(table, f"?key={keys['screen']}") as screen,
    ):
        for socket in (one, other, screen):
            assert receive(socket)["view"]["board"]["hand"] is None
        ann.ask(table, "play", {"move": "start", "seq": ann.look(table)["seq"]})
        frames = [socket.recv(10) for socket in (one, other, screen)]
        assert frames[0] == frames[1]
        for frame in map(json.loads, frames):
            view = frame["view"]
            assert (view["prompt"], view["hints"], view["you"]["chair"], view["proof"]) == (None, [], None, None)
            assert not any(chair["is_you"] for chair in view["chairs"])
            assert all("card" not in told["event"] for told in frame["events"])
        assert all(hidden)
        assert send(screen, "sit")["problem"]["status"] == 403
        assert send(one, "leave")["problem"]["status"] == 401


def test_a_private_table_cant_be_told_from_none(ann: Visitor, stranger: Visitor) -> None:
    table = ann.open()
    for name in (table, "nowhere"):
        with stranger.socket(name) as socket:
            assert closing_code(socket) == 4404


def test_who_is_shown_the_door_sees_no_more(ann: Visitor, bob: Visitor) -> None:
    table = ann.open()
    bob.ask(table, "sit", {}, key=ann.invitation(table))
    with bob.socket(table) as his:
        receive(his)
        ann.ask(table, "kick", {"chair": 1})
        assert closing_code(his) == 4404


def test_another_sites_page_gets_no_socket(ann: Visitor) -> None:
    table = ann.open()
    with pytest.raises(InvalidStatus) as refused:
        ann.socket(table, Origin="https://evil.example")
    assert refused.value.response.status_code == 403
    with ann.socket(table, Origin=f"http://{ann.serving.address}") as socket:
        assert receive(socket)["view"]["table"] == table


def test_hostile_frames_break_nothing(ann: Visitor, bob: Visitor) -> None:
    table = two_at_a_table(ann, bob, "extreme", bots=1)
    dice = random.Random(1)
    pieces = ['{"do":', '{"command":"', "play", "sit", '"', "}", "[", "null", '"seq":', "1e999", "-1", "\\u0000", "é"]
    frames: list[str | bytes] = ["", "{}", "null", "[" * 5000, b"\x00\xff", '{"id":5,"do":{"command":"start"}}']
    frames += ["".join(dice.choices(pieces, k=dice.randint(1, 12))) for _ in range(200)]
    fields = ("chair", "seq", "move", "level", "is_agreed", "text", "contribution", "id")
    values = (None, True, -1, 99, 10**30, 1.5, "", "up", "x" * 500, [], {}, "\udc00")
    for _ in range(300):
        command = dice.choice(
            ("play", "sit", "seat-bot", "kick", "undo", "answer-undo", "say", "nothing", "let-bot-play")
        )
        given = {name: dice.choice(values) for name in dice.sample(fields, dice.randint(0, 3))}
        frames.append(json.dumps({"id": str(dice.random()), "do": {"command": command, **given}}))
    with ann.socket(table) as hers:
        receive(hers)
        for frame in frames:
            hers.send(frame)
            answer = json.loads(hers.recv(20))
            while answer["type"] == "view":
                answer = json.loads(hers.recv(20))
            assert answer["type"] in ("refused", "done")
            assert answer.get("problem", {}).get("status", 0) < 500, (frame, answer)
    with ann.socket(table) as hers:
        hers.send("x" * 100_000)
        assert closing_code(hers) == 1009
    assert play_both(ann, bob, table)[0]["phase"] == "over"


def test_too_many_frames_close_the_socket(compiled: None, tmp_path: Any) -> None:
    serving = Serving(str(tmp_path / "nevel.db"), person_rate=4)
    serving.start()
    try:
        with serving.visitor() as ann:
            table = ann.open()
            with ann.socket(table) as hers:
                for _ in range(40):
                    hers.send("{}")
                assert closing_code(hers) == 4429
            refused = [ann.get("/api/me") for _ in range(30)][-1]
            assert refused.status_code == 429
            assert int(refused.headers["retry-after"]) >= 1
    finally:
        serving.stop()


def test_a_restart_in_mid_game_loses_nothing(compiled: None, tmp_path: Any) -> None:
    serving = Serving(str(tmp_path / "nevel.db"))
    serving.start()
    with serving.visitor() as ann, serving.visitor() as bob:
        table = two_at_a_table(ann, bob, "misty", bots=1)
        play_both(ann, bob, table, moves=3)
        with ann.socket(table) as hers:
            view = receive(hers)["view"]
            # The bot may have moved since this view, but not in a way that a wrong word becomes a move.
            last = send(hers, "play", "the click", move="pick nothing", seq=view["seq"])
            assert last["problem"]["type"] in ("/problems/malformed", "/problems/stale")
            serving.stop()
            assert closing_code(hers) == 1012
        serving.start()
        assert ann.look(table)["seq"] >= view["seq"]
        hers, his = play_both(ann, bob, table)
        assert hers["phase"] == his["phase"] == "over"
    serving.stop()


def test_presence_is_shown(ann: Visitor, bob: Visitor) -> None:
    table = two_at_a_table(ann, bob)
    assert [chair["is_present"] for chair in ann.look(table)["chairs"]] == [True, True]
    asleep = ann.serving.app.state.site.house.presence.last_active
    for person in list(asleep):
        asleep[person] = 0
    with ann.socket(table) as hers:
        assert [chair["is_present"] for chair in receive(hers)["view"]["chairs"]] == [True, False]
        bob.look(table)
        assert [chair["is_present"] for chair in ann.look(table)["chairs"]] == [True, True]
        for person in list(asleep):
            asleep[person] = 0
        ann.serving.app.state.site.house.presence.since = 0  # long after the start, before which nobody is asleep
        assert ann.ask(table, "let-bot-play", {"chair": 1})["chairs"][1]["kind"] == "stood-in"
        assert bob.ask(table, "reclaim")["chairs"][1]["kind"] == "person"
