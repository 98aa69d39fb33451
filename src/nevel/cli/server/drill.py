"""`nevel restore --drill`: whether a backup can be restored, and whether all in it is as it should be."""

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import typer
from rich.table import Table

from nevel.cli.common import console, errors, share_bar, stop
from nevel.languages import Language, SpokenError, mark

if TYPE_CHECKING:
    from nevel.tables.storage.backup import Progress as Told
    from nevel.tables.upkeep.drill import DrillFigures


def show_drill(file: Path, database: str, as_json: bool, language: Language) -> None:
    """Do a drill, and say what it found; ends with 1 if anything is wrong."""
    try:
        with share_bar() as progress:
            task = progress.add_task(language.say(mark("Testing the backup")), total=1.0)
            figures = asyncio.run(work(file, database, lambda share: progress.update(task, completed=share)))
    except SpokenError as problem:
        stop(problem.sentence(language))
    if as_json:
        sys.stdout.write(msgspec.json.encode(figures).decode() + "\n")
    else:
        console.print(drawn(figures, language))
        for problem in figures.problems:
            errors.print(problem, markup=False, style="bold red")
    if figures.problem_count:
        if not as_json:
            errors.print(language.say(mark("Something is wrong with this backup.")), style="bold red")
        raise typer.Exit(1)
    if not as_json:
        console.print(language.say(mark("The backup is complete: everything could be restored and opened.")))


async def work(file: Path, database: str, told: "Told") -> "DrillFigures":
    from nevel.tables.upkeep.drill import drill

    return await drill(file, database, told)


def drawn(figures: "DrillFigures", language: Language) -> Table:
    table = Table(show_header=False)
    rows: list[tuple[str, int]] = [
        (mark("People"), figures.people),
        (mark("Tables"), sum(figures.tables.values())),
        (mark("… open"), figures.tables.get("open", 0)),
        (mark("… being played at"), figures.tables.get("playing", 0)),
        (mark("… finished"), figures.tables.get("over", 0)),
        (mark("Rows of their logs"), figures.rows),
        (mark("Messages"), figures.messages),
        (mark("Games dealt again as they were"), figures.verified),
        (mark("Games that can't be checked any more, as somebody in them was deleted"), figures.erased),
        (mark("Problems"), figures.problem_count),
    ]
    for title, value in rows:
        table.add_row(language.say(title), language.say_number(value))
    return table
