"""A tournament: every player against every other in every game of its file, on one core, on all, or on a cluster."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from nevel.lab.matches.ladder import Ladder, Numbers, ScheduledGame
from nevel.lab.matches.match import Match, policies_of
from nevel.lab.matches.spreading import spread
from nevel.lab.tournaments.plan import Plan
from nevel.lab.tournaments.results import Key, Results
from nevel.players.program import Notice

#: How a tournament that has to be precise begins; it doubles its deals until it is.
FIRST_DEALS = 50
#: Games per piece of work where nobody thinks. Thinking is handed out game by game.
PIECE = 100

Piece = Sequence[ScheduledGame]
#: Plays pieces of the work on one of the ladders; gives each with its number, in any order.
Runner = Callable[[int, Sequence[Piece]], Iterator[tuple[int, list[Match]]]]


class TournamentProgress(NamedTuple):
    """How far one game of the tournament is."""

    event: int
    done: int
    total: int


class Tournament:
    """What a plan asks for, and what was played of it. The results follow from the plan alone, whoever played them."""

    def __init__(self, plan: Plan, notice: Notice | None = None) -> None:
        self.plan = plan
        self.ladders = plan.ladders(notice)
        common = plan.settings.tournament
        if common.precision is not None:
            for ladder in self.ladders:
                ladder.deals = min(FIRST_DEALS, common.most_deals)

    def on_cores(self, cores: int) -> Runner:
        """Play on threads of this process."""

        def run(event: int, pieces: Sequence[Piece]) -> Iterator[tuple[int, list[Match]]]:
            ladder = self.ladders[event]
            return spread(lambda number: play_piece(ladder, pieces[number]), len(pieces), cores, ladder.matches.stop)

        return run

    def run(self, runner: Runner, results: Results | None = None) -> Iterator[TournamentProgress]:
        """Play what `results` doesn't have yet; tells how far it is after every piece."""
        for event, ladder in enumerate(self.ladders):
            while True:
                yield from self.play_deals(event, ladder, runner, results)
                if not self.wants_more(ladder):
                    break
                ladder.deals = min(2 * ladder.deals, self.plan.settings.tournament.most_deals)

    def play_deals(
        self, event: int, ladder: Ladder, runner: Runner, results: Results | None
    ) -> Iterator[TournamentProgress]:
        """All deals the ladder has now."""
        jobs = ladder.jobs()
        for number in range(len(jobs)):
            if results and number not in ladder.played and (match := results.matches.get(Key(event, number))):
                ladder.played[number] = match
        missing = [number for number in range(len(jobs)) if number not in ladder.played]
        size = piece_size(ladder)
        numbers = [missing[first : first + size] for first in range(0, len(missing), size)]
        yield TournamentProgress(event, len(ladder.played), len(jobs))
        for piece, matches in runner(event, [[jobs[number] for number in piece] for piece in numbers]):
            played = dict(zip(numbers[piece], matches, strict=True))
            if results:
                results.add(event, played)
            ladder.played |= played
            yield TournamentProgress(event, len(ladder.played), len(jobs))

    def wants_more(self, ladder: Ladder) -> bool:
        """Whether the ratings have to become more precise, and can."""
        common = self.plan.settings.tournament
        if common.precision is None or ladder.deals >= common.most_deals:
            return False
        return ladder.precision > common.precision


def piece_size(ladder: Ladder) -> int:
    players = [ladder.matches.entrant(name).player for name in ladder.levels]
    return 1 if policies_of(ladder.matches.spec.rules, players) is None else PIECE


def play_piece(ladder: Ladder, jobs: Piece) -> list[Match]:
    """Play these games, one after the other."""
    # Timing isn't a result: the same game took longer elsewhere.
    return [ladder.play(job)._replace(decisions=0, seconds=0.0) for job in jobs]


def points_of(ladder: Ladder) -> dict[str, Numbers]:
    """All points every player made, game by game and chair by chair; the table's where all play together."""
    points: dict[str, list[int]] = {name: [] for name in ladder.levels}
    jobs = ladder.jobs()
    for number in sorted(ladder.played):
        match, lineup = ladder.played[number], jobs[number].lineup
        if ladder.is_cooperative:
            points[lineup[0]].append(match.points[0])
            continue
        for seat, name in enumerate(lineup):
            points[name].append(match.points[seat])
    return {name: np.array(values, np.float64) for name, values in points.items()}
