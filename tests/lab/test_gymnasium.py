"""One seat with bots in the others, who play as they do at a table. Gymnasium's own check is one of `nevel.testing`."""

from typing import Any

import gymnasium
import numpy as np
import pytest

import nevel
from nevel.bots.bot import Bot, UnknownBotError
from nevel.lab import gymnasium as ours
from nevel.lab.task import IllegalActionError


@pytest.mark.parametrize("name", ["nevel/TheGame-v0", "nevel/Extreme-v0"])
def test_what_is_gained_together_is_what_was_laid(name: str) -> None:
    table: Any = gymnasium.make(name, seats=3, seat=1, bots="simple")
    sight, _ = table.reset(seed=6)
    table.action_space.seed(6)
    returns, is_over, info = 0.0, False, dict[str, Any]()
    while not is_over:
        sight, reward, is_over, _, info = table.step(table.action_space.sample(sight["action_mask"]))
        returns += float(reward)
    # What was laid before the agent was first asked isn't its doing.
    assert 0 < returns <= (98 + info["points"]) / 98 + 1e-9


def test_a_bot_gets_what_its_seat_knows_at_a_table() -> None:
    """The same game of words, move by move: the same knowledge, to the byte."""
    table = ours.SeatEnvironment("misty", seats=3, bots="casual")
    sight, _ = table.reset(seed=11)
    for _ in range(30):
        sight, *_ = table.step(int(np.flatnonzero(sight["action_mask"])[0]))
    game = nevel.new("misty", 3, seed=11)
    for seat, move in table._log:
        game.play(seat, game.vocabulary.moves[move])
    for seat in (1, 2):
        for theirs, own in zip(table.knowledge(seat)[1:], game.knowledge(seat)[1:], strict=True):
            assert theirs.tobytes() == own.tobytes()
        bot = Bot("casual", seed=table.bots[seat].seed)
        assert bot.move(table.knowledge(seat)) == bot.move(game.knowledge(seat))


def test_bots_talk_where_hints_are_allowed() -> None:
    heard = False
    for has_hints in (False, True):
        table = ours.SeatEnvironment("the-game", seats=4, bots="casual", hints=has_hints)
        for seed in range(5):
            sight, _ = table.reset(seed=seed)
            is_over = False
            while not is_over:
                talk = sight["observation"][table.task.layout["hints"]]
                assert has_hints or not talk.any()
                heard |= bool(talk.any())
                moves = np.flatnonzero(sight["action_mask"][: table.task.talk])
                sight, _, is_over, _, _ = table.step(int(moves[0]))
    assert heard


def test_an_expert_can_sit_there_too() -> None:
    table = ours.SeatEnvironment("what-the-fog", seats=2, bots="expert", seconds=0.01)
    sight, _ = table.reset(seed=1)
    for _ in range(6):
        sight, _, is_over, _, _ = table.step(int(np.flatnonzero(sight["action_mask"])[0]))
        assert sight in table.observation_space
        assert not is_over


def test_what_cant_be_is_refused() -> None:
    with pytest.raises(UnknownBotError):
        ours.SeatEnvironment("misty", bots="genius")
    with pytest.raises(ValueError, match="1 other seats, but 2 bots"):
        ours.SeatEnvironment("misty", bots=["casual", "casual"])
    with pytest.raises(ValueError, match="from 0 to 1"):
        ours.SeatEnvironment("misty", seat=2)
    with pytest.raises(ValueError, match="render_mode"):
        ours.SeatEnvironment("misty", render_mode="human")
    with pytest.raises(ValueError, match="replace"):
        ours.SeatEnvironment("misty", illegal="ignore")
    strict = ours.SeatEnvironment("the-game", seats=1, illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(IllegalActionError, match="TG-T1"):
        strict.step(strict.task.action("end turn"))
