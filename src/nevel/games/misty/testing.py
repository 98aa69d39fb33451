"""Misty for the conformance kit: every card is somewhere, and exact numbers of ways to go on."""

from typing import Any

from nevel.games.misty.rules.table import PLACING
from nevel.testing.parts import TestingParts


def conserved(s: Any) -> list[int]:
    """How many cards of each kind there are, wherever they are."""
    assert s.aside_size == s.aside.sum(), "the number of cards put aside isn't the number of those that are there"
    counts = [int(number) for number in s.aside + s.hand[: s.seats].sum(axis=0)]
    for seat in range(s.seats):
        for card in s.window[seat].flat:
            if card:
                counts[card - 1] += 1
        if s.phase == PLACING and s.choice[seat]:
            counts[s.choice[seat] - 1] += 1
    return counts


def most_moves(seats: int) -> int:
    """Every round is won by someone, so there are at most one more than players."""
    return (seats + 1) * seats * 36


TESTING = TestingParts(
    conserved,
    perft={(2, 1): [11, 60, 552, 2520], (4, 2): [20, 298, 2940]},
    ends={"MI-X4": True},
    most_moves=most_moves,
    golden_seed=4,
)
