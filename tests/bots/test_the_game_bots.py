"""Bots of The Game and Extreme: what they say, what they make of it, how they play."""

import random

import numpy as np
import pytest

import nevel
from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.bots.levels import LEVELS
from nevel.engine import chance, dispatch
from nevel.engine.compiling import compiled
from nevel.game.game import Entry
from nevel.game.history import History
from nevel.games.the_game import rules as the_game
from nevel.games.the_game.bots.endgame import DEPTH, LOST, WON, find_win
from nevel.games.the_game.bots.judgement import PASSED
from nevel.games.the_game.bots.mind import open_numbers, trust_in
from nevel.games.the_game.bots.talk import heed
from nevel.games.the_game.rules.table import CARDS, LOWEST, MARGIN, ON_A_PILE, PILES

FEW = Budget(playouts=400)


def talk(game: nevel.Game, bots: list[Bot]) -> None:
    for seat, bot in enumerate(bots):
        while (hint := bot.hint(game.knowledge(seat))) is not None:
            game.play(seat, game.vocabulary.moves[hint])


def step(game: nevel.Game, bots: list[Bot]) -> None:
    """Let everyone talk, then somebody move."""
    talk(game, bots)
    for seat in game.waiting_for:
        number = bots[seat].move(game.knowledge(seat))
        if number is not None:
            game.play(seat, game.vocabulary.moves[number])
            return
    raise AssertionError("nobody moves")


def arranged(
    tops: list[int], hands: list[list[int]], deck: list[int], active: int = 0, open_tricks: int = 0
) -> nevel.Game:
    """A game of The Game with these piles and hands; all other cards have been played."""
    game = nevel.new("the-game", seats=len(hands), seed=1, open_tricks=open_tricks)
    if len(hands) > 1:
        game.play(active, "start")
    s = game.state
    s.tops[:] = tops
    s.where[:] = 0
    for card in range(LOWEST, LOWEST + CARDS):
        s.where[MARGIN + card] = ON_A_PILE
    s.hand[:] = 0
    s.held[:] = 0
    for seat, cards in enumerate(hands):
        s.held[seat] = len(cards)
        s.hand[seat, : len(cards)] = cards
        for card in cards:
            s.where[MARGIN + card] = 1 + seat
    s.deck[:] = 0
    s.deck[: len(deck)] = deck
    s.left = len(deck)
    for card in deck:
        s.where[MARGIN + card] = 0
    s.active = active
    s.played = 0
    s.began = len(hands[active])
    s.need = 2 if deck else 1
    game._first = game.state.tobytes()  # knowledge begins here
    game.log = History[Entry]()
    return game


@pytest.mark.slow
@pytest.mark.parametrize("name", ["the-game", "extreme"])
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_whole_games(name: str, level: str) -> None:
    for seats in (1, 2, 5):
        game = nevel.new(name, seats=seats, seed=seats)
        bots = [Bot(level, seat, Budget(playouts=30)) for seat in range(seats)]
        while not game.is_over:
            step(game, bots)
        assert game.outcome is not None


@pytest.mark.parametrize(("open_tricks", "jump"), [(1, 4), (0, 2)])
def test_bots_say_what_they_can_do_on_a_pile(open_tricks: int, jump: int) -> None:
    """30 jumps, which is said where it may be; else it is a pile to leave, as strongly as for 48. 66 is near."""
    game = arranged([40, 60, 50, 90], [[2, 3], [30, 42, 66, 48]], [], open_tricks=open_tricks)
    bots = [Bot("strong"), Bot("strong")]
    talk(game, bots)
    assert game.state.hints[1].tolist() == [jump, 1, 2, 0]
    game = arranged([40, 60, 50, 90], [[2, 3], [30, 42, 66, 48]], [], open_tricks=open_tricks)
    talk(game, [Bot("casual"), Bot("casual")])
    assert game.state.hints[1].tolist() == [jump, 0, 2, 0]


@pytest.mark.slow
@pytest.mark.clause("TG-V2")
@pytest.mark.parametrize("name", ["the-game", "extreme"])
def test_no_bot_tells_a_jump_unless_tricks_are_open(name: str) -> None:
    jumps = {0: 0, 1: 0}
    for open_tricks in jumps:
        for seed in range(3):
            game = nevel.new(name, seats=4, seed=seed, open_tricks=open_tricks)
            bots = [Bot(level, seat, Budget(playouts=10)) for seat, level in enumerate(LEVELS[-4:])]
            while not game.is_over:
                step(game, bots)
            jumps[open_tricks] += sum(entry.move.text.endswith(" jump") for entry in game.log)
    assert jumps[0] == 0 < jumps[1]


def test_a_jump_heard_is_a_card_known() -> None:
    game = arranged([40, 60, 50, 90], [[2, 3], [30, 42, 66, 48]], [4, 5, 6, 7, 8, 9, 11, 12, 13, 14], open_tricks=1)
    for bot in ("strong",):
        talk(game, [Bot(bot), Bot(bot)])
    knowledge = game.knowledge(0)
    assert knowledge.state.hand[1].sum() == 0
    states = dispatch.new_states(the_game, 2)
    found = 0
    rng = np.array([1, 2, 3, 4])
    for _ in range(50):
        states[0] = knowledge.state
        listen(states, 0, trust_in(knowledge), rng)
        found += 30 in states[0].hand[1]
        assert sorted(states[0].deck[:10].tolist() + states[0].hand[1, :4].tolist()) == sorted(
            [4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 30, 42, 66, 48]
        )
    assert found > 45


@compiled
def listen(states, seat, trust, rng):
    chance.branch(states[0].chance, rng)
    dispatch.imagine(states[0], seat)
    heed(states[0], seat, trust, rng)


def brute_force(tops: tuple[int, ...], hands: tuple[tuple[int, ...], ...], seat: int, played: int) -> bool:
    """Whether everything can still be played, tried in every way."""
    if not any(hands):
        return True
    if played and not hands[seat]:
        return brute_force(tops, hands, (seat + 1) % len(hands), 0)
    if not hands[seat]:
        return brute_force(tops, hands, (seat + 1) % len(hands), 0)
    if played:
        following = (seat + 1) % len(hands)
        while not hands[following]:
            following = (following + 1) % len(hands)
        if following != seat and brute_force(tops, hands, following, 0):
            return True
    for card in hands[seat]:
        rest = tuple(c for c in hands[seat] if c != card)
        for pile in range(PILES):
            top = tops[pile]
            fits = card > top or card == top - 10 if pile < 2 else card < top or card == top + 10
            if fits:
                after = (*tops[:pile], card, *tops[pile + 1 :])
                if brute_force(after, (*hands[:seat], rest, *hands[seat + 1 :]), seat, 1):
                    return True
    return False


def test_the_endgame_is_exact() -> None:
    dice = random.Random(5)
    seen = {WON: 0, LOST: 0}
    for _ in range(120):
        cards = dice.sample(range(30, 75), 7)
        hands = [cards[:4], cards[4:]]
        tops = [dice.randint(50, 70), dice.randint(50, 75), dice.randint(35, 55), dice.randint(30, 50)]
        if set(tops) & set(cards):
            continue
        game = arranged(tops, hands, [])
        knowledge = game.knowledge(0)
        states = dispatch.new_states(the_game, 1 + DEPTH)
        states[0] = game.state
        path = np.zeros(DEPTH, np.int64)
        found = find_win(
            states,
            np.zeros(DEPTH, np.int64),
            path,
            open_numbers(knowledge),
            np.zeros(PASSED, np.int64),
            1_000_000,
        )
        assert found == int(brute_force(tuple(tops), tuple(map(tuple, hands)), 0, 0)), (tops, hands)
        seen[int(found)] += 1
        if found == WON:
            for number in path:
                if game.is_over:
                    break
                game.play(game.waiting_for[0], game.vocabulary.moves[int(number)])
            assert game.outcome is not None
            assert game.outcome.winners
    assert min(seen.values()) > 10


def test_the_expert_wins_what_can_be_won() -> None:
    """41 first would bury 31; the way through is 51, 41 back, 31 back."""
    game = arranged([40, 98, 99, 99], [[51, 41, 31], [61]], [])
    game.state.tops[2:] = 2, 3
    game._first = game.state.tobytes()
    bots = [Bot("expert", 0, FEW), Bot("expert", 1, FEW)]
    while not game.is_over:
        step(game, bots)
    assert game.outcome is not None
    assert game.outcome.winners


def test_the_same_seed_and_playouts_give_the_same_evaluation() -> None:
    game = nevel.new("the-game", seats=3, seed=11)
    game.play(1, "start")
    knowledge = game.knowledge(1)
    first = Bot("expert", 3, FEW).evaluate(knowledge)
    assert first == Bot("expert", 3, FEW).evaluate(knowledge)
    assert first != Bot("expert", 4, FEW).evaluate(knowledge)
    prompt = game.prompt(1)
    assert prompt is not None
    assert {game.vocabulary.moves[choice.move].text for choice in first.choices} == set(prompt.moves)
    assert all(choice.playouts > 0 and 0 <= choice.value <= 1 for choice in first.choices)
    assert first.playouts == sum(choice.playouts for choice in first.choices) or first.playouts >= 400


@pytest.mark.parametrize("name", ["the-game", "extreme"])
@pytest.mark.parametrize("level", ["casual", "strong", "expert"])
def test_bots_answer_the_same_whatever_they_cant_know(name: str, level: str) -> None:
    dice = random.Random(f"{name}{level}")
    game = nevel.new(name, seats=3, seed=21)
    bots = [Bot(level, seat, FEW) for seat in range(3)]
    compared = 0
    while not game.is_over and compared < 25:
        seat = game.waiting_for[0]
        twin = game.copy()
        twin.vocabulary.rules.conceal(twin.state, seat)
        chance.key(twin.state.chance, *(dice.getrandbits(32) for _ in range(4)))
        twin.vocabulary.rules.imagine(twin.state, seat)
        knowledge, other = game.knowledge(seat), game.knowledge(seat)
        other.states[-1] = twin.state
        twin.vocabulary.rules.conceal(other.states[-1], seat)
        assert bots[seat].move(knowledge) == bots[seat].move(other)
        assert bots[seat].hint(knowledge) == bots[seat].hint(other)
        compared += 1
        step(game, bots)
    assert compared > 10
