"""A tournament's results as files: figures as JSON, every game as a row of a Parquet table."""

import json
from collections.abc import Iterator
from pathlib import Path

from nevel.game.spec import GameSpec
from nevel.lab.figures.parquet import TableWriter
from nevel.lab.matches.ladder import Ladder, Pairing, Rating
from nevel.lab.tournaments.tournament import Tournament, points_of

#: A row per game. `first` and `second` are the pairing it counts for, empty where all players win together.
COLUMNS = {
    "game": "string",
    "seats": "int8",
    "deal": "int32",
    "first": "string",
    "second": "string",
    "players": "list<string>",
    "points": "list<int32>",
    "winners": "list<int8>",
    "moves": "int32",
}


def rating_figures(rating: Rating, spec: GameSpec) -> dict[str, object]:
    figures: dict[str, object] = {
        "level": rating.level,
        "rating": round(rating.rating, 1),
        "interval": rating.interval.rounded(1),
    }
    if rating.win_interval is not None:
        figures["win_rate"] = rating.win_rate
        figures["win_rate_interval"] = rating.win_interval.rounded()
        name = "mean_cards_left" if spec.counts_cards_left else "mean_points"
        figures[name] = spec.readable_points(rating.points or 0)
    return figures


def pairing_figures(pairing: Pairing) -> dict[str, object]:
    return {
        "first": pairing.first,
        "second": pairing.second,
        "score": round(pairing.score, 6),
        "interval": pairing.interval.rounded(),
        "deals": pairing.deals,
    }


def figures(tournament: Tournament) -> dict[str, object]:
    """Everything there is to say about how it ended. The same file gives the same text."""
    plan = tournament.plan
    return {
        "tournament": plan.name,
        "seed": plan.settings.tournament.seed,
        "fingerprint": plan.fingerprint(),
        "is_repeatable": not plan.is_timed,
        "players": [
            {"name": player.title, "player": player.who, "budget": plan.budget_of(player)._asdict()}
            for player in plan.settings.player
        ],
        "games": [event_figures(ladder) for ladder in tournament.ladders],
    }


def event_figures(ladder: Ladder) -> dict[str, object]:
    return {
        "game": ladder.matches.spec.name,
        "seats": ladder.matches.seats,
        "options": dict(ladder.matches.options),
        "deals": ladder.deals,
        "games": len(ladder.played),
        "ratings": [rating_figures(rating, ladder.matches.spec) for rating in ladder.ratings()],
        "pairings": [pairing_figures(pairing) for pairing in ladder.pairings()],
        "points": {
            name: {"mean": round(float(points.mean()), 4), "deviation": round(float(points.std()), 4)}
            for name, points in points_of(ladder).items()
        },
    }


def write_json(tournament: Tournament, path: Path) -> None:
    path.write_text(json.dumps(figures(tournament), indent=2, ensure_ascii=False) + "\n", "utf-8")


def write_games(tournament: Tournament, path: Path) -> None:
    """Every game as a row, in the order of the deals."""
    plan = tournament.plan
    with TableWriter(path, COLUMNS, {"nevel.tournament": plan.name, "nevel.fingerprint": plan.fingerprint()}) as table:
        for ladder in tournament.ladders:
            table.add(game_rows(ladder))


def game_rows(ladder: Ladder) -> Iterator[dict[str, object]]:
    jobs = ladder.jobs()
    for number in sorted(ladder.played):
        job, match = jobs[number], ladder.played[number]
        pair = None if ladder.is_cooperative else ladder.pairs[job.counts_for]
        yield {
            "game": ladder.matches.spec.name,
            "seats": ladder.matches.seats,
            "deal": job.dealt,
            "first": ladder.levels[pair[0]] if pair else None,
            "second": ladder.levels[pair[1]] if pair else None,
            "players": list(job.lineup),
            "points": match.points,
            "winners": match.winners,
            "moves": match.moves,
        }
