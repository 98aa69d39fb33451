"""Sounds of a table's page: a game's folder says which event has which."""

import random

import pytest

from nevel.game.game import Game
from nevel.web.pages.sounds import sounds_of
from nevel.web.rendering.story import kind_of
from tests.own_games import OWN_GAMES


@pytest.mark.parametrize("game", OWN_GAMES)
def test_every_event_with_a_sound_happens(game: str) -> None:
    sounds = {pair.partition(":")[0] for pair in sounds_of(game).split()}
    assert sounds
    missing, dice = sounds, random.Random(1)
    for seed in range(20):
        played = Game(OWN_GAMES[game], 2, seed)
        while missing and not played.is_over:
            prompt = dice.choice(played.prompts())
            played.play(prompt.seat, dice.choice(prompt.moves))
            missing -= {kind_of(event) for _, event in played.log[-1].events}
    assert not missing
