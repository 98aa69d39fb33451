"""Imagines worlds that explain what others did, and plays plans out in them, for any game (compiled)."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from typing import Any, NamedTuple

from nevel.bots import policy
from nevel.bots.glances import plausibility
from nevel.bots.playing_out import PLAYOUTS, POINTS, SQUARES, WINS
from nevel.bots.policy import BEGINNER, STRONG
from nevel.engine import chance, dispatch
from nevel.engine.compiling import compiled, helper

#: Worlds that are imagined for one that is played out.
CANDIDATES = 16
#: A move nobody would make still has this probability: others needn't play like our policies.
SURPRISE = 0.002
#: Worlds in which it is tried whether moves lead to what is known now.
TRIALS = 4


class SeenGame(NamedTuple):
    """A game as far as a seat knows it, with its records as bytes, which can be compared."""

    seat: Any
    states: Any
    movers: Any
    moves: Any
    state_bytes: Any
    scratch_bytes: Any


@compiled
def sample(scratch, seen, worlds, played, levels, plans, live, rng, out, totals):
    """Play every live plan out in worlds that explain what others did, and add the results to its totals."""
    seat = seen.seat
    first = first_to_follow(scratch, seen, played[0], rng)
    for _ in range(worlds):
        imagine_plausibly(scratch, seen, played, first, rng)
        for i in range(plans.shape[0]):
            if not live[i]:
                continue
            scratch[1] = scratch[0]
            s = scratch[1]
            value = -1.0
            for j in range(plans.shape[1]):
                if plans[i, j] >= 0:
                    value = make(s, seat, seat, plans[i, j])
            while value < 0 and dispatch.waiting(s):
                value = one_move(s, seat, played[1], rng, levels)
            dispatch.outcome(s, out)
            if value < 0 or dispatch.waiting(s) == 0:
                value = out[seat, 1]
            totals[i, PLAYOUTS] += 1
            totals[i, WINS] += value
            totals[i, SQUARES] += value * value
            totals[i, POINTS] += out[seat, 0]


@helper
def make(s, seat, mover, move):
    """Make a move; gives what the seat can look forward to if it was followed by chance, else -1."""
    first, second, third, fourth = s.chance[0], s.chance[1], s.chance[2], s.chance[3]
    dispatch.apply(s, mover, move, None)
    if s.chance[0] == first and s.chance[1] == second and s.chance[2] == third and s.chance[3] == fourth:
        return -1.0
    return policy.prospect(s, seat)


@helper
def one_move(s, seat, policies, rng, levels):
    """The first seat that wants to moves; gives what `make` does."""
    seats = dispatch.waiting(s)
    for mover in range(s.seats):
        if seats >> mover & 1:
            move = policy.move(s, mover, policies[mover], rng, levels)
            if move >= 0:
                return make(s, seat, mover, move)
    return -1.0


@helper
def imagine_plausibly(scratch, seen, played, first, rng):
    """Leave in `scratch[0]` one of several worlds, by lot, likelier the better it explains what others did."""
    seat, moves = seen.seat, seen.moves
    sum_of_weights = 0.0
    for candidate in range(CANDIDATES if first < moves.shape[0] else 1):
        for other in range(played.shape[1]):
            if other != seat:
                played[0, other] = BEGINNER + chance.below(rng, STRONG - BEGINNER + 1)
        weight = follow(scratch, seen, played[0], first, True, rng)
        sum_of_weights += weight
        if chance.word(rng) * sum_of_weights < weight * (chance.MASK + 1) or candidate == 0:
            scratch[0] = scratch[2]
            for other in range(played.shape[1]):
                played[1, other] = played[0, other]
    if sum_of_weights == 0:
        follow(scratch, seen, played[0], moves.shape[0], False, rng)
        scratch[0] = scratch[2]


@helper
def follow(scratch, seen, policies, first, is_weighed, rng):
    """Imagine a world before the move `first` and make all moves since; gives how well it explains them.

    That is 0 where it doesn't lead to what the seat knows now. `scratch[2]` is the world, `scratch[3]` is scribbled on.
    """
    seat, movers, moves = seen.seat, seen.movers, seen.moves
    scratch[2] = seen.states[first]
    s = scratch[2]
    chance.branch(s.chance, rng)
    dispatch.imagine(s, seat)
    weight = 1.0
    for i in range(first, moves.shape[0]):
        if dispatch.refusal(s, movers[i], moves[i]):
            return 0.0
        if is_weighed and movers[i] != seat:
            weight *= SURPRISE + plausibility(s, movers[i], moves[i], policies[movers[i]])
        dispatch.apply(s, movers[i], moves[i], None)
    scratch[3] = s
    dispatch.conceal(scratch[3], seat)
    for i in range(seen.scratch_bytes.shape[1]):
        if seen.scratch_bytes[3, i] != seen.state_bytes[moves.shape[0], i]:
            return 0.0
    return weight


@helper
def first_to_follow(scratch, seen, policies, rng):
    """The move from which on others' moves can be made again: none was hidden, and chance drew nothing since."""
    first = seen.moves.shape[0]
    while first > 0 and seen.moves[first - 1] >= 0:
        for _ in range(TRIALS):
            if follow(scratch, seen, policies, first - 1, False, rng) == 0:
                return first
        first -= 1
    return first
