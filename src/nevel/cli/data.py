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
    Options,
    Playouts,
    Seats,
    Seconds,
    Seed,
    Tongue,
    all_cores,
    console,
    lay_out,
    progress_bar,
    stop,
    text,
    tongue,
)
from nevel.languages import Language, SpokenError, mark

if TYPE_CHECKING:
    from nevel.lab.data import Sharing, Source

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

Out = Annotated[Path, typer.Option(metavar="FOLDER", help=text(mark("Where the files go")))]
Views = Annotated[
    bool, typer.Option("--views", help=text(mark("Also write what the seat that moved saw before every move")))
]


@app.command("simulate", help=text(mark("Games between bots, move by move.")))
def simulate(
    game: GameName,
    out: Out,
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
    language: Tongue = None,
) -> None:
    from nevel.lab.data import Sharing, simulated
    from nevel.players.seating import read_players

    speech = tongue(language)
    try:
        matches = lay_out(game, seats, box, option, seed, seconds, playouts, speech)
        names = read_players(bots, matches.seats)
    except SpokenError as problem:
        stop(problem.sentence(speech))
    write(simulated(matches, names, games, cores or all_cores()), games, out, Sharing(views=views), speech)


@app.command("records", help=text(mark("Games people played: records of tables, and saved games that are over.")))
def records(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help=text(mark("Records, as tables give them")))],
    out: Out,
    consent: Annotated[
        bool,
        typer.Option(
            "--consent",
            help=text(mark("Everybody who sat there agrees that all hands can be seen: write deals and secret moves")),
        ),
    ] = False,
    views: Views = False,
    names: Annotated[bool, typer.Option("--names", help=text(mark("Write who sat there, too")))] = False,
    language: Tongue = None,
) -> None:
    from nevel.lab.data import Sharing

    speech = tongue(language)
    write(read(files, speech), len(files), out, Sharing(consent, views, names), speech)


def read(files: list[Path], speech: Language) -> "Iterator[Source]":
    """The games of these files; what is wrong with one is said with its name, and nothing is written."""
    from nevel.lab.data import from_record

    for file in files:
        try:
            yield from_record(file.read_bytes())
        except OSError as problem:
            stop(speech.say(mark("{file} can't be read: {reason}"), file=file, reason=problem.strerror))
        except SpokenError as problem:
            stop(speech.say(mark("{file}: {reason}"), file=file, reason=problem.sentence(speech)))


def write(sources: "Iterator[Source]", total: int, out: Path, sharing: "Sharing", speech: Language) -> None:
    from nevel.lab.data import GAMES, MOVES, export

    try:
        with progress_bar() as progress:
            task = progress.add_task(speech.say(mark("Games")), total=total)
            for done in export(sources, out, sharing):
                progress.update(task, completed=done)
    except SpokenError as problem:
        stop(problem.sentence(speech))
    except OSError as problem:
        stop(speech.say(mark("{file} can't be written: {reason}"), file=out, reason=problem.strerror))
    count = speech.say_count("{count} game", "{count} games", total)
    files = speech.say_list([GAMES, MOVES])
    console.print(speech.say(mark("{games} in {folder}: {files}."), games=count, folder=out, files=files))
