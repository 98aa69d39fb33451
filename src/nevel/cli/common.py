"""What the commands share: options, language, error messages and progress bars."""

import os
import secrets
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from nevel.languages import LANGUAGES, Language, SpokenError, guess_language, language, mark

# What is heavy is imported where it is used: `nevel --help` answers at once.
if TYPE_CHECKING:
    from nevel.bots.evaluation import Budget
    from nevel.game.box import Box
    from nevel.lab.matches.match import Matches
    from nevel.players.program import Notice

#: How often the main thread looks whether somebody wants to stop.
GLANCE_SECONDS = 0.1

Found = TypeVar("Found")

console = Console()
errors = Console(stderr=True)


def asked_language() -> Language:
    """The language of `--language`, even where something else was typed wrongly; else the terminal's."""
    for word, following in pairwise([*sys.argv[1:], ""]):
        name, equals, value = word.partition("=")
        if name == "--language":
            with suppress(ValueError):
                return language(value if equals else following)
    return guess_language()


def text(message: str) -> str:
    """Help is written in the language asked for."""
    return asked_language().say(message)


GameName = Annotated[str, typer.Argument(help=text(mark("The name of a game; `nevel games` lists them")))]
Seats = Annotated[int | None, typer.Option(help=text(mark("How many players")))]
Bots = Annotated[
    str,
    typer.Option(
        metavar="LEVEL[,LEVEL…]",
        help=text(
            mark(
                "Bots in the other chairs, one for all or one for each: "
                "beginner, casual, strong, expert, random, simple, or program:COMMAND"
            )
        ),
    ),
]
Seconds = Annotated[float | None, typer.Option(min=0, help=text(mark("How many seconds a bot may think per move")))]
Playouts = Annotated[
    int | None, typer.Option(min=1, help=text(mark("How many games a bot may simulate per move, instead of a time")))
]
Seed = Annotated[int | None, typer.Option(help=text(mark("The same seed deals the same game")))]
Cores = Annotated[int | None, typer.Option(min=1, help=text(mark("How many cores; all by default")))]
AsJson = Annotated[bool, typer.Option("--json", help=text(mark("Print the results as JSON")))]
BoxFile = Annotated[Path | None, typer.Option("--box", help=text(mark("A TOML file that describes your own box")))]
Options = Annotated[
    list[str] | None, typer.Option("--option", help=text(mark("A variant, as name=value; can be given several times")))
]
LanguageOption = Annotated[
    str | None, typer.Option("--language", metavar="|".join(LANGUAGES), help=text(mark("The language to use")))
]


def stop(sentence: str) -> NoReturn:
    """End with a message people can act on."""
    errors.print(Text(sentence, style="bold red"))
    raise typer.Exit(2)


def choose_language(code: str | None) -> Language:
    if code is None:
        return guess_language()
    try:
        return language(code)
    except ValueError:
        message = mark("Unknown language {code}; there are {known}.")
        stop(guess_language().say(message, code=code, known=", ".join(LANGUAGES)))


def read_options(given: list[str] | None, language: Language) -> dict[str, object]:
    """`--option long_game=1` as a dictionary."""
    options: dict[str, object] = {}
    for item in given or []:
        name, _, value = item.partition("=")
        if not value.isdigit():
            stop(language.say(mark("“{item}” isn't an option. Write it as name=number."), item=item))
        options[name.strip()] = int(value)
    return options


def default_seats(game: str) -> int:
    """How many sit at a table unless somebody says otherwise."""
    from nevel.game.registry import find

    return find(game).usual_seats


def read_budget(seconds: float | None, playouts: int | None) -> "Budget":
    """How long bots think: what was asked for, or a second."""
    from nevel.bots.bot import A_SECOND
    from nevel.bots.evaluation import Budget

    return A_SECOND if seconds is None and playouts is None else Budget(playouts, seconds)


def read_box(game: str, file: Path | None) -> "Box":
    from nevel.game.box import Box

    box = Box.read(file) if file else Box.of(game)
    if box.game != game:
        raise box.error_for(game)
    return box


def lay_out(
    game: str,
    seats: int | None,
    box: Path | None,
    option: list[str] | None,
    seed: int | None,
    seconds: float | None,
    playouts: int | None,
    language: Language,
) -> "Matches":
    """Tables for many games, once everything that was asked for makes sense."""
    from nevel.game.registry import find
    from nevel.lab.matches.match import Matches

    spec = find(game)
    words = spec.vocabulary
    chairs = seats or default_seats(game)
    words.check_seats(chairs)
    options = words.read_options(read_options(option, language))
    chosen_seed = secrets.randbits(63) if seed is None else seed
    budget = read_budget(seconds, playouts)
    return Matches(spec, chairs, read_box(game, box), options, chosen_seed, budget, notices(language))


def progress_bar() -> Progress:
    """On the error output, so that figures can be piped."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=errors,
        disable=not sys.stderr.isatty(),
    )


def share_bar() -> Progress:
    """A progress bar for work that reports its share; it disappears at the end."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeRemainingColumn(),
        console=errors,
        disable=not sys.stderr.isatty(),
        transient=True,
    )


def stoppable(work: Callable[[threading.Event, Callable[[float], None]], Found], description: str) -> Found:
    """Work on a thread of its own, with a bar, so that Ctrl-C ends the work in good order and not the program."""
    leave = threading.Event()
    with share_bar() as progress, ThreadPoolExecutor(1) as pool:
        task = progress.add_task(description, total=1.0)
        working = pool.submit(work, leave, lambda share: progress.update(task, completed=share))
        while not working.done():
            try:
                wait([working], GLANCE_SECONDS)
            except KeyboardInterrupt:
                leave.set()
        return working.result()


def notices(language: Language, screen: Console = errors) -> "Notice":
    """Print what outside programs did wrong."""

    def tell(notice: SpokenError) -> None:
        screen.print(Text(notice.sentence(language), style="yellow"))

    return tell


def all_cores() -> int:
    return os.cpu_count() or 1


def percent(share: float, language: Language) -> str:
    return language.say(mark("{number}%"), number=language.say_number(round(100 * share, 1)))
