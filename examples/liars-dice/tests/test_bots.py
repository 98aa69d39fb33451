"""The generic bots play liar's dice: they believe what explains others' moves, and each level beats the one below."""

import random

import nevel
import numpy as np
import pytest
from nevel.bots import world_sampling
from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.bots.policy import STRONG
from nevel.bots.world_sampling import SeenGame
from nevel.bots.worlds import WorldsMind, as_bytes
from nevel.engine import chance, dispatch
from nevel.game.game import Game
from nevel.study.reviewing import Reviewing

from liars_dice import rules


def game_begun_by(seat: int) -> Game:
    return next(game for seed in range(99) if (game := nevel.new("liars-dice", 2, seed)).waiting_for == [seat])


def winners(game: Game) -> list[int]:
    assert game.outcome is not None
    return game.outcome.winners


def seen_by_first_seat(game: Game) -> tuple[np.ndarray, SeenGame]:
    """What the expert of seat 0 works with: records to scribble on, and what it has seen."""
    known = game.knowledge(0)
    scratch = dispatch.new_states(rules, WorldsMind.scratch)
    return scratch, SeenGame(0, known.states, known.movers, known.moves, as_bytes(known.states), as_bytes(scratch))


def believed(game: Game, face: int, count: int = 20) -> float:
    """How many dice of a face seat 0 expects to lie under the other cup, in the worlds its expert takes."""
    scratch, seen = seen_by_first_seat(game)
    rng = np.zeros(4, np.int64)
    chance.key(rng, 1, 2, 3, 4)
    levels = np.full((2, dispatch.MOST_SEATS), STRONG)
    first = world_sampling.first_to_follow(scratch, seen, levels[0], rng)
    assert first == 0
    found = 0
    for _ in range(count):
        world_sampling.imagine_plausibly(scratch, seen, levels, first, rng)
        found += int(scratch[0].dice[1, face - 1])
    return found / count


def test_a_bold_bid_on_a_face_is_believed() -> None:
    bold, modest = game_begun_by(1), game_begun_by(1)
    bold.play(1, "bid 5x6")
    modest.play(1, "bid 4x2")
    assert believed(bold, 6) > believed(modest, 6) + 0.3


def test_nothing_is_followed_beyond_the_last_roll() -> None:
    game = game_begun_by(0)
    for seat, move in ((0, "bid 9x6"), (1, "liar"), (0, "bid 2x3"), (1, "bid 3x3")):
        game.play(seat, move)
    scratch, seen = seen_by_first_seat(game)
    rng = np.array([1, 2, 3, 4])
    assert world_sampling.first_to_follow(scratch, seen, np.full(5, STRONG), rng) == 2


def test_the_expert_doubts_what_cannot_be() -> None:
    game = game_begun_by(1)
    game.play(1, "bid 10x6")
    best = Bot("expert", 1, Budget(playouts=200)).evaluate(game.knowledge(0)).best
    assert game.vocabulary.moves[best.move].text == "liar"
    assert best.value > 0.5


@pytest.mark.slow
@pytest.mark.parametrize(("weaker", "stronger"), [("beginner", "casual"), ("casual", "strong"), ("strong", "expert")])
def test_every_level_beats_the_one_below(weaker: str, stronger: str) -> None:
    wins = 0
    for number in range(40):
        game = nevel.new("liars-dice", 2, seed=number // 2)
        bots = [Bot(level, number, Budget(playouts=300)) for level in (stronger, weaker)]
        while not game.is_over:
            seat = game.waiting_for[0]
            move = bots[(seat + number) % 2].move(game.knowledge(seat))
            assert move is not None
            game.play(seat, game.vocabulary.moves[move])
        wins += winners(game) == [number % 2]
    assert wins >= 27  # of 40: by luck alone once in fifty times


@pytest.mark.slow
def test_a_game_is_reviewed() -> None:
    game = nevel.new("liars-dice", 3, seed=3)
    dice = random.Random(1)
    while not game.is_over:
        seat = game.waiting_for[0]
        game.play(seat, dice.choice(game.legal_moves(seat)[-20:]))
    found = Reviewing(game, playouts=4).run()
    assert 0 < len(found.decisions) <= len(game.log)
    assert [account.chances[-1] for account in found.accounts] == [float(seat in winners(game)) for seat in range(3)]
