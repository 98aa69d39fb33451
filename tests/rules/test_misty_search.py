"""Misty: the rules and the solver against a plain model."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nevel.games.misty.bots.activation import solve
from nevel.games.misty.rules import window as misty_window
from nevel.games.misty.rules.table import ACTIVATING, BLURRED, MOVE, MOVED
from tests.rules.misty_model import all_results, best_result, model_of
from tests.rules.misty_positions import alone, cell_of
from tests.rules.positions import (
    act,
    amount,
    legal_moves,
    of_kind,
    space,
    windows,
)

# ---------------------------------------------------------------- against the model


def random_picture(random, is_small, arrows):
    """A full window with this many arrows."""
    shape = (3, 3) if is_small else random.choice(((3, 4), (4, 3)))
    size = shape[0] * shape[1]
    arrows = min(arrows, size)
    signs = [random.choice("^v<>") for _ in range(arrows)]
    signs += random.sample("oooooossssssfffffmmmmm", size - arrows)
    random.shuffle(signs)
    return " ".join("".join(signs[row * shape[1] : (row + 1) * shape[1]]) for row in range(shape[0]))


def best_of(s, seat=0):
    points, first = solve(s, seat)
    return int(points), int(first)


@pytest.mark.clause("MI-A2", "MI-A3", "MI-A4", "MI-A5", "MI-A6", "MI-A7", "MI-X1", "MI-X2", "MI-X3")
def test_activating_in_any_order_equals_the_model():
    random = Random(3)
    for number in range(amount(400)):
        is_small = number % 2 == 0
        picture = random_picture(random, is_small, random.randint(1, 12))
        s, model = alone(picture, is_small), model_of(picture)
        events, went = [], []
        while s.phase == ACTIVATING:
            legal = legal_moves(s, 0)
            assert sorted(cell_of(move - MOVE) for move in legal) == sorted(home_cells(model))
            move = random.choice(legal)
            target = model.move(cell_of(move - MOVE))
            went.append((move - MOVE, -1 if target is None else space(*target)))
            events = act(s, 0, move)
        assert not model.movable()
        assert s.score[0] == model.score(), picture
        assert [event[3:5] for event in of_kind(MOVED, events) if event[2] == 0] == went
        blurred = {cell_of(event[3]) for event in of_kind(BLURRED, events) if event[2] == 0}
        assert blurred == {cell for cell, stack in model.stacks.items() if len(stack) > 1}


def home_cells(model):
    """Cards that can move still lie where they were built."""
    cells = model.movable()
    assert all(model.stacks[cell][-1].home == cell for cell in cells)
    return cells


@pytest.mark.clause("MI-A2", "MI-A3", "MI-A4", "MI-X1", "MI-X2", "MI-X3")
@pytest.mark.parametrize("is_small", [True, False])
def test_the_best_activation_equals_every_order_tried(is_small):
    random = Random(5)
    for number in range(amount(150)):
        picture = random_picture(random, is_small, random.randint(0, 7 if number % 10 else 8))
        s = windows(picture, "^oo ooo ooo", is_small=is_small)
        results = list(all_results(model_of(picture)))
        assert best_of(s)[0] == max(results), picture


@pytest.mark.slow
@pytest.mark.clause("MI-A2", "MI-A3")
@pytest.mark.parametrize("is_small", [True, False])
def test_the_best_activation_of_any_window_equals_the_model_and_can_be_played(is_small):
    random = Random(6)
    for _ in range(amount(25)):
        picture = random_picture(random, is_small, random.randint(6, 12))
        s = alone(picture, is_small)
        expected = best_result(model_of(picture))
        while not s.done[0] and s.phase == ACTIVATING:
            points, first = best_of(s)
            assert points == expected
            assert first >= 0
            act(s, 0, MOVE + first)
        assert s.score[0] == expected


@pytest.mark.clause("MI-A2")
def test_a_window_that_is_done_has_nothing_to_activate():
    s = windows("ooo sss omf", "^oo ooo ooo", is_small=True)
    assert best_of(s, 0) == (3 + 4 + 1 + 1, -1)
    assert best_of(s, 1) == (8, space(0, 0))


@pytest.mark.clause("MI-A3")
def test_a_position_follows_from_which_cards_have_been_activated():
    random = Random(8)
    for _ in range(amount(40)):
        picture = random_picture(random, False, 8)
        seen = {}
        for _ in range(60):
            model = model_of(picture)
            moved = frozenset()
            while cells := model.movable():
                cell = random.choice(cells)
                model.move(cell)
                moved |= {cell}
                assert seen.setdefault(moved, model.position()) == model.position()


@pytest.mark.clause("MI-X1", "MI-X2", "MI-X3", "MI-A6", "MI-A7")
@settings(deadline=None, derandomize=True, max_examples=150)
@given(st.lists(st.sampled_from("^v<>ooosssffmm"), min_size=12, max_size=12), st.randoms(use_true_random=False))
def test_any_score_equals_the_model(signs, random):
    picture = " ".join("".join(signs[row * 4 : row * 4 + 4]) for row in range(3))
    s = windows(picture, "^oo ooo ooo")
    model = model_of(picture)
    activated = 0
    while cells := model.movable():
        cell = random.choice(cells)
        model.move(cell)
        activated |= 1 << space(*cell)
    assert misty_window.score(s, 0, activated) == model.score()
