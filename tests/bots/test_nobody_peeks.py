"""No bot ever sees what its seat can't know."""

import random

import numpy as np
import pytest

import nevel
from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.bots.levels import LADDER, LEVELS
from nevel.bots.playing_out import decide, say
from nevel.bots.policy import POLICIES
from nevel.engine.knowledge import HIDDEN
from tests.own_games import OWN_GAMES
from tests.twins import twin_of

FEW = Budget(playouts=60)
MOVES = 120


def concealed(game: nevel.Game, seat: int) -> bytes:
    """The position with everything erased that the seat can't know."""
    twin = game.copy()
    twin.vocabulary.rules.conceal(twin.state, seat)
    return twin.state.tobytes()


def play_on(game: nevel.Game, dice: random.Random) -> None:
    """One random move of somebody who is asked, and sometimes a hint before it."""
    if dice.random() < 0.2 and (hints := game.hints(speaker := dice.randrange(game.seats))):
        game.play(speaker, dice.choice(hints))
        return
    prompt = game.prompt(dice.choice(game.waiting_for))
    assert prompt is not None
    game.play(prompt.seat, dice.choice(prompt.moves))


@pytest.mark.parametrize("name", OWN_GAMES)
def test_knowledge_is_what_could_be_seen_at_the_time(name: str) -> None:
    """Every position of a seat's memory is the one it could see then, and hidden choices of others stay hidden."""
    dice = random.Random(name)
    hidden = 0
    for seed in range(4):
        game = nevel.new(name, seats=3, seed=seed)
        seen: list[list[bytes]] = [[] for _ in range(game.seats)]
        for number in range(MOVES + 1):
            for seat in range(game.seats):
                seen[seat].append(concealed(game, seat))
            if game.is_over or number == MOVES:
                break
            if number % 10 == 3:  # the chance of a move may come from outside
                prompt = game.prompts()[0]
                game.play(prompt.seat, dice.choice(prompt.moves), key=f"{dice.getrandbits(128):032x}")
            else:
                play_on(game, dice)
        for seat in range(game.seats):
            knowledge = game.knowledge(seat)
            assert [state.tobytes() for state in knowledge.states] == seen[seat]
            for entry, mover, move in zip(game.log, knowledge.movers, knowledge.moves, strict=True):
                assert mover == entry.seat
                is_secret = entry.move.text.split()[0] in ("reveal", "discard", "pick", "move")
                assert move == (HIDDEN if is_secret and entry.seat != seat else entry.move.number)
                hidden += move == HIDDEN
    assert hidden > 50 or name in ("the-game", "extreme")


@pytest.mark.parametrize("name", OWN_GAMES)
def test_quick_judgement_doesnt_look_at_what_is_concealed(name: str) -> None:
    """In simulations policies get the whole record, for speed: they must answer as with the concealed one."""
    dice = random.Random(name)
    compared = 0
    for seed in range(3):
        game = nevel.new(name, seats=3, seed=seed)
        while not game.is_over and compared < 400 * (seed + 1):
            for seat in game.waiting_for:
                seen = game.knowledge(seat).state
                for policy in POLICIES.values():
                    rng, again = np.array([1, 2, 3, 4]), np.array([1, 2, 3, 4])
                    assert decide(seen, seat, policy, rng, True) == decide(game.state, seat, policy, again, True)
                    assert say(seen, seat, policy, rng, True) == say(game.state, seat, policy, again, True)
                    compared += 1
            play_on(game, dice)
    assert compared > 100


@pytest.mark.parametrize("name", OWN_GAMES)
@pytest.mark.parametrize("level", LEVELS)
def test_bots_answer_the_same_in_worlds_their_seat_cant_tell_apart(name: str, level: str) -> None:
    """Two deals that look the same from a seat: the same move and the same evaluation."""
    dice = random.Random(f"{name}{level}")
    differed = 0
    for seed in range(3):
        game = nevel.new(name, seats=3, seed=seed)
        seat = game.waiting_for[0]
        twin = twin_of(game, seat, dice)
        differed += twin.state.tobytes() != game.state.tobytes()
        if name in ("the-game", "extreme"):
            game.play(seat, "start")
            twin.play(seat, "start")
        for _ in range(2):  # as long as only this seat moves, the two worlds look the same
            if seat not in game.waiting_for:
                break
            bot = Bot(level, seed, FEW)
            number = bot.move(game.knowledge(seat))
            assert number == bot.move(twin.knowledge(seat))
            assert bot.hint(game.knowledge(seat)) == bot.hint(twin.knowledge(seat))
            if level in LADDER:
                assert bot.evaluate(game.knowledge(seat)) == bot.evaluate(twin.knowledge(seat))
                assert bot.expect(game.knowledge(seat), 20) == bot.expect(twin.knowledge(seat), 20)
            assert number is not None
            game.play(seat, game.vocabulary.moves[number])
            twin.play(seat, twin.vocabulary.moves[number])
            if concealed(game, seat) != concealed(twin, seat):
                break  # chance turned up something else
    assert differed == 3
