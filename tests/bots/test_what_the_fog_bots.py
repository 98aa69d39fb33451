"""The levels of What the Fog?!: what they infer, what they choose, and that they know only what they may."""

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import nevel
from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.bots.levels import LADDER, LEVELS, mind_of
from nevel.bots.playing_out import TOTALS, decide
from nevel.bots.policy import POLICIES
from nevel.engine import chance, dispatch
from nevel.engine.knowledge import Knowledge
from nevel.game.box import Box
from nevel.game.game import Game
from nevel.games.what_the_fog import rules as what_the_fog
from nevel.games.what_the_fog.bots.tuning import TEMPERATURES
from nevel.games.what_the_fog.rules.table import DISCARD, DISCARDING, PARTS, PASS, PREDICTING, RAISE, ROUNDS, WEATHERS
from nevel.lab.simulation import Simulation
from tests.rules.all_revealed import last_predictions, revealing_game

RAIN, SNOW, FOG, CLOUDS, THUNDER, SUN = range(WEATHERS)


def play(game: Game, seat: int, number: int) -> None:
    game.play(seat, game.vocabulary.moves[number])


def positions(seed: int, seats: int, level: str = "strong"):
    """Every position of a game between bots of one level, with the seat that is asked next."""
    game = nevel.new("what-the-fog", seats=seats, seed=seed)
    bots = [Bot(level, seed=seat) for seat in range(seats)]
    while not game.is_over:
        seat = game.waiting_for[0]
        yield game, seat
        number = bots[seat].move(game.knowledge(seat))
        assert number is not None
        play(game, seat, number)


def imagined_hands(knowledge: Knowledge, count: int) -> np.ndarray:
    """Hands as the expert imagines them, a few exchanges of cards apart."""
    mind = mind_of(what_the_fog, "expert")
    scratch = dispatch.new_states(what_the_fog, mind.scratch)
    plans, dead = np.zeros((1, 1), np.int64), np.zeros(1, np.int64)
    rng = Bot("expert").rng(knowledge)
    hands = np.zeros((count, *scratch[1].hand.shape))
    for i in range(count):
        mind.sample(scratch, knowledge, plans, dead, 1, rng, np.zeros((1, TOTALS)))
        hands[i] = scratch[1].hand
    return hands


def unseen_cards(s: Any, seat: int) -> np.ndarray:
    return s.card_count - s.discards - s.open.sum(0) - s.hand[seat]


# ---------------------------------------------------------------- what moves tell


def test_imagined_hands_are_possible_ones() -> None:
    for game, seat in positions(3, 4):
        if game.state.phase != PREDICTING or game.state.round_number % 2:
            continue
        knowledge = game.knowledge(seat)
        s = knowledge.state
        for hands in imagined_hands(knowledge, 3):
            assert (hands >= 0).all()
            assert hands[seat].tolist() == s.hand[seat].tolist()
            assert hands.sum(1).tolist() == s.held.tolist()
            others = hands.sum(0) - hands[seat]
            assert (others <= unseen_cards(s, seat)).all()


@pytest.mark.parametrize("level", ["casual", "strong"])
def test_imagined_hands_are_nearer_the_truth_than_average_ones(level: str) -> None:
    average, imagined = 0.0, 0.0
    for seed in range(4):
        for game, seat in positions(seed, 2, level):
            s = game.state
            if s.phase == DISCARDING and s.round_number > 1:
                other = 1 - seat
                knowledge = game.knowledge(seat)
                unseen = unseen_cards(knowledge.state, seat)
                hand = imagined_hands(knowledge, 60)[:, other].mean(0)
                average += float(((s.hand[other] - s.held[other] * unseen / unseen.sum()) ** 2).sum())
                imagined += float(((s.hand[other] - hand) ** 2).sum())
    assert imagined < 0.9 * average


def test_a_raise_tells_of_cards_that_fit_the_days() -> None:
    """Where the other one raises, they are imagined with more influence than where they pass."""
    differences = []
    for seed in range(8):
        for game, seat in positions(seed, 2):
            s = game.state
            if s.phase == PREDICTING and seat != s.active and (s.filled == PARTS).sum() == 2:
                influences = []
                for number in (RAISE, PASS):
                    twin = game.copy()
                    play(twin, seat, number)
                    hands = imagined_hands(twin.knowledge(1 - seat), 60)[:, seat].mean(0)
                    influences.append(sum(hands[w - 1] for day in range(s.days) for w in s.day[day] if w))
                differences.append(influences[0] - influences[1])
                break
    assert len(differences) >= 6
    assert np.mean(differences) > 0.3


# ---------------------------------------------------------------- choosing


def position_with(hands: list[list[int]], opens: list[list[int]], days: list[list[int]], round_number: int) -> Any:
    """The end of a round of two: all days full, everyone about to give up a card."""
    states = dispatch.new_states(what_the_fog)
    game = nevel.new("what-the-fog", seats=2, seed=1)
    states[0] = game.state
    s = states[0]
    s.round_number = round_number
    s.days = len(days)
    s.phase = DISCARDING
    s.day[:] = 0
    s.filled[:] = 0
    for day, tokens in enumerate(days):
        s.day[day] = np.array(tokens) + 1
        s.filled[day] = PARTS
    s.top[:] = 0
    s.pile_size[:] = 0
    s.supply_size = s.pair_count.sum() - PARTS * len(days)
    for seat in range(2):
        s.hand[seat] = hands[seat]
        s.open[seat] = opens[seat]
        s.held[seat] = sum(hands[seat])
    s.discards[:] = 0
    s.deck[:] = s.card_count - s.hand.sum(0) - s.open.sum(0)
    s.deck_size = s.deck.sum()
    return states


def known_to(states: Any, seat: int) -> Knowledge:
    seen = states.copy()
    what_the_fog.conceal(seen[0], seat)
    nothing = np.zeros(0, np.int64)
    return Knowledge(seat, seen, nothing, nothing)


@pytest.mark.parametrize("level", ["casual", "strong", "expert"])
def test_the_last_discard_makes_the_prediction_true(level: str) -> None:
    one_each = [1, 1, 1, 1, 0, 0]
    days = [[RAIN] * PARTS, [SNOW] * PARTS, [FOG] * PARTS, [CLOUDS] * PARTS]
    states = position_with([one_each, [0, 0, 0, 0, 1, 0]], [[0] * 6, [0, 0, 0, 4, 0, 0]], days, 1)
    bot = Bot(level, budget=Budget(playouts=400))
    states[0].prediction[0] = 3
    assert bot.move(known_to(states, 0)) == DISCARD + CLOUDS
    states[0].prediction[0] = 2
    assert bot.move(known_to(states, 0)) != DISCARD + CLOUDS


def forced_endings(count: int):
    """Ends of rounds in which the other has one hidden card, and so must give it up whatever it is."""
    dice = random.Random(4)
    for _ in range(count):
        round_number = dice.randint(1, ROUNDS)
        cards = [weather for weather in range(WEATHERS) for _ in range(4)]
        dice.shuffle(cards)
        size = round_number + 4
        counts = [[cards[i * size : (i + 1) * size].count(w) for w in range(WEATHERS)] for i in range(2)]
        hidden = cards[-1]
        days = [[dice.randrange(WEATHERS) for _ in range(PARTS)] for _ in range(round_number + 3)]
        hand = [dice.randint(0, number) for number in counts[0]]
        hand[counts[0].index(max(counts[0]))] = 1
        opens = [[number - held for number, held in zip(counts[0], hand, strict=True)], counts[1]]
        states = position_with([hand, [int(w == hidden) for w in range(WEATHERS)]], opens, days, round_number)
        for seat in range(2):
            states[0].prediction[seat] = dice.randint(0, 3)
            for number in range(round_number - 1):
                states[0].sheet[seat, number, 2] = dice.randint(-2, 6)
        yield states


def value_by_the_rules(states: Any, discards: tuple[int, int]) -> float:
    """Seat 0's chance to win when both have given up a card, by the rules themselves."""
    twin = states.copy()
    s = twin[0]
    number = int(s.round_number)
    for seat in range(2):
        what_the_fog.apply(s, seat, DISCARD + discards[seat], None)
    out = np.zeros((dispatch.MOST_SEATS, 2), np.int64)
    what_the_fog.outcome(s, out)
    if number == ROUNDS:
        return out[0, 1] / out[:2, 1].sum()
    return 1 / (1 + np.exp((out[1, 0] - out[0, 0]) / TEMPERATURES[2, number]))


def test_the_expert_values_discards_exactly_when_nothing_else_is_open() -> None:
    differing = 0
    for states in forced_endings(30):
        hidden = int(np.flatnonzero(states[0].hand[1])[0])
        evaluation = Bot("expert", budget=Budget(playouts=64)).evaluate(known_to(states, 0))
        values = [value_by_the_rules(states, (choice.move - DISCARD, hidden)) for choice in evaluation.choices]
        assert [choice.value for choice in evaluation.choices] == pytest.approx(values)
        assert values[0] == pytest.approx(max(values))
        differing += max(values) - min(values) > 0.01
    assert differing > 8


def test_the_expert_finds_the_last_prediction_by_brute_force() -> None:
    """Seat 0 speaks last and has one hidden card too: whether to raise has one right answer."""
    differing = 0
    for states in forced_endings(60):
        s = states[0]
        own = int(np.flatnonzero(s.hand[0])[0])
        s.open[0] += s.hand[0]
        s.open[0, own] -= 1
        s.hand[0] = 0
        s.hand[0, own] = 1
        s.held[0] = 1
        hidden = int(np.flatnonzero(s.hand[1])[0])
        s.phase, s.active, s.predictor = PREDICTING, 1, 0
        values = {}
        for number in (RAISE, PASS):
            twin = states.copy()
            what_the_fog.apply(twin[0], 0, number, None)
            assert twin[0].phase == DISCARDING
            values[number] = value_by_the_rules(twin, (own, hidden))
        evaluation = Bot("expert", budget=Budget(playouts=64)).evaluate(known_to(states, 0))
        assert {choice.move: choice.value for choice in evaluation.choices} == pytest.approx(values)
        differing += abs(values[RAISE] - values[PASS]) > 0.01
    assert differing > 30


# ---------------------------------------------------------------- what they may know


def test_the_same_seed_and_playouts_give_the_same_evaluation() -> None:
    for number, (game, seat) in enumerate(positions(6, 3)):
        if number % 25 == 3:
            bot = Bot("expert", seed=5, budget=Budget(playouts=300))
            assert bot.evaluate(game.knowledge(seat)) == bot.evaluate(game.knowledge(seat))


@pytest.mark.parametrize("seats", [2, 4])
def test_what_a_seat_cant_know_changes_nothing(seats: int) -> None:
    """Everything hidden is put back into the position, then made up anew: every level does the same in all cases."""
    for number, (game, seat) in enumerate(positions(7, seats)):
        if number % 9:
            continue
        knowledge = game.knowledge(seat)
        twin = knowledge._replace(states=knowledge.states.copy())
        chance.key(twin.states[-1].chance, number, 2, 3, 4)
        what_the_fog.imagine(twin.states[-1], seat)
        truth = knowledge._replace(states=knowledge.states.copy())
        truth.states[-1] = game.state
        for level, policy in POLICIES.items():
            moves = {decide(k.state, seat, policy, Bot(level).rng(k), True) for k in (knowledge, twin, truth)}
            assert len(moves) == 1
        expert = Bot("expert", budget=Budget(playouts=60))
        assert expert.evaluate(knowledge) == expert.evaluate(twin) == expert.evaluate(truth)


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "long_game"), [(2, 0), (3, 1), (5, 0)])
def test_all_levels_play_whole_games(seats: int, long_game: int) -> None:
    for level in LEVELS:
        game = nevel.new("what-the-fog", seats=seats, seed=seats, long_game=long_game)
        bots = [Bot(level if seat else "strong", seed=seat, budget=Budget(playouts=20)) for seat in range(seats)]
        while not game.is_over:
            seat = game.waiting_for[-1]
            number = bots[seat].move(game.knowledge(seat))
            assert number is not None
            play(game, seat, number)  # refuses what isn't legal


def test_every_level_scores_more_than_the_one_before() -> None:
    """A quick look at the policies; the expert is measured elsewhere."""
    for weaker, stronger in pairwise(LADDER[:3]):
        policies = [POLICIES[stronger], POLICIES[weaker]]
        box = Box.of("what-the-fog").numbers
        simulation = Simulation(what_the_fog, 2, box, np.zeros(1, np.int64), policies, 1)
        list(simulation.run(500, 1))
        wins = simulation.wins[0][:, :2] / simulation.wins[0][:, :2].sum(1, keepdims=True)
        assert wins[:, 0].mean() > 0.58


# ---------------------------------------------------------------- boxes of people's own


@pytest.mark.parametrize("seats", [2, 5])
def test_a_round_that_the_rules_count_by_themselves_is_played_out_no_further(seats: int) -> None:
    game = revealing_game(seats)
    rounds = set[int]()
    for seat in last_predictions(game):
        number = int(game.state.round_number)
        for choice in Bot("expert", budget=Budget(playouts=16)).evaluate(game.knowledge(seat)).choices:
            after = game.copy()
            play(after, seat, choice.move)
            while after.state.round_number == number and not after.is_over:
                play(after, after.waiting_for[0], PASS)
            assert choice.points == after.state.sheet[seat, number - 1, 2]
        rounds.add(number)
    assert rounds == set(range(1, ROUNDS + 1))
