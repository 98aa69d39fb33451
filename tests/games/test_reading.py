"""A position in plain numbers: the same as in the record, and never another position's."""

import pytest

import nevel
from nevel.game.registry import all_games


@pytest.mark.parametrize("name", all_games())
def test_fields_are_read_again_when_they_were_dropped(name: str) -> None:
    game = nevel.new(name, seats=3, seed=5)
    game.play(game.waiting_for[0], game.prompts()[0].moves[0])
    before = game.position.seats
    game.position.drop_caches()
    assert game.position.seats == before
    with pytest.raises(AttributeError):
        _ = game.position.nothing


def test_what_is_changed_in_the_record_is_read_anew() -> None:
    game = nevel.new("misty", seats=2, seed=6)
    round_number = game.position.round_number
    game.state.round_number += 1
    assert game.position.round_number == round_number + 1


def test_who_is_waited_for_is_each_games_own_list() -> None:
    first, second = (nevel.new("misty", seats=3, seed=seed) for seed in (1, 2))
    first.waiting_for.clear()
    assert second.waiting_for == [0, 1, 2]
