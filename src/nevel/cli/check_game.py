"""`nevel check-game`: whether a game does what every game has to do."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from nevel.cli.common import AsJson, GameName, LanguageOption, choose_language, console, errors, stop, text
from nevel.languages import Language, SpokenError, mark

if TYPE_CHECKING:
    from nevel.testing import Result, Subject

#: How a status is told, and its colour.
STATUSES = {
    "ok": (mark("ok"), "green"),
    "failed": (mark("failed"), "bold red"),
    "skipped": (mark("skipped"), "yellow"),
}


def check_game(
    game: GameName,
    only: Annotated[
        list[str] | None,
        typer.Option("--check", metavar="CHECK", help=text(mark("The name of a check; can be given several times"))),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help=text(mark("Skip what takes long")))] = False,
    tests: Annotated[
        Path | None,
        typer.Option(help=text(mark("The folder with tests of its clauses; `tests` by default, if it exists"))),
    ] = None,
    golden: Annotated[
        Path | None,
        typer.Option(help=text(mark("The folder with its recorded games; `golden` among the tests by default"))),
    ] = None,
    record: Annotated[
        bool,
        typer.Option("--record", help=text(mark("Record its games in that folder again, without checking anything"))),
    ] = False,
    as_json: AsJson = False,
    language_code: LanguageOption = None,
) -> None:
    from nevel.game.registry import BrokenGameError, find
    from nevel.testing import Subject, checks

    language = choose_language(language_code)
    folder = tests or (Path("tests") if Path("tests").is_dir() else None)
    recorded = golden or (folder / "golden" if folder else None)
    try:
        subject = Subject(find(game), tests=folder, golden=recorded)
        chosen = checks(only, is_quick=quick)
    except BrokenGameError as problem:
        stop(str(problem))
    except SpokenError as problem:
        stop(problem.sentence(language))
    if record:
        write_golden(subject, recorded or Path("golden"), language)
        return
    results: list[Result] = []
    for check in chosen:
        with errors.status(language.say(check.title)):
            results.append(check.result(subject, language))
        if not as_json:
            show(results[-1], language)
    if as_json:
        sys.stdout.write(json.dumps([as_dict(result) for result in results], ensure_ascii=False) + "\n")
    else:
        summarise(results, language)
    if any(result.status == "failed" for result in results):
        raise typer.Exit(1)


def write_golden(subject: "Subject", folder: Path, language: Language) -> None:
    from nevel.testing.suite.golden import record

    for file in record(subject, folder):
        console.print(language.say(mark("{file} was written."), file=file))


def show(result: "Result", language: Language) -> None:
    """A line for the check; what is wrong, and what to do about it, below it."""
    word, style = STATUSES[result.status]
    line = Table.grid(padding=(0, 2), expand=False)
    line.add_column(width=9)
    line.add_column(width=7, justify="right")
    line.add_column()
    seconds = language.say(mark("{seconds} s"), seconds=language.say_number(round(result.seconds, 1)))
    title = language.say(result.check.title)
    told = title if result.status == "ok" else language.say_pair(title, result.reason)
    line.add_row(Text(language.say(word), style=style), seconds, Text(told))
    console.print(line)
    if result.status == "failed":
        console.print(Text(f"{result.check.name}\n{result.check.advice}\n{result.trace}".rstrip(), style="dim"))


def summarise(results: "list[Result]", language: Language) -> None:
    counts = {status: sum(result.status == status for result in results) for status in STATUSES}
    message = mark("{ok} checks passed, {failed} failed, {skipped} were skipped.")
    console.print(Text(language.say(message, **counts), style="bold red" if counts["failed"] else "bold green"))


def as_dict(result: "Result") -> dict[str, object]:
    return {
        "check": result.check.name,
        "status": result.status,
        "seconds": round(result.seconds, 3),
        "reason": result.reason,
    }
