"""`nevel backup` and `nevel restore`: all that a database holds, in one file."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nevel.cli.common import AsJson, LanguageOption, choose_language, console, share_bar, stop, text
from nevel.cli.server.drill import show_drill
from nevel.languages import Language, SpokenError, mark

if TYPE_CHECKING:
    from nevel.tables.storage.backup import Progress as Told
    from nevel.tables.storage.storage import Storage

Database = Annotated[
    str, typer.Option(metavar="URL", help=text(mark("postgresql://… or sqlite:///FILE; by default this user's own")))
]


def backup(
    target: Annotated[
        Path,
        typer.Argument(metavar="FILE|FOLDER", help=text(mark("The backup; in a folder, one named by the time"))),
    ],
    database: Database = "",
    keep: Annotated[
        int, typer.Option(min=0, help=text(mark("In a folder, how many to keep; the oldest go. All by default")))
    ] = 0,
    language_code: LanguageOption = None,
) -> None:
    from nevel.tables.storage import backup
    from nevel.tables.upkeep.backups import back_up_with_journal

    language, file = choose_language(language_code), target

    async def back_up(storage: "Storage", told: "Told") -> None:
        nonlocal file
        if target.is_dir():
            file = await back_up_with_journal(storage, target, keep, told)
        else:
            await backup.backup(storage, target, told)

    if target.exists() and not target.is_dir():
        stop(language.say(mark("{file} already exists."), file=target))
    if keep and not target.is_dir():
        stop(language.say(mark("{file} isn't a folder, so that there is nothing to keep some of."), file=target))
    work(back_up, database, language, mark("Backing up"))
    console.print(language.say(mark("Everything is in {file}."), file=file), soft_wrap=True)


def restore(
    file: Annotated[Path, typer.Argument(help=text(mark("The backup")))],
    database: Database = "",
    erasures: Annotated[
        Path | None,
        typer.Option(help=text(mark("The journal of who was deleted since; by default the one beside the backup"))),
    ] = None,
    is_drill: Annotated[
        bool,
        typer.Option("--drill", help=text(mark("Only test: restore into a temporary database and check everything"))),
    ] = False,
    as_json: AsJson = False,
    language_code: LanguageOption = None,
) -> None:
    from nevel.tables.storage import backup
    from nevel.tables.upkeep.journal import NAME, read_journal, trace_of

    language = choose_language(language_code)
    if is_drill:
        show_drill(file, database, as_json, language)
        return
    erased = 0

    async def bring_back(storage: "Storage", told: "Told") -> None:
        nonlocal erased
        journal = erasures or file.with_name(NAME)
        traces = read_journal(journal) if erasures or journal.exists() else frozenset[str]()
        erased = await backup.restore(storage, file, told, lambda person: trace_of(person) in traces)

    work(bring_back, database, language, mark("Restoring"))
    console.print(language.say(mark("Everything from {file} is back."), file=file), soft_wrap=True)
    if erased:
        told = language.say_count(
            "{count} person who was deleted since stays deleted.",
            "{count} people who were deleted since stay deleted.",
            erased,
        )
        console.print(told)


def work(do: "Callable[[Storage, Told], Awaitable[None]]", database: str, language: Language, description: str) -> None:
    """Run a backup or a restore on a database with a progress bar; stops with a message if it fails."""
    from nevel.tables.storage.storage import default_database, open_storage

    async def run() -> None:
        storage = await open_storage(database or default_database())
        try:
            with share_bar() as progress:
                task = progress.add_task(language.say(description), total=1.0)
                await do(storage, lambda share: progress.update(task, completed=share))
        finally:
            await storage.close()

    try:
        asyncio.run(run())
    except SpokenError as problem:
        stop(problem.sentence(language))
