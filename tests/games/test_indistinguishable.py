"""The test that matters most: what a seat can't know makes no difference to what it is shown.

At random positions everything a seat can't know is imagined anew; its view, its prompts, its legal moves and what it is
told of others' hidden choices must stay the same to the byte.
"""

import random
from typing import Any

import msgspec
import numpy as np
import pytest

import nevel
from nevel.engine import chance
from nevel.engine.legality import mark_legal
from nevel.game.registry import find

POSITIONS = 3000

TABLES: list[tuple[str, dict[str, Any]]] = [
    ("what-the-fog", {}),
    ("what-the-fog", {"long_game": 1}),
    ("the-game", {}),
    ("the-game", {"minimum": 3, "fewer_cards": 1}),
    ("extreme", {}),
    ("extreme", {"random_commands": 1}),
    ("misty", {}),
    ("misty", {"beginners": 1}),
]


def rekey(game: nevel.Game, dice: random.Random) -> None:
    chance.key(game.state.chance, *(dice.getrandbits(32) for _ in range(4)))


def imagined(game: nevel.Game, seat: int, dice: random.Random) -> nevel.Game:
    """The same game as far as a seat (-1: a spectator) can tell, with everything else made up."""
    twin = game.copy()
    twin.vocabulary.rules.conceal(twin.state, seat)
    rekey(twin, dice)
    twin.vocabulary.rules.imagine(twin.state, seat)
    return twin


def shown(game: nevel.Game, seat: int) -> bytes:
    """Everything a seat is shown now."""
    if seat < 0:
        return msgspec.json.encode(game.view(None))
    mask = np.zeros(len(game.vocabulary.moves), np.int64)
    mark_legal(game.state, seat, mask)
    return msgspec.json.encode([game.view(seat), game.prompt(seat), mask.tolist(), game.waiting_for])


def erased(game: nevel.Game, seat: int) -> bytes:
    """The position with everything erased that the seat can't know."""
    twin = game.copy()
    twin.vocabulary.rules.conceal(twin.state, seat)
    return twin.state.tobytes()


def told(game: nevel.Game, seat: int) -> bytes:
    """What a seat heard of the last move."""
    return msgspec.json.encode([event for audience, event in game.log[-1].events if audience in (-1, seat)])


def random_positions(name: str, options: dict[str, Any], dice: random.Random, count: int):
    """Positions at random moments of games between players that mostly make sense, so that games last."""
    vocabulary = find(name).vocabulary
    low, high = vocabulary.rules.SEATS
    while count:
        game = nevel.new(name, seats=dice.randint(low, high), seed=dice.getrandbits(64), **options)
        while not game.is_over and count:
            if dice.random() < 0.5:
                count -= 1
                yield game
            if dice.random() < 0.1 and (hints := game.hints(speaker := dice.randrange(game.seats))):
                game.play(speaker, dice.choice(hints))
            seat = dice.choice(game.waiting_for)
            game.play(seat, sensible(game, seat, dice))


def sensible(game: nevel.Game, seat: int, dice: random.Random) -> str:
    """A random answer; in The Game one of the smallest steps, or no game would last ten cards."""
    prompt = game.prompt(seat)
    assert prompt is not None
    if not game.name.startswith(("the-game", "extreme")) or prompt.question == "start":
        return dice.choice(prompt.moves)
    piles = ["up1", "up2", "down1", "down2"]
    tops = dict(zip(piles, game.state.tops.tolist(), strict=True))

    def step(text: str) -> int:
        if text == "end turn":
            return 4
        _, card, pile = text.split()
        return abs(int(card) - int(tops[pile])) if game.why_lost(seat, text) is None else 1000

    return dice.choice(sorted(prompt.moves, key=step)[:2])


@pytest.mark.parametrize(("name", "options"), TABLES)
def test_nothing_shown_depends_on_what_a_seat_cant_know(name: str, options: dict[str, Any]) -> None:
    dice = random.Random(f"{name}{options}")
    differed = 0
    for game in random_positions(name, options, dice, POSITIONS // 2):
        seat = dice.randrange(-1, game.seats)
        twin = imagined(game, seat, dice)
        differed += twin.state.tobytes() != game.state.tobytes()
        assert shown(twin, seat) == shown(game, seat)
        assert erased(twin, seat) == erased(game, seat)
    assert differed > POSITIONS // 3, "the imagined positions must really be other ones"


@pytest.mark.parametrize(("name", "options"), TABLES)
def test_nothing_told_depends_on_what_a_seat_cant_know(name: str, options: dict[str, Any]) -> None:
    """Others choose, draw and activate in two worlds a seat can't tell apart: it must hear the same of both."""
    dice = random.Random(f"told{name}{options}")
    compared = 0
    for game in random_positions(name, options, dice, POSITIONS // 2):
        if len(game.waiting_for) < 2 and not game.name.startswith(("the-game", "extreme")):
            continue
        other = dice.choice(game.waiting_for)
        seat = dice.choice([seat for seat in range(-1, game.seats) if seat != other])
        twin = imagined(game, seat, dice)
        ours, theirs = game.copy(), twin
        prompt, twin_prompt = ours.prompt(other), theirs.prompt(other)
        assert prompt is not None
        assert twin_prompt is not None
        if game.name.startswith(("the-game", "extreme")):
            # A card is seen by all when it is played; only what is drawn afterwards is hidden.
            if "end turn" not in prompt.moves or "end turn" not in twin_prompt.moves:
                continue
            moves = ("end turn", "end turn")
        else:
            moves = (dice.choice(prompt.moves), dice.choice(twin_prompt.moves))
            if game.state.phase == 1 and game.name == "misty":
                continue  # placing is done in the open
        ours.play(other, moves[0])
        theirs.play(other, moves[1])
        if not ours.waiting_for or not theirs.waiting_for:
            continue  # the game ended, which everyone may know
        if ours.state.phase != game.state.phase or theirs.state.phase != game.state.phase:
            continue  # everyone had chosen, and the choices were turned up
        if game.name == "misty" and (told_done(ours) or told_done(theirs)):
            continue  # somebody finished sooner in one of the two worlds
        assert told(ours, seat) == told(theirs, seat)
        assert shown(ours, seat) == shown(theirs, seat)
        compared += 1
    assert compared > 20


def told_done(game: nevel.Game) -> bool:
    return any(type(event).__name__ == "ActivationDone" for _, event in game.log[-1].events)


def test_a_seat_knows_the_hands_it_has_passed_on() -> None:
    """Misty: a player remembers a hand they handed on, less what was taken from it in the open."""
    game = nevel.new("misty", seats=3, seed=8)
    for _ in range(2):
        for seat in range(3):
            prompt = game.prompt(seat)
            assert prompt is not None
            game.play(seat, prompt.moves[0])
        for seat in game.waiting_for:
            prompt = game.prompt(seat)
            if prompt is not None and prompt.question == "place":
                game.play(seat, prompt.moves[0])
    assert game.state.passes == 2
    dice = random.Random(1)
    for _ in range(20):
        twin = imagined(game, 0, dice)
        for owner in (0, 1, 2):  # passed twice: everything has been through seat 0's hands
            assert twin.state.hand[owner].tolist() == game.state.hand[owner].tolist()
        spectator = imagined(game, -1, dice)
        assert spectator.state.hand.sum() == game.state.hand.sum()
