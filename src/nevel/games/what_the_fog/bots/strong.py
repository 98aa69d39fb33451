"""The strong level of What the Fog?!: every decision by one forecast of the round, without searching (compiled)."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import numpy as np

from nevel.engine.compiling import allocating, helper
from nevel.games.what_the_fog import rules as what_the_fog
from nevel.games.what_the_fog.bots.forecast import (
    CHANCE,
    FORECAST,
    MEAN,
    OWN,
    SLOPE,
    chance_with_influence,
    chance_with_token,
    count_claims,
    look,
    weigh_days,
    worth_of_predictions,
)
from nevel.games.what_the_fog.bots.simple import moments_left
from nevel.games.what_the_fog.rules.table import (
    DISCARD,
    DISCARDING,
    LIFT,
    LIFTING,
    PARTS,
    PASS,
    PILES,
    PLACE,
    PLACING,
    PREDICTING,
    RAISE,
    RETURN,
    REVEAL,
    SWAP,
    SWAPPING,
    WEATHERS,
)

#: Less than anything is worth.
NEVER = -1000.0


@allocating
def strong_move(s, seat, rng):
    """The move that makes the round's expected points the most, others' cards being average."""
    return glance(s, seat, 0.0, np.empty(FORECAST))


@helper
def glance(s, seat, insight, f):
    """The same with room for the forecast; with `insight` others' hands are partly seen, as imagined."""
    look(s, seat, insight, f)
    if s.phase == PREDICTING:
        return choose_prediction(s, seat, f)
    if s.phase == DISCARDING:
        return DISCARD + choose_loss(s, seat, f, 0.0, 1.0)
    weigh(s, seat, f)
    if s.phase == LIFTING:
        pile, _ = choose_token(s, f)
        return RETURN if pile < 0 else LIFT + pile
    if s.phase == PLACING:
        return PLACE + choose_day(s, s.lifted - 1, f)[0]
    if s.phase == SWAPPING:
        return SWAP + choose_loss(s, seat, f, 1.0, 1.0)
    return REVEAL + choose_loss(s, seat, f, 0.0, -1.0)


@helper
def weigh(s, seat, f):
    """How much each day matters for the predictions still within reach."""
    count_claims(f, s.days)
    low = s.prediction[seat]
    worth_of_predictions(f, s.days, low, min(low + moments_left(s), s.days), s.round_number)
    weigh_days(f, s.days)


@helper
def worth_of_token(weather, day, f):
    """What a token on a day gains in points to expect."""
    return f[day, SLOPE] * (chance_with_token(f, day, weather) - f[day, CHANCE])


@helper
def choose_day(s, weather, f):
    """Where a token of this weather is worth most, and how much it gains there."""
    best = -1
    most = NEVER
    for day in range(s.days):
        if s.filled[day] < PARTS:
            worth = worth_of_token(weather, day, f)
            if worth > most:
                most = worth
                best = day
    return best, most


@helper
def choose_token(s, f):
    """The pile and the day that gain most; pile -1 to return three equal tops that gain less than others would."""
    if what_the_fog.are_tops_equal(s):
        average = 0.0
        for weather in range(WEATHERS):
            average += choose_day(s, weather, f)[1] / WEATHERS
        day, worth = choose_day(s, s.top[0] - 1, f)
        return (0 if worth >= average else -1), day
    best = -1
    best_day = -1
    most = NEVER
    for pile in range(PILES):
        if s.top[pile]:
            day, worth = choose_day(s, s.top[pile] - 1, f)
            if worth > most:
                most = worth
                best = pile
                best_day = day
    return best, best_day


@helper
def choose_prediction(s, seat, f):
    """Raise when the predictions then within reach promise more."""
    count_claims(f, s.days)
    low = s.prediction[seat]
    left = moments_left(s)
    passing = worth_of_predictions(f, s.days, low, min(low + left, s.days), s.round_number)
    if low == s.days:
        return PASS
    raising = worth_of_predictions(f, s.days, low + 1, min(low + 1 + left, s.days), s.round_number)
    return RAISE if raising > passing else PASS


@helper
def choose_loss(s, seat, f, drawn, sign):
    """The hidden card that is best (`sign` 1) or worst (-1) lost, with `drawn` average cards in its place."""
    low = s.prediction[seat]
    high = min(low + moments_left(s), s.days)
    best = -1
    most = NEVER
    for weather in range(WEATHERS):
        if s.hand[seat, weather]:
            for day in range(s.days):
                f[day, CHANCE] = chance_with_influence(f, day, f[day, OWN] - f[day, weather] + drawn * f[day, MEAN])
            count_claims(f, s.days)
            worth = sign * worth_of_predictions(f, s.days, low, high, s.round_number)
            if worth > most:
                most = worth
                best = weather
    return best
