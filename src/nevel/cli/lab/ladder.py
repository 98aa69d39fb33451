"""`nevel ladder`: how strong the levels are beside each other."""

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from nevel.cli.common import (
    AsJson,
    BoxFile,
    Cores,
    GameName,
    LanguageOption,
    Options,
    Playouts,
    Seats,
    Seconds,
    Seed,
    all_cores,
    choose_language,
    console,
    lay_out,
    percent,
    progress_bar,
    stop,
    text,
)
from nevel.languages import Language, SpokenError, mark

if TYPE_CHECKING:
    from nevel.lab.figures.intervals import Interval
    from nevel.lab.matches.ladder import Ladder, Pairing, Rating


def ladder(
    game: GameName,
    *,
    seats: Seats = None,
    games: Annotated[
        int, typer.Option(min=1, help=text(mark("How many deals; every level plays each of them in every chair")))
    ] = 100,
    levels: Annotated[
        str, typer.Option(metavar="LEVEL,LEVEL[,…]", help=text(mark("Who plays: levels and program:COMMAND")))
    ] = "beginner,casual,strong,expert",
    seconds: Seconds = None,
    playouts: Playouts = None,
    seed: Seed = None,
    cores: Cores = None,
    box: BoxFile = None,
    option: Options = None,
    as_json: AsJson = False,
    plot: Annotated[Path | None, typer.Option(help=text(mark("Draw the ratings into this SVG file")))] = None,
    language_code: LanguageOption = None,
) -> None:
    from nevel.lab.matches.ladder import Ladder

    language = choose_language(language_code)
    try:
        matches = lay_out(game, seats, box, option, seed, seconds, playouts, language)
        tournament = Ladder(matches, read_levels(levels), games)
    except SpokenError as problem:
        stop(problem.sentence(language))
    total = len(tournament.jobs())
    threads = cores or all_cores()
    started = time.perf_counter()
    with progress_bar() as progress:
        task = progress.add_task(matches.spec.title, total=total)
        for done in tournament.run(threads):
            progress.update(task, completed=done)
    elapsed = time.perf_counter() - started
    ratings, pairings = tournament.ratings(), tournament.pairings()
    if plot:
        try:
            plot.write_text(draw(tournament, ratings, language), "utf-8")
        except OSError as problem:
            stop(language.say(mark("{file} can't be written: {reason}"), file=plot, reason=language.explain(problem)))
    if as_json:
        from nevel.lab.tournaments.export import pairing_figures, rating_figures

        figures = {
            "game": game,
            "seats": matches.seats,
            "deals": games,
            "games": total,
            "seed": matches.seed,
            "seconds": round(elapsed, 4),
            "cores": threads,
            "budget": matches.budget._asdict(),
            "ratings": [rating_figures(rating, matches.spec) for rating in ratings],
            "pairings": [pairing_figures(pairing) for pairing in pairings],
        }
        sys.stdout.write(json.dumps(figures) + "\n")
        return
    console.print(rating_table(ratings, tournament, language))
    console.print(pairing_table(pairings, language))


def read_levels(text: str) -> list[str]:
    """Two levels or more, each once."""
    from nevel.players.seating import check_player, split

    names = split(text)
    for name in names:
        check_player(name)
    if len(names) < 2 or len(set(names)) < len(names):
        raise SpokenError(mark("A ladder needs at least two levels, each named once."))
    return names


def rating_table(ratings: "list[Rating]", tournament: "Ladder", language: Language) -> Table:
    table = Table(title=title(tournament, language), title_justify="left", title_style="bold")
    table.add_column(language.say(mark("Level")))
    spec = tournament.matches.spec
    headings = [mark("Rating"), mark("95%")]
    if tournament.is_cooperative:
        headings += [mark("Games won"), mark("95%"), spec.points_heading]
    for heading in headings:
        table.add_column(language.say(heading), justify="right")
    for rating in ratings:
        cells = [rating.level, language.say_number(round(rating.rating)), between(rating.interval, language)]
        if rating.win_interval is not None:
            points = language.say_number(round(spec.readable_points(rating.points or 0), 1))
            cells += [percent(rating.win_rate or 0, language), shares(rating.win_interval, language), points]
        table.add_row(*cells)
    return table


def pairing_table(pairings: "list[Pairing]", language: Language) -> Table:
    table = Table()
    table.add_column(language.say(mark("Pairing")))
    table.add_column(language.say(mark("Share of the first")), justify="right")
    table.add_column(language.say(mark("95%")), justify="right")
    for pairing in pairings:
        table.add_row(
            f"{pairing.first} – {pairing.second}", percent(pairing.score, language), shares(pairing.interval, language)
        )
    return table


def draw(tournament: "Ladder", ratings: "list[Rating]", language: Language) -> str:
    """The ratings as a picture."""
    from nevel.lab.figures.plots import Dot, dot_plot

    dots = [Dot(rating.level, rating.rating, *rating.interval) for rating in ratings]
    note = mark("Ratings with 95% intervals: 400 points more means ten wins to one.")
    return dot_plot(
        title(tournament, language), dots, language.say(note), lambda value: language.say_number(round(value))
    )


def title(tournament: "Ladder", language: Language) -> str:
    seats = tournament.matches.seats
    players = language.say_count("{count} player", "{count} players", seats)
    deals = language.say_count("{count} deal", "{count} deals", tournament.deals)
    return f"{tournament.matches.spec.title} · {players} · {deals}"


def between(interval: "Interval", language: Language) -> str:
    return f"{language.say_number(round(interval.low))} … {language.say_number(round(interval.high))}"


def shares(interval: "Interval", language: Language) -> str:
    low, high = (language.say_number(round(100 * share, 1)) for share in interval)
    return language.say(mark("{number}%"), number=f"{low} … {high}")
