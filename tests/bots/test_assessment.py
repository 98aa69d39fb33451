"""What a seat can look forward to, asked or not, and what its choices were worth beside the best."""

import random
from typing import Any

import numpy as np
import pytest

import nevel
from nevel.bots.assessment import PIECES, cost_of, share_of_victory
from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.bots.playing_out import PLAYOUTS, POINTS, TOTALS, WINS
from nevel.engine.knowledge import Knowledge
from nevel.games.misty import rules as misty
from nevel.games.misty.rules.table import MOVE
from tests.bots.misty_solver import SETS, best_activation
from tests.bots.test_misty_bots import knowledge_of, table
from tests.bots.test_the_game_bots import arranged

BOT = Bot("expert", seed=3)
FEW = 16


def played_at_random(name: str, seats: int, seed: int, **options: Any) -> nevel.Game:
    """A whole game of anything legal, with something said now and then."""
    dice = random.Random(f"{name}/{seats}/{seed}")
    game = nevel.new(name, seats=seats, seed=seed, **options)
    while not game.is_over:
        if dice.random() < 0.1 and (hints := game.hints(speaker := dice.randrange(seats))):
            game.play(speaker, dice.choice(hints))
            continue
        prompt = game.prompt(dice.choice(game.waiting_for))
        assert prompt is not None
        game.play(prompt.seat, dice.choice(prompt.moves))
    return game


def moments(knowledge: Knowledge) -> list[Knowledge]:
    """What a seat knew at every moment."""
    seat, states, movers, moves = knowledge
    return [Knowledge(seat, states[: i + 1], movers[:i], moves[:i]) for i in range(len(states))]


@pytest.mark.parametrize(
    ("name", "seats", "options"),
    [
        ("what-the-fog", 2, {}),
        ("what-the-fog", 3, {"long_game": 1}),
        ("the-game", 1, {}),
        ("the-game", 2, {}),
        ("the-game", 3, {}),
        ("extreme", 3, {}),
        ("misty", 2, {}),
        ("misty", 3, {"beginners": 1}),
    ],
)
def test_every_seat_can_expect_something_at_every_moment(name: str, seats: int, options: dict[str, object]) -> None:
    """In every phase, asked or not, chosen already or not; in the end it is the result."""
    game = played_at_random(name, seats, 4, **options)
    expected = np.zeros(seats)
    for seat in range(seats):
        known = moments(game.knowledge(seat))
        for knowledge in known[:: max(len(known) // 60, 1)]:
            found = BOT.expect(knowledge, FEW)
            assert 0 <= found.value <= 1
            assert found == BOT.expect(knowledge, FEW)
        expected[seat] = BOT.expect(known[-1], FEW).value
        assert expected[seat] == share_of_victory(game.state, seat)
    assert game.outcome is not None
    winners = game.outcome.winners
    if name in ("the-game", "extreme"):
        assert expected.tolist() == [float(bool(winners))] * seats
    else:
        assert expected.tolist() == [1 / len(winners) if seat in winners else 0.0 for seat in range(seats)]


def test_worlds_in_which_the_game_would_be_over_arent_imagined() -> None:
    """Somebody holds the 60, somebody else the 50, which can only follow it: whoever has the turn holds the 60."""
    game = arranged([55, 99, 2, 2], [[60], [50], []], [])
    assert BOT.expect(game.knowledge(2), 64).value == 1.0


def test_the_end_of_the_game_is_worked_out_exactly() -> None:
    game = arranged([50, 98, 3, 3], [[51, 60]], [])
    known = game.knowledge(0)
    assert BOT.expect(known, FEW)[1:3] == (1.0, 0.0)
    good, bad = (game.vocabulary.moves.parse(text).number for text in ("play 51 up1", "play 60 up1"))
    assert BOT.assess(known, good, FEW).cost == 0
    verdict = BOT.assess(known, bad, FEW)
    assert verdict.cost == 1.0
    assert verdict.best.move == good
    assert [choice.error for choice in verdict.choices] == [0.0] * len(verdict.choices)


def test_what_is_uncertain_is_an_average_of_what_may_be() -> None:
    """The other has to play two of 20, 25 and 29 and draws the third, which fits only if it is the 29."""
    game = arranged([10, 98, 2, 2], [[20, 29], [99]], [25])
    assert BOT.expect(game.knowledge(1), 800).value == pytest.approx(1 / 3, abs=0.08)


def test_an_activation_costs_what_it_leaves_out_of_reach() -> None:
    """Against a search through all orders."""
    s = table(">v> o^s >f<", "oo> vvo ooo", is_small=True)
    known = knowledge_of(s, 0)
    moves = [move for move in range(MOVE, misty.MOVES) if misty.refusal(s, 0, move) == 0]
    within_reach: dict[int, int] = {}
    for move in moves:
        after = knowledge_of(s, 0).state
        after.activated[0] |= 1 << (move - MOVE)
        within_reach[move] = int(best_activation(after, 0, np.zeros(12, np.int64), np.zeros(SETS, np.int16))[0])
    assert len(set(within_reach.values())) > 1
    for move in moves:
        verdict = BOT.assess(known, move, FEW)
        assert {choice.move: choice.points for choice in verdict.choices} == within_reach
        assert verdict.points_cost == max(within_reach.values()) - within_reach[move]
        assert verdict.cost == verdict.best.value - verdict.played.value
        assert verdict.played.error == verdict.best.error == 0


# ---------------------------------------------------------------- what comes to the same


def by_move(game: nevel.Game, seat: int) -> dict[str, tuple[float, float]]:
    evaluation = Bot("expert", 1, Budget(playouts=300)).evaluate(game.knowledge(seat))
    return {game.vocabulary.moves[choice.move].text: (choice.value, choice.points) for choice in evaluation.choices}


@pytest.mark.parametrize("seats", [2, 3])
def test_piles_that_are_alike_are_worth_the_same(seats: int) -> None:
    game = nevel.new("the-game", seats=seats, seed=2)
    game.play(0, "start")
    worths = by_move(game, 0)
    cards = {text.split()[1] for text in worths}
    for card in cards:
        assert worths[f"play {card} up1"] == worths[f"play {card} up2"]
        assert worths[f"play {card} down1"] == worths[f"play {card} down2"]


def test_the_order_of_a_turn_makes_no_difference() -> None:
    """The best turn lays one card on each of two piles."""
    game = arranged([50, 98, 60, 3], [[51, 59, 20, 80], [30, 70]], [33, 44])
    worths = by_move(game, 0)
    assert worths["play 51 up1"] == worths["play 59 down1"]
    assert worths["play 51 up1"] == max(worths.values())


def test_cards_that_look_alike_are_worth_the_same() -> None:
    found = 0
    for seed in range(20):
        game = nevel.new("misty", seats=2, seed=seed)
        state = game.knowledge(0).state
        looks: dict[int, list[str]] = {}
        worths = by_move(game, 0)
        for text in worths:
            kind = game.vocabulary.moves.parse(text).number
            if state.arrow[kind]:
                looks.setdefault(int(state.arrow[kind]), []).append(text)
        for texts in looks.values():
            found += len(texts) > 1
            assert len({worths[text] for text in texts}) == 1
    assert found > 3


def test_piles_that_show_the_same_token_are_worth_the_same() -> None:
    found = 0
    for seed in range(20):
        game = nevel.new("what-the-fog", seats=2, seed=seed)
        tops = game.state.top
        if tops[0] == tops[1]:
            worths = by_move(game, game.waiting_for[0])
            assert worths["lift 1"] == worths["lift 2"]
            found += 1
    assert found


# ---------------------------------------------------------------- how sure a cost is


def pieces_of(dice: np.random.Generator, first: float, second: float) -> np.ndarray:
    pieces = np.zeros((PIECES, 2, TOTALS))
    pieces[:, :, PLAYOUTS] = 8
    pieces[:, 0, WINS] = dice.binomial(8, first, PIECES)
    pieces[:, 1, WINS] = dice.binomial(8, second, PIECES)
    pieces[:, :, POINTS] = pieces[:, :, WINS]
    return pieces


def mean_cost(first: float, second: float) -> float:
    dice = np.random.default_rng(1)
    return float(np.mean([cost_of(p := pieces_of(dice, first, second), p.sum(axis=0))[0] for _ in range(2000)]))


def test_equal_choices_hardly_ever_cost_anything() -> None:
    """Noise alone would cost 0.025 a choice if every difference counted."""
    assert mean_cost(0.5, 0.5) < 0.007
    assert mean_cost(0.7, 0.4) == pytest.approx(0.3, abs=0.01)
