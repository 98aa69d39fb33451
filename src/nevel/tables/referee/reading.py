"""Finds the numbers a reader could see in a chat message."""

import re
from collections.abc import Iterator, Sequence

from nevel.tables.referee.characters import seen
from nevel.tables.referee.pieces import Pieces
from nevel.tables.referee.relations import relations

#: How many characters of earlier messages are read: enough for any number spelled a letter a message.
EARLIER_CHARACTERS = 100

DIGITS = re.compile(r"[0-9]+")
#: Nothing, 1 and 100 aren't between 2 and 99. All other digits can be read as numbers that are, as 2026 as 20 and 26.
OUT_OF_RANGE = {"", "1", "100"}
#: 1 and then 0 or 1 are 10 and 11 if only signs stand between them: 1-0.
ONE_AND_DIGIT = re.compile(r"(?<![a-z0-9])0*1[^a-z0-9]+[01](?![a-z0-9])")
#: In words, if only a space or a hyphen does, or if they are whole messages: one often ends a sentence. “Een een”
#: passes: people type it when they mean “een”.
ONE_AND_WORD = re.compile(
    "|".join(
        rf"\b(?:1|{one}) (?:0|1|{digit})\b|\b{one}[-–_/](?:{digit}|{one})\b|^(?:1|{one})\n(?:0|1|{digit})$"
        for one, digit in (("one", "zero|one"), ("un", "zero|un"), ("een", "nul"), ("eins", "null|eins"))
    ),
    re.MULTILINE,
)
#: 1O and l0.
DIGIT_AND_LETTERS = re.compile(r"(?<![a-z0-9])(?=[a-z]*[0-9])[01oil]+(?![a-z0-9])")
AS_DIGITS = str.maketrans("oil", "011")
#: 0xE, 0b11, 0o7.
OTHER_BASES = re.compile(r"(?<![a-z0-9])0[xbo][0-9a-f]+")

#: Tallies and dots. Full stops, dashes and exclamation marks pass: people hesitate, and shout.
DOTS = re.compile(r"([|¦‖│┃•●∙⋅·▪■◦])(?:\s*\1)+|/(?:\s*/){2,}")
STROKES = re.compile(r"\b(?:I{4,}|i{4,}|l{3,})\b")

ROMAN_WORD = re.compile(r"\b[IVXLCivxlc]+\b")
ROMANS = {
    tens + units
    for tens in ("", "x", "xx", "xxx", "xl", "l", "lx", "lxx", "lxxx", "xc")
    for units in ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
} - {"", "i"}
#: In small letters these are names, sizes, kisses and an editor.
NOT_ROMAN = {"li", "liv", "vi", "xi", "xl", "xx", "xxx"}
#: A single letter is Roman if it is a capital and all by itself: neither the L of “L'autre” nor the X of “XD”.
BY_ITSELF = re.compile(r"(?<![^\s(\"“«])[VXL](?![^\s.,;:!?)\"”»])")
#: A size: an XL pizza, taille XL.
AFTER_SIZE = re.compile(
    r"XL(?= (?:pizzas?|burgers?|menus?|frieten|friet|frites|fries|coffees?|cafes?|koffie|biere?s?|beers?|cola|coca|"
    r"t-?shirts?|shirts?|hoodies?|trui|truien|pulls?|jas|maat|size|taille|formaat|format|versions?|versie|tafel|scherm)\b)"
    r"|(?<=size )XL|(?<=maat )XL|(?<=taille )XL|(?<=pizza )XL|(?<=format )XL|(?<=version )XL"
)
#: Letter by letter: X-L-I-I. “I, I…” is somebody who stammers.
ROMAN_LETTERS = re.compile(r"\b[IVXLC](?:[^\w']{1,3}[IVXLC])+\b(?!')")
STAMMER = "ii"

#: Signs written for letters. An exclamation mark is an i, unless it ends a word.
SIGN = re.compile(r"[01|¡$@+†€¢£¥§®©]|!(?=[^\W_$@+€])|(?<![^\W_])!")
LETTERS = str.maketrans("01|!¡$@+†€¢£¥§®©", "oiiiisatteciysrc")

Span = tuple[int, int]


class Talk:
    """A message after earlier ones of the same person, as it is seen."""

    def __init__(self, message: str, earlier: Sequence[str]) -> None:
        remembered = "\n".join(" ".join(text.split()) for text in earlier)
        if len(remembered) > EARLIER_CHARACTERS:
            remembered = remembered[-EARLIER_CHARACTERS:].partition(" ")[2]
        message = " ".join(message.split())
        self.text = f"{remembered}\n{message}" if remembered else message
        self.cased = "".join(map(seen, self.text))
        self.plain = self.cased.lower()
        #: Where the new message begins. What was said before has been judged.
        self.new = len("".join(map(seen, remembered)))

    def number(self, harmless: re.Pattern[str] | None = None) -> str | None:
        """What can be read as a number now that the new message is there, outside what is harmless; None if nothing."""
        spared = [match.span() for match in harmless.finditer(self.plain)] if harmless else []
        for spans in (self.in_digits(), self.in_strokes(), self.in_roman(), self.in_words(), self.in_disguise()):
            for start, end in spans:
                if end > self.new and not any(first <= start and end <= last for first, last in spared):
                    return self.fragment(start, end)
        return None

    def find(self, pattern: re.Pattern[str]) -> str | None:
        """What a pattern finds, now that the new message is there; it is written without accents, in small letters."""
        plain = self.plain.replace("\n", " ")
        return next((self.fragment(*match.span()) for match in pattern.finditer(plain) if match.end() > self.new), None)

    def fragment(self, start: int, end: int) -> str:
        """The text behind a part of what is seen. It may have more characters or fewer."""
        origins = [index for index, character in enumerate(self.text) for _ in seen(character)]
        return " ".join(self.text[origins[start] : origins[end - 1] + 1].split())

    def in_digits(self) -> Iterator[Span]:
        for match in DIGITS.finditer(self.plain):
            if match[0].lstrip("0") not in OUT_OF_RANGE:
                yield match.span()
        for pattern in (ONE_AND_DIGIT, ONE_AND_WORD, OTHER_BASES):
            yield from (match.span() for match in pattern.finditer(self.plain))
        for match in DIGIT_AND_LETTERS.finditer(self.plain):
            if len(match[0].translate(AS_DIGITS).lstrip("0")) == 2:
                yield match.span()

    def in_strokes(self) -> Iterator[Span]:
        for pattern in (DOTS, STROKES):
            yield from (match.span() for match in pattern.finditer(self.cased))

    def in_roman(self) -> Iterator[Span]:
        for match in ROMAN_LETTERS.finditer(self.cased):
            numeral = re.sub(r"\W", "", match[0]).lower()
            if numeral in ROMANS and numeral != STAMMER:
                yield match.span()
        for match in ROMAN_WORD.finditer(self.cased):
            if match[0].lower() in ROMANS and self.is_roman(match[0], match.start()):
                yield match.span()

    def is_roman(self, numeral: str, start: int) -> bool:
        """Whether letters that could be a Roman number are written like one."""
        if len(numeral) == 1:
            return BY_ITSELF.match(self.cased, start) is not None
        if AFTER_SIZE.match(self.cased, start):
            return False
        return numeral.isupper() or numeral.lower() not in NOT_ROMAN

    def in_words(self) -> Iterator[Span]:
        yield from Pieces(self.plain).numbers()
        yield from relations(self.plain)

    def in_disguise(self) -> Iterator[Span]:
        disguised = SIGN.sub(lambda sign: sign[0].translate(LETTERS), self.plain)
        if disguised != self.plain:
            # 1 and | may be an i or an l. Number words are known with their l written as i, so all of them can be i.
            for start, end in Pieces(disguised.replace("l", "i")).numbers():
                if disguised[start:end] != self.plain[start:end]:
                    yield start, end
