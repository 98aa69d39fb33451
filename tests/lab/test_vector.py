"""Many games in one step: the same games as at a table, whatever stands in the other rows."""

import doctest
import random
from typing import Any

import numpy as np
import pytest

import nevel
import nevel.lab.task
import nevel.lab.vector
from nevel.engine import chance, dispatch
from nevel.lab.task import IllegalActionError, Task
from nevel.lab.vector import VectorEnvironment
from tests.own_games import OWN_GAMES

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("what-the-fog", 3, {}),
    ("what-the-fog", 2, {"long_game": 1}),
    ("the-game", 1, {"minimum": 3}),
    ("the-game", 3, {}),
    ("the-game", 5, {"fewer_cards": 1, "hints": True}),
    ("extreme", 2, {"random_commands": 1}),
    ("extreme", 4, {"hints": True}),
    ("misty", 4, {}),
    ("misty", 2, {"beginners": 1}),
]


@pytest.mark.parametrize("module", [nevel.lab.task, nevel.lab.vector])
def test_examples_in_docstrings_are_true(module: Any) -> None:
    results = doctest.testmod(module)
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_a_seed_plays_the_game_it_plays_at_a_table(name: str, seats: int, options: dict[str, Any]) -> None:
    """Every row is followed with a game of words: who is asked, what is legal, what is seen, what is won."""
    games = VectorEnvironment(name, seats, count=6, seed=40, **options)
    given = {option: value for option, value in options.items() if option != "hints"}
    tables: list[nevel.Game | None] = [nevel.new(name, seats, seed=40 + row, **given) for row in range(6)]
    returns = np.zeros((6, seats))
    ended = 0
    while any(tables):
        for row, table in enumerate(tables):
            if table is not None:
                check_row(games, row, table)
        actions = games.random_actions().copy()
        asked = games.now.seat.copy()
        step = games.step(actions)
        returns += step.reward
        for row, table in enumerate(tables):
            if table is None:
                continue
            if actions[row] != games.task.wait:
                table.play(int(asked[row]), games.task.text(int(actions[row])))
            assert table.is_over == step.done[row]
            if step.done[row]:
                check_end(games, row, table, returns[row])
                tables[row] = None
                ended += 1
            if step.done[row]:
                returns[row] = 0
    assert ended == 6


def check_row(games: VectorEnvironment, row: int, table: nevel.Game) -> None:
    task, seat = games.task, int(games.now.seat[row])
    assert seat in table.waiting_for
    legal = [move.number for move in table.legal_moves(seat) if move.number < task.wait]
    if "start" in [task.text(action) for action in legal] and seat < table.seats - 1:
        legal.append(task.wait)
    assert np.flatnonzero(games.now.mask[row]).tolist() == legal
    assert games.choices[row] == len(legal)
    seen = np.zeros(task.width, np.int64)
    table.vocabulary.rules.observe(table.state, seat, seen)
    assert games.now.observation[row].tolist() == seen.tolist()
    low, high = task.bounds()
    assert (low <= seen).all()
    assert (seen <= high).all()


def check_end(games: VectorEnvironment, row: int, table: nevel.Game, returns: np.ndarray) -> None:
    outcome = table.outcome
    assert outcome is not None
    assert games.task.spec.rulebook.by_code[int(games.clause[row])].id == outcome.clause
    assert games.points[row].tolist() == outcome.points
    assert np.flatnonzero(games.won[row]).tolist() == outcome.winners
    if games.task.is_cooperative:
        assert returns == pytest.approx([(98 + points) / 98 for points in outcome.points], abs=1e-5)
    else:
        assert returns.sum() == pytest.approx(0, abs=1e-5)
        for seat in range(table.seats):
            assert (returns[seat] > 0) == (seat in outcome.winners and len(outcome.winners) < table.seats)


@pytest.mark.parametrize("name", OWN_GAMES)
def test_a_row_depends_on_its_own_seed_only(name: str) -> None:
    """Row 2 of six and a game alone with the same seed, given the same actions, stay the same over several games."""
    many = VectorEnvironment(name, 2, count=6, seed=[9, 8, 7, 6, 5, 4])
    alone = VectorEnvironment(name, 2, count=1, seed=7)
    ended = 0
    for _ in range(3000):
        actions = many.random_actions().copy()
        many.step(actions)
        alone.step(actions[2:3])
        for ours, theirs in zip(many.now, alone.now, strict=True):
            assert np.array_equal(ours[2:3], theirs)
        ended += int(alone.now.done[0])
        if ended == 3:
            break
    assert ended == 3


def test_the_same_seed_gives_the_same_random_games_and_another_seed_others() -> None:
    def played(seed: int) -> list[float]:
        games = VectorEnvironment("the-game", 3, count=20, seed=seed)
        return [float(games.step(games.random_actions()).reward.sum()) for _ in range(50)]

    assert played(1) == played(1)
    assert played(1) != played(2)
    games = VectorEnvironment("the-game", 3, count=20, seed=1)
    before = [array.copy() for array in games.now]
    for _ in range(50):
        games.step(games.random_actions())
    games.reset(1)
    assert all(np.array_equal(old, new) for old, new in zip(before, games.now, strict=True))


def test_arrays_are_the_same_ones_after_every_step() -> None:
    games = VectorEnvironment("misty", 2, count=4)
    before = games.now
    after = games.step(games.random_actions())
    assert all(old is new for old, new in zip(before, after, strict=True))


def test_an_illegal_action_is_refused_with_its_clause_and_no_game_goes_on() -> None:
    games = VectorEnvironment("the-game", 1, count=3, seed=1)
    before = games.states.tobytes()
    actions = games.random_actions().copy()
    actions[1] = games.task.action("end turn")
    with pytest.raises(IllegalActionError, match="TG-T1") as refused:
        games.step(actions)
    assert refused.value.game == 1
    actions[1] = games.task.wait
    with pytest.raises(IllegalActionError, match="wait"):
        games.step(actions)
    for wrong in (-1, games.task.actions):
        actions[1] = wrong
        with pytest.raises(ValueError, match="from 0 to 394"):
            games.step(actions)
    with pytest.raises(ValueError, match="3 games"):
        games.step(actions[:2])
    assert games.states.tobytes() == before


def test_what_cant_be_is_refused() -> None:
    with pytest.raises(ValueError, match="a game at least"):
        VectorEnvironment("misty", 2, count=0)
    with pytest.raises(ValueError, match="2 seeds"):
        VectorEnvironment("misty", 2, count=3, seed=[1, 2])
    with pytest.raises(nevel.OptionError):
        VectorEnvironment("misty", 7)
    with pytest.raises(ValueError, match="points or win"):
        Task("misty", rewards="fame")  # type: ignore[arg-type]
    with pytest.raises(nevel.BoxError):
        Task("misty", box=nevel.Box.of("the-game"))
    with pytest.raises(ValueError, match="hints are left out"):
        Task("the-game").action("hint up1 leave")


def test_points_are_rewarded_as_they_are_scored() -> None:
    games = VectorEnvironment("what-the-fog", 3, count=8, seed=3, rewards="points")
    returns = np.zeros((8, 3))
    rewarded, ended = 0, 0
    while ended < 8:
        step = games.step(games.random_actions())
        returns += step.reward
        rewarded += int((step.reward != 0).any(axis=1).sum())
        for row in np.flatnonzero(step.done):
            assert returns[row].tolist() == games.points[row].tolist()
            returns[row] = 0
            ended += 1
    assert rewarded > 8  # at the end of rounds, not only of games


def test_without_observations_everything_else_is_the_same() -> None:
    seeing = VectorEnvironment("extreme", 3, count=10, seed=5)
    blind = VectorEnvironment("extreme", 3, count=10, seed=5, observes=False)
    for _ in range(60):
        actions = seeing.random_actions().copy()
        seeing.step(actions)
        blind.step(actions)
        assert np.array_equal(seeing.now.mask, blind.now.mask)
        assert np.array_equal(seeing.now.reward, blind.now.reward)
    assert blind.now.observation.shape == (10, 0)
    assert np.array_equal(seeing.named("tops"), seeing.states["tops"])


def test_random_actions_are_all_equally_likely() -> None:
    games = VectorEnvironment("misty", 2, count=1, seed=2)
    legal = np.flatnonzero(games.now.mask[0])
    drawn = np.array([games.random_actions()[0] for _ in range(4000)])
    counts = np.array([(drawn == action).sum() for action in legal])
    assert counts.sum() == 4000
    expected = 4000 / len(legal)
    assert (np.abs(counts - expected) < 5 * np.sqrt(expected)).all()


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_what_a_seat_cant_know_changes_neither_its_observation_nor_its_mask(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    """Everything hidden is imagined anew: the seat that is asked must see the same to the byte."""
    dice = random.Random(f"{name}{seats}")
    games = VectorEnvironment(name, seats, count=12, seed=4, **options)
    task = games.task
    differed = 0
    for _ in range(150):
        games.step(games.random_actions())
        twins = games.states.copy()
        for row, twin in enumerate(twins):
            seat = int(games.now.seat[row])
            dispatch.conceal(twin, seat)
            chance.key(twin.chance, *(dice.getrandbits(32) for _ in range(4)))
            dispatch.imagine(twin, seat)
            differed += twin.tobytes() != games.states[row].tobytes()
            seen, mask = np.zeros(task.width, np.int8), np.zeros(task.wait, np.int8)
            task.rules.observe(twin, seat, seen)
            task.rules.mark_moves(twin, seat, mask)
            assert seen.tobytes() == games.now.observation[row].tobytes()
            assert mask.tobytes() == games.now.mask[row, : task.wait].tobytes()
    assert differed > (0 if seats == 1 else 1000)
