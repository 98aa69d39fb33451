"""Summaries of tables for lists, read without loading the tables."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from nevel.game.registry import find
from nevel.game.vocabulary import Outcome
from nevel.tables.domain.pace import Pace
from nevel.tables.storage.schema import Summary
from nevel.web.people.people import People
from nevel.web.server.endpoint import Visit

#: Tables in a list.
MOST_LISTED = 100


class SummaryChair(Struct, frozen=True):
    """Who sits in a chair: a person's name or a bot's level. A person without a name has left Nevel for good."""

    is_empty: bool
    name: str | None
    level: str | None


class TableSummary(Struct, frozen=True):
    """A table in a list."""

    table: str
    game: str
    phase: str
    is_public: bool
    created: int
    changed: int
    host: str | None
    chairs: list[SummaryChair]
    options: dict[str, int]
    pace: Pace
    outcome: Outcome | None
    #: Whether a game or a box was brought along, and whether it is for practice: none of them counts.
    is_brought: bool
    has_own_box: bool
    is_practice: bool


class Listing(Struct, frozen=True):
    """A list of tables."""

    tables: list[TableSummary]


class DetailsChair(Struct, frozen=True):
    """Who sits in a chair, by their id or level."""

    person: str | None
    level: str | None


class Details(Struct, frozen=True):
    """What a room keeps for lists, as it stands in a summary."""

    chairs: list[DetailsChair]
    options: dict[str, int]
    pace: Pace
    outcome: Outcome | None
    #: How many moves were played elsewhere before, as older versions wrote it.
    brought: int = 0
    is_brought: bool = False
    has_own_box: bool = False
    is_practice: bool = False

    @property
    def counts(self) -> bool:
        """Whether the result says anything about those who played."""
        return not (self.brought or self.is_brought or self.has_own_box or self.is_practice)


_decoder = msgspec.json.Decoder(Details)


async def list_open(visit: Visit, game: str | None = None) -> list[TableSummary]:
    """Tables anybody may join, the newest first, without those of people who don't want to meet the visitor."""
    if game is not None:
        find(game)
    storage = visit.site.storage
    found = await storage.open_tables(game, MOST_LISTED)
    if visit.person and found:
        apart = await storage.blocked_by(visit.person.id) | await storage.blockers_of(visit.person.id)
        found = [table for table in found if table.host not in apart]
    return await summarise(found, visit.site.people)


async def summarise(summaries: Sequence[Summary], people: People) -> list[TableSummary]:
    details = [read_details(summary) for summary in summaries]
    ids = {chair.person for detail in details for chair in detail.chairs if chair.person}
    ids |= {summary.host for summary in summaries}
    await people.meet(ids)
    names = people.names_of(ids) or {}
    return [
        TableSummary(
            table=summary.table,
            game=summary.game,
            phase=summary.phase,
            is_public=summary.is_public,
            created=summary.created,
            changed=summary.changed,
            host=names.get(summary.host),
            chairs=[show_chair(chair, names) for chair in detail.chairs],
            options=detail.options,
            pace=detail.pace,
            outcome=detail.outcome,
            is_brought=detail.is_brought or detail.brought > 0,
            has_own_box=detail.has_own_box,
            is_practice=detail.is_practice,
        )
        for summary, detail in zip(summaries, details, strict=True)
    ]


def read_details(summary: Summary) -> Details:
    """The details of a stored summary, with defaults for options added since it was stored."""
    details = _decoder.decode(summary.details)
    options = find(summary.game).vocabulary.recall_options(details.options)
    return msgspec.structs.replace(details, options=options)


def show_chair(chair: DetailsChair, names: dict[str, str]) -> SummaryChair:
    return SummaryChair(not (chair.person or chair.level), names.get(chair.person or ""), chair.level)
