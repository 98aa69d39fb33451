"""The expert of Misty: plays the hands in sight to the end of their deal in many imagined worlds.

The hands of a deal go round, so what it passes on comes back thinner, after its neighbours chose from it. In every
imagined world each of its plans (a card and where to lay it) is followed by everyone taking what is worth most to them
until the hands are used up. Then windows are compared: exactly when they are full, else by what they can be expected to
make. What counts is the share of the whole game to expect with the rounds won by then.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nevel.bots.mind import Mind, Plans, equal_plans
from nevel.bots.playing_out import TOTALS, WINS
from nevel.engine.knowledge import Knowledge
from nevel.games.misty.bots.imagined import MOST_POINTS, first_activation, look, sample, sample_activation, weigh
from nevel.games.misty.rules.table import ACTIVATING, MOVE, PICK, PICKING, PLACE, PLACING
from nevel.games.misty.rules.window import KINDS, SPACES

#: A plan this many points behind the best at first sight isn't looked at any further, …
FAR_BEHIND = 1.0
#: … nor are more plans than this, but for the best use of every card: taking it may be worth it for others' sake.
MOST_PLANS = 12
#: By how many points it thinks others may misjudge a card, so that it doesn't rely on what they do to the last card.
WAVERING = 0.3
IMPOSSIBLE = -1000.0


class MistyMind(Mind):
    """Search over imagined hands, judged by the share of the game to expect."""

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
