"""The Game: the box, dealing, a turn, its end, the expert variants."""

from collections import Counter

import numpy as np
import pytest

from nevel.engine.tracing import EVERYONE, blank
from nevel.games.the_game import rules as the_game
from nevel.games.the_game.rules.clauses import TG_S1, TG_S2, TG_T1, TG_T2, TG_T3, TG_T4, TG_T5, TG_V1
from nevel.games.the_game.rules.table import DEALT, DRAWN_CARD, DREW, HAND, PLAYED, SKIPPED, STARTED, TURN_ENDED
from tests.rules.positions import (
    BOXES,
    CHOOSING,
    DOWN_1,
    DOWN_2,
    END_TURN,
    PILE_HINTS,
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
    hand_of,
    heard_by,
    key,
    legal_moves,
    of_kind,
    piles,
    refusal,
    refusals,
    seats_to_act,
)

HAND_SIZES = {1: 8, 2: 7, 3: 6, 4: 6, 5: 6}


# ---------------------------------------------------------------- box and dealing


@pytest.mark.clause("TG-B1")
def test_one_to_five_players_and_cards_2_to_99_on_two_rising_and_two_falling_piles():
    assert tuple(the_game.SEATS) == (1, 5)
    for seats in range(1, 6):
        s = begin(the_game, seats)
        check_98_cards(s)
        assert list(s.tops) == [1, 1, 100, 100]
        assert s.left + s.held.sum() == 98


@pytest.mark.clause("TG-B2")
@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5])
def test_hands_have_eight_seven_or_six_cards(seats):
    s = begin(the_game, seats)
    assert list(s.held) == [HAND_SIZES[seats]] * seats + [0] * (5 - seats)
    assert s.left == 98 - seats * HAND_SIZES[seats]


@pytest.mark.clause("TG-V1")
@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5])
def test_the_expert_option_takes_a_card_from_every_hand(seats):
    s = begin(the_game, seats, (3, 1, 0))
    assert list(s.held[:seats]) == [HAND_SIZES[seats] - 1] * seats
    assert s.minimum == 3
    check_98_cards(s)


@pytest.mark.clause("TG-S1")
def test_cards_are_shuffled():
    dealt = Counter()
    games = amount(2000)
    for seed in range(games):
        dealt.update(hand_of(begin(the_game, 2, seed=seed), 1))
    if games >= 2000:
        assert len(dealt) == 98
        assert all(abs(count - games * 7 / 98) < 65 for count in dealt.values())


@pytest.mark.clause("TG-S1")
def test_a_player_is_told_only_their_own_hand():
    s = begin(the_game, 3)
    trace = blank()
    key(s, 5)
    the_game.setup(s, 3, BOXES[the_game], np.array([2, 0, 0]), trace)
    events = [tuple(int(fact) for fact in row) for row in trace[1 : trace[0, 0] + 1]]
    for seat in range(3):
        told = of_kind(HAND, heard_by(seat, events))
        assert sorted(event[3] for event in told) == hand_of(s, seat)
    assert not of_kind(HAND, heard_by(-1, events))
    assert len(of_kind(DEALT, heard_by(-1, events))) == 1


@pytest.mark.clause("TG-S1")
@pytest.mark.parametrize("seat", [-1, 0, 1, 2])
def test_a_seat_sees_only_its_own_hand(seat):
    s = begin(the_game, 3, seed=9)
    own = hand_of(s, seat) if seat >= 0 else []
    the_game.conceal(s, seat)
    assert not s.deck.any()
    for other in range(3):
        assert hand_of(s, other) == (own if other == seat else [0] * 6)
    for card in range(2, 100):
        assert s.where[10 + card] == (1 + seat if card in own else 0)


@pytest.mark.clause("TG-S1")
def test_only_ones_own_cards_can_be_played():
    s = piles([[20, 40, 60], [30, 50, 70]])
    codes = refusals(s, 0)
    for card in range(2, 100):
        expected = 0 if card in (20, 40, 60) else TG_S1
        assert {int(codes[card_on(card, pile)]) for pile in range(4)} == {expected}


# ---------------------------------------------------------------- who starts


@pytest.mark.clause("TG-S2")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_any_seat_may_take_the_first_turn(seats):
    for seat in range(seats):
        s = begin(the_game, seats)
        assert s.phase == CHOOSING
        assert seats_to_act(s) == list(range(seats))
        assert [move for move in legal_moves(s, seat) if move < PILE_HINTS] == [START]
        events = act(s, seat, START)
        assert of_kind(STARTED, events)[0][1:3] == (EVERYONE, seat)
        assert (s.phase, s.active) == (PLAYING, seat)
        assert seats_to_act(s) == [seat]


@pytest.mark.clause("TG-S2")
def test_nobody_plays_before_someone_starts_and_nobody_starts_twice():
    s = begin(the_game, 2)
    card = hand_of(s, 0)[0]
    assert refusal(s, 0, card_on(card, 0)) == refusal(s, 0, END_TURN) == TG_S2
    act(s, 1, START)
    assert refusal(s, 0, START) == refusal(s, 1, START) == TG_S2


@pytest.mark.clause("TG-S2", "TG-B1")
def test_alone_one_needs_not_choose():
    s = begin(the_game, 1)
    assert (s.phase, s.active) == (PLAYING, 0)
    assert seats_to_act(s) == [0]


# ---------------------------------------------------------------- a turn


@pytest.mark.clause("TG-T1")
def test_at_least_two_cards_are_played_one_at_a_time_and_up_to_the_whole_hand():
    s = piles([[10, 20, 30, 40, 50, 60], [70]])
    assert refusal(s, 0, END_TURN) == TG_T1
    act(s, 0, card_on(10, UP_1))
    assert refusal(s, 0, END_TURN) == TG_T1
    for card in (20, 30, 40, 50, 60):
        act(s, 0, card_on(card, UP_1))
        assert refusal(s, 0, END_TURN) == 0
        assert s.active == 0
    assert s.held[0] == 0
    assert s.tops[UP_1] == 60
    check_98_cards(s)


@pytest.mark.clause("TG-T2")
@pytest.mark.parametrize("pile", [UP_1, UP_2])
def test_a_rising_pile_takes_any_higher_card(pile):
    hand = [2, 29, 31, 49, 51, 99]
    tops = [1, 1, 100, 100]
    tops[pile] = 50
    s = piles([hand, [3, 4]], tops=tops)
    assert [card for card in hand if refusal(s, 0, card_on(card, pile)) == 0] == [51, 99]
    assert {refusal(s, 0, card_on(card, pile)) for card in (2, 29, 31, 49)} == {TG_T2}
    act(s, 0, card_on(99, pile))
    assert s.tops[pile] == 99
    assert [top for other, top in enumerate(s.tops) if other != pile] == [
        top for other, top in enumerate(tops) if other != pile
    ]


@pytest.mark.clause("TG-T2")
@pytest.mark.parametrize("pile", [DOWN_1, DOWN_2])
def test_a_falling_pile_takes_any_lower_card(pile):
    hand = [2, 49, 51, 69, 71, 99]
    tops = [1, 1, 100, 100]
    tops[pile] = 50
    s = piles([hand, [3, 4]], tops=tops)
    assert [card for card in hand if refusal(s, 0, card_on(card, pile)) == 0] == [2, 49]
    assert {refusal(s, 0, card_on(card, pile)) for card in (51, 69, 71, 99)} == {TG_T2}
    act(s, 0, card_on(2, pile))
    assert s.tops[pile] == 2


@pytest.mark.clause("TG-T3")
def test_the_backwards_trick_is_exactly_ten():
    s = piles([[39, 40, 41, 59, 60, 61], [3, 4]], tops=(50, 50, 50, 50))
    for pile, trick in ((UP_1, 40), (UP_2, 40), (DOWN_1, 60), (DOWN_2, 60)):
        backwards = (39, 40, 41) if pile < 2 else (59, 60, 61)
        codes = [refusal(s, 0, card_on(card, pile)) for card in backwards]
        assert codes == [TG_T3, 0, TG_T3]
        other = copy_of(s)
        act(other, 0, card_on(trick, pile))
        assert other.tops[pile] == trick


@pytest.mark.clause("TG-T2", "TG-T3")
def test_every_card_on_every_top_fits_as_told():
    for top in (2, 9, 11, 12, 13, 50, 88, 89, 90, 91, 99):
        for pile in range(4):
            tops = [1, 1, 100, 100]
            tops[pile] = top
            fitting = set()
            others = [card for card in range(2, 100) if card != top]
            for start in range(0, len(others), 8):
                hand = others[start : start + 8]
                s = piles([hand, []], tops=tops, left=0)
                codes = {card: refusal(s, 0, card_on(card, pile)) for card in hand}
                assert set(codes.values()) <= {0, TG_T2, TG_T3}
                fitting |= {card for card in hand if codes[card] == 0}
            if pile < 2:
                assert fitting == {card for card in range(2, 100) if card > top or card == top - 10}
            else:
                assert fitting == {card for card in range(2, 100) if card < top or card == top + 10}


@pytest.mark.clause("TG-T3")
def test_the_trick_may_be_done_as_often_as_wanted_on_any_piles():
    s = piles([[40, 30, 20, 60, 70, 65], [3, 4]], tops=(50, 50, 50, 60))
    for card, pile in ((40, UP_1), (30, UP_1), (20, UP_1), (60, DOWN_1), (65, UP_2), (70, DOWN_1)):
        events = act(s, 0, card_on(card, pile))
        assert of_kind(PLAYED, events)[0][1:5] == (EVERYONE, 0, card, pile)
    assert list(s.tops) == [20, 65, 70, 60]


@pytest.mark.clause("TG-T4")
@pytest.mark.parametrize("count", [2, 3, 6])
def test_after_the_minimum_the_turn_may_end_and_the_hand_is_filled_up(count):
    hand = [10, 20, 30, 40, 50, 60]
    s = piles([hand, [70, 80]], left=20)
    for card in hand[:count]:
        act(s, 0, card_on(card, UP_1))
    events = act(s, 0, END_TURN)
    assert s.held[0] == 6
    assert s.left == 20 - count
    assert set(hand[count:]) <= set(hand_of(s, 0))
    assert (s.active, s.played, s.phase) == (1, 0, PLAYING)
    assert of_kind(TURN_ENDED, events)[0][1:3] == (EVERYONE, 0)
    assert of_kind(DREW, events)[0][1:4] == (EVERYONE, 0, count)
    drawn = of_kind(DRAWN_CARD, events)
    assert [event[1] for event in drawn] == [0] * count
    assert {event[3] for event in drawn} == set(hand_of(s, 0)) - set(hand)
    check_98_cards(s)


@pytest.mark.clause("TG-T4")
def test_the_hand_goes_back_to_what_it_was_when_the_turn_began():
    s = piles([[10, 20, 30, 40], [70, 80]], left=20, hand_size=6)
    s.began = 4
    act(s, 0, card_on(10, UP_1))
    act(s, 0, card_on(20, UP_1))
    act(s, 0, END_TURN)
    assert s.held[0] == 4
    assert s.left == 18


@pytest.mark.clause("TG-T4")
def test_one_draws_only_as_far_as_the_draw_pile_goes():
    s = piles([[10, 20, 30, 40, 50, 60], [70, 80]], left=1)
    for card in (10, 20, 30):
        act(s, 0, card_on(card, UP_1))
    act(s, 0, END_TURN)
    assert (s.held[0], s.left) == (4, 0)
    check_98_cards(s)


@pytest.mark.clause("TG-T4")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_turns_go_clockwise(seats):
    order = [(seats - 1 + i) % seats for i in range(seats)]
    hands = [[10 + 4 * order.index(seat), 11 + 4 * order.index(seat)] for seat in range(seats)]
    s = piles(hands, active=order[0])
    for seat in order:
        assert seats_to_act(s) == [seat]
        for other in range(seats):
            if other != seat:
                card = int(s.hand[other, 0])
                assert refusal(s, other, card_on(card, DOWN_1)) == refusal(s, other, END_TURN) == TG_T4
        for card in hands[seat]:
            act(s, seat, card_on(card, UP_1))
        act(s, seat, END_TURN)
    assert s.active == order[0]


@pytest.mark.clause("TG-T5")
def test_with_an_empty_draw_pile_one_card_is_enough():
    s = piles([[10, 20, 30], [70, 80]], left=0)
    assert refusal(s, 0, END_TURN) == TG_T5
    act(s, 0, card_on(10, UP_1))
    assert refusal(s, 0, END_TURN) == 0
    act(s, 0, END_TURN)
    assert (s.need, s.held[0]) == (1, 2)


@pytest.mark.clause("TG-T5")
@pytest.mark.parametrize("minimum", [2, 3])
def test_the_draw_pile_must_be_empty_at_the_start_of_the_turn(minimum):
    """The one who draws the last card had to play the minimum; the next needs one only, also in the expert variant."""
    s = piles([[10, 20, 30, 40], [70, 80]], left=1, minimum=minimum)
    act(s, 0, card_on(10, UP_1))
    assert refusal(s, 0, END_TURN) == (TG_T1 if minimum == 2 else TG_V1)
    for card in (20, 30)[: minimum - 1]:
        act(s, 0, card_on(card, UP_1))
    act(s, 0, END_TURN)
    assert (s.left, s.need, s.active) == (0, 1, 1)
    act(s, 1, card_on(70, UP_1))
    assert refusal(s, 1, END_TURN) == 0


@pytest.mark.clause("TG-T6")
def test_a_player_without_cards_is_skipped():
    s = piles([[10, 20], [], [], [70, 80]], left=0)
    act(s, 0, card_on(10, UP_1))
    events = act(s, 0, END_TURN)
    assert s.active == 3
    assert [event[1:3] for event in of_kind(SKIPPED, events)] == [(EVERYONE, 1), (EVERYONE, 2)]
    act(s, 3, card_on(70, UP_1))
    act(s, 3, END_TURN)
    assert s.active == 0
    act(s, 0, card_on(20, UP_2))
    act(s, 0, END_TURN)
    assert s.active == 3


@pytest.mark.clause("TG-T6")
def test_the_last_player_with_cards_plays_on_alone():
    s = piles([[10, 20], [], []], left=0)
    act(s, 0, card_on(10, UP_1))
    act(s, 0, END_TURN)
    assert (s.active, s.phase) == (0, PLAYING)


# ---------------------------------------------------------------- expert variants


@pytest.mark.clause("TG-V1")
def test_in_the_expert_variant_three_cards_are_played_at_least():
    s = piles([[10, 20, 30, 40], [70, 80, 90]], minimum=3)
    for card in (10, 20):
        assert refusal(s, 0, END_TURN) == TG_V1
        act(s, 0, card_on(card, UP_1))
    assert refusal(s, 0, END_TURN) == TG_V1
    act(s, 0, card_on(30, UP_1))
    act(s, 0, END_TURN)
    assert s.active == 1
    assert s.need == 3
