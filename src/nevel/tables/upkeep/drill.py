"""A restore drill: a backup is restored into a database made for it, and everything in it is looked at."""

from pathlib import Path

from msgspec import Struct

from nevel.languages import SpokenError
from nevel.tables.domain import record
from nevel.tables.domain.table import OVER
from nevel.tables.runtime.room import Room
from nevel.tables.storage import schema
from nevel.tables.storage.backup import Progress, ignore, restore
from nevel.tables.storage.storage import Storage, open_storage
from nevel.tables.upkeep.temporary_database import temporary_database

#: The most problems that are told one by one.
MOST_PROBLEMS = 20


class DrillFigures(Struct):
    """What a drill found."""

    people: int = 0
    #: Tables by phase.
    tables: dict[str, int] = {}
    rows: int = 0
    messages: int = 0
    #: Finished games that were dealt again, and those that can't be: somebody who left had their part deleted.
    verified: int = 0
    erased: int = 0
    problem_count: int = 0
    problems: list[str] = []

    def complain(self, about: str, problem: object) -> None:
        self.problem_count += 1
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(f"{about}: {problem}")


async def drill(path: Path, url: str = "", progress: Progress = ignore) -> DrillFigures:
    """Restore a backup and look at all of it. Of `url` only the server is used: it has to be a PostgreSQL's, if any."""
    async with temporary_database(url) as place:
        storage = await open_storage(place)
        try:
            await restore(storage, path, lambda share: progress(share / 2))
            return await look_at_everything(storage, lambda share: progress(0.5 + share / 2))
        finally:
            await storage.close()


async def look_at_everything(storage: Storage, progress: Progress = ignore) -> DrillFigures:
    """Count everything, open every table, and deal every finished game again."""
    figures = DrillFigures()
    async with storage.session() as session:
        counts = {name: (await session.run(f"SELECT COUNT(*) FROM {name}"))[0][0] for name in schema.BACKUP_COLUMNS}
        names = [name for (name,) in await session.run("SELECT table_id FROM tables ORDER BY created")]
    figures.people, figures.messages, figures.rows = counts["people"], counts["messages"], counts["events"]
    seen = 0
    for number, name in enumerate(names, 1):
        try:
            seen += await look_at_table(storage, name, figures)
        except Exception as problem:  # whatever is wrong with one table, the others are looked at too
            figures.complain(name, problem)
        progress(number / len(names))
    if seen != figures.rows and not figures.problem_count:
        figures.complain("events", f"{figures.rows - seen} rows of no table")
    progress(1)
    return figures


async def look_at_table(storage: Storage, name: str, figures: DrillFigures) -> int:
    """Open a table from its log, compare it with what lists say of it, and deal its game again if it is over."""
    rows = await storage.rows(name)
    table, summary = (await Room.enter(storage, name)).table, await storage.summary(name)
    if [row.seq for row in rows] != list(range(len(rows))):
        figures.complain(name, "its rows aren't consecutive")
    if summary is None or (summary.phase, summary.game) != (table.phase, table.opened.game):
        figures.complain(name, "lists say something else of it than its log")
    figures.tables[table.phase] = figures.tables.get(table.phase, 0) + 1
    if table.phase == OVER and table.game:
        try:
            record.verify(record.write_record(table, {}))
            figures.verified += 1
        except SpokenError as problem:
            if table.erased_seed:
                figures.erased += 1
            else:
                figures.complain(name, problem)
    return len(rows)
