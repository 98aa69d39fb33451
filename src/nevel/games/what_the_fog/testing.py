"""What the Fog?! for the conformance kit: every card and token is somewhere, and exact numbers of ways to go on."""

from typing import Any

import numpy as np

from nevel.games.what_the_fog.rules.table import FIRST, PILES, SECOND
from nevel.testing.parts import TestingParts


def conserved(s: Any) -> list[int]:
    """How many cards of each weather and tokens of each pair there are, wherever they are."""
    check_sizes(s)
    return [*card_counts(s), *token_counts(s)]


def card_counts(s: Any) -> list[int]:
    """How many cards of each weather there are, wherever they are."""
    counts = [int(number) for number in s.deck + s.discards + s.hand.sum(axis=0) + s.open.sum(axis=0)]
    for seat in range(s.seats):
        if s.away[seat]:
            counts[s.away[seat] - 1] += 1
    return counts


def token_counts(s: Any) -> list[int]:
    """How often each pair is on the table, wherever it is."""
    faces = np.concatenate([s.day.ravel(), s.top, [s.lifted]])
    backs = np.concatenate([s.day_back.ravel(), s.top_back, [s.lifted_back]])
    assert ((faces == 0) == (backs == 0)).all(), "a token has one side only"
    sides = s.returned_back.copy()  # counted by face and back
    np.add.at(sides, (faces[faces > 0] - 1, backs[faces > 0] - 1), 1)
    assert not sides.diagonal().any(), "a token has two different sides"
    both = sides + sides.T
    pairs = zip(FIRST.tolist(), SECOND.tolist(), strict=True)
    return [int(s.supply[i] + s.under[:, i].sum() + both[pair]) for i, pair in enumerate(pairs)]


def check_sizes(s: Any) -> None:
    """The numbers everyone may know agree with what is really there."""
    assert s.supply_size == s.supply.sum() + s.returned_back.sum(), "the supply has another size"
    assert s.returned.tolist() == s.returned_back.sum(axis=1).tolist(), "other tokens were returned"
    piles = [int(s.under[pile].sum() + (s.top[pile] > 0)) for pile in range(PILES)]
    assert s.pile_size.tolist() == piles, "piles have other sizes"
    assert s.deck_size == s.deck.sum(), "the deck has another size"
    assert s.held.tolist() == s.hand.sum(axis=1).tolist(), "hands have other sizes"
    assert s.filled.tolist() == np.count_nonzero(s.day, axis=1).tolist(), "days have other sizes"


def most_moves(seats: int) -> int:
    """82 tokens lifted and placed, a few returned; predictions, actions and discards."""
    return 82 * 2 + 60 + 22 * seats + 4 * 7 * seats + 4 * seats


TESTING = TestingParts(
    conserved,
    perft={(2, 1): [3, 12, 54, 204, 810], (5, 2): [3, 12, 84, 963]},
    ends={"FOG-E2": True},
    most_moves=most_moves,
    golden_seed=2,
)
