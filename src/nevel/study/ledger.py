"""Attributes every change of a seat's chance to win to its own choices, the others, or the deal."""

from collections.abc import Callable

from nevel.bots.assessment import MoveAssessment
from nevel.study.perspective import SeatPerspective
from nevel.study.review import Swing


class Ledger:
    """The chances of a seat at every moment, and the parts of every swing.

    As long as a seat learns nothing new its chance only changes by what its own choices cost: it is measured anew where
    something came to light. That keeps the errors of measuring out of what nobody did.
    """

    def __init__(self, perspective: SeatPerspective, progress: Callable[[float], None]) -> None:
        self.perspective = perspective
        self.assessments: dict[int, MoveAssessment] = {}
        for move in range(perspective.moves):
            if (
                perspective.is_own(move)
                and not perspective.is_hint(move)
                and (assessment := perspective.assess(move)) is not None
            ):
                self.assessments[move] = assessment
            progress(0.5 * move / perspective.moves)
        self.chances = [self.chance_at(0)]
        self.swings: list[Swing] = []
        for move in range(perspective.moves):
            self.swings.append(self.swing_of(move))
            progress(0.5 + 0.5 * (move + 1) / perspective.moves)

    def chance_at(self, moment: int) -> float:
        """Measured: by the choice the seat makes before it learns more, else by how the game can be expected to go."""
        move = moment
        while move < self.perspective.moves and not self.perspective.is_over(moment):
            if assessment := self.assessments.get(move):
                return worth_before(assessment)
            if self.perspective.learns_from(move):
                break
            move += 1
        return self.perspective.expect(moment)

    def chance_after(self, move: int, cost: float) -> float:
        if self.perspective.learns_from(move):
            return self.chance_at(move + 1)
        known = self.assessments.get(move + 1)
        if known is not None and known.played.error == 0:
            return worth_before(known)  # worked out, not measured: nothing is surer
        return max(self.chances[-1] - cost, 0.0)

    def swing_of(self, move: int) -> Swing:
        """What a move did. The chance after it is added to the others."""
        perspective = self.perspective
        cost = self.assessments[move].cost if move in self.assessments else 0.0
        self.chances.append(self.chance_after(move, cost))
        rest = self.chances[-1] - self.chances[-2] + cost
        # Where all act at once it mustn't matter who was last: what others did comes to light with one's own move.
        is_shared = perspective.learns_from(move) and (perspective.is_secret(move) or perspective.passes_hands(move))
        if perspective.is_own(move) and not is_shared:
            return Swing(-cost, 0.0, rest)
        is_lucky = perspective.learns_from(move) and (perspective.past.drew[move] or perspective.passes_hands(move))
        luck = perspective.luck_in(move) if is_lucky else 0.0
        return Swing(-cost, rest - luck, luck)


def worth_before(assessment: MoveAssessment) -> float:
    """What the position was worth before the choice: what was played, and what it lost."""
    return assessment.played.value + assessment.cost
