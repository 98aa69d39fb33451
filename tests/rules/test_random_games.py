"""Hundreds of random games of all four, with every number of seats and every option: nothing is lost, nothing lasts."""

from itertools import product
from random import Random

import numpy as np
import pytest

from nevel.bots import policy
from nevel.bots.playing_out import play_out
from nevel.games.misty import rules as misty
from nevel.games.misty.rules.clauses import MI_X4
from nevel.games.the_game import rules as the_game
from nevel.games.the_game.rules import extreme
from nevel.games.the_game.rules.clauses import EX_E1, EX_E2, EX_L3, EX_L5, TG_E1, TG_E2, TG_E3
from nevel.games.what_the_fog import rules as what_the_fog
from nevel.games.what_the_fog.rules.clauses import FOG_E2
from tests.rules.positions import (
    BOXES,
    amount,
    begin,
    card_counts,
    check_98_cards,
    kind_counts,
    outcome,
    random_moves,
    refusals,
    round_of,
    seats_to_act,
    the_game_moves_end,
    token_counts,
)

OPTIONS = {
    what_the_fog: [(0,), (1,)],
    the_game: list(product((2, 3), (0, 1))),
    extreme: list(product((2, 3), (0, 1), (0, 1))),
    misty: [(0,), (1,)],
}
KINDS = [
    (game, seats, options)
    for game in OPTIONS
    for seats in range(game.SEATS[0], game.SEATS[1] + 1)
    for options in OPTIONS[game]
]
NAMES = [f"{game.__name__.rsplit('.', 1)[-1]}-{seats}-{options}" for game, seats, options in KINDS]
#: Which hundreds of clause numbers belong to a game, and by which clauses it ends.
OWN = {what_the_fog: {1}, the_game: {2}, extreme: {2, 3}, misty: {4}}
ENDS = {
    what_the_fog: {FOG_E2},
    the_game: {TG_E1, TG_E2, TG_E3},
    extreme: {EX_E1, EX_E2, EX_L3, EX_L5, TG_E3},
    misty: {MI_X4},
}


def check_whole(s, game):
    """All components are accounted for, exactly once."""
    if game is what_the_fog:
        assert token_counts(s) == [3] * 15
        assert card_counts(s) == [8] * 6
        check_fog_sizes(s)
    elif game is misty:
        assert kind_counts(s) == BOXES[misty][:14].tolist()
        assert s.aside_size == s.aside.sum()
    else:
        check_98_cards(s)


def check_fog_sizes(s):
    """The numbers everyone may know agree with what is really there."""
    assert s.supply_size == s.supply.sum() + s.returned_back.sum()
    assert s.returned.tolist() == s.returned_back.sum(axis=1).tolist()
    assert s.pile_size.tolist() == [int(s.under[pile].sum() + (s.top[pile] > 0)) for pile in range(3)]
    assert s.deck_size == s.deck.sum()
    assert s.held.tolist() == s.hand.sum(axis=1).tolist()
    assert s.filled.tolist() == np.count_nonzero(s.day, axis=1).tolist()


def most_moves(game, seats):
    """More moves than any game without hints can take."""
    if game is what_the_fog:  # 82 tokens lifted and placed, a few returned; predictions, actions and discards
        return 82 * 2 + 60 + 22 * seats + 4 * 7 * seats + 4 * seats
    if game is misty:  # every round is won by someone, so there are at most seats + 1
        return (seats + 1) * seats * 36
    return 98 * 2 + 1


@pytest.mark.slow
@pytest.mark.clause("FOG-B2", "FOG-B3", "TG-B1", "TG-E3", "EX-E2", "MI-B1", "MI-X4", "FOG-E2")
@pytest.mark.parametrize(("game", "seats", "options"), KINDS, ids=NAMES)
def test_in_random_games_everything_is_accounted_for_and_every_refusal_has_a_clause(game, seats, options):
    for seed in range(amount(5)):
        s = begin(game, seats, options, seed)
        random = Random(seed)
        check_whole(s, game)
        for count, _ in enumerate(random_moves(s, random), 1):
            check_whole(s, game)
            check_refusals(s, game)
            assert outcome(s)[0] == 0
            assert count <= most_moves(game, seats)
        check_whole(s, game)
        ended, _, won = outcome(s)
        assert ended in ENDS[game]
        assert seats_to_act(s) == []
        if game in (what_the_fog, misty):
            assert any(won)
        else:
            assert won == [ended == TG_E3] * seats
        for seat in range(seats):
            assert (refusals(s, seat) > 0).all()


def check_refusals(s, game):
    """Who is to act can do something; who isn't can only talk; every no has a clause of this game."""
    waiting = seats_to_act(s)
    talk = the_game_moves_end(s)
    for seat in range(s.seats):
        codes = refusals(s, seat)
        assert {int(code) // 100 for code in codes[codes > 0]} <= OWN[game]
        assert (codes[:talk] == 0).any() == (seat in waiting)


@pytest.mark.clause("TG-H3", "EX-H1")
@pytest.mark.parametrize("game", [the_game, extreme])
def test_talking_all_the_time_changes_nothing_about_the_cards(game):
    for seed in range(amount(12)):
        s = begin(game, 1 + seed % 5, OPTIONS[game][seed % 4], seed)
        before = None
        for _, move in random_moves(s, Random(seed), talk=0.5):
            check_98_cards(s)
            now = (s.tops.tolist(), s.hand.tolist(), int(s.left), int(s.active), int(s.played))
            assert before in (None, now)  # before the last move, if that was a hint
            before = now if move >= the_game_moves_end(s) else None
        assert outcome(s)[0] in ENDS[game]


@pytest.mark.clause("FOG-E2", "TG-E3", "EX-E1", "MI-X4")
@pytest.mark.parametrize(("game", "seats", "options"), KINDS, ids=NAMES)
@pytest.mark.parametrize("name", ["random", "simple"])
def test_games_between_the_first_policies_end_whole(game, seats, options, name):
    rng = np.array([1, 2, 3, 4], np.int64)
    policies = np.full(seats, policy.POLICIES[name], np.int64)
    for seed in range(amount(12)):
        s = begin(game, seats, options, seed)
        moves = play_out(s, policies, rng, None, None)
        assert 0 <= moves <= most_moves(game, seats)
        assert outcome(s)[0] in ENDS[game]
        check_whole(s, game)


@pytest.mark.clause("MI-X4")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_of_misty_ends_when_someone_has_won_two_rounds(seats):
    for seed in range(amount(20)):
        s = begin(misty, seats, (seed % 2,), seed)
        for _ in random_moves(s, Random(seed)):
            assert s.wins.max() < 2
            assert round_of(s) <= seats + 1
        wins = s.wins[:seats].tolist()
        assert max(wins) == 2
        assert outcome(s) == (MI_X4, wins, [number == 2 for number in wins])


@pytest.mark.parametrize("game", list(OPTIONS), ids=[game.__name__.rsplit(".", 1)[-1] for game in OPTIONS])
def test_no_field_of_a_record_is_hidden_by_a_method_of_numpys_records(game):
    """Interpreted, `s.name` must read the field: NumPy looks for its own attributes first."""
    assert [name for name in game.STATE.names if hasattr(np.record, name)] == []


@pytest.mark.parametrize("game", list(OPTIONS), ids=[game.__name__.rsplit(".", 1)[-1] for game in OPTIONS])
def test_the_same_chance_gives_the_same_game(game):
    ends = []
    for _ in range(2):
        s = begin(game, 2, seed=77)
        for _ in random_moves(s, Random(77)):
            pass
        ends.append(s.tobytes())
    assert ends[0] == ends[1]
