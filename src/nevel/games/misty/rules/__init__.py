"""Misty: two to four players draft cards, build a window each and set it in motion."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine import dispatch
from nevel.engine.chance import draw
from nevel.engine.compiling import compiled, helper
from nevel.engine.tracing import EVERYONE, note
from nevel.games.misty.rules.clauses import MI_A1, MI_A2, MI_A3, MI_A5, MI_S1, MI_T1, MI_T4, MI_T5, MI_V1, MI_X4
from nevel.games.misty.rules.knowledge import conceal, imagine, observe
from nevel.games.misty.rules.legality import mark_moves
from nevel.games.misty.rules.table import (
    ACTIVATING,
    ACTIVATION_CALLED,
    ACTIVATION_DONE,
    BOX,
    CARDS,
    ENDED,
    HANDS_DEALT,
    HANDS_PASSED,
    MIDDLE,
    MOVE,
    MOVE_READY,
    MOVES,
    OBSERVATION,
    OPTIONS,
    OVER,
    PICK,
    PICK_CHOSEN,
    PICK_READY,
    PICKED,
    PICKING,
    PLACE,
    PLACED,
    PLACING,
    ROUND_BEGAN,
    ROUND_WON,
    ROUNDS_TO_WIN,
    SCORED,
    SEATS,
    STATE,
    can_span,
    passes_left,
    seats_to_act,
    waiting,
)
from nevel.games.misty.rules.telling import tell_hands, tell_window
from nevel.games.misty.rules.window import (
    DRAWINGS,
    KINDS,
    SIDE,
    TURNED,
    arrow_at,
    can_move,
    destination,
    is_activated,
    kinds_of,
    movable,
    score,
)

__all__ = [
    "BOX",
    "MOVES",
    "OBSERVATION",
    "OPTIONS",
    "SEATS",
    "STATE",
    "VERSION",
    "WIDER_FIELDS",
    "apply",
    "conceal",
    "imagine",
    "is_secret",
    "losing_clause",
    "mark_moves",
    "observe",
    "outcome",
    "refusal",
    "setup",
    "waiting",
]

VERSION = 1
#: Fields that don't fit in eight bits, on a GPU.
WIDER_FIELDS = {"score": "i2", "activated": "i8"}


# ---------------------------------------------------------------- setting up


@compiled
def setup(s, seats, box, options, trace):
    """Set up round 1 from the random state already seeded in `s.chance`."""
    s.seats = seats
    s.beginners = options[0]
    s.turned = 0
    for kind in range(KINDS):
        s.count[kind] = box[kind]
        s.arrow[kind] = box[KINDS + kind]
        if kind >= DRAWINGS and s.count[kind]:
            s.turned = TURNED
    s.ended = 0
    s.wins[:] = 0
    s.score[:] = 0
    s.round_number = 1
    set_up_round(s, trace)


@helper
def set_up_round(s, trace):
    """All cards are shuffled (MI-S1)."""
    s.window[:] = 0
    s.laid[:] = 0
    s.top[:] = MIDDLE
    s.bottom[:] = MIDDLE
    s.left[:] = MIDDLE
    s.right[:] = MIDDLE
    s.activated[:] = 0
    s.order[:] = 0
    s.moves[:] = 0
    s.done[:] = 0
    s.hand[:] = 0
    s.aside_size = 0
    s.aside[:] = 0
    for kind in range(kinds_of(s)):
        s.aside[kind] = s.count[kind]
        s.aside_size += s.count[kind]
    s.deal = 0
    note(trace, ROUND_BEGAN, EVERYONE, s.round_number, 0, 0)
    deal_hands(s, trace)


@helper
def deal_hands(s, trace):
    """New hands out of the cards put aside, which were never looked at."""
    s.phase = PICKING
    s.passes = 0
    s.held = 3 if s.beginners else 6
    s.chosen[:] = 0
    s.choice[:] = 0
    note(trace, HANDS_DEALT, EVERYONE, s.deal, s.held, int(passes_left(s)))
    for seat in range(s.seats):
        for _ in range(s.held):
            s.hand[seat, draw(s.chance, s.aside, s.aside_size)] += 1
            s.aside_size -= 1
    if trace is not None:
        tell_hands(s, trace)


# ---------------------------------------------------------------- questions


@helper
def touches(s, seat, row, column):
    """Whether a card lies beside or diagonally beside this space."""
    for r in range(max(row - 1, 0), min(row + 2, SIDE)):
        for c in range(max(column - 1, 0), min(column + 2, SIDE)):
            if s.window[seat, r, c]:
                return True
    return False


@helper
def space_refusal(s, seat, space):
    """0, or the clause that forbids laying a card on this space."""
    row = space // SIDE
    column = space % SIDE
    if s.window[seat, row, column]:
        return MI_T4
    width = max(s.right[seat], column) - min(s.left[seat], column) + 1
    height = max(s.bottom[seat], row) - min(s.top[seat], row) + 1
    if not can_span(s, width, height):
        return MI_V1 if s.beginners else MI_T5
    return 0 if touches(s, seat, row, column) else MI_T4


@helper
def activation_refusal(s, seat, space):
    """0, or the clause that forbids moving the card built on this space."""
    row = space // SIDE
    column = space % SIDE
    if s.done[seat]:
        return MI_A1
    if can_move(s, seat, s.activated[seat], row, column):
        return 0
    if arrow_at(s, seat, row, column) == 0:
        return MI_A5
    return MI_A2 if is_activated(s.activated[seat], row, column) else MI_A3


@compiled
def refusal(s, seat, move):
    """0 when the move is legal, else the clause that forbids it."""
    if s.phase == OVER:
        return MI_X4
    if move < PLACE:
        if s.phase != PICKING or s.chosen[seat]:
            return MI_T1
        return 0 if s.hand[seat, move - PICK] else MI_S1
    if move < MOVE:
        if s.phase != PLACING or not s.choice[seat]:
            return MI_T1
        return space_refusal(s, seat, move - PLACE)
    if s.phase != ACTIVATING:
        return MI_A1
    return activation_refusal(s, seat, move - MOVE)


@compiled
def is_secret(s, move):
    """Whether others don't see this move when it is made."""
    return move < PLACE or move >= MOVE


@compiled
def losing_clause(s, seat, move):
    """No move of this game loses it on the spot."""
    return 0


# ---------------------------------------------------------------- building


@compiled
def apply(s, seat, move, trace):
    """Carry out a legal move."""
    if move < PLACE:
        s.chosen[seat] = 1
        s.choice[seat] = move - PICK + 1
        note(trace, PICK_CHOSEN, EVERYONE, seat, 0, 0)
        note(trace, PICK_READY, seat, seat, move - PICK, 0)
    elif move < MOVE:
        place(s, seat, move - PLACE, trace)
    else:
        activate(s, seat, move - MOVE, trace)
    if seats_to_act(s) == 0:
        go_on(s, trace)


@helper
def go_on(s, trace):
    """What follows when nobody has anything left to pick, place or activate."""
    if s.phase == PICKING:
        turn_up_picks(s, trace)
        if s.laid[0] > 0:
            return
        # The first card may lie anywhere (MI-T4), and anywhere is the same place: the middle of the frame.
        for seat in range(s.seats):
            place(s, seat, MIDDLE * SIDE + MIDDLE, trace)
    if s.phase == PLACING:
        if s.laid[0] < (9 if s.beginners else CARDS):
            if s.held > 0:
                pass_hands(s, trace)
            else:
                s.deal += 1
                deal_hands(s, trace)
            return
        call_activation(s, trace)
        if seats_to_act(s):
            return
    count_round(s, trace)
    if s.phase != OVER:
        s.round_number += 1
        set_up_round(s, trace)


@helper
def turn_up_picks(s, trace):
    """Chosen in secret, turned up together (MI-T1)."""
    s.phase = PLACING
    s.held -= 1
    for seat in range(s.seats):
        s.chosen[seat] = 0
        s.hand[seat, s.choice[seat] - 1] -= 1
        note(trace, PICKED, EVERYONE, seat, s.choice[seat] - 1, 0)


@helper
def place(s, seat, space, trace):
    """Lay the picked card (MI-T4 to MI-T6)."""
    row = space // SIDE
    column = space % SIDE
    s.window[seat, row, column] = s.choice[seat]
    s.choice[seat] = 0
    s.laid[seat] += 1
    s.top[seat] = min(s.top[seat], row)
    s.bottom[seat] = max(s.bottom[seat], row)
    s.left[seat] = min(s.left[seat], column)
    s.right[seat] = max(s.right[seat], column)
    note(trace, PLACED, EVERYONE, seat, s.window[seat, row, column] - 1, space)


@helper
def pass_hands(s, trace):
    """Hand on what is left (MI-T2, MI-T3)."""
    s.phase = PICKING
    s.passes += 1
    for kind in range(kinds_of(s)):
        if passes_left(s):
            kept = s.hand[s.seats - 1, kind]
            for seat in range(s.seats - 1, 0, -1):
                s.hand[seat, kind] = s.hand[seat - 1, kind]
            s.hand[0, kind] = kept
        else:
            kept = s.hand[0, kind]
            for seat in range(s.seats - 1):
                s.hand[seat, kind] = s.hand[seat + 1, kind]
            s.hand[s.seats - 1, kind] = kept
    note(trace, HANDS_PASSED, EVERYONE, int(passes_left(s)), 0, 0)
    if trace is not None:
        tell_hands(s, trace)


# ---------------------------------------------------------------- activation


@helper
def call_activation(s, trace):
    """Everyone at the same time (MI-A1); a window without arrows is done at once."""
    s.phase = ACTIVATING
    note(trace, ACTIVATION_CALLED, EVERYONE, 0, 0, 0)
    for seat in range(s.seats):
        s.done[seat] = movable(s, seat, s.activated[seat]) == 0
        if s.done[seat]:
            note(trace, ACTIVATION_DONE, EVERYONE, seat, 0, 0)


@helper
def activate(s, seat, space, trace):
    """MI-A2. The others see it when everyone is done."""
    s.order[seat, s.moves[seat]] = space
    s.moves[seat] += 1
    s.activated[seat] |= 1 << space
    if trace is not None:
        note(trace, MOVE_READY, seat, seat, space, destination(s, seat, space // SIDE, space % SIDE))
    if movable(s, seat, s.activated[seat]) == 0:
        s.done[seat] = 1
        note(trace, ACTIVATION_DONE, EVERYONE, seat, 0, 0)


@helper
def count_round(s, trace):
    """Monsters eat, blurred spaces are wiped, points are counted, the round is won (MI-A6 to MI-X4)."""
    best = 0
    for seat in range(s.seats):
        if trace is not None:
            tell_window(s, seat, trace)
        s.score[seat] = score(s, seat, s.activated[seat])
        best = max(best, s.score[seat])
        note(trace, SCORED, EVERYONE, seat, s.score[seat], 0)
    for seat in range(s.seats):
        if s.score[seat] == best:
            s.wins[seat] += 1
            if s.wins[seat] == ROUNDS_TO_WIN:
                s.phase = OVER
                s.ended = MI_X4
            note(trace, ROUND_WON, EVERYONE, seat, s.round_number, s.wins[seat])
    if s.phase == OVER:
        note(trace, ENDED, EVERYONE, MI_X4, 0, 0)


@compiled
def outcome(s, out):
    """0 while the game goes on, else the clause that ended it. A row per seat: rounds won, won."""
    for seat in range(s.seats):
        out[seat, 0] = s.wins[seat]
        out[seat, 1] = s.wins[seat] >= ROUNDS_TO_WIN
    return s.ended


dispatch.register(__name__)
