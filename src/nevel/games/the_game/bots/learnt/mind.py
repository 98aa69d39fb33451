"""The expert of The Game: looks some turns ahead in imagined worlds, and evaluates them with learnt weights.

In worlds that fit what was said, everyone's cards can be looked at. There each turn is worth what the best answer of
the next player leaves.
"""

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nevel.bots.mind import Plans
from nevel.engine import chance, dispatch
from nevel.engine.knowledge import Knowledge
from nevel.engine.legality import mark_legal
from nevel.games.the_game.bots.learnt.lookahead import LearntTools, TurnScratch, list_best, sample
from nevel.games.the_game.bots.learnt.turn import TURN
from nevel.games.the_game.bots.learnt.workspace import SUM_CACHE_SIZE, WORKSPACE_ROWS, WORKSPACE_WIDTH
from nevel.games.the_game.bots.learnt.worth import GRAIN
from nevel.games.the_game.bots.mind import TheGameMind, beginnings, playout_tools, trust_in
from nevel.games.the_game.bots.plans import LONGEST
from nevel.games.the_game.rules.table import END_TURN, PILE_HINTS

FILE = "worth.npz"

#: Worlds in which turns are looked for, and turns taken from each. Alone, all worlds look the same.
LISTED_WORLDS = 6
LISTED = 6
LISTED_ALONE = 10
#: Turns looked at after one's own. Alone it pays to look further; others' cards are only imagined.
AHEAD = 1
AHEAD_ALONE = 4


@cache
def learnt() -> dict[str, np.ndarray]:
    with (files("nevel.games.the_game.bots.learnt") / FILE).open("rb") as file, np.load(file) as content:
        return dict(content)


@cache
def weights_for(seats: int) -> NDArray[np.int16]:
    """What was learnt for a number of players."""
    return learnt()[f"{seats}"]


def cards_left_when(seats: int) -> NDArray[np.float32]:
    """How many cards are left in the end on average, by cards left now and chance to win in tenths."""
    return learnt()[f"left-{seats}"]


def gather(
    turns: NDArray[np.int64], chances: NDArray[np.float64], found: NDArray[np.int64]
) -> tuple[list[list[int]], list[float]]:
    """The turns of all worlds without duplicates, and how far each is behind the best on average, by first estimate."""
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
        rng = np.arange(1, 1 + chance.RNG_WORDS)
        list_best(states, knowledge.seat, trust_in(knowledge), rng, weights, turn_scratch(), turns, worths, found)
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
        scratch[0] = knowledge.state
        room = turn_scratch()
        learnt = LearntTools(
            weights_for(seats),
            cards_left_when(seats),
            AHEAD if seats > 1 else AHEAD_ALONE,
            room.workspace,
            room.sums,
            np.stack([room.turn, room.turn]),
            np.zeros(1),
        )
        tools = playout_tools(knowledge)
        sample(scratch, knowledge.seat, plans, live, worlds, rng, trust_in(knowledge), tools, learnt, totals)


def turn_scratch() -> TurnScratch:
    """Fresh scratch arrays for finding turns."""
    workspace = np.zeros((WORKSPACE_ROWS, WORKSPACE_WIDTH), np.int64)
    return TurnScratch(workspace, np.zeros((2, SUM_CACHE_SIZE), np.int64), np.zeros(TURN, np.int64))
