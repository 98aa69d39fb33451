"""Solves endgames of The Game exactly: once the draw pile is empty, a search finds out whether they can be won."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine import dispatch
from nevel.engine.compiling import compiled, helper
from nevel.games.the_game.bots.judgement import FORBIDDEN, MOVE_BITS, cost, patience, weigh
from nevel.games.the_game.rules.table import (
    END_TURN,
    FIRST_FALLING,
    HIGHEST,
    LOWEST,
    MARGIN,
    ON_A_PILE,
    OVER,
    PILES,
    cards_left,
)

#: Positions on the way from one with an empty draw pile to the end: a card or the end of a turn each.
DEPTH = 72
WON, LOST, UNDECIDED = 1, 0, -1


@helper
def is_hopeless(s):
    """Whether a card fits nowhere and, since no card can jump back any more, never will."""
    low, high = min(s.tops[0], s.tops[1]), max(s.tops[2], s.tops[3])
    is_any_lost = False
    for seat in range(s.seats):
        for i in range(s.held[seat]):
            card = s.hand[seat, i]
            is_any_lost |= high <= card <= low
            if s.where[MARGIN + card + 10] != ON_A_PILE and card + 10 <= HIGHEST:
                return False
            for pile in range(PILES):
                if s.tops[pile] == (card + 10 if pile < FIRST_FALLING else card - 10):
                    return False
    return is_any_lost


@helper
def next_try(s, seat, after, numbers, passed):
    """The most promising move less so than `after`, and its price made unique; -1 when all were tried."""
    weigh(s, seat, True, numbers, passed)
    best = -1
    least = FORBIDDEN << MOVE_BITS
    for i in range(s.held[seat]):
        card = s.hand[seat, i]
        for pile in range(PILES):
            move = (card - LOWEST) * PILES + pile
            price = (cost(s, seat, card, pile, True, numbers, passed) << MOVE_BITS) + move
            if after < price < least and dispatch.refusal(s, seat, move) == 0:
                least = price
                best = move
    price = (patience(s, numbers) << MOVE_BITS) + END_TURN
    if after < price < least and dispatch.refusal(s, seat, END_TURN) == 0:
        return END_TURN, price
    return best, least


@helper
def solve(states, tried, path, numbers, passed, most):
    """Whether the game in `states[0]`, whose draw pile is empty, can be won by players who see all hands.

    It looks at no more than `most` moves. `path` then holds the winning ones. All states but the first are scratch.
    """
    depth = 0
    tried[0] = -FORBIDDEN << MOVE_BITS
    looked = 0
    while depth >= 0:
        s = states[depth]
        if s.phase == OVER:
            if cards_left(s) == 0:
                return WON
            depth -= 1
            continue
        move, price = next_try(s, s.active, tried[depth], numbers, passed)
        if move < 0:
            depth -= 1
            continue
        tried[depth] = price
        looked += 1
        if looked > most or depth + 1 >= DEPTH:
            return UNDECIDED
        path[depth] = move
        states[depth + 1] = s
        depth += 1
        dispatch.apply(states[depth], s.active, move, None)
        tried[depth] = -FORBIDDEN << MOVE_BITS
        if is_hopeless(states[depth]):
            depth -= 1
    return LOST


@compiled
def find_win(states, tried, path, numbers, passed, most):
    """The same, for a position in which the seat can work out everything."""
    return solve(states, tried, path, numbers, passed, most)
