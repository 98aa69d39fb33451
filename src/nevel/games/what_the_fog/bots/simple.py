"""The random and the simple level of What the Fog?!: any legal move, or the best by averages (compiled)."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import numpy as np

from nevel.engine import dispatch
from nevel.engine.chance import below
from nevel.engine.compiling import helper, natural, small
from nevel.games.what_the_fog import rules as what_the_fog
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
    REVEALING,
    SWAP,
    SWAPPING,
    WEATHERS,
)

# All in whole numbers, so that the same is chosen on any machine. A card has so many parts, a day so many:
CARD = 1024
DAY = 1 << 16
# How sure a lead in influence makes a claim: the spread of what others may turn out to hold, and who is level has more
# than an even chance.
SPREAD = 1.6 * CARD
LEVEL = 0.3 * CARD
# Chances by the lead, in steps of a sixteenth of a card, up to so many cards.
STEP = CARD // 16
FAR_AHEAD = 16 * CARD
CHANCES = np.rint(DAY / (1 + np.exp(-(np.arange(-FAR_AHEAD, FAR_AHEAD, STEP) + STEP / 2 + LEVEL) / SPREAD))).astype(
    np.int64
)
# Bits to count the cards of one weather with: a box has 48 cards.
COUNT_BITS = 6
# A raise can wait while there are prediction moments left to catch up in.
HALF_A_DAY = DAY // 2
PATIENCE = DAY * 3 // 5
# A card's lead on the day a token is laid counts as much as this part of a day.
SURER = DAY // 20


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
def random_move(s, seat, rng):
    """Any legal move with equal chances."""
    first, count = question(s)
    move = first + below(rng, count)
    while dispatch.refusal(s, seat, move):
        move = first + below(rng, count)
    return move


@helper
def mine(s, seat, weather):
    return s.hand[seat, weather] + s.open[seat, weather]


@helper
def unseen_cards(s, seat):
    """How many cards of each weather the seat doesn't see, packed in one number: every estimate asks for them."""
    packed = 0
    for weather in range(WEATHERS):
        count = s.card_count[weather] - s.discards[weather] - s.hand[seat, weather]
        for each in range(s.seats):
            count -= s.open[each, weather]
        packed |= int(count) << COUNT_BITS * weather
    return packed


@helper
def hidden_cards(s, seat):
    """How many cards lie face down or in other hands."""
    hidden = small(s.deck_size)
    for each in range(s.seats):
        hidden = small(hidden + s.held[each] if each != seat else hidden)
    return hidden


@helper
def expected(s, other, weather, unseen, hidden):
    """How many cards of a weather another seat has, on average: those all can see, and its share of the hidden ones."""
    count = unseen >> COUNT_BITS * weather & (1 << COUNT_BITS) - 1
    average = natural(s.held[other] * count * CARD) // natural(hidden) if hidden else natural(0)
    return small(s.open[other, weather] * CARD + small(average))


@helper
def edge(s, seat, other, weather, less, unseen, hidden):
    """How much more influence a token of this weather gives me than another seat, on average; with a card less."""
    cards = mine(s, seat, weather) - (weather == less)
    return small(cards * CARD - expected(s, other, weather, unseen, hidden))


@helper
def leads(s, seat, day, added, less, unseen, hidden):
    """My influence on a day minus the strongest other's, on average, as it is and with a token added.

    With a card less of one weather; -1 is none.
    """
    before = after = small(100 * CARD)
    for other in range(s.seats):
        if other != seat:
            difference = small(0)
            for part in range(s.filled[day]):
                weather = small(s.day[day, part] - 1)
                difference = small(difference + edge(s, seat, other, weather, less, unseen, hidden))
            before = min(before, difference)
            if added >= 0:
                difference = small(difference + edge(s, seat, other, added, less, unseen, hidden))
            after = min(after, difference)
    return before, after


@helper
def chance(ahead):
    """How likely a day is claimed with this lead: even when level, surer with more."""
    return small(CHANCES[natural((min(max(ahead, small(-FAR_AHEAD)), small(FAR_AHEAD - 1)) + FAR_AHEAD) // STEP)])


@helper
def expected_claims(s, seat, less, unseen, hidden):
    """Days I may claim as they lie, with a card less of one weather (-1: none)."""
    total = small(0)
    for day in range(s.days):
        total = small(total + chance(leads(s, seat, day, -1, less, unseen, hidden)[0]))
    return total


@helper
def moments_left(s):
    """Prediction moments still to come."""
    left = 0
    for day in range(s.days):
        left += s.filled[day] < PARTS
    return left


@helper
def target(s, seat, claims):
    """How many days to aim for: what is predicted, or what may still be predicted if more looks likely."""
    within_reach = small((s.prediction[seat] + moments_left(s)) * DAY)
    return max(small(s.prediction[seat] * DAY), min(within_reach, small(claims + HALF_A_DAY)))


@helper
def worth_of_token(s, seat, weather, aim, claims, unseen, hidden):
    """The best that laying this weather can do for the aim."""
    best = small(-100 * DAY)
    for day in range(s.days):
        if s.filled[day] < PARTS:
            best = max(best, worth_on_day(s, seat, weather, day, aim, claims, unseen, hidden))
    return best


@helper
def worth_on_day(s, seat, weather, day, aim, claims, unseen, hidden):
    """How near laying a weather on a day brings the aim; days completed in one's favour are surer."""
    before, after = leads(s, seat, day, weather, -1, unseen, hidden)
    claims = small(claims - chance(before) + chance(after))
    return small(abs(after) * SURER // CARD - abs(aim - claims))


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
        claims = expected_claims(s, seat, -1, unseen_cards(s, seat), hidden_cards(s, seat))
        ahead = claims - s.prediction[seat] * DAY
        return RAISE if ahead > HALF_A_DAY + PATIENCE * moments_left(s) else PASS
    if s.phase == DISCARDING:
        return choose_discard(s, seat)
    return choose_card(s, seat)


@helper
def choose_pile(s, seat):
    unseen, hidden = unseen_cards(s, seat), hidden_cards(s, seat)
    claims = expected_claims(s, seat, -1, unseen, hidden)
    aim = target(s, seat, claims)
    best = LIFT
    most = small(-1000 * DAY)
    for pile in range(PILES):
        if s.pile_size[pile] > 0:
            worth = worth_of_token(s, seat, small(s.top[pile] - 1), aim, claims, unseen, hidden)
            if worth > most:
                most = worth
                best = LIFT + pile
    if most < -DAY and what_the_fog.are_tops_equal(s):
        return RETURN
    return best


@helper
def choose_day(s, seat):
    unseen, hidden = unseen_cards(s, seat), hidden_cards(s, seat)
    claims = expected_claims(s, seat, -1, unseen, hidden)
    aim = target(s, seat, claims)
    best = PLACE
    most = small(-1000 * DAY)
    for day in range(s.days):
        if s.filled[day] < PARTS:
            worth = worth_on_day(s, seat, small(s.lifted - 1), day, aim, claims, unseen, hidden)
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
    unseen, hidden = unseen_cards(s, seat), hidden_cards(s, seat)
    best = 0
    least = 1000 * DAY
    for weather in range(WEATHERS):
        if s.hand[seat, weather]:
            miss = abs(expected_claims(s, seat, weather, unseen, hidden) - s.prediction[seat] * DAY)
            if miss < least:
                least = miss
                best = weather
    return DISCARD + best
