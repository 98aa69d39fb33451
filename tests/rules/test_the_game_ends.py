"""The Game: how it ends, and the moves that end it."""

import pytest

from nevel.engine.tracing import EVERYONE
from nevel.games.the_game.rules.clauses import TG_E1, TG_E2, TG_E3
from nevel.games.the_game.rules.table import ENDED
from tests.rules.positions import (
    CHOOSING,
    DOWN_1,
    DOWN_2,
    END_TURN,
    OVER,
    PLAYING,
    START,
    UP_1,
    act,
    card_on,
    copy_of,
    losing_clause,
    of_kind,
    outcome,
    piles,
    refusal,
    refusals,
    seats_to_act,
)

#: Tops on which next to nothing fits any more.
NEARLY_SHUT = (97, 96, 4, 5)


# ---------------------------------------------------------------- ends


@pytest.mark.clause("TG-E1")
def test_the_game_ends_at_once_when_a_turn_cant_be_played():
    s = piles([[50, 51, 2, 3], [40, 41, 42]], tops=(50 + 40, 91, 10, 9), left=20)
    act(s, 0, card_on(2, DOWN_1))
    act(s, 0, card_on(3, DOWN_2))
    events = act(s, 0, END_TURN)
    assert (s.phase, s.ended) == (OVER, TG_E1)
    assert of_kind(ENDED, events)[0][1:3] == (EVERYONE, TG_E1)
    assert seats_to_act(s) == []
    assert s.held[1] == 3


@pytest.mark.clause("TG-E1")
def test_the_cards_that_would_still_fit_are_not_played():
    s = piles([[98, 50, 51], [60]], tops=NEARLY_SHUT, phase=CHOOSING)
    act(s, 0, START)
    assert (s.phase, s.ended) == (OVER, TG_E1)
    assert s.held[0] == 3
    assert outcome(s) == (TG_E1, [-24, -24], [False, False])


@pytest.mark.clause("TG-E1")
@pytest.mark.parametrize(
    ("hand", "tops", "is_playable"),
    [
        ([86, 87, 50], NEARLY_SHUT, True),  # two tricks
        ([87, 97, 50], (97 - 1, 96 - 1, 4, 5), True),  # 97 first makes 87 possible
        ([87, 77, 50], NEARLY_SHUT, True),  # a trick after a trick
        ([87, 50, 51], (97, 99, 2, 3), False),  # 87, and then 50 and 51 fit nowhere
        ([88, 50, 51], (97, 98, 2, 3), False),  # ten below 98, but one card only
        ([88, 89, 50], (97, 98, 2, 3), True),
        ([50, 51, 52], (97, 98, 2, 3), False),
        ([99, 98], (97, 97, 2, 2), True),  # in one order only
        ([98, 88], (97, 99, 2, 2), True),  # the first card makes the second possible
        ([3, 13], (99, 99, 4, 2), True),
        ([14], (99, 99, 4, 2), False),  # a single card
    ],
)
def test_a_pair_is_searched_for_since_the_first_card_may_make_the_second_possible(hand, tops, is_playable):
    s = piles([hand, [60]], tops=tops, phase=CHOOSING)
    act(s, 0, START)
    assert (s.phase == PLAYING) == is_playable
    assert s.ended == (0 if is_playable else TG_E1)


@pytest.mark.clause("TG-E1", "TG-T5")
def test_with_an_empty_draw_pile_one_playable_card_is_enough():
    s = piles([[98, 50, 51], [60]], tops=NEARLY_SHUT, left=0, phase=CHOOSING)
    act(s, 0, START)
    assert s.phase == PLAYING
    s = piles([[50, 51], [60]], tops=NEARLY_SHUT, left=0, phase=CHOOSING)
    act(s, 0, START)
    assert s.ended == TG_E1


@pytest.mark.clause("TG-E1", "TG-T6")
def test_a_player_without_cards_doesnt_end_the_game():
    s = piles([[98], [], [99]], tops=NEARLY_SHUT, left=0)
    act(s, 0, card_on(98, UP_1))
    assert s.phase == PLAYING
    act(s, 0, END_TURN)
    assert (s.phase, s.active) == (PLAYING, 2)


@pytest.mark.clause("TG-E2")
def test_who_plays_a_card_and_then_cant_reach_the_minimum_has_ended_the_game():
    s = piles([[97, 98, 50], [60, 61]], tops=(96, 99, 2, 3), left=20)
    foolish, wise = card_on(98, UP_1), card_on(97, UP_1)
    assert refusal(s, 0, foolish) == refusal(s, 0, wise) == 0
    assert (losing_clause(s, 0, foolish), losing_clause(s, 0, wise)) == (TG_E2, 0)
    other = copy_of(s)
    events = act(other, 0, foolish)
    assert (other.phase, other.ended) == (OVER, TG_E2)
    assert of_kind(ENDED, events)[0][1:3] == (EVERYONE, TG_E2)
    assert outcome(other) == (TG_E2, [-24, -24], [False, False])
    act(s, 0, wise)
    assert s.phase == PLAYING


@pytest.mark.clause("TG-E2", "TG-V1")
def test_the_third_card_of_the_expert_variant_is_foreseen_too():
    s = piles([[95, 96, 98, 50], [60, 61]], tops=(94, 99, 2, 3), left=20, minimum=3)
    assert losing_clause(s, 0, card_on(95, UP_1)) == 0
    assert losing_clause(s, 0, card_on(96, UP_1)) == losing_clause(s, 0, card_on(98, UP_1)) == TG_E2
    act(s, 0, card_on(95, UP_1))
    assert losing_clause(s, 0, card_on(96, UP_1)) == 0
    assert losing_clause(s, 0, card_on(98, UP_1)) == TG_E2
    act(s, 0, card_on(98, UP_1))
    assert s.ended == TG_E2


@pytest.mark.clause("TG-E2")
def test_beyond_the_minimum_no_card_is_a_dead_end():
    s = piles([[97, 98, 99, 50], [60, 61]], tops=(96, 99 - 4, 2, 3), left=20)
    act(s, 0, card_on(97, UP_1))
    act(s, 0, card_on(98, UP_1))
    assert losing_clause(s, 0, card_on(99, UP_1)) == 0
    act(s, 0, card_on(99, UP_1))
    assert s.phase == PLAYING
    assert losing_clause(s, 0, END_TURN) == 0


@pytest.mark.clause("TG-E3")
def test_all_98_cards_played_is_a_win():
    s = piles([[50], [51]], left=0)
    act(s, 0, card_on(50, UP_1))
    assert outcome(s) == (0, [-1, -1], [False, False])
    act(s, 0, END_TURN)
    events = act(s, 1, card_on(51, UP_1))
    assert (s.phase, s.ended) == (OVER, TG_E3)
    assert of_kind(ENDED, events)[0][1:3] == (EVERYONE, TG_E3)
    assert outcome(s) == (TG_E3, [0, 0], [True, True])


@pytest.mark.clause("TG-E3")
def test_otherwise_the_result_is_the_number_of_cards_left_in_hands_and_draw_pile():
    s = piles([[50, 51, 52], [60, 61], [62]], tops=(98, 97, 3, 4), left=13, phase=CHOOSING)
    act(s, 1, START)
    assert outcome(s) == (TG_E1, [-19] * 3, [False] * 3)


@pytest.mark.clause("TG-E3")
def test_after_the_end_nothing_is_allowed():
    s = piles([[50, 51, 52], [60, 61]], tops=(98, 97, 3, 4), left=13, phase=CHOOSING)
    act(s, 1, START)
    for seat in range(2):
        assert set(refusals(s, seat).tolist()) == {TG_E3}
