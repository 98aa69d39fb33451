"""Plays imagined games of The Game to their end, between sensible players who see each other's cards (compiled).

Players who talk well know most of what they need of each other's hands, so this comes close to a table that talks.
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine import dispatch
from nevel.engine.compiling import helper, inlined
from nevel.games.the_game.bots.judgement import MOVE_BITS, NO_OFFER, cheapest, cost, patience, weigh
from nevel.games.the_game.rules.table import END_TURN, LOWEST, OVER, PILES


@helper
def careful_move(s, seat, is_open, numbers, passed):
    """The cheapest card that doesn't lose the game; the end of the turn where the next would cost too much."""
    weigh(s, seat, is_open, numbers, passed)
    offer = cheapest(s, seat, is_open, numbers, passed)
    if offer >> MOVE_BITS > patience(s, numbers) and dispatch.refusal(s, seat, END_TURN) == 0:
        return END_TURN
    doomed = -1
    while offer < NO_OFFER:
        move = move_in(offer)
        if dispatch.refusal(s, seat, move) == 0:
            if dispatch.losing_clause(s, seat, move) == 0:
                return move
            doomed = move if doomed < 0 else doomed
        offer = next_offer(s, seat, offer, is_open, numbers, passed)
    return doomed if doomed >= 0 else END_TURN


@inlined
def move_in(offer):
    return offer & (1 << MOVE_BITS) - 1


@helper
def next_offer(s, seat, after, is_open, numbers, passed):
    """The cheapest card dearer than the offer `after`."""
    best = NO_OFFER
    for i in range(s.held[seat]):
        card = s.hand[seat, i]
        for pile in range(PILES):
            price = cost(s, seat, card, pile, is_open, numbers, passed)
            offer = (price << MOVE_BITS) + (card - LOWEST) * PILES + pile
            if after < offer < best:
                best = offer
    return best


@helper
def play_rest(s, numbers, passed, least):
    """Play an imagined game to its end, or until the draw pile has fewer than `least` cards."""
    while s.phase != OVER and s.left >= least:
        dispatch.apply(s, s.active, careful_move(s, s.active, True, numbers, passed), None)
