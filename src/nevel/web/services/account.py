"""A person's account: name and language, tokens, tables, all that is known about them, and leaving for good."""

from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from nevel.game.registry import find
from nevel.tables.domain import facts
from nevel.tables.referee import referee
from nevel.tables.runtime.off_loop import run_off_loop
from nevel.tables.storage.schema import Person, Row, Summary
from nevel.web.people import people
from nevel.web.server.endpoint import Visit
from nevel.web.server.site import Site
from nevel.web.services.statistics import PlayerFigures, figures_of
from nevel.web.services.summaries import TableSummary, summarise

#: What it costs to be told everything, where a request costs 1.
EXPORT_COST = 40.0
#: Seconds after which reading the log of one table is given up.
LONGEST_READING = 20.0


class Muted(Struct, frozen=True):
    """A person muted at a table."""

    table: str
    name: str | None


class Deed(Struct, frozen=True):
    """Something a person did at a table, from its log; `text` is the move, or their part of the shuffle."""

    table: str
    seq: int
    at: int
    fact: str
    chair: int | None
    text: str


class Everything(Struct, frozen=True):
    """All that is known about somebody. Others are in it by their names, as they are for everybody."""

    person: dict[str, Any]
    tokens: list[dict[str, Any]]
    blocked: list[str | None]
    muted: list[Muted]
    messages: list[dict[str, Any]]
    tables: list[TableSummary]
    deeds: list[Deed]
    statistics: PlayerFigures
    solved: list[dict[str, Any]]
    #: The boxes they corrected, by game.
    boxes: dict[str, dict[str, Any]]


async def change(visit: Visit, name: str | None, language_code: str | None) -> Person:
    """Give a visitor another name or language; who was nobody becomes somebody by it."""
    if name is not None and visit.person is not None:
        await check_name(visit.site, visit.person, name)
    visit.person = await visit.site.people.change(await visit.somebody(), name, language_code)
    return visit.person


async def check_name(site: Site, person: Person, name: str) -> None:
    """Refuse another name where somebody plays a game that forbids to say it: all at the table read it at once.

    What they were called before is read with it, as earlier messages are in the chat.
    """
    if (new := people.clean_name(name)) == person.name:
        return
    for summary in await site.storage.games_of(person.id):
        if find(summary.game).talk is not None:
            game = (await site.house.rooms.enter(summary.table)).table.game
            if game is not None:
                referee.check_at(game, new, [person.name])


async def export(site: Site, me: str) -> Everything:
    """All that is known about somebody: what is about others too is told without who those are."""
    storage = site.storage
    known = await storage.everything_about(me)
    await site.people.meet((*known["blocks"], *(mute["other"] for mute in known["mutes"])))
    summaries = msgspec.convert(known["tables"], list[Summary])
    deeds = list[Deed]()
    for summary in summaries:
        rows = await storage.rows(summary.table)
        deeds += await run_off_loop(me, partial(deeds_of, me, rows), LONGEST_READING)

    async def name(other: str) -> str | None:
        person = await site.people.find(other)
        return person.name if person else None

    return Everything(
        person=known["person"],
        tokens=known["tokens"],
        blocked=[await name(other) for other in known["blocks"]],
        muted=[Muted(mute["table"], await name(mute["other"])) for mute in known["mutes"]],
        messages=known["messages"],
        tables=await summarise(summaries, site.people),
        deeds=deeds,
        statistics=await figures_of(storage, await storage.statistics(me)),
        solved=known["solved"],
        boxes={game: msgspec.json.decode(content) for game, content in known["boxes"].items()},
    )


def deeds_of(person: str, rows: list[Row]) -> list[Deed]:
    """What somebody did at a table, from its log; nothing of what others did or what nobody may know yet."""
    deeds, chairs = list[Deed](), set[int]()
    for row in rows:
        fact = facts.read(row.body)
        chair: int | None = getattr(fact, "chair", None)
        is_theirs, text = chair in chairs, ""
        match fact:
            case facts.Opened():
                is_theirs = fact.host == person
            case facts.Seated():
                is_theirs, text = fact.person == person, fact.contribution
                chairs = chairs | {fact.chair} if is_theirs else chairs - {fact.chair}
            case facts.Vacated():
                chairs.discard(fact.chair)
            case facts.MovePlayed():
                is_theirs, text = is_theirs and not fact.is_bot, fact.move
            case facts.HostChanged():
                is_theirs = fact.person == person
            case _:
                pass
        if is_theirs:
            deeds.append(Deed(row.table, row.seq, row.at, str(type(fact).__struct_config__.tag), chair, text))
    return deeds


async def log_out(visit: Visit) -> None:
    """Log somebody out everywhere but where they ask it: other browsers, programs, and by the links of their chairs."""
    visit.person = await visit.site.people.log_out(visit.known(), visit.token)
    visit.needs_cookie = not visit.token


async def leave(site: Site, person: str) -> None:
    """Leave for good: chairs go to bots or become free, and nothing is kept but an id that means nothing."""
    await site.delete_person(person)
