"""Finds number words in a text, whole or split, without taking parts of other words for numbers."""

import re
from collections.abc import Iterator

from msgspec import Struct

from nevel.tables.referee.excuses import Context, is_excused
from nevel.tables.referee.foreign import FOREIGN, FOREIGN_INSIDE
from nevel.tables.referee.misspelt import is_misspelt
from nevel.tables.referee.words import BACKWARDS, FORWARDS, SPELLINGS, has_number, skeleton

#: Number words of all languages and their beginnings, and whether each is a whole one.
READ_FORWARDS = {word: FORWARDS.get(word, False) or FOREIGN.get(word, False) for word in {**FORWARDS, **FOREIGN}}
RUN_OF_LETTERS = re.compile(r"[^\W\d_]+")

#: Words next to each other that make a number by chance: je t'en prie, it's even, d'eux, ni ne, c'est fort y a,
#: aujourd'hui t'as, ach 't is, ach te laat, ze 's avonds, te 'n; and ty is for thank you.
INNOCENT = {"t en", "s even", "d eux", "ni ne", "fort y", "hui t", "ach t", "ach te", "ze s", "te n", "for ty"}


def is_number_inside(word: str) -> bool:
    """Whether there is a number within a word, or one with a typing error."""
    return has_number(word) or is_misspelt(word) or FOREIGN_INSIDE.search(word) is not None


class LetterRun(Struct):
    """A run of letters and where it stands."""

    word: str
    skeleton: str
    start: int
    end: int


class Pieces:
    """A text in small letters, cut into its runs of letters."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.all: list[LetterRun] = []
        for run in RUN_OF_LETTERS.finditer(text):
            bones = skeleton(run[0])
            if len(bones) == 1 and self.all and self.all[-1].skeleton == bones:
                # The same letter again and again is one, as within a word; so no line of them is long work either.
                self.all[-1].end = run.end()
            else:
                self.all.append(LetterRun(run[0], bones, run.start(), run.end()))
        self.words = {piece.word for piece in self.all}

    def numbers(self) -> Iterator[tuple[int, int]]:
        """The start and end of every number in words."""
        for index, piece in enumerate(self.all):
            last = -1
            for known in (READ_FORWARDS, BACKWARDS):
                if piece.skeleton in known:
                    last = max(last, self.last_piece(index, known))
            if last >= 0:
                yield piece.start, self.all[last].end
            elif is_number_inside(piece.word) and not self.is_excused(index):
                yield piece.start, piece.end

    def last_piece(self, first: int, known: dict[str, bool]) -> int:
        """The last piece of the longest number that begins with a piece, or -1.

        It stops as soon as no number begins like this: nearly always at once, at worst after the letters of a number.
        """
        joined = ""
        longest = -1
        for last in range(first, len(self.all)):
            bones = self.all[last].skeleton
            joined += bones[1:] if joined.endswith(bones[0]) else bones
            is_number = known.get(joined)
            if is_number is None:
                break
            if is_number and self.is_meant(first, last, known):
                longest = last
        return longest

    def is_meant(self, first: int, last: int, known: dict[str, bool]) -> bool:
        """Whether pieces that make a number do so on purpose."""
        if first == last:
            return not self.is_excused(first)
        words = [piece.word for piece in self.all[first : last + 1]]
        if all(len(word) == 1 for word in words) or self.is_all(first, last):
            return True
        # With spaces, only what is spelled exactly: “don't we” isn't a short twee, and “en in” isn't nine backwards.
        return known is READ_FORWARDS and "".join(words) in SPELLINGS and " ".join(words) not in INNOCENT

    def is_all(self, first: int, last: int) -> bool:
        """Whether pieces are all there is between two spaces (s-even), or all of their messages (“t”, “en”)."""
        inner = self.text[self.all[first].end : self.all[last].start]
        if " " in inner or "\n" in inner:
            return self.is_parted(first, "\n") and self.is_parted(last + 1, "\n")
        gaps = {self.gap(index) for index in range(first + 1, last + 1)}
        # Apostrophes alone are how French and Dutch are written: t'en.
        return gaps != {"'"} and self.is_parted(first, " \n") and self.is_parted(last + 1, " \n")

    def is_parted(self, index: int, separators: str) -> bool:
        """Whether a piece begins anew, after one of the separators or at the beginning; or the text is over."""
        return index in (0, len(self.all)) or any(separator in self.gap(index) for separator in separators)

    def gap(self, index: int) -> str:
        """What stands before a piece that isn't the first."""
        return self.text[self.all[index - 1].end : self.all[index].start]

    def is_excused(self, index: int) -> bool:
        """Whether a word that is a number is another word here."""
        before, after = self.neighbour(index, -1), self.neighbour(index, 1)
        return is_excused(self.all[index].word, Context(self.neighbour(index, -2), before, after, self.words))

    def neighbour(self, index: int, step: int) -> str:
        """The word so many places away, if only spaces stand between; else nothing."""
        first, last = sorted((index, index + step))
        if first < 0 or last >= len(self.all) or any(self.gap(i) != " " for i in range(first + 1, last + 1)):
            return ""
        return self.all[index + step].word
