"""Misty: the box, dealing, picking in secret, passing hands, and building a window."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from nevel.engine import dispatch
from nevel.engine.tracing import EVERYONE, blank
from nevel.games.misty import rules as misty
from nevel.games.misty.rules.clauses import MI_A1, MI_S1, MI_T1, MI_T4, MI_T5, MI_V1
from nevel.games.misty.rules.table import (
    ACTIVATING,
    HAND,
    HANDS_DEALT,
    MOVE,
    PICK,
    PICKED,
    PICKING,
    PLACE,
    PLACED,
    PLACING,
)
from nevel.games.misty.rules.window import DRAWINGS
from nevel.games.misty.rules.window import KINDS as KINDS_IN_ALL
from tests.rules.positions import (
    BOXES,
    CORNER,
    KINDS,
    act,
    amount,
    begin,
    building,
    copy_of,
    heard_by,
    kind_counts,
    legal_moves,
    of_kind,
    random_moves,
    refusal,
    round_of,
    seats_to_act,
    space,
)

SEATS = (2, 3, 4)
VARIANTS = pytest.mark.parametrize("is_small", [False, True])


def start(seats=3, is_small=False, seed=1):
    return begin(misty, seats, (int(is_small),), seed)


def hand_of(s, seat):
    return s.hand[seat].tolist()


def pick_all(s, random=None):
    """Everyone picks a card; gives what they picked and the events of the last."""
    picked, events = [], []
    for seat in range(s.seats):
        moves = legal_moves(s, seat)
        move = random.choice(moves) if random else moves[0]
        picked.append(move - PICK)
        events = act(s, seat, move)
    return picked, events


def place_all(s, random=None):
    """Everyone places their card, unless it was the first, which needs no decision."""
    if s.phase != PLACING:
        return
    for seat in seats_to_act(s):
        moves = legal_moves(s, seat)
        act(s, seat, random.choice(moves) if random else moves[0])


# ---------------------------------------------------------------- box and dealing


@pytest.mark.clause("MI-B1")
def test_two_to_four_players_and_54_cards():
    assert tuple(misty.SEATS) == (2, 4)
    assert BOXES[misty][:KINDS_IN_ALL].sum() == 54
    for seats in SEATS:
        assert sum(kind_counts(start(seats))) == 54


@pytest.mark.clause("MI-B2")
def test_eight_arrows_a_direction_and_22_cards_without():
    s = start(2)
    counts = {kind: int(s.count[i]) for i, kind in enumerate(KINDS)}
    arrows = {kind: int(s.arrow[i]) for i, kind in enumerate(KINDS)}
    assert not s.count[len(KINDS) :].any()
    assert not s.arrow[len(KINDS) :].any()
    assert counts == {
        **dict.fromkeys(("rocket", "balloon", "leaf", "raindrop", "truck", "scooter", "tractor", "unicycle"), 4),
        **dict.fromkeys(("heart", "star", "house"), 2),
        "smile": 6,
        "flower": 5,
        "monster": 5,
    }
    none, up, down, left, right = range(5)
    assert arrows == {
        **dict.fromkeys(("rocket", "balloon"), up),
        **dict.fromkeys(("leaf", "raindrop"), down),
        **dict.fromkeys(("truck", "scooter"), right),
        **dict.fromkeys(("tractor", "unicycle"), left),
        **dict.fromkeys(("heart", "star", "house", "smile", "flower", "monster"), none),
    }


@pytest.mark.clause("MI-S1", "MI-V1")
@pytest.mark.parametrize("seats", SEATS)
@VARIANTS
def test_every_player_gets_six_cards_and_the_rest_is_put_aside(seats, is_small):
    s = start(seats, is_small)
    size = 3 if is_small else 6
    assert [sum(hand_of(s, seat)) for seat in range(4)] == [size] * seats + [0] * (4 - seats)
    assert s.held == size
    assert s.aside_size == s.aside.sum() == 54 - seats * size
    assert (s.phase, s.deal) == (PICKING, 0)
    assert not s.window.any()


@pytest.mark.clause("MI-S1")
def test_cards_are_shuffled():
    games = amount(1500)
    held = sum((begin(misty, 2, seed=seed).hand[1] for seed in range(games)), np.zeros(KINDS_IN_ALL, np.int64))
    counts = BOXES[misty][:KINDS_IN_ALL]
    assert held.sum() == 6 * games
    if games >= 1500:
        for kind in range(DRAWINGS):
            expected = 6 * games * counts[kind] / 54
            assert abs(held[kind] - expected) < 0.15 * expected


@pytest.mark.clause("MI-S1")
def test_all_54_cards_are_shuffled_for_every_round():
    s = start(3, seed=4)
    first = None
    for _ in random_moves(s, Random(4)):
        if round_of(s) == 2 and s.phase == PICKING and s.laid[0] == 0 and not s.chosen.any():
            assert kind_counts(s) == BOXES[misty][:KINDS_IN_ALL].tolist()
            assert s.aside_size == 54 - 18
            first = True
    assert first


@pytest.mark.clause("MI-S1", "MI-T1")
def test_a_player_is_told_only_their_own_hand():
    s = dispatch.new_states(misty)[0]
    s.chance[:] = [1, 2, 3, 4]
    trace = blank()
    misty.setup(s, 3, BOXES[misty], np.array([0]), trace)
    events = [tuple(int(fact) for fact in row) for row in trace[1 : trace[0, 0] + 1]]
    for seat in range(3):
        told = of_kind(HAND, heard_by(seat, events))
        assert {event[3]: event[4] for event in told} == {
            kind: count for kind, count in enumerate(hand_of(s, seat)) if count
        }
    assert not of_kind(HAND, heard_by(-1, events))


@pytest.mark.clause("MI-S1")
@pytest.mark.parametrize("seat", [-1, 0, 1, 2])
def test_nobody_sees_other_hands_or_what_is_put_aside(seat):
    s = start(3)
    own = hand_of(s, seat)
    misty.conceal(s, seat)
    assert not s.aside.any()
    assert not s.chance.any()
    for other in range(3):
        assert hand_of(s, other) == (own if other == seat else [0] * KINDS_IN_ALL)


@pytest.mark.clause("MI-S1")
def test_only_a_card_of_ones_own_hand_can_be_picked():
    s = start(3)
    for seat in range(3):
        for kind in range(KINDS_IN_ALL):
            assert refusal(s, seat, PICK + kind) == (0 if s.hand[seat, kind] else MI_S1)


# ---------------------------------------------------------------- picking


@pytest.mark.clause("MI-T1")
def test_everyone_picks_in_secret_and_the_cards_are_turned_up_together():
    s = start(3)
    pick_all(s)  # the first card lies in the middle by itself
    assert seats_to_act(s) == [0, 1, 2]
    picks = [legal_moves(s, seat)[-1] for seat in range(3)]
    assert not of_kind(PICKED, act(s, 2, picks[2]))
    assert seats_to_act(s) == [0, 1]
    assert not of_kind(PICKED, act(s, 0, picks[0]))
    assert s.phase == PICKING
    events = act(s, 1, picks[1])
    assert [event[1:4] for event in of_kind(PICKED, events)] == [(EVERYONE, seat, picks[seat]) for seat in range(3)]
    assert s.phase == PLACING
    assert s.held == 4
    assert [sum(hand_of(s, seat)) for seat in range(3)] == [4, 4, 4]
    assert s.choice[:3].tolist() == [pick + 1 for pick in picks]
    assert seats_to_act(s) == [0, 1, 2]


@pytest.mark.clause("MI-T1")
def test_a_pick_is_secret_while_the_others_still_choose():
    s = start(3)
    pick_all(s)
    one, two = copy_of(s), copy_of(s)
    first, second = legal_moves(s, 1)[0], legal_moves(s, 1)[-1]
    assert first != second
    told, told_twin = act(one, 1, first), act(two, 1, second)
    assert heard_by(1, told) != heard_by(1, told_twin)
    for other in (0, 2, -1):
        assert heard_by(other, told) == heard_by(other, told_twin)
        left, right = copy_of(one), copy_of(two)
        misty.conceal(left, other)
        misty.conceal(right, other)
        assert left.tobytes() == right.tobytes()


@pytest.mark.clause("MI-T1")
def test_a_pick_stands_and_placing_comes_after_it():
    s = start(2)
    pick_all(s)
    assert refusal(s, 0, PLACE + 24 + 1) == MI_T1
    assert refusal(s, 0, MOVE) == MI_A1
    act(s, 0, legal_moves(s, 0)[0])
    assert {refusal(s, 0, PICK + kind) for kind in range(KINDS_IN_ALL)} == {MI_T1}
    act(s, 1, legal_moves(s, 1)[0])
    assert {refusal(s, 0, PICK + kind) for kind in range(KINDS_IN_ALL)} == {MI_T1}
    act(s, 0, PLACE + 24 + 1)
    assert refusal(s, 0, PLACE + 24 + 2) == MI_T1  # one card each
    assert seats_to_act(s) == [1]


@pytest.mark.clause("MI-T1")
def test_everyone_places_in_their_own_window():
    s = start(2)
    pick_all(s)
    pick_all(s)
    kinds = [int(choice) for choice in s.choice[:2]]
    events = act(s, 0, PLACE + 24 + 1)
    assert of_kind(PLACED, events)[0][1:3] == (EVERYONE, 0)
    assert s.window[0, 3, 4] == kinds[0]
    assert s.window[1, 3, 4] == 0
    act(s, 1, PLACE + 24 - 7)
    assert s.window[1, 2, 3] == kinds[1]
    assert s.laid.tolist() == [2, 2, 0, 0]


# ---------------------------------------------------------------- passing


@pytest.mark.clause("MI-T2", "MI-T3", "MI-V1")
@pytest.mark.parametrize("seats", SEATS)
@VARIANTS
def test_hands_are_passed_left_then_right_until_every_window_is_full(seats, is_small):
    random = Random(seats)
    s = start(seats, is_small, seed=seats)
    size, deals = (3, 3) if is_small else (6, 2)
    for deal in range(deals):
        step = 1 if deal % 2 == 0 else -1  # a hand passed to the left goes to the next seat
        for number in range(size):
            assert (s.deal, s.held, s.phase) == (deal, size - number, PICKING)
            assert s.laid[:seats].tolist() == [deal * size + number] * seats
            assert [sum(hand_of(s, seat)) for seat in range(seats)] == [size - number] * seats
            hands = [hand_of(s, seat) for seat in range(seats)]
            picked, _ = pick_all(s, random)
            for seat in range(seats):
                hands[seat][picked[seat]] -= 1
            place_all(s, random)
            if number < size - 1:
                for seat in range(seats):
                    assert hand_of(s, (seat + step) % seats) == hands[seat]
    assert s.phase == ACTIVATING
    assert s.laid[:seats].tolist() == [size * deals] * seats
    assert s.aside_size == 54 - seats * size * deals
    for seat in range(seats):
        assert np.count_nonzero(s.window[seat]) == size * deals


@pytest.mark.clause("MI-T3")
def test_new_cards_are_dealt_from_those_put_aside():
    random = Random(9)
    s = start(4, seed=9)
    aside = None
    while s.deal == 0:
        aside = s.aside.copy()
        pick_all(s, random)
        place_all(s, random)
    assert (aside - s.aside).tolist() == s.hand.sum(axis=0).tolist()
    assert s.aside_size == 54 - 48
    assert kind_counts(s) == BOXES[misty][:KINDS_IN_ALL].tolist()


@pytest.mark.clause("MI-T2", "MI-T3", "MI-V1")
@VARIANTS
def test_everyone_is_told_which_way_hands_go(is_small):
    random = Random(2)
    s = start(2, is_small)
    told = []
    while s.phase != ACTIVATING:
        for seat in seats_to_act(s):
            events = act(s, seat, random.choice(legal_moves(s, seat)))
            told += [event[2:5] for event in of_kind(HANDS_DEALT, events) if event[1] == EVERYONE]
    assert told == ([(1, 3, 0), (2, 3, 1)] if is_small else [(1, 6, 0)])


@pytest.mark.clause("MI-T2")
@pytest.mark.parametrize("seats", SEATS)
def test_a_seat_remembers_the_hands_it_passed_on_and_no_others(seats):
    random = Random(seats)
    s = start(seats, seed=seats)
    for passes in range(1, 5):
        pick_all(s, random)
        place_all(s, random)
        for seat in range(seats):
            seen = copy_of(s)
            misty.conceal(seen, seat)
            for other in range(seats):
                is_known = (other - seat) % seats <= passes
                assert hand_of(seen, other) == (hand_of(s, other) if is_known else [0] * KINDS_IN_ALL)


# ---------------------------------------------------------------- building


@pytest.mark.clause("MI-T4")
def test_the_first_card_lies_anywhere_so_the_middle_will_do():
    s = start(3)
    picked, _ = pick_all(s)
    for seat in range(3):
        assert s.window[seat, 3, 3] == picked[seat] + 1
        assert np.count_nonzero(s.window[seat]) == 1
    assert s.phase == PICKING


@pytest.mark.clause("MI-T4")
def test_every_other_card_touches_one_horizontally_vertically_or_diagonally():
    s = start(2)
    pick_all(s)
    pick_all(s)
    for number in range(49):
        row, column = number // 7, number % 7
        distance = max(abs(row - 3), abs(column - 3))
        if distance == 0:
            expected = {MI_T4}  # never on top of another
        elif distance == 1:
            expected = {0}
        else:
            expected = {MI_T4, MI_T5}
        assert refusal(s, 0, PLACE + number) in expected, (row, column)
    assert refusal(s, 0, PLACE + 3 * 7 + 5) == MI_T4  # within four wide, but it touches nothing


@pytest.mark.clause("MI-T4")
def test_a_card_never_lies_on_top_of_another():
    s = placing("os o.")
    assert refusal(s, 0, PLACE + space(0, 0)) == refusal(s, 0, PLACE + space(0, 1)) == MI_T4
    assert refusal(s, 0, PLACE + space(1, 1)) == 0


def placing(picture, is_small=False):
    """A window under construction, and a picked star to place in it."""
    s = building(picture, picture, is_small=is_small)
    s.phase = PLACING
    s.choice[:2] = 10
    s.aside[9] -= 2
    return s


def allowed(s):
    """Where the first seat may place, as rows and columns of the picture."""
    return {(number // 7 - CORNER, number % 7 - CORNER) for number in range(49) if refusal(s, 0, PLACE + number) == 0}


def reach(picture, widths, heights):
    """The same in plain words: the empty neighbours that keep the window within bounds."""
    cells = {
        (row, column) for row, line in enumerate(picture.split()) for column, sign in enumerate(line) if sign != "."
    }
    found = set()
    for row in range(-1, 6):
        for column in range(-1, 6):
            if (row, column) in cells:
                continue
            rows = [row] + [cell[0] for cell in cells]
            columns = [column] + [cell[1] for cell in cells]
            height, width = max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
            fits = any(width <= w and height <= h for w, h in zip(widths, heights, strict=True))
            touches = any(max(abs(row - r), abs(column - c)) == 1 for r, c in cells)
            if fits and touches:
                found.add((row, column))
    return found


@pytest.mark.clause("MI-T5", "MI-T4")
@pytest.mark.parametrize(
    "picture",
    [
        *("o", "oo", "ooo", "oooo", "o o o o", "o. .o", "o.. .o. ..o", "o... .o.. ..o.", "oo.. ..oo"),
        *("ooo ooo ooo", "oooo oooo ooo.", "oo oo oo oo", "oooo oooo oooo"),
    ],
)
def test_a_window_is_three_by_four_or_four_by_three(picture):
    assert allowed(placing(picture)) == reach(picture, (4, 3), (3, 4)), picture


@pytest.mark.clause("MI-V1", "MI-T4")
@pytest.mark.parametrize("picture", ["o", "oo", "ooo", "o o o", "o. .o", "o.. .o. ..o", "ooo ooo oo."])
def test_a_beginners_window_is_three_by_three(picture):
    assert allowed(placing(picture, is_small=True)) == reach(picture, (3,), (3,)), picture


@pytest.mark.clause("MI-T5", "MI-V1")
def test_a_card_may_not_make_the_window_exceed_both_shapes():
    s = placing("oooo")
    assert refusal(s, 0, PLACE + space(0, 4)) == refusal(s, 0, PLACE + space(0, -1)) == MI_T5  # five wide
    assert refusal(s, 0, PLACE + space(1, 1)) == 0
    s = placing("oooo oooo oooo")
    assert refusal(s, 0, PLACE + space(3, 0)) == MI_T5  # four wide and four high
    s = placing("ooo ooo ooo")
    assert refusal(s, 0, PLACE + space(3, 0)) == refusal(s, 0, PLACE + space(0, 3)) == 0
    s = placing("ooo ooo ooo", is_small=True)
    assert refusal(s, 0, PLACE + space(3, 0)) == refusal(s, 0, PLACE + space(0, 3)) == MI_V1


@pytest.mark.clause("MI-T5")
def test_both_shapes_come_about_and_every_window_is_a_full_rectangle():
    shapes = Counter()
    for seed in range(max(4, amount(40))):
        for is_small in (False, True):
            s = start(2 + seed % 3, is_small, seed)
            random = Random(seed)
            while s.phase != ACTIVATING:
                seat = random.choice(seats_to_act(s))
                act(s, seat, random.choice(legal_moves(s, seat)))
            for seat in range(s.seats):
                rows, columns = np.nonzero(s.window[seat])
                height, width = rows.max() - rows.min() + 1, columns.max() - columns.min() + 1
                assert height * width == (9 if is_small else 12)
                assert (s.top[seat], s.bottom[seat]) == (rows.min(), rows.max())
                assert (s.left[seat], s.right[seat]) == (columns.min(), columns.max())
                shapes[int(height), int(width)] += 1
    assert set(shapes) == {(3, 3), (3, 4), (4, 3)}


@pytest.mark.clause("MI-T6", "MI-B2")
def test_a_card_is_placed_on_a_space_and_turned_no_way():
    assert misty.MOVES == 25 + 49 + 49  # pick a kind, place on a space, activate a space
    s = start(2)
    arrows = s.arrow.tolist()
    for _ in random_moves(s, Random(1)):
        assert s.arrow.tolist() == arrows
