"""`nevel data …`: games as data, in Parquet files."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nevel.cli.common import (
    Bots,
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
    progress_bar,
    stop,
    text,
)
from nevel.languages import Language, SpokenError, mark

if TYPE_CHECKING:
    from nevel.lab.data import ExportScope, Source

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

Out = Annotated[Path, typer.Option(metavar="FOLDER", help=text(mark("Where the files go")))]
Views = Annotated[bool, typer.Option("--views", help=text(mark("Also write what each mover saw before every move")))]


@app.command("simulate", help=text(mark("Games between bots, move by move.")))
def simulate(
    game: GameName,
    out: Out,
    *,
    seats: Seats = None,
    bots: Bots = "casual",
    games: Annotated[int, typer.Option(min=1, help=text(mark("How many games")))] = 100,
    seconds: Seconds = None,
    playouts: Playouts = None,
    views: Views = False,
    seed: Seed = None,
    cores: Cores = None,
    box: BoxFile = None,
    option: Options = None,
    language_code: LanguageOption = None,
) -> None:
    from nevel.lab.data import ExportScope, simulated
    from nevel.players.seating import read_players

    language = choose_language(language_code)
    try:
        matches = lay_out(game, seats, box, option, seed, seconds, playouts, language)
        names = read_players(bots, matches.seats)
    except SpokenError as problem:
        stop(problem.sentence(language))
    write(simulated(matches, names, games, cores or all_cores()), games, out, ExportScope(views=views), language)


@app.command("records", help=text(mark("Games people played: records of tables, and saved games that are over.")))
def records(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help=text(mark("Records of games at tables")))],
    out: Out,
    consent: Annotated[
        bool,
        typer.Option(
            "--consent",
            help=text(mark("Everyone who played agrees that all hands may be seen: write deals and secret moves")),
        ),
    ] = False,
    views: Views = False,
    names: Annotated[bool, typer.Option("--names", help=text(mark("Also write who played")))] = False,
    language_code: LanguageOption = None,
) -> None:
    from nevel.lab.data import ExportScope

    language = choose_language(language_code)
    write(read(files, language), len(files), out, ExportScope(consent, views, names), language)


def read(files: list[Path], language: Language) -> "Iterator[Source]":
    """The games of these files; what is wrong with one is said with its name, and nothing is written."""
    from nevel.lab.data import from_record

    for file in files:
        try:
            yield from_record(file.read_bytes())
        except OSError as problem:
            stop(language.say(mark("{file} can't be read: {reason}"), file=file, reason=language.explain(problem)))
        except SpokenError as problem:
            stop(language.say(mark("{file}: {reason}"), file=file, reason=problem.sentence(language)))


def write(sources: "Iterator[Source]", total: int, out: Path, sharing: "ExportScope", language: Language) -> None:
    from nevel.lab.data import GAMES, MOVES, export

    try:
        with progress_bar() as progress:
            task = progress.add_task(language.say(mark("Games")), total=total)
            for done in export(sources, out, sharing):
                progress.update(task, completed=done)
    except SpokenError as problem:
        stop(problem.sentence(language))
    except OSError as problem:
        stop(language.say(mark("{file} can't be written: {reason}"), file=out, reason=language.explain(problem)))
    count = language.say_count("{count} game", "{count} games", total)
    files = language.say_list([GAMES, MOVES])
    console.print(language.say(mark("{games} in {folder}: {files}."), games=count, folder=out, files=files))
