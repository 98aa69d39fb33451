"""The hints bots give in The Game, and how they use the hints of others (TG-H2).

Everything said is about a pile as it lies now: that one could jump back on it, or how near one's next card is. Where
tricks aren't open (TG-V2), who could jump back asks to leave the pile, strongly. A bot says it as soon as it is true,
and takes it back when it isn't, so that silence tells something too.
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import math

from nevel.engine import dispatch
from nevel.engine.chance import below
from nevel.engine.compiling import helper, inlined
from nevel.games.the_game.rules.table import (
    CHOOSING,
    FIRST_FALLING,
    HIGHEST,
    JUMP_BACK,
    LEAVE,
    LEAVE_STRONGLY,
    LOWEST,
    MARGIN,
    OVER,
    PILE_HINTS,
    PILE_HINTS_BACK,
    PILES,
    SMALL_STEPS,
)

#: How near one's next card is: to the first, leave it strongly; to the second, leave it; to the third, small steps.
STRONGLY_WITHIN = 3
WITHIN = 8
STEPS_WITHIN = 15

#: How surprising a hint is that a hand doesn't explain, as a logarithm: nobody errs about a jump, and hardly about a
#: pile that nothing near fits; how near is near is a matter of taste.
WRONG_JUMP = 7.0
WRONG_PILE = 4.0
WRONG_STRENGTH = 1.5
#: Exchanges of cards tried to make an imagined deal fit what was said.
EXCHANGES = 24


@inlined
def apt_hint(s, seat, pile):
    """What there is to say about a pile with this hand; 0 for nothing."""
    top = s.tops[pile]
    nearest = STEPS_WITHIN + 1
    jump = 0
    for i in range(s.held[seat]):
        step = s.hand[seat, i] - top if pile < FIRST_FALLING else top - s.hand[seat, i]
        jump |= step == -10
        if 0 < step < nearest:
            nearest = step
    if jump:
        return LEAVE_STRONGLY if s.closed_tricks else JUMP_BACK
    if nearest <= STRONGLY_WITHIN:
        return LEAVE_STRONGLY
    if nearest <= WITHIN:
        return LEAVE
    return SMALL_STEPS if nearest <= STEPS_WITHIN else 0


@helper
def next_hint(s, seat, is_terse):
    """Something to say, or to take back; -1 when everything said is true and everything true is said.

    Who is terse says only what nobody could guess and everybody should know: a jump, or a card that fits at once.

    Nobody says anything about piles in their own turn, where they can act instead, nor when playing alone.
    """
    if s.phase == OVER or s.seats == 1 or (s.phase != CHOOSING and s.active == seat):
        return -1
    for pile in range(PILES):
        apt = apt_hint(s, seat, pile)
        if is_terse and apt != JUMP_BACK and apt != LEAVE_STRONGLY:
            apt = 0
        if apt != s.hints[seat, pile]:
            move = PILE_HINTS + (apt - 1) * PILES + pile if apt else PILE_HINTS_BACK + pile
            if dispatch.refusal(s, seat, move) == 0:
                return move
    return -1


# ---------------------------------------------------------------- using others' hints


@helper
def surprise(s, seat, trust):
    """How badly a hand explains what its owner said, or didn't say, as a logarithm."""
    total = 0.0
    for pile in range(PILES):
        said = s.hints[seat, pile]
        apt = apt_hint(s, seat, pile)
        if said == apt:
            continue
        if said == 0:
            total += trust[seat]
        elif said == JUMP_BACK:
            total += WRONG_JUMP
        else:
            total += WRONG_PILE if apt == 0 or apt == JUMP_BACK else WRONG_STRENGTH
    return total


@helper
def exchange(s, seat, slot, index, other):
    """Exchange a card of a hand with one of the draw pile (`other` -1) or of another hand."""
    mine = s.hand[seat, slot]
    if other < 0:
        theirs = s.deck[index]
        s.deck[index] = mine
        s.where[MARGIN + mine] = 0
    else:
        theirs = s.hand[other, index]
        s.hand[other, index] = mine
        s.where[MARGIN + mine] = 1 + other
    s.hand[seat, slot] = theirs
    s.where[MARGIN + theirs] = 1 + seat


@helper
def heed(s, seat, trust, rng):
    """Change an imagined deal so that it explains the others' hints, by Metropolis sampling."""
    give_jumpers(s, seat)
    for _ in range(EXCHANGES):
        for giver in range(s.seats):
            if giver == seat or s.held[giver] == 0:
                continue
            slot = below(rng, s.held[giver])
            other = below(rng, s.seats + 1) - 1
            if other in (seat, giver) or (other >= 0 and s.held[other] == 0):
                other = -1
            if other < 0 and s.left == 0:
                continue
            index = below(rng, s.left) if other < 0 else below(rng, s.held[other])
            before = surprise(s, giver, trust) + (surprise(s, other, trust) if other >= 0 else 0.0)
            exchange(s, giver, slot, index, other)
            after = surprise(s, giver, trust) + (surprise(s, other, trust) if other >= 0 else 0.0)
            if after > before and below(rng, 1 << 20) > (1 << 20) * math.exp(before - after):
                exchange(s, giver, slot, index, other)


@helper
def give_jumpers(s, seat):
    """Who says they can jump back on a pile gets that one card: chance alone would seldom find it."""
    for giver in range(s.seats):
        for pile in range(PILES):
            if giver == seat or s.hints[giver, pile] != JUMP_BACK or s.held[giver] == 0:
                continue
            card = s.tops[pile] - 10 if pile < FIRST_FALLING else s.tops[pile] + 10
            if card < LOWEST or card > HIGHEST:
                continue
            where = s.where[MARGIN + card]
            if where == 1 + giver or where == 1 + seat or where == 9:
                continue
            slot = (card + pile) % s.held[giver]
            if where == 0:
                for index in range(s.left):
                    if s.deck[index] == card:
                        exchange(s, giver, slot, index, -1)
                        break
            else:
                for index in range(s.held[where - 1]):
                    if s.hand[where - 1, index] == card:
                        exchange(s, giver, slot, index, where - 1)
                        break
