"""Plays the hands of Misty to the end of their deal in imagined worlds, and judges the windows (compiled)."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import math

from nevel.bots.playing_out import PLAYOUTS, POINTS, SQUARES, WINS
from nevel.engine import chance
from nevel.engine.compiling import compiled, helper
from nevel.games.misty import rules as misty
from nevel.games.misty.bots.activation import best_first, best_score
from nevel.games.misty.bots.learnt import STANDINGS, STRAYS, WEIGHTS
from nevel.games.misty.bots.worth import best_pick, best_space_for, look_of, prospect, worth
from nevel.games.misty.rules.table import ACTIVATING, MIDDLE, MOVE, OVER, PICK, PICKING, PLACE, PLACING, ROUNDS_TO_WIN
from nevel.games.misty.rules.window import SIDE, SPACES, kinds_of

#: No window makes more points than this.
MOST_POINTS = 26


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
    for kind in range(kinds_of(s)):
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
    """The intended card and space of everyone but one: what is worth most to them. Others than `seat` may waver."""
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
