"""The Game: Extreme: the box, several commands together, what is refused, what loses."""

import itertools

import numpy as np
import pytest

from nevel.engine.tracing import EVERYONE
from nevel.games.the_game.rules import extreme
from nevel.games.the_game.rules.clauses import (
    EX_E1,
    EX_E2,
    EX_I3,
    EX_I4,
    EX_L2,
    EX_L4,
    TG_E2,
    TG_S1,
    TG_S2,
    TG_T1,
    TG_T2,
    TG_T3,
    TG_T4,
    TG_T5,
    TG_V1,
)
from nevel.games.the_game.rules.extreme import COMMANDED
from nevel.games.the_game.rules.table import ENDED
from tests.rules.extreme_positions import play, start, table
from tests.rules.positions import (
    BOXES,
    CHOOSING,
    DOWN_1,
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
    hand_of,
    losing_clause,
    of_kind,
    outcome,
    refusal,
    seats_to_act,
)
from tests.rules.the_game_model import EXTREME

NAMES = ("stop", "skull", "three", "silence", "no-trick", "one-pile", "draw-one")


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
        s = begin(extreme, 3, (2, 0, 0, 1), seed)
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
        assert list(begin(extreme, 3, (2, 0, 0, 0), seed).command) == list(BOXES[extreme][5:])


@pytest.mark.clause("EX-B2")
@pytest.mark.parametrize(("seats", "size"), [(1, 8), (2, 7), (3, 6), (4, 6), (5, 6)])
def test_hand_sizes_and_minimum_are_those_of_the_game(seats, size):
    s = begin(extreme, seats)
    assert list(s.held[:seats]) == [size] * seats
    assert s.left == 98 - size * seats
    assert tuple(extreme.SEATS) == (1, 5)
    s = begin(extreme, seats, (3, 1, 0, 0))
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
    assert losing_clause(s, 0, card_on(11, UP_2)) == EX_E2
    assert losing_clause(s, 0, card_on(11, UP_1)) == 0
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
    assert losing_clause(s, 0, dead) == EX_E2
    assert losing_clause(s, 0, card_on(94, UP_1)) == 0
    play(s, 0, (99, UP_1))
    assert s.ended == EX_E2
    assert outcome(s)[2] == [False, False]


@pytest.mark.clause("EX-E2")
def test_the_game_goes_on_as_long_as_something_can_be_played_even_if_it_is_doomed():
    s = start([7, 8, 9, 96], [60, 61], tops=(5, 95, 6, 4))
    play(s, 0, (8, UP_1), (9, UP_1))
    hopeless = card_on(96, UP_1)
    assert losing_clause(s, 0, hopeless) == 0  # the minimum is reached
    s = start([45, 46, 47, 8], [60, 61], tops=(44, 99, 2, 2))
    play(s, 0, (46, UP_1))
    assert losing_clause(s, 0, card_on(47, UP_1)) == 0
    s = start([94, 95, 96, 7], [60, 61], tops=(93, 99, 8, 2))
    play(s, 0, (94, UP_1))
    assert losing_clause(s, 0, card_on(7, DOWN_1)) == EX_E2  # 95 and 96 can cover one skull, nothing the other
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
    assert losing_clause(s, 0, card_on(99, UP_1)) == EX_E2
    assert [losing_clause(s, 0, card_on(97, UP_1)), losing_clause(s, 0, card_on(99, UP_2))] == [0, 0]
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
