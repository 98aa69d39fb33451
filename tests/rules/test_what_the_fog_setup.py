"""What the Fog?!: what is in the box, and setting up each of the four rounds."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from nevel.games.what_the_fog import rules as what_the_fog
from nevel.games.what_the_fog.rules.table import LIFTING, RAISE, REVEAL_SYMBOL, SWAP_SYMBOL
from tests.rules.positions import (
    BOXES,
    PAIRS,
    act,
    amount,
    begin,
    card_counts,
    copy_of,
    fog,
    legal_moves,
    random_moves,
    round_of,
    seats_to_act,
    token_counts,
)

SEATS = (2, 3, 4, 5)


def first_position_of_rounds(seats: int, is_long: bool, seed: int) -> list[np.record]:
    """The table as it lies at the start of rounds 1 to 4 of a random game."""
    s = begin(what_the_fog, seats, (int(is_long),), seed)
    starts = [copy_of(s)]
    for _ in random_moves(s, Random(seed)):
        if round_of(s) > len(starts):
            starts.append(copy_of(s))
    return starts


@pytest.mark.clause("FOG-B1")
def test_two_to_five_players_play():
    assert tuple(what_the_fog.SEATS) == (2, 5)


@pytest.mark.clause("FOG-B1", "FOG-E1", "FOG-E2")
@pytest.mark.parametrize("seats", SEATS)
def test_a_game_has_four_rounds_and_then_is_over(seats):
    s = begin(what_the_fog, seats, seed=3)
    numbers = [round_of(s) for _ in random_moves(s, Random(3))]
    assert sorted(set(numbers)) == [1, 2, 3, 4]
    assert numbers == sorted(numbers)
    assert what_the_fog.waiting(s) == 0


@pytest.mark.clause("FOG-B2")
def test_the_box_has_eight_cards_of_each_weather():
    assert list(BOXES[what_the_fog][:6]) == [8] * 6
    assert card_counts(begin(what_the_fog, 2)) == [8] * 6


@pytest.mark.clause("FOG-B3")
def test_the_box_has_three_tokens_of_each_pair():
    assert list(BOXES[what_the_fog][6:21]) == [3] * 15
    assert len(PAIRS) == 15
    assert token_counts(begin(what_the_fog, 2)) == [3] * 15


@pytest.mark.clause("FOG-B4")
def test_seven_parts_carry_a_symbol():
    s = begin(what_the_fog, 2)
    swap, reveal = SWAP_SYMBOL, REVEAL_SYMBOL
    expected = {(1, 3): swap, (2, 3): reveal, (3, 2): swap, (4, 2): reveal, (5, 3): swap, (6, 3): reveal, (7, 2): swap}
    for day in range(1, 8):
        for part in range(1, 5):
            assert s.symbols[day - 1, part - 1] == expected.get((day, part), 0), (day, part)


@pytest.mark.clause("FOG-B5")
@pytest.mark.parametrize("seats", SEATS)
def test_who_always_raises_points_at_the_number_of_days_and_never_beyond_7(seats):
    s = begin(what_the_fog, seats, seed=2)
    random = Random(2)
    while waiting := seats_to_act(s):
        legal = legal_moves(s, waiting[0])
        assert s.prediction.max() <= s.days <= 7
        act(s, waiting[0], RAISE if RAISE in legal else random.choice(legal))
    assert s.sheet[:seats, :, 0].tolist() == [[4, 5, 6, 7]] * seats


@pytest.mark.clause("FOG-S1", "FOG-S2", "FOG-S3", "FOG-S4", "FOG-S5", "FOG-S7", "FOG-E1")
@pytest.mark.parametrize("is_long", [False, True])
@pytest.mark.parametrize("seats", SEATS)
def test_the_arithmetic_of_every_round(seats, is_long):
    table = {1: (4, 5, 4, 12, 11), 2: (5, 6, 5, 15, 10), 3: (6, 7, 6, 18, 9), 4: (7, 8, 6, 22, 9)}
    long_table = {1: (4, 5, 0, 16, 15), 2: (5, 6, 0, 20, 15), 3: (6, 7, 0, 24, 15), 4: (7, 8, 0, 28, 15)}
    starts = first_position_of_rounds(seats, is_long, seed=seats)
    assert len(starts) == 4
    for number, s in enumerate(starts, 1):
        days, hand, laid_out, to_place, supply = (long_table if is_long else table)[number]
        assert (round_of(s), s.days, s.phase) == (number, days, LIFTING)
        assert list(s.held[:seats]) == [hand] * seats
        assert list(s.hand[:seats].sum(axis=1)) == [hand] * seats
        assert s.filled.sum() == laid_out == np.count_nonzero(s.day)
        assert 4 * days - s.filled.sum() == to_place
        assert list(s.pile_size) == [10, 10, 10]
        assert [np.count_nonzero(s.top), s.under.sum()] == [3, 27]
        assert s.supply_size == s.supply.sum() == supply
        assert s.deck_size == s.deck.sum() == 48 - seats * hand
        assert not s.prediction.any()
        assert not s.discards.any()
        assert not s.open.any()
        assert not s.away.any()
    if seats == 5:
        assert [int(s.deck_size) for s in starts] == [23, 18, 13, 8]


@pytest.mark.clause("FOG-S2")
def test_part_one_of_every_day_has_a_token_except_day_seven():
    for seed in range(5):
        for s in first_position_of_rounds(2, False, seed):
            expected = [1] * min(int(s.days), 6) + [0] * (7 - min(int(s.days), 6))
            assert list(s.filled) == expected
            assert list(np.count_nonzero(s.day, axis=1)) == expected
            assert all(s.day[day, 0] for day in range(sum(expected)))


@pytest.mark.clause("FOG-S7")
def test_the_long_game_starts_every_round_with_empty_days():
    for s in first_position_of_rounds(3, True, 7):
        assert not s.day.any()
        assert not s.filled.any()


@pytest.mark.clause("FOG-S2", "FOG-S3")
def test_tokens_are_mixed_and_lie_with_a_random_side_up():
    faces, on_piles, pairs = Counter(), Counter(), Counter()
    games = amount(1500)
    for seed in range(games):
        s = begin(what_the_fog, 2, seed=seed)
        faces[int(s.day[0, 0])] += 1
        on_piles[int(s.top[1])] += 1
        pairs[int(s.top[0]), int(s.top_back[0])] += 1
    if games >= 1500:
        assert all(abs(faces[weather] - games / 6) < games / 25 for weather in range(1, 7))
        assert all(abs(on_piles[weather] - games / 6) < games / 25 for weather in range(1, 7))
        assert len(pairs) == 30  # every pair, either side up


@pytest.mark.clause("FOG-S4")
def test_cards_are_shuffled():
    games = amount(1500)
    held = sum((begin(what_the_fog, 2, seed=seed).hand[1] for seed in range(games)), np.zeros(6, np.int64))
    assert held.sum() == 5 * games
    if games >= 1500:
        assert all(abs(count - 5 * games / 6) < games / 12 for count in held)


@pytest.mark.clause("FOG-S5")
def test_arrows_go_back_to_0_for_every_round():
    s = begin(what_the_fog, 3, seed=5)
    before, raised = round_of(s), 0
    for _, move in random_moves(s, Random(5)):
        if round_of(s) != before:
            assert not s.prediction.any()
            before = round_of(s)
        raised += move == RAISE
    assert raised


@pytest.mark.clause("FOG-S6")
@pytest.mark.parametrize("seats", SEATS)
def test_the_first_starting_player_is_random(seats):
    starters = Counter(int(begin(what_the_fog, seats, seed=seed).starter) for seed in range(40 * seats))
    assert sorted(starters) == list(range(seats))
    assert min(starters.values()) >= 15


@pytest.mark.clause("FOG-S6", "FOG-T1")
@pytest.mark.parametrize("seats", SEATS)
def test_the_sun_passes_to_the_left_for_every_next_round(seats):
    starts = first_position_of_rounds(seats, False, seed=11 + seats)
    first = int(starts[0].starter)
    assert [int(s.starter) for s in starts] == [(first + i) % seats for i in range(4)]
    assert [int(s.active) for s in starts] == [(first + i) % seats for i in range(4)]
    assert [int(what_the_fog.waiting(s)) for s in starts] == [1 << (first + i) % seats for i in range(4)]


@pytest.mark.clause("FOG-E1")
def test_everything_is_cleared_for_the_next_round():
    for s in first_position_of_rounds(4, False, 21)[1:]:
        for field in ("returned", "returned_back", "lifted", "lifted_back", "chosen", "choice", "away", "open"):
            assert not np.any(s[field]), field
        assert token_counts(s) == [3] * 15
        assert card_counts(s) == [8] * 6


def test_the_crafted_position_is_a_whole_box():
    s = fog(4, number=3)
    assert token_counts(s) == [3] * 15
    assert card_counts(s) == [8] * 6
    act(s, 0, 0)
    assert token_counts(s) == [3] * 15
