"""The Game and Extreme for the conformance kit: every card is somewhere, and exact numbers of ways to go on."""

import random
from collections.abc import Sequence
from typing import Any

from nevel.crowd.choosing import Choosing
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


class CarefulChoosing(Choosing):
    """Plays the card that leaves its pile most room: at random, such a game is lost after a dozen cards."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__(chance)
        self.tops = dict[str, int]()

    def begin(self) -> None:
        self.tops.clear()

    def choose(self, moves: Sequence[str]) -> str:
        if moves[-1] == "end turn":
            return moves[-1]
        if not moves[0].startswith("play "):
            return super().choose(moves)
        move = min(moves, key=self.cost)
        _, card, pile = move.split()
        self.tops[pile] = int(card)
        return move

    def cost(self, move: str) -> int:
        """By how much a card shortens its pile; less than nothing for a trick back."""
        _, card, pile = move.split()
        if pile.startswith("up"):
            return int(card) - self.tops.get(pile, 1)
        return self.tops.get(pile, 100) - int(card)


TESTING = TestingParts(
    conserved,
    perft={(1, 1): [32, 784, 15120], (3, 2): [3, 72, 1264]},
    quiet_moves=QUIET_MOVES,
    ends={"TG-E1": False, "TG-E2": False, "TG-E3": True},
    most_moves=most_moves,
    choosing=CarefulChoosing,
)
EXTREME_TESTING = TestingParts(
    conserved,
    perft={(1, 1): [32, 798, 16124], (2, 2): [2, 56, 1108]},
    quiet_moves=QUIET_MOVES,
    ends={"EX-E1": False, "EX-E2": False, "EX-L3": False, "EX-L5": False, "TG-E3": True},
    most_moves=most_moves,
    choosing=CarefulChoosing,
    golden_seed=3,
)
