"""Studying Misty: where hidden cards may be, and windows as puzzles."""

from typing import Any

import numpy as np

from nevel.engine.knowledge import Knowledge
from nevel.game.game import Game
from nevel.games.misty.bots.activation import solve
from nevel.games.misty.box import KINDS
from nevel.games.misty.events import KIND_NAMES
from nevel.games.misty.rules.knowledge import has_seen_hand
from nevel.games.misty.rules.table import PLACING
from nevel.games.misty.rules.window import kinds_of
from nevel.games.misty.words import MistyView
from nevel.languages import Language, mark
from nevel.study.mist import Hidden, Place, imagined, others, plain_shares
from nevel.study.parts import StudyParts
from nevel.study.puzzle_kind import Kind, Moves, Verdict, first_slip, say_slip
from nevel.study.puzzles import Puzzle


def hidden_cards(knowledge: Knowledge) -> Hidden:
    """Hands one has passed on are known, less what was taken from them in the open; any other may be anything."""
    s, hands = knowledge.state, others(knowledge)
    world = imagined(knowledge)
    unseen = [other for other in hands if not has_seen_hand(s, knowledge.seat, other)]
    hidden = world.aside + world.hand[unseen].sum(axis=0)
    held, aside = int(s.held), int(world.aside_size)
    plain = plain_shares([held, aside], hidden)
    most = max(plain.shape[2], held + 1)
    kinds = KINDS[: kinds_of(s)]
    shares = np.zeros((len(hands) + 1, len(KINDS), most))
    for place, other in enumerate(hands):
        if other in unseen:
            shares[place, :, : plain.shape[2]] = plain[0]
        else:
            shares[place, np.arange(len(KINDS)), s.hand[other]] = 1
    shares[-1, :, : plain.shape[2]] = plain[1]
    places = [*(Place("hand", other, held) for other in hands), Place("deck", None, aside)]
    return list(kinds), places, shares[:, : len(kinds)]


class BestWindow(Kind):
    """A full window: the order of activation with the most points."""

    name = "misty-window"
    game = "misty"
    title = mark("Windows")
    task = mark("Move the cards of your window in the order that makes the most points.")
    icon = "misty-smile"
    turn = 1

    def judge(self, game: Game, seat: int, moves: Moves, best: int, answer: Moves) -> Verdict:
        slip = first_slip(game, seat, moves, lambda: points_within_reach(game, seat) < best)
        is_done = seat not in game.waiting_for
        reached = points_within_reach(game, seat) if is_done else None
        return Verdict(is_done, reached == best, reached, slip)

    def say_verdict(self, puzzle: Puzzle, moves: Moves, verdict: Verdict, language: Language) -> list[str]:
        best = puzzle.checked.best
        if verdict.is_solved:
            said = language.say_count(
                "{count} point: this window can't make more.", "{count} points: this window can't make more.", best
            )
            return [said]
        made = language.say_count(
            "Your order makes {count} point; the best makes {best}.",
            "Your order makes {count} points; the best makes {best}.",
            verdict.reached or 0,
            best=best,
        )
        lost = mark("Move {number} put it out of reach: {move}.")
        return [made, *say_slip(puzzle, moves, verdict, lost, language)]

    def say_answer(self, puzzle: Puzzle, language: Language) -> list[str]:
        view = puzzle.position().view(puzzle.seat)
        assert isinstance(view, MistyView)
        cards = {card.space: language.say(KIND_NAMES[card.card]) for card in view.players[puzzle.seat].window.cards}
        spaces = [move.removeprefix("move ") for move in puzzle.answer]
        return [language.say(mark("{card} on {space}"), card=cards[space], space=space) for space in spaces]


def points_within_reach(game: Game, seat: int) -> int:
    """The most a window can still make; what it makes when nothing can move any more."""
    return int(solve(game.state, seat)[0])


def passes_hands(before: Any) -> bool:
    """Hands go round once the last card is laid."""
    return bool(before.phase == PLACING)


STUDY = StudyParts(hidden_cards, puzzles=(BestWindow(),), passes_hands=passes_hands)
