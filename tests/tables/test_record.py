"""Records of games: who sat there, and that a tampered one is caught at the event."""

import json
import random
import subprocess
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

import nevel
from nevel.game.box import Box
from nevel.tables.domain import facts
from nevel.tables.domain.commands import SeatBot, Sit, Start
from nevel.tables.domain.dealing import BY_ROW, CHAINED
from nevel.tables.domain.record import TamperedError, VerifiedRecord, verify, write_record
from nevel.tables.domain.refusals import WrongTimeError
from nevel.tables.domain.table import Table
from nevel.tables.domain.undo import Undo
from tests.commands import run_nevel
from tests.own_games import OWN_GAMES
from tests.tables.one_table import OneTable, started

GAMES = tuple(OWN_GAMES)
NAMES = {"ann": "Ann", "bob": "Bob"}


def played(game: str, with_undo: bool = False, dealing: int = CHAINED, box: dict[str, Any] | None = None) -> OneTable:
    """A finished game of two people and a bot."""
    one = started(game, ("ann", "bob"), bots=1, dealing=dealing, box=box)
    play_on(one, with_undo)
    return one


def play_on(one: OneTable, with_undo: bool = False) -> None:
    """Play at random to the end; once, a move is taken back."""
    chance = random.Random(8)
    while one.table.phase == "playing":
        assert one.table.game
        chair = chance.choice(one.table.waiting_for)
        prompt = one.table.game.prompt(chair)
        assert prompt
        person = one.table.chairs[chair].person
        if person is None:
            one.bot_plays(chair, chance.choice(prompt.moves))
            continue
        one.play(person, chance.choice(prompt.moves))
        if with_undo and one.table.phase == "playing":
            one.ask(person, Undo())
            with_undo = one.table.undo_asked is not None  # until one was taken back


def changed(text: str, change: Callable[[dict[str, Any]], object]) -> str:
    content = json.loads(text)
    change(content)
    return json.dumps(content)


@pytest.mark.parametrize("dealing", [BY_ROW, CHAINED])
@pytest.mark.parametrize("game", GAMES)
def test_a_true_record_is_fair(game: str, dealing: int) -> None:
    one = played(game, dealing=dealing)
    text = write_record(one.table, NAMES)
    assert verify(text) == VerifiedRecord(game, len(one.table.played), 0)
    # It is a saved game like any other.
    assert one.table.game
    loaded = nevel.load(text)
    assert loaded.outcome == one.table.game.outcome
    assert loaded.names == ["Ann", "Bob", "casual"]


def test_what_was_taken_back_doesnt_matter() -> None:
    one = played("misty", with_undo=True)
    rows = {seq for seq, _ in one.table.played}
    assert set(range(one.table.started_at + 1, one.table.seq)) - rows
    verify(write_record(one.table, NAMES))


def test_nobody_gets_the_record_of_a_running_game() -> None:
    with pytest.raises(WrongTimeError):
        write_record(OneTable().table, NAMES)
    with pytest.raises(WrongTimeError):
        write_record(started().table, NAMES)


@pytest.mark.parametrize(
    ("change", "event"),
    [
        (lambda c: c["table"].update(secret="00" * 32), None),
        (lambda c: c["table"].update(secret="nonsense"), None),
        (lambda c: c["table"].update(secret=None), None),
        (lambda c: c["table"].update(commitment="00" * 32), None),
        (lambda c: c["table"].pop("rows"), None),
        (lambda c: c["table"]["rows"].pop(), None),
        (lambda c: c.pop("table"), None),
        (lambda c: c.update(seed="0" * 31 + "1"), "started"),
        (lambda c: c["table"]["chairs"][0].update(contribution="other"), "started"),
        (lambda c: c["table"].update(name="other"), "started"),
        (lambda c: c["table"]["chairs"].reverse(), "started"),
        (lambda c: c["moves"][5].update(key="0" * 32), 5),
        (lambda c: c["moves"][5].pop("key"), 5),
        (lambda c: c["moves"][5].update(after="00000000"), 5),
        (lambda c: c["moves"].__setitem__(slice(6, 8), c["moves"][7:5:-1]), 6),
        (lambda c: c["table"]["rows"][5].__setitem__(0, 1), 5),
    ],
)
def test_a_tampered_record_is_caught_at_the_event(change: Callable[[Any], object], event: int | str | None) -> None:
    one = played("what-the-fog", dealing=BY_ROW)
    text = changed(write_record(one.table, NAMES), change)
    with pytest.raises(TamperedError) as caught:
        verify(text)
    if event is None:
        assert caught.value.event is None
    elif event == "started":
        assert caught.value.event == one.table.started_at
    else:
        row = json.loads(text)["table"]["rows"][event][0]
        assert caught.value.event == row


def test_a_number_of_a_draw_that_was_skipped_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever knows the secret could else choose between two numbers wherever a move draws nothing."""
    skipping = property(lambda table: table.dealing.key(2 + table.game.draws if table.game else 0))
    monkeypatch.setattr(Table, "next_key", skipping)
    one = played("the-game")
    with pytest.raises(TamperedError) as caught:
        verify(write_record(one.table, NAMES))
    assert caught.value.event == one.table.played[0][0]


def test_another_move_is_caught() -> None:
    one = played("the-game")
    text = write_record(one.table, NAMES)

    def swap(content: dict[str, Any]) -> None:
        move = content["moves"][3]
        move["move"] = "end turn" if move["move"] != "end turn" else "play 2 up1"

    with pytest.raises(TamperedError) as caught:
        verify(changed(text, swap))
    assert caught.value.event == one.table.played[3][0]


def test_a_game_gone_on_with_is_checked_from_there() -> None:
    first = played("misty")
    assert first.table.game
    brought = [(entry.seat, entry.move.text, entry.key) for entry in first.table.game.log[:20]]
    prelude = facts.Prelude(f"{first.table.game.seed:032x}", brought)
    one = OneTable("misty", 3, prelude=prelude)
    for person in ("ann", "bob"):
        one.ask(person, Sit())
    one.ask("ann", SeatBot("casual"))
    one.ask("ann", Start())
    assert one.table.game
    assert one.table.game.log[-1].after == first.table.game.log[19].after
    play_on(one)
    text = write_record(one.table, NAMES)
    assert verify(text) == VerifiedRecord("misty", len(one.table.game.log), 20, is_brought=True)
    with pytest.raises(TamperedError) as caught:
        verify(changed(text, lambda c: c["moves"][25].update(key="0" * 32)))
    assert caught.value.event == one.table.played[5][0]
    with pytest.raises(TamperedError) as caught:
        verify(changed(text, lambda c: c["moves"][3].update(after="00000000")))
    assert caught.value.event is None


def test_a_record_of_a_game_with_a_box_of_the_hosts_own_says_so(tmp_path: Path) -> None:
    one = played("the-game", box={**Box.of("the-game").content, "hands": [8, 6, 6, 6, 6]})
    text = write_record(one.table, NAMES)
    assert verify(text) == VerifiedRecord("the-game", len(one.table.played), 0, has_own_box=True)
    file = tmp_path / "game.json"
    file.write_text(text, "utf-8")
    told = nevel_verify(str(file))
    assert told.returncode == 0
    assert "This game used the host's own box" in " ".join(told.stdout.split())
    assert json.loads(nevel_verify(str(file), "--json").stdout)["has_own_box"] is True


def without_open_tricks(content: dict[str, Any]) -> None:
    """A game that began before the option there is now."""
    content["options"].pop("open_tricks")


@pytest.mark.clause("TG-V2")
def test_a_game_that_began_before_an_option_is_played_with_what_was_usual_then() -> None:
    """The chain says what it was opened with; a newer Nevel writes all options into the record."""
    one = OneTable("the-game", 2, options={"minimum": 2, "fewer_cards": 0})
    assert "open_tricks" not in one.table.chain[0]
    for person in ("ann", "bob"):
        one.ask(person, Sit())
    one.ask("ann", Start())
    assert one.table.game
    assert one.table.game.options["open_tricks"] == 1
    play_on(one, with_undo=True)
    text = write_record(one.table, NAMES)
    assert json.loads(text)["options"]["open_tricks"] == 1
    verify(text)
    # The record an older Nevel wrote of the same game.
    verify(changed(text, without_open_tricks))
    with pytest.raises(TamperedError):
        verify(changed(text, lambda c: c["options"].update(open_tricks=0)))


@pytest.mark.parametrize("options", ["[]", "null", "7", '"minimum"'])
def test_a_chain_without_options_is_refused(options: str) -> None:
    def change(content: dict[str, Any]) -> None:
        words = content["table"]["chain"][0].split(" ", 5)
        content["table"]["chain"][0] = " ".join((*words[:5], f'{{"options":{options},"box":null}}'))

    with pytest.raises(TamperedError):
        verify(changed(write_record(played("misty").table, NAMES), change))


def nevel_verify(source: str, *options: str) -> subprocess.CompletedProcess[str]:
    return run_nevel("verify", source, *options)


@pytest.mark.slow
def test_the_command_reads_files_and_addresses(tmp_path: Path) -> None:
    text = write_record(played("the-game").table, NAMES)
    file = tmp_path / "game.json"
    file.write_text(text, "utf-8")
    answer = nevel_verify(str(file))
    assert answer.returncode == 0, answer.stderr
    assert "Dealt fairly" in answer.stdout

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/game" else 404)
            self.end_headers()
            self.wfile.write(text.replace('"moves": [', '"moves" : [', 1).encode())

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            """Nothing is logged."""

    with HTTPServer(("127.0.0.1", 0), Pages) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        address = f"http://127.0.0.1:{server.server_port}"
        try:
            fair = nevel_verify(f"{address}/game", "--json")
            missing = nevel_verify(f"{address}/nothing")
        finally:
            server.shutdown()
            thread.join(20)
    assert json.loads(fair.stdout)["is_fair"] is True
    assert missing.returncode == 2
    assert "Not Found" in missing.stderr

    file.write_text(changed(text, lambda c: c["moves"][2].update(after="00000000")), "utf-8")
    caught = nevel_verify(str(file), "--json")
    assert caught.returncode == 1
    assert json.loads(caught.stdout)["event"] == json.loads(text)["table"]["rows"][2][0]
    assert nevel_verify(str(tmp_path / "nowhere.json")).returncode == 2
    assert nevel_verify(str(tmp_path)).returncode == 2
