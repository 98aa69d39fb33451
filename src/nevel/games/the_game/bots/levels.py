"""The levels of The Game and Extreme that play without searching (compiled).

A beginner takes the smallest step and overlooks things. A casual player sees what can jump back, listens and says the
most important. A strong player judges steps by numbers that were tuned by playing, and says everything worth saying.
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import numpy as np

from nevel.engine import dispatch
from nevel.engine.chance import below
from nevel.engine.compiling import allocating, helper
from nevel.games.the_game.bots.judgement import PASSED
from nevel.games.the_game.bots.numbers import STRONG_NUMBERS, is_extreme
from nevel.games.the_game.bots.playout import careful_move
from nevel.games.the_game.bots.simple import (
    ANY_OFFER,
    CHEAP,
    MOVE_BITS,
    NO_OFFER,
    NOTHING,
    move_in,
    next_offer,
    opening,
)
from nevel.games.the_game.rules.table import CHOOSING, END_TURN, FIRST_FALLING, LOWEST, PILES

#: One in so many cards a beginner doesn't see on the pile where it would be best.
OVERLOOKS = 5


@helper
def plain_offer(s, seat, after, rng):
    """The smallest step larger than the offer `after`; a beginner overlooks some."""
    best = NO_OFFER
    for i in range(s.held[seat]):
        card = s.hand[seat, i]
        for pile in range(PILES):
            step = card - s.tops[pile] if pile < FIRST_FALLING else s.tops[pile] - card
            if step <= 0 and step != -10:
                continue
            offer = (step << MOVE_BITS) + (card - LOWEST) * PILES + pile
            if after < offer < best and below(rng, OVERLOOKS):
                best = offer
    return best


@helper
def first_harmless(s, seat, is_beginner, rng, least):
    """The first offer, up to a price, that is legal and doesn't lose at once; else one that is legal; else NOTHING."""
    doomed = NOTHING
    offer = ANY_OFFER
    while True:
        offer = plain_offer(s, seat, offer, rng) if is_beginner else next_offer(s, seat, offer)
        if offer >= least:
            return doomed
        move = move_in(offer)
        if dispatch.refusal(s, seat, move) == 0:
            if dispatch.losing_clause(s, seat, move) == 0:
                return move
            doomed = move if doomed == NOTHING else doomed


@helper
def beginner_move(s, seat, rng):
    """The smallest step in sight, and never a card more than asked for."""
    if s.phase == CHOOSING:
        return opening(s, seat)
    if dispatch.refusal(s, seat, END_TURN) == 0:
        return END_TURN
    move = first_harmless(s, seat, True, rng, NO_OFFER)
    # Everything may have been overlooked: then look again, properly.
    return move if move != NOTHING else first_harmless(s, seat, False, rng, NO_OFFER)


@helper
def casual_move(s, seat, rng):
    """The cheapest card with jumps and hints in mind; another one if it costs next to nothing."""
    if s.phase == CHOOSING:
        return opening(s, seat)
    if dispatch.refusal(s, seat, END_TURN) == 0:
        move = first_harmless(s, seat, False, rng, CHEAP + 1 << MOVE_BITS)
        return END_TURN if move == NOTHING or dispatch.losing_clause(s, seat, move) else move
    return first_harmless(s, seat, False, rng, NO_OFFER)


@allocating
def strong_move(s, seat, rng):
    """The best step by tuned judgement, hearing what others say."""
    if s.phase == CHOOSING:
        return opening(s, seat)
    passed = np.empty(PASSED, np.int64)
    return careful_move(s, seat, False, STRONG_NUMBERS[is_extreme(s), s.seats - 1], passed)
