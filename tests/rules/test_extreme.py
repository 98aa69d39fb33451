"""The Game: Extreme: the box, the seven commands, what is refused, what loses."""

import itertools

import numpy as np
import pytest
from positions import (
    BOXES,
    CHOOSING,
    DOWN_1,
    DOWN_2,
    END_TURN,
    OVER,
    PLAYING,
    START,
    UP_1,
    UP_2,
    act,
    amount,
    begin,
    card_on,
    check_98_cards,
    copy_of,
    doom,
    hand_of,
    legal_moves,
    of_kind,
    outcome,
    piles,
    refusal,
    seats_to_act,
)
from the_game_model import EXTREME

from nevel.rules import extreme
from nevel.rules.clauses import (
    EX_E1,
    EX_E2,
    EX_I3,
    EX_I4,
    EX_L2,
    EX_L3,
    EX_L4,
    EX_L5,
    TG_E2,
    TG_E3,
    TG_S1,
    TG_S2,
    TG_T1,
    TG_T2,
    TG_T3,
    TG_T4,
    TG_T5,
    TG_V1,
)
from nevel.rules.extreme import COMMANDED, LAPSED
from nevel.rules.the_game_table import DREW, ENDED
from nevel.rules.tracing import EVERYONE

NAMES = ("stop", "skull", "three", "silence", "no-trick", "one-pile", "draw-one")


def table(*hands, **more):
    """A turn of Extreme is about to begin."""
    return piles(hands, game=extreme, **more)


def start(*hands, **more):
    """The first seat takes the first turn."""
    s = table(*hands, phase=CHOOSING, **more)
    act(s, 0, START)
    return s


def play(s, seat, *cards):
    """Play cards, each given with its pile; gives the events of the last."""
    events = []
    for card, pile in cards:
        events = act(s, seat, card_on(card, pile))
    return events


# ---------------------------------------------------------------- box


@pytest.mark.clause("EX-B1")
def test_28_cards_carry_seven_commands_four_each():
    s = begin(extreme, 2)
    printed = {card: NAMES[s.command[card] - 1] for card in range(101) if s.command[card]}
    assert printed == EXTREME
    assert len(printed) == 28
    assert list(BOXES[extreme][5:]) == list(s.command)


@pytest.mark.clause("EX-B1")
def test_an_option_deals_the_commands_at_random():
    tables = []
    on_card = np.zeros(101, np.int64)
    games = amount(600)
    for seed in range(games):
        s = begin(extreme, 3, (2, 0, 1), seed)
        assert sorted(s.command.tolist()) == sorted(BOXES[extreme][5:].tolist())
        assert not s.command[[0, 1, 100]].any()
        check_98_cards(s)
        tables.append(tuple(s.command))
        on_card += s.command > 0
    assert len(set(tables)) == games
    if games >= 600:
        assert on_card[2:100].min() > games * 28 / 98 * 0.6
        assert on_card[2:100].max() < games * 28 / 98 * 1.4
    for seed in range(5):
        assert list(begin(extreme, 3, (2, 0, 0), seed).command) == list(BOXES[extreme][5:])


@pytest.mark.clause("EX-B2")
@pytest.mark.parametrize(("seats", "size"), [(1, 8), (2, 7), (3, 6), (4, 6), (5, 6)])
def test_hand_sizes_and_minimum_are_those_of_the_game(seats, size):
    s = begin(extreme, seats)
    assert list(s.held[:seats]) == [size] * seats
    assert s.left == 98 - size * seats
    assert tuple(extreme.SEATS) == (1, 5)
    s = begin(extreme, seats, (3, 1, 0))
    assert list(s.held[:seats]) == [size - 1] * seats
    assert s.minimum == 3


@pytest.mark.clause("EX-B2")
def test_the_minimum_is_two_or_three_or_one_with_an_empty_draw_pile():
    for minimum, left, need, clause in ((2, 9, 2, TG_T1), (3, 9, 3, TG_V1), (2, 0, 1, TG_T5), (3, 0, 1, TG_T5)):
        s = start([5, 6, 8, 9], [60], minimum=minimum, left=left)
        for card in (5, 6, 8)[:need]:
            assert refusal(s, 0, END_TURN) == clause
            play(s, 0, (card, UP_1))
        assert refusal(s, 0, END_TURN) == 0


@pytest.mark.clause("EX-B2", "EX-T1")
def test_everything_else_is_refused_as_in_the_game():
    s = table([40, 50, 60], [41, 51, 61], tops=(51, 1, 100, 100), phase=CHOOSING)
    assert refusal(s, 0, card_on(40, UP_1)) == refusal(s, 0, END_TURN) == TG_S2
    act(s, 0, START)
    assert refusal(s, 1, card_on(61, UP_1)) == refusal(s, 1, END_TURN) == TG_T4
    assert refusal(s, 0, card_on(61, UP_1)) == TG_S1
    assert refusal(s, 0, card_on(40, UP_1)) == TG_T3
    assert refusal(s, 0, card_on(50, UP_1)) == TG_T2
    assert refusal(s, 0, card_on(60, UP_1)) == 0
    assert refusal(s, 0, START) == refusal(s, 1, START) == TG_S2


# ---------------------------------------------------------------- several commands


@pytest.mark.clause("EX-T1")
def test_several_commands_in_one_turn_all_hold():
    s = start([7, 10, 11, 12, 13], [60, 61])
    play(s, 0, (7, UP_1), (10, UP_2))  # a skull and a three
    assert refusal(s, 0, END_TURN) in (EX_L2, EX_L4)
    play(s, 0, (11, UP_1))
    assert refusal(s, 0, card_on(12, UP_1)) == EX_L4
    act(s, 0, END_TURN)
    assert s.active == 1


@pytest.mark.clause("EX-T1", "EX-E2")
def test_a_skull_left_open_after_three_cards_loses():
    s = start([7, 10, 11, 12, 13], [60, 61])
    play(s, 0, (7, UP_1), (10, UP_2))
    assert doom(s, 0, card_on(11, UP_2)) == EX_E2
    assert doom(s, 0, card_on(11, UP_1)) == 0
    events = play(s, 0, (11, UP_2))
    assert (s.phase, s.ended) == (OVER, EX_E2)
    assert of_kind(ENDED, events)[0][1:3] == (EVERYONE, EX_E2)
    assert not any(outcome(s)[2])


@pytest.mark.clause("EX-T1")
@pytest.mark.parametrize("card", sorted(EXTREME))
def test_a_command_is_announced_when_its_card_is_played(card):
    s = start([card, 50, 51, 53], [60, 61])
    pile = UP_1 if card < 50 else DOWN_1
    events = play(s, 0, (card, pile))
    assert of_kind(COMMANDED, events)[0][1:4] == (EVERYONE, 0, 1 + NAMES.index(EXTREME[card]))
    s = start([6, 50, 51, 53], [60, 61])
    assert not of_kind(COMMANDED, play(s, 0, (6, UP_1)))


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
    assert doom(s, 0, card_on(45, UP_1)) == EX_L3
    play(s, 0, (45, UP_1))
    assert (s.phase, s.ended) == (OVER, EX_L3)
    assert outcome(s)[2] == [False, False]


@pytest.mark.clause("EX-L3")
def test_the_last_card_wins_if_it_covers_the_skull():
    s = start([45, 46], [], left=0)
    assert doom(s, 0, card_on(45, UP_1)) == 0
    play(s, 0, (45, UP_1))
    assert s.phase == PLAYING
    assert (doom(s, 0, card_on(46, UP_1)), doom(s, 0, card_on(46, UP_2))) == (0, EX_L3)
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
    assert doom(s, 0, card_on(10, UP_1)) == EX_L5
    events = play(s, 0, (10, UP_1))
    assert (s.phase, s.ended) == (OVER, EX_L5)
    assert of_kind(ENDED, events)[0][1:3] == (EVERYONE, EX_L5)
    assert outcome(s) == (EX_L5, [-3, -3], [False, False])


@pytest.mark.clause("EX-L5")
def test_cards_played_before_a_three_count():
    s = table([5, 10, 20], [60, 61], left=0)
    play(s, 0, (5, UP_1))
    assert doom(s, 0, card_on(10, UP_1)) == 0
    play(s, 0, (10, UP_1))
    assert s.phase == PLAYING
    s = table([5, 10], [60, 61], left=0)
    play(s, 0, (5, UP_1))
    assert doom(s, 0, card_on(10, UP_1)) == EX_L5
    play(s, 0, (10, UP_1))
    assert s.ended == EX_L5


@pytest.mark.clause("EX-L5")
def test_the_very_last_card_cant_be_a_three_unless_it_is_the_third():
    s = table([9, 10], [], left=0)
    play(s, 0, (9, UP_1))
    assert doom(s, 0, card_on(10, UP_1)) == EX_L5
    play(s, 0, (10, UP_1))
    assert outcome(s)[0] == EX_L5
    assert not any(outcome(s)[2])
    s = table([8, 9, 10], [], left=0)
    play(s, 0, (8, UP_1), (9, UP_1))
    assert doom(s, 0, card_on(10, UP_1)) == 0
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


# ---------------------------------------------------------------- ends


@pytest.mark.clause("EX-E1")
def test_one_card_and_a_draw_pile_is_lost_unless_it_is_a_stop():
    for card, clause in ((50, EX_E1), (7, EX_E1), (10, EX_E1), (21, EX_E1), (42, 0), (59, 0)):
        assert start([card], [60, 61]).ended == clause
    assert start([42], [60, 61], tops=(90, 91, 10, 11)).ended == EX_E1  # a stop that can't be played
    assert start([50], [60, 61], left=0).ended == 0


SHUT = (95, 96, 5, 6)  # above 96, below 5, or ten back: nothing else fits


@pytest.mark.clause("EX-E1")
@pytest.mark.parametrize(
    ("hand", "tops", "is_playable"),
    [
        # plainly
        ([50, 51, 53], SHUT, False),
        ([97, 99, 50], SHUT, True),
        ([97, 50, 51], SHUT, False),
        ([85, 86, 50], SHUT, True),
        # stop
        ([98, 50, 51], SHUT, True),
        ([97, 98, 50], (96, 97 - 1, 5, 6), True),
        ([59, 50, 51], SHUT, False),
        # skull: 94 is one; it fits on 93 and must be covered
        ([94, 50, 51], (93, 99, 5, 2), False),
        ([94, 97, 50], (93, 99, 5, 2), True),
        ([94, 84, 50], (93, 99, 5, 2), True),  # by a trick
        ([94, 98, 50], (93, 99, 5, 2), True),  # by a stop
        ([94, 4, 50], (93, 99, 5, 2), False),  # the other card fits another pile only
        ([94, 4, 3], (93, 99, 5, 2), True),  # but a stop alone is enough
        # three: 91 is one
        ([91, 92, 50], (90, 99, 2, 2), False),
        ([91, 92, 93], (90, 99, 2, 2), True),
        ([91, 92, 98], (90, 99, 2, 2), True),
        ([91, 98, 50], (90, 99, 2, 2), True),  # the stop alone
        ([91, 81, 50], (90, 99, 2, 2), False),  # two cards fit, but no third
        # no-trick: 17 is one, and 70
        ([85, 86, 50], (95, 96, 5, 4), True),
        ([85, 86, 50], (95, 96, 5, 17), False),
        ([85, 86, 16], (95, 96, 5, 17), True),
        ([86, 76, 75], (96, 99, 2, 70), False),  # 70 is a no-trick: neither 86 nor 76 ten back, 75 not below
        ([86, 76, 69], (96, 99, 2, 70), True),  # 69 covers it, then 86 is a trick
        # one-pile: 80 on a falling pile
        ([97, 81], (96, 99, 2, 80), False),  # 97 fits nothing but the first pile, 81 nothing at all
        ([97, 79], (96, 99, 2, 80), True),  # 79 covers it first
        ([97, 3], (96, 99, 4, 66), True),
        ([97, 3], (96, 99, 4, 2), True),
        # draw-one and silence mean nothing here
        ([97, 99], (96, 98, 2, 24), True),
        ([97, 99], (96, 98, 2, 14), True),
        ([97, 50], (96, 98, 2, 14), False),
    ],
)
def test_at_the_start_there_must_be_a_way_to_a_proper_end(hand, tops, is_playable):
    s = start(hand, [60, 61], tops=tops)
    assert s.ended == (0 if is_playable else EX_E1)
    assert (s.phase == PLAYING) == is_playable
    assert s.held[0] == len(hand)


@pytest.mark.clause("EX-E1", "EX-I4")
def test_under_one_pile_two_cards_for_two_piles_arent_enough():
    for last, clause in ((67, 0), (66, EX_E1)):  # 66 is a one-pile, and neither card can cover it
        assert start([97, 74], [60, 61], tops=(96, 99, 75, last)).ended == clause


@pytest.mark.clause("EX-E1")
def test_the_next_player_is_judged_too_when_a_turn_ends():
    s = table([97, 3], [50, 51], tops=(96, 99, 4, 2))
    play(s, 0, (97, UP_1), (3, DOWN_1))  # the 3 is a stop
    assert (s.phase, s.ended) == (OVER, EX_E1)
    assert outcome(s)[0] == EX_E1
    assert seats_to_act(s) == []


@pytest.mark.clause("EX-E2")
def test_what_only_leads_into_a_dead_end_is_legal_and_foretold():
    s = start([94, 97, 99, 50], [60, 61], tops=(93, 98, 5, 2))
    dead = card_on(99, UP_1)  # after it the skull fits nowhere, and nothing else does
    assert refusal(s, 0, dead) == 0
    assert doom(s, 0, dead) == EX_E2
    assert doom(s, 0, card_on(94, UP_1)) == 0
    play(s, 0, (99, UP_1))
    assert s.ended == EX_E2
    assert outcome(s)[2] == [False, False]


@pytest.mark.clause("EX-E2")
def test_the_game_goes_on_as_long_as_something_can_be_played_even_if_it_is_doomed():
    s = start([7, 8, 9, 96], [60, 61], tops=(5, 95, 6, 4))
    play(s, 0, (8, UP_1), (9, UP_1))
    hopeless = card_on(96, UP_1)
    assert doom(s, 0, hopeless) == 0  # the minimum is reached
    s = start([45, 46, 47, 8], [60, 61], tops=(44, 99, 2, 2))
    play(s, 0, (46, UP_1))
    assert doom(s, 0, card_on(47, UP_1)) == 0
    s = start([94, 95, 96, 7], [60, 61], tops=(93, 99, 8, 2))
    play(s, 0, (94, UP_1))
    assert doom(s, 0, card_on(7, DOWN_1)) == EX_E2  # 95 and 96 can cover one skull, nothing the other
    play(s, 0, (7, DOWN_1))
    assert s.phase == PLAYING
    play(s, 0, (95, UP_1))
    assert s.phase == PLAYING
    play(s, 0, (96, UP_1))
    assert s.ended == EX_E2


@pytest.mark.clause("EX-E2")
def test_what_would_break_a_command_on_the_spot_is_refused_with_its_clause():
    s = table([40, 41], [60], tops=(50, 17, 100, 100))
    assert refusal(s, 0, card_on(40, UP_1)) == EX_I3
    s = table([40, 41], [60], tops=(1, 35, 100, 100))
    play(s, 0, (40, UP_1))
    assert refusal(s, 0, card_on(41, UP_2)) == EX_I4
    s = table([10, 11, 12, 13], [60])
    play(s, 0, (10, UP_1), (11, UP_1), (12, UP_1))
    assert refusal(s, 0, card_on(13, UP_1)) == EX_L4
    s = table([10, 8, 9, 6], [60])
    play(s, 0, (6, UP_1), (8, UP_1), (9, UP_1))
    assert refusal(s, 0, card_on(10, UP_1)) == EX_L4
    s = table([10, 42, 43], [60])
    play(s, 0, (10, UP_1))
    assert refusal(s, 0, card_on(42, UP_1)) == refusal(s, 0, END_TURN) == EX_L4
    s = table([45, 42, 44, 41], [60])
    play(s, 0, (41, UP_2), (45, UP_1))
    assert refusal(s, 0, card_on(42, UP_2)) == refusal(s, 0, END_TURN) == EX_L2
    s = table([40, 41], [60])
    assert refusal(s, 0, END_TURN) == TG_T1


@pytest.mark.clause("EX-E2", "TG-E2")
def test_a_first_card_after_which_nothing_fits_loses():
    s = start([97, 99, 50], [60, 61], tops=(96, 98, 3, 2))
    assert doom(s, 0, card_on(99, UP_1)) == EX_E2
    assert [doom(s, 0, card_on(97, UP_1)), doom(s, 0, card_on(99, UP_2))] == [0, 0]
    play(s, 0, (99, UP_1))
    assert s.phase == OVER
    assert s.ended in (EX_E2, TG_E2)


@pytest.mark.clause("EX-T1", "EX-L2", "EX-L4")
def test_no_order_of_a_skull_a_three_and_two_others_ends_with_a_broken_command():
    cards = (7, 10, 11, 12)
    for order in itertools.permutations(cards):
        for where in itertools.product((UP_1, UP_2), repeat=4):
            s = table([*cards, 50], [60, 61])
            for card, pile in zip(order, where, strict=True):
                move = card_on(card, pile)
                if s.phase != PLAYING or s.active != 0 or refusal(s, 0, move):
                    break
                act(s, 0, move)
                if s.phase == PLAYING and refusal(s, 0, END_TURN) == 0:
                    played = [c for c in order if c not in hand_of(s, 0)]
                    assert 7 not in (s.tops[UP_1], s.tops[UP_2])
                    assert 10 not in played or len(played) == 3
