"""How an expert of The Game thinks, with what was learnt about the worth of positions: a turn further than it can see.

In worlds that fit what was said, everyone's cards can be looked at. There each turn is worth what the best answer of
the next player leaves.
"""

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nevel.bots.mind import PLAYOUTS, POINTS, SQUARES, UTILITY, UTILITY_SQUARES, WINS, Plans
from nevel.engine import chance, dispatch
from nevel.engine.compiling import compiled, helper
from nevel.engine.knowledge import Knowledge
from nevel.engine.legality import mark_legal
from nevel.games.the_game.bots.endgame import DEPTH, WON, solve
from nevel.games.the_game.bots.judgement import PASSED
from nevel.games.the_game.bots.mind import (
    MOST_IN_A_PLAYOUT,
    TheGameMind,
    beginnings,
    follow_plan,
    imagine_going_on,
    imagine_world,
    open_numbers,
    trust_in,
)
from nevel.games.the_game.bots.plans import LONGEST
from nevel.games.the_game.bots.turn import BROAD, NARROW, TURN, find_turns
from nevel.games.the_game.bots.workspace import SUM_CACHE_SIZE, WORKSPACE_ROWS, WORKSPACE_WIDTH
from nevel.games.the_game.bots.worth import GRAIN, chance_of
from nevel.games.the_game.rules.table import END_TURN, OVER, PILE_HINTS, cards_left

FILE = "worth.npz"

#: Worlds in which turns are looked for, and turns taken from each. Alone, all worlds look the same.
LISTED_WORLDS = 6
LISTED = 6
LISTED_ALONE = 10
#: Turns looked at after one's own. Alone it pays to look further; others' cards are only imagined.
AHEAD = 1
AHEAD_ALONE = 4
#: With so few cards to draw, games are played to the end in thought: what was learnt isn't exact enough there.
LAST_DRAWN = 6


@cache
def learnt() -> dict[str, np.ndarray]:
    with (files("nevel.games.the_game.bots") / FILE).open("rb") as file, np.load(file) as content:
        return dict(content)


@cache
def weights_for(seats: int) -> NDArray[np.int16]:
    """What was learnt for a number of players."""
    return learnt()[f"{seats}"]


def cards_left_when(seats: int) -> NDArray[np.float32]:
    """How many cards are left in the end on average, by cards left now and chance to win in tenths."""
    return learnt()[f"left-{seats}"]


@compiled
def list_best(states, seat, trust, rng, weights, workspace, sums, turn, turns, worths, found):
    """The best turns in some imagined worlds; `found` gets how many in each."""
    for world in range(found.shape[0]):
        imagine_world(states, seat, trust, rng)
        found[world] = find_turns(states[1], seat, weights, workspace, sums, turn, turns[world], worths[world], BROAD)


@helper
def take_best_turn(s, weights, workspace, sums, turns, worth):
    """Whoever's turn it is finishes it as well as possible, without drawing yet; False when there is no way to."""
    seat = s.active
    if find_turns(s, seat, weights, workspace, sums, turns[0], turns[1:], worth, NARROW) == 0:
        return False
    for i in range(1, turns[1, 0] + 1):
        if s.phase != OVER:
            dispatch.apply(s, seat, turns[1, i], None)
    return True


@compiled
def sample(
    scratch,
    seat,
    plans,
    live,
    worlds,
    rng,
    weights,
    lefts,
    trust,
    numbers,
    passed,
    tried,
    path,
    most,
    ahead,
    workspace,
    sums,
    turns,
    worth,
    totals,
):
    """Every live plan in the same imagined worlds, and the best that can follow it."""
    for _ in range(worlds):
        imagine_going_on(scratch, seat, trust, rng, numbers, passed)
        for i in range(plans.shape[0]):
            if not live[i]:
                continue
            s = follow_plan(scratch, seat, plans[i])
            chance_to_win = 0.0
            seen = 0
            while s.phase != OVER:
                if s.left == 0:
                    finish(scratch[2:], weights, workspace, sums, turns, worth, numbers, passed, tried, path, most)
                    break
                seen += s.played == 0  # the rest of a turn that was begun doesn't count
                if not take_best_turn(s, weights, workspace, sums, turns, worth):
                    break
                chance_to_win = chance_of(worth[0])
                if (seen >= ahead and s.left > LAST_DRAWN) or s.phase == OVER:
                    break
                dispatch.apply(s, s.active, END_TURN, None)
            if s.phase == OVER:
                chance_to_win = 1.0 if cards_left(s) == 0 else 0.0
            totals[i, PLAYOUTS] += 1
            totals[i, WINS] += chance_to_win
            totals[i, SQUARES] += chance_to_win * chance_to_win
            totals[i, POINTS] -= cards_left(s) if s.phase == OVER else lefts[cards_left(s), int(chance_to_win * 9.999)]
            totals[i, UTILITY] += chance_to_win
            totals[i, UTILITY_SQUARES] += chance_to_win * chance_to_win


@helper
def finish(states, weights, workspace, sums, turns, worth, numbers, passed, tried, path, most):
    """Play a game without a draw pile to its end: by the best turns, or another way if a short look finds one."""
    s = states[0]
    states[1] = s
    while s.phase != OVER and take_best_turn(s, weights, workspace, sums, turns, worth):
        if s.phase != OVER:
            dispatch.apply(s, s.active, END_TURN, None)
    s.phase = OVER
    if cards_left(s) and solve(states[1:], tried, path, numbers, passed, most) == WON:
        s.held[:] = 0


def gather(
    turns: NDArray[np.int64], chances: NDArray[np.float64], found: NDArray[np.int64]
) -> tuple[list[list[int]], list[float]]:
    """The turns of all worlds, each once, and how far they seem behind the best at a glance, on average."""
    rows: dict[tuple[int, ...], list[int]] = {}
    behind: dict[tuple[int, ...], float] = {}
    unlisted = 0.0  # a turn that isn't listed in a world counts as the worst that is
    for world, count in enumerate(found.tolist()):
        if count == 0:
            continue
        gaps = chances[world, :count] - chances[world, :count].max()
        unlisted += gaps.min()
        for turn, gap in zip(turns[world, :count], gaps, strict=True):
            moves = turn[1 : 1 + turn[0]].tolist()
            key = tuple(sorted(moves))  # in whatever order, it is the same turn
            rows.setdefault(key, [*moves, END_TURN][:LONGEST])
            behind[key] = behind.get(key, 0.0) + gap - gaps.min()
    return list(rows.values()), [(unlisted + behind[key]) / len(found) for key in rows]


class WorthMind(TheGameMind):
    """An expert of The Game that has learnt what positions are worth."""

    #: A glance at the worth is worth so many play-outs.
    first_glance = 25

    def plans(self, knowledge: Knowledge, is_thorough: bool) -> Plans:
        seats = int(knowledge.state.seats)
        weights = weights_for(seats)
        states = dispatch.new_states(dispatch.rules_of(knowledge.state), 2)
        states[0] = knowledge.state
        worlds, listed = (LISTED_WORLDS, LISTED) if seats > 1 else (1, LISTED_ALONE)
        turns = np.zeros((worlds, listed, TURN), np.int64)
        worths = np.zeros((worlds, listed))
        found = np.zeros(worlds, np.int64)
        list_best(
            states,
            knowledge.seat,
            trust_in(knowledge),
            np.arange(1, 1 + chance.RNG_WORDS),
            weights,
            *thinking_room(),
            turns,
            worths,
            found,
        )
        plans, handicaps = gather(turns, 1 / (1 + np.exp(-worths / GRAIN)), found)
        if seats == 1:  # It has just looked at all there is to see; a look further ahead knows better.
            handicaps = [0.0] * len(plans)
        if is_thorough or not plans:
            mask = np.zeros(dispatch.rules_of(knowledge.state).MOVES, np.int64)
            mark_legal(knowledge.state, knowledge.seat, mask)
            singles = np.flatnonzero(mask[:PILE_HINTS]).tolist()
            plans += [[move] for move in singles]
            handicaps += [min(handicaps, default=0.0)] * len(singles)
        moves = np.array([row + [-1] * (LONGEST - len(row)) for row in plans])
        listed = Plans(moves, np.array(handicaps))
        return listed._replace(beginnings=beginnings(knowledge, moves)) if is_thorough else listed

    def sample(self, scratch: Any, knowledge: Any, plans: Any, live: Any, worlds: int, rng: Any, totals: Any) -> None:
        seats = int(knowledge.state.seats)
        weights = weights_for(seats)
        scratch[0] = knowledge.state
        workspace, sums, turn = thinking_room()
        sample(
            scratch,
            knowledge.seat,
            plans,
            live,
            worlds,
            rng,
            weights,
            cards_left_when(seats),
            trust_in(knowledge),
            open_numbers(knowledge),
            np.zeros(PASSED, np.int64),
            np.zeros(DEPTH, np.int64),
            np.zeros(DEPTH, np.int64),
            MOST_IN_A_PLAYOUT,
            AHEAD if seats > 1 else AHEAD_ALONE,
            workspace,
            sums,
            np.stack([turn, turn]),
            np.zeros(1),
            totals,
        )


def thinking_room() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """A desk, room for the sums kept on it, and room for a turn."""
    return (
        np.zeros((WORKSPACE_ROWS, WORKSPACE_WIDTH), np.int64),
        np.zeros((2, SUM_CACHE_SIZE), np.int64),
        np.zeros(TURN, np.int64),
    )
