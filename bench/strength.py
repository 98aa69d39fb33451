"""Measures how strong the expert is, the figures of `docs/bots.md`.

    python -m bench.strength                                 # everything: hours on two cores
    python -m bench.strength the-game --players 1,2 --games 60
    python -m bench.strength --table --plots docs/pictures   # only what was measured so far

Every game that ends is written into a file and not played again: what was stopped goes on. Each process has a core of
its own, so that a tenth of a second is a tenth of a second.
"""

import argparse
import json
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console

from nevel.bots.evaluation import Budget
from nevel.cli.common import progress_bar
from nevel.game.box import Box
from nevel.game.registry import all_games, find
from nevel.games.misty.events import Scored
from nevel.lab.figures.intervals import Interval, wilson
from nevel.lab.figures.plots import Dot, dot_plot
from nevel.lab.matches.match import Matches

SEED = 2026
SECONDS = 0.1
RESULTS = Path("strength.jsonl")


class Contest(NamedTuple):
    """Games of one kind, to see how the expert does: alone with its like, or against others from every chair."""

    game: str
    names: tuple[str, ...]
    games: int

    @property
    def seats(self) -> int:
        return len(self.names)

    @property
    def is_among_equals(self) -> bool:
        return len(set(self.names)) == 1

    @property
    def label(self) -> str:
        """Who plays, in words."""
        if self.is_among_equals:
            return "alone" if self.seats == 1 else f"{self.seats} experts"
        return f"against {self.seats - 1} {self.names[1]}"

    @property
    def title(self) -> str:
        return f"{find(self.game).title}, {self.label}"

    @property
    def is_won(self) -> bool:
        """Whether somebody may win more than others do: not where equals play against each other."""
        return find(self.game).is_cooperative or not self.is_among_equals


CONTESTS = [
    *(Contest("the-game", ("expert",) * seats, 200) for seats in range(1, 6)),
    *(Contest("extreme", ("expert",) * seats, 200) for seats in range(1, 6)),
    *(
        Contest(game, names, 300)
        for game in ("what-the-fog", "misty")
        for names in (("expert", "casual"), ("expert", "strong"), ("expert", *("casual",) * 3))
    ),
    Contest("misty", ("expert",) * 4, 100),
]


def play(contest: Contest, number: int, budget: Budget) -> dict[str, Any]:
    """One game; a deal is played once for every chair the expert can sit in."""
    seats = contest.seats
    deal, turn = (number, 0) if contest.is_among_equals else divmod(number, seats)
    matches = Matches(find(contest.game), seats, Box.of(contest.game), {}, SEED, budget)
    game = matches.deal(deal)
    match = matches.play_at_table(game, deal, [contest.names[(seat - turn) % seats] for seat in range(seats)])
    scored = [event for event in game.story(None) if isinstance(event, Scored)]
    return {
        "contest": contest.title,
        "number": number,
        "won": float(bool(match.winners)) if find(contest.game).is_cooperative else match.share([turn]),
        "points": match.points[turn],
        "windows": [event.score for event in scored if event.seat == turn or contest.is_among_equals],
        "decisions": match.decisions,
        "seconds": match.seconds,
    }


def measure(contests: Sequence[Contest], budget: Budget, processes: int, results: Path) -> None:
    """Play what isn't in the file yet, a game of every contest in turn."""
    done = {(row["contest"], row["number"]) for row in read(results)}
    work = [
        (contest, number)
        for number in range(max(contest.games for contest in contests))
        for contest in contests
        if number < contest.games and (contest.title, number) not in done
    ]
    first = {contest.game: contest for contest, _ in work}
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, spawning) as pool, results.open("a") as file, progress_bar() as bar:
        # Once each before the rest, so that compiling is done once and by nobody's clock.
        list(pool.map(play, first.values(), range(len(first)), [Budget(playouts=1)] * len(first)))
        task = bar.add_task("games", total=len(work))
        for future in as_completed(pool.submit(play, contest, number, budget) for contest, number in work):
            file.write(json.dumps(future.result()) + "\n")
            file.flush()
            bar.advance(task)


def read(results: Path) -> Iterator[dict[str, Any]]:
    if results.exists():
        yield from map(json.loads, results.read_text().splitlines())


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def table(results: Path, contests: Sequence[Contest]) -> tuple[str, dict[str, list[Dot]]]:
    """What was measured as a table in Markdown, and as dots for plots, a plot for every game."""
    lines = ["| contest | games | won | points or cards left | seconds a decision |", "|---|---:|---:|---:|---:|"]
    dots: dict[str, list[Dot]] = {}
    for contest in contests:
        rows = [row for row in read(results) if row["contest"] == contest.title]
        if not rows:
            continue
        share = mean([row["won"] for row in rows])
        interval = wilson(share, len(rows))
        windows = [score for row in rows for score in row["windows"]]
        points = f"{mean(windows):.2f} a window" if windows else f"{abs(mean([row['points'] for row in rows])):.2f}"
        thought = sum(row["seconds"] for row in rows) / sum(row["decisions"] for row in rows)
        won = written(share, interval) if contest.is_won else ""
        lines.append(f"| {contest.title} | {len(rows)} | {won} | {points} | {thought:.3f} |")
        if contest.is_won:
            dots.setdefault(contest.game, []).append(Dot(contest.label, share, *interval))
    return "\n".join(lines), dots


def written(share: float, interval: Interval) -> str:
    return f"{percent(share)} ({100 * interval.low:.0f}–{100 * interval.high:.0f})"


def main() -> None:
    parser = argparse.ArgumentParser(description="How strong the expert is.")
    parser.add_argument("games", nargs="*", help="which games; all by default")
    parser.add_argument("--players", help="numbers of players, with commas; all by default")
    parser.add_argument("--games", type=int, dest="most", help="at most so many games of each contest")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for a decision")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="games at the same time")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where games are written, one a line")
    parser.add_argument("--table", action="store_true", help="play nothing")
    parser.add_argument("--plots", type=Path, help="a folder for the plots")
    given = parser.parse_args()
    seats = {int(number) for number in given.players.split(",")} if given.players else set(range(6))
    contests = [
        contest._replace(games=min(contest.games, given.most or contest.games))
        for contest in CONTESTS
        if contest.seats in seats and contest.game in (given.games or all_games())
    ]
    if not given.table:
        measure(contests, Budget(seconds=given.seconds), given.processes, given.results)
    text, dots = table(given.results, contests)
    Console().print(text, markup=False, highlight=False, soft_wrap=True)
    for game in dots if given.plots else ():
        note = f"{given.seconds} s a decision, with intervals of 95 %"
        (given.plots / f"strength-{game}.svg").write_text(
            dot_plot(f"{find(game).title}: games won by the expert", dots[game], note, percent)
        )


if __name__ == "__main__":
    main()
