"""Infers hidden hands of What the Fog?! from moves: how well a hand explains what its owner did (compiled).

Everything another seat did in this round is kept as a row of numbers with which any hand can be asked how well it
explains the move: tokens are laid where they help, predictions are raised when claims are expected, cards that matter
are revealed and cards that don't are swapped away. Hands are then changed card by card, as the Metropolis rule says, so
that each is met as often as the moves make it likely.
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import math
from typing import Any, NamedTuple

import numpy as np

from nevel.engine.chance import MASK, below, word
from nevel.engine.compiling import helper
from nevel.engine.dispatch import MOST_SEATS
from nevel.games.what_the_fog.bots.forecast import (
    BELIEF,
    EMPTY,
    FORECAST,
    LEADER,
    MEAN,
    RIVAL,
    SHARE,
    SQUARE,
    hurdle,
    look,
    normal,
)
from nevel.games.what_the_fog.bots.simple import moments_left
from nevel.games.what_the_fog.rules.table import (
    DAYS,
    LIFTING,
    PARTS,
    PILES,
    PLACE,
    PREDICTING,
    RAISE,
    RETURN,
    REVEALING,
    SWAP,
    SWAPPING,
    WEATHERS,
)

#: Columns of a row.
KIND, SEAT, ANSWER, WITHIN_REACH, PREDICTED, KEPT = range(6)
SINCE = 6  # cards given away since, by weather
TOKENS = SINCE + WEATHERS  # by day and weather
HEIGHT = TOKENS + DAYS * WEATHERS
SURENESS = HEIGHT + DAYS
OPTION = SURENESS + DAYS  # weathers that could be lifted
OPTION_HEIGHT = OPTION + PILES
OPTION_SURENESS = OPTION_HEIGHT + PILES * DAYS
USE = OPTION_SURENESS + PILES * DAYS
EVIDENCE = (160, USE + WEATHERS)

#: What a hand is asked with: its cards, and two numbers a day.
CARDS = WEATHERS + 2 * DAYS

LAID, PREDICTION, SWAPPED, REVEALED = range(4)

#: How strictly others are taken to follow the forecast, for tokens, predictions, swaps and reveals. Stricter numbers
#: read the strong level better, but mistake those who look further ahead.
STRICTNESS_OF_TOKENS = 1.5
STRICTNESS_OF_PREDICTIONS = 1.5
STRICTNESS_OF_SWAPS = 0.2
STRICTNESS_OF_REVEALS = 0.2
#: A raise can wait, for each prediction moment left by so much.
PATIENCE = 0.5


class EvidencePages(NamedTuple):
    """Scratch arrays for judging hands by what their owners did."""

    #: A row for everything another seat did in this round.
    evidence: Any
    forecast: Any
    #: How well the present hand of each seat explains what it did, as a logarithm.
    logs: Any
    #: The cards of the hand that is looked at.
    cards: Any


def evidence_pages() -> EvidencePages:
    """Fresh scratch arrays."""
    return EvidencePages(np.empty(EVIDENCE), np.empty(FORECAST), np.zeros(MOST_SEATS), np.zeros(CARDS))


@helper
def gather(states, movers, moves, seat, e, f):
    """Fill the rows `e` with what others did in the present round; gives how many there are."""
    now = states[moves.shape[0]]
    count = 0
    # Backwards, so that what was swapped since is known. The last rows count that, one for each seat.
    last = e.shape[0] - now.seats
    for other in range(now.seats):
        for weather in range(WEATHERS):
            e[last + other, SINCE + weather] = 0
        e[last + other, KEPT] = 0
    for i in range(moves.shape[0] - 1, -1, -1):
        s = states[i]
        if s.round_number != now.round_number or count >= last:
            break
        other = movers[i]
        move = moves[i]
        if s.phase == REVEALING and states[i + 1].phase != REVEALING:
            for chooser in range(s.seats):
                for weather in range(WEATHERS):
                    if chooser != seat and states[i + 1].open[chooser, weather] > s.open[chooser, weather]:
                        begin(s, e, count, REVEALED, chooser, weather, last, now)
                        note_use(s, e, count)
                        count += 1
        if other == seat:
            continue
        if s.phase == SWAPPING:
            e[last + other, KEPT] += 1
            e[last + other, SINCE + move - SWAP] += 1
            begin(s, e, count, SWAPPED, other, move - SWAP, last, now)
            note_use(s, e, count)
            count += 1
        elif s.phase == PREDICTING:
            begin(s, e, count, PREDICTION, other, int(move == RAISE), last, now)
            note_days(s, e, count, other, f)
            count += 1
        elif s.phase == LIFTING and move < RETURN and i + 1 < moves.shape[0]:
            begin(s, e, count, LAID, other, 0, last, now)
            note_days(s, e, count, other, f)
            note_options(s, e, count, s.top[move], moves[i + 1] - PLACE, f)
            count += 1
    return count


@helper
def begin(s, e, row, kind, other, answer, last, now):
    e[row, KIND] = kind
    e[row, SEAT] = other
    e[row, ANSWER] = answer
    e[row, PREDICTED] = s.prediction[other]
    e[row, WITHIN_REACH] = s.prediction[other] + moments_left(s)
    e[row, KEPT] = max(1 - e[last + other, KEPT] / max(now.held[other], 1), 0.0)
    for weather in range(WEATHERS):
        e[row, SINCE + weather] = e[last + other, SINCE + weather]


@helper
def note_use(s, e, row):
    """How many tokens of each weather lay on the table."""
    for weather in range(WEATHERS):
        e[row, USE + weather] = 0
    for day in range(s.days):
        for part in range(s.filled[day]):
            e[row, USE + s.day[day, part] - 1] += 1


@helper
def note_days(s, e, row, other, f):
    """The days as that seat saw them: their tokens, and what it had to reach there."""
    look(s, other, 0.0, f)
    for day in range(DAYS):
        for weather in range(WEATHERS):
            e[row, TOKENS + day * WEATHERS + weather] = f[day, weather] if day < s.days else 0.0
        if day < s.days:
            height, sureness = hurdle(f, f[day, RIVAL], f[day, SQUARE], f[day, MEAN], f[day, EMPTY])
            e[row, HEIGHT + day] = height
            e[row, SURENESS + day] = sureness
        else:
            e[row, HEIGHT + day] = 100.0
            e[row, SURENESS + day] = 1.0


@helper
def note_options(s, e, row, lifted, laid_on, f):
    """Every weather that could be lifted, on every day it could be laid on."""
    for pile in range(PILES):
        weather = s.top[pile] - 1
        for before in range(pile):
            if s.top[before] == s.top[pile]:
                weather = -1
        e[row, OPTION + pile] = weather
        if weather < 0:
            continue
        if weather == lifted - 1:
            e[row, ANSWER] = pile * DAYS + laid_on
        share = f[SHARE, weather]
        for day in range(DAYS):
            e[row, OPTION_SURENESS + pile * DAYS + day] = 0.0
            if day < s.days and s.filled[day] < PARTS:
                height, sureness = hurdle(
                    f,
                    f[day, RIVAL] + f[BELIEF + int(f[day, LEADER]), weather],
                    f[day, SQUARE] + (2 * f[day, weather] + 1) * share,
                    f[day, MEAN] + share,
                    f[day, EMPTY] - 1,
                )
                e[row, OPTION_HEIGHT + pile * DAYS + day] = height
                e[row, OPTION_SURENESS + pile * DAYS + day] = sureness


@helper
def explains(s, other, e, count, cards):
    """How well a seat's imagined hand explains what it did: the logarithm of the likelihood. `cards` is scratch."""
    total = 0.0
    for row in range(count):
        if e[row, SEAT] != other:
            continue
        for weather in range(WEATHERS):
            cards[weather] = s.open[other, weather] + e[row, KEPT] * s.hand[other, weather] + e[row, SINCE + weather]
        if e[row, KIND] == LAID:
            total += explains_token(e, row, cards)
        elif e[row, KIND] == PREDICTION:
            total += explains_prediction(e, row, cards)
        else:
            total += explains_card(e, row, cards)
    return total


@helper
def expect_claims(e, row, cards):
    """The claims a seat with these cards could expect; leaves its influence and chance on each day behind the cards."""
    claims = 0.0
    for day in range(DAYS):
        own = 0.0
        for weather in range(WEATHERS):
            own += e[row, TOKENS + day * WEATHERS + weather] * cards[weather]
        chance = normal((own - e[row, HEIGHT + day]) * e[row, SURENESS + day])
        cards[WEATHERS + day] = own
        cards[WEATHERS + DAYS + day] = chance
        claims += chance
    return claims


@helper
def explains_prediction(e, row, cards):
    claims = expect_claims(e, row, cards)
    left = e[row, WITHIN_REACH] - e[row, PREDICTED]
    eager = STRICTNESS_OF_PREDICTIONS * (claims - e[row, PREDICTED] - 0.5 - PATIENCE * left)
    return -math.log1p(math.exp(-eager if e[row, ANSWER] else eager))


@helper
def explains_token(e, row, cards):
    """More claims are wanted as long as they can be predicted, fewer when there are too many."""
    claims = expect_claims(e, row, cards)
    wish = STRICTNESS_OF_TOKENS * min(max(e[row, WITHIN_REACH] + 0.5 - claims, -1.0), 1.0)
    total = 0.0
    chosen = 0.0
    for pile in range(PILES):
        weather = int(e[row, OPTION + pile])
        if weather < 0:
            continue
        for day in range(DAYS):
            option = pile * DAYS + day
            sureness = e[row, OPTION_SURENESS + option]
            if sureness > 0:
                own = cards[WEATHERS + day] + cards[weather]
                chance = normal((own - e[row, OPTION_HEIGHT + option]) * sureness)
                worth = wish * (chance - cards[WEATHERS + DAYS + day])
                total += math.exp(worth)
                if option == e[row, ANSWER]:
                    chosen = worth
    return chosen - math.log(total)


@helper
def explains_card(e, row, cards):
    """A swapped card was of little use among those held, a revealed one of much."""
    strictness = STRICTNESS_OF_REVEALS if e[row, KIND] == REVEALED else -STRICTNESS_OF_SWAPS
    total = 1e-9
    for weather in range(WEATHERS):
        if cards[weather] > 0.5:
            total += math.exp(strictness * e[row, USE + weather])
    return strictness * e[row, USE + int(e[row, ANSWER])] - math.log(total)


@helper
def wander(s, seat, count, steps, trust, rng, pages):
    """Exchange imagined cards at random, keeping what explains the moves better more often (Metropolis).

    With little `trust` in what the moves tell, hands stay nearer to plain chance.
    """
    e, logs, cards = pages.evidence, pages.logs, pages.cards
    held = 0
    in_deck = 0
    for other in range(s.seats):
        held += s.held[other] if other != seat else 0
    for weather in range(WEATHERS):
        in_deck += s.deck[weather]
    for _ in range(steps if held else 0):
        owner, given = find_card(s, seat, -1, below(rng, held), -1)
        elsewhere = in_deck + held - s.held[owner]
        if elsewhere == 0:
            return
        giver, taken = find_card(s, seat, owner, below(rng, elsewhere), in_deck)
        if given == taken:
            continue
        exchange(s, owner, given, giver, taken)
        mine = explains(s, owner, e, count, cards)
        theirs = explains(s, giver, e, count, cards) if giver >= 0 else 0.0
        gain = trust * (mine - logs[owner] + (theirs - logs[giver] if giver >= 0 else 0.0))
        if gain >= 0 or word(rng) < math.exp(gain) * (MASK + 1):
            logs[owner] = mine
            if giver >= 0:
                logs[giver] = theirs
        else:
            exchange(s, owner, taken, giver, given)


@helper
def find_card(s, seat, besides, index, in_deck):
    """The owner (-1: the deck) and weather of a numbered card that is hidden from the seat, but not one seat's."""
    if index < in_deck:
        weather = 0
        while index >= s.deck[weather]:
            index -= s.deck[weather]
            weather += 1
        return -1, weather
    index -= max(in_deck, 0)
    for other in range(s.seats):
        if other != seat and other != besides:
            for weather in range(WEATHERS):
                if index < s.hand[other, weather]:
                    return other, weather
                index -= s.hand[other, weather]
    return -1, 0


@helper
def exchange(s, owner, given, giver, taken):
    s.hand[owner, given] -= 1
    s.hand[owner, taken] += 1
    if giver >= 0:
        s.hand[giver, taken] -= 1
        s.hand[giver, given] += 1
    else:
        s.deck[taken] -= 1
        s.deck[given] += 1
