"""The end of a round of What the Fog?!: cards are laid open, days claimed, predictions paid."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine.compiling import compiled, helper
from nevel.engine.tracing import EVERYONE, note, note_further
from nevel.games.what_the_fog.rules.clauses import FOG_E2
from nevel.games.what_the_fog.rules.table import (
    CLAIMED,
    COUNTED,
    ENDED,
    LAID_OPEN,
    OVER,
    PARTS,
    ROUNDS,
    SCORED,
    WEATHERS,
    set_up_round,
)


@helper
def claim_days(s, trace):
    """FOG-C2 to FOG-C4, then the scores and the next round."""
    for seat in range(s.seats):
        weather = s.choice[seat] - 1
        s.away[seat] = s.choice[seat]
        if weather >= 0:
            s.hand[seat, weather] -= 1
        for kind in range(WEATHERS):
            s.open[seat, kind] += s.hand[seat, kind]
            s.hand[seat, kind] = 0
            if s.open[seat, kind]:
                note(trace, LAID_OPEN, EVERYONE, seat, kind + 1, s.open[seat, kind])
        s.held[seat] = 0
        s.sheet[seat, s.round_number - 1, 0] = s.prediction[seat]
        s.sheet[seat, s.round_number - 1, 1] = 0
    s.choice[:] = 0
    s.chosen[:] = 0
    for day in range(s.days):
        count_day(s, day, trace)
    score(s, trace)
    if s.round_number == ROUNDS:
        s.phase = OVER
        s.ended = FOG_E2
        note(trace, ENDED, EVERYONE, FOG_E2, 0, 0)
    else:
        s.round_number += 1
        s.starter = (s.starter + 1) % s.seats
        set_up_round(s, trace)


@helper
def count_day(s, day, trace):
    """Who has the most influence claims the day; so do all who are tied (FOG-C3, FOG-C4)."""
    most = 1
    for seat in range(s.seats):
        influence = 0
        for part in range(PARTS):
            influence += s.open[seat, s.day[day, part] - 1]
        s.influence[day, seat] = influence
        most = max(most, influence)
        note(trace, COUNTED, EVERYONE, day, seat, influence)
    for seat in range(s.seats):
        if s.influence[day, seat] == most:
            s.sheet[seat, s.round_number - 1, 1] += 1
            note(trace, CLAIMED, EVERYONE, day, seat, most)


@helper
def score(s, trace):
    """FOG-X1, FOG-X2."""
    for seat in range(s.seats):
        predicted = s.sheet[seat, s.round_number - 1, 0]
        claimed = s.sheet[seat, s.round_number - 1, 1]
        points = predicted + s.round_number if predicted == claimed else -abs(predicted - claimed)
        s.sheet[seat, s.round_number - 1, 2] = points
        note(trace, SCORED, EVERYONE, seat, s.round_number, predicted)
        note_further(trace, claimed, points)


@helper
def total_of(s, seat):
    total = 0
    for number in range(ROUNDS):
        total += s.sheet[seat, number, 2]
    return total


@helper
def standing(s, seat):
    """One number that orders the players as FOG-E2 does."""
    most_of_one_weather = 0
    for weather in range(WEATHERS):
        most_of_one_weather = max(most_of_one_weather, s.open[seat, weather])
    return (total_of(s, seat) * 16 + s.sheet[seat, ROUNDS - 1, 1]) * 64 + most_of_one_weather


@compiled
def outcome(s, out):
    """0 while the game goes on, else the clause that ended it. A row per seat: points, won."""
    best = standing(s, 0)
    for seat in range(1, s.seats):
        best = max(best, standing(s, seat))
    for seat in range(s.seats):
        out[seat, 0] = total_of(s, seat)
        out[seat, 1] = s.phase == OVER and standing(s, seat) == best
    return s.ended
