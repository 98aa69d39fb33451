"""How the Misty expert thinks: it plays the hands in sight to their end in its head, again and again.

The hands of a deal go round, so what it passes on comes back thinner, after its neighbours chose from it. In every
imagined world each of its plans (a card and where to lay it) is followed by everyone taking what is worth most to them
until the hands are used up. Then windows are compared: exactly when they are full, else by what they can be expected to
make. What counts is the share of the whole game to expect with the rounds won by then.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nevel.bots.mind import PLAYOUTS, POINTS, SQUARES, TOTALS, WINS, Mind, Plans, equal_plans
from nevel.engine import chance
from nevel.engine.compiling import compiled, helper
from nevel.engine.knowledge import Knowledge
from nevel.games.misty import rules as misty
from nevel.games.misty.bots.activation import best_first, best_score
from nevel.games.misty.bots.learnt import STANDINGS, STRAYS, WEIGHTS
from nevel.games.misty.bots.worth import best_pick, best_space_for, look_of, prospect, worth
from nevel.games.misty.rules.table import ACTIVATING, MIDDLE, MOVE, OVER, PICK, PICKING, PLACE, PLACING, ROUNDS_TO_WIN
from nevel.games.misty.rules.window import KINDS, SIDE, SPACES

#: A plan this many points behind the best at first sight isn't looked at any further, …
FAR_BEHIND = 1.0
#: … nor are more plans than this, but for the best use of every card: taking it may be worth it for others' sake.
MOST_PLANS = 12
#: By how many points it thinks others may misjudge a card, so that it doesn't rely on what they do to the last card.
WAVERING = 0.3
#: No window makes more points than this.
MOST_POINTS = 26
IMPOSSIBLE = -1000.0


class MistyMind(Mind):
    """The expert."""

    def __init__(self, policy: int, wavering: float = WAVERING) -> None:
        super().__init__(policy)
        self.wavering = wavering

    def settled(self, knowledge: Knowledge, rng: NDArray[np.int64]) -> int | None:
        """Activation is solved; a last card and a last space leave no choice."""
        s = knowledge.state
        if s.phase == ACTIVATING:
            return int(MOVE + first_activation(s, knowledge.seat))
        prospects = self.prospects(knowledge)
        rows, columns = np.nonzero(prospects > IMPOSSIBLE)
        if s.phase == PICKING:
            kinds = np.unique(rows)
            looks = {int(look(s, int(kind))) for kind in kinds}
            return int(PICK + kinds[0]) if len(looks) == 1 else None
        return int(PLACE + columns[0]) if len(columns) == 1 else None

    def certain(self, knowledge: Knowledge, moves: Sequence[int]) -> list[float] | None:
        """What activations lead to, if everybody else makes the most of their window."""
        if knowledge.state.phase != ACTIVATING:
            return None
        plans = np.array(moves, np.int64)[:, np.newaxis]
        totals = np.zeros((len(plans), TOTALS))
        sample_activation(knowledge.state, knowledge.seat, plans, np.ones(len(plans), np.int64), 1, totals)
        return totals[:, WINS].tolist()

    def prospects(self, knowledge: Knowledge) -> NDArray[np.float64]:
        """The points to expect of every card in hand on every space; when placing, of the picked card."""
        prospects = np.full((KINDS, SPACES), IMPOSSIBLE)
        weigh(knowledge.state, knowledge.seat, prospects)
        return prospects

    def plans(self, knowledge: Knowledge, is_thorough: bool) -> Plans:
        """A card with a space to lay it, or a space: what promises most, and the best use of every card."""
        s = knowledge.state
        if s.phase not in (PICKING, PLACING):
            return super().plans(knowledge, is_thorough)
        prospects = self.prospects(knowledge)
        best = prospects.max()
        plans: list[tuple[int, int]] = []
        chosen: dict[int, int] = {}  # the kind that stands for all that look like it
        alike: dict[int, set[int]] = {}
        for place in np.argsort(-prospects, axis=None, kind="stable"):
            kind, space = divmod(int(place), SPACES)
            if prospects[kind, space] == IMPOSSIBLE:
                break
            appearance = int(look(s, kind))
            alike.setdefault(appearance, set()).add(kind)
            is_promising = prospects[kind, space] > best - FAR_BEHIND and len(plans) < MOST_PLANS
            if is_thorough:
                is_wanted = s.phase == PLACING or appearance not in chosen
            else:
                is_wanted = appearance not in chosen or (chosen[appearance] == kind and is_promising)
            if is_wanted:
                plans.append((kind, space))
                chosen.setdefault(appearance, kind)
        if s.phase == PLACING:
            return equal_plans([(PLACE + space,) for _, space in plans])
        is_free = s.laid[knowledge.seat] > 0  # the first card lies in the middle without being asked
        found = equal_plans([(PICK + kind, PLACE + space if is_free else -1) for kind, space in plans])
        same = tuple(tuple(PICK + other for other in sorted(alike[int(look(s, kind))])) for kind, _ in plans)
        return found._replace(beginnings=same) if is_thorough else found

    def sample(self, scratch: Any, knowledge: Any, plans: Any, live: Any, worlds: int, rng: Any, totals: Any) -> None:
        if knowledge.state.phase not in (PICKING, PLACING):
            sample_activation(knowledge.state, knowledge.seat, plans, live, worlds, totals)
            return
        scratch[0] = knowledge.state
        intentions = np.zeros((2, 4, 2), np.int64)
        odds = np.zeros((2, 4, MOST_POINTS))
        sample(scratch, knowledge.seat, plans, live, worlds, rng, self.wavering, intentions, odds, totals)


# ---------------------------------------------------------------- at first sight


@compiled
def look(s, kind):
    """Cards that look the same are the same to any window."""
    return look_of(s, kind)


@compiled
def first_activation(s, seat):
    return best_first(s, seat)


@compiled
def weigh(s, seat, prospects):
    """Write the points to expect for every card and space there is to choose from."""
    for kind in range(KINDS):
        if s.phase == PICKING and s.hand[seat, kind] == 0:
            continue
        if s.phase == PLACING and s.choice[seat] != kind + 1:
            continue
        if s.laid[seat] == 0:
            space = MIDDLE * SIDE + MIDDLE
            prospects[kind, space] = prospect(s, seat, space, kind, WEIGHTS)
            continue
        for space in range(SPACES):
            if misty.space_refusal(s, seat, space) == 0:
                prospects[kind, space] = prospect(s, seat, space, kind, WEIGHTS)


# ---------------------------------------------------------------- imagined play


@compiled
def sample(scratch, seat, plans, live, worlds, rng, wavering, intentions, odds, totals):
    """Play every live plan out in the same imagined worlds, each to the end of this deal."""
    for _ in range(worlds):
        scratch[1] = scratch[0]
        world = scratch[1]
        chance.branch(world.chance, rng)
        misty.imagine(world, seat)
        for other in range(world.seats):
            if world.phase == PICKING:
                world.chosen[other] = 0  # what they chose already is as unknown as what they are about to choose
                if other != seat:
                    world.choice[other] = 0
        intend(world, seat, seat, wavering, rng, intentions[0])
        for i in range(plans.shape[0]):
            if not live[i]:
                continue
            scratch[2] = world
            s = scratch[2]
            follow(s, seat, plans[i], intentions[0], rng)
            while s.round_number == world.round_number and s.deal == world.deal and s.phase == PICKING:
                intend(s, seat, -1, wavering, rng, intentions[1])
                carry_out(s, intentions[1])
            share, points = judge(s, seat, world.round_number, odds)
            totals[i, PLAYOUTS] += 1
            totals[i, WINS] += share
            totals[i, SQUARES] += share * share
            totals[i, POINTS] += points


@helper
def intend(s, seat, but, wavering, rng, intentions):
    """What everyone but one is about to do: take and lay what is worth most to them. Others than `seat` may waver."""
    for other in range(s.seats):
        if other == but:
            continue
        if s.phase == PICKING:
            kind, space, _ = best_pick(s, other, WEIGHTS, 0.0 if other == seat else wavering, rng)
            intentions[other, 0] = kind
            intentions[other, 1] = space
        elif s.choice[other]:
            intentions[other, 1], _ = best_space_for(s, other, s.choice[other] - 1, WEIGHTS)


@helper
def follow(s, seat, plan, intentions, rng):
    """One turn: this seat does as planned, or what is worth most to it, everyone else as they intend."""
    if plan[0] < 0:
        if s.choice[seat]:
            intentions[seat, 0] = s.choice[seat] - 1
            intentions[seat, 1], _ = best_space_for(s, seat, s.choice[seat] - 1, WEIGHTS)
        elif s.phase == PICKING:
            intentions[seat, 0], intentions[seat, 1], _ = best_pick(s, seat, WEIGHTS, 0.0, rng)
    elif s.phase == PICKING:
        intentions[seat, 0] = plan[0] - PICK
        intentions[seat, 1] = plan[1] - PLACE
    else:
        intentions[seat, 1] = plan[0] - PLACE
    carry_out(s, intentions)


@helper
def carry_out(s, intentions):
    """Everyone picks, then everyone who has something to place places it."""
    if s.phase == PICKING:
        for seat in range(s.seats):
            misty.apply(s, seat, PICK + intentions[seat, 0], None)
    if s.phase == PLACING:
        for seat in range(s.seats):
            if s.choice[seat]:
                misty.apply(s, seat, PLACE + intentions[seat, 1], None)


# ---------------------------------------------------------------- judgement


@helper
def judge(s, seat, round_number, odds):
    """The share of the game this seat can expect, and the points of its window."""
    if s.phase == OVER or s.round_number != round_number:
        return share_of_game(s, seat, 0), float(s.score[seat])
    if s.phase == ACTIVATING:
        return judge_activated(s, seat, s.activated[seat])
    return judge_windows(s, seat, odds)


@helper
def share_of_game(s, seat, winners):
    """What is left to expect when these seats (as bits) win the round: a won game is shared by its winners."""
    finished = 0
    others = 0
    for other in range(s.seats):
        wins = s.wins[other] + (winners >> other & 1)
        finished += wins >= ROUNDS_TO_WIN
        others += other != seat and wins > 0
    own = s.wins[seat] + (winners >> seat & 1)
    if finished:
        return 1.0 / finished if own >= ROUNDS_TO_WIN else 0.0
    return STANDINGS[s.seats, own, others]


@helper
def judge_activated(s, seat, activated):
    """Windows are full: everyone goes on activating as well as can be done, this seat from `activated`."""
    most = -1
    winners = 0
    own = 0
    for other in range(s.seats):
        points = best_score(s, other, activated if other == seat else s.activated[other], -1, -1)
        if other == seat:
            own = points
        if points > most:
            most = points
            winners = 0
        winners |= (points == most) << other
    return share_of_game(s, seat, winners), float(own)


@helper
def judge_windows(s, seat, odds):
    """Windows half built: every score is likely to be near what is expected, so every group of winners has its odds."""
    own = 0.0
    for other in range(s.seats):
        points = worth(s, other, -1, -1, WEIGHTS, None)
        stray = STRAYS[s.beginners, s.laid[other]]
        if other == seat:
            own = points
        below = 0.0
        for score in range(MOST_POINTS):
            up_to = 0.5 + 0.5 * math.erf((score + 0.5 - points) / (stray * 1.4142135623730951))
            odds[0, other, score] = below
            odds[1, other, score] = up_to - below
            below = up_to
    share = 0.0
    for winners in range(1, 1 << s.seats):
        likelihood = 0.0
        for score in range(MOST_POINTS):
            product = 1.0
            for other in range(s.seats):
                product *= odds[winners >> other & 1, other, score]
            likelihood += product
        share += likelihood * share_of_game(s, seat, winners)
    return share, own


@compiled
def judge_now(s, seat, odds):
    """The share of the game and the points to expect without looking ahead."""
    return judge(s, seat, s.round_number, odds)


@compiled
def sample_activation(s, seat, plans, live, worlds, totals):
    """What an activation leads to is no matter of chance: the best it leaves within reach, and others' best."""
    for i in range(plans.shape[0]):
        if live[i]:
            activated = s.activated[seat]
            if plans[i, 0] >= 0:
                activated |= 1 << (plans[i, 0] - MOVE)
            share, points = judge_activated(s, seat, activated)
            totals[i, PLAYOUTS] += worlds
            totals[i, WINS] += worlds * share
            totals[i, SQUARES] += worlds * share * share
            totals[i, POINTS] += worlds * points
