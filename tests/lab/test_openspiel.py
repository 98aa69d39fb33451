"""OpenSpiel's own tests, and that information states tell all a seat may know and nothing else."""

import pickle
import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.observation import make_observation

from nevel.engine import chance, dispatch
from nevel.game.registry import all_games
from nevel.lab import openspiel

TABLES: list[tuple[str, dict[str, Any]]] = [
    ("nevel_the_game", {"players": 3}),
    ("nevel_the_game", {"players": 1, "minimum": 3}),
    ("nevel_extreme", {"players": 2, "hints": True, "random_commands": 1}),
    ("nevel_what_the_fog", {"players": 2}),
    ("nevel_misty", {"players": 2, "beginners": 1}),
]


def moved(state: Any, dice: random.Random) -> int:
    """A random legal action, or a random outcome."""
    return dice.randrange(openspiel.FUTURES) if state.is_chance_node() else dice.choice(state.legal_actions())


def played(game: Any, seed: int, most: int = 10_000) -> Any:
    dice = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal() and state.move_number() < most:
        state.apply_action(moved(state, dice))
    return state


def test_all_games_are_registered() -> None:
    assert {openspiel.short_name(game) for game in all_games()} <= set(pyspiel.registered_names())


@pytest.mark.parametrize(("name", "parameters"), TABLES)
def test_the_random_simulation_of_openspiel_passes(name: str, parameters: dict[str, Any]) -> None:
    """Legal actions, masks, returns, observations, copies; and states that are written down and read again."""
    game = pyspiel.load_game(name, parameters)
    assert game.num_players() == parameters["players"]
    # Writing down and reading plays everything again after every move: the long games do without.
    is_short = name in ("nevel_the_game", "nevel_extreme")
    pyspiel.random_sim_test(game, num_sims=1, serialize=is_short, verbose=False)


@pytest.mark.parametrize(("name", "parameters"), TABLES)
def test_a_state_is_its_history(name: str, parameters: dict[str, Any]) -> None:
    game = pyspiel.load_game(name, parameters)
    for most in (2, 6, 60, 10_000):
        state = played(game, most, most)
        _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
        assert str(again) == str(state)
        assert str(pickle.loads(pickle.dumps(state))) == str(state)
        assert str(state.clone()) == str(state)
        assert state.move_number() <= game.max_game_length() + game.max_chance_nodes_in_history()


@pytest.mark.parametrize(("name", "parameters"), TABLES)
def test_information_states_dont_depend_on_what_a_seat_cant_know(name: str, parameters: dict[str, Any]) -> None:
    """Everything hidden from a seat is imagined anew, and the game goes on alike as far as the seat can see."""
    game = pyspiel.load_game(name, parameters)
    dice = random.Random(name)
    state = game.new_initial_state()
    compared = 0
    while not state.is_terminal() and state.move_number() < 150:
        if not state.is_chance_node():
            seat = state.current_player()
            twin = state.clone()
            record = twin.episode.state
            dispatch.conceal(record, seat)
            chance.key(record.chance, *(dice.getrandbits(32) for _ in range(4)))
            dispatch.imagine(record, seat)
            assert twin.information_state_string(seat) == state.information_state_string(seat)
            assert twin.observation_string(seat) == state.observation_string(seat)
            assert twin.observation_tensor(seat) == state.observation_tensor(seat)
            assert twin.legal_actions(seat) == state.legal_actions(seat)
            compared += 1
        state.apply_action(moved(state, dice))
    assert compared > 3


def test_an_information_state_is_what_a_seat_was_told() -> None:
    """Two deals that differ in one seat's hand only: that seat can tell them apart, the other can't."""
    game = pyspiel.load_game("nevel_the_game", {"players": 2})
    state = played(game, 1, openspiel.NODES_OF_A_DEAL)
    other = state.clone()
    number = next(i for i, row in enumerate(other.events) if row[1] == 1)
    other.events[number] = (*other.events[number][:3], 99, *other.events[number][4:])
    assert other.information_state_string(0) == state.information_state_string(0)
    assert other.information_state_string(1) != state.information_state_string(1)


def test_waiting_is_heard_and_actions_have_names() -> None:
    game = pyspiel.load_game("nevel_the_game", {"players": 2})
    state = played(game, 1, openspiel.NODES_OF_A_DEAL)
    before = state.information_state_string(1)
    names = [state.action_to_string(state.current_player(), action) for action in state.legal_actions()]
    assert names == ["start", "wait"]
    state.apply_action(state.legal_actions()[1])
    assert state.current_player() == 1
    assert state.information_state_string(1) != before


def test_parts_of_an_observation_have_their_names() -> None:
    game = pyspiel.load_game("nevel_misty", {"players": 2})
    state = played(game, 3, 40)
    observation: Any = make_observation(game)
    observation.set_from(state, 0)
    assert observation.dict["hand"].sum() == state.episode.state.hand[0].sum()
    assert np.array_equal(observation.tensor, state.observation_tensor(0))
    recall: Any = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    assert recall.string_from(state, 1) == state.information_state_string(1)


@pytest.mark.parametrize(("name", "parameters"), TABLES)
def test_returns_are_the_end(name: str, parameters: dict[str, Any]) -> None:
    game = pyspiel.load_game(name, parameters)
    for seed in range(3):
        state = played(game, seed)
        returns = state.returns()
        assert state.current_player() == pyspiel.PlayerId.TERMINAL
        if name in ("nevel_the_game", "nevel_extreme"):
            assert 0 <= returns[0] <= 1
            assert len(set(returns)) == 1
        else:
            assert sum(returns) == pytest.approx(0)
