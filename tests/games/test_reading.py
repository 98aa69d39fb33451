"""A position in plain numbers: the same as in the record, and never another position's."""

import random
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import nevel
from nevel.game.position import Layout
from nevel.game.registry import all_games, find


@pytest.mark.parametrize("name", all_games())
def test_fields_are_read_as_they_are_in_the_record(name: str) -> None:
    game = nevel.new(name, seats=3, seed=5)
    game.play(game.waiting_for[0], game.prompts()[0].moves[0])
    for field in game.state.dtype.names:
        assert np.array_equal(np.array(getattr(game.position, field)), getattr(game.state, field)), field
    before = game.position.seats
    game.position.drop_caches()
    assert game.position.seats == before
    with pytest.raises(AttributeError):
        _ = game.position.nothing


@pytest.mark.parametrize("name", all_games())
def test_threads_that_ask_for_other_fields_do_not_confuse_each_other(name: str) -> None:
    content, record = nevel.new(name, seats=3, seed=5).position.content, find(name).vocabulary.rules.STATE
    numbers = np.frombuffer(content, record)[0]
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            for _ in range(40):
                layout = Layout(record, 1, 1)
                found = list(threads.map(lambda field, fresh=layout: fresh.read(content, field)[field], record.names))
                for field, value in zip(record.names, found, strict=True):
                    assert np.array_equal(np.array(value), numbers[field]), field
    finally:
        sys.setswitchinterval(usual)


@pytest.mark.parametrize("name", all_games())
def test_a_copy_knows_its_own_legal_moves(name: str) -> None:
    game = nevel.new(name, seats=2, seed=6)
    twin = game.copy()
    waiting, legal = list(game.waiting_for), [nevel.new(name, seats=2, seed=6).legal_moves(seat) for seat in range(2)]
    game.play(waiting[0], game.prompts()[0].moves[0])
    assert twin.waiting_for == waiting
    assert [twin.legal_moves(seat) for seat in range(2)] == legal
    assert [game.legal_moves(seat) for seat in range(2)] != legal


def test_what_is_changed_in_the_record_is_read_anew() -> None:
    game = nevel.new("misty", seats=2, seed=6)
    round_number = game.position.round_number
    game.state.round_number += 1
    assert game.position.round_number == round_number + 1


@pytest.mark.parametrize("name", all_games())
def test_what_is_listed_at_once_is_what_the_rules_say_of_each_move(name: str) -> None:
    dice = random.Random(name)
    game = nevel.new(name, seats=3, seed=8)
    for _ in range(60):
        if game.is_over:
            game = nevel.new(name, seats=3, seed=dice.getrandbits(64))
        for seat in range(3):
            legal = [move for move in game.vocabulary.moves.all if game.is_legal(seat, move)]
            assert game.legal_moves(seat) == legal
            played = [move for move in legal if not game.vocabulary.is_hint(move)]
            assert game.position.legal_moves(seat) == [move.number for move in played]
            said = np.frombuffer(game.position.legal_hints(seat), np.int16).tolist()
            assert said == [move.number for move in game.hints(seat)]
            dooms = {move.text: game.why_lost(seat, move) for move in played}
            assert game.lost_moves(seat) == {text: clause for text, clause in dooms.items() if clause}
        prompt = dice.choice(game.prompts())
        game.play(prompt.seat, dice.choice(prompt.moves))


def test_who_is_waited_for_is_each_games_own_list() -> None:
    first, second = (nevel.new("misty", seats=3, seed=seed) for seed in (1, 2))
    first.waiting_for.clear()
    assert second.waiting_for == [0, 1, 2]
