"""Worlds are imagined where next to none fits, and in no more time than elsewhere."""

import random
import threading
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from typing import Any, TypeVar

import numpy as np
import pytest

import nevel
from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.engine import chance, dispatch
from nevel.engine.compiling import compiled
from nevel.engine.knowledge import Knowledge
from nevel.games.what_the_fog import rules as what_the_fog
from nevel.games.what_the_fog.rules.knowledge import FURTHER_SWEEPS, deal_backs, redraw_backs
from nevel.games.what_the_fog.rules.table import PAIR_OF
from nevel.games.what_the_fog.testing import conserved
from nevel.tables.domain.undo import has_taught
from tests.rules.positions import amount, key
from tests.rules.scarce_tokens import CLOUDS, FOG, RAIN, SNOW, scarce_game

Answer = TypeVar("Answer")
#: Seconds after which something is taken to go on for ever: it takes milliseconds.
FOR_EVER = 60


@compiled
def deal_and_redraw(s: Any) -> None:
    deal_backs(s)
    for _ in range(FURTHER_SWEEPS):
        redraw_backs(s)


def ends(work: Callable[[], Answer]) -> Answer:
    """What comes of something that may go on for ever."""
    answers: list[Answer] = []
    thread = threading.Thread(target=lambda: answers.append(work()), daemon=True)
    thread.start()
    thread.join(FOR_EVER)
    assert answers, "it goes on for ever, or has failed"
    return answers[0]


@pytest.fixture(scope="module", autouse=True)
def all_compiled() -> None:
    """Compiling may take longer than what is taken to be for ever."""
    game = nevel.new("what-the-fog", seats=2, seed=1)
    seat = game.waiting_for[0]
    after = game.copy()
    after.play(seat, game.legal_moves(seat)[0])
    has_taught(game, after, range(2))
    Bot("expert", budget=Budget(playouts=1)).move(game.knowledge(seat))


def test_the_position_is_a_possible_one() -> None:
    game = scarce_game()
    assert conserved(game.state) == game.box.numbers[: len(conserved(game.state))].tolist()


@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_worlds_are_imagined_where_guessing_fails(seat: int) -> None:
    game = scarce_game()
    states = dispatch.new_states(what_the_fog, 2)
    for seed in range(amount(50)):
        states[0] = states[1] = game.state
        key(states[0], seed)
        what_the_fog.conceal(states[0], seat)
        key(states[0], seed)
        ends(lambda: what_the_fog.imagine(states[0], seat))
        world = states[0]
        assert conserved(world) == conserved(game.state)
        # Only one world fits what is seen, as far as tokens go.
        assert world.day_back.tolist() == game.state.day_back.tolist()
        assert world.lifted_back == game.state.lifted_back


def test_taking_back_is_decided_where_guessing_fails() -> None:
    before = scarce_game(5)
    after = before.copy()
    seat = before.waiting_for[0]
    after.play(seat, before.legal_moves(seat)[-1])
    assert not ends(lambda: has_taught(before, after, range(5)))


def test_the_expert_keeps_to_its_time_where_guessing_fails() -> None:
    game = scarce_game()
    seat = game.waiting_for[0]
    states = dispatch.new_states(what_the_fog)
    states[0] = game.state
    what_the_fog.conceal(states[0], seat)
    knowledge = Knowledge(seat, states, np.zeros(0, np.int64), np.zeros(0, np.int64))
    number = ends(lambda: Bot("expert", budget=Budget(seconds=0.1)).move(knowledge))
    assert number is not None
    assert game.vocabulary.moves[number] in game.legal_moves(seat)


def test_backs_that_surely_fit_are_as_likely_as_they_are() -> None:
    """Two tokens of rain and two of snow are seen; every assignment of single tokens that fits is equally likely."""
    pairs = {(RAIN, CLOUDS): 2, (RAIN, SNOW): 2, (SNOW, FOG): 1}
    faces = [RAIN, RAIN, SNOW, SNOW]
    tokens = [pair for pair, count in pairs.items() for _ in range(count)]
    expected = Counter[tuple[int, ...]]()
    for chosen in permutations(tokens, len(faces)):
        if all(face in pair for face, pair in zip(faces, chosen, strict=True)):
            expected[tuple(sum(pair) - face for face, pair in zip(faces, chosen, strict=True))] += 1
    s = scarce_game().state
    s.pair_count[:] = 0
    for pair, count in pairs.items():
        s.pair_count[PAIR_OF[pair]] = count
    s.day[:], s.filled[:], s.top[:], s.lifted = 0, 0, 0, 0
    s.day[0], s.filled[0] = np.array(faces) + 1, len(faces)
    chance.key(s.chance, *(random.Random(1).getrandbits(32) for _ in range(4)))
    found = Counter[tuple[int, ...]]()
    for _ in range(count := amount(20_000)):
        deal_and_redraw(s)
        found[tuple((s.day_back[0] - 1).tolist())] += 1
    assert set(found) == set(expected)
    for backs, ways in expected.items():
        share = ways / expected.total()
        assert abs(found[backs] / count - share) < 5 * (share * (1 - share) / count) ** 0.5
