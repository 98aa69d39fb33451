"""An expert for any game: it imagines what others may hide, believes what fits their moves, and plays it out.

It needs no game's code besides the rules and policies (`nevel.bots.glances` makes some). Worlds are imagined where the
moves that can be followed back began, and the moves are made again in them: the less likely the others would have made
their moves there, the less likely that world is taken. How well the others play is imagined, too, so that it is
believed as far as it explains what they did: an expert that expects only good play is beaten by odd play.
"""

from typing import Any

import numpy as np

from nevel.bots import policy
from nevel.bots.glances import plausibility
from nevel.bots.mind import PLAYOUTS, POINTS, SQUARES, WINS, Mind
from nevel.bots.policy import ALL_LEVELS, BEGINNER, STRONG
from nevel.engine import chance, dispatch
from nevel.engine.compiling import compiled, helper

#: Worlds that are imagined for one that is played out.
CANDIDATES = 16
#: A move nobody would make still has this probability: others needn't play like our policies.
SURPRISE = 0.002
#: Worlds in which it is tried whether moves lead to what is known now.
TRIALS = 4


class WorldsMind(Mind):
    """Plays every legal move out in worlds that explain what others did."""

    scratch = 4

    def __init__(self) -> None:
        super().__init__(STRONG)

    def sample(self, scratch: Any, knowledge: Any, plans: Any, live: Any, worlds: int, rng: Any, totals: Any) -> None:
        out = np.zeros((dispatch.MOST_SEATS, 2), np.int64)
        past = (knowledge.states, knowledge.movers, knowledge.moves)
        texts = (as_bytes(scratch), as_bytes(knowledge.states))
        # How everybody plays in the world that is tried, and in the one that is taken.
        levels = np.full((2, dispatch.MOST_SEATS), self.policy, np.int64)
        sample(scratch, *past, *texts, knowledge.seat, worlds, levels, ALL_LEVELS, plans, live, rng, out, totals)


def as_bytes(states: np.ndarray) -> np.ndarray:
    """The same records as rows of bytes, which can be compared."""
    return states.view(np.uint8).reshape(len(states), -1)


@compiled
def sample(
    scratch, states, movers, moves, texts, past_texts, seat, worlds, played, levels, plans, live, rng, out, totals
):
    first = first_to_follow(scratch, states, movers, moves, texts, past_texts, seat, played[0], rng)
    for _ in range(worlds):
        imagine_plausibly(scratch, states, movers, moves, texts, past_texts, seat, played, first, rng)
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
def imagine_plausibly(scratch, states, movers, moves, texts, past_texts, seat, played, first, rng):
    """Leave in `scratch[0]` one of several worlds, by lot, likelier the better it explains what others did."""
    sum_of_weights = 0.0
    for candidate in range(CANDIDATES if first < moves.shape[0] else 1):
        for other in range(played.shape[1]):
            if other != seat:
                played[0, other] = BEGINNER + chance.below(rng, STRONG - BEGINNER + 1)
        weight = follow(scratch, states, movers, moves, texts, past_texts, seat, played[0], first, True, rng)
        sum_of_weights += weight
        if chance.word(rng) * sum_of_weights < weight * (chance.MASK + 1) or candidate == 0:
            scratch[0] = scratch[2]
            for other in range(played.shape[1]):
                played[1, other] = played[0, other]
    if sum_of_weights == 0:
        follow(scratch, states, movers, moves, texts, past_texts, seat, played[0], moves.shape[0], False, rng)
        scratch[0] = scratch[2]


@helper
def follow(scratch, states, movers, moves, texts, past_texts, seat, policies, first, is_weighed, rng):
    """Imagine a world before the move `first` and make all moves since; gives how well it explains them.

    That is 0 where it doesn't lead to what the seat knows now. `scratch[2]` is the world, `scratch[3]` is scribbled on.
    """
    scratch[2] = states[first]
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
    for i in range(texts.shape[1]):
        if texts[3, i] != past_texts[moves.shape[0], i]:
            return 0.0
    return weight


@helper
def first_to_follow(scratch, states, movers, moves, texts, past_texts, seat, policies, rng):
    """The move from which on others' moves can be made again: none was hidden, and chance drew nothing since."""
    first = moves.shape[0]
    while first > 0 and moves[first - 1] >= 0:
        for _ in range(TRIALS):
            if follow(scratch, states, movers, moves, texts, past_texts, seat, policies, first - 1, False, rng) == 0:
                return first
        first -= 1
    return first
