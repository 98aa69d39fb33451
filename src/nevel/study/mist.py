"""Probabilities of hidden cards: how likely each is in every hand and in the deck, as one seat could tell.

Exact where every deal is as likely as any other. Where others' hints or moves tell something, worlds are counted that
an expert would imagine; the same knowledge gives the same answer.
"""

from math import comb
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from nevel.engine import chance, dispatch
from nevel.engine.knowledge import Knowledge
from nevel.game.game import hashed_seed, key_words
from nevel.game.registry import find
from nevel.study.parts import parts_of

#: Worlds counted where counting is needed.
WORLDS = 300

Shares = NDArray[np.float64]


class Place(msgspec.Struct, frozen=True):
    """Where hidden cards are: a hand, the deck, or another place of the game."""

    #: "hand", "deck", or another place the game has a name for.
    kind: str
    #: Whose; None for the deck.
    seat: int | None
    #: How many cards are there.
    size: int


class Card(msgspec.Struct, frozen=True):
    """Cards that look alike, of which some are hidden. Lists have an item per place."""

    #: In the game's notation.
    card: str
    #: How many of them are hidden.
    hidden: int
    #: How many to expect there; the likelihood of being there where there is only one.
    expected: tuple[float, ...]
    #: The likelihood of at least one there.
    likelihood: tuple[float, ...]
    #: The likelihood that the best guess at how many are there is wrong: 0 is certain.
    doubt: tuple[float, ...]


class Mist(msgspec.Struct, frozen=True):
    """Everything hidden from one seat at one moment."""

    game: str
    seat: int
    places: tuple[Place, ...]
    cards: tuple[Card, ...]


def look_into(knowledge: Knowledge, game: str) -> Mist:
    """The probabilities of everything hidden from a seat, computed from its knowledge alone."""
    hidden = parts_of(find(game)).hidden
    assert hidden is not None, game
    cards, places, shares = hidden(knowledge)
    numbers = np.arange(shares.shape[2], dtype=np.float64)
    expected: Shares = shares @ numbers
    likeliest: Shares = shares.max(axis=2)
    return Mist(
        game,
        knowledge.seat,
        tuple(places),
        tuple(
            Card(
                card,
                round(float(expected[:, i].sum())),
                tuple(expected[:, i].tolist()),
                tuple((1 - shares[:, i, 0]).tolist()),
                tuple((1 - likeliest[:, i]).tolist()),
            )
            for i, card in enumerate(cards)
        ),
    )


#: Cards by their notation, places, and for every place and card how likely every number of them is there.
Hidden = tuple[list[str], list[Place], Shares]


def others(knowledge: Knowledge) -> list[int]:
    """The other seats, from the left hand neighbour on."""
    seats = int(knowledge.state.seats)
    return [(knowledge.seat + i) % seats for i in range(1, seats)]


def fixed_rng() -> NDArray[np.int64]:
    """A random generator in a fixed state: the same question gets the same answer."""
    return np.array(key_words(hashed_seed(0)), np.int64)


def plain_shares(sizes: list[int], hidden: NDArray[np.int64]) -> Shares:
    """For every place and card, how likely every number of them is there when every deal is as likely."""
    total = int(hidden.sum())
    shares = np.zeros((len(sizes), len(hidden), int(hidden.max(initial=0)) + 1))
    for place, size in enumerate(sizes):
        deals = comb(total, size)
        for card, count in enumerate(hidden.tolist()):
            for number in range(min(count, size) + 1):
                shares[place, card, number] = comb(count, number) * comb(total - count, size - number) / deals
    return shares


def learnt_shares(plain: Shares, counts: Shares) -> Shares:
    """What was counted, and one plain world more: what wasn't met in a few hundred worlds is still no impossibility."""
    return (counts + plain) / (WORLDS + 1)


def imagined(knowledge: Knowledge) -> Any:
    """Some world that fits: all have the same cards hidden."""
    states = dispatch.new_states(dispatch.rules_of(knowledge.state), 1)
    states[0] = knowledge.state
    chance.key(states[0].chance, *fixed_rng().tolist())
    dispatch.rules_of(knowledge.state).imagine(states[0], knowledge.seat)
    return states[0]
