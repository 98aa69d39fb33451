"""First players of What the Fog?!: one does anything, one compares its cards with what others may hold."""

import math

from nevel.rules import any_game, what_the_fog
from nevel.rules.chance import below
from nevel.rules.compiling import helper
from nevel.rules.what_the_fog_table import (
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
    REVEALING,
    SWAP,
    SWAPPING,
    WEATHERS,
)

# How sure a lead in influence makes a claim: the spread of what others may turn out to hold.
SPREAD = 1.6
# A raise can wait while there are prediction moments left to catch up in.
PATIENCE = 0.6


@helper
def question(s):
    """The moves that could answer the present question: first and number."""
    if s.phase == LIFTING:
        return LIFT, PLACE - LIFT
    if s.phase == PLACING:
        return PLACE, s.days
    if s.phase == SWAPPING:
        return SWAP, WEATHERS
    if s.phase == REVEALING:
        return REVEAL, WEATHERS
    if s.phase == PREDICTING:
        return RAISE, 2
    return DISCARD, WEATHERS


@helper
def random_move(s, seat, lanes):
    """Any legal move with equal chances."""
    first, count = question(s)
    move = first + below(lanes, count)
    while any_game.refusal(s, seat, move):
        move = first + below(lanes, count)
    return move


@helper
def mine(s, seat, weather):
    return s.hand[seat, weather] + s.open[seat, weather]


@helper
def unseen_share(s, seat, weather):
    """How many of each card somebody else hides are of this weather, on average."""
    count = s.card_count[weather] - s.discards[weather] - s.hand[seat, weather]
    hidden = s.deck_size
    for other in range(s.seats):
        count -= s.open[other, weather]
        if other != seat:
            hidden += s.held[other]
    return count / hidden if hidden else 0.0


@helper
def expected(s, seat, other, weather):
    """How many cards of a weather another seat has, on average."""
    return s.open[other, weather] + s.held[other] * unseen_share(s, seat, weather)


@helper
def lead(s, seat, day, added, less):
    """My influence on a day minus the strongest other's, on average; with a token added, a card less (-1: none)."""
    ahead = 100.0
    for other in range(s.seats):
        if other == seat:
            continue
        difference = 0.0
        for part in range(PARTS + 1):
            weather = s.day[day, part] - 1 if part < PARTS else added
            if weather >= 0:
                difference += mine(s, seat, weather) - (weather == less) - expected(s, seat, other, weather)
        ahead = min(ahead, difference)
    return ahead


@helper
def chance_of_claim(s, seat, day, added, less):
    """A guess at the chance to claim a day as it lies: even when level, surer with the lead."""
    return 1 / (1 + math.exp(-(lead(s, seat, day, added, less) + 0.3) / SPREAD))


@helper
def expected_claims(s, seat, day, added, less):
    """Days I may claim, with a token added to one of them."""
    total = 0.0
    for other in range(s.days):
        total += chance_of_claim(s, seat, other, added if other == day else -1, less)
    return total


@helper
def moments_left(s):
    """Prediction moments still to come."""
    left = 0
    for day in range(s.days):
        left += s.filled[day] < PARTS
    return left


@helper
def target(s, seat):
    """How many days to aim for: what is predicted, or what may still be predicted if more looks likely."""
    within_reach = s.prediction[seat] + moments_left(s)
    return max(s.prediction[seat], min(within_reach, expected_claims(s, seat, -1, -1, -1) + 0.5))


@helper
def worth_of_token(s, seat, weather, aim):
    """The best that laying this weather can do for the aim."""
    best = -100.0
    for day in range(s.days):
        if s.filled[day] < PARTS:
            best = max(best, worth_on_day(s, seat, weather, day, aim))
    return best


@helper
def worth_on_day(s, seat, weather, day, aim):
    """How near laying a weather on a day brings the aim; days completed in one's favour are surer."""
    claims = expected_claims(s, seat, day, weather, -1)
    return -abs(aim - claims) + 0.05 * abs(lead(s, seat, day, weather, -1))


@helper
def usefulness(s, seat, weather):
    """How many tokens of this weather lie on the table."""
    count = 0
    for day in range(s.days):
        for part in range(s.filled[day]):
            count += s.day[day, part] == weather + 1
    return count


@helper
def simple_move(s, seat):
    """A sensible move from averages alone."""
    if s.phase == LIFTING:
        return choose_pile(s, seat)
    if s.phase == PLACING:
        return choose_day(s, seat)
    if s.phase == PREDICTING:
        ahead = expected_claims(s, seat, -1, -1, -1) - s.prediction[seat]
        return RAISE if ahead > 0.5 + PATIENCE * moments_left(s) else PASS
    if s.phase == DISCARDING:
        return choose_discard(s, seat)
    return choose_card(s, seat)


@helper
def choose_pile(s, seat):
    aim = target(s, seat)
    best = LIFT
    most = -1000.0
    for pile in range(PILES):
        if s.pile_size[pile] > 0:
            worth = worth_of_token(s, seat, s.top[pile] - 1, aim)
            if worth > most:
                most = worth
                best = LIFT + pile
    if most < -1 and what_the_fog.are_tops_equal(s):
        return RETURN
    return best


@helper
def choose_day(s, seat):
    aim = target(s, seat)
    best = PLACE
    most = -1000.0
    for day in range(s.days):
        if s.filled[day] < PARTS:
            worth = worth_on_day(s, seat, s.lifted - 1, day, aim)
            if worth > most:
                most = worth
                best = PLACE + day
    return best


@helper
def choose_card(s, seat):
    """Swap away the card that matters least; reveal the one that matters most, which would be kept anyway."""
    swaps = s.phase == SWAPPING
    best = 0
    most = -1000
    for weather in range(WEATHERS):
        if s.hand[seat, weather]:
            worth = usefulness(s, seat, weather) * 10 + mine(s, seat, weather)
            if swaps:
                worth = -worth
            if worth > most:
                most = worth
                best = weather
    return (SWAP if swaps else REVEAL) + best


@helper
def choose_discard(s, seat):
    """Give up the card whose loss leaves the claims nearest to the prediction."""
    best = 0
    least = 1000.0
    for weather in range(WEATHERS):
        if s.hand[seat, weather]:
            miss = abs(expected_claims(s, seat, -1, -1, weather) - s.prediction[seat])
            if miss < least:
                least = miss
                best = weather
    return DISCARD + best
