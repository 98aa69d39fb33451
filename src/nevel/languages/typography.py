"""How a language is printed, as the head of its catalogue says: the spaces around its signs, and words it shortens."""

import re
import unicodedata
from functools import lru_cache
from importlib import resources

#: The catalogues.
FILES = resources.files("nevel.languages")
#: What a catalogue's head says of its language beyond what gettext asks for: `"X-Name: value\\n"`.
FIELD = re.compile(r'^"X-([\w-]+): (.*)\\n"$', re.MULTILINE)

VOWELS = "aeiouœæ"
#: Removes accents from letters taken apart.
MARKS = dict.fromkeys(range(0x300, 0x370))
#: Which of the spaces that were typed don't break, by the field that tells the signs beside them; and what they become.
SPACES = {
    "Narrow-Space-Before": (" (?=[{}])", "\N{NARROW NO-BREAK SPACE}"),
    "Space-Before": (" (?=[{}])", "\N{NO-BREAK SPACE}"),
    "Space-After": ("(?<=[{}]) ", "\N{NO-BREAK SPACE}"),
}


@lru_cache
def header(code: str) -> dict[str, str]:
    """What the head of a language's catalogue says of it; nothing for English, which has none.

    - `Language-Name` is the language's name for itself.
    - `Narrow-Space-Before`, `Space-Before` and `Space-After` are the signs next to which a space doesn't break.
    - `Elided` are words that lose their last letter before a name that begins with a vowel.
    - `Number-Words` are the ways in which numbers are said, where there is more than one: French and Swiss French.
    """
    file = FILES / f"{code}.po"
    return dict(FIELD.findall(file.read_text("utf-8").partition("\n\n")[0])) if file.is_file() else {}


class Typography:
    """The signs of one language."""

    def __init__(self, code: str) -> None:
        known = header(code)
        self.spaces = [
            (re.compile(pattern.format(re.escape(signs.replace(" ", "")))), space)
            for name, (pattern, space) in SPACES.items()
            if (signs := known.get(name))
        ]
        #: Finds words that lose their last letter before a vowel, in front of a person's name.
        self.elided: re.Pattern[str] | None = None
        if words := known.get("Elided", "").split():
            either = "|".join(f"[{word[0].upper()}{word[0]}]{word[1:]}" for word in words)
            self.elided = re.compile(rf"\b({either}) \{{(players?|name)\}}")

    def typeset(self, text: str) -> str:
        """What translators type, as it is printed: round apostrophes, and spaces that don't break."""
        text = re.sub(r"(?<=\w)'(?=\w)", "’", text)
        for pattern, space in self.spaces:
            text = pattern.sub(space, text)
        return text

    def prepare(self, text: str) -> str:
        """A translation as it is kept: typeset, and with words that may be elided beside their value."""
        text = self.typeset(text)
        return self.elided.sub(r"{\1 \2}", text) if self.elided else text


class Eliding(dict[str, object]):
    """Values for a message in which words may be elided: `{de player}` is “d’Anne” or “de Max”."""

    def __missing__(self, name: str) -> str:
        word, _, value = name.partition(" ")
        return elide(word, str(self[value]))


def elide(word: str, name: str) -> str:
    """A word before a name, without its last letter before a vowel.

    Before an h it stays whole: nobody can know whether this one is mute, and “de Hugo” is never wrong.
    """
    first, second = (unicodedata.normalize("NFD", name.casefold()).translate(MARKS) + "  ")[:2]
    is_vowel = first in VOWELS or (first == "y" and second.isalpha() and second not in VOWELS)
    return f"{word[:-1]}’{name}" if is_vowel else f"{word} {name}"
