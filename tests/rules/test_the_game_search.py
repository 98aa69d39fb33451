"""The Game and Extreme against a plain model: can a turn be played, what is refused, what dooms, what ends the game."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nevel.engine.compiling import IS_COMPILED
from nevel.games.the_game import rules as the_game
from nevel.games.the_game.rules import clauses, extreme
from nevel.games.the_game.rules.clauses import EX_E1, EX_E2, EX_L3, EX_L5, TG_E1, TG_E2, TG_E3
from tests.rules.positions import (
    CHOOSING,
    END_TURN,
    OVER,
    PLAYING,
    START,
    act,
    amount,
    begin,
    card_on,
    check_98_cards,
    copy_of,
    losing_clause,
    piles,
    refusals,
)
from tests.rules.the_game_model import EXTREME, NO_COMMANDS, Turn, can_play

CODES = {name.replace("_", "-"): number for name, number in vars(clauses).items() if name[:3] in ("TG_", "EX_")}
BY_COMMAND = {name: [card for card, other in EXTREME.items() if other == name] for name in set(EXTREME.values())}


def random_tops(random: Random, is_late: bool) -> list[int]:
    """Four different tops; late in a game next to nothing fits any more."""
    while True:
        if is_late:
            tops = [random.randint(80, 99), random.randint(80, 99), random.randint(2, 21), random.randint(2, 21)]
        else:
            tops = [random.choice((1, random.randint(2, 99))) for _ in range(2)]
            tops += [random.choice((100, random.randint(2, 99))) for _ in range(2)]
        played = [top for top in tops if 2 <= top <= 99]
        if len(set(played)) == len(played):
            return tops


def random_hand(random: Random, tops: list[int], size: int, near: float) -> list[int]:
    """Cards not on top, some of them near a top or ten away from it."""
    hand: list[int] = []
    while len(hand) < size:
        card = random.randint(2, 99)
        if random.random() < near:
            card = random.choice(tops) + random.choice((-20, -11, -10, -9, -2, -1, 1, 2, 9, 10, 11, 20))
        if 2 <= card <= 99 and card not in hand and card not in tops:
            hand.append(card)
    return hand


def shut_hand(random: Random, tops: list[int], size: int) -> list[int]:
    """Cards of which hardly any fits: mostly the middle."""
    free = [card for card in range(max(tops[2:]) + 1, min(tops[:2])) if card not in tops]
    hand = random.sample(free, min(size - 1, len(free)))
    while len(hand) < size:
        card = random.choice((random.choice(tops[:2]) - 10, random.choice(tops[2:]) + 10, random.randint(2, 99)))
        if 2 <= card <= 99 and card not in hand and card not in tops:
            hand.append(card)
    return hand


ROOT = Path(__file__).parents[2]

# ---------------------------------------------------------------- The Game


@pytest.mark.slow
@pytest.mark.clause("TG-E1", "TG-T5", "TG-V1")
@pytest.mark.parametrize("minimum", [1, 2, 3])
def test_whether_a_turn_can_be_played_equals_trying_everything(minimum):
    random = Random(minimum)
    verdicts = [0, 0]
    for number in range(amount(2000)):
        tops = random_tops(random, is_late=number % 3 > 0)
        size = random.randint(1, 8)
        hand = shut_hand(random, tops, size) if number % 3 == 2 else random_hand(random, tops, size, 0.5)
        left = 0 if minimum == 1 else 9
        s = piles([hand, []], tops=tops, left=left, minimum=max(minimum, 2), phase=CHOOSING)
        act(s, 0, START)
        expected = can_play(tuple(tops), frozenset(hand), minimum)
        assert (s.phase, s.ended) == ((PLAYING, 0) if expected else (OVER, TG_E1)), (tops, hand)
        verdicts[expected] += 1
    assert min(verdicts) > amount(2000) // 25


@pytest.mark.clause("TG-E1")
@settings(deadline=None, derandomize=True, max_examples=150)
@given(st.lists(st.integers(2, 99), min_size=5, max_size=12, unique=True), st.sampled_from([2, 3]))
def test_whether_the_next_turn_can_be_played_is_judged_when_a_turn_ends(cards, minimum):
    tops, hand = cards[:4], cards[4:]
    s = piles([[], hand], tops=tops, left=20, minimum=minimum)
    s.played = minimum
    act(s, 0, END_TURN)
    expected = can_play(tuple(tops), frozenset(hand), minimum)
    assert (s.phase, s.ended) == ((PLAYING, 0) if expected else (OVER, TG_E1))


@pytest.mark.clause("TG-T1", "TG-T2", "TG-T3", "TG-E2", "TG-E3", "TG-V1")
def test_turns_of_the_game_equal_those_of_the_model():
    random = Random(7)
    ends = {TG_E2: 0, TG_E3: 0, 0: 0}
    for number in range(amount(500)):
        tops = random_tops(random, is_late=number % 2 > 0)
        hand = random_hand(random, tops, random.randint(1, 8), 0.6)
        left, others = random.choice(((0, []), (0, [100]), (9, [100])))
        other = [card for card in range(2, 100) if card not in hand and card not in tops][: len(others)]
        minimum = random.choice((2, 3))
        s = piles([hand, other], tops=tops, left=left, minimum=minimum, phase=CHOOSING)
        act(s, 0, START)
        turn = Turn(tuple(tops), frozenset(hand), minimum if left else 1, NO_COMMANDS)
        if s.phase == OVER:
            assert not turn.can_end_properly()
            continue
        ends[walk_a_turn(s, turn, random, left + len(other))] += 1
    assert all(ends.values()) or amount(500) < 500, ends


# ---------------------------------------------------------------- Extreme


def extreme_start(random: Random, number: int):
    """A position of Extreme with commands in the hand and on the piles, before its turn."""
    while True:
        tops = random_tops(random, is_late=number % 2 > 0)
        for pile in range(4):
            if random.random() < 0.3:
                tops[pile] = random.choice(BY_COMMAND[random.choice(("no-trick", "one-pile", "draw-one", "silence"))])
            elif random.random() < 0.1:
                tops[pile] = random.choice(BY_COMMAND[random.choice(("stop", "skull", "three"))])
        played = [top for top in tops if 2 <= top <= 99]
        if len(set(played)) == len(played):
            break
    size = random.choice((1, 2, 2, 3, 3, 4, 5, 6, 8))
    hand = shut_hand(random, tops, size) if number % 4 == 3 else random_hand(random, tops, size, 0.5)
    for i in range(size):
        card = random.choice(sorted(EXTREME))
        if random.random() < 0.4 and card not in hand and card not in tops:
            hand[i] = card
    left = random.choice((0, 9, 9))
    return tops, hand, left, random.choice((2, 2, 3))


@pytest.mark.slow
@pytest.mark.clause("EX-E1", "EX-L1", "EX-L2", "EX-L4", "EX-L6", "EX-I3", "EX-I4")
def test_whether_a_turn_of_extreme_can_be_played_to_a_proper_end_equals_trying_everything():
    random = Random(11)
    verdicts = [0, 0]
    for number in range(amount(3000)):
        tops, hand, left, minimum = extreme_start(random, number)
        s = piles([hand, []], tops=tops, left=left, minimum=minimum, phase=CHOOSING, game=extreme)
        act(s, 0, START)
        turn = Turn(tuple(tops), frozenset(hand), minimum if left else 1, EXTREME)
        expected = turn.can_end_properly()
        assert (s.phase, s.ended) == ((PLAYING, 0) if expected else (OVER, EX_E1)), (tops, hand, left, minimum)
        verdicts[expected] += 1
    assert min(verdicts) > amount(3000) // 10


@pytest.mark.clause("EX-E1")
@pytest.mark.parametrize("command", sorted(BY_COMMAND))
def test_dead_ends_with_every_command_in_hand_and_on_top(command):
    random = Random(command)
    verdicts = [0, 0]
    for number in range(amount(400)):
        tops = random_tops(random, is_late=True)
        cards = BY_COMMAND[command]
        if number % 2:
            tops[random.randrange(4)] = random.choice(cards)
        hand = shut_hand(random, tops, random.randint(1, 5))
        extra = [card for card in cards if card not in tops and card not in hand]
        hand += random.sample(extra, random.randint(0, min(2, len(extra))))
        if len(set(tops)) < 4 or set(hand) & set(tops):
            continue
        left = random.choice((0, 9))
        s = piles([hand, []], tops=tops, left=left, phase=CHOOSING, game=extreme)
        act(s, 0, START)
        expected = Turn(tuple(tops), frozenset(hand), 2 if left else 1, EXTREME).can_end_properly()
        assert s.ended == (0 if expected else EX_E1), (tops, hand, left)
        verdicts[expected] += 1
    assert min(verdicts) > amount(400) // 20


@pytest.mark.slow
@pytest.mark.clause("EX-T1", "EX-L1", "EX-L2", "EX-L3", "EX-L4", "EX-L5", "EX-I1", "EX-I3", "EX-I4", "EX-E1", "EX-E2")
def test_turns_of_extreme_equal_those_of_the_model():
    random = Random(13)
    ends = {EX_E2: 0, EX_L3: 0, EX_L5: 0, TG_E3: 0, 0: 0}
    for number in range(amount(800)):
        tops, hand, left, minimum = extreme_start(random, number)
        other = [] if random.random() < 0.4 else [card for card in range(2, 100) if card not in (*hand, *tops)][:1]
        s = piles([hand, other], tops=tops, left=left, minimum=minimum, game=extreme)
        turn = Turn(tuple(tops), frozenset(hand), minimum if left else 1, EXTREME)
        ends[walk_a_turn(s, turn, random, left + len(other))] += 1
    assert all(ends.values()) or amount(800) < 800, ends


def walk_a_turn(s: np.record, turn: Turn, random: Random, elsewhere: int) -> int:
    """Play seat 0's turn at random, comparing everything at every step; gives how the game ended, 0 if it goes on."""
    known: dict[object, bool] = {}
    while True:
        legal = compare_refusals(s, turn)
        for move in legal:
            if move != END_TURN:
                compare_doom(s, turn, move, elsewhere, known)
        if not legal:
            assert turn.is_stuck()  # only at the very start, where these positions skip the test for it
            return 0
        move = random.choice(legal)
        if move == END_TURN:
            return 0
        card, pile = 2 + move // 4, move % 4
        act(s, 0, move)
        turn = turn.after(card, pile)
        check_98_cards(s)
        expected = expected_end(turn, elsewhere)
        if turn.is_stopped() and not expected:
            return 0
        assert s.ended == expected, (turn, elsewhere)
        assert (s.phase == OVER) == bool(expected)
        if expected:
            return int(expected)
        assert s.active == 0


def compare_refusals(s: np.record, turn: Turn) -> list[int]:
    codes = refusals(s, 0)
    legal = []
    for card in range(2, 100):
        for pile in range(4):
            code = int(codes[card_on(card, pile)])
            if card not in turn.hand:
                assert code == CODES["TG-S1"]
                continue
            against = turn.against(card, pile)
            assert (code in {CODES[clause] for clause in against}) if against else code == 0, (turn, card, pile, code)
            if code == 0:
                legal.append(card_on(card, pile))
    against = turn.against_ending()
    code = int(codes[END_TURN])
    assert (code in {CODES[clause] for clause in against}) if against else code == 0
    return legal if code else [*legal, END_TURN]


def compare_doom(s: np.record, turn: Turn, move: int, elsewhere: int, known: dict[object, bool]) -> None:
    after = turn.after(2 + move // 4, move % 4)
    code = losing_clause(s, 0, move)
    if after.can_end_properly(known):
        assert code == 0, (turn, move)
    elif turn.commands:
        is_last = not after.hand and not elsewhere
        if is_last and after.open_skulls():
            assert code == EX_L3
        elif after.is_three() and len(after.played) + len(after.hand) < 3:
            assert code == EX_L5
        else:
            assert code == EX_E2
    else:
        assert code == TG_E2


def expected_end(turn: Turn, elsewhere: int) -> int:
    """The clause by which the game is over after the last card of this turn, or 0."""
    is_short_of_three = turn.is_three() and len(turn.played) + len(turn.hand) < 3
    if not turn.hand and not elsewhere:
        if turn.open_skulls():
            return EX_L3
        return EX_L5 if is_short_of_three else TG_E3
    if is_short_of_three:
        return EX_L5
    if turn.is_stopped():
        return 0
    if not turn.commands:
        return 0 if turn.can_end_properly() else TG_E2
    return EX_E2 if turn.is_stuck() else 0


@pytest.mark.clause("EX-B1", "EX-E1", "EX-E2")
def test_whole_games_of_extreme_with_random_commands_equal_the_model():
    random = Random(17)
    for seed in range(amount(60)):
        s = begin(extreme, 1 + seed % 5, (2 + seed % 2, seed // 2 % 2, 1), seed)
        names = ("", "stop", "skull", "three", "silence", "no-trick", "one-pile", "draw-one")
        commands = {card: names[s.command[card]] for card in range(101) if s.command[card]}
        if s.phase == CHOOSING:
            act(s, random.randrange(s.seats), START)
        while s.phase == PLAYING:
            seat = int(s.active)
            hand = frozenset(int(card) for card in s.hand[seat, : s.held[seat]])
            turn = Turn(tuple(int(top) for top in s.tops), hand, int(s.need), commands)
            assert turn.can_end_properly()
            while s.phase == PLAYING and s.active == seat and s.played == len(turn.played):
                twin = copy_of(s)
                plays = [card_on(*play) for play in turn.legal_cards()]
                codes = refusals(s, seat)
                assert [move for move in range(END_TURN) if codes[move] == 0] == plays
                assert (codes[END_TURN] == 0) == (not turn.against_ending())
                if codes[END_TURN] == 0 and (not plays or random.random() < 0.6):
                    act(s, seat, END_TURN)
                    break
                safe = [move for move in plays if losing_clause(twin, seat, move) == 0]
                move = random.choice(safe or plays)
                act(s, seat, move)
                turn = turn.after(2 + move // 4, move % 4)
        assert s.ended in (EX_E1, EX_E2, EX_L3, EX_L5, TG_E3)


# ---------------------------------------------------------------- machine code


@pytest.mark.slow
@pytest.mark.skipif(not IS_COMPILED, reason="nothing is compiled")
@pytest.mark.clause("EX-E1")
def test_machine_code_from_the_cache_plays_as_well_as_new_code(tmp_path):
    """A search that calls itself and is cached has brought down the second process that used it."""
    program = "from tests.rules.positions import begin, extreme; s = begin(extreme, 1); print(s.phase, s.need)"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", program]
    for _ in range(2):
        run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
        assert (run.returncode, run.stdout.strip()) == (0, f"{PLAYING} 2"), run.stderr[-500:]


@pytest.mark.clause("TG-E1")
def test_both_games_have_all_moves_numbered_alike():
    assert the_game.MOVES < extreme.MOVES
    assert (END_TURN, START) == (98 * 4, 98 * 4 + 1)
