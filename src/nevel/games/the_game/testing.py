"""The Game and Extreme for the conformance kit: every card is somewhere, and exact numbers of ways to go on."""

from typing import Any

from nevel.testing.parts import TestingParts

CARDS = list(range(2, 100))
#: Where `where` has a card, and what it says of one that lies on a pile.
FIRST, ON_A_PILE = 10, 9


def conserved(s: Any) -> list[int]:
    """Every card is in one hand, in the draw pile or on a pile, and all fields agree about it."""
    hands = [sorted(int(card) for card in s.hand[seat, : s.held[seat]]) for seat in range(s.seats)]
    drawn = [int(card) for card in s.deck[: s.left]]
    played = [card for card in CARDS if s.where[FIRST + card] == ON_A_PILE]
    for seat, hand in enumerate(hands):
        assert all(s.where[FIRST + card] == 1 + seat for card in hand), f"the cards of seat {seat} are elsewhere"
        assert not s.hand[seat, s.held[seat] :].any(), f"seat {seat} holds more cards than it is said to"
    assert all(s.where[FIRST + card] == 0 for card in drawn), "a card of the draw pile is elsewhere"
    assert not s.deck[s.left :].any(), "the draw pile has more cards than it is said to have"
    assert all(top in (1, 100) or top in played for top in s.tops), "on top of a pile lies a card that wasn't played"
    return sorted([card for hand in hands for card in hand] + drawn + played)


QUIET_MOVES = frozenset({"end turn"})


def most_moves(seats: int) -> int:
    """Every card is a move, after each a turn may end, and somebody starts."""
    return len(CARDS) * 2 + 1


TESTING = TestingParts(
    conserved,
    perft={(1, 1): [32, 784, 15120], (3, 2): [3, 72, 1264]},
    quiet_moves=QUIET_MOVES,
    ends={"TG-E1": False, "TG-E2": False, "TG-E3": True},
    most_moves=most_moves,
)
EXTREME_TESTING = TestingParts(
    conserved,
    perft={(1, 1): [32, 798, 16124], (2, 2): [2, 56, 1108]},
    quiet_moves=QUIET_MOVES,
    ends={"EX-E1": False, "EX-E2": False, "EX-L3": False, "EX-L5": False, "TG-E3": True},
    most_moves=most_moves,
    golden_seed=3,
)
