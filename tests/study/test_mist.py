"""What could be known is what could be known: counted by brute force, true where it is certain, blind to all else."""

import random
from collections import Counter, defaultdict
from itertools import combinations, permutations, product
from math import comb, exp

import msgspec
import numpy as np
import pytest

import nevel
from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.engine import chance, dispatch
from nevel.engine.knowledge import Knowledge
from nevel.games.misty.box import KINDS
from nevel.games.the_game import rules as the_game
from nevel.games.the_game.bots.talk import WRONG_JUMP, WRONG_PILE, WRONG_STRENGTH
from nevel.games.the_game.rules.table import (
    JUMP_BACK,
    LEAVE,
    LEAVE_STRONGLY,
    MARGIN,
    ON_A_PILE,
    PLAYING,
    SMALL_STEPS,
    UNSEEN,
)
from nevel.games.what_the_fog.bots.evidence import EVIDENCE, explains, gather
from nevel.games.what_the_fog.bots.forecast import FORECAST
from nevel.games.what_the_fog.box import WEATHERS
from nevel.study.mist import Mist, look_into, plain_shares
from nevel.testing.subject import dealt_otherwise as twin_of
from tests.own_games import OWN_GAMES

QUICK = Budget(playouts=1)


def go_on(game: nevel.Game, moves: int, seed: int = 1) -> None:
    """Bots talk and play."""
    bot = Bot("casual", seed, QUICK)
    for _ in range(moves):
        for seat in range(game.seats):
            hint = bot.hint(game.knowledge(seat))
            if hint is not None and hint >= 0:
                game.play(seat, game.vocabulary.moves[hint])
        if game.is_over:
            return
        prompt = game.prompts()[0]
        number = bot.move(game.knowledge(prompt.seat))
        game.play(prompt.seat, prompt.moves[0] if number is None else game.vocabulary.moves[number])


def mist_of(game: nevel.Game, seat: int) -> Mist:
    return look_into(game.knowledge(seat), game.name)


def truth(game: nevel.Game, mist: Mist) -> list[list[int]]:
    """How many of each card really are in each place."""
    s = game.state
    table: list[list[int]] = []
    for card in mist.cards:
        row: list[int] = []
        for place in mist.places:
            if game.name in ("the-game", "extreme"):
                row.append(int(s.where[MARGIN + int(card.card)] == (0 if place.seat is None else 1 + place.seat)))
            elif game.name == "what-the-fog":
                weather = WEATHERS.index(card.card)
                if place.kind == "given-up":
                    row.append(int(s.away[place.seat] == weather + 1))
                else:
                    row.append(int(s.deck[weather] if place.seat is None else s.hand[place.seat, weather]))
            else:
                kind = KINDS.index(card.card)
                row.append(int(s.aside[kind] if place.seat is None else s.hand[place.seat, kind]))
        table.append(row)
    return table


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("name", OWN_GAMES)
def test_sums_and_certainty(name: str, seats: int) -> None:
    """Places hold as many cards as they hold; what is said to be certain is true, what is impossible isn't there."""
    game = nevel.new(name, seats=seats, seed=7)
    certain = 0
    while True:
        for seat in range(seats):
            mist = mist_of(game, seat)
            assert seat not in {place.seat for place in mist.places}
            for i, place in enumerate(mist.places):
                assert sum(card.expected[i] for card in mist.cards) == pytest.approx(place.size)
            for card, there in zip(mist.cards, truth(game, mist), strict=True):
                assert sum(card.expected) == pytest.approx(card.hidden)
                assert sum(there) == card.hidden
                for expected, likelihood, doubt, count in zip(
                    card.expected, card.likelihood, card.doubt, there, strict=True
                ):
                    assert 0 <= likelihood <= 1
                    assert count or likelihood < 1
                    assert not count or likelihood > 0
                    if doubt == 0:
                        assert expected == count
                        certain += 1
        if game.is_over:
            break
        go_on(game, 9)
    assert certain > 5 or name == "extreme", "Extreme is lost long before its draw pile is empty"


def test_a_hand_passed_on_is_known() -> None:
    """In Misty, less what was taken from it in the open; a hand not seen yet is anybody's guess."""
    game = nevel.new("misty", seats=3, seed=3)
    assert all(card.doubt[0] > 0 for card in mist_of(game, 0).cards)
    while game.state.passes < 1:
        prompt = game.prompts()[0]
        game.play(prompt.seat, prompt.moves[0])
    for seat in range(3):
        mist = mist_of(game, seat)
        known = [i for i, place in enumerate(mist.places) if all(card.doubt[i] == 0 for card in mist.cards)]
        assert [mist.places[i].seat for i in known] == [(seat + 1) % 3]
        for card in mist.cards:
            assert card.expected[known[0]] == game.state.hand[(seat + 1) % 3, KINDS.index(card.card)]


def test_plain_deals_by_brute_force() -> None:
    """Every way to deal a few cards, counted."""
    hidden, sizes = [2, 1, 3], [2, 1, 3]
    deals = list(permutations([kind for kind, count in enumerate(hidden) for _ in range(count)]))
    shares = plain_shares(sizes, np.array(hidden))
    first = 0
    for place, size in enumerate(sizes):
        for kind in range(3):
            counts = Counter(deal[first : first + size].count(kind) for deal in deals)
            for number in range(shares.shape[2]):
                assert shares[place, kind, number] == pytest.approx(counts[number] / len(deals))
        first += size


def apt(hand: tuple[int, ...], top: int, is_rising: bool, is_closed: int) -> int:
    """What there is to say of a pile with a hand (see docs/bots.md)."""
    steps = [card - top if is_rising else top - card for card in hand]
    if -10 in steps:
        return LEAVE_STRONGLY if is_closed else JUMP_BACK
    nearest = min((step for step in steps if step > 0), default=99)
    return next((hint for within, hint in ((3, LEAVE_STRONGLY), (8, LEAVE), (15, SMALL_STEPS)) if nearest <= within), 0)


def surprise(hand: tuple[int, ...], said: list[int], tops: list[int], is_closed: int) -> float:
    total = 0.0
    for pile, hint in enumerate(said):
        best = apt(hand, tops[pile], pile < 2, is_closed)
        if hint and hint != best:
            wrong = WRONG_PILE if best in (0, JUMP_BACK) else WRONG_STRENGTH
            total += WRONG_JUMP if hint == JUMP_BACK else wrong
    return total


@pytest.mark.parametrize(
    ("said", "more_said", "is_closed"),
    [
        ([LEAVE_STRONGLY, 0, 0, 0], [0, 0, 0, 0], 0),
        ([0, 0, 0, JUMP_BACK], [0, LEAVE, 0, 0], 0),
        ([0, 0, SMALL_STEPS, 0], [LEAVE, 0, 0, 0], 1),
        ([0, 0, 0, LEAVE_STRONGLY], [0, LEAVE, 0, 0], 1),
    ],
)
def test_hints_by_brute_force(said: list[int], more_said: list[int], is_closed: int) -> None:
    """The last eight unseen cards of a game of three, with everything that was said about the piles."""
    tops = [40, 60, 70, 45]
    unseen = [42, 46, 52, 55, 61, 64, 66, 80]
    states = dispatch.new_states(the_game, 1)
    s = states[0]
    s.seats, s.phase, s.minimum, s.hand_size, s.left = 3, PLAYING, 2, 6, 3
    s.tops[:] = tops
    s.where[:] = ON_A_PILE
    s.held[:3] = (1, 3, 2)
    s.hand[0, 0] = 90
    s.where[MARGIN + 90] = 1
    for card in unseen:
        s.where[MARGIN + card] = UNSEEN
    s.hints[1], s.hints[2] = said, more_said
    s.closed_tricks = is_closed
    nothing = np.zeros(0, np.int64)
    mist = look_into(Knowledge(0, states, nothing, nothing), "the-game")
    assert [card.card for card in mist.cards] == [str(card) for card in unseen]
    weights = defaultdict[tuple[int, int], float](float)
    whole = 0.0
    for first in combinations(unseen, 3):
        for second in combinations([card for card in unseen if card not in first], 2):
            weight = exp(-surprise(first, said, tops, is_closed) - surprise(second, more_said, tops, is_closed))
            whole += weight
            for card in unseen:
                weights[card, 0 if card in first else 1 if card in second else 2] += weight
    for card, found in zip(unseen, mist.cards, strict=True):
        for place in range(3):
            assert found.likelihood[place] == pytest.approx(weights[card, place] / whole, abs=0.07)


def test_what_was_done_by_brute_force() -> None:
    """Every hand the other may have in What the Fog?!, each as likely as it explains what was done."""
    game = nevel.new("what-the-fog", seats=2, seed=11)
    go_on(game, 22)
    knowledge = game.knowledge(0)
    mist = look_into(knowledge, "what-the-fog")
    evidence, forecast = np.empty(EVIDENCE), np.empty(FORECAST)
    rows = gather(knowledge.states, knowledge.movers, knowledge.moves, 0, evidence, forecast)
    assert rows > 4
    s = knowledge.state.copy()
    hidden = [card.hidden for card in mist.cards]
    held = mist.places[0].size
    shares = np.zeros((len(WEATHERS), held + 1))
    scratch = np.zeros(100)
    for hand in product(range(held + 1), repeat=len(WEATHERS)):
        if sum(hand) != held or any(count > there for count, there in zip(hand, hidden, strict=True)):
            continue
        s.hand[1] = hand
        ways = np.prod([comb(there, count) for count, there in zip(hand, hidden, strict=True)])
        weight = float(ways) * exp(explains(s, 1, evidence, rows, scratch))
        shares[np.arange(len(WEATHERS)), hand] += weight
    shares /= shares.sum(axis=1, keepdims=True)
    plain = held * np.array(hidden) / sum(hidden)
    exact = shares @ np.arange(held + 1)
    found = np.array([card.expected[0] for card in mist.cards])
    assert found == pytest.approx(exact, abs=0.2)
    assert abs(found - exact).sum() < abs(plain - exact).sum(), "it has learnt nothing from what was done"
    for i, card in enumerate(mist.cards):
        assert card.likelihood[0] == pytest.approx(1 - shares[i, 0], abs=0.12)


@pytest.mark.parametrize("name", OWN_GAMES)
def test_worlds_a_seat_cant_tell_apart_look_the_same(name: str) -> None:
    """The method of the bots' test: another deal behind the same view is the same mist."""
    dice = random.Random(name)
    for seed in range(3):
        game = nevel.new(name, seats=3, seed=seed)
        seat = game.waiting_for[0]
        twin = twin_of(game, seat, dice)
        assert twin.state.tobytes() != game.state.tobytes()
        assert mist_of(game, seat) == mist_of(twin, seat)


@pytest.mark.parametrize("name", OWN_GAMES)
def test_nothing_but_knowledge_is_asked(name: str) -> None:
    """Later in a game: whatever is really in others' hands, what the seat remembers decides; and it is plain data."""
    game = nevel.new(name, seats=3, seed=2)
    go_on(game, 25)
    knowledge = game.knowledge(1)
    mist = look_into(knowledge, name)
    filled = knowledge._replace(states=knowledge.states.copy())
    for i in range(len(filled.states)):
        chance.key(filled.states[i].chance, 1 + i, 2, 3, 4)
        game.vocabulary.rules.imagine(filled.states[i], 1)
        game.vocabulary.rules.conceal(filled.states[i], 1)
    assert look_into(filled, name) == mist
    assert msgspec.json.decode(msgspec.json.encode(mist), type=Mist) == mist
