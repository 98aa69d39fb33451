"""Games that differ only in what a seat can't know."""

import random

import nevel
from nevel.engine import chance


def twin_of(game: nevel.Game, seat: int, dice: random.Random) -> nevel.Game:
    """The same game just dealt, with everything dealt anew that this seat can't see."""
    twin = game.copy()
    twin.vocabulary.rules.conceal(twin.state, seat)
    chance.key(twin.state.chance, *(dice.getrandbits(32) for _ in range(4)))
    twin.vocabulary.rules.imagine(twin.state, seat)
    twin._first = twin.state.tobytes()
    return twin
