"""What may be said in The Game and in Extreme: hints on piles, about starting, about commands; silence."""

import numpy as np
import pytest

from nevel.engine import dispatch
from nevel.engine.legality import mark_legal
from nevel.engine.tracing import EVERYONE
from nevel.games.the_game import rules as the_game
from nevel.games.the_game.rules import extreme
from nevel.games.the_game.rules.clauses import EX_I2, TG_E3, TG_H1, TG_H3, TG_S2
from nevel.games.the_game.rules.extreme import HOLD_HINT_TAKEN_BACK, HOLD_HINTED, HOLD_HINTS, HOLD_HINTS_BACK
from nevel.games.the_game.rules.table import (
    JUMP_BACK,
    LEAVE,
    LEAVE_STRONGLY,
    PILE_HINT_TAKEN_BACK,
    PILE_HINTED,
    PILE_HINTS_BACK,
    PLAYING,
    SMALL_STEPS,
    START_HINT_BACK,
    START_HINT_TAKEN_BACK,
    START_HINTED,
    START_HINTS,
)
from tests.rules.positions import (
    CHOOSING,
    END_TURN,
    PILE_HINTS,
    START,
    UP_1,
    act,
    begin,
    card_on,
    copy_of,
    heard_by,
    of_kind,
    piles,
    refusal,
)

KINDS = (LEAVE, LEAVE_STRONGLY, SMALL_STEPS)
COMMANDS = range(7)
BOTH = pytest.mark.parametrize("game", [the_game, extreme])


def hint(kind, pile):
    return PILE_HINTS + (kind - 1) * 4 + pile


def back(pile):
    return PILE_HINTS_BACK + pile


def turn(s, seat):
    """Play two cards of the seat's hand upwards and end the turn."""
    for card in sorted(int(card) for card in s.hand[seat, : s.held[seat]])[:2]:
        act(s, seat, card_on(card, UP_1))
    act(s, seat, END_TURN)


def talking(game=the_game):
    """Three players who can play upwards for two turns each, no commands in sight."""
    hands = [[2, 4, 22, 23], [5, 6, 25, 26], [8, 9, 29, 30]]
    return piles(hands, game=game, left=20, hand_size=4)


# ---------------------------------------------------------------- what can be said


@BOTH
@pytest.mark.clause("TG-H1", "TG-H2")
def test_a_hint_names_a_pile_or_a_strength_and_never_a_card(game):
    s = begin(game, 2)
    said = START_HINT_BACK - PILE_HINTS + 1
    assert said == 4 * 4 + 4 + 3 + 1  # four kinds on four piles, three strengths, and taking back
    assert the_game.MOVES == START_HINT_BACK + 1
    assert extreme.MOVES == the_game.MOVES + 7 + 7
    for move in range(PILE_HINTS, START_HINT_BACK + 1):
        if refusal(s, 0, move):
            continue
        one, two = copy_of(s), begin(game, 2, seed=99)  # whatever is in the hands
        told = act(one, 0, move)
        assert told == act(two, 0, move)
        assert len(told) == 1


@BOTH
@pytest.mark.clause("TG-H2")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("pile", range(4))
def test_three_kinds_of_hints_can_be_given_on_every_pile(game, kind, pile):
    s = talking(game)
    events = act(s, 1, hint(kind, pile))
    assert s.hints[1, pile] == kind
    assert s.hints.sum() == kind
    assert of_kind(PILE_HINTED, events)[0][1:5] == (EVERYONE, 1, pile, kind)
    assert heard_by(0, events) == heard_by(2, events) == heard_by(-1, events) == events


@BOTH
@pytest.mark.clause("TG-H1", "TG-H2", "TG-V2")
def test_a_jump_back_is_told_with_open_tricks_only(game):
    """It names one card exactly: ten below the top of a rising pile, or above that of a falling one."""
    for phase in (CHOOSING, PLAYING):
        closed, opened = talking(game), talking(game)
        assert (closed.closed_tricks, closed.phase) == (1, PLAYING)
        opened.closed_tricks = 0
        closed.phase = opened.phase = phase
        jumps = {hint(JUMP_BACK, pile) for pile in range(4)}
        for seat in range(3):
            assert {refusal(closed, seat, jump) for jump in jumps} == {TG_H1}
            assert jumps.isdisjoint(legal_moves(closed, seat))
            assert jumps < legal_moves(opened, seat)
            assert legal_moves(opened, seat) - legal_moves(closed, seat) == jumps
        events = act(opened, 1, hint(JUMP_BACK, 2))
        assert opened.hints[1].tolist() == [0, 0, JUMP_BACK, 0]
        assert of_kind(PILE_HINTED, events)[0][1:5] == (EVERYONE, 1, 2, JUMP_BACK)
        assert refusal(opened, 1, hint(JUMP_BACK, 2)) == TG_H3


@BOTH
@pytest.mark.clause("TG-V2")
def test_tricks_are_open_if_that_is_chosen_and_nothing_else_changes(game):
    rest = (0,) * (game.OPTIONS - 3)
    closed, opened = begin(game, 3, (2, 0, 0, *rest)), begin(game, 3, (2, 0, 1, *rest))
    assert (closed.closed_tricks, opened.closed_tricks) == (1, 0)
    opened.closed_tricks = 1
    assert closed == opened


def legal_moves(s, seat):
    """What `mark_moves` offers."""
    mask = np.zeros(dispatch.rules_of(s).MOVES, np.int64)
    mark_legal(s, seat, mask)
    return set(np.flatnonzero(mask).tolist())


@BOTH
@pytest.mark.clause("TG-H2", "TG-S2")
@pytest.mark.parametrize("strength", [1, 2, 3])
def test_the_wish_to_start_has_three_strengths(game, strength):
    s = begin(game, 3)
    events = act(s, 2, START_HINTS + strength - 1)
    assert s.start_hints.tolist() == [0, 0, strength, 0, 0]
    assert of_kind(START_HINTED, events)[0][1:4] == (EVERYONE, 2, strength)
    assert s.phase == CHOOSING
    events = act(s, 2, START_HINT_BACK)
    assert not s.start_hints.any()
    assert of_kind(START_HINT_TAKEN_BACK, events)[0][1:3] == (EVERYONE, 2)


@BOTH
@pytest.mark.clause("TG-S2")
def test_the_wish_to_start_is_for_before_the_start(game):
    s = begin(game, 2)
    assert refusal(s, 0, START_HINT_BACK) == TG_H3
    act(s, 0, START_HINTS)
    assert refusal(s, 0, START_HINTS) == TG_H3
    assert refusal(s, 0, START_HINTS + 1) == 0
    act(s, 1, START)
    for move in range(START_HINTS, START_HINT_BACK + 1):
        assert refusal(s, 0, move) == refusal(s, 1, move) == TG_S2


@pytest.mark.clause("EX-H1")
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_in_hand_may_be_talked_about(command):
    s = talking(extreme)
    events = act(s, 2, HOLD_HINTS + command)
    assert s.holds.tolist() == [0, 0, 1 << command, 0, 0]
    assert of_kind(HOLD_HINTED, events)[0][1:4] == (EVERYONE, 2, command + 1)
    assert len(events) == 1
    assert refusal(s, 2, HOLD_HINTS + command) == TG_H3
    events = act(s, 2, HOLD_HINTS_BACK + command)
    assert not s.holds.any()
    assert of_kind(HOLD_HINT_TAKEN_BACK, events)[0][1:4] == (EVERYONE, 2, command + 1)
    assert refusal(s, 2, HOLD_HINTS_BACK + command) == TG_H3


@pytest.mark.clause("EX-H1")
def test_several_commands_can_be_talked_about_at_once():
    s = talking(extreme)
    for command in (0, 3, 6):
        act(s, 1, HOLD_HINTS + command)
    assert s.holds[1] == 0b1001001
    act(s, 1, HOLD_HINTS_BACK + 3)
    assert s.holds[1] == 0b1000001


# ---------------------------------------------------------------- when, and for how long


@BOTH
@pytest.mark.clause("TG-H3")
def test_any_seat_gives_and_takes_back_hints_at_any_time(game):
    s = begin(game, 3)
    act(s, 2, hint(LEAVE, 0))  # before the start
    act(s, 0, START)
    for seat in range(3):  # in turn and out of turn
        act(s, seat, hint(SMALL_STEPS, 3))
        assert s.hints[seat, 3] == SMALL_STEPS
        events = act(s, seat, back(3))
        assert s.hints[seat, 3] == 0
        assert of_kind(PILE_HINT_TAKEN_BACK, events)[0][1:4] == (EVERYONE, seat, 3)
    assert s.hints[2, 0] == LEAVE
    act(s, 2, hint(LEAVE_STRONGLY, 0))
    assert s.hints[2, 0] == LEAVE_STRONGLY


@BOTH
@pytest.mark.clause("TG-H3")
def test_saying_the_same_twice_or_taking_back_nothing_is_refused(game):
    s = talking(game)
    assert {refusal(s, 0, back(pile)) for pile in range(4)} == {TG_H3}
    act(s, 0, hint(LEAVE, 2))
    assert refusal(s, 0, hint(LEAVE, 2)) == TG_H3
    assert refusal(s, 0, hint(LEAVE, 1)) == refusal(s, 0, hint(SMALL_STEPS, 2)) == refusal(s, 1, hint(LEAVE, 2)) == 0


@BOTH
@pytest.mark.clause("TG-H3")
def test_hints_bind_nobody(game):
    s = talking(game)
    before = [refusal(s, 0, move) for move in range(PILE_HINTS)]
    for seat in (1, 2):
        for pile in range(4):
            act(s, seat, hint(LEAVE_STRONGLY, pile))
    assert [refusal(s, 0, move) for move in range(PILE_HINTS)] == before
    act(s, 0, card_on(4, UP_1))
    assert s.hints[1].tolist() == [LEAVE_STRONGLY] * 4


@BOTH
@pytest.mark.clause("TG-H3")
def test_a_hint_given_out_of_turn_stands_until_the_end_of_its_givers_next_turn(game):
    s = talking(game)
    act(s, 1, hint(LEAVE, 0))
    act(s, 2, hint(SMALL_STEPS, 0))
    turn(s, 0)
    assert s.hints[:3, 0].tolist() == [0, LEAVE, SMALL_STEPS]
    act(s, 1, card_on(5, UP_1))
    assert s.hints[1, 0] == LEAVE  # not yet
    act(s, 1, card_on(6, UP_1))
    act(s, 1, END_TURN)
    assert s.hints[:3, 0].tolist() == [0, 0, SMALL_STEPS]
    turn(s, 2)
    assert not s.hints.any()


@BOTH
@pytest.mark.clause("TG-H3")
def test_a_hint_given_in_ones_own_turn_stands_until_the_end_of_the_turn_after_it(game):
    s = talking(game)
    act(s, 0, hint(LEAVE, 1))  # before the first card of the turn
    act(s, 0, card_on(2, UP_1))
    act(s, 0, hint(SMALL_STEPS, 2))  # and between two
    act(s, 0, card_on(4, UP_1))
    act(s, 0, END_TURN)
    assert s.hints[0].tolist() == [0, LEAVE, SMALL_STEPS, 0]
    turn(s, 1)
    turn(s, 2)
    assert s.hints[0].tolist() == [0, LEAVE, SMALL_STEPS, 0]
    finish_turn(s, 0)
    assert not s.hints.any()


def finish_turn(s, seat):
    """The second turn of the first player."""
    for card in (22, 23):
        act(s, seat, card_on(card, UP_1))
    act(s, seat, END_TURN)


@BOTH
@pytest.mark.clause("TG-H3")
def test_a_hint_given_before_ones_turn_and_changed_in_it_stands_on(game):
    s = talking(game)
    act(s, 1, hint(LEAVE, 0))
    act(s, 1, hint(LEAVE, 1))
    turn(s, 0)
    act(s, 1, hint(LEAVE_STRONGLY, 0))
    turn(s, 1)
    assert s.hints[1].tolist() == [LEAVE_STRONGLY, 0, 0, 0]


@BOTH
@pytest.mark.clause("TG-H3")
def test_a_hint_taken_back_in_ones_turn_and_given_again_later_lapses_as_any_other(game):
    s = talking(game)
    act(s, 0, hint(LEAVE, 0))
    act(s, 0, back(0))
    turn(s, 0)
    act(s, 0, hint(LEAVE, 0))
    turn(s, 1)
    turn(s, 2)
    finish_turn(s, 0)
    assert not s.hints.any()


@BOTH
@pytest.mark.clause("TG-H3")
def test_a_hint_given_before_the_start_lapses_at_the_end_of_the_first_turn(game):
    s = piles([[2, 4, 22, 23], [5, 6, 25, 26]], game=game, left=20, phase=CHOOSING)
    act(s, 0, hint(LEAVE, 3))
    act(s, 1, hint(LEAVE, 2))
    act(s, 0, START)
    assert s.hints[0, 3] == LEAVE
    turn(s, 0)
    assert s.hints[:2].tolist() == [[0, 0, 0, 0], [0, 0, LEAVE, 0]]


@pytest.mark.clause("EX-H1", "TG-H3")
def test_hints_about_commands_stand_as_long_as_others():
    s = talking(extreme)
    act(s, 0, HOLD_HINTS + 2)
    act(s, 1, HOLD_HINTS + 5)
    turn(s, 0)
    assert s.holds.tolist() == [1 << 2, 1 << 5, 0, 0, 0]  # the first was given in its giver's own turn
    act(s, 0, HOLD_HINTS + 1)
    turn(s, 1)
    assert s.holds.tolist() == [1 << 2 | 1 << 1, 0, 0, 0, 0]
    turn(s, 2)
    finish_turn(s, 0)
    assert not s.holds.any()


@pytest.mark.clause("EX-H1", "TG-H3", "EX-L1")
def test_a_turn_that_a_stop_ends_lets_hints_lapse_too():
    s = piles([[3, 50, 60], [5, 6, 25]], game=extreme, left=20, active=0)
    s.active = 1  # so that what seat 0 says is said out of turn
    act(s, 0, hint(LEAVE, 1))
    act(s, 0, HOLD_HINTS)
    s.active = 0
    act(s, 0, hint(LEAVE, 2))
    act(s, 0, card_on(3, UP_1))
    assert s.active == 1
    assert s.hints[0].tolist() == [0, 0, LEAVE, 0]
    assert s.holds[0] == 0


@BOTH
@pytest.mark.clause("TG-H3", "TG-E3")
def test_after_the_game_nothing_is_said(game):
    s = piles([[50, 51, 52], [60, 61]], tops=(98, 97, 3, 4), game=game, left=13, phase=CHOOSING)
    act(s, 0, hint(LEAVE, 0))
    act(s, 1, START)
    for move in range(PILE_HINTS, game.MOVES):
        assert refusal(s, 0, move) == refusal(s, 1, move) == TG_E3


# ---------------------------------------------------------------- silence


@pytest.mark.clause("EX-I2", "EX-I1")
@pytest.mark.parametrize("card", [14, 28, 73, 87])
def test_under_silence_nothing_is_said_by_anyone(card):
    s = piles([[2, 4, 22], [5, 6, 25]], tops=(1, card, 100, 100), game=extreme, left=20)
    for seat in range(2):
        for move in range(PILE_HINTS, extreme.MOVES):
            assert refusal(s, seat, move) == EX_I2


@pytest.mark.clause("EX-I2", "EX-I1")
def test_silence_begins_when_it_is_played_and_lapses_when_it_is_covered():
    s = piles([[14, 15, 16], [5, 6, 25]], game=extreme, left=20)
    act(s, 1, hint(LEAVE, 0))
    act(s, 1, HOLD_HINTS)
    act(s, 0, card_on(14, UP_1))
    assert refusal(s, 0, hint(LEAVE, 1)) == refusal(s, 1, HOLD_HINTS + 1) == EX_I2
    assert refusal(s, 1, back(0)) == refusal(s, 1, HOLD_HINTS_BACK) == EX_I2
    assert s.hints[1, 0] == LEAVE  # what was said before still stands
    act(s, 0, card_on(15, UP_1))
    assert refusal(s, 0, hint(LEAVE, 1)) == refusal(s, 1, HOLD_HINTS + 1) == refusal(s, 1, back(0)) == 0


@pytest.mark.clause("EX-I2")
def test_the_game_itself_knows_no_silence():
    s = piles([[2, 4, 22], [5, 6, 25]], tops=(1, 14, 100, 100), left=20)
    assert refusal(s, 0, hint(LEAVE, 0)) == 0
