"""What every number of an observation means. The rules write them; here they have names, bounds and a sentence."""

from collections.abc import Mapping
from typing import NamedTuple

from nevel.game.spec import GameSpec

#: For every part of an observation its lowest and highest value, and what it means.
Meanings = Mapping[str, tuple[int, int, str]]

TO_ACT = (0, 1, "1 when this seat is waited for")


class Part(NamedTuple):
    """Some numbers of an observation that belong together."""

    name: str
    length: int
    low: int
    high: int
    meaning: str


def parts_of(spec: GameSpec) -> tuple[Part, ...]:
    """The parts of a game's observations, in order. Seats are counted from the observer's own, clockwise."""
    meanings: Meanings = spec.load("lab").observation
    return tuple(Part(name, length, *meanings[name]) for name, length in spec.rules.OBSERVATION)
