"""A game in words: asking, playing, refusing, ending."""

import random
from typing import Any

import msgspec
import pytest

import nevel
from nevel.game.vocabulary import OptionError, UnknownOptionError
from tests.own_games import OWN_GAMES


def test_a_refused_move_says_why_and_changes_nothing() -> None:
    game = nevel.new("the-game", seats=2, seed=1)
    game.play(0, "start")
    before = game.fingerprint()
    with pytest.raises(nevel.IllegalMoveError) as refused:
        game.play(0, "end turn")
    assert refused.value.clause.id == "TG-T1"
    with pytest.raises(nevel.IllegalMoveError) as refused:
        game.play(1, "end turn")
    assert refused.value.clause.id == "TG-T4"
    assert game.fingerprint() == before
    assert len(game.log) == 1


def test_a_text_that_is_no_move_is_told_apart_from_a_forbidden_one() -> None:
    game = nevel.new("what-the-fog", seats=3, seed=1)
    for text in ("", "lift", "lift 4", "place day 8", "swap hail", "play 37 up1", "💥", "lift 1; drop table"):
        with pytest.raises(nevel.MalformedMoveError) as malformed:
            game.why_not(0, text)
        assert malformed.value.text == text


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_a_seat_that_isnt_there_is_refused(seat: int) -> None:
    game = nevel.new("misty", seats=2, seed=1)
    for ask in (game.view, game.legal_moves, game.knowledge):
        with pytest.raises(ValueError, match="There is no seat"):
            ask(seat)
    with pytest.raises(ValueError, match="There is no seat"):
        game.play(seat, "pick rocket")


@pytest.mark.parametrize(
    ("name", "seats", "options"),
    [
        ("the-game", 0, {}),
        ("the-game", 6, {}),
        ("what-the-fog", 1, {}),
        ("misty", 5, {}),
        ("the-game", 2, {"minimum": 4}),
        ("the-game", 2, {"minimum": "two"}),
    ],
)
def test_options_and_seats_the_game_doesnt_have_are_refused(name: str, seats: int, options: dict[str, Any]) -> None:
    with pytest.raises(OptionError) as refused:
        nevel.new(name, seats, seed=1, **options)
    assert refused.value.allowed


def test_an_option_of_another_game_is_refused() -> None:
    with pytest.raises(UnknownOptionError, match="misty has no option long_game; it has beginners"):
        nevel.new("misty", 2, seed=1, long_game=1)


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(nevel.UnknownGameError, match="what-the-fog, the-game, extreme, misty"):
        nevel.new("chess", seats=2)


@pytest.mark.parametrize("seed", [-1, 1 << 128])
def test_a_seed_has_128_bits(seed: int) -> None:
    with pytest.raises(ValueError, match="128 bits"):
        nevel.new("misty", seats=2, seed=seed)
    nevel.new("misty", seats=2, seed=(1 << 128) - 1)


def test_a_copy_goes_its_own_way() -> None:
    game = nevel.new("misty", seats=2, seed=1)
    twin = game.copy()
    twin.play(0, twin.prompts()[0].moves[0])
    assert game.fingerprint() != twin.fingerprint()
    assert len(game.log) == 0
    assert game.prompt(0) is not None
    assert twin.prompt(0) is None


def test_a_key_given_with_a_move_decides_what_chance_brings() -> None:
    def after(key: str | None) -> nevel.View:
        game = nevel.new("what-the-fog", seats=2, seed=9)
        game.play(game.waiting_for[0], "lift 1", key)
        return game.view(None)

    keys = [f"{number:032x}" for number in range(1, 12)]
    assert after(keys[0]) == after(keys[0])
    assert len({msgspec.json.encode(after(key)) for key in keys}) > 1
    with pytest.raises(ValueError, match="16 bytes"):
        after("abcd")


def test_hints_are_moves_for_seats_nobody_waits_for() -> None:
    game = nevel.new("the-game", seats=3, seed=2)
    game.play(1, "start")
    assert game.waiting_for == [1]
    events = game.play(2, "hint up1 small")
    assert [type(event).__name__ for event in events] == ["PileHinted"]
    assert game.view(0).piles[0].hints[0].hint == "small"  # type: ignore[attr-defined]
    assert all(not text.startswith("hint") for text in game.prompts()[0].moves)
    assert [move.text for move in game.hints(2) if move.text.startswith("hint up1")] == [
        "hint up1 leave",
        "hint up1 leave!",
        "hint up1 none",
    ]


def test_a_move_that_can_only_lose_is_announced() -> None:
    game = nevel.new("the-game", seats=1, seed=1)
    state = game.state
    state.tops[:] = [98, 98, 3, 3]
    for slot, card in enumerate([99, 97, 96, 95, 94, 93, 92, 91]):
        state.hand[0, slot] = card
        state.where[10 + card] = 1
    assert game.is_legal(0, "play 99 up1")
    clause = game.why_lost(0, "play 99 up1")
    assert clause is not None
    assert clause.id == "TG-E2"
    game.play(0, "play 99 up1")
    assert game.outcome is not None
    assert game.outcome.clause == "TG-E2"


@pytest.mark.parametrize("name", OWN_GAMES)
def test_a_game_is_rewound_to_what_it_was(name: str) -> None:
    dice = random.Random(name)
    game = nevel.new(name, seats=2, seed=5)
    earlier = [game.copy()]
    while not game.is_over and len(game.log) < 60:
        seat = dice.choice(game.waiting_for)
        key = f"{dice.getrandbits(128):032x}" if dice.random() < 0.5 else None
        game.play(seat, dice.choice(game.legal_moves(seat)), key)
        earlier.append(game.copy())
    for count, before in enumerate(earlier):
        again = game.rewind(count)
        assert again.fingerprint() == before.fingerprint()
        assert again.log == before.log
        assert [again.view(seat) for seat in (None, 0, 1)] == [before.view(seat) for seat in (None, 0, 1)]
        if before.waiting_for:
            move = before.legal_moves(seat := before.waiting_for[0])[0]
            assert again.play(seat, move) == before.play(seat, move)
    assert len(game.log) == len(earlier) - 1
