"""What PettingZoo's own tests, which `nevel.testing` runs, don't look at: order, rewards, refusals."""

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import max_cycles_test
from pettingzoo.utils.conversions import parallel_to_aec

import nevel
from nevel.lab.pettingzoo import env, parallel_env
from nevel.lab.task import IllegalActionError

#: Games in which several seats choose at once.
PARALLEL: list[tuple[str, int, dict[str, Any]]] = [
    ("what-the-fog", 2, {}),
    ("what-the-fog", 5, {"long_game": 1, "rewards": "points"}),
    ("misty", 3, {}),
    ("misty", 2, {"beginners": 1, "rewards": "points"}),
]

#: PettingZoo advises against what its own card games do too: observations in a dictionary, with the mask.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
]


def test_games_can_be_cut() -> None:
    max_cycles_test(SimpleNamespace(env=partial(env, "misty", 3), parallel_env=partial(parallel_env, "misty", 3)))
    # In What the Fog?! seats are asked more or less often; in turns made of steps for all, equally often.
    fog = partial(parallel_env, "what-the-fog", 3)
    aec = lambda **settings: parallel_to_aec(fog(**settings))  # noqa: E731
    max_cycles_test(SimpleNamespace(env=aec, parallel_env=fog))


def test_what_is_shown_is_what_the_asked_seat_may_see() -> None:
    table: Any = env("the-game", 2, render_mode="ansi")
    table.reset(seed=3)
    text = table.render()
    hands = nevel.new("the-game", 2, seed=3)
    own, other = text.splitlines()[2:]
    assert own.split() == [">", "player", "0", "(you)", *(str(card) for card in hands.view(0).hand)]  # type: ignore[attr-defined]
    assert other.split() == [">", "player", "1", "cards", "7"]


@pytest.mark.parametrize(("game", "seats", "settings"), PARALLEL)
def test_all_at_once_is_the_same_game_as_one_after_the_other(game: str, seats: int, settings: dict[str, Any]) -> None:
    """While all choose, nobody sees what the others choose: the order can make no difference."""
    together, apart = parallel_env(game, seats, **settings), env(game, seats, **settings)
    sights, infos = together.reset(seed=5)
    apart.reset(seed=5)
    dice = np.random.default_rng(1)
    while together.agents:
        actions = {agent: int(dice.choice(np.flatnonzero(sight["action_mask"]))) for agent, sight in sights.items()}
        waiting = apart.episode.waiting()
        for agent, sight in sights.items():
            seat = together.seat_of[agent]
            assert (sight["action_mask"][-1] == 1) == (seat not in waiting)
            assert np.array_equal(sight["observation"], apart.observe(agent)["observation"])
        # Within a step the first of those waited for is asked; in Misty a seat that goes on activating stays the first.
        for seat in waiting:
            apart.episode.seat = seat
            apart.agent_selection = f"player_{seat}"
            apart.step(actions[f"player_{seat}"])
        sights, rewards, terminations, _, infos = together.step(actions)
        assert rewards == apart.rewards
        assert terminations == apart.terminations
    assert infos == apart.infos


def test_an_action_the_mask_forbids_is_replaced_or_raised() -> None:
    table = env("the-game", 1)
    table.reset(seed=2)
    end_turn = table.task.action("end turn")
    table.step(end_turn)
    assert table.infos["player_0"]["refused"] == "end turn"
    assert table.infos["player_0"]["clause"] == "TG-T1"
    assert table.infos["player_0"]["made"].startswith("play ")
    strict = env("the-game", 1, illegal="raise")
    strict.reset(seed=2)
    with pytest.raises(IllegalActionError, match="TG-T1"):
        strict.step(end_turn)
    with pytest.raises(ValueError, match="from 0 to 394"):
        strict.step(395)
    choosing = parallel_env("what-the-fog", 2, illegal="raise")
    choosing.reset(seed=1)
    idle = next(agent for agent in choosing.agents if choosing.seat_of[agent] not in choosing.episode.waiting())
    with pytest.raises(IllegalActionError):
        choosing.step(dict.fromkeys(choosing.agents, 0) | {idle: 1})


def test_waiting_leaves_the_first_turn_to_the_next_seat() -> None:
    table = env("the-game", 3)
    table.reset(seed=1)
    for seat in range(2):
        assert table.agent_selection == f"player_{seat}"
        legal = [
            table.task.text(int(action)) for action in np.flatnonzero(table.observe(f"player_{seat}")["action_mask"])
        ]
        assert legal == ["start", "wait"]
        table.step(table.task.wait)
    assert np.flatnonzero(table.observe("player_2")["action_mask"]).tolist() == [table.task.action("start")]
    assert np.flatnonzero(table.observe("player_0")["action_mask"]).tolist() == [table.task.wait]
    table.step(table.task.action("start"))
    assert table.agent_selection == "player_2"


def test_a_hint_is_heard_and_the_same_seat_goes_on() -> None:
    table = env("the-game", 2, hints=True)
    table.reset(seed=1)
    table.step(table.task.wait)
    table.step(table.task.action("hint up1 leave"))
    assert table.agent_selection == "player_1"
    heard = table.observe("player_0")["observation"][table.task.layout["hints"]]
    assert heard.tolist() == [0] * 4 + [1] + [0] * 15


def test_what_cant_be_is_refused() -> None:
    with pytest.raises(ValueError, match="use env"):
        parallel_env("the-game")
    with pytest.raises(ValueError, match="render_mode"):
        env("misty", render_mode="human")
    with pytest.raises(ValueError, match="replace"):
        env("misty", illegal="ignore")
    with pytest.raises(nevel.UnknownGameError):
        env("chess")
    with pytest.raises(RuntimeError, match="call reset"):
        env("misty").step(0)
    with pytest.raises(RuntimeError, match="call reset"):
        parallel_env("misty").step({})
