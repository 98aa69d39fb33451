"""The parts of a running server that handlers use: storage, tables, people, links and watchers."""

import asyncio
import secrets
from collections.abc import Callable
from functools import partial

import msgspec

from nevel.bots.evaluation import Budget
from nevel.tables.domain.refusals import NoSuchTableError
from nevel.tables.runtime import off_loop
from nevel.tables.runtime.house import House
from nevel.tables.runtime.room import Room
from nevel.tables.storage.database import GONE, SPENT
from nevel.tables.storage.storage import Storage, open_storage
from nevel.tables.thinking.thinking import GLANCE, SEARCH
from nevel.tables.upkeep.upkeep import Upkeep, UpkeepPlan
from nevel.tables.views.view import TableView, Viewer, look
from nevel.web.live.gallery import NO_TABLE, Galleries
from nevel.web.pages.study.mist import Mists
from nevel.web.people.links import Access, Links
from nevel.web.people.people import People
from nevel.web.server.limits import Limits, SocketCap
from nevel.web.server.metrics import Metrics
from nevel.web.server.readiness import Readiness
from nevel.web.server.settings import Settings
from nevel.web.server.warming import Warming
from nevel.web.services.command_runner import CommandRunner
from nevel.web.services.reviews import Reviews

#: Seconds between two moments at which other nodes are told what was spent here.
TELL_EVERY = 1.0
#: Before the name of a node, and whose sockets they are.
SOCKETS = "s "
#: Letters of a table's name; whatever is longer is none.
LONGEST_NAME = 64


class Site:
    """One server, from its start to its stop."""

    def __init__(self, settings: Settings, storage: Storage, key: str, metrics: Metrics, warming: Warming) -> None:
        self.settings = settings
        self.storage = storage
        self.warming = warming
        self.house = House(
            storage,
            Budget(seconds=settings.bot_seconds),
            settings.bot_pause,
            settings.bot_threads,
            warm=warming.rules.wait,
        )
        self.people = People(storage, key, self.house.clock)
        self.links = Links(key, self.people.logged_out)
        self.metrics = metrics
        self.reviews = Reviews(self.house, settings.review_playouts, warming.study.wait)
        self.commands = CommandRunner(self.house, self.metrics)
        self.galleries = Galleries(self.house, self.people, self.links)
        rates = (settings.person_rate, settings.address_rate, settings.opening_rate)
        self.limits = Limits(*rates, on_refused=metrics.count_refusal)
        self.house.news.on_spent = self._on_spent
        sockets = (settings.person_sockets, settings.address_sockets)
        self.socket_cap = SocketCap(*sockets, on_refused=metrics.count_refusal)
        self.people.on_changed = self.galleries.check_person
        self.house.news.on_person_changed = self._on_person_changed
        self.house.news.on_people_missed = self._on_people_missed
        self.house.news.on_table_gone = self._forget_table
        plan = msgspec.convert(settings, UpkeepPlan, from_attributes=True)
        self.upkeep = Upkeep(storage, self.house.node, plan, self._delete_table, self.delete_person)
        self.mists = Mists()
        self.readiness = Readiness(storage)
        self._offer_figures()

    @classmethod
    async def open(cls, settings: Settings, metrics: Metrics, warming: Warming) -> "Site":
        storage = await open_storage(settings.database)
        # One key for all nodes, made by the first of them.
        site = cls(settings, storage, await storage.setting("signing-key", secrets.token_hex(32)), metrics, warming)
        await site.house.start()
        site.galleries.start()
        site.upkeep.start()
        if storage.is_shared:
            site.galleries.soon(site.tell_limits())
        return site

    async def tell_limits(self) -> None:
        """Keep telling other nodes what was spent here, so that a limit holds for all of them together."""
        while True:
            await asyncio.sleep(TELL_EVERY)
            sockets = [(f"{SOCKETS}{self.house.node} {name}", count) for name, count in self.socket_cap.news()]
            if news := self.limits.news() + sockets:
                await self.storage.tell_nodes([(SPENT + name, cost) for name, cost in news])

    def _on_spent(self, name: str, cost: int) -> None:
        """Another node tells what was spent there, or how many sockets somebody has."""
        if name.startswith(SOCKETS):
            node, _, whose = name.removeprefix(SOCKETS).partition(" ")
            self.socket_cap.on_count(node, whose, cost)
        else:
            self.limits.charge_elsewhere(name, cost)

    async def close(self) -> None:
        await self.upkeep.close()
        await self.galleries.close()
        await self.reviews.close()
        await self.house.close()
        await self.storage.close()

    def _offer_figures(self) -> None:
        house, storage = self.house, self.storage
        storage.on_done = self.metrics.count_storage
        house.thinking.on_answered = lambda how, seconds: self.metrics.bots.labels(how).observe(seconds)
        self.metrics.gauge("nevel_tables", "Tables in memory.", lambda: len(house.rooms))
        self.metrics.gauge("nevel_warming", "Whether something is still compiled.", lambda: self.warming.is_under_way)
        self.metrics.gauge("nevel_sockets", "Open sockets.", lambda: self.galleries.count)
        self.metrics.gauge("nevel_bot_queue", "Bots that wait for a thread.", lambda: house.thinking.waiting)
        self.metrics.gauge(
            "nevel_bot_search_seconds",
            "How long the search has been under way that began first.",
            lambda: house.thinking.searching.longest,
            "livemax",
        )
        self.metrics.gauge("nevel_review_queue", "Reviews asked for and not done.", lambda: len(self.reviews.jobs))
        if backups := self.upkeep.backups:
            self.metrics.gauge("nevel_backup_age_seconds", "Since the last good backup.", backups.age, "livemax")
            backups.on_failed = self.metrics.counter("nevel_backup_failures", "Backups that failed.").inc
        queues: dict[str, Callable[[], float]] = {
            SEARCH: lambda: house.thinking.searching.queue.pending,
            GLANCE: lambda: house.thinking.glancing.queue.pending,
            "review": lambda: len(self.reviews.jobs),
            "import": lambda: house.opening.imports.queue.pending,
            **{kind: partial(off_loop.count_pending, kind) for kind in off_loop.KINDS},
        }
        self.metrics.gauges("nevel_queue", "What is asked for and not done, by kind.", "kind", queues)
        pool: dict[str, Callable[[], float]] = {
            "size": lambda: storage.pool_use().size,
            "in_use": lambda: storage.pool_use().in_use,
            "waiting": lambda: storage.pool_use().waiting,
        }
        self.metrics.gauges("nevel_pool", "Connections to the database, and what waits for one.", "what", pool)

    async def enter(self, name: str, person: str | None, key: str | None, chair: int | None) -> tuple[Room, Access]:
        """A table, for somebody who may know that it exists. It can be shown as it is until something is awaited."""
        if len(name) > LONGEST_NAME or not name.replace("-", "").replace("_", "").isalnum() or not name.isascii():
            raise NoSuchTableError
        room = await self.house.room(name)
        table = room.table
        await self.people.meet(table.named)
        table = room.table
        access = self.links.access(table, person, key, chair)
        if access is None:
            raise NoSuchTableError
        if access.person:
            self.house.presence.notice(access.person)
        return room, access

    async def delete_person(self, person: str) -> None:
        """Let somebody leave for good: chairs go to bots or become free, and nothing is kept but an id."""
        await self.house.erasing.leave_tables(person)
        await self.people.forget(person)
        self.house.erasing.wake()
        await self.upkeep.person_deleted()

    async def _delete_table(self, table: str, before: int) -> None:
        """Delete a table that hasn't changed since a moment."""
        if await self.storage.delete_table(table, before):
            await self._forget_table(table)
            await self.storage.tell_nodes([(table, GONE)])

    async def _forget_table(self, table: str) -> None:
        """Show out who watches a table that was deleted, and keep nothing of it in memory."""
        if gallery := self.galleries.open.get(table):
            for connection in tuple(gallery.connections):
                gallery.show_out(connection, NO_TABLE)
        await self.house.forget(table)

    def _on_person_changed(self, person: str) -> None:
        self.people.drop(person)
        self.galleries.check_person(person)

    def _on_people_missed(self) -> None:
        self.people.drop_all()
        self.galleries.check_everybody()

    def look(self, room: Room, person: str | None, key: str | None, chair: int | None) -> TableView:
        """The view of a table for a person; a spectator's for somebody who has just left it."""
        access = self.links.access(room.table, person, key, chair)
        return look(room.table, access.viewer if access else Viewer(), self.galleries.people_status(room.table))
