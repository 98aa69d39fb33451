"""The expert of What the Fog?!: samples hands that explain what others did, and plays the round out with each."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nevel.bots.mind import Mind, Plans, equal_plans
from nevel.engine.knowledge import Knowledge
from nevel.engine.legality import mark_legal
from nevel.games.what_the_fog.bots.evidence import evidence_pages
from nevel.games.what_the_fog.bots.forecast import FORECAST
from nevel.games.what_the_fog.bots.imagined import judge_tokens, sample
from nevel.games.what_the_fog.bots.strong import NEVER
from nevel.games.what_the_fog.rules.table import DAYS, LIFTING, MOVES, PILES, PLACE, RETURN

#: With fewer plans than this a call plays more worlds than asked for: it costs as much as a few play-outs itself.
AT_ONCE = 8
#: Days each weather is lifted for: the best at a glance. All are looked at again when it is to be laid.
DAYS_IN_MIND = 4


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
        scratch[0] = knowledge.state
        # Each call costs as much as a few play-outs, so with few plans it plays more worlds than asked for.
        worlds *= max(AT_ONCE // max(int(live.sum()), 1), 1)
        sample(scratch, knowledge, plans, live, worlds, rng, self.trust, self.insight, evidence_pages(), totals)


def legal_moves(knowledge: Knowledge) -> NDArray[np.int64]:
    mask = np.zeros(MOVES, np.int64)
    mark_legal(knowledge.state, knowledge.seat, mask)
    return np.flatnonzero(mask).astype(np.int64)
