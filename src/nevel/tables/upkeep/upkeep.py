"""What a node does for its database by itself: backups, the journal of erasures, and deleting what is too old."""

from pathlib import Path

from msgspec import Struct

from nevel.tables.runtime.background import BackgroundTasks
from nevel.tables.storage.storage import Storage
from nevel.tables.upkeep.backups import Backups
from nevel.tables.upkeep.journal import Journal
from nevel.tables.upkeep.retention import DeletePerson, DeleteTable, Retention


class UpkeepPlan(Struct, frozen=True):
    """What is to be done: where backups go, how many hours apart and how many; how many days what is kept."""

    backup_folder: str
    backup_hours: float
    backup_keep: int
    keep_tables_days: float
    keep_people_days: float


class Upkeep:
    """The parts of it, each a task of its own; without a folder there are no backups and no journal."""

    def __init__(
        self, storage: Storage, node: str, plan: UpkeepPlan, delete_table: DeleteTable, delete_person: DeletePerson
    ) -> None:
        folder = Path(plan.backup_folder).absolute() if plan.backup_folder else None
        self.backups = Backups(storage, node, folder, plan.backup_hours, plan.backup_keep) if folder else None
        self.journal = Journal(storage, folder) if folder else None
        days = (plan.keep_tables_days, plan.keep_people_days)
        self.retention = Retention(storage, node, *days, delete_table, delete_person)
        self._tasks = BackgroundTasks()

    def start(self) -> None:
        for part in (self.backups, self.journal, self.retention):
            if part:
                self._tasks.start(part.run())

    async def person_deleted(self) -> None:
        """Somebody was deleted: the journal has it before they are told so, if it can be written at all."""
        if self.journal:
            await self.journal.try_to_catch_up()

    async def close(self) -> None:
        await self._tasks.close()
