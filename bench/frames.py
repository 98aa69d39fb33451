"""How long a server draws what four people are sent after a move, at many tables in turn. `python -m bench.frames`"""

import argparse
import gc
import random
import time
from collections import deque

from rich.console import Console
from rich.table import Table as Grid

from nevel.game.game import Game
from nevel.game.registry import find
from nevel.tables.domain import facts
from nevel.tables.domain.pace import Pace
from nevel.tables.domain.table import Table
from nevel.tables.views.view import PeopleStatus, Scene, Viewer, look_at_chairs
from nevel.web.live.page_channel import PageChannel
from tests.own_games import OWN_GAMES

GAMES = tuple(OWN_GAMES)
SEATS = 4
#: Moves of each table before its frames are measured.
BEFORE = 2


class Watched:
    """A table of people who play at random, and the pages that watch it."""

    def __init__(self, game: str, number: int) -> None:
        self.game_name = game
        self.dice = random.Random(f"{game}{number}")
        self.table = Table(f"table{number}", f"{self.dice.getrandbits(256):064x}")
        people = [f"{number}-{seat}" for seat in range(SEATS)]
        opened = facts.Opened(
            game, SEATS, find(game).vocabulary.read_options({}), Pace(), "casual", people[0], "commitment"
        )
        seated = [facts.Seated(seat, person, "") for seat, person in enumerate(people)]
        rows = [opened, *seated, facts.GameStarted("")]
        self.table.follow([(seq, 0, fact) for seq, fact in enumerate(rows)])
        self.status = PeopleStatus({person: f"Player {person}" for person in people}, lambda _: True)
        self.chairs = look_at_chairs(self.table, self.status)
        self.kept = {}
        self.channels = [PageChannel(Viewer("player", seat, seat == 0), "en") for seat in range(SEATS)]
        self.show()

    @property
    def game(self) -> Game:
        assert self.table.game
        return self.table.game

    def play(self) -> None:
        seat = self.dice.choice(self.game.waiting_for)
        prompt = self.game.prompt(seat)
        assert prompt
        move = facts.MovePlayed(seat, self.dice.choice(prompt.moves), self.table.next_key, "")
        self.table.follow([(self.table.seq + 1, 0, move)])

    def show(self) -> int:
        """Draw what everybody is sent; gives the bytes of it."""
        scene, sent = Scene(self.table, self.status, self.chairs, self.kept), 0
        for channel in self.channels:
            seen = channel.seq
            channel.update(scene)
            sent += len(channel.frame(seen, -1, deque(), 0))
            channel.let_go()
        if scene.position:
            scene.position.drop_caches()
        return sent


def measure(games: list[str], tables: int, moves: int) -> dict[str, tuple[float, float]]:
    """Microseconds of drawing a move, and bytes of a frame on the mean, by game."""
    watched = [Watched(games[number % len(games)], number) for number in range(tables)]
    chance, numbers = random.Random(tables), iter(range(tables, tables + moves * tables))
    spent = {game: [0.0, 0, 0] for game in games}
    gc.collect()
    gc.freeze()
    gc.disable()  # as a server does
    for move in range(BEFORE * tables + moves):
        at = chance.randrange(tables)
        one = watched[at]
        one.play()
        began = time.thread_time()
        sent = one.show()
        took = time.thread_time() - began
        if move >= BEFORE * tables:
            figures = spent[one.game_name]
            figures[0] += took
            figures[1] += sent
            figures[2] += 1
        if one.game.is_over:
            watched[at] = Watched(one.game_name, next(numbers))
    return {game: (took / count * 1e6, sent / count / SEATS) for game, (took, sent, count) in spent.items() if count}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=150)
    parser.add_argument("--moves", type=int, default=3000)
    arguments = parser.parse_args()
    grid = Grid("", "µs a move", "bytes a frame")
    for game, (took, size) in measure([*GAMES], arguments.tables, arguments.moves).items():
        grid.add_row(game, f"{took:.0f}", f"{size:.0f}")
    Console().print(grid)


if __name__ == "__main__":
    main()
