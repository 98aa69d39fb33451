"""A command is done once, however often and by whichever way it is sent; and it has one name everywhere."""

import json
from pathlib import Path
from typing import Any

import pytest

from nevel.tables.domain.command import Command
from nevel.web.pages import table as table_page
from nevel.web.server.server import ENDPOINTS, PAGES
from nevel.web.services.command_names import OLD_NAMES, SUMMARIES, name_of
from tests.web.serving import Serving, Visitor, receive, send, two_at_a_table


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue(f"{request.param}_database")


def press(visitor: Visitor, table: str, form: str, **fields: Any) -> dict[str, Any]:
    """Send a form as the page's script does."""
    headers = {"accept": "application/json"}
    response = visitor.client.post(f"/tables/{table}/{form}", data=fields, headers=headers)
    assert response.status_code == 200, response.text
    return response.json()


def ask(visitor: Visitor, table: str, command: str, **fields: Any) -> dict[str, Any]:
    response = visitor.post(f"/api/tables/{table}/{command}", fields)
    assert response.status_code in (200, 201), response.text
    return response.json()


def test_a_move_repeated_by_every_way_is_one_move(ann: Visitor, bob: Visitor) -> None:
    table = two_at_a_table(ann, bob)
    view = ann.look(table)
    move = {"move": view["prompt"]["moves"][0], "seq": view["seq"]}
    with ann.socket(table) as hers:
        receive(hers)
        rows = [
            send(hers, "play", "once", **move)["seq"],
            ask(ann, table, "play", **move, command_id="once")["seq"],
            press(ann, table, "play", **move, command_id="once")["seq"],
            # By its old names, too.
            ask(ann, table, "move", **move, id="once")["seq"],
            press(ann, table, "move", **move, command_id="once")["seq"],
        ]
        hers.send(json.dumps({"id": "once", "do": {"command": "play", **move}}))
        answer = receive(hers, "done")
        assert answer == {"type": "done", "command_id": "once", "seq": view["seq"] + 1, "id": "once"}
    assert rows == [view["seq"] + 1] * 5
    assert ann.look(table)["seq"] == view["seq"] + 1


def test_whatever_changes_a_table_is_done_once(ann: Visitor, bob: Visitor) -> None:
    table = ann.open(chairs=4)
    bob.ask(table, "sit", {"command_id": "sit"}, key=ann.invitation(table))
    seq = ann.look(table)["seq"]
    with ann.socket(table) as hers:
        receive(hers)
        first = send(hers, "seat-bot", "a bot", level="casual", chair=2)["seq"]
        assert ask(ann, table, "seat-bot", level="casual", chair=2, command_id="a bot")["seq"] == first == seq + 1
        assert press(ann, table, "seat-bot", level="casual", chair=2, command_id="a bot")["seq"] == first
    # A kick that was repeated late doesn't empty the chair of who sat down since.
    kicked = ask(ann, table, "kick", chair=1, command_id="kick")["seq"]
    bob.ask(table, "sit", {"chair": 1}, key=ann.invitation(table))
    assert press(ann, table, "kick", chair=1, command_id="kick")["seq"] == kicked
    assert ann.look(table)["chairs"][1]["kind"] == "person"


def test_ids_are_their_persons_own(ann: Visitor, bob: Visitor) -> None:
    table = two_at_a_table(ann, bob)
    for visitor in (ann, bob):
        view = visitor.look(table)
        visitor.ask(table, "play", {"move": view["prompt"]["moves"][0], "seq": view["seq"], "command_id": "same"})
        assert visitor.post(f"/api/tables/{table}/say", {"text": "Hello!", "command_id": "same"}).status_code == 201
    assert ann.look(table)["seq"] == view["seq"] + 1
    assert len(ann.get(f"/api/tables/{table}/chat").json()["said"]) == 2


def test_what_is_said_by_one_id_is_said_once_by_every_way(ann: Visitor, bob: Visitor) -> None:
    table = two_at_a_table(ann, bob)
    with ann.socket(table) as hers:
        receive(hers)
        assert send(hers, "say", "one", text="Hello!")["type"] == "done"
    said = ask(ann, table, "say", text="Hello!", command_id="one")
    assert said == ask(ann, table, "chat", text="Hello!", id="one")
    assert said["number"] == 0
    press(ann, table, "say", text="Hello!", command_id="one")
    ask(ann, table, "say", text="Hello!")
    assert [one["text"] for one in ann.get(f"/api/tables/{table}/chat").json()["said"]] == ["Hello!", "Hello!"]


def test_repeats_are_recognised_after_a_restart(compiled: None, tmp_path: Path) -> None:
    serving = Serving(str(tmp_path / "nevel.db"))
    serving.start()
    with serving.visitor() as ann, serving.visitor() as bob:
        table = two_at_a_table(ann, bob)
        view = ann.look(table)
        move = {"move": view["prompt"]["moves"][0], "seq": view["seq"], "command_id": "once"}
        done = ask(ann, table, "play", **move)["seq"]
        said = ask(ann, table, "say", text="Hello!", command_id="hello")
        serving.stop()
        serving.start()
        with ann.socket(table) as hers:
            receive(hers)
            again = send(hers, "play", "once", move=move["move"], seq=move["seq"])
        assert again["seq"] == ask(ann, table, "play", **move)["seq"] == done
        assert ask(ann, table, "say", text="Hello!", command_id="hello") == said
        assert len(ann.get(f"/api/tables/{table}/chat").json()["said"]) == 1
        assert ann.look(table)["seq"] == done
    serving.stop()


@pytest.mark.parametrize("kind", Command.__subclasses__())
def test_a_command_has_one_name(kind: type[Command]) -> None:
    name = name_of(kind)
    assert name.replace("-", "") == kind.__name__.lower()
    api, forms = {one.path: one for one in ENDPOINTS}, {one.path: one for one in PAGES}
    assert not api[f"/api/tables/{{table}}/{name}"].is_deprecated
    assert f"/tables/{{table}}/{name}" in forms
    assert kind in SUMMARIES
    for old in (old for old, one in OLD_NAMES.items() if one is kind):
        assert api[f"/api/tables/{{table}}/{old}"].is_deprecated
        assert forms[f"/tables/{{table}}/{old}"] in table_page.PAGES


def test_a_move_is_composed_of_a_card_and_a_place(ann: Visitor, bob: Visitor) -> None:
    """As the form of a board says it, and a browser without a script sends it."""
    table = two_at_a_table(ann, bob, "the-game")
    press(ann, table, "play", move="start", seq=ann.look(table)["seq"])
    view = ann.look(table)
    move = next(move for move in view["prompt"]["moves"] if move.startswith("play "))
    _, card, pile = move.split()
    page = ann.client.get(f"/tables/{table}", headers={"accept": "text/html"}).text
    assert f'name="place" value="play * {pile}"' in page
    for _ in range(2):  # a double click
        answer = press(ann, table, "play", card=card, place=f"play * {pile}", seq=view["seq"])
        assert answer["seq"] == view["seq"] + 1
    for fields in ({"card": card}, {"place": f"play * {pile}"}, {"card": "*", "place": f"play * {pile}"}):
        headers = {"accept": "application/json"}
        refused = ann.client.post(f"/tables/{table}/play", data={**fields, "seq": view["seq"] + 1}, headers=headers)
        assert refused.status_code == 400, refused.text
