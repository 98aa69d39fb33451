"""What the Fog?!: lifting, returning and placing tokens, piles that run out."""

from itertools import count

import numpy as np
import pytest

from nevel.engine import dispatch, tracing
from nevel.engine.tracing import EVERYONE
from nevel.games.what_the_fog import rules as what_the_fog
from nevel.games.what_the_fog.rules.clauses import (
    FOG_C1,
    FOG_P1,
    FOG_S1,
    FOG_T1,
    FOG_T2,
    FOG_T3,
    FOG_T5,
    FOG_T6,
    FOG_T7,
)
from nevel.games.what_the_fog.rules.table import (
    CAME_UP,
    DISCARD,
    LIFT,
    LIFTED,
    LIFTING,
    PASS,
    PLACE,
    PLACING,
    PREDICTING,
    RAISE,
    RETURN,
    REVEALING,
    SWAPPING,
)
from tests.rules.positions import (
    BOXES,
    CLOUDS,
    FOG,
    RAIN,
    SNOW,
    SUN,
    THUNDER,
    act,
    amount,
    copy_of,
    fog,
    heard_by,
    key,
    lay_tokens,
    legal_moves,
    of_kind,
    refusal,
    refusals,
    seats_to_act,
    token_counts,
)


def lift_until(s, pile, face):
    """Lift from a pile so that this face comes up under it."""
    for seed in count():
        other = copy_of(s)
        key(other, seed)
        act(other, int(other.active), LIFT + pile)
        if other.top[pile] == 1 + face:
            return other
    raise AssertionError


def holding(face=SUN, seats=3, active=0, days=(), **more):
    """A token has been lifted and waits to be placed."""
    s = fog(seats, active=active)
    lay_tokens(s, days=days, lifted=face, under=(9, 9, 8), **more)
    s.phase = PLACING
    return s


@pytest.mark.clause("FOG-T1")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_turns_go_clockwise_from_the_starting_player(seats):
    s = fog(seats, active=seats - 1)
    order = []
    for _ in range(4):  # part 1 and 2 of days 1 and 2 carry no symbol
        order.append(int(s.active))
        assert seats_to_act(s) == order[-1:]
        act(s, order[-1], LIFT)
        assert seats_to_act(s) == order[-1:]
        act(s, order[-1], PLACE + (0 if s.filled[0] < 2 else 1))
    assert order == [(seats - 1 + i) % seats for i in range(4)]


@pytest.mark.clause("FOG-T1")
def test_only_the_active_player_may_lift_return_or_place():
    s = fog(3, active=1)
    lay_tokens(s, tops=(SNOW, SNOW, SNOW))
    for seat in (0, 2):
        assert {refusal(s, seat, move) for move in (LIFT, LIFT + 1, LIFT + 2, RETURN, PLACE)} == {FOG_T1}
    act(s, 1, LIFT)
    for seat in (0, 2):
        assert refusal(s, seat, PLACE) == FOG_T1


@pytest.mark.clause("FOG-T2")
def test_the_active_player_must_lift_first():
    s = fog(3)
    assert legal_moves(s, 0) == [LIFT, LIFT + 1, LIFT + 2]
    assert {refusal(s, 0, PLACE + day) for day in range(4)} == {FOG_T2}
    assert refusal(s, 0, RAISE) == refusal(s, 0, PASS) == FOG_P1
    assert refusal(s, 0, DISCARD) == FOG_C1


@pytest.mark.clause("FOG-T2")
@pytest.mark.parametrize("pile", [0, 1, 2])
def test_the_visible_side_of_the_top_token_is_laid(pile):
    s = fog(3)
    lay_tokens(s, tops=(THUNDER, SUN, CLOUDS))
    face, back = int(s.top[pile]), int(s.top_back[pile])
    events = act(s, 0, LIFT + pile)
    assert of_kind(LIFTED, events)[0][1] == EVERYONE
    assert (s.lifted, s.lifted_back) == (face, back)
    act(s, 0, PLACE + 1)
    assert (s.day[1, 0], s.day_back[1, 0]) == (face, back)
    assert (s.lifted, s.lifted_back) == (0, 0)


@pytest.mark.clause("FOG-T3")
def test_lifting_shows_the_next_token_and_then_the_pile_cant_be_changed():
    s = fog(3)
    lay_tokens(s, tops=(SNOW, SNOW, SNOW))
    others = [int(s.top[0]), int(s.top[2])]
    events = act(s, 0, LIFT + 1)
    came_up = of_kind(CAME_UP, events)
    assert len(came_up) == 1
    assert came_up[0][1:4] == (EVERYONE, 1, int(s.top[1]))
    assert s.top[1] > 0
    assert [s.top[0], s.top[2]] == others
    assert list(s.pile_size) == [10, 9, 10]
    assert s.phase == PLACING
    assert {refusal(s, 0, move) for move in (LIFT, LIFT + 1, LIFT + 2, RETURN)} == {FOG_T3}
    assert legal_moves(s, 0) == [PLACE + day for day in range(4)]


@pytest.mark.clause("FOG-T3")
def test_any_token_of_the_pile_can_come_up_either_side_up():
    faces = set()
    s = fog(2)
    lay_tokens(s, under=(2, 9, 9))
    pairs = [pair for pair in range(15) for _ in range(s.under[0, pair])]
    for seed in range(60):
        other = copy_of(s)
        key(other, seed)
        act(other, 0, LIFT)
        faces.add((int(other.top[0]), int(other.top_back[0])))
        assert other.under[0].sum() == 1
        assert token_counts(other) == [3] * 15
    assert len(faces) == 2 * len(set(pairs))


@pytest.mark.clause("FOG-T4")
def test_what_is_told_doesnt_depend_on_hidden_sides():
    for number in range(amount(200)):
        s = fog(3, seed=number)
        lay_tokens(s, tops=(SUN, SUN, SUN))
        key(s, number)
        twin = copy_of(s)
        # The same faces with other backs; what lies below stays as it is.
        twin.top_back[:] = [2, 3, 4]
        for move in (RETURN, LIFT + 2, PLACE + 3) if number % 2 else (LIFT, PLACE + 1):
            told, told_twin = act(s, 0, move), act(twin, 0, move)
            if move != RETURN:
                assert told == told_twin
            else:
                assert told[0] == told_twin[0]
            for event in told:
                assert event[1] == EVERYONE


@pytest.mark.clause("FOG-T4", "FOG-S3")
@pytest.mark.parametrize("seat", [-1, 0, 1, 2])
def test_no_seat_knows_a_hidden_side_or_what_lies_under_a_top(seat):
    s = fog(3)
    lay_tokens(s, days=[[SUN, RAIN], [FOG]], tops=(SNOW, SNOW, SNOW), under=(5, 5, 5))
    act(s, 0, RETURN)
    act(s, 0, LIFT)
    what_the_fog.conceal(s, seat)
    hidden = ("day_back", "top_back", "lifted_back", "returned_back", "under", "supply", "chance")
    assert [name for name in hidden if np.any(s[name])] == []
    assert list(s.day[0]) == [1 + SUN, 1 + RAIN, 0, 0]
    assert s.top.all()
    assert s.lifted
    assert s.returned[SNOW] == 3


@pytest.mark.clause("FOG-T5")
def test_a_token_goes_on_the_leftmost_empty_part():
    s = holding(days=[[], [FOG], [FOG, RAIN], [FOG, RAIN, SNOW]])
    for day, part in ((0, 0), (1, 1), (2, 2), (3, 3)):
        other = copy_of(s)
        act(other, 0, PLACE + day)
        assert other.day[day, part] == 1 + SUN
        assert other.filled[day] == part + 1
        assert (other.day != s.day).sum() == 1


@pytest.mark.clause("FOG-T5")
def test_a_full_day_cant_be_chosen():
    s = holding(days=[[FOG, RAIN, SNOW, SUN], [], [FOG, FOG, RAIN, RAIN]])
    assert refusal(s, 0, PLACE) == refusal(s, 0, PLACE + 2) == FOG_T5
    assert legal_moves(s, 0) == [PLACE + 1, PLACE + 3]


@pytest.mark.clause("FOG-S1")
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_day_that_isnt_in_play_yet_cant_be_chosen(number):
    s = fog(2, number=number)
    act(s, 0, LIFT)
    codes = [refusal(s, 0, PLACE + day) for day in range(7)]
    assert codes == [0] * (number + 3) + [FOG_S1] * (4 - number)


@pytest.mark.clause("FOG-T6", "FOG-T3")
def test_the_example_of_the_book_three_snow_tokens_come_up():
    s = fog(4)
    lay_tokens(s, tops=(SNOW, SUN, SNOW))
    assert refusal(s, 0, RETURN) == FOG_T6
    s = lift_until(s, 1, SNOW)
    assert refusal(s, 0, RETURN) == FOG_T3  # three equal tops, but not before lifting
    act(s, 0, PLACE + 1)
    assert (s.active, s.phase) == (1, LIFTING)
    assert refusal(s, 0, RETURN) == FOG_T1
    supply = int(s.supply_size)
    act(s, 1, RETURN)
    assert s.supply_size == supply + 3
    assert list(s.pile_size) == [9, 8, 9]
    assert s.returned[SNOW] == 3
    assert (s.active, s.phase) == (1, LIFTING)
    assert set(legal_moves(s, 1)) >= {LIFT, LIFT + 1, LIFT + 2}
    assert token_counts(s) == [3] * 15


@pytest.mark.clause("FOG-T6")
def test_tokens_may_be_returned_again_as_long_as_three_equal_tops_show():
    s = fog(2)
    lay_tokens(s, tops=(SUN, SUN, SUN))
    for seed in count():
        other = copy_of(s)
        key(other, seed)
        act(other, 0, RETURN)
        if len(set(other.top)) == 1:
            break
        assert refusal(other, 0, RETURN) == FOG_T6
    act(other, 0, RETURN)
    assert other.pile_size.sum() == 24
    assert other.returned.sum() == 6
    assert (other.active, other.phase) == (0, LIFTING)


@pytest.mark.clause("FOG-T6")
def test_returning_is_optional():
    s = fog(2)
    lay_tokens(s, tops=(SUN, SUN, SUN))
    assert legal_moves(s, 0) == [LIFT, LIFT + 1, LIFT + 2, RETURN]


@pytest.mark.clause("FOG-T6", "FOG-T7")
@pytest.mark.parametrize("empty", [0, 1, 2])
def test_three_equal_tops_need_three_piles(empty):
    s = fog(2)
    tops, under = [SUN, SUN, SUN], [20, 20, 20]
    tops[empty], under[empty] = None, 0
    lay_tokens(s, tops=tops, under=under, supply=None)
    s.supply[:] = 0
    s.supply_size = 0
    assert refusal(s, 0, RETURN) == FOG_T6
    assert refusal(s, 0, LIFT + empty) == FOG_T7
    assert legal_moves(s, 0) == [LIFT + pile for pile in range(3) if pile != empty]


@pytest.mark.clause("FOG-T6", "FOG-T7")
def test_no_tops_at_all_arent_three_equal_ones():
    s = fog(2)
    lay_tokens(s, tops=(None, None, None), under=(0, 0, 0))
    assert refusal(s, 0, RETURN) == FOG_T6
    assert {refusal(s, 0, LIFT + pile) for pile in range(3)} == {FOG_T7}


@pytest.mark.clause("FOG-T7")
@pytest.mark.parametrize(("supply", "size", "rest"), [(20, 10, 10), (10, 10, 0), (4, 4, 0), (1, 1, 0)])
def test_a_pile_that_runs_out_is_made_anew_at_once(supply, size, rest):
    s = fog(2)
    lay_tokens(s, under=(0, 5, 5), supply=supply)
    act(s, 0, LIFT)
    assert s.pile_size[0] == size
    assert s.under[0].sum() == size - 1
    assert s.top[0] > 0
    assert s.supply_size == s.supply.sum() == rest
    assert token_counts(s) == [3] * 15


@pytest.mark.clause("FOG-T7")
def test_with_an_empty_supply_a_pile_stays_empty_and_play_goes_on():
    s = fog(2)
    lay_tokens(s, under=(0, 5, 5), supply=0)
    act(s, 0, LIFT)
    assert (s.pile_size[0], s.top[0]) == (0, 0)
    act(s, 0, PLACE)
    assert s.active == 1
    assert legal_moves(s, 1) == [LIFT + 1, LIFT + 2]
    assert token_counts(s) == [3] * 15


@pytest.mark.clause("FOG-T7", "FOG-T6")
def test_returned_tokens_are_mixed_into_the_supply_a_pile_is_made_of():
    s = fog(2)
    lay_tokens(s, tops=(SUN, SUN, SUN), under=(0, 5, 5), supply=0)
    act(s, 0, RETURN)  # the supply has just these three tokens now, and the first pile is made of them
    assert s.pile_size[0] == 3
    assert s.supply_size == 0
    assert s.returned.sum() == s.returned_back.sum() == 0
    assert token_counts(s) == [3] * 15
    s = fog(2)
    lay_tokens(s, tops=(SUN, SUN, SUN), under=(0, 0, 0))
    act(s, 0, RETURN)
    assert list(s.pile_size) == [10, 10, 10]
    assert s.supply_size == 15
    assert token_counts(s) == [3] * 15


@pytest.mark.clause("FOG-T7")
def test_a_new_pile_can_hold_any_token_of_the_supply():
    seen = set()
    for seed in range(amount(300)):
        s = fog(2)
        lay_tokens(s, under=(0, 5, 5))
        key(s, seed)
        before = {pair for pair in range(15) if s.supply[pair]}
        act(s, 0, LIFT)
        seen |= {pair for pair in range(15) if s.under[0, pair]}
        assert seen <= before
    assert seen == before or amount(300) < 300


@pytest.mark.clause("FOG-T8", "FOG-B4")
def test_every_symbol_is_triggered_by_the_token_laid_on_it_and_by_no_other():
    phases = {0: LIFTING, 1: SWAPPING, 2: REVEALING}
    for day in range(7):
        for part in range(4):
            s = fog(3, number=4, active=2)
            days = [[]] * day + [[RAIN, SNOW, FOG][:part]]
            lay_tokens(s, days=days, lifted=SUN, under=(9, 9, 8))
            s.phase = PLACING
            act(s, 2, PLACE + day)
            expected = phases[int(s.symbols[day, part])]
            if part == 3:
                expected = PREDICTING
            assert s.phase == expected, (day, part)
            assert s.active == (0 if expected == LIFTING else 2)


@pytest.mark.clause("FOG-T8", "FOG-S2")
def test_tokens_laid_out_at_the_start_trigger_nothing():
    s = dispatch.new_states(what_the_fog)[0]
    key(s, 1)
    box = BOXES[what_the_fog].copy()
    box[21:49:4] = [1, 2, 1, 2, 1, 2, 1]  # part 1 of every day
    what_the_fog.setup(s, 2, box, np.array([0]), tracing.blank())
    assert list(s.filled[:4]) == [1, 1, 1, 1]
    assert s.phase == LIFTING
    assert list(s.held[:2]) == [5, 5]


@pytest.mark.clause("FOG-T8")
def test_an_action_is_mandatory():
    s = holding(days=[[RAIN, RAIN]])
    act(s, 0, PLACE)
    assert s.phase == SWAPPING
    assert seats_to_act(s) == [0]
    for seat in range(3):
        codes = refusals(s, seat)
        assert all(codes[move] for move in (*range(LIFT, PLACE + 7), RAISE, PASS, *range(DISCARD, DISCARD + 6)))
    s = holding(days=[[], [RAIN, RAIN]])
    act(s, 0, PLACE + 1)
    assert s.phase == REVEALING
    for seat in range(3):
        codes = refusals(s, seat)
        assert all(codes[move] for move in (*range(LIFT, PLACE + 7), RAISE, PASS, *range(DISCARD, DISCARD + 6)))


@pytest.mark.clause("FOG-T8", "FOG-T1")
def test_after_the_action_the_turn_passes_left():
    s = holding(active=1, days=[[RAIN, RAIN]])
    act(s, 1, PLACE)
    act(s, 1, legal_moves(s, 1)[0])
    assert (s.phase, s.active) == (LIFTING, 2)
    s = holding(active=2, days=[[], [RAIN, RAIN]])
    act(s, 2, PLACE + 1)
    for seat in (1, 2, 0):
        act(s, seat, legal_moves(s, seat)[0])
    assert (s.phase, s.active) == (LIFTING, 0)


@pytest.mark.clause("FOG-T3")
def test_everyone_hears_of_lifting_and_placing():
    s = fog(3)
    for move in (LIFT, PLACE):
        events = act(s, 0, move)
        assert heard_by(0, events) == heard_by(1, events) == heard_by(2, events) == heard_by(-1, events) == events
