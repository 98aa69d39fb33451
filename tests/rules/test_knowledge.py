"""Who sees what, field by field; that nothing else can be told from it is checked by `nevel.testing`."""

from random import Random

import numpy as np
import pytest

import nevel
from nevel.engine import dispatch
from nevel.games.misty import rules as misty
from nevel.games.the_game import rules as the_game
from nevel.games.the_game.rules import extreme
from nevel.games.what_the_fog import rules as what_the_fog
from nevel.testing.subject import imagined
from tests.rules.positions import begin, copy_of, random_moves
from tests.rules.test_random_games import OPTIONS

GAMES = pytest.mark.parametrize("game", list(OPTIONS), ids=[game.__name__.rsplit(".", 1)[-1] for game in OPTIONS])


def some_positions(game, seats, options, seed, share):
    """Some positions of a random game, its end among them."""
    random = Random(seed)
    s = begin(game, seats, options, seed)
    talk = 0.2 if game in (the_game, extreme) else 0.0
    for _ in random_moves(s, random, talk):
        if random.random() < share:
            yield copy_of(s)
    yield copy_of(s)


def concealed(s, seat):
    other = copy_of(s)
    dispatch.rules_of(s).conceal(other, seat)
    return other


@pytest.mark.clause("FOG-S4", "TG-S1", "MI-S1", "FOG-A3", "MI-T1")
@GAMES
def test_a_seat_keeps_what_is_its_own(game):
    for s in some_positions(game, 3, OPTIONS[game][0], 6, 0.2):
        for seat in range(3):
            seen = concealed(s, seat)
            assert seen.hand[seat].tolist() == s.hand[seat].tolist()
            if game in (what_the_fog, misty):
                assert seen.choice[seat] == s.choice[seat]
            if game is misty:
                assert seen.activated[seat] == s.activated[seat]
                assert (seen.window == s.window).all()


@pytest.mark.clause("FOG-S3", "FOG-S4")
def test_everyone_sees_what_lies_open_in_what_the_fog():
    public = ("day", "filled", "top", "pile_size", "supply_size", "prediction", "open", "discards", "held", "deck_size")
    for s in some_positions(what_the_fog, 4, (0,), 7, 0.2):
        seen = concealed(s, -1)
        for name in (*public, "sheet", "lifted", "active", "phase", "chosen"):
            assert np.array_equal(seen[name], s[name]), name
        for name in ("hand", "deck", "supply", "under", "day_back", "top_back", "away", "choice", "chance"):
            assert not seen[name].any(), name


@pytest.mark.clause("TG-S1", "TG-H2", "EX-H1", "EX-I1")
@pytest.mark.parametrize("game", [the_game, extreme])
def test_everyone_sees_piles_hints_and_how_many_cards_there_are(game):
    for s in some_positions(game, 4, OPTIONS[game][0], 8, 0.2):
        seen = concealed(s, -1)
        names = ["tops", "held", "left", "hints", "start_hints", "active", "played", "need"]
        for name in names + (["command", "holds"] if game is extreme else []):
            assert np.array_equal(seen[name], s[name]), name
        assert not seen.hand.any()
        assert not seen.deck.any()
        assert {int(place) for place in seen.where} <= {0, 9}


@pytest.mark.clause("MI-S1", "MI-T2")
def test_everyone_sees_the_windows_of_misty_and_nobody_the_cards_put_aside():
    for s in some_positions(misty, 4, (0,), 9, 0.2):
        seen = concealed(s, -1)
        for name in ("window", "laid", "held", "deal", "wins", "score", "chosen", "done"):
            assert np.array_equal(seen[name], s[name]), name
        assert not seen.aside.any()
        assert not seen.hand.any()


def test_a_seat_knows_the_hands_it_has_passed_on() -> None:
    """Misty: a player remembers a hand they handed on, less what was taken from it in the open."""
    game = nevel.new("misty", seats=3, seed=8)
    for _ in range(2):
        for seat in range(3):
            prompt = game.prompt(seat)
            assert prompt is not None
            game.play(seat, prompt.moves[0])
        for seat in game.waiting_for:
            prompt = game.prompt(seat)
            if prompt is not None and prompt.question == "place":
                game.play(seat, prompt.moves[0])
    assert game.state.passes == 2
    dice = Random(1)
    for _ in range(20):
        twin = imagined(game, 0, dice)
        for owner in (0, 1, 2):  # passed twice: everything has been through seat 0's hands
            assert twin.state.hand[owner].tolist() == game.state.hand[owner].tolist()
        spectator = imagined(game, -1, dice)
        assert spectator.state.hand.sum() == game.state.hand.sum()
