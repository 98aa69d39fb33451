"""Moves: what a player does, as a short text people can type and read."""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct, json

from nevel.game.clause import Clause
from nevel.languages import LANGUAGES, Language, SpokenError, language, mark

#: Letters of a text that may be a move: several times as many as any has. Putting accents in order takes n² steps.
LONGEST = 128

Notation = Callable[[int, Callable[[str], str]], str]


class Move(Struct, frozen=True):
    """A move of one game. Its text is its notation: `lift 2`, `play 37 up1`, `place b3`."""

    game: str
    number: int
    text: str

    def __str__(self) -> str:
        return self.text


class MalformedMoveError(SpokenError):
    """A text that is no move of the game at all."""

    def __init__(self, game: str, text: str) -> None:
        shown = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
        super().__init__(mark("“{text}” isn't a move in this game."), text=shown)
        self.game = game
        self.text = text


class IllegalMoveError(SpokenError):
    """A move the rules forbid now; its clause says why."""

    def __init__(self, seat: int, move: Move, clause: Clause) -> None:
        super().__init__(mark("“{move}” isn't allowed now ({clause})."), move=move.text, clause=clause.id)
        self.seat = seat
        self.move = move
        self.clause = clause

    def sentence(self, language: Language) -> str:
        """The clause itself: what the reader needs to know."""
        return f"{self.clause.sentence(language)} ({self.clause.id})"


def squeeze(text: str) -> str:
    """A text normalised for comparison: without case, accents, spaces and hyphens."""
    plain = unicodedata.normalize("NFKD", text.casefold().replace("œ", "oe").replace("æ", "ae"))
    return re.sub(r"[^a-z0-9!]", "", plain)


class Moves:
    """All moves of a game, by number and by notation in every language."""

    def __init__(self, game: str, count: int, notation: Notation) -> None:
        self.game = game
        self.notation = notation
        self.all = tuple(Move(game, number, notation(number, lambda word: word)) for number in range(count))
        #: Their texts as JSON.
        self.json_texts = tuple(json.encode(move.text) for move in self.all)
        self._by_text = {move.text: move for move in self.all}

    def __getitem__(self, number: int) -> Move:
        return self.all[number]

    def __len__(self) -> int:
        return len(self.all)

    def text(self, move: Move, language: Language) -> str:
        """A move's notation with a language's own words."""
        return self.notation(move.number, language.say)

    def parse(self, text: str) -> Move:
        """The move a text means, in any of the languages."""
        if move := self._by_text.get(text):
            return move
        number = self.numbers().get(squeeze(text)) if len(text) <= LONGEST else None
        if number is None:
            raise MalformedMoveError(self.game, text)
        return self.all[number]

    @lru_cache  # noqa: B019 - there is one for each game, for ever
    def numbers(self) -> dict[str, int]:
        """Every spelling of every move. English first: no other language may take one of its spellings."""
        spellings: dict[str, int] = {}
        for code in LANGUAGES:
            for move in self.all:
                spellings.setdefault(squeeze(self.text(move, language(code))), move.number)
        return spellings
