"""Number words with a typing error: a letter too many, too few, another one, or two the wrong way round."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from nevel.tables.referee.words import DIALECTS, NUMBERS, skeleton, spelled

#: In a word of so many different letters in a row any single error is recognised.
SHORTEST_WITH_ANY_ERROR = 7
#: In a shorter one only two neighbours the wrong way round, and a vowel left out.
SHORTEST_WITH_AN_ERROR = 5
#: No number has so many letters.
LONGEST = 30
#: Words that look like a number with an error: first those with any, without repeated letters, then of the two kinds.
OTHER_WORDS = {
    *("achten", "achtig", "donante", "fouten", "guarante", "heighten", "jachtig", "lighten", "machtig", "nachtig"),
    *("nieten", "reisig", "sextante", "sonante", "tighten", "tonante", "tuchtig", "verdien", "verzien", "wachtig"),
    *("doze", "elven", "quarte", "sieze", "size", "sven", "there"),
    *("quater", "trios", "tris", "tros", "zesten"),
}

VOWELS = "aeiouy"


def shortened(word: str) -> Iterator[str]:
    """A word without one of its letters."""
    for place in range(len(word)):
        yield word[:place] + word[place + 1 :]


def slips(word: str) -> Iterator[str]:
    """A word with two neighbours the wrong way round, or without a vowel inside."""
    for place in range(len(word) - 1):
        yield word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    for place in range(1, len(word) - 1):
        if word[place] in VOWELS:
            yield word[:place] + word[place + 1 :]


def by_shortened(words: Iterable[str]) -> dict[str, set[str]]:
    """Words by what is left of them without a letter: whoever shares that with one may be it with an error."""
    found = dict[str, set[str]]()
    for word in words:
        for key in (word, *shortened(word)):
            found.setdefault(key, set()).add(word)
    return found


CARDINALS = {spelled(number, dialect) for dialect in DIALECTS for number in NUMBERS}
LONG = {bones for word in CARDINALS if len(bones := skeleton(word)) >= SHORTEST_WITH_ANY_ERROR}
NEAR = by_shortened(LONG)
SLIPS = {slip for word in CARDINALS if len(word) >= SHORTEST_WITH_AN_ERROR for slip in slips(word)} - OTHER_WORDS


@lru_cache(maxsize=4096)
def is_misspelt(word: str) -> bool:
    """Whether a word is a number with a typing error."""
    if len(word) > LONGEST or word in OTHER_WORDS:
        return False
    if word in SLIPS:
        return True
    bones = skeleton(word)
    if len(bones) < SHORTEST_WITH_ANY_ERROR - 1 or bones in OTHER_WORDS:
        return False
    return any(differs_once(bones, number) for key in (bones, *shortened(bones)) for number in NEAR.get(key, ()))


def differs_once(one: str, other: str) -> bool:
    """Whether a single error makes one word of another."""
    if len(one) != len(other):
        short, long = sorted((one, other), key=len)
        return len(long) == len(short) + 1 and short in shortened(long)
    places = [place for place, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if len(places) < 2:
        return True
    first, last = places[0], places[-1]
    is_swapped = one[first] == other[last] and one[last] == other[first]
    return len(places) == 2 and last == first + 1 and is_swapped
