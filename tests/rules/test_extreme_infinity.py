"""The Game: Extreme: infinity, the commands that hold while they lie on top."""

import pytest

from nevel.engine.tracing import EVERYONE
from nevel.games.the_game.rules.clauses import EX_I3, EX_I4, TG_T2, TG_T3
from nevel.games.the_game.rules.extreme import LAPSED
from nevel.games.the_game.rules.table import DREW
from tests.rules.extreme_positions import play, start, table
from tests.rules.positions import (
    DOWN_1,
    DOWN_2,
    END_TURN,
    UP_1,
    UP_2,
    act,
    card_on,
    check_98_cards,
    copy_of,
    of_kind,
    refusal,
)

# ---------------------------------------------------------------- infinity


@pytest.mark.clause("EX-I1", "EX-I3")
@pytest.mark.parametrize("card", [17, 31, 70, 84])
def test_under_no_trick_there_is_no_backwards_trick_on_any_pile(card):
    tricks = {UP_1: 40, UP_2: 43, DOWN_1: 60, DOWN_2: 62}
    tops = (50, 53, 50, 52)
    s = table([*tricks.values(), 99], [41], tops=tops)
    assert all(refusal(s, 0, card_on(trick, pile)) == 0 for pile, trick in tricks.items())
    for shown in range(4):
        s = table([*tricks.values(), 99], [41], tops=[card if pile == shown else top for pile, top in enumerate(tops)])
        for pile, trick in tricks.items():
            if pile != shown:
                assert refusal(s, 0, card_on(trick, pile)) == EX_I3
                assert refusal(s, 0, card_on(99, pile)) in (0, TG_T2, TG_T3)


@pytest.mark.clause("EX-I3", "EX-I1")
def test_no_trick_cant_be_covered_by_a_trick_and_lapses_at_once_when_covered():
    s = start([17, 18, 40, 41], [60], tops=(50, 1, 100, 100))
    assert refusal(s, 0, card_on(40, UP_1)) == 0
    play(s, 0, (17, UP_2))
    assert refusal(s, 0, card_on(40, UP_1)) == EX_I3
    events = play(s, 0, (18, UP_2))
    assert of_kind(LAPSED, events)[0][1] == EVERYONE
    assert refusal(s, 0, card_on(40, UP_1)) == 0
    s = table([21, 74, 99], [60], tops=(31, 1, 84, 100))
    assert refusal(s, 0, card_on(21, UP_1)) == EX_I3
    assert refusal(s, 0, card_on(74, DOWN_1)) == 0  # forwards, so no trick at all


@pytest.mark.clause("EX-I1")
def test_infinity_holds_for_everybody_and_over_turns():
    s = start([17, 5, 6], [40, 60, 61], tops=(50, 1, 100, 100))
    play(s, 0, (5, UP_2), (17, UP_2))
    act(s, 0, END_TURN)
    assert s.active == 1
    assert refusal(s, 1, card_on(40, UP_1)) == EX_I3
    play(s, 1, (60, UP_2))
    assert refusal(s, 1, card_on(40, UP_1)) == 0


@pytest.mark.clause("EX-I1", "EX-T1")
def test_several_infinities_hold_together():
    s = table([40, 60, 61, 62], [50], tops=(50, 17, 66, 100))
    assert refusal(s, 0, card_on(40, UP_1)) == EX_I3
    play(s, 0, (60, UP_1))
    assert refusal(s, 0, card_on(61, UP_2)) == EX_I4
    assert refusal(s, 0, card_on(61, UP_1)) == 0


@pytest.mark.clause("EX-I4")
@pytest.mark.parametrize("card", [21, 35, 66, 80])
def test_under_one_pile_the_first_card_chooses_the_pile_for_all(card):
    s = table([40, 41, 43, 44], [50], tops=(1, 1, card, 100) if card > 50 else (1, card, 100, 100))
    shown = DOWN_1 if card > 50 else UP_2
    assert all(refusal(s, 0, card_on(40, pile)) == 0 for pile in range(4))
    play(s, 0, (40, UP_1))
    for pile in range(4):
        assert refusal(s, 0, card_on(41, pile)) == (0 if pile == UP_1 else EX_I4)
    assert refusal(s, 0, card_on(41, shown)) == EX_I4  # not even to cover it
    play(s, 0, (41, UP_1))
    assert refusal(s, 0, card_on(43, DOWN_2)) == EX_I4


@pytest.mark.clause("EX-I4", "EX-I1")
def test_one_pile_lapses_when_the_first_card_covers_it():
    s = table([40, 41, 43, 44], [50], tops=(1, 35, 100, 100))
    play(s, 0, (40, UP_2))
    assert all(refusal(s, 0, card_on(41, pile)) == 0 for pile in range(4))


@pytest.mark.clause("EX-I4")
def test_cards_before_a_one_pile_are_not_judged_again():
    s = start([5, 6, 35, 36, 37], [50])
    play(s, 0, (5, UP_1), (6, UP_2), (35, UP_1))
    assert refusal(s, 0, END_TURN) == 0
    assert [refusal(s, 0, card_on(36, pile)) for pile in range(4)] == [0, EX_I4, EX_I4, EX_I4]


@pytest.mark.clause("EX-I4")
def test_the_next_player_chooses_a_pile_anew():
    s = table([40, 41, 43], [50, 51, 53], tops=(1, 1, 66, 100))
    play(s, 0, (40, UP_1), (41, UP_1))
    act(s, 0, END_TURN)
    assert s.active == 1
    assert [refusal(s, 1, card_on(50, pile)) for pile in range(4)] == [0, 0, 0, 0]


@pytest.mark.clause("EX-I5")
@pytest.mark.parametrize("card", [24, 38, 63, 77])
@pytest.mark.parametrize("count", [2, 4, 6])
def test_under_draw_one_a_turn_draws_one_card_only(card, count):
    hand = [2, 4, 5, 6, 8, 9]
    s = table(hand, [50, 51, 53], tops=(1, card, 100, 100))
    play(s, 0, *((number, UP_1) for number in hand[:count]))
    events = act(s, 0, END_TURN)
    assert s.held[0] == 6 - count + 1
    assert s.left == 19
    assert of_kind(DREW, events)[0][1:4] == (EVERYONE, 0, 1)


@pytest.mark.clause("EX-I5")
def test_what_counts_is_whether_draw_one_is_visible_when_the_turn_ends():
    s = start([2, 24, 25, 26, 27, 29], [50, 51, 53])
    play(s, 0, (2, UP_1), (24, UP_1))
    other = copy_of(s)
    act(other, 0, END_TURN)
    assert (other.held[0], other.left) == (5, 19)
    play(s, 0, (25, UP_1))
    act(s, 0, END_TURN)
    assert (s.held[0], s.left) == (6, 17)


@pytest.mark.clause("EX-I5")
@pytest.mark.parametrize("hand_size", [8, 7, 6])
def test_without_draw_one_the_hand_is_filled_up_even_if_it_was_smaller_before(hand_size):
    s = start([2, 4, 5], [50, 51, 53], hand_size=hand_size)
    assert s.began == 3
    play(s, 0, (2, UP_1), (4, UP_1))
    act(s, 0, END_TURN)
    assert s.held[0] == hand_size
    assert s.left == 20 - (hand_size - 1)
    check_98_cards(s)


@pytest.mark.clause("EX-I5", "EX-L1")
def test_a_turn_ended_by_a_stop_draws_by_the_same_rule():
    s = start([2, 42, 43, 44], [50, 51], tops=(1, 24, 100, 100))
    play(s, 0, (2, UP_1), (42, UP_1))
    assert s.held[0] == 3
    s = start([2, 42, 43, 44], [50, 51], tops=(1, 24, 100, 100))
    play(s, 0, (42, UP_2))
    assert s.held[0] == 6


@pytest.mark.clause("EX-I5")
def test_one_draws_only_as_far_as_the_draw_pile_goes():
    s = start([2, 4, 5], [50, 51, 53], left=2)
    play(s, 0, (2, UP_1), (4, UP_1), (5, UP_1))
    act(s, 0, END_TURN)
    assert (s.held[0], s.left) == (2, 0)
