"""The beginner level of What the Fog?!: looks at its own cards only (compiled)."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine.chance import below
from nevel.engine.compiling import helper
from nevel.games.what_the_fog.bots.simple import mine, random_move
from nevel.games.what_the_fog.rules.table import (
    DISCARD,
    LIFT,
    LIFTING,
    PARTS,
    PASS,
    PILES,
    PLACE,
    PLACING,
    PREDICTING,
    RAISE,
    REVEAL,
    REVEALING,
    SWAP,
    SWAPPING,
    WEATHERS,
)

#: A full day looks won from this influence on, and from one more in the later rounds with their larger hands.
LOOKS_WON = 4
#: One move in so many is made without thinking.
DREAMS = 6


@helper
def beginner_move(s, seat, rng):
    """A move that collects what the seat holds most of, without regard to what others may hold."""
    if s.phase == PREDICTING:
        return predict_eagerly(s, seat)
    if below(rng, DREAMS) == 0:
        return random_move(s, seat, rng)
    if s.phase == LIFTING:
        return lift_favourite(s, seat)
    if s.phase == PLACING:
        return place_where_strong(s, seat, rng)
    if s.phase == SWAPPING:
        return SWAP + rarest_card(s, seat, rng)
    if s.phase == REVEALING:
        return reveal_proudly(s, seat)
    return DISCARD + rarest_card(s, seat, rng)


@helper
def influence_on(s, seat, day):
    influence = 0
    for part in range(s.filled[day]):
        influence += mine(s, seat, s.day[day, part] - 1)
    return influence


@helper
def predict_eagerly(s, seat):
    """Raise for every full day that looks good, as if others had no cards and nothing were to be given up."""
    good = 0
    for day in range(s.days):
        good += s.filled[day] == PARTS and influence_on(s, seat, day) >= LOOKS_WON + s.round_number // 3
    return RAISE if good > s.prediction[seat] else PASS


@helper
def lift_favourite(s, seat):
    best = LIFT
    most = -1
    for pile in range(PILES):
        if s.top[pile] and mine(s, seat, s.top[pile] - 1) > most:
            most = mine(s, seat, s.top[pile] - 1)
            best = LIFT + pile
    return best


@helper
def place_where_strong(s, seat, rng):
    """A weather one holds goes where one is strong already; one that isn't held where it does least harm."""
    sign = 1 if mine(s, seat, s.lifted - 1) > 0 else -1
    best = PLACE
    most = -1000
    for day in range(s.days):
        if s.filled[day] < PARTS:
            worth = sign * influence_on(s, seat, day) * 4 + below(rng, 4)
            if worth > most:
                most = worth
                best = PLACE + day
    return best


@helper
def rarest_card(s, seat, rng):
    """The weather one has least of, whatever lies on the table and whatever was predicted."""
    best = 0
    least = 1000
    for weather in range(WEATHERS):
        if s.hand[seat, weather]:
            worth = mine(s, seat, weather) * 4 + below(rng, 4)
            if worth < least:
                least = worth
                best = weather
    return best


@helper
def reveal_proudly(s, seat):
    """The weather one has most of."""
    best = 0
    most = 0
    for weather in range(WEATHERS):
        if s.hand[seat, weather] and mine(s, seat, weather) > most:
            most = mine(s, seat, weather)
            best = weather
    return REVEAL + best
