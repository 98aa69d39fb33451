"""Saves games as readable JSON, and loads them by replaying their moves."""

from typing import Any, cast

import msgspec

from nevel.game.box import Box
from nevel.game.game import Game
from nevel.game.json_errors import explain_json_error
from nevel.game.registry import UnknownGameError, find
from nevel.languages import SpokenError, mark

FORMAT = 1


class SavedMove(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A move, and the fingerprint of the position it led to."""

    seat: int
    move: str
    after: str
    key: str | None = None


class SavedGame(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """Everything needed to play a game again. `box` is there only if it isn't the one we ship.

    `table` is there only if the game was played at a table: who sat there, when, and what its chance was bound to.
    """

    nevel: int
    game: str
    rules: int
    seats: int
    seed: str
    options: dict[str, int]
    moves: list[SavedMove]
    names: list[str] = []
    box: dict[str, Any] | None = None
    table: dict[str, Any] | None = None


class LoadError(SpokenError):
    """A file that is no saved game, or one that no longer plays as it did; `move` is where it went wrong."""

    def __init__(self, reason: SpokenError, move: int | None = None) -> None:
        if move is None:
            super().__init__(reason.message, **reason.values)
        else:
            super().__init__(mark("Move {number}: {reason}"), number=move + 1, reason=reason)
        self.move = move


def save(game: Game, table: dict[str, Any] | None = None) -> str:
    """A game as text: one line per move, so that people can read and compare it."""
    saved = SavedGame(
        nevel=FORMAT,
        game=game.name,
        rules=game.spec.rules.VERSION,
        seats=game.seats,
        seed=f"{game.seed:032x}",
        options=game.options,
        moves=[SavedMove(entry.seat, entry.move.text, entry.after, entry.key) for entry in game.log],
        names=game.names,
        box=None if game.box.is_ours else game.box.content,
        table=table,
    )
    fields = cast("dict[str, Any]", msgspec.to_builtins(saved))
    moves = fields.pop("moves")
    lines = [f"  {encode(name)}: {encode(value)}" for name, value in fields.items()]
    rows = ",\n".join(f"    {encode(move)}" for move in moves)
    lines.append('  "moves": [' + (f"\n{rows}\n  ]" if rows else "]"))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def encode(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()


def read(text: str | bytes) -> SavedGame:
    """What a file says, before any of it is played."""
    try:
        return msgspec.json.decode(text, type=SavedGame)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        reason = explain_json_error(problem, text)
        raise LoadError(SpokenError(mark("This is not a saved game. {reason}"), reason=reason)) from problem


def load(text: str | bytes) -> Game:
    """Play a saved game again, move by move; a LoadError says where it diverges."""
    saved = read(text)
    if saved.nevel != FORMAT:
        reason = SpokenError(
            mark("It was saved in format {found}; this is format {known}."), found=saved.nevel, known=FORMAT
        )
        raise LoadError(reason)
    try:
        version = find(saved.game).rules.VERSION
    except UnknownGameError as problem:
        raise LoadError(problem) from problem
    if saved.rules != version:
        message = mark("It was played with version {found} of the rules; these are version {known}.")
        raise LoadError(SpokenError(message, found=saved.rules, known=version))
    try:
        game = begin(saved)
    except SpokenError as problem:
        raise LoadError(problem) from problem
    for number, played in enumerate(saved.moves):
        try:
            game.play(played.seat, played.move, played.key)
        except SpokenError as problem:
            raise LoadError(problem, number) from problem
        if game.log[-1].after != played.after:
            message = mark("“{move}” leads to a different position than when the game was saved.")
            raise LoadError(SpokenError(message, move=played.move), number)
    return game


def begin(saved: SavedGame) -> Game:
    """A saved game as it was dealt."""
    box = None if saved.box is None else Box(saved.box)
    spec = find(saved.game)
    options = spec.vocabulary.recall_options(saved.options)
    return Game(spec, saved.seats, read_seed(saved.seed), box, saved.names, options)


def read_seed(text: str) -> int:
    try:
        return int(text, 16)
    except ValueError as problem:
        raise SpokenError(mark("A seed is written in hexadecimal digits, not “{seed}”."), seed=text) from problem
