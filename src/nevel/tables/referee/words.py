"""The words for 2 to 99 in our languages, spelled right, wrong and backwards, ready to be looked up."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from num2words import num2words  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

from nevel.languages import LANGUAGES
from nevel.languages.typography import header

NUMBERS = range(2, 100)
#: How numbers are said in each language; some have several ways, which their catalogues tell: Belgium and Switzerland
#: count in their own way from seventy on.
DIALECTS = tuple(dialect for code in LANGUAGES for dialect in header(code).get("Number-Words", code).split())

#: “Wait a second” is about time: the only ordinal of a card that may be said.
ALLOWED = {"second", "seconds"}
COLLECTIVES = (
    *("dozen", "dozens", "deuce", "deuces", "twosome", "threesome", "foursome", "fiver", "tenner"),
    *("huitaine", "neuvaine", "dizaine", "dizaines", "douzaine", "douzaines", "quinzaine", "quinzaines"),
    *("dozijn", "dozijnen", "zevens", "negens"),
    # “Met z'n tweeën.” Four, eight and eleven are left out: theirs mean to celebrate, to deem, and elves.
    *("tweeen", "drieen", "vijven", "zessen", "zevenen", "negenen", "tienen", "twaalven"),
    *("dutzend", "dutzende", "dutzenden", "zwo", "zweien", "dreien", "zweit", "dritt", "viert", "funft"),
)
MISSPELT = (
    *("fourty", "fourthy", "ninty", "nineth", "eigth", "twelth", "fivteen", "fiveteen"),
    *("thirthy", "thirdy", "thirtie", "twenny", "twenti", "twentie", "fivty", "fifthy", "sixthy", "fourtie", "ninteen"),
    *("quatres", "katre", "quattre", "cinquente", "soissante", "septente", "nonente"),
    *("zeuven", "zeuventig", "tachentig", "viertien", "viertig", "drietien", "drietig", "dertich", "zestich"),
    "eennul",
    *("dreizig", "fuffzehn", "fuffzig", "sechszehn", "sechszig", "siebenzehn", "siebenzig", "siebente"),
)

#: Long words are numbers wherever they stand: thirtyish, honderdtwintig. Left out are those in weight, weighty, seized,
#: and in Dutch beleven, genegenheid, vergeetachtig and dansevenement.
SHORTEST_INSIDE = 5
INSIDE_OTHERS = {"eight", "eighty", "seize", "eleven", "negen", "tachtig", "seven"}
#: Shorter ones backwards are words of their own: net, fle, sez.
SHORTEST_BACKWARDS = 4

REPEATED = re.compile(r"(.)\1+")


@lru_cache(maxsize=4096)
def skeleton(word: str) -> str:
    """A word without repeated letters, so that sevennn is seven."""
    return REPEATED.sub(r"\1", word)


def letters(text: str) -> str:
    """The letters of a text, without accents and what stands between them."""
    return re.sub(r"[^a-z]", "", unicodedata.normalize("NFKD", text.lower().replace("ß", "ss")))


def listed(words: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(words.split())


def spelled(number: int, dialect: str, form: str = "cardinal") -> str:
    return letters(num2words(number, lang=dialect, to=form))


def compounds() -> Iterator[str]:
    """Every number and its ordinal, in one word."""
    for dialect in DIALECTS:
        for number in NUMBERS:
            for form in ("cardinal", "ordinal"):
                text = num2words(number, lang=dialect, to=form)
                yield letters(text)
                yield letters(text.replace(" et ", ""))
                yield letters(text.replace("huitante", "octante"))
                yield letters(text.replace("ij", "y"))
                yield letters(text.replace("ü", "ue").replace("ö", "oe"))


def derivations() -> Iterator[str]:
    """What else numbers are made into: sixes, thirds, tenish, twenties; trentaine; zevental, achtje; Sechser."""
    for number in NUMBERS:
        yield spelled(number, "en") + "s"
        yield spelled(number, "en", "ordinal") + "s"
    for number in range(2, 13):
        yield spelled(number, "en") + "ish"
        if number != 11:  # an elftal is a team, and an elfje a small elf
            yield from (spelled(number, "nl") + ending for ending in ("tal", "tallen", "je", "jes", "tje", "tjes"))
    for number in range(20, 100, 10):
        yield spelled(number, "en").removesuffix("y") + "ies"
        yield from (spelled(number, "fr").removesuffix("e") + ending for ending in ("aine", "aines"))
        yield from (spelled(number, "de") + ending for ending in ("er", "ern"))
    for number in NUMBERS:
        if number != 8:  # achter and achten are Dutch for behind and to deem
            yield from (spelled(number, "de", "ordinal") + ending for ending in "mnrs")
            if number < 13:
                yield from (spelled(number, "de") + ending for ending in ("er", "ern"))
    yield "sixes"


def digit_by_digit() -> Iterator[str]:
    """Two digits in one word: threeseven, unzero. With the Dutch een they would be words: vieren, envier."""
    for dialect in LANGUAGES:
        for number in range(10, 100):
            digits = divmod(number, 10)
            if dialect != "nl" or 1 not in digits:
                yield "".join(spelled(digit, dialect) for digit in digits)


def confused(words: Iterable[str]) -> Iterator[str]:
    """Words, and the same with I for l, l for I, and vv for w: eIeven, slx, tvvo."""
    for word in words:
        yield word
        yield word.replace("l", "i")
        yield word.replace("w", "vv")
        if word != "trois":  # which would be trolls
            yield word.replace("i", "l")


def beginnings(words: Iterable[str]) -> dict[str, bool]:
    """Every beginning of a word, and whether it is all of one."""
    known: dict[str, bool] = {}
    for word in words:
        for length in range(1, len(word)):
            known.setdefault(word[:length], False)
        known[word] = True
    return known


#: The numbers as they are spelled; what is looked up are skeletons.
SPELLINGS = set(confused(compounds())) - ALLOWED
FORWARDS = beginnings(
    skeleton(word) for word in SPELLINGS.union(derivations(), COLLECTIVES, MISSPELT) if word not in ALLOWED
)
BACKWARDS = beginnings(skeleton(word)[::-1] for word in SPELLINGS if len(word) >= SHORTEST_BACKWARDS)
DIGIT_BY_DIGIT = {skeleton(word) for word in digit_by_digit()}
INSIDE = re.compile(
    "|".join(
        sorted(
            word
            for word in {spelled(n, dialect) for n in (*range(2, 20), *range(20, 100, 10)) for dialect in DIALECTS}
            if len(word) >= SHORTEST_INSIDE and word not in INSIDE_OTHERS
        )
    )
)


@lru_cache(maxsize=4096)
def has_number(word: str) -> bool:
    """Whether there is a number within a word that isn't one as a whole."""
    return INSIDE.search(word) is not None or skeleton(word) in DIGIT_BY_DIGIT
