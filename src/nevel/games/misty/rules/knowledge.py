"""What one seat of Misty can know: conceals the rest, fills it in at random, writes observations (compiled)."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine.chance import below, draw
from nevel.engine.compiling import compiled, helper
from nevel.games.misty.rules.table import ACTIVATING, PICKING, PLACING, passes_left, waiting
from nevel.games.misty.rules.window import KINDS, SIDE, SPACES, can_move, kinds_of, movable


@helper
def has_seen_hand(s, seat, other):
    """Whether the hand now with `other` has been in this seat's own hands since it was dealt."""
    steps = other - seat if passes_left(s) else seat - other
    return seat >= 0 and steps % s.seats <= s.passes


@compiled
def conceal(s, seat):
    """Erase everything the seat can't know; -1 is a spectator.

    A hand the seat has passed on stays known to it: what was taken from it since was turned up for all to see.
    """
    s.chance[:] = 0
    s.aside[:] = 0
    for other in range(s.seats):
        if not has_seen_hand(s, seat, other):
            s.hand[other, :] = 0
        if other != seat:
            if s.phase == PICKING:
                s.choice[other] = 0
            elif s.phase == ACTIVATING:
                s.activated[other] = 0
                s.order[other, :] = 0
                s.moves[other] = 0


@compiled
def imagine(s, seat):
    """Fill what was concealed at random, consistently with what the seat knows. Seed `s.chance` first."""
    unseen = 0
    for kind in range(kinds_of(s)):
        s.aside[kind] = s.count[kind]
        for other in range(s.seats):
            if has_seen_hand(s, seat, other):
                s.aside[kind] -= s.hand[other, kind]
            s.aside[kind] -= s.phase == PLACING and s.choice[other] == kind + 1
            for row in range(s.top[other], s.bottom[other] + 1):
                for column in range(s.left[other], s.right[other] + 1):
                    s.aside[kind] -= s.window[other, row, column] == kind + 1
        unseen += s.aside[kind]
    for other in range(s.seats):
        if not has_seen_hand(s, seat, other):
            s.hand[other, :] = 0
            for _ in range(s.held):
                s.hand[other, draw(s.chance, s.aside, unseen)] += 1
                unseen -= 1
        if other != seat:
            if s.phase == PICKING and s.chosen[other]:
                s.choice[other] = 1 + draw(s.chance, s.hand[other], s.held)
                s.hand[other, s.choice[other] - 1] += 1
            if s.phase == ACTIVATING and s.done[other]:
                activate_at_random(s, other)
    s.aside_size = unseen


@helper
def activate_at_random(s, seat):
    """Some order in which this window may have been activated."""
    while movable(s, seat, s.activated[seat]):
        space = below(s.chance, SPACES)
        if can_move(s, seat, s.activated[seat], space // SIDE, space % SIDE):
            s.order[seat, s.moves[seat]] = space
            s.moves[seat] += 1
            s.activated[seat] |= 1 << space


@compiled
def observe(s, seat, out):
    """Write what the seat knows as numbers, in the order of OBSERVATION; gives how many."""
    out[0] = waiting(s) >> seat & 1
    for phase in range(4):
        out[1 + phase] = s.phase == phase
    out[5] = s.round_number
    out[6] = s.deal
    out[7] = s.passes
    out[8] = s.held
    for kind in range(KINDS):
        out[9 + kind] = s.hand[seat, kind]
    wins = 10 + KINDS
    out[wins - 1] = s.choice[seat]
    n = wins + 4
    for i in range(4):
        other = (seat + i) % s.seats
        out[wins + i] = s.wins[other] if i < s.seats else 0
        for row in range(SIDE):
            for column in range(SIDE):
                out[n] = s.window[other, row, column] if i < s.seats else 0
                n += 1
    for space in range(SPACES):
        out[n + space] = s.activated[seat] >> space & 1
    return n + SPACES
