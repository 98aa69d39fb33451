"""Which moves others don't see when they are made. That no bot sees them is checked by `nevel.testing`."""

import random

import pytest

import nevel
from nevel.engine.knowledge import HIDDEN

#: The first words of the moves that are made in secret.
SECRET = {"what-the-fog": {"reveal", "discard"}, "the-game": set(), "extreme": set(), "misty": {"pick", "move"}}


@pytest.mark.parametrize("name", SECRET)
def test_moves_made_in_secret_are_hidden_from_others(name: str) -> None:
    rng = random.Random(name)
    hidden = set[str]()
    count = 0
    for seed in range(4):
        game = nevel.new(name, seats=3, seed=seed)
        while not game.is_over and len(game.log) < 120:
            prompt = rng.choice(game.prompts())
            game.play(prompt.seat, rng.choice(prompt.moves))
        for seat in range(3):
            for entry, move in zip(game.log, game.knowledge(seat).moves.tolist(), strict=True):
                is_secret = entry.move.text.split()[0] in SECRET[name] and entry.seat != seat
                assert move == (HIDDEN if is_secret else entry.move.number)
                if is_secret:
                    hidden.add(entry.move.text.split()[0])
                    count += 1
    assert hidden == SECRET[name]
    assert count > 50 or not SECRET[name]
    game = nevel.new(name, seats=2, seed=1)
    secret = [move for move in game.vocabulary.moves.all if game.spec.rules.is_secret(game.state, move.number)]
    assert {move.text.split()[0] for move in secret} == SECRET[name]
