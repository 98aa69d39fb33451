"""Misty: activating a window, scoring it, winning rounds."""

from random import Random

import pytest

from nevel.engine.tracing import EVERYONE
from nevel.games.misty import rules as misty
from nevel.games.misty.rules.clauses import MI_A1, MI_A2, MI_A3, MI_A5, MI_T1, MI_X4
from nevel.games.misty.rules.table import (
    ACTIVATING,
    BLURRED,
    EATEN,
    MOVE,
    MOVED,
    OVER,
    PICK,
    PICKING,
    PLACE,
    PLACING,
    SCORED,
)
from tests.rules.misty_model import STEPS, model_of
from tests.rules.misty_positions import activate, alone, final_score
from tests.rules.positions import (
    act,
    building,
    copy_of,
    heard_by,
    kind_counts,
    legal_moves,
    of_kind,
    outcome,
    refusal,
    refusals,
    round_of,
    seats_to_act,
    space,
    windows,
)

# ---------------------------------------------------------------- activating


@pytest.mark.clause("MI-A1")
def test_all_players_activate_at_the_same_time():
    s = windows("^oo ooo ooo", "ooo o>o ooo", "ooo ooo oo<", is_small=True)
    assert seats_to_act(s) == [0, 1, 2]
    activate(s, 1, (1, 1))
    assert s.done.tolist() == [0, 1, 0, 0]
    assert seats_to_act(s) == [0, 2]
    assert {refusal(s, 1, MOVE + number) for number in range(49)} == {MI_A1}
    activate(s, 2, (2, 2))
    assert s.phase == ACTIVATING
    activate(s, 0, (0, 0))
    assert s.phase == PICKING
    assert round_of(s) == 2


@pytest.mark.clause("MI-A1")
def test_nothing_is_activated_before_all_windows_are_full():
    s = building("^oo ooo oo.", "^oo ooo oo.", is_small=True)
    s.phase = PLACING
    s.choice[:2] = 9
    assert refusal(s, 0, MOVE + space(0, 0)) == MI_A1
    s.phase = PICKING
    assert refusal(s, 0, MOVE + space(0, 0)) == MI_A1
    s = windows("^oo ooo ooo", "^oo ooo ooo", is_small=True)
    assert {refusal(s, 0, move) for move in (PICK, PLACE, PLACE + space(0, 0))} == {MI_T1}


@pytest.mark.clause("MI-A1")
def test_the_order_between_players_doesnt_matter():
    results = set()
    for seed in range(30):
        s = windows("^>v <so mfs >^o", "<<o vsf ^mo so>")
        random, own = Random(seed), [Random(1), Random(2)]
        while s.phase == ACTIVATING:
            seat = random.choice(seats_to_act(s))
            act(s, seat, own[seat].choice(legal_moves(s, seat)))
        results.add(tuple(s.score[:2].tolist()))
    assert len(results) == 1


@pytest.mark.clause("MI-A1")
def test_others_see_an_activation_only_when_everyone_is_done():
    s = windows("^v> ooo ooo", "ooo o>o ooo", is_small=True)
    twin = copy_of(s)
    told, told_twin = activate(s, 0, (0, 0)), activate(twin, 0, (0, 2))
    assert heard_by(1, told) == heard_by(1, told_twin)
    one, two = copy_of(s), copy_of(twin)
    misty.conceal(one, 1)
    misty.conceal(two, 1)
    assert one.tobytes() == two.tobytes()
    assert not of_kind(MOVED, activate(s, 0, (0, 1), (0, 2)))
    moved = of_kind(MOVED, activate(s, 1, (1, 1)))
    assert [event[1] for event in moved] == [EVERYONE] * 4
    assert [event[3] for event in moved if event[2] == 0] == [space(0, 0), space(0, 1), space(0, 2)]


@pytest.mark.clause("MI-A1")
def test_a_window_without_arrows_is_done_at_once():
    s = building("ooo ooo ss.", "^oo ooo ff.", is_small=True)
    s.phase, s.deal = PLACING, 2
    s.choice[:2] = [14, 14]
    s.aside[13] -= 2
    s.aside_size -= 2
    act(s, 0, PLACE + space(2, 2))
    act(s, 1, PLACE + space(2, 2))
    assert s.phase == ACTIVATING
    assert seats_to_act(s) == [1]
    assert legal_moves(s, 1) == [MOVE + space(0, 0)]


@pytest.mark.clause("MI-A1")
def test_a_round_in_which_no_window_has_arrows_is_counted_at_once():
    s = building("ooo sss ff.", "ooo sss ff.", is_small=True)
    s.phase, s.deal = PLACING, 2
    s.choice[:2] = [13, 14]
    s.aside[12] -= 1
    s.aside[13] -= 1
    s.aside_size -= 2
    act(s, 0, PLACE + space(2, 2))
    act(s, 1, PLACE + space(2, 2))
    assert round_of(s) == 2
    assert s.score[:2].tolist() == [3 + 4 + 6, 3 + 4 + 2 + 1]


@pytest.mark.clause("MI-A2", "MI-B2", "MI-T6")
@pytest.mark.parametrize("sign", list(STEPS))
def test_an_arrow_card_moves_one_space_in_its_direction_once(sign):
    picture = f"ooo o{sign}o ooo"
    s = alone(picture)
    target = 1 + STEPS[sign][0], 1 + STEPS[sign][1]
    events = activate(s, 0, (1, 1))
    moved = [event for event in of_kind(MOVED, events) if event[2] == 0]
    assert [event[3:5] for event in moved] == [(space(1, 1), space(*target))]
    assert [event[3] for event in of_kind(BLURRED, events) if event[2] == 0] == [space(*target)]
    assert s.score[0] == 7


@pytest.mark.clause("MI-A2")
def test_a_card_moves_once_only_and_in_an_order_of_ones_choice():
    s = alone("^>v ooo o<^")
    arrows = [(0, 0), (0, 1), (0, 2), (2, 1), (2, 2)]
    assert legal_moves(s, 0) == [MOVE + space(*cell) for cell in arrows]
    activate(s, 0, (2, 1))
    assert refusal(s, 0, MOVE + space(2, 1)) == MI_A2
    assert legal_moves(s, 0) == [MOVE + space(*cell) for cell in arrows if cell != (2, 1)]


@pytest.mark.clause("MI-A2", "MI-A3")
def test_every_card_that_can_move_has_to():
    s = alone("^>o ooo ooo")
    activate(s, 0, (0, 0))
    assert s.done[0] == 0
    assert s.phase == ACTIVATING
    activate(s, 0, (0, 1))
    assert s.phase == PICKING


@pytest.mark.clause("MI-A3")
def test_a_covered_card_cant_be_activated_any_more():
    s = alone("o>^ ooo o^o")
    activate(s, 0, (0, 1))
    assert refusal(s, 0, MOVE + space(0, 2)) == MI_A3
    assert legal_moves(s, 0) == [MOVE + space(2, 1)]
    s = alone("o>^ ooo ooo")
    activate(s, 0, (0, 1))
    assert s.phase == PICKING  # nothing else can move
    s = alone("o>^ ooo ooo")
    activate(s, 0, (0, 2))
    assert legal_moves(s, 0) == [MOVE + space(0, 1)]  # the other way round both move


@pytest.mark.clause("MI-A3", "MI-A2")
def test_a_card_that_moved_and_was_covered_stays_where_it_is():
    s = alone("o>o^ oo^o oooo", is_small=False)
    activate(s, 0, (0, 1))
    assert refusal(s, 0, MOVE + space(0, 1)) == MI_A2
    activate(s, 0, (1, 2))
    assert refusal(s, 0, MOVE + space(0, 1)) == MI_A2
    assert refusal(s, 0, MOVE + space(0, 2)) == MI_A5  # what was built there has no arrow
    activate(s, 0, (0, 3))
    assert s.score[0] == 12 - 1 - 3 - 0


@pytest.mark.clause("MI-A4")
@pytest.mark.parametrize(
    ("picture", "cell"),
    [("^oo ooo ooo", (0, 0)), ("ooo ooo ovo", (2, 1)), ("ooo <oo ooo", (1, 0)), ("oo> ooo ooo", (0, 2))],
)
def test_a_card_that_leaves_the_window_is_out_of_the_game(picture, cell):
    s = alone(picture)
    events = activate(s, 0, cell)
    moved = [event for event in of_kind(MOVED, events) if event[2] == 0]
    assert [event[3:5] for event in moved] == [(space(*cell), -1)]
    assert s.score[0] == 8


@pytest.mark.clause("MI-A5")
def test_cards_without_arrow_dont_move_but_can_be_covered():
    s = alone("s>o fmo ooo")
    for cell in ((0, 0), (0, 2), (1, 0), (1, 1), (2, 2)):
        assert refusal(s, 0, MOVE + space(*cell)) == MI_A5
    assert refusal(s, 0, MOVE) == MI_A5  # no card at all
    events = activate(s, 0, (0, 1))
    assert [event[3] for event in of_kind(BLURRED, events) if event[2] == 0] == [space(0, 2)]


# ---------------------------------------------------------------- monsters


@pytest.mark.clause("MI-A6", "MI-X2")
@pytest.mark.parametrize(
    ("picture", "score"),
    [
        ("ooo ooo oof", 8 + 2),
        ("moo ooo oof", 7 + 1),  # the monster takes the flower's place
        ("mmo ooo oof", 6 + 1 + 1),
        ("moo ooo off", 6 + 1 + 2),
        ("mmo ooo off", 5 + 2),
        ("mmm ooo off", 4 + 3),
        ("mmo fff ooo", 4 + 2 + 2),
        ("mmm ooo ooo", 9),
    ],
)
def test_every_uncovered_monster_eats_an_uncovered_flower(picture, score):
    assert final_score(picture) == score == model_of(picture).score()


@pytest.mark.clause("MI-A6")
def test_the_nearest_flower_is_eaten_first():
    s = windows("mof ooo fom", "^oo ooo ooo", is_small=True)
    events = activate(s, 1, (0, 0))
    eaten = of_kind(EATEN, events)
    assert len(eaten) == 2
    assert {event[1] for event in eaten} == {EVERYONE}
    assert {event[3] for event in eaten} == {space(0, 0), space(2, 2)}
    assert {event[4] for event in eaten} == {space(0, 2), space(2, 0)}
    s = windows("mfo oof ooo", "^oo ooo ooo", is_small=True)
    eaten = of_kind(EATEN, activate(s, 1, (0, 0)))
    assert [event[2:5] for event in eaten] == [(0, space(0, 0), space(0, 1))]
    s = windows("ofo oof omm", "^oo ooo ooo", is_small=True)
    eaten = of_kind(EATEN, activate(s, 1, (0, 0)))
    assert eaten[0][3:5] == (space(2, 2), space(1, 2))
    assert len(eaten) == 2


@pytest.mark.clause("MI-A6")
def test_monsters_eat_when_every_arrow_card_has_moved():
    # The arrow uncovers nothing, but what it covers before the meal counts.
    assert final_score("m>f ooo ooo", (0, 1)) == 1 + 0 + 0 + 6


@pytest.mark.clause("MI-A7")
@pytest.mark.parametrize(
    ("picture", "cell", "score"),
    [
        (">mf ooo ooo", (0, 0), 0 + 0 + 2 + 6),  # the monster is covered, the flower is safe
        (">fm ooo ooo", (0, 0), 0 + 0 + 1 + 6),  # the flower is covered: nothing to eat
        ("mf< ooo ooo", (0, 2), 1 + 0 + 0 + 6),
        ("<mf ooo ooo", (0, 0), 0 + 0 + 1 + 6),  # the arrow leaves, the monster eats
    ],
)
def test_what_is_covered_neither_eats_nor_is_eaten(picture, cell, score):
    assert final_score(picture, cell) == score


# ---------------------------------------------------------------- scoring


@pytest.mark.clause("MI-X1")
def test_empty_spaces_and_blurred_ones_score_nothing():
    assert final_score("^oo ooo ooo", (0, 0)) == 8
    assert final_score(">oo ooo ooo", (0, 0)) == 7
    # Three cards on one space.
    assert final_score("o>o oo^ ooo", (0, 1), (1, 2)) == 6
    # A blurred flower, a blurred smile beside a smile.
    assert final_score("f<o ooo ooo", (0, 1)) == 7
    assert final_score(">ss ooo ooo", (0, 0)) == 7


@pytest.mark.clause("MI-X2")
def test_a_flower_is_worth_2_and_any_other_card_1():
    assert final_score("ooo ooo ooo") == 9
    assert final_score("foo ooo oof") == 11
    assert final_score("soo oos ooo") == 9
    assert final_score("moo ooo oom") == 9
    assert final_score("voo ^oo ooo", (0, 0)) == 7
    # An arrow card that comes to lie alone counts like any other.
    assert final_score("v>o <oo ooo", (1, 0), (0, 0), (0, 1)) == 6
    assert final_score("<>> ooo ooo", (0, 0), (0, 2), (0, 1)) == 7


@pytest.mark.clause("MI-X3")
@pytest.mark.parametrize(
    ("picture", "extra"),
    [
        ("ssoo oooo oooo", 1),
        ("osso oooo oooo", 1),
        ("soss oooo oooo", 1),
        ("ssso oooo oooo", 1),
        ("osss oooo oooo", 1),
        ("ssss oooo oooo", 2),
        ("ssoo ssoo ooss", 3),
        ("soos sooo soso", 0),  # below each other doesn't count
        ("soso osos oooo", 0),  # nor diagonally
        ("ooos sooo oooo", 0),  # nor around the edge
    ],
)
def test_smiles_side_by_side_score_a_point_a_pair(picture, extra):
    assert final_score(picture, is_small=False) == 12 + extra == model_of(picture).score()


@pytest.mark.clause("MI-X3", "MI-X1")
def test_a_blurred_smile_breaks_a_row():
    assert final_score("sss ^oo ooo", (1, 0)) == 2 + 1 + 5
    assert final_score("sss o^o ooo", (1, 1)) == 2 + 0 + 5


@pytest.mark.clause("MI-X4")
def test_the_highest_score_wins_the_round_and_two_rounds_win_the_game():
    s = windows("^oo ooo ooo", "ooo ooo sss", is_small=True)
    events = activate(s, 0, (0, 0))
    assert [event[2:4] for event in of_kind(SCORED, events)] == [(0, 8), (1, 10)]
    assert s.wins.tolist() == [0, 1, 0, 0]
    assert outcome(s) == (0, [0, 1], [False, False])
    assert round_of(s) == 2
    assert kind_counts(s) == s.count.tolist()
    s = windows("^oo ooo ooo", "ooo ooo sss", is_small=True)
    s.wins[:2] = [1, 1]
    activate(s, 0, (0, 0))
    assert (s.phase, s.ended) == (OVER, MI_X4)
    assert outcome(s) == (MI_X4, [1, 2], [False, True])
    for seat in range(2):
        assert set(refusals(s, seat).tolist()) == {MI_X4}


@pytest.mark.clause("MI-X4")
@pytest.mark.parametrize(
    ("before", "after", "winners"),
    [
        ((0, 0, 0), (1, 1, 0), (False, False, False)),
        ((1, 0, 1), (2, 1, 1), (True, False, False)),
        ((1, 1, 1), (2, 2, 1), (True, True, False)),
    ],
)
def test_tied_players_all_win_the_round_and_may_share_the_game(before, after, winners):
    s = windows("^oo ooo ooo", "ooo ooo oo>", "^>o ooo ooo", is_small=True)
    s.wins[:3] = before
    activate(s, 0, (0, 0))
    activate(s, 1, (2, 2))
    activate(s, 2, (0, 0), (0, 1))
    assert s.score[:3].tolist() == [8, 8, 6]
    ended, points, won = outcome(s)
    assert (tuple(points), tuple(won)) == (after, winners)
    assert ended == (MI_X4 if any(winners) else 0)
    assert (s.phase == OVER) == any(winners)


@pytest.mark.clause("MI-X4")
def test_a_round_in_which_nobody_scores_is_won_by_all():
    s = windows("^^^", "^^^", is_small=True)
    for seat in range(2):
        activate(s, seat, (0, 0), (0, 1), (0, 2))
    assert s.score[:2].tolist() == [0, 0]
    assert s.wins[:2].tolist() == [1, 1]
