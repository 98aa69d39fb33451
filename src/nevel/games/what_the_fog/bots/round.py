"""Plays a round of What the Fog?! out without searching, and evaluates the result (compiled)."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import math

from nevel.engine import dispatch
from nevel.engine.compiling import helper
from nevel.games.what_the_fog import rules as what_the_fog
from nevel.games.what_the_fog.bots.forecast import look
from nevel.games.what_the_fog.bots.strong import choose_token, glance, weigh
from nevel.games.what_the_fog.bots.tuning import TEMPERATURES
from nevel.games.what_the_fog.rules.count import count_day, score, standing, total_of
from nevel.games.what_the_fog.rules.table import (
    DISCARD,
    DISCARD_CHOSEN,
    DISCARDING,
    LIFT,
    LIFTING,
    PLACE,
    PREDICTING,
    RETURN,
    REVEAL,
    REVEALING,
    ROUNDS,
    WEATHERS,
)


@helper
def make_move(s, seat, move):
    """Carry out a move; the last discard is only chosen, as the next round is not to be set up."""
    if move >= DISCARD:
        what_the_fog.choose(s, seat, move - DISCARD, DISCARD_CHOSEN, None)
    else:
        dispatch.apply(s, seat, move, None)


@helper
def choose_for(s, seat, insight, f):
    """Choose a card for a seat that is to reveal or to give up one."""
    first = REVEAL if s.phase == REVEALING else DISCARD
    s.choice[seat] = 1 + glance(s, seat, insight, f) - first


@helper
def play_round(s, number, insight, f):
    """Play round `number` on to the last discards and count the days, without setting up the next round.

    With a box of somebody's own nobody may have a card left to give up: then the rules count the days by themselves, at
    the last prediction, and the next round is set up already, or the game over.
    """
    while s.round_number == number and s.phase < DISCARDING:
        if s.phase == LIFTING:
            play_turn(s, insight, f)
        elif s.phase == REVEALING:
            for seat in range(s.seats):
                if s.phase == REVEALING and s.chosen[seat] == 0:
                    dispatch.apply(s, seat, glance(s, seat, insight, f), None)
        else:
            seat = s.predictor if s.phase == PREDICTING else s.active
            dispatch.apply(s, seat, glance(s, seat, insight, f), None)
    if s.round_number == number and s.phase == DISCARDING:
        for seat in range(s.seats):
            if s.chosen[seat] == 0:
                choose_for(s, seat, insight, f)
        finish_round(s)
    s.round_number = number


@helper
def play_turn(s, insight, f):
    """Lift and place in one thought; what comes up in between is left to the next player."""
    seat = s.active
    look(s, seat, insight, f)
    weigh(s, seat, f)
    pile, day = choose_token(s, f)
    if pile < 0:
        dispatch.apply(s, seat, RETURN, None)
    else:
        dispatch.apply(s, seat, LIFT + pile, None)
        dispatch.apply(s, seat, PLACE + day, None)


@helper
def finish_round(s):
    """Lay all cards open, claim the days and note the scores (FOG-C2 to FOG-X2)."""
    for seat in range(s.seats):
        if s.choice[seat]:
            s.hand[seat, s.choice[seat] - 1] -= 1
        for weather in range(WEATHERS):
            s.open[seat, weather] += s.hand[seat, weather]
        s.sheet[seat, s.round_number - 1, 0] = s.prediction[seat]
        s.sheet[seat, s.round_number - 1, 1] = 0
    for day in range(s.days):
        count_day(s, day, None)
    score(s, None)


@helper
def chance_to_win(s, seat):
    """The chance to win the game after a counted round; after the last a share of the victory, won or not."""
    if s.round_number == ROUNDS:
        mine = standing(s, seat)
        level = 0
        for other in range(s.seats):
            theirs = standing(s, other)
            if theirs > mine:
                return 0.0
            level += theirs == mine
        return 1.0 / level
    total = 0.0
    for other in range(s.seats):
        total += math.exp((total_of(s, other) - total_of(s, seat)) / TEMPERATURES[s.seats, s.round_number])
    return 1.0 / total
