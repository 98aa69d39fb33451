"""All legal moves at once: the fast way says the same as asking about every move."""

from random import Random

import numpy as np
import pytest

from nevel.engine import dispatch
from nevel.games.misty import rules as misty
from nevel.games.the_game import rules as the_game
from nevel.games.the_game.rules import extreme
from nevel.games.the_game.rules.table import PILE_HINTS
from tests.rules.positions import amount, begin, legal_moves, random_moves
from tests.rules.test_random_games import KINDS, NAMES


def marked(s, seat, size):
    """What is marked in a mask of this size that has something else in it before."""
    mask = np.full(size, 7, np.int8)
    count = dispatch.rules_of(s).mark_moves(s, seat, mask)
    assert count == mask.sum()
    return np.flatnonzero(mask).tolist()


def check(s):
    game = dispatch.rules_of(s)
    for seat in range(s.seats):
        legal = legal_moves(s, seat)
        assert marked(s, seat, game.MOVES) == legal
        if game in (the_game, extreme):
            assert marked(s, seat, PILE_HINTS) == [move for move in legal if move < PILE_HINTS]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats", "options"), KINDS, ids=NAMES)
def test_what_is_marked_is_what_isnt_refused(game, seats, options):
    for seed in range(amount(25)):
        s = begin(game, seats, options, seed)
        talk = 0.2 if game in (the_game, extreme) and seed % 2 else 0.0
        for _ in random_moves(s, Random(seed), talk):
            check(s)
        check(s)


@pytest.mark.parametrize("game", [the_game, extreme])
def test_in_long_games_too(game):
    """Random games end early; small steps reach late positions, with tricks, few cards and every command."""
    reached = 0
    for seed in range(amount(60)):
        s = begin(game, 1 + seed % 5, seed=seed)
        dice = Random(seed)
        while seats := dispatch.rules_of(s).waiting(s):
            check(s)
            seat = dice.choice([seat for seat in range(s.seats) if seats >> seat & 1])
            moves = [move for move in legal_moves(s, seat) if move < PILE_HINTS]
            moves.sort(key=lambda move: step(s, move))
            safe = [move for move in moves[:3] if game.losing_clause(s, seat, move) == 0]
            game.apply(s, seat, (safe or moves)[0] if dice.random() < 0.8 else dice.choice(moves), None)
        reached = max(reached, 98 - s.left)
    assert reached > 60


def step(s, move):
    card, pile = divmod(move, 4)
    if card >= 98:
        return 4
    distance = card + 2 - s.tops[pile]
    return distance if pile < 2 else -distance


def test_windows_at_the_edge_of_the_frame():
    """Misty: windows that grow to a corner, where a space has fewer neighbours."""
    for corner in range(4):
        s = begin(misty, 2, seed=corner)
        s.phase = 1
        s.choice[0] = 1
        s.window[0] = 0
        row, column = 6 * (corner // 2), 6 * (corner % 2)
        for reach in range(3):
            at = abs(row - reach), abs(column - reach)
            s.window[0, at[0], at[1]] = 1
            s.top[0], s.bottom[0] = min(row, at[0]), max(row, at[0])
            s.left[0], s.right[0] = min(column, at[1]), max(column, at[1])
            check(s)
