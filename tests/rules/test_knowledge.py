"""Who sees what in all four games: concealing, imagining and observing, on positions of random games."""

from random import Random

import numpy as np
import pytest

from nevel.engine import dispatch
from nevel.games.misty import rules as misty
from nevel.games.the_game import rules as the_game
from nevel.games.the_game.rules import extreme
from nevel.games.what_the_fog import rules as what_the_fog
from tests.rules.positions import amount, begin, copy_of, key, random_moves
from tests.rules.test_random_games import KINDS, NAMES, OPTIONS, check_whole

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


def observed(s, seat):
    game = dispatch.rules_of(s)
    out = np.full(sum(length for _, length in game.OBSERVATION), -99, np.int64)
    assert game.observe(s, seat, out) == len(out)
    assert -99 not in out
    return out


def differing(one, two):
    """The names of the fields that aren't the same."""
    return [name for name in one.dtype.names if not np.array_equal(one[name], two[name])]


@pytest.mark.slow
@pytest.mark.clause("FOG-S3", "FOG-S4", "FOG-T4", "FOG-C1", "TG-S1", "MI-S1", "MI-T1", "MI-T2")
@pytest.mark.parametrize(("game", "seats", "options"), KINDS, ids=NAMES)
def test_what_a_seat_sees_says_nothing_about_the_rest(game, seats, options):
    """Conceal, imagine anything else, conceal again: if a trace of the truth were left, it would differ."""
    for seed in range(amount(3)):
        for number, s in enumerate(some_positions(game, seats, options, seed, 0.15)):
            for seat in range(-1, seats):
                seen = concealed(s, seat)
                dream = copy_of(seen)
                key(dream, 1000 + number)
                game.imagine(dream, seat)
                check_whole(dream, game)
                assert differing(concealed(dream, seat), seen) == []
                if seat >= 0:
                    assert observed(dream, seat).tolist() == observed(s, seat).tolist() == observed(seen, seat).tolist()


@pytest.mark.clause("FOG-S3", "FOG-S4", "TG-S1", "MI-S1")
@GAMES
def test_what_is_imagined_varies(game):
    for s in list(some_positions(game, 3 if game is not misty else 4, OPTIONS[game][0], 5, 0.05))[:4]:
        dreams = set()
        for number in range(10):
            dream = concealed(s, 0)
            key(dream, number)
            game.imagine(dream, 0)
            dream.chance[:] = 0
            dreams.add(dream.tobytes())
        assert len(dreams) > 1


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


@pytest.mark.clause("FOG-S4", "TG-S1", "MI-S1")
@GAMES
def test_an_observation_starts_with_whether_the_seat_is_to_act(game):
    for s in some_positions(game, 3, OPTIONS[game][0], 10, 0.2):
        waiting = int(game.waiting(s))
        for seat in range(3):
            assert observed(s, seat)[0] == waiting >> seat & 1
