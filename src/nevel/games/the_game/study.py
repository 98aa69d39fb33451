"""Studying The Game and Extreme: where hidden cards may be, and endgames as puzzles."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nevel.engine import dispatch
from nevel.engine.knowledge import Knowledge
from nevel.game.game import Game
from nevel.games.the_game.bots.likelihoods import count_holders
from nevel.games.the_game.bots.mind import trust_in
from nevel.games.the_game.bots.talk import STEPS_WITHIN, STRONGLY_WITHIN, WITHIN
from nevel.games.the_game.endgames import End, can_be_won, unseen_cards
from nevel.games.the_game.rules.table import CARDS, FIRST_FALLING, LOWEST, MARGIN, UNSEEN
from nevel.languages import Language, mark
from nevel.study.mist import WORLDS, Hidden, Place, Shares, fixed_rng, learnt_shares, others, plain_shares
from nevel.study.parts import StudyParts
from nevel.study.puzzle_kind import Kind, Moves, Verdict, first_slip, say_slip
from nevel.study.puzzles import Puzzle

#: The jump back.
JUMP = -10


def hidden_cards(knowledge: Knowledge) -> Hidden:
    """Exact while nobody has said anything; then worlds are counted that fit what was said."""
    s = knowledge.state
    where = s.where[MARGIN + LOWEST : MARGIN + LOWEST + CARDS]
    unseen = np.flatnonzero(where == UNSEEN)
    hands = others(knowledge)
    places = [*(Place("hand", other, int(s.held[other])) for other in hands), Place("deck", None, int(s.left))]
    shares = plain_shares([place.size for place in places], np.ones(len(unseen), np.int64))
    trust = trust_in(knowledge)
    if any(trust[other] or s.hints[other].any() for other in hands):
        counts = np.zeros((CARDS, 10), np.int64)
        scratch = dispatch.new_states(dispatch.rules_of(s), 2)
        scratch[0] = s
        count_holders(scratch, knowledge.seat, trust, WORLDS, fixed_rng(), counts)
        there = alike(s, counts[unseen][:, [*(1 + other for other in hands), 0]].astype(np.float64), unseen)
        shares = learnt_shares(shares, np.stack([WORLDS - there, there], axis=2).transpose(1, 0, 2))
    return [str(LOWEST + card) for card in unseen.tolist()], places, shares


def alike(s: Any, counts: Shares, cards: NDArray[np.int64]) -> Shares:
    """Counts, evened out between cards of which nothing that can be said is different (see `apt_hint`)."""
    steps = np.array([[LOWEST + card - top for top in s.tops.tolist()] for card in cards.tolist()]).reshape(-1, 4)
    steps[:, FIRST_FALLING:] *= -1
    looks = np.digitize(steps, [1, STRONGLY_WITHIN + 1, WITHIN + 1, STEPS_WITHIN + 1]) % 4
    looks[steps == JUMP] = 1 if s.closed_tricks else 4
    _, group = np.unique(looks, axis=0, return_inverse=True)
    group = group.reshape(-1)
    sums = np.zeros((len(cards), counts.shape[1]))
    np.add.at(sums, group, counts)
    return sums[group] / np.bincount(group)[group][:, np.newaxis]


class Endgame(Kind):
    """The last cards of The Game alone, which can all be laid."""

    name = "the-game-endgame"
    game = "the-game"
    title = mark("Endgames")
    task = mark("Win it from here: play every remaining card.")
    icon = "trick"
    turn = 2

    def judge(self, game: Game, seat: int, moves: Moves, best: int, answer: Moves) -> Verdict:
        slip = first_slip(game, seat, moves, lambda: not (won(game) if game.is_over else can_be_won(End.of(game))))
        left = -game.outcome.points[seat] if game.outcome else None
        return Verdict(game.is_over, game.is_over and won(game), left, slip)

    def say_known(self, puzzle: Puzzle, language: Language) -> str:
        cards = unseen_cards(puzzle.position())
        if not cards:
            return language.say(mark("The draw pile is empty: what you see is all there is."))
        return language.say_count(
            "One card is left in the draw pile: {cards}.",
            "{count} cards are left in the draw pile: {cards}.",
            len(cards),
            cards=language.say_list(str(card) for card in cards),
        )

    def say_verdict(self, puzzle: Puzzle, moves: Moves, verdict: Verdict, language: Language) -> list[str]:
        if verdict.is_solved:
            return [language.say(mark("Won! Every card is on the piles."))]
        left = language.say_count("{count} card is left.", "{count} cards are left.", verdict.reached or 0)
        lost = mark("Move {number} lost the win: {move}.")
        return [left, *say_slip(puzzle, moves, verdict, lost, language)]


def won(game: Game) -> bool:
    return bool(game.outcome and game.outcome.winners)


STUDY = StudyParts(hidden_cards, puzzles=(Endgame(),))
EXTREME_STUDY = StudyParts(hidden_cards)
