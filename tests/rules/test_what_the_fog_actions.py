"""What the Fog?!: the two action symbols, swap and reveal."""

from collections import Counter
from random import Random

import pytest

from nevel.engine.tracing import EVERYONE
from nevel.games.what_the_fog import rules as what_the_fog
from nevel.games.what_the_fog.rules.clauses import (
    FOG_A1,
    FOG_A3,
    FOG_A4,
    FOG_A5,
    FOG_C1,
    FOG_P1,
    FOG_S4,
    FOG_T2,
    FOG_T3,
    FOG_T8,
)
from nevel.games.what_the_fog.rules.table import (
    DISCARD,
    DISCARDING,
    HAND,
    LIFT,
    LIFTING,
    PASS,
    PLACE,
    PLACING,
    PREDICTING,
    RAISE,
    RETURN,
    REVEAL,
    REVEALED,
    REVEALING,
    SWAP,
    SWAP_DRAWN,
    SWAPPED,
    SWAPPING,
)
from tests.rules.positions import (
    CLOUDS,
    FOG,
    RAIN,
    SNOW,
    SUN,
    THUNDER,
    act,
    begin,
    card_counts,
    copy_of,
    deal_cards,
    fog,
    heard_by,
    key,
    lay_tokens,
    legal_moves,
    of_kind,
    random_moves,
    refusal,
    round_of,
    seats_to_act,
)

SWAP_DAY, REVEAL_DAY = [RAIN, SNOW], [RAIN, FOG]  # day 1 and day 2, with part 3 to come


def before_symbol(seats=3, active=0, hands=None, **cards):
    """A token has been lifted; part 3 of day 1 (swap) and of day 2 (reveal) are next there."""
    s = fog(seats, active=active)
    lay_tokens(s, days=[SWAP_DAY, REVEAL_DAY], lifted=SUN, under=(9, 9, 8))
    deal_cards(s, hands, **cards)
    s.phase = PLACING
    return s


def swapping(*args, **kwargs):
    s = before_symbol(*args, **kwargs)
    act(s, int(s.active), PLACE)
    return s


def revealing(*args, **kwargs):
    s = before_symbol(*args, **kwargs)
    act(s, int(s.active), PLACE + 1)
    return s


# ---------------------------------------------------------------- swap


@pytest.mark.clause("FOG-A1")
def test_swap_discards_a_card_face_up_and_draws_one():
    s = swapping(3, active=1, hands=[[RAIN] * 5, [SUN, SUN, SNOW, FOG, FOG], [CLOUDS] * 5])
    assert s.phase == SWAPPING
    assert seats_to_act(s) == [1]
    assert legal_moves(s, 1) == [SWAP + SNOW, SWAP + FOG, SWAP + SUN]
    deck = int(s.deck_size)
    events = act(s, 1, SWAP + SNOW)
    assert of_kind(SWAPPED, events)[0][1:4] == (EVERYONE, 1, 1 + SNOW)
    assert list(s.discards) == [0, 1, 0, 0, 0, 0]
    assert s.deck_size == s.deck.sum() == deck - 1
    assert s.held[1] == s.hand[1].sum() == 5
    drawn = of_kind(SWAP_DRAWN, events)
    assert len(drawn) == 1
    assert drawn[0][1] == 1
    kept = Counter({SUN: 2, FOG: 2})
    kept[drawn[0][3] - 1] += 1
    assert list(s.hand[1]) == [kept[weather] for weather in range(6)]
    assert card_counts(s) == [8] * 6


@pytest.mark.clause("FOG-A1")
def test_a_swap_changes_nobody_elses_hand_and_tells_nobody_else_what_was_drawn():
    drawn = set()
    for seed in range(40):
        s = swapping(3, hands=[[RAIN] * 5, [SUN, SUN, SNOW, FOG, FOG], [CLOUDS] * 5])
        key(s, seed)
        before = s.hand[1:].copy()
        events = act(s, 0, SWAP + RAIN)
        assert (s.hand[1:] == before).all()
        drawn.add(of_kind(SWAP_DRAWN, events)[0][3])
        told = heard_by(1, events)
        assert told == heard_by(2, events) == heard_by(-1, events)
        assert not of_kind(SWAP_DRAWN, told)
    assert len(drawn) > 3


@pytest.mark.clause("FOG-A1", "FOG-T8")
def test_only_the_active_player_swaps_and_only_then():
    s = swapping(3, active=1)
    assert refusal(s, 0, SWAP + RAIN) == refusal(s, 2, SWAP + SUN) == FOG_A1
    assert refusal(s, 1, LIFT) == refusal(s, 1, PLACE) == refusal(s, 1, RETURN) == FOG_T8
    assert refusal(s, 1, REVEAL) == FOG_T8
    assert refusal(s, 1, RAISE) == FOG_P1
    assert refusal(s, 1, DISCARD) == FOG_C1
    s = fog(2)
    assert refusal(s, 0, SWAP) in (FOG_T2, FOG_A1, FOG_T8)
    act(s, 0, LIFT)
    assert refusal(s, 0, SWAP) in (FOG_T3, FOG_A1, FOG_T8)


@pytest.mark.clause("FOG-A1", "FOG-S4")
def test_only_a_card_of_ones_own_hand_can_be_given():
    s = swapping(2, hands=[[RAIN] * 5, [SUN] * 5])
    assert [refusal(s, 0, SWAP + weather) for weather in range(6)] == [0, *[FOG_S4] * 5]
    s = revealing(2, hands=[[RAIN] * 5, [SUN] * 5])
    assert [refusal(s, 1, REVEAL + weather) for weather in range(6)] == [*[FOG_S4] * 5, 0]


@pytest.mark.clause("FOG-A2")
def test_an_empty_deck_is_made_anew_of_the_face_up_discards():
    hands = [[RAIN] * 5, [SUN] * 5]
    s = swapping(2, hands=hands, discards=[THUNDER, CLOUDS, CLOUDS], is_deck_empty=True)
    assert s.phase == SWAPPING
    act(s, 0, SWAP + RAIN)
    assert s.held[0] == 5
    assert s.hand[0, CLOUDS] + s.hand[0, THUNDER] == 1  # not the card just given away
    assert s.deck_size == s.deck.sum() == 2
    assert list(s.discards) == [1, 0, 0, 0, 0, 0]
    assert card_counts(s) == [8] * 6


@pytest.mark.clause("FOG-A2")
def test_without_deck_and_discards_a_swap_does_nothing():
    hands = [[RAIN] * 5, [SUN] * 5]
    s = swapping(2, hands=hands, is_deck_empty=True)
    assert (s.phase, s.active) == (LIFTING, 1)
    assert list(s.hand[0]) == [5, 0, 0, 0, 0, 0]
    assert not s.discards.any()
    assert card_counts(s) == [8] * 6


@pytest.mark.clause("FOG-A2")
def test_as_long_as_the_deck_has_a_card_the_discards_stay_where_they_are():
    s = swapping(2, hands=[[RAIN] * 5, [SUN] * 5], discards=[THUNDER])
    act(s, 0, SWAP + RAIN)
    assert s.discards[THUNDER] == 1
    assert s.discards[RAIN] == 1


# ---------------------------------------------------------------- reveal


@pytest.mark.clause("FOG-A3")
def test_everyone_chooses_a_card_and_all_are_turned_up_together():
    hands = [[RAIN, SNOW, SNOW, FOG, FOG], [SUN] * 5, [CLOUDS, THUNDER, SUN, SUN, SUN]]
    s = revealing(3, active=1, hands=hands)
    assert s.phase == REVEALING
    assert seats_to_act(s) == [0, 1, 2]
    act(s, 2, REVEAL + THUNDER)
    assert seats_to_act(s) == [0, 1]
    act(s, 0, REVEAL + SNOW)
    assert not s.open.any()
    assert list(s.held[:3]) == [5, 5, 5]
    events = act(s, 1, REVEAL + SUN)
    assert {event[1:4] for event in of_kind(REVEALED, events)} == {
        (EVERYONE, 0, 1 + SNOW),
        (EVERYONE, 1, 1 + SUN),
        (EVERYONE, 2, 1 + THUNDER),
    }
    assert list(s.held[:3]) == [4, 4, 4]
    assert s.hand[0, SNOW] == s.open[0, SNOW] == 1
    assert s.open[1, SUN] == s.open[2, THUNDER] == 1
    assert s.open.sum() == 3
    assert card_counts(s) == [8] * 6
    assert (s.phase, s.active) == (LIFTING, 2)


@pytest.mark.clause("FOG-A3")
def test_a_choice_to_reveal_is_secret_until_all_have_chosen():
    s = revealing(3)
    twin = copy_of(s)
    first, second = legal_moves(s, 1)[:2]
    events, events_twin = act(s, 1, first), act(twin, 1, second)
    for other in (0, 2, -1):
        assert heard_by(other, events) == heard_by(other, events_twin)
        assert not of_kind(REVEALED, events)
        one, two = copy_of(s), copy_of(twin)
        what_the_fog.conceal(one, other)
        what_the_fog.conceal(two, other)
        assert one.tobytes() == two.tobytes()
    assert heard_by(1, events) != heard_by(1, events_twin)


@pytest.mark.clause("FOG-A3")
def test_a_choice_stands():
    s = revealing(3)
    act(s, 1, legal_moves(s, 1)[0])
    assert {refusal(s, 1, REVEAL + weather) for weather in range(6)} == {FOG_A3}
    assert refusal(s, 0, LIFT) == refusal(s, 1, PLACE) == refusal(s, 0, SWAP) == FOG_A3
    assert refusal(s, 0, RAISE) == FOG_P1
    assert refusal(s, 0, DISCARD) == FOG_C1


@pytest.mark.clause("FOG-A4")
def test_a_revealed_card_cant_be_swapped_revealed_again_or_given_up():
    hands = [[RAIN, RAIN], [SUN, SNOW]]
    shown = [[SNOW, SNOW, FOG], [SUN, SUN, FOG]]
    s = swapping(2, hands=hands, shown=shown)
    assert [refusal(s, 0, SWAP + weather) for weather in (RAIN, SNOW, FOG, SUN)] == [0, FOG_A4, FOG_A4, FOG_S4]
    s = revealing(2, hands=hands, shown=shown)
    assert [refusal(s, 0, REVEAL + weather) for weather in (RAIN, SNOW, FOG, SUN)] == [0, FOG_A4, FOG_A4, FOG_S4]
    assert refusal(s, 1, REVEAL + SUN) == 0  # there is a hidden one as well
    s.phase = DISCARDING
    assert [refusal(s, 0, DISCARD + weather) for weather in (RAIN, SNOW, FOG, SUN)] == [0, FOG_A4, FOG_A4, FOG_S4]


@pytest.mark.clause("FOG-A4")
def test_revealed_cards_lie_open_for_the_rest_of_the_round_and_stay_their_owners():
    random = Random(8)
    s = begin(what_the_fog, 4, seed=8)
    before, number = s.open.copy(), 1
    for _ in random_moves(s, random):
        if round_of(s) != number:
            before, number = s.open.copy(), round_of(s)
            assert not s.open.any()
        assert (s.open >= before).all()
        before = s.open.copy()
    assert before.sum() > 4


@pytest.mark.clause("FOG-A5")
def test_a_player_with_no_hidden_card_skips_the_swap():
    s = swapping(2, hands=[[], [SUN] * 5], shown=[[RAIN] * 5])
    assert (s.phase, s.active) == (LIFTING, 1)
    assert not s.discards.any()
    assert s.held[0] == 0


@pytest.mark.clause("FOG-A5")
def test_a_player_with_no_hidden_card_skips_the_reveal():
    s = revealing(3, hands=[[RAIN], [], [SUN]], shown=[[], [FOG], []])
    assert seats_to_act(s) == [0, 2]
    assert {refusal(s, 1, REVEAL + weather) for weather in range(6)} == {FOG_A5}
    act(s, 0, REVEAL + RAIN)
    act(s, 2, REVEAL + SUN)
    assert (s.phase, s.active) == (LIFTING, 1)
    assert s.open[:3].sum(axis=1).tolist() == [1, 1, 1]
    assert s.held.sum() == 0


@pytest.mark.clause("FOG-A5")
def test_a_reveal_that_everyone_skips_is_over_at_once():
    s = revealing(2, hands=[[], []], shown=[[FOG], [SUN]])
    assert (s.phase, s.active) == (LIFTING, 1)


@pytest.mark.clause("FOG-A5")
def test_a_player_with_no_hidden_card_skips_the_discard():
    s = last_prediction(3, hands=[[RAIN, RAIN], [], [SUN]], shown=[[], [FOG], []])
    act(s, 2, PASS)
    assert s.phase == DISCARDING
    assert seats_to_act(s) == [0, 2]
    assert refusal(s, 1, DISCARD + FOG) == FOG_A5
    act(s, 2, DISCARD + SUN)
    act(s, 0, DISCARD + RAIN)
    assert round_of(s) == 2


@pytest.mark.clause("FOG-A5")
def test_a_discard_that_everyone_skips_ends_the_round_at_once():
    s = last_prediction(3, hands=[[], [], []], shown=[[RAIN], [FOG], [SUN]])
    act(s, 2, PASS)
    assert round_of(s) == 2


def last_prediction(seats, hands, **cards):
    """All days are full; only the last seat still has to predict."""
    s = fog(seats)
    lay_tokens(s, days=[[SUN, FOG, RAIN, SNOW]] * 4, under=(5, 5, 5))
    deal_cards(s, hands, **cards)
    s.phase, s.active, s.predictor, s.last_day = PREDICTING, 0, seats - 1, 3
    return s


@pytest.mark.clause("FOG-S4")
def test_a_player_is_told_only_their_own_hand():
    trace = what_the_fog_trace()
    hands = of_kind(HAND, trace)
    assert hands
    assert all(event[1] == event[2] for event in hands)


def what_the_fog_trace():
    """What is told from the last discard of a round to the start of the next."""
    s = last_prediction(3, hands=[[RAIN], [FOG], [SUN]])
    act(s, 2, PASS)
    for seat, weather in enumerate((RAIN, FOG)):
        act(s, seat, DISCARD + weather)
    return act(s, 2, DISCARD + SUN)
