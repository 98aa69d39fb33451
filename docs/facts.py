"""Simulates the games and writes what is found into `facts.md` and its pictures: `python docs/facts.py` (`make facts`).

Only levels that decide at a glance play, thousands of games a second; the same seed gives the same page.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nevel.bots.evaluation import Budget
from nevel.bots.policy import POLICIES
from nevel.game.box import Box
from nevel.game.registry import all_games, find
from nevel.lab.figures.intervals import Interval, wilson
from nevel.lab.figures.plots import Dot, line_plot
from nevel.lab.matches.ladder import Ladder
from nevel.lab.matches.match import Matches
from nevel.lab.simulation import Simulation

LEVELS = ("simple", "beginner", "casual", "strong")
SEED = 2026


class Facts(NamedTuple):
    """What games of one kind came to."""

    #: By seat, a shared win split; where all win together it is the same everywhere.
    shares: list[float]
    points: list[float]
    moves: float
    games: int

    def interval(self, seat: int = 0) -> Interval:
        return wilson(self.shares[seat], self.games)


def simulate(game: str, levels: Sequence[str], games: int) -> Facts:
    words = find(game).vocabulary
    options = words.option_numbers(words.read_options({}))
    policies = [POLICIES[level] for level in levels]
    simulation = Simulation(words.rules, len(levels), Box.of(game).numbers, options, policies, SEED)
    for _ in simulation.run(games, os.cpu_count() or 1):
        pass
    wins = np.concatenate(simulation.wins)[:, : len(levels)].astype(float)
    if not find(game).is_cooperative:
        wins /= np.maximum(wins.sum(axis=1, keepdims=True), 1)
    points = np.concatenate(simulation.points)[:, : len(levels)]
    sys.stderr.write(f"{game} {','.join(levels)}\n")
    return Facts(
        wins.mean(axis=0).tolist(),
        points.mean(axis=0).tolist(),
        float(np.concatenate(simulation.lengths).mean()),
        games,
    )


def percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [headings, ["---"] + ["---:"] * (len(headings) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def seats_of(game: str) -> range:
    low, high = find(game).vocabulary.rules.SEATS
    return range(low, high + 1)


def players(seats: int) -> str:
    return f"{seats} player" + ("s" if seats > 1 else "")


class Page:
    """The text and the pictures, as they come together."""

    def __init__(self, folder: Path, games: int) -> None:
        self.folder = folder
        self.games = games
        self.text: list[str] = []

    def picture(self, name: str, title: str, lines: dict[str, list[Dot]]) -> None:
        (self.folder / "pictures").mkdir(parents=True, exist_ok=True)
        note = f"{self.games:,} games each; whiskers: 95% confidence"
        drawn = line_plot(title, lines, note, lambda value: f"{100 * value:g}%")
        (self.folder / "pictures" / f"facts-{name}.svg").write_text(drawn, "utf-8")
        self.text.append(f"![{title}](pictures/facts-{name}.svg)\n")

    def together(self, game: str) -> None:
        """A game all win or lose together: by level and number of players."""
        title = find(game).title
        found = {
            level: {seats: simulate(game, [level] * seats, self.games) for seats in seats_of(game)} for level in LEVELS
        }
        self.text.append(f"## {title}\n\nGames won, all chairs filled with the same level:\n")
        self.by_level(found, lambda one: percent(one.shares[0]))
        lines = {
            level: [Dot(players(seats), one.shares[0], *one.interval()) for seats, one in row.items()]
            for level, row in found.items()
        }
        self.picture(game, f"{title}: games won", lines)
        self.text.append("Cards left, on average:\n")
        self.by_level(found, lambda one: f"{-one.points[0]:.1f}")
        self.text.append("Moves per game:\n")
        self.by_level(found, lambda one: f"{one.moves:.0f}")
        self.text.append(self.luck_of_the_deal(game))

    def by_level(self, found: dict[str, dict[int, Facts]], write: Callable[[Facts], str]) -> None:
        """A row for every level, a column for every number of players."""
        headings = ["", *(players(seats) for seats in found[LEVELS[0]])]
        self.text.append(table(headings, [[level, *map(write, row.values())] for level, row in found.items()]))

    def luck_of_the_deal(self, game: str) -> str:
        """How alike two levels fare on the same deals: what both owe to the cards."""
        deals = max(self.games // 4, 2)
        matches = Matches(find(game), 2, Box.of(game), {}, SEED, Budget(playouts=1))
        ladder = Ladder(matches, ["casual", "strong"], deals)
        for _ in ladder.run(os.cpu_count() or 1):
            pass
        points, wins = ladder.results()
        results = points + wins / 2
        (pairing,) = ladder.pairings()
        alike = float(np.corrcoef(results[:, 0], results[:, 1])[0, 1])
        return (
            f"**Luck.** Two casual and two strong players were given the same {deals:,} deals. The strong ones did "
            f"better on {percent(1 - pairing.score)} of them (equal results count half). What the two tables had left "
            f"is correlated by {alike:.2f}: 1 would mean that only the deal decides, 0 that it decides nothing.\n"
        )

    def against(self, game: str) -> None:
        """A game of each against all: what the chair, the level and luck decide."""
        title = find(game).title
        self.text.append(f"## {title}\n\n**Does the chair matter?** Wins by chair, all of the same level (`strong`):\n")
        rows: list[list[str]] = []
        lines: dict[str, list[Dot]] = {}
        lengths: dict[str, list[str]] = {level: [] for level in LEVELS}
        most = seats_of(game)[-1]
        for seats in seats_of(game):
            equal = {level: simulate(game, [level] * seats, self.games) for level in LEVELS}
            one = equal["strong"]
            rows.append([players(seats), *(percent(share) for share in one.shares), *["–"] * (most - seats)])
            for level, facts in equal.items():
                lengths[level].append(f"{facts.moves:.0f}")
        self.text.append(table(["", *(f"chair {seat + 1}" for seat in range(most))], rows))
        even = wilson(0.5, self.games)
        self.text.append(
            f"With {self.games:,} games, two chairs that are equal would come out between {percent(even.low)} and "
            f"{percent(even.high)}, 95 times of 100.\n"
        )
        self.text.append("**Does skill matter?** How often one player of a level wins against beginners:\n")
        rows = []
        for level in ("casual", "strong"):
            dots: list[Dot] = []
            for seats in seats_of(game):
                facts = simulate(game, [level] + ["beginner"] * (seats - 1), self.games)
                dots.append(Dot(players(seats), facts.shares[0], *facts.interval()))
            lines[level] = dots
            rows.append([level, *(percent(dot.value) for dot in dots)])
        lines["an equal share"] = [Dot(players(seats), 1 / seats, 1 / seats, 1 / seats) for seats in seats_of(game)]
        rows.append(["an equal share", *(percent(1 / seats) for seats in seats_of(game))])
        headings = ["", *(players(seats) for seats in seats_of(game))]
        self.text.append(table(headings, rows))
        self.picture(game, f"{title}: one player against beginners", lines)
        upset = 1 - lines["strong"][0].value
        self.text.append(
            f"**Luck.** With two at the table, a beginner takes {percent(upset)} of the games from a strong player.\n"
        )
        self.text.append("Moves per game, all of the same level:\n")
        self.text.append(table(headings, [[level, *row] for level, row in lengths.items()]))

    def write(self) -> None:
        """Simulate everything and write the page."""
        for game, spec in all_games().items():
            if spec.package.startswith("nevel.games."):  # those of this repository
                (self.together if spec.is_cooperative else self.against)(game)
        opening = (
            "# Facts about the games\n\n"
            f"Found by simulation with `python docs/facts.py --games {self.games}`: {self.games:,} games for every "
            f"figure, seed\n{SEED}, between levels that decide at a glance: `simple` (one short rule), `beginner`, "
            "`casual` and `strong`, as\n[bots.md](bots.md) tells. They are facts about the games as these bots "
            "play them; people and the searching\n`expert` play differently. The same command writes the same page.\n"
        )
        (self.folder / "facts.md").write_text("\n".join([opening, *self.text]), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Simulate the games and write facts.md.")
    parser.add_argument("--games", type=int, default=2000, help="for every figure")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent)
    given = parser.parse_args()
    Page(given.out, given.games).write()


if __name__ == "__main__":
    main()
