"""What positions of The Game are worth: found the same way the rules get there, and the same in the mirror."""

import numpy as np
import pytest

import nevel
from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.engine.compiling import compiled
from nevel.game.game import Game
from nevel.games.the_game.bots.learnt.mind import cards_left_when, learnt, turn_scratch, weights_for
from nevel.games.the_game.bots.learnt.turn import BROAD, TURN, find_turns
from nevel.games.the_game.bots.learnt.workspace import WORKSPACE_WIDTH
from nevel.games.the_game.bots.learnt.worth import CERTAIN, PATTERNS, add_up, look_around
from nevel.games.the_game.rules.table import CARDS, HIGHEST, LOWEST, MARGIN

LEARNT = range(1, 6)


@compiled
def turns_of(s, seat, weights, desk, sums, turn, turns, worths):
    return find_turns(s, seat, weights, desk, sums, turn, turns, worths, BROAD)


@compiled
def worth_at_the_end(s, seat, weights, looks, at):
    look_around(s, seat, looks)
    return add_up(weights, looks, s.tops[0], s.tops[1], s.tops[2], s.tops[3], at)


def position(seats: int, seed: int, moves: int) -> Game:
    """A game after some plausible moves, with a turn to come."""
    game = nevel.new("the-game", seats=seats, seed=seed)
    bot = Bot("casual", seed)
    if seats > 1:
        game.play(seed % seats, "start")
    while not game.is_over and (len(game.log) < moves or game.state.played):
        for seat in game.waiting_for:
            number = bot.move(game.knowledge(seat))
            if number is not None:
                game.play(seat, game.vocabulary.moves[number])
                break
    return game


def listed(game: Game, room: int = 6) -> list[tuple[list[int], float]]:
    weights = weights_for(game.seats)
    turns, worths = np.zeros((room, TURN), np.int64), np.zeros(room)
    count = turns_of(game.state, int(game.state.active), weights, *turn_scratch(), turns, worths)
    return [(turn[1 : 1 + turn[0]].tolist(), float(worth)) for turn, worth in zip(turns, worths, strict=True)][:count]


def worth(game: Game) -> float:
    weights = weights_for(game.seats)
    looks, at = np.zeros(WORKSPACE_WIDTH, np.int64), np.zeros(PATTERNS, np.int64)
    return float(worth_at_the_end(game.state, int(game.state.active), weights, looks, at))


def test_something_was_learnt_for_every_number_of_players() -> None:
    for seats in LEARNT:
        assert weights_for(seats).any()
        assert cards_left_when(seats).shape == (CARDS + 1, 10)
    assert all(array.size for array in learnt().values())


@pytest.mark.parametrize("seats", LEARNT)
def test_turns_are_legal_and_worth_what_they_lead_to(seats: int) -> None:
    seen = 0
    for seed in range(12):
        game = position(seats, seed, 1 + 10 * seed)
        for moves, promised in [] if game.is_over else listed(game):
            after = game.copy()
            for move in moves:
                after.play(int(game.state.active), game.vocabulary.moves[move])
            assert after.is_legal(int(game.state.active), "end turn")
            assert worth(after) == promised
            seen += 1
    assert seen > 30


def test_a_turn_that_wins_is_worth_most() -> None:
    game = nevel.new("the-game", seats=1, seed=1)
    s = game.state
    s.where[MARGIN + LOWEST : MARGIN + HIGHEST + 1] = 9
    s.deck[:] = 0
    s.hand[:] = 0
    s.left, s.need, s.played = 0, 1, 0
    s.hand[0, :3] = [50, 40, 99]
    s.held[0] = 3
    for card in (50, 40, 99):
        s.where[MARGIN + card] = 1
    s.tops[:] = [49, 60, 100, 30]
    moves, promised = max(listed(game, room=60), key=lambda turn: turn[1])
    assert len(moves) == 3
    assert promised == CERTAIN


def mirrored(game: Game) -> Game:
    """The same position with every card turned into what it is to a hundred and one."""
    image = game.copy()
    s, t = game.state, image.state
    for card in range(LOWEST, HIGHEST + 1):
        t.where[MARGIN + card] = s.where[MARGIN + 101 - card]
    for seat in range(game.seats):
        for i in range(int(s.held[seat])):
            t.hand[seat, i] = 101 - s.hand[seat, i]
    for pile in range(4):
        t.tops[pile] = 101 - s.tops[(pile + 2) % 4]
    return image


@pytest.mark.parametrize("seats", LEARNT)
def test_rising_and_falling_mirror_each_other(seats: int) -> None:
    for seed in range(8):
        game = position(seats, seed, 1 + 8 * seed)
        if not game.is_over:
            assert worth(mirrored(game)) == pytest.approx(worth(game), abs=1e-4)


@pytest.mark.parametrize("seats", LEARNT)
def test_an_evaluation_has_every_legal_move(seats: int) -> None:
    game = position(seats, 3, 20)
    seat = int(game.state.active)
    found = Bot("expert", budget=Budget(playouts=400)).evaluate(game.knowledge(seat))
    prompt = game.prompt(seat)
    assert prompt
    assert {game.vocabulary.moves[choice.move].text for choice in found.choices} == set(prompt.moves)
    assert all(0 <= choice.value <= 1 and choice.points <= 0 for choice in found.choices)
