"""Tune what a step costs in The Game and Extreme, by the cross-entropy method over whole games.

Each generation draws sets of numbers around the best so far, plays the same deals with each, and keeps the better
quarter. `open` numbers are for players who see each other's cards (the play-outs of the expert), `strong` ones for
players who only hear what the others say.

    python -m tuning.the_game --game the-game --kind open --seats 2
"""

import argparse
import tomllib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

import nevel.games.the_game.bots
from nevel.engine import chance, dispatch
from nevel.engine.compiling import compiled
from nevel.game.box import Box
from nevel.games.the_game import rules as the_game
from nevel.games.the_game.bots.commands import NUMBERS
from nevel.games.the_game.bots.judgement import PASSED, STEP
from nevel.games.the_game.bots.playout import careful_move
from nevel.games.the_game.bots.simple import opening
from nevel.games.the_game.bots.talk import next_hint
from nevel.games.the_game.rules import extreme
from nevel.games.the_game.rules.table import CHOOSING, OVER, START_HINTS, cards_left

FILE = Path(nevel.games.the_game.bots.__file__).with_name("numbers.toml")
RULES = {"the-game": the_game, "extreme": extreme}
HEADING = """\
# Written by tuning/the_game.py: what a step costs, by number of players.
# The columns are named in the_game_judgement.py and the_game_commands.py.
"""

POPULATION = 28
ELITE = 7
#: What a game won is worth in cards left: the better the players, the more it is wins that tell them apart.
WIN = 15.0


@compiled
def play_games(states, seats, box, options, numbers, passed, is_open, rng, games):
    """Play games with one set of numbers; gives wins and cards left in all."""
    s = states[0]
    wins = 0
    left = 0
    for _ in range(games):
        chance.branch(s.chance, rng)
        dispatch.setup(s, seats, box, options, None)
        while s.phase == CHOOSING:
            for seat in range(seats):
                move = opening(s, seat)
                if move >= 0 and s.phase == CHOOSING:
                    dispatch.apply(s, seat, move, None)
        while s.phase != OVER:
            if not is_open:
                for seat in range(seats):
                    hint = next_hint(s, seat, False)
                    while 0 <= hint < START_HINTS:
                        dispatch.apply(s, seat, hint, None)
                        hint = next_hint(s, seat, False)
            dispatch.apply(s, s.active, careful_move(s, s.active, is_open, numbers, passed), None)
        wins += cards_left(s) == 0
        left += cards_left(s)
    return wins, left


class Tuning:
    """One game, one kind of numbers, one number of players."""

    def __init__(self, game: str, kind: str, seats: int) -> None:
        self.rules = RULES[game]
        self.is_open = kind == "open"
        self.seats = seats
        self.box = Box.of(game).numbers
        self.options = np.array([2, 0, 0, 0], np.int64)[: self.rules.OPTIONS]

    def results(self, numbers: NDArray[np.float64], games: int, seed: int) -> tuple[float, float]:
        """The share of games won and the mean of cards left."""
        rng = np.zeros(chance.RNG_WORDS, np.int64)
        chance.key(rng, seed, self.seats, 2, 3)
        whole = np.rint(numbers * STEP).astype(np.int64)
        wins, left = play_games(
            dispatch.new_states(self.rules, 1),
            self.seats,
            self.box,
            self.options,
            whole,
            np.zeros(PASSED, np.int64),
            self.is_open,
            rng,
            games,
        )
        return wins / games, left / games

    def run(self, start: NDArray[np.float64], generations: int, games: int) -> NDArray[np.float64]:
        rng = np.random.default_rng(self.seats)
        mean = start
        spread = 0.3 * np.abs(start) + 0.4
        for generation in track(range(generations), description=f"{self.seats}"):
            sets = rng.normal(mean, spread, (POPULATION, NUMBERS))
            sets[0] = mean
            scores = [wins * WIN - left for wins, left in (self.results(one, games, generation) for one in sets)]
            best = sets[np.argsort(scores)[::-1][:ELITE]]
            mean = best.mean(axis=0)
            spread = best.std(axis=0) + 0.02 * np.abs(mean) + 0.02
        return mean


def written(content: dict[str, dict[str, list[list[float]]]]) -> str:
    text = HEADING
    for game, kinds in content.items():
        text += f"\n[{game}]\n"
        for kind, rows in kinds.items():
            text += f"{kind} = [\n" + "".join(f"    {[round(x, 3) for x in row]},\n" for row in rows) + "]\n"
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=RULES, default="the-game")
    parser.add_argument("--kind", choices=("open", "strong"), default="open")
    parser.add_argument("--seats", type=int, nargs="*", default=[1, 2, 3, 4, 5])
    parser.add_argument("--generations", type=int, default=20)
    parser.add_argument("--games", type=int, default=1200)
    asked = parser.parse_args()
    for seats in asked.seats:
        tuning = Tuning(asked.game, asked.kind, seats)
        start = np.array(tomllib.loads(FILE.read_text("utf-8"))[asked.game][asked.kind][seats - 1])
        before = tuning.results(start, 10_000, seed=10**6)
        numbers = tuning.run(start, asked.generations, asked.games)
        after = tuning.results(numbers, 10_000, seed=10**6)
        Console().print(
            f"{asked.game} {asked.kind} {seats}: won {before[0]:.3f} → {after[0]:.3f}, "
            f"cards left {before[1]:.2f} → {after[1]:.2f}"
        )
        if after[0] * WIN - after[1] > before[0] * WIN - before[1]:
            content = tomllib.loads(FILE.read_text("utf-8"))
            content[asked.game][asked.kind][seats - 1] = numbers.tolist()
            FILE.write_text(written(content), "utf-8")


if __name__ == "__main__":
    main()
