"""Play fixed games and print a fingerprint of every position: the same in every mode, or the rules differ.

Run as a program, compiled or with NUMBA_DISABLE_JIT=1. It also goes where games seldom go, so that an interpreted run
executes every line of the rules.
"""

import hashlib
import random
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

import nevel
from nevel.boxes import Box
from nevel.games import VOCABULARIES
from nevel.rules import chance

LAST_MOVES = 400

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "what-the-fog": [{}, {"long_game": 1}],
    "the-game": [{}, {"minimum": 3, "fewer_cards": 1}],
    "extreme": [{}, {"minimum": 3, "random_commands": 1}],
    "misty": [{}, {"beginners": 1}],
}


def digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=6).hexdigest()


def knowledge(game: nevel.Game, dice: random.Random) -> Iterator[str]:
    """Conceal, imagine, observe, judge: what bots and learners ask of a position."""
    rules = game.vocabulary.rules
    seat = dice.randrange(-1, game.seats)
    twin = game.copy()
    rules.conceal(twin.state, seat)
    yield digest(twin.state.tobytes())
    chance.key(twin.state.chance, *(dice.getrandbits(32) for _ in range(4)))
    rules.imagine(twin.state, seat)
    yield digest(twin.state.tobytes())
    out = np.zeros(1000, np.int64)
    count = rules.observe(game.state, max(seat, 0), out)
    assert count == sum(length for _, length in rules.OBSERVATION)
    yield digest(out.tobytes())
    number = dice.randrange(rules.MOVES)
    yield str(int(rules.refusal(game.state, dice.randrange(game.seats), number)))


def answer(game: nevel.Game, seat: int, dice: random.Random) -> nevel.Move:
    """Any legal move, preferring small steps in The Game so that games last."""
    vocabulary = game.vocabulary
    moves = [move for move in game.legal_moves(seat) if not vocabulary.is_hint(move)]
    if vocabulary.name in ("the-game", "extreme") and game.state.phase == 1 and dice.random() < 0.9:
        moves.sort(key=lambda move: step(game, move))
        moves = moves[:2]
        safe = [move for move in moves if game.why_lost(seat, move) is None]
        moves = safe or moves
    return dice.choice(moves)


def step(game: nevel.Game, move: nevel.Move) -> int:
    card, pile = divmod(move.number, 4)
    if card >= 98:
        return 3
    distance = card + 2 - int(game.state.tops[pile])
    return distance if pile < 2 else -distance


def play(game: nevel.Game, dice: random.Random) -> Iterator[str]:
    yield f"{game.name} {game.seats} {game.options} {game.fingerprint()}"
    while not game.is_over and len(game.log) < LAST_MOVES * 4:
        if dice.random() < 0.04:
            yield from knowledge(game, dice)
        if dice.random() < 0.1 and (hints := game.hints(speaker := dice.randrange(game.seats))):
            game.play(speaker, dice.choice(hints))
            yield game.log[-1].after
        seat = dice.choice(game.waiting_for)
        game.play(seat, answer(game, seat, dice))
        yield f"{seat} {game.log[-1].move} {game.log[-1].after}"
    yield from knowledge(game, dice)
    yield repr(game.outcome)


def games() -> Iterator[nevel.Game]:
    for name, variants in OPTIONS.items():
        low, high = VOCABULARIES[name].rules.SEATS
        for seats in range(low, high + 1):
            for number, options in enumerate(variants):
                yield nevel.new(name, seats, seed=100 * seats + number, **options)
    yield nevel.new("what-the-fog", 5, seed=1, box=swap_box())


def swap_box() -> Box:
    """A box whose days are all symbols: the deck and the hands run out."""
    content = dict(Box.of("what-the-fog").content)
    content["days"] = {str(day): ["swap", "swap", "reveal", "reveal"] for day in range(1, 8)}
    return Box(content)


def endings() -> Iterator[nevel.Game]:
    """Positions of The Game and Extreme just before each kind of end, and with rare commands in hand."""
    for name, tops, hand, move in (
        ("the-game", [98, 98, 3, 3], [99], "play 99 up1"),
        ("the-game", [98, 97, 3, 3], [99, 98], "play 99 up1"),
        ("extreme", [98, 98, 9, 3], [7], "play 7 down1"),
        ("extreme", [98, 98, 3, 11], [10], "play 10 down2"),
        ("extreme", [98, 98, 3, 3], [99], "play 99 up1"),
        ("extreme", [98, 98, 3, 11], [10, 9], "play 10 down2"),
        ("extreme", [98, 98, 3, 11], [7, 96, 97], "play 7 down2"),
        ("extreme", [40, 98, 3, 3], [42, 99], "play 42 up1"),
    ):
        game = nevel.new(name, 1, seed=1)
        lay(game, tops, hand)
        clause = game.why_lost(0, move)
        game.play(0, move)
        sys.stdout.write(f"{name} {hand} {clause and clause.id} {game.outcome}\n")
        yield game


def lay(game: nevel.Game, tops: list[int], hand: list[int]) -> None:
    """The last cards: everything else is on the piles."""
    s = game.state
    s.tops[:] = tops
    s.left = 0
    s.deck[:] = 0
    s.where[:] = 0
    s.where[12:110] = 9
    s.hand[:] = 0
    s.held[0] = len(hand)
    s.hand[0, : len(hand)] = hand
    for card in hand:
        s.where[10 + card] = 1
    s.need = 1
    s.began = len(hand)


def main() -> None:
    dice = random.Random(7)
    for game in games():
        for line in play(game, dice):
            sys.stdout.write(line + "\n")
    for game in endings():
        sys.stdout.write(game.fingerprint() + "\n")
    lanes = np.zeros(4, np.int64)
    chance.key(lanes, 0, 0, 0, 0)
    parent = np.array([1, 2, 3, 4])
    chance.branch(lanes, parent)
    sys.stdout.write(f"{lanes.tolist()}\n")


if __name__ == "__main__":
    main()
