"""`nevel backup` and `nevel restore`: all that a database holds, in one file."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nevel.cli.common import LanguageOption, choose_language, console, share_bar, stop, text
from nevel.languages import Language, SpokenError, mark

if TYPE_CHECKING:
    from nevel.tables.storage.backup import Progress as Told
    from nevel.tables.storage.storage import Storage

Database = Annotated[
    str, typer.Option(metavar="URL", help=text(mark("postgresql://… or sqlite:///FILE; by default this user's own")))
]
File = Annotated[Path, typer.Argument(help=text(mark("The backup")))]


def backup(file: File, database: Database = "", language_code: LanguageOption = None) -> None:
    from nevel.tables.storage import backup

    language = choose_language(language_code)
    if file.exists():
        stop(language.say(mark("{file} is there already."), file=file))
    work(lambda storage, told: backup.backup(storage, file, told), database, language, mark("Backing up"))
    console.print(language.say(mark("Everything is in {file}."), file=file))


def restore(file: File, database: Database = "", language_code: LanguageOption = None) -> None:
    from nevel.tables.storage import backup

    language = choose_language(language_code)
    work(lambda storage, told: backup.restore(storage, file, told), database, language, mark("Restoring"))
    console.print(language.say(mark("Everything from {file} is back."), file=file))


def work(do: "Callable[[Storage, Told], Awaitable[None]]", database: str, language: Language, description: str) -> None:
    """Open the database, do it with a progress bar, and say what went wrong."""
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
