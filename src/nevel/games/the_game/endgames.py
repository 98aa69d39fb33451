"""Solves endgames of The Game for one player exactly: whether the cards that are left can still all be laid.

Only ends in which nothing is left to chance are looked at: the draw pile has no more cards than the next draw takes, so
what will be drawn is what nobody has seen yet. Written out plainly: the answer must be right, and there are few cards.
"""

from functools import lru_cache
from typing import NamedTuple

from nevel.game.game import Game
from nevel.games.the_game.rules.table import HIGHEST, LOWEST, MARGIN, UNSEEN
from nevel.games.the_game.words import TheGameView, hand_of
from nevel.languages import SpokenError, mark

#: How far a card jumps back.
TRICK = 10
#: Entries of the cache of solved ends, for all puzzles together.
CACHE_SIZE = 50_000


class End(NamedTuple):
    """What is left to do: the tops of the piles, the cards in hand, those still to be drawn, and those to be played
    before the turn may end."""

    rising: tuple[int, int]
    falling: tuple[int, int]
    hand: frozenset[int]
    unseen: frozenset[int]
    needed: int

    @classmethod
    def of(cls, game: Game) -> "End":
        """A game for one player that has come this far."""
        view = game.view(0)
        if not isinstance(view, TheGameView) or game.seats != 1:
            raise SpokenError(mark("Only the end of a solo game of The Game can be solved."))
        tops = [pile.top for pile in view.piles]
        hand = frozenset(hand_of(game.position, 0))
        return cls(
            (min(tops[:2]), max(tops[:2])),
            (min(tops[2:]), max(tops[2:])),
            hand,
            frozenset(unseen_cards(game)),
            max(view.needed - view.played, 0),
        )

    @property
    def plays(self) -> list[tuple[int, int, "End"]]:
        """Every card that fits, the top it is laid on, and what is left then."""
        found = list[tuple[int, int, End]]()
        for card in sorted(self.hand):
            rest = self.hand - {card}
            needed = max(self.needed - 1, 0)
            for i, top in enumerate(self.rising):
                if card > top or card == top - TRICK:
                    tops = sorted((card, self.rising[1 - i]))
                    found.append((card, top, End((tops[0], tops[1]), self.falling, rest, self.unseen, needed)))
            for i, top in enumerate(self.falling):
                if card < top or card == top + TRICK:
                    tops = sorted((card, self.falling[1 - i]))
                    found.append((card, top, End(self.rising, (tops[0], tops[1]), rest, self.unseen, needed)))
        return found

    @property
    def drawn(self) -> "End | None":
        """The next turn, if this one may end: with the rest of the draw pile in hand and one card to be played."""
        if not self.unseen or self.needed:
            return None
        return End(self.rising, self.falling, self.hand | self.unseen, frozenset(), 1)

    @property
    def is_won(self) -> bool:
        return not self.hand and not self.unseen

    @property
    def is_hopeless(self) -> bool:
        """Whether a card fits nowhere, and none is left that could bring a pile back for it."""
        left = self.hand | self.unseen
        low, high = self.rising[0], self.falling[1]
        if not any(high <= card <= low for card in left):
            return False
        tops = {*self.rising, *self.falling}
        return not any({card - TRICK, card + TRICK} & (tops | left) for card in left)


def unseen_cards(game: Game) -> list[int]:
    """What neither lies on a pile nor is in hand: what the draw pile holds, though not in which order."""
    where = game.position.where
    return [card for card in range(LOWEST, HIGHEST + 1) if where[MARGIN + card] == UNSEEN]


@lru_cache(CACHE_SIZE)
def can_be_won(end: End) -> bool:
    """Whether there is a way to lay every card."""
    if end.is_won:
        return True
    if end.is_hopeless:
        return False
    if any(can_be_won(after) for _, _, after in end.plays):
        return True
    drawn = end.drawn
    return drawn is not None and can_be_won(drawn)
