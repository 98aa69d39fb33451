"""The Misty bots: an exact activation, legal play at every level, and an expert that sees what it should."""

import random
from functools import cache
from typing import Any

import numpy as np
import pytest

import nevel
from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.bots.levels import LADDER, LEVELS
from nevel.engine import chance, dispatch
from nevel.engine.knowledge import Knowledge
from nevel.game.box import Box
from nevel.games.misty import rules as misty
from nevel.games.misty.bots.activation import best_scores, solve
from nevel.games.misty.bots.imagined import judge_now
from nevel.games.misty.bots.learnt import STANDINGS, WEIGHTS
from nevel.games.misty.bots.worth import WEIGHTS as COUNT
from nevel.games.misty.rules.table import ACTIVATING, MOVE, PICK, PICKING, PLACE, PLACING
from nevel.games.misty.rules.window import FLOWER, MONSTER, SIDE, SMILE
from tests.bots.misty_solver import SETS, best_activation

SIGNS = "^v><osfm"
#: A kind for each sign, and where they are in the frame.
KINDS = {"^": 0, "v": 2, ">": 4, "<": 6, "o": 8, "s": SMILE, "f": FLOWER, "m": MONSTER}
CORNER = 2
STEPS = {"^": (-1, 0), "v": (1, 0), "<": (0, -1), ">": (0, 1)}


def space_at(row: int, column: int) -> int:
    return (CORNER + row) * SIDE + CORNER + column


def table(*pictures: str, hands: tuple[str, ...] = (), choices: str = "", is_small: bool = False) -> Any:
    """Windows as pictured, rows apart, a dot for an empty space; in the last deal if there are hands or choices."""
    s = dispatch.new_states(misty)[0]
    chance.key(s.chance, 1, 2, 3, 4)
    misty.setup(s, len(pictures), Box.of("misty").numbers, np.array([int(is_small)]), None)
    s.hand[:] = 0
    s.count[:] = 12
    for seat, picture in enumerate(pictures):
        rows = picture.split()
        s.top[seat], s.bottom[seat] = CORNER, CORNER + len(rows) - 1
        s.left[seat], s.right[seat] = CORNER, CORNER + len(rows[0]) - 1
        for row, line in enumerate(rows):
            for column, sign in enumerate(line):
                if sign != ".":
                    s.window[seat, CORNER + row, CORNER + column] = KINDS[sign] + 1
                    s.laid[seat] += 1
    for seat, hand in enumerate(hands):
        for sign in hand:
            s.hand[seat, KINDS[sign]] += 1
    for seat, sign in enumerate(choices):
        s.choice[seat] = KINDS[sign] + 1
    s.deal = 2 if is_small else 1
    s.held = len(hands[0]) if hands else 0
    s.passes = 6 - s.held - (1 if choices else 0)
    s.phase = ACTIVATING if not hands else PLACING if choices else PICKING
    return s


def knowledge_of(s: Any, seat: int) -> Knowledge:
    """What a seat knows of a position, which is all the Misty bots look at."""
    states = dispatch.new_states(misty)
    states[0] = s
    misty.conceal(states[0], seat)
    nothing = np.zeros(0, np.int64)
    return Knowledge(seat, states, nothing, nothing)


def expert(playouts: int = 300) -> Bot:
    return Bot("expert", seed=5, budget=Budget(playouts=playouts))


# ---------------------------------------------------------------- activation


def random_picture(dice: random.Random, is_small: bool, arrows: int) -> str:
    height, width = (3, 3) if is_small else dice.choice(((3, 4), (4, 3)))
    size = height * width
    signs = [dice.choice("^v<>") for _ in range(min(arrows, size))]
    signs += [dice.choice("osfm") for _ in range(size - len(signs))]
    dice.shuffle(signs)
    return " ".join("".join(signs[row * width : (row + 1) * width]) for row in range(height))


def best_by_trying(picture: str) -> int:
    """The best score over all orders, from the rules as they are told."""
    rows = picture.split()
    cards = {(r, c): sign for r, line in enumerate(rows) for c, sign in enumerate(line)}

    def arrivals(moved: frozenset[tuple[int, int]], cell: tuple[int, int]) -> int:
        return sum((r + STEPS[cards[r, c]][0], c + STEPS[cards[r, c]][1]) == cell for r, c in moved)

    def points(moved: frozenset[tuple[int, int]]) -> int:
        lying = {cell: (cell not in moved) + arrivals(moved, cell) for cell in cards}
        seen = {cell: sign for cell, sign in cards.items() if sign in "osfm" and lying[cell] == 1}
        total = sum(count == 1 for count in lying.values())
        flowers = sum(sign == "f" for sign in seen.values())
        total += flowers - 2 * min(flowers, sum(sign == "m" for sign in seen.values()))
        for r, line in enumerate(rows):
            smiles = "".join("s" if seen.get((r, c)) == "s" else " " for c in range(len(line)))
            total += sum(len(run) // 2 for run in smiles.split())
        return total

    @cache
    def best(moved: frozenset[tuple[int, int]]) -> int:
        free = [cell for cell in cards if cards[cell] in STEPS and cell not in moved and not arrivals(moved, cell)]
        return max(best(moved | {cell}) for cell in free) if free else points(moved)

    return best(frozenset())


def test_the_activation_is_as_good_as_any_order() -> None:
    dice = random.Random(4)
    for number in range(60):
        picture = random_picture(dice, number % 2 == 0, dice.randint(0, 8))
        s = table(picture, "^oo ooo ooo", is_small=number % 2 == 0)
        assert solve(s, 0)[0] == best_by_trying(picture), picture


def test_the_activation_equals_the_search_over_all_sets() -> None:
    """Thousands of windows, also in the middle of their activation."""
    dice = random.Random(9)
    spaces, values = np.zeros(12, np.int64), np.zeros(SETS, np.int16)
    compared = 0
    for number in range(1200):
        is_small = number % 3 == 0
        s = table(random_picture(dice, is_small, dice.randint(0, 10)), "^oo ooo ooo", is_small=is_small)
        expected, first = best_activation(s, 0, spaces, values)
        points, ours = solve(s, 0)
        assert points == expected
        assert (ours < 0) == (first < 0)
        compared += 1
        while number % 4 == 0 and first >= 0:
            legal = [move for move in range(MOVE, misty.MOVES) if misty.refusal(s, 0, move) == 0]
            s.activated[0] |= 1 << (dice.choice(legal) - MOVE)
            expected, first = best_activation(s, 0, spaces, values)
            assert solve(s, 0)[0] == expected
            compared += 1
    assert compared > 2000


def test_rings_can_not_all_move() -> None:
    points = np.zeros(3, np.int64)
    states = dispatch.new_states(misty, 3)
    for i, picture in enumerate((">< oo oo", ">v ^< oo", ">>v ^<< ooo")):
        states[i] = table(picture, "^oo ooo ooo")
    best_scores(states, points)
    assert points.tolist() == [4, 2 + 2, 4 + 3]


@pytest.mark.parametrize("level", ["strong", "expert"])
def test_strong_players_activate_without_a_mistake(level: str) -> None:
    dice = random.Random(12)
    spaces, values = np.zeros(12, np.int64), np.zeros(SETS, np.int16)
    bot = Bot(level, budget=Budget(playouts=1))
    for _ in range(25):
        s = table(random_picture(dice, False, 8), "^ooo oooo oooo")
        expected = best_activation(s, 0, spaces, values)[0]
        while s.phase == ACTIVATING and not s.done[0]:
            move = bot.move(knowledge_of(s, 0))
            assert move is not None
            assert misty.refusal(s, 0, move) == 0
            misty.apply(s, 0, move, None)
        misty.apply(s, 1, MOVE + space_at(0, 0), None)
        assert s.score[0] == expected


# ---------------------------------------------------------------- legal play


@pytest.mark.parametrize("is_beginners", [0, 1])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_levels_play_whole_games(seats: int, is_beginners: int) -> None:
    """Moves are checked by the game; the chairs are mixed so that every level meets every phase."""
    game = nevel.new("misty", seats=seats, seed=seats, beginners=is_beginners)
    bots = [Bot(LADDER[-1 - seat], seed=seat, budget=Budget(playouts=20)) for seat in range(seats)]
    while not game.is_over:
        seat = game.waiting_for[0]
        move = bots[seat].move(game.knowledge(seat))
        assert move is not None
        game.play(seat, str(game.vocabulary.moves[move]))
    assert game.outcome is not None


@pytest.mark.parametrize("level", LEVELS)
def test_every_legal_move_is_evaluated(level: str) -> None:
    """In every phase."""
    bot = Bot(level, seed=1, budget=Budget(playouts=40))
    game = nevel.new("misty", seats=3, seed=8, beginners=1)
    phases: set[int] = set()
    while game.state.round_number == 1:
        seat = game.waiting_for[-1]
        if len(game.log) % 7 == 0 or game.state.phase not in phases:
            legal = sorted(move for move in range(misty.MOVES) if misty.refusal(game.state, seat, move) == 0)
            evaluation = bot.evaluate(game.knowledge(seat))
            assert sorted(choice.move for choice in evaluation.choices) == legal
            assert all(0 <= choice.value <= 1 for choice in evaluation.choices)
            phases.add(int(game.state.phase))
        move = Bot("casual").move(game.knowledge(seat))
        assert move is not None
        game.play(seat, str(game.vocabulary.moves[move]))
    assert phases == {PICKING, PLACING, ACTIVATING}


def test_a_beginner_isnt_always_the_same() -> None:
    game = nevel.new("misty", seats=2, seed=3)
    assert len({Bot("beginner", seed=seed).move(game.knowledge(0)) for seed in range(30)}) > 1


# ---------------------------------------------------------------- what the expert sees


def test_the_expert_takes_an_obviously_best_card() -> None:
    s = table("oooo oooo oo..", "oooo oooo oo..", hands=("fm", "oo"))
    assert expert().move(knowledge_of(s, 0)) == PICK + FLOWER


def test_the_expert_gives_a_monster_to_who_has_flowers() -> None:
    """Both cards fit its own window equally well; the other one gets what is left."""
    s = table("oooo oooo oo..", "ffoo oooo oo..", hands=("om", "oo"))
    assert expert().move(knowledge_of(s, 0)) == PICK + KINDS["o"]


def test_the_expert_denies_a_card() -> None:
    """A smile is one point to itself, as any card, but two to the other beside a smile; windows are even otherwise."""
    s = table("oooo oooo .oo.", "oooo ooos .os.", hands=("os", "oo"))
    evaluation = expert().evaluate(knowledge_of(s, 0))
    assert evaluation.best.move == PICK + SMILE
    assert expert().move(knowledge_of(s, 0)) == PICK + SMILE
    assert evaluation.best.value > evaluation.choices[1].value + 0.1


@pytest.mark.parametrize("level", ["strong", "expert"])
def test_who_looks_ahead_lays_an_arrow_where_it_harms_least(level: str) -> None:
    """On the right edge an arrow to the right leaves alone; anywhere else it takes a card with it."""
    s = table("oooo .oo. oooo", "oooo oo.. oooo", hands=("o", "o"), choices=">o")
    bot = Bot(level, budget=Budget(playouts=200))
    assert bot.move(knowledge_of(s, 0)) == PLACE + space_at(1, 3)


def test_the_expert_plays_on_for_the_round_that_matters() -> None:
    """The same windows are worth more to who needs one more round than to who needs two."""
    s = table("oooo oooo oo..", "oooo oooo oo..", hands=("oo", "oo"))
    values = []
    for wins in ((0, 0), (1, 0), (0, 1), (1, 1)):
        s.wins[:2] = wins
        values.append(expert().evaluate(knowledge_of(s, 0)).best.value)
    assert values == [0.5, 1.0, 0.0, 0.5]


def test_what_is_left_of_a_game_is_shared() -> None:
    """Everyone's share adds up, whatever the standing."""
    for seats in (2, 3, 4):
        for ahead in range(seats + 1):
            total = 0.0
            if ahead:
                total += ahead * STANDINGS[seats, 1, ahead - 1]
            if ahead < seats:
                total += (seats - ahead) * STANDINGS[seats, 0, ahead]
            assert total == pytest.approx(1, abs=0.002)
    assert len(WEIGHTS) == COUNT


def test_odds_of_half_built_windows_add_up() -> None:
    for seats in (2, 3, 4):
        s = table(*["oo> v<o", "ff> ooo", "so> ooo", "mm> ^<o"][:seats], hands=("o",) * seats)
        s.deal = 0
        odds = np.zeros((2, 4, 26))
        shares = [judge_now(s, seat, odds)[0] for seat in range(seats)]
        assert sum(shares) == pytest.approx(1, abs=0.002)
        assert max(shares) == shares[1]


# ---------------------------------------------------------------- entitled to nothing more


def test_the_same_seed_and_playouts_think_the_same() -> None:
    game = nevel.new("misty", seats=3, seed=2)
    first, second = (expert(500).evaluate(game.knowledge(1)) for _ in range(2))
    assert first == second
    assert first.playouts >= 500


def test_what_a_seat_cant_know_changes_nothing() -> None:
    """The expert is asked in two worlds its seat can't tell apart, at moments all through games."""
    dice = random.Random(6)
    differed = 0
    bot = expert(60)
    for seed in range(3):
        game = nevel.new("misty", seats=2 + seed, seed=seed, beginners=seed == 1)
        while game.state.round_number == 1:
            if dice.random() < 0.3:
                seat = dice.choice(game.waiting_for)
                twin = game.copy()
                misty.conceal(twin.state, seat)
                chance.key(twin.state.chance, *(dice.getrandbits(32) for _ in range(4)))
                misty.imagine(twin.state, seat)
                differed += twin.state.tobytes() != game.state.tobytes()
                ours, theirs = knowledge_of(game.state, seat), knowledge_of(twin.state, seat)
                assert bot.move(ours) == bot.move(theirs)
                assert bot.evaluate(ours) == bot.evaluate(theirs)
                assert ours.states.tobytes() == theirs.states.tobytes()
            seat = dice.choice(game.waiting_for)
            prompt = game.prompt(seat)
            assert prompt is not None
            game.play(seat, dice.choice(prompt.moves))
    assert differed > 20


def test_thinking_leaves_what_is_known_as_it_was() -> None:
    game = nevel.new("misty", seats=2, seed=4)
    knowledge = game.knowledge(0)
    before = knowledge.states.tobytes()
    for level in LADDER:
        Bot(level, budget=Budget(playouts=50)).move(knowledge)
    assert knowledge.states.tobytes() == before
