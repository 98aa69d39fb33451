"""What the Fog?!: the prediction moments."""

from random import Random

import pytest

from nevel.engine.tracing import EVERYONE
from nevel.games.what_the_fog import rules as what_the_fog
from nevel.games.what_the_fog.rules.clauses import FOG_C1, FOG_P1, FOG_P2
from nevel.games.what_the_fog.rules.table import (
    DISCARD,
    DISCARDING,
    LIFT,
    LIFTING,
    PASS,
    PLACE,
    PLACING,
    PREDICTED,
    PREDICTING,
    RAISE,
    RETURN,
    REVEAL,
    REVEAL_SYMBOL,
    REVEALING,
    SWAP,
    SWAP_SYMBOL,
    SWAPPING,
)
from tests.rules.positions import (
    FOG,
    RAIN,
    SNOW,
    SUN,
    act,
    amount,
    begin,
    fog,
    lay_tokens,
    legal_moves,
    of_kind,
    random_moves,
    refusal,
    round_of,
    seats_to_act,
)

# ---------------------------------------------------------------- predictions


def completing(seats=4, active=2, day=2, others=(), seed=1):
    """The token now in hand completes a day."""
    s = fog(seats, active=active, seed=seed)
    days = [list(others)] * 4
    days[day] = [RAIN, SNOW, FOG]
    lay_tokens(s, days=days, lifted=SUN, under=(4, 4, 4))
    s.phase = PLACING
    return s


@pytest.mark.clause("FOG-P1", "FOG-P2", "FOG-P3")
def test_the_example_of_the_book_the_third_of_four_players_completes_day_3():
    s = completing(4, active=2, day=2)
    act(s, 2, PLACE + 2)
    assert s.phase == PREDICTING
    for seat, move in ((2, RAISE), (3, PASS), (0, PASS), (1, RAISE)):
        assert s.phase == PREDICTING
        assert seats_to_act(s) == [seat]
        act(s, seat, move)
    assert list(s.prediction[:4]) == [0, 1, 1, 0]
    assert (s.phase, s.active) == (LIFTING, 3)
    assert seats_to_act(s) == [3]
    assert set(legal_moves(s, 3)) >= {LIFT, LIFT + 1, LIFT + 2}


@pytest.mark.clause("FOG-P1")
@pytest.mark.parametrize("day", range(4))
def test_the_last_token_of_any_day_calls_for_predictions_and_an_earlier_one_doesnt(day):
    s = completing(2, active=0, day=day)
    act(s, 0, PLACE + day)
    assert s.phase == PREDICTING
    s = completing(2, active=0, day=day)
    act(s, 0, PLACE + (day + 1) % 4)
    assert s.phase == LIFTING


@pytest.mark.clause("FOG-P1")
@pytest.mark.parametrize("symbol", [SWAP_SYMBOL, REVEAL_SYMBOL])
def test_predictions_follow_after_the_action_of_the_last_part(symbol):
    s = completing(3, active=1, day=0)
    s.symbols[0, 3] = symbol
    act(s, 1, PLACE)
    assert s.phase == (SWAPPING if symbol == SWAP_SYMBOL else REVEALING)
    for seat in [1] if symbol == SWAP_SYMBOL else [0, 1, 2]:
        assert refusal(s, seat, RAISE) == refusal(s, seat, PASS) == FOG_P1
        act(s, seat, legal_moves(s, seat)[0])
    assert s.phase == PREDICTING
    assert seats_to_act(s) == [1]


@pytest.mark.clause("FOG-P1", "FOG-P2")
def test_nothing_else_is_done_in_a_prediction_moment():
    s = completing(3, active=1, day=0)
    act(s, 1, PLACE)
    assert legal_moves(s, 1) == [RAISE, PASS]
    assert {refusal(s, 1, move) for move in (LIFT, RETURN, PLACE + 1, SWAP, REVEAL)} == {FOG_P1}
    assert refusal(s, 1, DISCARD) == FOG_C1
    assert refusal(s, 0, RAISE) == refusal(s, 2, PASS) == FOG_P2


@pytest.mark.clause("FOG-P2")
def test_an_arrow_moves_one_up_or_stays_and_everyone_sees_it():
    s = completing(2, active=0, day=1)
    s.prediction[:2] = [1, 2]
    act(s, 0, PLACE + 1)
    raised, passed = act(s, 0, RAISE), act(s, 1, PASS)
    assert list(s.prediction[:2]) == [2, 2]
    assert of_kind(PREDICTED, raised)[0][1:4] == (EVERYONE, 0, 2)
    assert of_kind(PREDICTED, passed)[0][1:4] == (EVERYONE, 1, 2)


@pytest.mark.clause("FOG-P2")
def test_everyone_predicts_once_a_moment_and_an_arrow_never_goes_back():
    for seed in range(amount(30)):
        seats = 2 + seed % 4
        s = begin(what_the_fog, seats, seed=seed)
        moments, before, number = [], s.prediction.copy(), 1
        for seat, move in random_moves(s, Random(seed)):
            if round_of(s) != number:
                number, before = round_of(s), s.prediction.copy()
            rise = s.prediction - before
            assert rise.min() >= 0
            assert rise.sum() <= 1
            before = s.prediction.copy()
            if move in (RAISE, PASS):
                moments.append((int(s.active), seat))
        assert len(moments) == seats * (4 + 5 + 6 + 7)
        for start in range(0, len(moments), seats):
            layers = [layer for layer, _ in moments[start : start + seats]]
            order = [seat for _, seat in moments[start : start + seats]]
            assert set(layers) == {layers[0]}
            assert order == [(layers[0] + i) % seats for i in range(seats)]


@pytest.mark.clause("FOG-P4", "FOG-C1")
def test_placing_goes_on_until_all_days_are_full():
    for seed in range(amount(20)):
        s = begin(what_the_fog, 3, seed=seed)
        for _ in random_moves(s, Random(seed)):
            is_full = all(s.filled[day] == 4 for day in range(s.days))
            if s.phase in (LIFTING, PLACING):
                assert not is_full
            if s.phase == DISCARDING:
                assert is_full


@pytest.mark.clause("FOG-P3")
def test_after_a_prediction_moment_that_isnt_the_last_the_next_player_places():
    for seats in (2, 3, 4, 5):
        for layer in range(seats):
            s = completing(seats, active=layer, day=3)
            act(s, layer, PLACE + 3)
            for i in range(seats):
                act(s, (layer + i) % seats, RAISE)
            assert (s.phase, s.active) == (LIFTING, (layer + 1) % seats)
