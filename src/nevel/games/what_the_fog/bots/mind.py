"""The expert of What the Fog?!: imagines hands that explain what others did, and plays the round out with each."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nevel.bots.mind import PLAYOUTS, POINTS, SQUARES, WINS, Mind, Plans, equal_plans
from nevel.engine.chance import branch
from nevel.engine.compiling import compiled, helper
from nevel.engine.knowledge import Knowledge
from nevel.engine.legality import mark_legal
from nevel.games.what_the_fog.bots.evidence import blank_pages, explains, gather, wander
from nevel.games.what_the_fog.bots.forecast import FORECAST, look
from nevel.games.what_the_fog.bots.round import chance_to_win, choose_for, make_move, play_round
from nevel.games.what_the_fog.bots.strong import NEVER, weigh, worth_of_token
from nevel.games.what_the_fog.rules.knowledge import imagine_cards, imagine_tokens
from nevel.games.what_the_fog.rules.table import DAYS, LIFTING, MOVES, PARTS, PILES, PLACE, RETURN

#: With fewer plans than this a call plays more worlds than asked for: it costs as much as a few play-outs itself.
AT_ONCE = 8
#: Days each weather is lifted for: the best at a glance. All are looked at again when it is to be laid.
DAYS_IN_MIND = 4
#: Exchanges of cards before the first world, and between two.
FIRST_EXCHANGES = 60
EXCHANGES = 8


class WhatTheFogMind(Mind):
    """Search over imagined hands to the end of the round, judged by the chance to win the game from there.

    `trust`: how much others' moves are taken to tell of their hands; 0 imagines every hand alike.
    `insight`: how far play-outs let everyone see the others' imagined hands.
    """

    def __init__(self, policy: int, trust: float = 1.0, insight: float = 0.0) -> None:
        super().__init__(policy)
        self.trust = trust
        self.insight = insight

    def settled(self, knowledge: Knowledge, rng: NDArray[np.int64]) -> int | None:
        """Only where there is nothing to choose."""
        legal = legal_moves(knowledge)
        return int(legal[0]) if len(legal) == 1 else None

    def plans(self, knowledge: Knowledge, is_thorough: bool) -> Plans:
        """Every legal move; a token is lifted with a day in mind."""
        legal = legal_moves(knowledge)
        s = knowledge.state
        if s.phase != LIFTING:
            return equal_plans(legal[:, np.newaxis])
        worths = np.zeros((PILES, DAYS))
        judge_tokens(s, knowledge.seat, np.empty(FORECAST), worths)
        rows: list[tuple[int, int]] = []
        same: list[tuple[int, ...]] = []
        piles = [move for move in legal.tolist() if move != RETURN]
        for weather in dict.fromkeys(int(s.top[pile]) for pile in piles):
            # Piles that show the same are as good as each other.
            alike = tuple(pile for pile in piles if s.top[pile] == weather)
            pile = alike[0]
            days = [int(day) for day in np.argsort(-worths[pile], kind="stable") if worths[pile, day] > NEVER]
            rows += [(pile, PLACE + day) for day in days[:DAYS_IN_MIND]]
            same += [alike] * len(days[:DAYS_IN_MIND])
        if RETURN in legal:
            rows.append((RETURN, -1))
            same.append((RETURN,))
        return equal_plans(rows)._replace(beginnings=tuple(same) if is_thorough else ())

    def sample(self, scratch: Any, knowledge: Any, plans: Any, live: Any, worlds: int, rng: Any, totals: Any) -> None:
        is_first = bool(scratch[1].seats == 0)
        scratch[0] = knowledge.state
        sample(
            scratch,
            knowledge.states,
            knowledge.movers,
            knowledge.moves,
            knowledge.seat,
            plans,
            live,
            worlds * max(AT_ONCE // max(int(live.sum()), 1), 1),
            is_first,
            rng,
            self.trust,
            self.insight,
            *blank_pages(),
            totals,
        )


def legal_moves(knowledge: Knowledge) -> NDArray[np.int64]:
    mask = np.zeros(MOVES, np.int64)
    mark_legal(knowledge.state, knowledge.seat, mask)
    return np.flatnonzero(mask).astype(np.int64)


@compiled
def judge_tokens(s, seat, f, worths):
    """What lifting each pile for each day gains at a glance."""
    look(s, seat, 0.0, f)
    weigh(s, seat, f)
    for pile in range(PILES):
        for day in range(DAYS):
            worths[pile, day] = NEVER
            if s.top[pile] and day < s.days and s.filled[day] < PARTS:
                worths[pile, day] = worth_of_token(s.top[pile] - 1, day, f)


@compiled
def sample(
    scratch,
    states,
    movers,
    moves,
    seat,
    plans,
    live,
    worlds,
    is_first,
    rng,
    trust,
    insight,
    e,
    f,
    logs,
    cards,
    totals,
):
    """Play every live plan out in imagined worlds. The second record holds the hands imagined last, to go on from."""
    count = gather(states, movers, moves, seat, e, f)
    s = scratch[1]
    if is_first:
        scratch[1] = scratch[0]
        branch(s.chance, rng)
        imagine_cards(s, seat)
    for other in range(s.seats):
        logs[other] = explains(s, other, e, count, cards)
    if is_first:
        wander(s, seat, e, count, FIRST_EXCHANGES, trust, rng, logs, cards)
    for _ in range(worlds):
        wander(s, seat, e, count, EXCHANGES, trust, rng, logs, cards)
        branch(s.chance, rng)
        imagine_tokens(s)
        for other in range(s.seats):
            if other != seat and s.chosen[other] and s.held[other]:
                choose_for(s, other, insight, f)
        for i in range(plans.shape[0]):
            if live[i]:
                scratch[2] = scratch[1]
                play_plan(scratch[2], seat, plans[i], insight, f, totals[i])


@helper
def play_plan(s, seat, plan, insight, f, totals):
    """Make the plan's moves, play the round out and add up what came of it."""
    for move in plan:
        if move >= 0:
            make_move(s, seat, move)
    play_round(s, insight, f)
    value = chance_to_win(s, seat)
    totals[PLAYOUTS] += 1
    totals[WINS] += value
    totals[SQUARES] += value * value
    totals[POINTS] += s.sheet[seat, s.round_number - 1, 2]
