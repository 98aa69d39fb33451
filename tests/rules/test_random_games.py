"""What only one game promises of its random games; what all do is checked by `nevel.testing`."""

from itertools import product
from random import Random

import pytest

from nevel.games.misty import rules as misty
from nevel.games.misty.rules.clauses import MI_X4
from nevel.games.misty.rules.window import KINDS as KINDS_IN_ALL
from nevel.games.misty.testing import conserved as cards_of_misty
from nevel.games.the_game import rules as the_game
from nevel.games.the_game.rules import extreme
from nevel.games.the_game.rules.clauses import EX_E1, EX_E2, EX_L3, EX_L5, TG_E1, TG_E2, TG_E3
from nevel.games.the_game.testing import conserved as cards_of_the_game
from nevel.games.what_the_fog import rules as what_the_fog
from nevel.games.what_the_fog.testing import conserved as cards_and_tokens
from tests.rules.positions import (
    BOXES,
    amount,
    begin,
    check_98_cards,
    outcome,
    random_moves,
    round_of,
    the_game_moves_end,
)

OPTIONS = {
    what_the_fog: [(0,), (1,)],
    the_game: list(product((2, 3), (0, 1), (0, 1))),
    extreme: list(product((2, 3), (0, 1), (0, 1), (0, 1))),
    misty: [(0,), (1,)],
}
KINDS = [
    (game, seats, options)
    for game in OPTIONS
    for seats in range(game.SEATS[0], game.SEATS[1] + 1)
    for options in OPTIONS[game]
]
NAMES = [f"{game.__name__.rsplit('.', 1)[-1]}-{seats}-{options}" for game, seats, options in KINDS]
ENDS = {the_game: {TG_E1, TG_E2, TG_E3}, extreme: {EX_E1, EX_E2, EX_L3, EX_L5, TG_E3}}
#: What counts the pieces of a game, and how many of each there are in the box.
WHOLE = {
    what_the_fog: (cards_and_tokens, [8] * 6 + [3] * 15),
    the_game: (cards_of_the_game, list(range(2, 100))),
    extreme: (cards_of_the_game, list(range(2, 100))),
    misty: (cards_of_misty, BOXES[misty][:KINDS_IN_ALL].tolist()),
}


@pytest.mark.clause("FOG-B2", "FOG-B3", "TG-B1", "MI-B1")
@pytest.mark.parametrize(("game", "seats", "options"), KINDS, ids=NAMES)
def test_what_is_dealt_is_the_whole_box(game, seats, options):
    """From then on nothing is lost and nothing appears: `pieces-are-conserved` of the conformance kit."""
    conserved, whole = WHOLE[game]
    for seed in range(5):
        assert conserved(begin(game, seats, options, seed)) == whole


@pytest.mark.clause("TG-H3", "EX-H1")
@pytest.mark.parametrize("game", [the_game, extreme])
def test_talking_all_the_time_changes_nothing_about_the_cards(game):
    for seed in range(amount(12)):
        s = begin(game, 1 + seed % 5, OPTIONS[game][seed % 8], seed)
        before = None
        for _, move in random_moves(s, Random(seed), talk=0.5):
            check_98_cards(s)
            now = (s.tops.tolist(), s.hand.tolist(), int(s.left), int(s.active), int(s.played))
            assert before in (None, now)  # before the last move, if that was a hint
            before = now if move >= the_game_moves_end(s) else None
        assert outcome(s)[0] in ENDS[game]


@pytest.mark.clause("MI-X4")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_of_misty_ends_when_someone_has_won_two_rounds(seats):
    for seed in range(amount(20)):
        s = begin(misty, seats, (seed % 2,), seed)
        for _ in random_moves(s, Random(seed)):
            assert s.wins.max() < 2
            assert round_of(s) <= seats + 1
        wins = s.wins[:seats].tolist()
        assert max(wins) == 2
        assert outcome(s) == (MI_X4, wins, [number == 2 for number in wins])
