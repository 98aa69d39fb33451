"""What players of The Game may say: hints on piles and about starting, in the state, so that everyone hears them."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine.compiling import helper
from nevel.engine.tracing import EVERYONE, note
from nevel.games.the_game.rules.clauses import TG_E3, TG_H1, TG_H3, TG_S2
from nevel.games.the_game.rules.table import (
    CHOOSING,
    JUMP_BACK,
    OVER,
    PILE_HINT_TAKEN_BACK,
    PILE_HINTED,
    PILE_HINTS,
    PILE_HINTS_BACK,
    PILES,
    PLAYING,
    START_HINT_BACK,
    START_HINT_TAKEN_BACK,
    START_HINTED,
    START_HINTS,
)


@helper
def hint_refusal(s, seat, move):
    """Hints are free, but for a jump that would tell a card (TG-V2), the same twice, and taking back nothing."""
    if s.phase == OVER:
        return TG_E3
    if move < PILE_HINTS_BACK:
        kind = (move - PILE_HINTS) // PILES + 1
        if kind == JUMP_BACK and s.closed_tricks:
            return TG_H1
        return TG_H3 if s.hints[seat, (move - PILE_HINTS) % PILES] == kind else 0
    if move < START_HINTS:
        return TG_H3 if s.hints[seat, move - PILE_HINTS_BACK] == 0 else 0
    if s.phase != CHOOSING:
        return TG_S2
    if move < START_HINT_BACK:
        return TG_H3 if s.start_hints[seat] == move - START_HINTS + 1 else 0
    return TG_H3 if s.start_hints[seat] == 0 else 0


@helper
def give_hint(s, seat, move, trace):
    """Say or take back something (TG-H2, TG-H3)."""
    if move < PILE_HINTS_BACK:
        kind = (move - PILE_HINTS) // PILES + 1
        pile = (move - PILE_HINTS) % PILES
        s.hints[seat, pile] = kind
        s.hints_kept[seat, pile] = s.phase == PLAYING and s.active == seat
        note(trace, PILE_HINTED, EVERYONE, seat, pile, kind)
    elif move < START_HINTS:
        pile = move - PILE_HINTS_BACK
        s.hints[seat, pile] = 0
        s.hints_kept[seat, pile] = 0
        note(trace, PILE_HINT_TAKEN_BACK, EVERYONE, seat, pile, 0)
    elif move < START_HINT_BACK:
        s.start_hints[seat] = move - START_HINTS + 1
        note(trace, START_HINTED, EVERYONE, seat, s.start_hints[seat], 0)
    else:
        s.start_hints[seat] = 0
        note(trace, START_HINT_TAKEN_BACK, EVERYONE, seat, 0, 0)


@helper
def lapse_hints(s, seat):
    """At the end of a turn its player's hints lapse, except those given during it (TG-H3)."""
    for pile in range(PILES):
        if s.hints_kept[seat, pile]:
            s.hints_kept[seat, pile] = 0
        else:
            s.hints[seat, pile] = 0
