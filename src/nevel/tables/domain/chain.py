"""The lines of a table's chain: everything that was arranged before the cards were dealt, without a person's id."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from nevel.languages import SpokenError, mark
from nevel.tables.domain import facts
from nevel.tables.domain.facts import AnyFact


def line_of(fact: AnyFact, table: str) -> str | None:
    """A fact as a line of the chain; None for what doesn't matter to the cards."""
    match fact:
        case facts.Opened():
            printed = write({"options": fact.options, "box": fact.box})
            return f"opened {table} {fact.commitment} {fact.game} {fact.chairs} {printed}"
        case facts.Seated():
            return f"seated {fact.chair} {fact.contribution}"
        case facts.Promised():
            return f"promised {fact.chair} {fact.promise}"
        case facts.BotSeated():
            return f"bot {fact.chair} {fact.level}"
        case facts.Vacated():
            return f"empty {fact.chair}"
        case facts.TermsChanged():
            return f"terms {write(fact.options)}"
        case facts.Shuffling():
            return "shuffling"
        case _:
            return None


class Arrangement(NamedTuple):
    """What a chain says about a game before it is dealt."""

    table: str
    commitment: str
    game: str
    seats: int
    options: dict[str, int]
    box: dict[str, Any] | None
    #: What the chairs promised that counts, by hash.
    promises: dict[int, str]

    @classmethod
    def read(cls, lines: Sequence[str]) -> "Arrangement":
        """Read a chain somebody brings along. A SpokenError says that it is none."""
        try:
            _, table, commitment, game, seats, printed = lines[0].split(" ", 5)
            options, box = (json.loads(printed)[name] for name in ("options", "box"))
            promises = dict[int, str]()
            for line in lines[1:]:
                kind, _, rest = line.partition(" ")
                chair, _, text = rest.partition(" ")
                if kind == "terms":
                    options = json.loads(rest)
                elif kind in ("seated", "bot", "empty", "promised"):
                    promises.pop(int(chair), None)
                if kind == "promised":
                    promises[int(chair)] = text
            if not isinstance(options, dict):
                raise TypeError(options)
            return cls(table, commitment, game, int(seats), options, box, promises)
        except (ValueError, IndexError, KeyError, TypeError, AttributeError, RecursionError) as problem:
            raise SpokenError(mark("The chain of settings made before the game can't be read.")) from problem


def write(content: Mapping[str, Any]) -> str:
    """A mapping the same way wherever it is written."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
