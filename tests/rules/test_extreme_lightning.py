"""The Game: Extreme: lightning, the commands for this turn: stop, skull, three."""

import pytest

from nevel.engine.tracing import EVERYONE
from nevel.games.the_game.rules.clauses import EX_E1, EX_E2, EX_L2, EX_L3, EX_L4, EX_L5, TG_E3
from nevel.games.the_game.rules.table import ENDED
from tests.rules.extreme_positions import play, start, table
from tests.rules.positions import (
    DOWN_1,
    DOWN_2,
    END_TURN,
    OVER,
    PLAYING,
    UP_1,
    UP_2,
    act,
    card_on,
    copy_of,
    legal_moves,
    losing_clause,
    of_kind,
    outcome,
    refusal,
)

# ---------------------------------------------------------------- stop


@pytest.mark.clause("EX-L1")
@pytest.mark.parametrize("before", [0, 1, 2, 4])
def test_a_stop_ends_the_turn_even_as_the_first_card(before):
    hand = [5, 6, 8, 9]
    s = start([*hand, 42, 43], [60, 61])
    play(s, 0, *((card, UP_1) for card in hand[:before]))
    play(s, 0, (42, UP_2))
    assert (s.phase, s.active) == (PLAYING, 1)
    assert s.held[0] == 6
    assert s.left == 20 - before - 1


@pytest.mark.clause("EX-L1")
@pytest.mark.parametrize("card", [3, 42, 59, 98])
def test_every_stop_card_stops(card):
    s = start([card, 5, 6], [60, 61, 62], minimum=3)
    play(s, 0, (card, UP_1))
    assert (s.phase, s.active) == (PLAYING, 1)


# ---------------------------------------------------------------- skull


@pytest.mark.clause("EX-L2")
@pytest.mark.parametrize("card", [7, 45, 56, 94])
def test_a_turn_cant_end_while_a_skull_of_it_is_on_top(card):
    s = start([5, 6, card, 95], [60, 61])
    play(s, 0, (5, UP_1), (6, UP_1), (card, UP_2))
    assert refusal(s, 0, END_TURN) == EX_L2
    play(s, 0, (95, UP_1))
    assert refusal(s, 0, END_TURN) == EX_L2 if s.phase == PLAYING else s.ended == EX_E2
    s = start([5, 6, card, 95], [60, 61])
    play(s, 0, (5, UP_1), (6, UP_1), (card, UP_2), (95, UP_2))
    act(s, 0, END_TURN)
    assert s.active == 1


@pytest.mark.clause("EX-L2")
def test_a_skull_must_be_covered_even_if_the_minimum_is_reached():
    s = start([7, 45, 46, 50], [60, 61])
    play(s, 0, (7, UP_1), (45, UP_1))  # a skull covers a skull
    assert refusal(s, 0, END_TURN) == EX_L2
    play(s, 0, (46, UP_1))
    act(s, 0, END_TURN)


@pytest.mark.clause("EX-L2")
def test_a_stop_may_cover_a_skull_but_not_be_played_while_another_pile_shows_one():
    s = start([7, 42, 46, 50], [60, 61])
    play(s, 0, (7, UP_1))
    for pile in (UP_2, DOWN_1, DOWN_2):
        assert refusal(s, 0, card_on(42, pile)) == EX_L2
    play(s, 0, (42, UP_1))
    assert s.active == 1
    s = start([7, 42, 94, 50], [60, 61])
    play(s, 0, (7, UP_1), (94, DOWN_1))
    assert {refusal(s, 0, card_on(42, pile)) for pile in range(4)} == {EX_L2}


@pytest.mark.clause("EX-L2")
def test_a_skull_can_be_covered_backwards():
    s = start([45, 35, 50], [60, 61])
    play(s, 0, (45, UP_1), (35, UP_1))
    assert refusal(s, 0, END_TURN) == 0


@pytest.mark.clause("EX-L3")
def test_a_skull_on_top_after_the_last_card_loses():
    s = start([45], [], left=0, tops=(1, 1, 44, 44))
    assert s.ended == EX_E1  # it can't be covered, so the turn can't be played
    s = table([44, 45], [], left=0)
    play(s, 0, (44, UP_1))
    assert losing_clause(s, 0, card_on(45, UP_1)) == EX_L3
    play(s, 0, (45, UP_1))
    assert (s.phase, s.ended) == (OVER, EX_L3)
    assert outcome(s)[2] == [False, False]


@pytest.mark.clause("EX-L3")
def test_the_last_card_wins_if_it_covers_the_skull():
    s = start([45, 46], [], left=0)
    assert losing_clause(s, 0, card_on(45, UP_1)) == 0
    play(s, 0, (45, UP_1))
    assert s.phase == PLAYING
    assert (losing_clause(s, 0, card_on(46, UP_1)), losing_clause(s, 0, card_on(46, UP_2))) == (0, EX_L3)
    other = copy_of(s)
    play(other, 0, (46, UP_2))
    assert other.ended == EX_L3
    play(s, 0, (46, UP_1))
    assert outcome(s) == (TG_E3, [0, 0], [True, True])


@pytest.mark.clause("EX-L3", "EX-L1")
def test_the_last_card_may_be_a_stop():
    s = start([42], [], left=0)
    play(s, 0, (42, UP_1))
    assert outcome(s) == (TG_E3, [0, 0], [True, True])


# ---------------------------------------------------------------- three


@pytest.mark.clause("EX-L4")
@pytest.mark.parametrize("position", [1, 2, 3])
def test_three_means_exactly_three_cards_counting_those_before_it(position):
    cards = [11, 12]
    cards.insert(position - 1, 10)
    others = iter((UP_1, UP_1))
    s = start([10, 11, 12, 13, 15], [60, 61])
    for count, card in enumerate(cards):
        if count >= position:
            assert refusal(s, 0, END_TURN) == EX_L4
        play(s, 0, (card, UP_2 if card == 10 else next(others)))
    for card in (13, 15):
        assert {refusal(s, 0, card_on(card, pile)) for pile in range(4)} == {EX_L4}
    assert legal_moves(s, 0)[0] == END_TURN
    act(s, 0, END_TURN)
    assert s.active == 1


@pytest.mark.clause("EX-L4")
@pytest.mark.parametrize("card", [10, 49, 52, 91])
def test_a_three_cant_be_the_fourth_card_or_later(card):
    s = start([2, 4, 5, 6, 8, card], [60, 61])
    play(s, 0, (2, UP_1), (4, UP_1))
    assert refusal(s, 0, card_on(card, UP_1)) == 0
    play(s, 0, (5, UP_1))
    assert refusal(s, 0, card_on(card, UP_1)) == EX_L4
    play(s, 0, (6, UP_1))
    assert refusal(s, 0, card_on(card, UP_1)) == EX_L4
    assert refusal(s, 0, END_TURN) == 0


@pytest.mark.clause("EX-L4")
def test_under_three_a_stop_is_allowed_as_the_third_card_only():
    s = start([5, 10, 42, 50], [60, 61])
    play(s, 0, (10, UP_1))
    assert refusal(s, 0, card_on(42, UP_1)) == EX_L4
    play(s, 0, (5, UP_2))
    assert refusal(s, 0, card_on(42, UP_1)) == 0
    play(s, 0, (42, UP_1))  # the book's example: a card, a three, a stop
    assert s.active == 1
    assert s.held[0] == 6
    s = start([5, 6, 10, 42, 50], [60, 61])
    play(s, 0, (5, UP_1), (6, UP_1), (10, UP_1))
    assert refusal(s, 0, card_on(42, UP_1)) == EX_L4


@pytest.mark.clause("EX-L4")
def test_two_threes_still_mean_three_cards():
    s = start([10, 49, 50, 51], [60, 61])
    play(s, 0, (10, UP_1), (49, UP_1))
    assert refusal(s, 0, END_TURN) == EX_L4
    play(s, 0, (50, UP_1))
    assert refusal(s, 0, card_on(51, UP_1)) == EX_L4
    act(s, 0, END_TURN)


@pytest.mark.clause("EX-L5")
def test_who_has_too_few_cards_to_make_three_has_lost_by_playing_it():
    s = table([10, 20], [60, 61], left=0)
    assert refusal(s, 0, card_on(10, UP_1)) == 0
    assert losing_clause(s, 0, card_on(10, UP_1)) == EX_L5
    events = play(s, 0, (10, UP_1))
    assert (s.phase, s.ended) == (OVER, EX_L5)
    assert of_kind(ENDED, events)[0][1:3] == (EVERYONE, EX_L5)
    assert outcome(s) == (EX_L5, [-3, -3], [False, False])


@pytest.mark.clause("EX-L5")
def test_cards_played_before_a_three_count():
    s = table([5, 10, 20], [60, 61], left=0)
    play(s, 0, (5, UP_1))
    assert losing_clause(s, 0, card_on(10, UP_1)) == 0
    play(s, 0, (10, UP_1))
    assert s.phase == PLAYING
    s = table([5, 10], [60, 61], left=0)
    play(s, 0, (5, UP_1))
    assert losing_clause(s, 0, card_on(10, UP_1)) == EX_L5
    play(s, 0, (10, UP_1))
    assert s.ended == EX_L5


@pytest.mark.clause("EX-L5")
def test_the_very_last_card_cant_be_a_three_unless_it_is_the_third():
    s = table([9, 10], [], left=0)
    play(s, 0, (9, UP_1))
    assert losing_clause(s, 0, card_on(10, UP_1)) == EX_L5
    play(s, 0, (10, UP_1))
    assert outcome(s)[0] == EX_L5
    assert not any(outcome(s)[2])
    s = table([8, 9, 10], [], left=0)
    play(s, 0, (8, UP_1), (9, UP_1))
    assert losing_clause(s, 0, card_on(10, UP_1)) == 0
    play(s, 0, (10, UP_1))
    assert outcome(s)[0] == TG_E3


# ---------------------------------------------------------------- lightning later


@pytest.mark.clause("EX-L6")
def test_lightning_cards_still_on_top_mean_nothing_in_later_turns():
    s = table([50, 51, 53, 54, 42], [60, 61], tops=(7, 10, 94, 98))
    play(s, 0, (50, UP_2), (51, UP_2))
    assert refusal(s, 0, END_TURN) == 0
    assert refusal(s, 0, card_on(53, UP_2)) == refusal(s, 0, card_on(42, DOWN_1)) == 0
    play(s, 0, (53, UP_2), (54, UP_2))
    act(s, 0, END_TURN)
    assert s.active == 1


@pytest.mark.clause("EX-L6", "EX-L4")
def test_a_three_binds_only_its_own_turn():
    s = start([10, 11, 12, 13, 15, 16], [60, 61, 62, 64, 65])
    play(s, 0, (10, UP_2), (11, UP_1), (12, UP_1))
    act(s, 0, END_TURN)
    assert s.tops[UP_2] == 10
    play(s, 1, (60, UP_1), (61, UP_1))
    assert refusal(s, 1, END_TURN) == 0
    play(s, 1, (62, UP_1), (64, UP_1), (65, UP_1))
