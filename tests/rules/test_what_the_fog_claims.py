"""What the Fog?!: giving up a card, claiming days, the score sheets and the winner."""

from itertools import cycle
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nevel.engine.tracing import EVERYONE
from nevel.games.what_the_fog import rules as what_the_fog
from nevel.games.what_the_fog.rules.clauses import FOG_A3, FOG_C1, FOG_E2, FOG_P1, FOG_T2
from nevel.games.what_the_fog.rules.table import (
    CLAIMED,
    COUNTED,
    DISCARD,
    DISCARDING,
    LAID_OPEN,
    LIFT,
    OVER,
    PASS,
    PREDICTING,
    RAISE,
    REVEAL,
    SCORED,
    SWAP,
)
from tests.rules.positions import (
    CLOUDS,
    FOG,
    RAIN,
    SNOW,
    SUN,
    THUNDER,
    act,
    amount,
    begin,
    card_counts,
    copy_of,
    deal_cards,
    fog,
    heard_by,
    lay_tokens,
    legal_moves,
    of_kind,
    outcome,
    random_moves,
    refusal,
    refusals,
    round_field,
    round_of,
    seats_to_act,
)


def discarding(s, days, hands, shown=(), predictions=()):
    """Make it the moment in which everyone gives up a card."""
    lay_tokens(s, days=days, under=(4, 4, 4) if round_of(s) < 4 else (2, 2, 2))
    deal_cards(s, hands, shown=shown)
    s.phase = DISCARDING
    s.prediction[:] = 0
    s.prediction[: len(predictions)] = predictions
    return s


def give_up(s, weathers):
    """Everyone gives up a card; gives the events of the last one."""
    events = []
    for seat, weather in enumerate(weathers):
        events = act(s, seat, DISCARD + weather)
    return events


OWN = (SUN, RAIN, SNOW, FOG)  # what each player's cards show


def claiming(s, claims, predictions):
    """A round's end in which each player claims as many days as told: on theirs lies one token of their weather."""
    days = [[] for _ in range(s.days)]
    for seat, count in enumerate(claims):
        for i in range(count):
            days[(i + seat) % s.days].append(OWN[seat])
    nobodys = cycle(weather for weather in range(6) if weather not in OWN[: s.seats])
    for day in days:
        while len(day) < 4:
            day.append(next(nobodys))
    discarding(s, days, [[OWN[seat]] * (s.days + 1) for seat in range(s.seats)], predictions=predictions)


# ---------------------------------------------------------------- giving up a card


@pytest.mark.clause("FOG-C1")
def test_after_the_last_prediction_everyone_gives_up_a_card():
    s = fog(3)
    lay_tokens(s, days=[[SUN, FOG, RAIN, SNOW]] * 4, under=(5, 5, 5))
    s.phase, s.active, s.predictor, s.last_day = PREDICTING, 1, 0, 2
    assert {refusal(s, seat, DISCARD + RAIN) for seat in range(3)} == {FOG_C1}
    act(s, 0, RAISE)
    assert s.phase == DISCARDING
    assert seats_to_act(s) == [0, 1, 2]
    assert {refusal(s, 0, move) for move in (LIFT, SWAP, REVEAL)} == {FOG_C1}
    assert refusal(s, 0, PASS) == FOG_P1


@pytest.mark.clause("FOG-C1")
def test_each_gives_up_one_hidden_card_at_the_same_time():
    s = discarding(fog(2), [[SUN] * 2 + [FOG] * 2] * 4, [[RAIN, RAIN, SUN], [SUN, FOG, FOG]])
    act(s, 1, DISCARD + FOG)
    assert {refusal(s, 1, DISCARD + weather) for weather in range(6)} == {FOG_C1}
    assert seats_to_act(s) == [0]
    assert not s.sheet.any()
    assert not s.open.any()
    s[round_field(s)] = 4  # so that the table isn't cleared
    s.days = 4
    act(s, 0, DISCARD + RAIN)
    assert list(s.away[:2]) == [1 + RAIN, 1 + FOG]
    assert s.open[0].tolist() == [1, 0, 0, 0, 0, 1]
    assert s.open[1].tolist() == [0, 0, 1, 0, 0, 1]
    assert card_counts(s) == [8] * 6


@pytest.mark.clause("FOG-C1")
def test_nobody_learns_which_card_was_given_up():
    hands = [[RAIN, RAIN, SUN], [SUN, FOG, FOG], [CLOUDS, CLOUDS, SNOW]]
    s = discarding(fog(3), [[SUN] * 2 + [FOG] * 2] * 4, hands)
    twin = copy_of(s)
    told, told_twin = act(s, 1, DISCARD + FOG), act(twin, 1, DISCARD + SUN)
    for other in (0, 2, -1):
        assert heard_by(other, told) == heard_by(other, told_twin)
        one, two = copy_of(s), copy_of(twin)
        what_the_fog.conceal(one, other)
        what_the_fog.conceal(two, other)
        assert one.tobytes() == two.tobytes()
    assert heard_by(1, told) != heard_by(1, told_twin)


@pytest.mark.clause("FOG-C1")
def test_a_card_given_up_doesnt_come_to_light_when_all_others_are_laid_open():
    s = discarding(fog(2, number=4), [[SUN, SUN, FOG, FOG]] * 3 + [[SNOW, RAIN, CLOUDS, RAIN]] * 4, [[RAIN], [SUN]])
    give_up(s, [RAIN, SUN])
    assert s.phase == OVER
    what_the_fog.conceal(s, 0)
    assert list(s.away[:2]) == [1 + RAIN, 0]
    assert not s.discards.any()


@pytest.mark.clause("FOG-C2")
def test_all_remaining_cards_are_laid_open_and_predictions_noted():
    hands = [[RAIN, RAIN, SUN], [SUN, FOG, FOG]]
    s = discarding(fog(2), [[SUN] * 2 + [FOG] * 2] * 4, hands, shown=[[SNOW], [SNOW, FOG]], predictions=(2, 3))
    events = give_up(s, [RAIN, SUN])
    laid = {event[2:5] for event in of_kind(LAID_OPEN, events) if event[1] == EVERYONE}
    assert laid == {(0, 1 + RAIN, 1), (0, 1 + SNOW, 1), (0, 1 + SUN, 1), (1, 1 + SNOW, 1), (1, 1 + FOG, 3)}
    assert [int(s.sheet[seat, 0, 0]) for seat in range(2)] == [2, 3]


# ---------------------------------------------------------------- claiming


@pytest.mark.clause("FOG-C3")
def test_the_example_of_the_book_two_sun_and_a_snow_card_have_influence_5():
    days = [[FOG] * 4, [SUN, SUN, SNOW, THUNDER], [FOG] * 4, [CLOUDS] * 4]
    s = discarding(fog(2), days, [[SUN, SUN, SNOW, RAIN], [RAIN, RAIN]])
    give_up(s, [RAIN, RAIN])
    assert s.influence[1, 0] == 5
    assert s.influence[1, 1] == 0


@pytest.mark.clause("FOG-C3", "FOG-A4")
def test_open_cards_and_cards_just_laid_down_count_together():
    days = [[SUN, SUN, SNOW, FOG], [FOG] * 4, [FOG, FOG, CLOUDS, CLOUDS], [CLOUDS] * 4]
    s = discarding(fog(2), days, [[SUN, SNOW, RAIN], [RAIN]], shown=[[SUN, FOG], [CLOUDS]])
    give_up(s, [RAIN, RAIN])
    assert s.influence[:4, 0].tolist() == [2 + 2 + 1 + 1, 4, 2, 0]
    assert s.influence[:4, 1].tolist() == [0, 0, 2, 4]


@pytest.mark.clause("FOG-C4")
def test_the_most_influence_claims_and_tied_players_all_claim():
    days = [[SUN, SUN, RAIN, FOG], [RAIN] * 4, [SNOW, CLOUDS, CLOUDS, CLOUDS], [SUN, RAIN, FOG, FOG]]
    hands = [[SUN, SUN, THUNDER], [RAIN, RAIN, RAIN, SNOW, THUNDER], [SUN, SUN, THUNDER]]
    s = discarding(fog(3), days, hands)
    events = give_up(s, [THUNDER] * 3)
    assert s.influence[:4, :3].tolist() == [[4, 3, 4], [0, 12, 0], [0, 1, 0], [2, 3, 2]]
    claimed = {(event[2], event[3]) for event in of_kind(CLAIMED, events)}
    assert claimed == {(0, 0), (0, 2), (1, 1), (2, 1), (3, 1)}
    assert s.sheet[:3, 0, 1].tolist() == [1, 3, 1]


@pytest.mark.clause("FOG-C4")
def test_nobody_claims_with_less_than_1():
    s = discarding(fog(2), [[FOG] * 4, [CLOUDS] * 4, [SNOW] * 4, [SUN, FOG, FOG, FOG]], [[SUN, SUN], [RAIN, RAIN]])
    events = give_up(s, [SUN, RAIN])
    assert s.sheet[:2, 0, 1].tolist() == [1, 0]
    assert len(of_kind(CLAIMED, events)) == 1
    assert len(of_kind(COUNTED, events)) == 8


@pytest.mark.slow
@pytest.mark.clause("FOG-C1", "FOG-C2", "FOG-C3", "FOG-C4", "FOG-X1", "FOG-X2", "FOG-X3", "FOG-E1")
def test_every_count_of_random_games_equals_a_plain_one():
    for seed in range(amount(120)):
        seats = 2 + seed % 4
        s = begin(what_the_fog, seats, (seed // 4 % 2,), seed)
        expected = np.zeros((5, 4, 3), np.int64)
        for seat, move in random_moves(s, Random(seed)):
            number = round_of(s)
            assert (s.sheet[:, : number - 1] == expected[:, : number - 1]).all()
            assert not s.sheet[:, number - 1 :].any()
            if s.phase == DISCARDING and seats_to_act(s) == [seat]:
                choices = [int(choice) - 1 for choice in s.choice]
                choices[seat] = move - DISCARD
                cards = s.hand[:seats] + s.open[:seats]
                for other in range(seats):
                    if s.held[other]:
                        cards[other, choices[other]] -= 1
                expected[:seats, number - 1] = plain_rows(s, cards)
        assert (s.sheet == expected).all()
        ended, points, winners = outcome(s)
        assert ended == FOG_E2
        assert points == [int(n) for n in expected[:seats, :, 2].sum(axis=1)]
        ranks = [(points[seat], int(expected[seat, 3, 1]), int(s.open[seat].max())) for seat in range(seats)]
        assert winners == [rank == max(ranks) for rank in ranks]


def plain_rows(s, cards):
    """Predicted, claimed and score of every player, counted the slow way."""
    claims = [0] * len(cards)
    for day in range(s.days):
        influence = [sum(int(hand[face - 1]) for face in s.day[day]) for hand in cards]
        for seat, value in enumerate(influence):
            if value == max(influence) and value >= 1:
                claims[seat] += 1
    rows = []
    for seat, claimed in enumerate(claims):
        predicted = int(s.prediction[seat])
        rows.append(
            (predicted, claimed, predicted + round_of(s) if predicted == claimed else -abs(predicted - claimed))
        )
    return rows


# ---------------------------------------------------------------- scores


@pytest.mark.clause("FOG-X1", "FOG-X2")
@pytest.mark.parametrize(
    ("number", "predicted", "claimed", "points"),
    [
        (1, 1, 1, 2),  # the book's first example
        (2, 2, 3, -1),  # and its second
        (1, 0, 0, 1),
        (4, 7, 7, 11),
        (4, 0, 7, -7),
        (4, 7, 0, -7),
        (3, 2, 1, -1),
        (3, 6, 6, 9),
    ],
)
def test_a_score_is_prediction_plus_round_or_minus_the_difference(number, predicted, claimed, points):
    s = fog(2, number=number)
    claiming(s, [claimed, 0], [predicted, 0])
    events = give_up(s, OWN[:2])
    assert s.sheet[0, number - 1].tolist() == [predicted, claimed, points]
    assert s.sheet[1, number - 1].tolist() == [0, 0, number]
    assert [event[1:4] for event in of_kind(SCORED, events)] == [(EVERYONE, seat, number) for seat in range(2)]


@pytest.mark.clause("FOG-X1", "FOG-X2")
@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.integers(1, 4), st.integers(0, 7), st.integers(0, 7))
def test_any_prediction_is_paid_as_told(number, predicted, claimed):
    s = fog(2, number=number)
    predicted, claimed = min(predicted, number + 3), min(claimed, number + 3)
    claiming(s, [claimed, 0], [predicted, 0])
    give_up(s, OWN[:2])
    score = predicted + number if predicted == claimed else -abs(predicted - claimed)
    assert s.sheet[0, number - 1].tolist() == [predicted, claimed, score]


@pytest.mark.clause("FOG-X1", "FOG-X2", "FOG-X3", "FOG-C4", "FOG-E1", "FOG-E2")
def test_the_four_sheets_of_the_book():
    lucy = [(1, 1, 2), (2, 3, -1), (2, 1, -1), (0, 0, 4)]
    toby = [(0, 0, 1), (2, 2, 4), (3, 2, -1), (2, 2, 6)]
    jack = [(2, 1, -1), (0, 1, -1), (3, 3, 6), (4, 1, -3)]
    ruby = [(1, 0, -1), (0, 0, 2), (2, 2, 5), (3, 4, -1)]
    sheets = [lucy, toby, jack, ruby]
    s = fog(4)
    for number in range(1, 5):
        assert (round_of(s), s.days) == (number, number + 3)
        assert outcome(s)[0] == 0
        claiming(
            s,
            [sheet[number - 1][1] for sheet in sheets],
            [sheet[number - 1][0] for sheet in sheets],
        )
        give_up(s, OWN)
    for seat, sheet in enumerate(sheets):
        assert [tuple(row) for row in s.sheet[seat].tolist()] == sheet
    assert outcome(s) == (FOG_E2, [4, 10, 1, 5], [False, True, False, False])


# ---------------------------------------------------------------- ends


def ended(sheets, shown):
    """A game that is over, with these totals and last claims and these cards laid open at the end."""
    s = fog(len(sheets), number=4)
    s.phase, s.ended = OVER, FOG_E2
    deal_cards(s, [[] for _ in sheets], shown=shown)
    for seat, (total, claims) in enumerate(sheets):
        s.sheet[seat, 0, 2] = total
        s.sheet[seat, 3, 1] = claims
        s.sheet[seat, 2, 1] = 6 - claims  # what was claimed before doesn't matter
    return s


@pytest.mark.clause("FOG-E2")
@pytest.mark.parametrize(
    ("sheets", "shown", "winners"),
    [
        ([(3, 7), (4, 0), (-2, 7)], [[RAIN] * 7, [SUN], [FOG] * 7], [False, True, False]),
        ([(4, 2), (4, 3), (3, 7)], [[RAIN] * 7, [SUN], [FOG] * 7], [False, True, False]),
        ([(4, 3), (4, 3), (4, 2)], [[RAIN, RAIN, SNOW], [SUN, SUN, SUN], [FOG] * 7], [False, True, False]),
        ([(4, 3), (4, 3), (4, 3)], [[RAIN] * 2, [SUN] * 2, [FOG]], [True, True, False]),
        ([(-4, 3), (-4, 3), (-5, 7)], [[RAIN, SUN], [SUN, SNOW], [FOG] * 8], [True, True, False]),
        ([(-9, 0), (-9, 1)], [[RAIN] * 7, [SUN]], [False, True]),
        ([(0, 0), (0, 0)], [[], []], [True, True]),
    ],
)
def test_ties_go_to_the_last_claims_then_to_the_most_cards_of_one_weather(sheets, shown, winners):
    s = ended(sheets, shown)
    clause, points, won = outcome(s)
    assert clause == FOG_E2
    assert points == [total for total, _ in sheets]
    assert won == winners


@pytest.mark.clause("FOG-E2")
def test_a_card_given_up_doesnt_count_for_the_tie():
    s = fog(2, number=4)
    days = [[CLOUDS, CLOUDS, THUNDER, THUNDER]] * 4 + [[CLOUDS, THUNDER, THUNDER, FOG]] * 3
    discarding(s, days, [[RAIN] * 3 + [SUN] * 2, [SNOW] * 3 + [SUN] * 2])
    give_up(s, [RAIN, SUN])
    assert s.sheet[:2, 3].tolist() == [[0, 0, 4], [0, 0, 4]]
    assert outcome(s) == (FOG_E2, [4, 4], [False, True])


@pytest.mark.clause("FOG-E2")
def test_nobody_has_won_before_the_end_and_nothing_is_allowed_after_it():
    s = begin(what_the_fog, 3)
    for _ in random_moves(s, Random(4)):
        clause, _, won = outcome(s)
        assert clause == 0
        assert not any(won)
    assert (s.phase, round_of(s)) == (OVER, 4)
    for seat in range(3):
        assert set(refusals(s, seat).tolist()) == {FOG_E2}
        assert legal_moves(s, seat) == []


@pytest.mark.clause("FOG-E1")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_after_rounds_1_to_3_the_next_has_one_more_day(number):
    s = fog(3, number=number, active=1)
    claiming(s, [1, 0, 2], [0, 0, 0])
    give_up(s, OWN[:3])
    assert (round_of(s), s.days) == (number + 1, number + 4)
    assert s.active == s.starter == 2
    assert s.ended == 0
    assert s.sheet[:3, number - 1, 1].tolist() == [1, 0, 2]


@pytest.mark.clause("FOG-A3")
def test_a_reveal_is_refused_when_none_is_called():
    s = fog(2)
    assert refusal(s, 0, REVEAL) in (FOG_A3, FOG_T2)
    s = discarding(fog(2), [[SUN] * 2 + [FOG] * 2] * 4, [[RAIN, SUN], [SUN, FOG]])
    assert refusal(s, 0, REVEAL + RAIN) in (FOG_A3, FOG_C1)
