"""Checks of what lasts: saved games, and copies."""

import json
import random
from collections.abc import Callable
from typing import Any

from nevel.game.game import Game
from nevel.game.saving import LoadError, load, save
from nevel.languages import mark
from nevel.testing.check import check, fail
from nevel.testing.subject import PLAYER_NAMES, Subject


def some_game(subject: Subject, purpose: str, moves: int = 60) -> Game:
    """A game some moves in, one of them with a key, hints included."""
    dice = subject.dice(purpose)
    seats = subject.some_seats(3)
    game = subject.new(seats, 21, subject.variants[-1], names=PLAYER_NAMES[:seats])
    for moment in subject.play(game, dice, is_sensible=True):
        if moment.is_over or len(moment.log) >= moves:
            break
        if len(moment.log) == 2:
            prompt = moment.prompts()[0]
            moment.play(prompt.seat, dice.choice(prompt.moves), key="0123456789abcdef" * 2)
    return game


@check(mark("A saved game replays to the same position"))
def saving_keeps_everything(subject: Subject) -> None:
    """A saved game is readable JSON with a fingerprint after every move; loading plays it again, move by move.

    Fingerprints, story, names, options and keys are the same afterwards, and so is what saving it again gives. If a
    fingerprint differs, `apply` depends on something that isn't in the record.
    """
    for moves in (0, 4, 60, 10_000):
        game = some_game(subject, "saving", moves)
        text = save(game)
        again = load(text)
        if [entry.after for entry in again.log] != [entry.after for entry in game.log]:
            fail("a loaded game went through other positions")
        if again.fingerprint() != game.fingerprint() or save(again) != text:
            fail("a loaded game is at another position, or is saved otherwise")
        for seat in (*range(game.seats), None):
            if again.story(seat) != game.story(seat):
                fail(f"the story seat {seat} is told of a loaded game is another one")
        if (again.names, again.options) != (game.names, game.options):
            fail("names or options of a loaded game are others")
        if [entry.key for entry in again.log] != [entry.key for entry in game.log]:
            fail("keys of moves aren't saved")
        saved = json.loads(text)
        if saved["game"] != subject.name or [move["move"] for move in saved["moves"]] != [
            str(e.move) for e in game.log
        ]:
            fail("the saved text doesn't say which game it is or which moves were played")
        if sum('"move":' in line for line in text.splitlines()) != len(game.log):
            fail("a saved game has a line for every move")
        if any(name not in text for name in game.names):
            fail("names aren't saved as they are written")


@check(mark("A tampered saved game is refused, naming the move"))
def tampering_is_noticed(subject: Subject) -> None:
    """A saved game with another move, seat, key, seed or fingerprint is refused, and the error says at which move.

    If a change isn't noticed, two different positions have the same record.
    """
    game = some_game(subject, "saving", 8)
    changes: list[tuple[str, Callable[[dict[str, Any]], Any], int | None]] = [
        ("the seed", lambda saved: saved.update(seed="1"), 0),
        ("the version of the rules", lambda saved: saved.update(rules=saved["rules"] + 1), None),
        ("the number of seats", lambda saved: saved.update(seats=99), None),
        ("the game", lambda saved: saved.update(game="no-such-game"), None),
    ]
    for number in range(len(game.log)):
        changes += [
            (f"the seat of move {number}", change(number, "seat", 99), number),
            (f"the text of move {number}", change(number, "move", "no such move"), number),
            (f"the fingerprint after move {number}", change(number, "after", "00000000"), number),
            (f"the key of move {number}", change(number, "key", "zz"), number),
        ]
    changes.append(
        (f"the move {len(game.log) - 1}", change(len(game.log) - 1, "move", other_move(game)), len(game.log) - 1)
    )
    for what, tamper, move in changes:
        saved = json.loads(save(game))
        tamper(saved)
        try:
            load(json.dumps(saved))
        except LoadError as refused:
            if refused.move != move:
                fail(f"with {what} changed, loading is refused at move {refused.move}, not {move}")
        else:
            fail(f"with {what} changed, the game is loaded as if nothing had happened")


def change(number: int, field: str, value: object) -> Callable[[dict[str, Any]], None]:
    def tamper(saved: dict[str, Any]) -> None:
        saved["moves"][number][field] = value

    return tamper


def other_move(game: Game) -> str:
    """Another move than the last one."""
    return random.Random(1).choice([move.text for move in game.vocabulary.moves.all if move != game.log[-1].move])


@check(mark("A copy goes its own way"))
def copies_are_independent(subject: Subject) -> None:
    """Playing on in a copy changes nothing in the game, and the other way round, at every moment of a game."""
    seats = subject.some_seats(2)
    dice = subject.dice("copies")
    for moment in subject.play(subject.new(seats, 6), dice, is_sensible=True):
        if moment.is_over:
            break
        twin = moment.copy()
        before = state_of(moment)
        if state_of(twin) != before:
            fail("a copy isn't the same game")
        prompt = dice.choice(twin.prompts())
        twin.play(prompt.seat, dice.choice(prompt.moves))
        twin.waiting_for.clear()
        if state_of(moment) != before:
            fail(f"playing “{twin.log[-1].move}” in a copy changed the game")
        if len(twin.log) != len(moment.log) + 1 or twin.fingerprint() == moment.fingerprint():
            fail(f"playing “{twin.log[-1].move}” changed nothing in the copy")


def state_of(game: Game) -> tuple[object, ...]:
    legal = [game.legal_moves(seat) for seat in range(game.seats)]
    return game.fingerprint(), len(game.log), list(game.waiting_for), legal, game.prompts()
