"""Count what a move in the browser goes through: `python -m bench.hops`, or with the names of games.

Two people sit at a table of a real server in this process, each with a page, and play a few moves over their sockets.
Every function of `nevel` that runs meanwhile on the server's loop and its storage's thread is written down. A *hop* is
one that is entered from another file and calls others itself: where somebody who follows the move turns a page. The
figures are those of the median move; `--list` names the hops.
"""

import json
import sys
import tempfile
import threading
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table
from websockets.sync.client import ClientConnection

import nevel
from nevel.game.registry import all_games
from nevel.web.server.warming import warm_rules
from tests.web.serving import Serving, Visitor, two_at_a_table

PACKAGE = str(Path(nevel.__file__).parent) + "/"
#: Moves before any is counted, and moves that are.
WARMING, COUNTED = 6, 9
#: What Python makes of expressions: it is part of the function around it.
UNNAMED = {"<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>", "<lambda>"}
PARTS = ("web", "tables", "rules, words, languages", "rendering", "the game's own rules and words", "the game's board")


class Function(NamedTuple):
    """A function of ours, by file and name."""

    file: str
    name: str

    @property
    def part(self) -> str:
        """The part of the way it belongs to."""
        parts = self.file.split("/")
        if parts[0] == "games":
            return "the game's board" if parts[2] == "web" else "the game's own rules and words"
        if parts[:2] == ["web", "rendering"]:
            return "rendering"
        return parts[0] if parts[0] in ("web", "tables") else "rules, words, languages"


class Way(NamedTuple):
    """What one move went through: all functions, those entered from another file, and those that call others."""

    functions: set[Function]
    entered: set[Function]
    callers: set[Function]

    @property
    def hops(self) -> set[Function]:
        return self.entered & self.callers


class Recorder:
    """Notes the functions that run while it is on."""

    def __init__(self) -> None:
        self.is_on = False
        self.way = Way(set(), set(), set())

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        """What threads call with every call and return; they begin to with `threading.setprofile`."""
        if not self.is_on or event != "call" or threading.current_thread().name == "warming":
            return
        function, caller = named(frame), frame.f_back
        while caller is not None and caller.f_code.co_name in UNNAMED:
            caller = caller.f_back
        if function is None:
            return
        self.way.functions.add(function)
        before = named(caller) if caller else None
        if before:
            self.way.callers.add(before)
        if before is None or before.file != function.file:
            self.way.entered.add(function)

    def take(self) -> Way:
        way, self.way = self.way, Way(set(), set(), set())
        return way


def named(frame: FrameType) -> Function | None:
    """The function of a frame, if it is one of ours."""
    code = frame.f_code
    if code.co_name in UNNAMED or not code.co_filename.startswith(PACKAGE):
        return None
    return Function(code.co_filename.removeprefix(PACKAGE), code.co_qualname)


def median_way(game: str, recorder: Recorder) -> Way:
    """The way of the move that is in the middle of those counted."""
    with tempfile.TemporaryDirectory() as folder:
        serving = Serving(str(Path(folder) / "nevel.db"))
        serving.start()
        try:
            with serving.visitor() as ann, serving.visitor() as bob:
                found = play(ann, bob, two_at_a_table(ann, bob, game), recorder)
        finally:
            serving.stop()
    return sorted(found, key=lambda way: len(way.functions))[len(found) // 2]


def play(ann: Visitor, bob: Visitor, table: str, recorder: Recorder) -> list[Way]:
    found = list[Way]()
    with ann.socket(table, "?frames=html") as first, bob.socket(table, "?frames=html") as second:
        for number in range(WARMING + COUNTED):
            asked = ((visitor.look(table), socket) for visitor, socket in ((ann, first), (bob, second)))
            view, socket = next((view, socket) for view, socket in asked if view["prompt"])
            moves = view["prompt"]["moves"]
            command = {"command": "play", "move": moves[number % len(moves)], "seq": view["seq"]}
            recorder.is_on = number >= WARMING
            socket.send(json.dumps({"command_id": str(number), "do": command}))
            for each in (first, second):
                wait_for_frame(each)
            recorder.is_on = False
            if number >= WARMING:
                found.append(recorder.take())
            if ann.look(table)["phase"] != "playing":
                break
    return found


def wait_for_frame(socket: ClientConnection) -> None:
    """Wait for what changed on a page; whoever moved is told that it was done besides."""
    while str(socket.recv(20)).startswith("{"):
        pass


def main(games: list[str], is_listed: bool) -> None:
    warm_rules()
    recorder = Recorder()
    threading.setprofile(recorder.note)  # for threads that start from now on: the server's and its storage's
    grid = Table("game", "part", "functions", "files", "hops", "files of hops")
    for game in games:
        way = median_way(game, recorder)
        for part in (*PARTS, "all"):
            functions = {one for one in way.functions if part in (one.part, "all")}
            hops = functions & way.hops
            cells = (len(functions), len({one.file for one in functions}), len(hops), len({one.file for one in hops}))
            grid.add_row(game, part, *map(str, cells), end_section=part == "all")
        for hop in sorted(way.hops) if is_listed else ():
            Console().print(f"{hop.file}: {hop.name}", highlight=False)
    Console().print(grid)


if __name__ == "__main__":
    main([one for one in sys.argv[1:] if one != "--list"] or list(all_games()), "--list" in sys.argv)
