"""Erasing: what stands in a table's log instead of what was somebody's own, once they have left for good."""

from collections.abc import Sequence

import msgspec

from nevel.tables.domain import facts
from nevel.tables.domain.facts import AnyFact
from nevel.tables.domain.table import Table

#: A row's number, its time and its fact.
LogRow = tuple[int, int, AnyFact]


def erase(name: str, secret: str, log: Sequence[LogRow], person: str) -> dict[int, AnyFact]:
    """The facts of a table's log that have to be others, by row, so that nothing of a person is left but their id.

    Gone are the ids of their commands, what they added to the shuffle, and the names in a game they brought along.
    """
    erased = dict[int, AnyFact]()
    chairs = dict[int, str]()
    has_added = is_host = False
    for seq, _, fact in log:
        new = fact
        match fact:
            case facts.Opened():
                is_host = fact.host == person
                if is_host and fact.prelude and fact.prelude.names:
                    new = msgspec.structs.replace(fact, prelude=msgspec.structs.replace(fact.prelude, names=[]))
            case facts.Seated():
                chairs[fact.chair] = fact.person
                if fact.person == person and fact.contribution:
                    has_added = True
                    new = msgspec.structs.replace(fact, contribution="")
            case facts.BotSeated() | facts.Vacated():
                chairs.pop(fact.chair, None)
            case facts.Contributed():
                if chairs.get(fact.chair) == person and fact.part:
                    has_added = True
                    new = msgspec.structs.replace(fact, part="")
            case facts.GameStarted():
                # The cards were drawn from what is erased: from now on the log says which they were.
                if has_added and not fact.seed:
                    new = msgspec.structs.replace(fact, seed=seed_before(name, secret, log, seq))
            case _:
                pass
        if fact.command.startswith(f"{person}:"):
            new = msgspec.structs.replace(new, command="")
        if new is not fact:
            erased[seq] = new
    return erased


def seed_before(name: str, secret: str, log: Sequence[LogRow], started: int) -> str:
    """What the cards of a game are dealt from that starts in a row."""
    table = Table(name, secret)
    table.follow(log[:started])
    return f"{table.seed:032x}"


def is_going_on(log: Sequence[LogRow], person: str) -> bool:
    """Whether others play a game that isn't over for all the log says: its draws are bound to what everybody added."""
    chairs = dict[int, str]()
    has_begun = False
    for _, _, fact in log:
        match fact:
            case facts.Seated():
                chairs[fact.chair] = fact.person
            case facts.BotSeated() | facts.Vacated():
                chairs.pop(fact.chair, None)
            case facts.Shuffling() | facts.GameStarted():
                has_begun = True
            case _:
                pass
    return has_begun and any(one != person for one in chairs.values())
