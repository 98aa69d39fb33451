"""Games as files over the API: exported when they are over, checked, brought to another table, with any box."""

import asyncio
import json
import subprocess
from typing import Any

import pytest

import nevel
from nevel.game.box import Box
from nevel.game.registry import find
from nevel.tables.domain.record import verify
from nevel.tables.runtime.opening import MOST_MOVES
from nevel.web.services.records import LARGEST
from tests.commands import run_nevel
from tests.own_games import OWN_GAMES
from tests.web.serving import Visitor, play_on, two_at_a_table
from tests.web.test_api import problem

GAMES = tuple(OWN_GAMES)


def played(ann: Visitor, bob: Visitor, game: str = "misty", **more: Any) -> str:
    """A table at which two people and a bot have played to the end."""
    table = two_at_a_table(ann, bob, game, bots=1, **more)

    async def both() -> None:
        async with ann.socket_async(table) as hers, bob.socket_async(table) as his:
            await asyncio.wait_for(asyncio.gather(play_on(hers), play_on(his)), 120)

    asyncio.run(both())
    return table


def bring(visitor: Visitor, text: str | bytes) -> dict[str, Any]:
    done = visitor.client.post("/api/tables/import", content=text)
    assert done.status_code == 201, done.text
    return done.json()["view"]


def nevel_verify(source: str, *options: str) -> subprocess.CompletedProcess[str]:
    return run_nevel("verify", source, "--language", "en", *options)


def unfinished(game: str = "misty", moves: int = 8) -> nevel.Game:
    one = nevel.new(game, seats=2, seed=3, names=["Ann", "Bob"])
    for _ in range(moves):
        prompt = one.prompts()[0]
        one.play(prompt.seat, prompt.moves[0])
    return one


@pytest.mark.parametrize("game", GAMES)
def test_a_game_that_is_over_is_exported_checked_and_brought_back(ann: Visitor, bob: Visitor, game: str) -> None:
    ann.client.put("/api/me", json={"name": "Ann"})
    table = played(ann, bob, game)
    answer = bob.get(f"/api/tables/{table}/export")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == f'attachment; filename="nevel-{game}-{table}.json"'
    record = answer.json()
    assert record["table"]["chairs"][0]["name"] == "Ann"
    assert record["table"]["chairs"][2] == {"level": "casual"}
    assert record["table"]["commitment"] == ann.look(table)["commitment"]
    assert verify(answer.content).moves == len(record["moves"]) == len(record["table"]["rows"])
    view = bring(bob, answer.content)
    assert view["phase"] == "over"
    assert view["outcome"] == ann.look(table)["outcome"]
    assert view["brought"] == len(record["moves"])
    assert [chair["name"] for chair in view["chairs"]] == record["names"]
    again = bob.get(f"/api/tables/{view['table']}/export")
    assert verify(again.content).brought == len(record["moves"])
    assert again.json()["names"] == record["names"]


def test_nobody_gets_the_record_of_a_running_game(ann: Visitor, bob: Visitor, stranger: Visitor) -> None:
    table = ann.open()
    problem(ann.get(f"/api/tables/{table}/export"), 409, "wrong-time")
    table = two_at_a_table(ann, bob)
    for visitor in (ann, bob):
        problem(visitor.get(f"/api/tables/{table}/export"), 409, "wrong-time")
    problem(stranger.get(f"/api/tables/{table}/export"), 404, "no-such-table")
    refused = nevel_verify(f"http://{ann.serving.address}/api/tables/{table}/export?key={ann.invitation(table)}")
    assert refused.returncode == 2
    assert "The game isn't over yet." in " ".join(refused.stderr.split())


@pytest.mark.slow
def test_the_command_verifies_what_a_server_exports(ann: Visitor, bob: Visitor) -> None:
    table = played(ann, bob)
    key = ann.get(f"/api/tables/{table}/links").json()["spectator"]
    checked = nevel_verify(f"http://{ann.serving.address}/api/tables/{table}/export?key={key}", "--json")
    assert checked.returncode == 0, checked.stderr
    assert json.loads(checked.stdout)["is_fair"] is True
    assert nevel_verify(f"http://{ann.serving.address}/api/tables/nowhere/export").returncode == 2


def test_an_unfinished_game_is_gone_on_with(ann: Visitor, bob: Visitor) -> None:
    before = unfinished()
    view = bring(ann, nevel.save(before))
    assert (view["phase"], view["brought"], view["you"]["is_host"]) == ("open", 8, True)
    table = view["table"]
    key = ann.invitation(table)
    ann.ask(table, "sit")
    assert bob.ask(table, "sit", {}, key=key)["brought"] == 8
    ann.ask(table, "start")

    async def both() -> None:
        async with ann.socket_async(table) as hers, bob.socket_async(table) as his:
            await asyncio.wait_for(asyncio.gather(play_on(hers), play_on(his)), 120)

    asyncio.run(both())
    record = ann.get(f"/api/tables/{table}/export")
    assert verify(record.content).brought == 8
    assert [move["after"] for move in record.json()["moves"][:8]] == [entry.after for entry in before.log]


def test_files_that_are_no_games_are_refused_in_ones_language(ann: Visitor) -> None:
    good = json.loads(nevel.save(unfinished()))
    ann.client.put("/api/me", json={"language": "nl"})
    changes: list[dict[str, Any]] = [
        {"game": "chess"},
        {"nevel": 99},
        {"rules": 99},
        {"seats": 99},
        {"seed": "zz"},
        {"options": {"nothing": 1}},
        {"moves": [{**good["moves"][0], "after": "00000000"}]},
        {"moves": [{**good["moves"][0], "key": "no"}]},
        {"moves": good["moves"][:1] * (MOST_MOVES + 1)},
        {"box": {"game": "misty"}},
        {"box": {**Box.of("the-game").content}},
        {"extra": 1},
    ]
    for change in changes:
        refused = ann.client.post("/api/tables/import", json={**good, **change})
        assert problem(refused, 400, "malformed")["detail"], change
        assert refused.headers["content-language"] == "nl"
    problem(ann.client.post("/api/tables/import", content=b"no JSON"), 400, "malformed")
    problem(ann.client.post("/api/tables/import", content=b" " * (LARGEST + 1)), 413, "too-large")
    problem(ann.client.post("/api/tables/import", content=(b" " * 65536 for _ in range(9))), 413, "too-large")
    # What is too long elsewhere may be brought.
    long = nevel.save(unfinished()).replace("\n", "\n" + " " * 8000)
    assert len(long) > ann.serving.settings.longest
    bring(ann, long)
    # Names are anybody's text.
    names = ["\u202e<b>Ann</b> \u0007", "B" * 1000]
    table = bring(ann, json.dumps({**good, "names": names}))["table"]
    ann.ask(table, "sit")
    assert ann.ask(table, "seat-bot", {"level": "casual"})["chairs"][0]["name"] != names[0]


# ---------------------------------------------------------------- boxes


def own_box(game: str) -> str:
    text = find(game).file(find(game).box_file).read_text("utf-8")
    changes = {
        "what-the-fog": ("rain = 8\nsnow = 8", "rain = 9\nsnow = 7"),
        "the-game": ("hands = [8, 7", "hands = [8, 6"),
        "extreme": ("stop = [3,", "stop = [4,"),
        "misty": ("smile = { count = 6", "smile = { count = 7"),
    }
    text = text.replace(*changes[game]).replace("flower = { count = 5", "flower = { count = 4")
    return text + '\n[elsewhere]\nowner = "Ann"\nbought = 1979-05-27\nmuch = 1e400\n'


@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_played_with_ones_own_box(ann: Visitor, bob: Visitor, game: str) -> None:
    table = played(ann, bob, game, box=own_box(game))
    assert ann.look(table)["has_own_box"]
    box = ann.get(f"/api/tables/{table}/box").json()["box"]
    assert Box(box).content == box != Box.of(game).content
    record = ann.get(f"/api/tables/{table}/export").content
    assert json.loads(record)["box"] == box
    verify(record)
    assert bring(bob, record)["has_own_box"]
    again = ann.post(f"/api/tables/{table}/rematch").json()["table"]
    assert ann.look(again)["has_own_box"]


def test_our_own_box_is_nothing_special(ann: Visitor) -> None:
    text = find("misty").file("box.toml").read_text("utf-8")
    table = ann.open(box=text)
    assert not ann.look(table)["has_own_box"]
    assert ann.get(f"/api/tables/{table}/box").json()["box"] == Box.of("misty").content


@pytest.mark.parametrize(
    "box",
    [
        "nonsense",
        "game = 'misty'",
        "game = 'chess'",
        own_box("the-game"),
        own_box("misty").replace("count = 7", "count = 99"),
        own_box("misty").replace("count = 7", "count = " + "9" * 5000),
        "a = " + "[" * 8000 + "]" * 8000,
        "game = 'misty'\n#" + "x" * 20_000,
    ],
)
def test_a_box_that_cant_be_is_refused(ann: Visitor, box: str) -> None:
    problem(ann.post("/api/tables", {"game": "misty", "chairs": 2, "box": box}), 400, "malformed")
    problem(ann.post("/api/play-now", {"game": "misty", "chairs": 2, "box": box}), 400, "malformed")
