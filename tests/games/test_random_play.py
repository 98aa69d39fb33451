"""Whatever players do: nothing is lost, nothing appears, every move is either played or refused with a clause."""

from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import nevel
from nevel.game.registry import all_games, find

#: Far beyond what the longest random game takes.
MOST_MOVES = 4000

OPTIONS: dict[str, dict[str, tuple[int, ...]]] = {
    name: {option.name: option.values for option in spec.vocabulary.options} for name, spec in all_games().items()
}


@st.composite
def deals(draw: st.DrawFn) -> nevel.Game:
    """Any game, with any number of players, options and seed."""
    name = draw(st.sampled_from(sorted(all_games())))
    low, high = find(name).vocabulary.rules.SEATS
    options: dict[str, Any] = {option: draw(st.sampled_from(values)) for option, values in OPTIONS[name].items()}
    return nevel.new(name, draw(st.integers(low, high)), seed=draw(st.integers(0, (1 << 128) - 1)), **options)


def everything(game: nevel.Game) -> list[int]:
    """What has to be all there: tokens and cards of What the Fog?!, the cards of the others."""
    s = game.state
    if game.name == "what-the-fog":
        hidden = 0 if game.is_over else sum(int(s.held[seat]) for seat in range(game.seats))
        away = sum(int(card) > 0 for card in s.away)
        cards = int(s.deck_size + s.discards.sum() + s.open.sum()) + hidden + away
        assert int(s.hand.sum()) == hidden
        assert int(s.deck.sum()) == s.deck_size
        tokens = int((s.day > 0).sum() + s.pile_size.sum() + s.supply_size) + int(s.lifted > 0)
        assert int(s.under.sum()) + sum(int(top) > 0 for top in s.top) == s.pile_size.sum()
        return [cards, tokens]
    if game.name == "misty":
        in_hand_or_placing = int(s.hand.sum()) + (sum(int(c) > 0 for c in s.choice) if s.phase == 1 else 0)
        return [int(s.aside.sum()) + in_hand_or_placing + int((s.window > 0).sum())]
    held = [int(card) for seat in range(game.seats) for card in s.hand[seat, : s.held[seat]]]
    drawable = [int(card) for card in s.deck[: s.left]]
    played = [card for card in range(2, 100) if s.where[10 + card] == 9]
    assert sorted(held + drawable + played) == list(range(2, 100))
    return [len(held) + len(drawable) + len(played)]


WHOLE = {"what-the-fog": [48, 45], "the-game": [98], "extreme": [98], "misty": [54]}


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(game=deals(), dice=st.randoms(use_true_random=False))
def test_random_play_keeps_everything_and_comes_to_an_end(game: nevel.Game, dice: Random) -> None:
    while not game.is_over:
        assert everything(game) == WHOLE[game.name]
        assert len(game.log) < MOST_MOVES
        if dice.random() < 0.02:
            try_every_move(game, dice.randrange(game.seats))
        if dice.random() < 0.1:
            for seat in [*range(game.seats), None]:
                game.view(seat)
        prompt = dice.choice(game.prompts())
        assert prompt.moves, "whoever is asked can answer"
        game.play(prompt.seat, dice.choice(prompt.moves))
    assert everything(game) == WHOLE[game.name]
    try_every_move(game, 0)


def try_every_move(game: nevel.Game, seat: int) -> None:
    """Legal moves can be played; all others are refused with a clause of this game."""
    legal = set(game.legal_moves(seat))
    for move in game.vocabulary.moves.all:
        clause = game.why_not(seat, move)
        assert (clause is None) == (move in legal)
        if clause is None:
            twin = game.copy()
            twin.play(seat, move)
            assert len(twin.log) == len(game.log) + 1
        else:
            assert clause.id in game.spec.rulebook
