"""The expert of Extreme, and what The Game's shares with it: whole turns, tried in worlds that fit what was said."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nevel.bots.mind import Mind, Plans, errors_of
from nevel.bots.playing_out import PLAYOUTS, UTILITY, UTILITY_SQUARES
from nevel.engine import chance, dispatch
from nevel.engine.knowledge import Knowledge
from nevel.engine.legality import mark_legal
from nevel.games.the_game.bots.endgame import DEPTH, UNDECIDED, WON, find_win
from nevel.games.the_game.bots.imagined import PlayoutTools, begin, sample
from nevel.games.the_game.bots.judgement import PASSED, STEP
from nevel.games.the_game.bots.numbers import OPEN_NUMBERS, is_extreme
from nevel.games.the_game.bots.plans import LONGEST, WIDTH, comes_to_the_same, list_turns
from nevel.games.the_game.rules.table import CHOOSING, END_TURN, OVER, PILE_HINTS, PILES, PLAYING

#: Turns thought about.
PLANS = 16
#: Moves looked at for a win: where everything is known, and at the end of each play-out.
MOST_AT_THE_TABLE = 150_000
MOST_IN_A_PLAYOUT = 40
MOST_FOR_A_MOVE = 20_000
#: What a turn that costs one step more loses in utility, at a glance.
HANDICAP = 0.004
#: How surprising silence is from somebody who talks, as a logarithm (see `talk`).
SURPRISE_BY_SILENCE = 2.0


class TheGameMind(Mind):
    """An expert of The Game."""

    scratch = 4 + DEPTH
    first_glance = 100

    def settled(self, knowledge: Knowledge, rng: NDArray[np.int64]) -> int | None:
        s = knowledge.state
        if s.phase == CHOOSING:
            return int(begin(s, knowledge.seat))
        if is_open(knowledge):
            return self.solved(knowledge, rng)
        return None

    def solved(self, knowledge: Knowledge, rng: NDArray[np.int64]) -> int | None:
        """The first move of a certain win, where everything can be worked out and there is one."""
        states = imagined(knowledge, rng, 1 + DEPTH)
        path = np.zeros(DEPTH, np.int64)
        found = find_win(
            states,
            np.zeros(DEPTH, np.int64),
            path,
            open_numbers(knowledge),
            np.zeros(PASSED, np.int64),
            MOST_AT_THE_TABLE,
        )
        return int(path[0]) if found == WON else None

    def certain(self, knowledge: Knowledge, moves: Sequence[int]) -> list[float] | None:
        if not is_open(knowledge) or knowledge.state.phase != PLAYING:
            return None
        chances: list[float] = []
        for move in moves:
            states = imagined(knowledge, np.arange(1, 1 + chance.RNG_WORDS), 1 + DEPTH)
            s = states[0]
            if move >= 0:
                dispatch.apply(s, knowledge.seat, move, None)
            found = int(s.left == 0 and not s.held.any())
            if s.phase != OVER:
                rows = np.zeros((2, DEPTH), np.int64)
                passed = np.zeros(PASSED, np.int64)
                found = find_win(states, rows[0], rows[1], open_numbers(knowledge), passed, MOST_FOR_A_MOVE)
            if found == UNDECIDED:
                return None
            chances.append(float(found))
        return chances

    def utilities(self, totals: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        counts = totals[:, PLAYOUTS]
        sums = totals[:, UTILITY]
        return sums / np.maximum(counts, 1), errors_of(counts, sums, totals[:, UTILITY_SQUARES])

    def plans(self, knowledge: Knowledge, is_thorough: bool) -> Plans:
        # Only one's own cards are looked at here, so any world will do.
        states = imagined(knowledge, np.arange(1, 1 + chance.RNG_WORDS), 2 + 2 * WIDTH)
        moves = np.full((PLANS, LONGEST), -1, np.int64)
        prices = np.zeros(PLANS, np.int64)
        count = list_turns(
            states,
            knowledge.seat,
            open_numbers(knowledge),
            np.zeros(PASSED, np.int64),
            np.full((2 + 2 * WIDTH, LONGEST), -1, np.int64),
            np.zeros(2 + 2 * WIDTH, np.int64),
            moves,
            prices,
        )
        moves, prices = moves[:count], prices[:count]
        if is_thorough or count == 0:
            mask = np.zeros(dispatch.rules_of(knowledge.state).MOVES, np.int64)
            mark_legal(knowledge.state, knowledge.seat, mask)
            first = np.flatnonzero(mask[:PILE_HINTS]).astype(np.int64)
            single = np.full((len(first), LONGEST), -1, np.int64)
            single[:, 0] = first
            moves = np.concatenate([moves, single])
            prices = np.concatenate([prices, np.full(len(first), prices.max(initial=0))])
        plans = Plans(moves, (prices.min(initial=prices[0]) - prices) * (HANDICAP / STEP))
        return plans._replace(beginnings=beginnings(knowledge, moves)) if is_thorough else plans

    def sample(self, scratch: Any, knowledge: Any, plans: Any, live: Any, worlds: int, rng: Any, totals: Any) -> None:
        scratch[0] = knowledge.state
        tools = playout_tools(knowledge)
        sample(scratch, knowledge.seat, plans, live, worlds, rng, trust_in(knowledge), tools, totals)


def beginnings(knowledge: Knowledge, plans: NDArray[np.int64]) -> tuple[tuple[int, ...], ...]:
    """What each turn may begin with: any card that may as well be played first, on any pile that is as good."""
    s = knowledge.state
    states = imagined(knowledge, np.arange(1, 1 + chance.RNG_WORDS), 3)
    said = s.hints.any(axis=0)
    twins = [s.tops[pile] == s.tops[pile ^ 1] and not said[pile] and not said[pile ^ 1] for pile in range(PILES)]
    rows: list[tuple[int, ...]] = []
    for plan in plans:
        first = [int(plan[0])]
        for place in range(1, len(plan)):
            if 0 <= plan[place] < END_TURN and comes_to_the_same(states, knowledge.seat, plan, place):
                first.append(int(plan[place]))
        # Two piles of one direction have numbers that differ in the last bit.
        first += [move ^ 1 for move in first if move < END_TURN and twins[move % PILES]]
        rows.append(tuple(dict.fromkeys(first)))
    return tuple(rows)


def is_open(knowledge: Knowledge) -> bool:
    """Whether the seat can work out where every card is."""
    s = knowledge.state
    return bool(s.left == 0 and sum(s.held[other] > 0 for other in range(s.seats) if other != knowledge.seat) <= 1)


def imagined(knowledge: Knowledge, rng: NDArray[np.int64], room: int) -> np.ndarray:
    """Records of which the first is a random world that fits what the seat knows."""
    rules = dispatch.rules_of(knowledge.state)
    states = dispatch.new_states(rules, room)
    states[0] = knowledge.state
    chance.key(states[0].chance, *(int(word) for word in rng))
    rules.imagine(states[0], knowledge.seat)
    return states


def open_numbers(knowledge: Knowledge) -> NDArray[np.int64]:
    return OPEN_NUMBERS[is_extreme(knowledge.state), knowledge.state.seats - 1]


def playout_tools(knowledge: Knowledge) -> PlayoutTools:
    """What play-outs are judged with, and fresh scratch arrays."""
    tried, path = np.zeros((2, DEPTH), np.int64)
    return PlayoutTools(open_numbers(knowledge), np.zeros(PASSED, np.int64), tried, path, MOST_IN_A_PLAYOUT)


def trust_in(knowledge: Knowledge) -> NDArray[np.float64]:
    """How much the silence of each seat counts as evidence: nothing, unless it has been talking all the time."""
    trust = np.zeros(dispatch.MOST_SEATS)
    for seat in range(int(knowledge.state.seats)):
        said = int(((knowledge.movers == seat) & (knowledge.moves >= PILE_HINTS)).sum())
        moved = int(((knowledge.movers == seat) & (knowledge.moves < PILE_HINTS)).sum())
        trust[seat] = SURPRISE_BY_SILENCE if said >= 2 and 2 * said >= moved else 0.0
    return trust
