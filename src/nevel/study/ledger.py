"""One seat's chances from the deal to the end, and what moved them: its own choices, the others, the deal."""

from collections.abc import Callable

from nevel.bots.hindsight import Verdict
from nevel.study.eyes import Eyes
from nevel.study.review import Swing


class Ledger:
    """The chances of a seat at every moment, and the parts of every swing.

    As long as a seat learns nothing new its chance only changes by what its own choices cost: it is measured anew where
    something came to light. That keeps the errors of measuring out of what nobody did.
    """

    def __init__(self, eyes: Eyes, progress: Callable[[float], None]) -> None:
        self.eyes = eyes
        self.verdicts: dict[int, Verdict] = {}
        for move in range(eyes.moves):
            if eyes.is_own(move) and not eyes.is_hint(move) and (verdict := eyes.weigh(move)) is not None:
                self.verdicts[move] = verdict
            progress(0.5 * move / eyes.moves)
        self.chances = [self.chance_at(0)]
        self.swings: list[Swing] = []
        for move in range(eyes.moves):
            self.swings.append(self.swing_of(move))
            progress(0.5 + 0.5 * (move + 1) / eyes.moves)

    def chance_at(self, moment: int) -> float:
        """Measured: by the choice the seat makes before it learns more, else by how the game can be expected to go."""
        move = moment
        while move < self.eyes.moves and not self.eyes.is_over(moment):
            if verdict := self.verdicts.get(move):
                return worth_before(verdict)
            if self.eyes.learns_from(move):
                break
            move += 1
        return self.eyes.expect(moment)

    def chance_after(self, move: int, cost: float) -> float:
        if self.eyes.learns_from(move):
            return self.chance_at(move + 1)
        known = self.verdicts.get(move + 1)
        if known is not None and known.played.error == 0:
            return worth_before(known)  # worked out, not measured: nothing is surer
        return max(self.chances[-1] - cost, 0.0)

    def swing_of(self, move: int) -> Swing:
        """What a move did. The chance after it is added to the others."""
        eyes = self.eyes
        cost = self.verdicts[move].cost if move in self.verdicts else 0.0
        self.chances.append(self.chance_after(move, cost))
        rest = self.chances[-1] - self.chances[-2] + cost
        # Where all act at once it mustn't matter who was last: what others did comes to light with one's own move.
        is_shared = eyes.learns_from(move) and (eyes.is_secret(move) or eyes.passes_hands(move))
        if eyes.is_own(move) and not is_shared:
            return Swing(-cost, 0.0, rest)
        is_lucky = eyes.learns_from(move) and (eyes.past.drew[move] or eyes.passes_hands(move))
        luck = eyes.luck_in(move) if is_lucky else 0.0
        return Swing(-cost, rest - luck, luck)


def worth_before(verdict: Verdict) -> float:
    """What the position was worth before the choice: what was played, and what it lost."""
    return verdict.played.value + verdict.cost
