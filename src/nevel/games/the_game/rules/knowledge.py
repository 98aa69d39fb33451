"""What one seat of The Game can know: conceals the rest, fills it in at random, writes observations (compiled)."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine.compiling import compiled
from nevel.games.the_game.rules.table import (
    HIGHEST,
    LOWEST,
    MARGIN,
    ON_A_PILE,
    PILES,
    PLAYING,
    UNSEEN,
    draw_card,
    waiting,
)


@compiled
def conceal(s, seat):
    """Erase everything the seat can't know; -1 is a spectator."""
    s.chance[:] = 0
    s.deck[:] = 0
    for other in range(s.seats):
        if other != seat:
            for i in range(s.held[other]):
                s.where[MARGIN + s.hand[other, i]] = UNSEEN
                s.hand[other, i] = 0


@compiled
def imagine(s, seat):
    """Fill what was concealed at random, consistently with what the seat knows. Seed `s.chance` first."""
    unseen = 0
    for card in range(LOWEST, HIGHEST + 1):
        if s.where[MARGIN + card] == UNSEEN:
            s.deck[unseen] = card
            unseen += 1
    s.left = unseen
    for other in range(s.seats):
        if other != seat:
            size = s.held[other]
            s.held[other] = 0
            for _ in range(size):
                draw_card(s, other)


@compiled
def observe(s, seat, out):
    """Write what the seat knows as numbers, in the order of OBSERVATION; gives how many."""
    out[0] = waiting(s) >> seat & 1
    out[1] = s.phase
    for pile in range(PILES):
        out[2 + pile] = s.tops[pile]
    for card in range(LOWEST, HIGHEST + 1):
        out[4 + card] = 0
        out[102 + card] = s.where[MARGIN + card] == ON_A_PILE
    for i in range(s.held[seat]):
        out[4 + s.hand[seat, i]] = 1
    out[207] = s.left
    out[208] = s.played
    out[209] = s.need
    for i in range(5):
        other = (seat + i) % s.seats
        there = i < s.seats
        out[202 + i] = s.held[other] if there else 0
        out[210 + i] = there and s.phase == PLAYING and s.active == other
        for pile in range(PILES):
            out[215 + i * PILES + pile] = s.hints[other, pile] if there else 0
        out[235 + i] = s.start_hints[other] if there else 0
    return 240
