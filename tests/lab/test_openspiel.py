"""What OpenSpiel's own test, which `nevel.testing` runs, doesn't look at: what information states say."""

import random
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import make_observation

from nevel.lab import openspiel


def moved(state: Any, dice: random.Random) -> int:
    """A random legal action, or a random outcome."""
    return dice.randrange(openspiel.FUTURES) if state.is_chance_node() else dice.choice(state.legal_actions())


def played(game: Any, seed: int, most: int = 10_000) -> Any:
    dice = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal() and state.move_number() < most:
        state.apply_action(moved(state, dice))
    return state


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
