"""Games as readable JSON: how they were dealt and what was played. Loading plays them again."""

from typing import Any, cast

import msgspec

from nevel.boxes import Box
from nevel.games.game import Game
from nevel.games.move import IllegalMoveError, MalformedMoveError
from nevel.games.vocabulary import Vocabulary

FORMAT = 1


class SavedMove(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A move, and the fingerprint of the position it led to."""

    seat: int
    move: str
    after: str
    key: str | None = None


class SavedGame(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """Everything needed to play a game again. `box` is there only if it isn't the one we ship."""

    nevel: int
    game: str
    rules: int
    seats: int
    seed: str
    options: dict[str, int]
    moves: list[SavedMove]
    names: list[str] = []
    box: dict[str, Any] | None = None


class LoadError(ValueError):
    """A file that is no saved game, or one that no longer plays as it did; `move` is where it went wrong."""

    def __init__(self, reason: str, move: int | None = None) -> None:
        super().__init__(reason if move is None else f"move {move + 1}: {reason}")
        self.reason = reason
        self.move = move


def save(game: Game) -> str:
    """A game as text: one line a move, so that people can read and compare it."""
    saved = SavedGame(
        nevel=FORMAT,
        game=game.name,
        rules=game.vocabulary.rules.VERSION,
        seats=game.seats,
        seed=f"{game.seed:032x}",
        options=game.options,
        moves=[SavedMove(entry.seat, entry.move.text, entry.after, entry.key) for entry in game.log],
        names=game.names,
        box=None if game.box.is_ours else game.box.content,
    )
    fields = cast("dict[str, Any]", msgspec.to_builtins(saved))
    moves = fields.pop("moves")
    lines = [f"  {encode(name)}: {encode(value)}" for name, value in fields.items()]
    rows = ",\n".join(f"    {encode(move)}" for move in moves)
    lines.append('  "moves": [' + (f"\n{rows}\n  ]" if rows else "]"))
    return "{\n" + ",\n".join(lines) + "\n}\n"


def encode(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=0).decode()


def load(text: str | bytes, vocabularies: dict[str, Vocabulary]) -> Game:
    """Play a saved game again, move by move; a LoadError says where it diverges."""
    try:
        saved = msgspec.json.decode(text, type=SavedGame)
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise LoadError(f"not a saved game: {problem}") from problem
    if saved.nevel != FORMAT:
        raise LoadError(f"saved in format {saved.nevel}; this is format {FORMAT}")
    vocabulary = vocabularies.get(saved.game)
    if vocabulary is None:
        raise LoadError(f"unknown game {saved.game!r}; known are {', '.join(vocabularies)}")
    if saved.rules != vocabulary.rules.VERSION:
        raise LoadError(f"played with version {saved.rules} of the rules; these are {vocabulary.rules.VERSION}")
    try:
        box = None if saved.box is None else Box(saved.box)
        game = Game(vocabulary, saved.seats, int(saved.seed, 16), box, saved.names, saved.options)
    except ValueError as problem:
        raise LoadError(str(problem)) from problem
    for number, played in enumerate(saved.moves):
        try:
            game.play(played.seat, played.move, played.key)
        except (MalformedMoveError, IllegalMoveError, ValueError) as problem:
            raise LoadError(str(problem), number) from problem
        if game.log[-1].after != played.after:
            raise LoadError(f"{played.move!r} leads to another position than when it was saved", number)
    return game
