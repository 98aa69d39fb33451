"""Estimates one seat's round of What the Fog?!: the chance to claim each day, and the points to expect (compiled).

Others' cards are averages of what the seat doesn't see. A day's tokens, not the cards one by one, decide how far the
truth may lie from the average; days with empty parts are less sure. From the chances follow how likely every number
of claims is, what each is worth under the predictions still within reach, and how much one more claim on each day would
change that: the same numbers judge tokens, cards and predictions. It costs less than a microsecond, so that
play-outs can afford it.
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import math

import numpy as np

from nevel.engine.compiling import helper
from nevel.games.what_the_fog.rules.table import PARTS, WEATHERS

#: Rows of a forecast: one a day, then these.
MINE, SHARE, BELIEF, SCALARS, PAY, SO_FAR, TO_COME = 7, 8, 9, 14, 15, 16, 24
FORECAST = (32, 16)
#: Columns of a day after its tokens counted by weather.
OWN, RIVAL, SQUARE, MEAN, EMPTY, LEADER, CHANCE, SLOPE = range(6, 14)
#: Columns of the scalars.
HIDDEN, SHIFT, NARROW, FUTURE = range(4)

#: The chance that a normal number is below z, by sixteenths of z from -4 to 4.
STEPS = 16
NORMAL = np.array([0.5 + 0.5 * math.erf((i / STEPS - 4) / math.sqrt(2)) for i in range(8 * STEPS + 1)])
#: The greatest of 1 to 4 normal numbers: its mean, its spread.
GREATEST = np.array([0.0, 0.0, 0.56, 0.85, 1.03])
SPREAD_OF_GREATEST = np.array([1.0, 1.0, 0.83, 0.75, 0.70])

#: How many cards less than they hold others are taken to have, by seats: they give up one at the end, but what they
#: hold most lies on the table more often than chance would have it.
GIVEN_UP = np.array([0.0, 0.0, -0.1, 0.35, 0.6, 0.6])
#: What an empty part adds to the variance of a lead, for every card of a hand.
VARIANCE_OF_EMPTY = 0.3
#: How much of the coming predictions will be made knowing more, as a share; the rest is fixed now.
INFORMED_SHARE = 0.5


@helper
def look(s, seat, insight, f):
    """Fill the forecast `f` for a seat. `insight`: how far it sees others' hands, for play-outs of imagined ones."""
    hidden = s.deck_size + s.held[seat]
    most_held = 0
    for other in range(s.seats):
        if other != seat:
            hidden += s.held[other]
            most_held = max(most_held, s.held[other])
    for weather in range(WEATHERS):
        unseen = s.card_count[weather] - s.discards[weather] - s.hand[seat, weather]
        for other in range(s.seats):
            unseen -= s.open[other, weather]
        f[MINE, weather] = s.hand[seat, weather] + s.open[seat, weather]
        f[SHARE, weather] = unseen
        hidden -= s.hand[seat, weather]
    for weather in range(WEATHERS):
        f[SHARE, weather] /= max(hidden, 1)
    for other in range(s.seats):
        held = max(s.held[other] - GIVEN_UP[s.seats], 0.0) * (1 - insight)
        for weather in range(WEATHERS):
            f[BELIEF + other, weather] = s.open[other, weather] + held * f[SHARE, weather]
        if insight:
            for weather in range(WEATHERS):
                f[BELIEF + other, weather] += insight * s.hand[other, weather]
    f[SCALARS, HIDDEN] = (1 - insight) * most_held * (hidden - most_held) / max(hidden - 1, 1)
    f[SCALARS, SHIFT] = GREATEST[s.seats - 1]
    f[SCALARS, NARROW] = SPREAD_OF_GREATEST[s.seats - 1]
    f[SCALARS, FUTURE] = VARIANCE_OF_EMPTY * (s.days + 1)
    for day in range(s.days):
        look_at_day(s, seat, day, f)


@helper
def look_at_day(s, seat, day, f):
    for weather in range(WEATHERS):
        f[day, weather] = 0
    own = 0.0
    square = 0.0
    mean = 0.0
    for part in range(s.filled[day]):
        weather = s.day[day, part] - 1
        own += f[MINE, weather]
        mean += f[SHARE, weather]
        square += (2 * f[day, weather] + 1) * f[SHARE, weather]
        f[day, weather] += 1
    rival = -1.0
    leader = 0
    for other in range(s.seats):
        if other != seat:
            influence = 0.0
            for part in range(s.filled[day]):
                influence += f[BELIEF + other, s.day[day, part] - 1]
            if influence > rival:
                rival = influence
                leader = other
    f[day, OWN] = own
    f[day, RIVAL] = rival
    f[day, SQUARE] = square
    f[day, MEAN] = mean
    f[day, EMPTY] = PARTS - s.filled[day]
    f[day, LEADER] = leader
    f[day, CHANCE] = chance_of_claim(f, own, rival, square, mean, PARTS - s.filled[day])


@helper
def hurdle(f, rival, square, mean, empty):
    """What the strongest other's influence is taken to be, and one over how far it may be from that."""
    variance = f[SCALARS, HIDDEN] * (square - mean * mean) + f[SCALARS, FUTURE] * empty
    spread = math.sqrt(max(variance, 0.05))
    return rival + f[SCALARS, SHIFT] * spread - 0.5, 1 / (f[SCALARS, NARROW] * spread)


@helper
def normal(z):
    """The chance that a normal number is below z."""
    return NORMAL[int(min(max(z, -4.0), 4.0) * STEPS + 4 * STEPS + 0.5)]


@helper
def chance_of_claim(f, own, rival, square, mean, empty):
    """The chance that this influence is at least everyone else's."""
    if own < 0.5 and empty == 0:
        return 0.0
    height, sureness = hurdle(f, rival, square, mean, empty)
    return normal((own - height) * sureness)


@helper
def chance_with_token(f, day, weather):
    """The chance to claim a day with one more token."""
    share = f[SHARE, weather]
    return chance_of_claim(
        f,
        f[day, OWN] + f[MINE, weather],
        f[day, RIVAL] + f[BELIEF + int(f[day, LEADER]), weather],
        f[day, SQUARE] + (2 * f[day, weather] + 1) * share,
        f[day, MEAN] + share,
        f[day, EMPTY] - 1,
    )


@helper
def chance_with_influence(f, day, own):
    """The chance to claim a day with another influence of one's own."""
    return chance_of_claim(f, own, f[day, RIVAL], f[day, SQUARE], f[day, MEAN], f[day, EMPTY])


@helper
def count_claims(f, days):
    """How likely every number of claims is, after each day."""
    f[SO_FAR, 0] = 1.0
    for day in range(days):
        chance = f[day, CHANCE]
        f[SO_FAR + day + 1, day + 1] = chance * f[SO_FAR + day, day]
        for claims in range(day, 0, -1):
            f[SO_FAR + day + 1, claims] = chance * f[SO_FAR + day, claims - 1] + (1 - chance) * f[SO_FAR + day, claims]
        f[SO_FAR + day + 1, 0] = (1 - chance) * f[SO_FAR + day, 0]


@helper
def worth_of_predictions(f, days, low, high, round_number):
    """What the round is worth when the prediction ends between `low` and `high`; PAY holds it by number of claims.

    Predictions to come are partly made knowing better (then the nearest in reach is right), partly as things look now.
    """
    last = SO_FAR + days
    # How far a prediction is off on average follows from one to the next: nearer for more claims, farther for fewer.
    below = 0.0
    off = 0.0
    for claims in range(days + 1):
        if claims < low:
            below += f[last, claims]
        off += f[last, claims] * abs(claims - low)
    best = low
    most = -1000.0
    for prediction in range(low, high + 1):
        worth = f[last, prediction] * (prediction + round_number) - off
        below += f[last, prediction]
        off += 2 * below - 1
        if worth > most:
            most = worth
            best = prediction
    informed = INFORMED_SHARE if high > low else 0.0
    total = 0.0
    for claims in range(days + 1):
        nearest = min(max(claims, low), high)
        pay = informed * (claims + round_number if claims == nearest else -abs(claims - nearest))
        pay += (1 - informed) * (claims + round_number if claims == best else -abs(claims - best))
        f[PAY, claims] = pay
        total += f[last, claims] * pay
    return total


@helper
def weigh_days(f, days):
    """What becoming sure of each day would change, all other days being as likely as they are."""
    for claims in range(days + 1):
        f[TO_COME + days, claims] = f[PAY, claims]
    for day in range(days - 1, -1, -1):
        chance = f[day, CHANCE]
        slope = 0.0
        for claims in range(day + 1):
            with_it = f[TO_COME + day + 1, claims + 1]
            without = f[TO_COME + day + 1, claims]
            slope += f[SO_FAR + day, claims] * (with_it - without)
            f[TO_COME + day, claims] = chance * with_it + (1 - chance) * without
        f[day, SLOPE] = slope
