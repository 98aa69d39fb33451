"""Characters as the eye takes them: a circled seven, a Cyrillic о and a wide ｔ are 7, o and t."""

import re
import unicodedata
from functools import lru_cache

#: Letters that pass for ours. Capitals and small letters are told apart: Greek Η is an H, η rather an n.
LOOKALIKES = (
    dict(zip("АВЕЅІЈКМНОРСТУХЬ", "ABESIJKMHOPCTYXb", strict=True))
    | dict(zip("авгеѕіјӏкмнопрстуүхһԁԛԝѵ", "abresijlkmhonpctyyxhdqwv", strict=True))
    | dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "ABEZHIKMNOPTYXC", strict=True))
    | dict(zip("αβγεηικνορτυχωϲϳ", "abyenikvoptuxwcj", strict=True))
    | dict(zip("սոօցհ", "unogh", strict=True))
    | {"œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE", "ß": "ss", "ẞ": "SS"}
    | dict.fromkeys("’‘ʼʹ´`′", "'")
    | dict.fromkeys("\u115f\u1160\u3164\uffa0", "")  # letters of Korean that show nothing
)

#: Pictures of numbers, by the beginning of their names in Unicode; the rest of the name says which number.
PICTURES = ("DIE FACE", "DOMINO TILE", "MAHJONG TILE", "PLAYING CARD", "CLOCK FACE", "KEYCAP", "BRAILLE PATTERN")
#: Pictures of numbers whose names say something else.
OTHER_PICTURES = {"🎱": "8", "🔞": "18", "🥈": "2", "🥉": "3"}
NAMES = ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "ELEVEN", "TWELVE")

#: The letter in the name of small capitals, letters in black boxes, letters that make flags, and letters upside down.
LETTER_NAME = re.compile(r"(?:LATIN|REGIONAL) .*LETTER (?:[A-Z]+ )*?([A-Z])\b")


@lru_cache(maxsize=4096)
def seen(character: str) -> str:
    """What somebody sees in a character: letters without accents, digits 0 to 9, nothing, or the character itself."""
    if character in LOOKALIKES:
        return LOOKALIKES[character]
    if character.isascii():
        return character
    if character.isspace():
        return " "
    kind = unicodedata.category(character)
    if kind == "Cf" or kind[0] == "M":  # joiners, soft hyphens; accents on their own, variants of emoji
        return ""
    # A number before its parts: Roman twelve is one character, not X, I and I.
    value = unicodedata.numeric(character, None)
    if value is not None and value.is_integer() and value >= 0:
        return str(int(value))
    parts = unicodedata.normalize("NFKD", character)
    if parts != character:
        return "".join(map(seen, parts))
    name = unicodedata.name(character, "")
    if name.startswith(PICTURES):
        return pictured(name) or character
    letter = LETTER_NAME.search(name)
    if letter:
        return letter[1] if character.isupper() else letter[1].lower()
    return OTHER_PICTURES.get(character, character)


def pictured(name: str) -> str:
    """The digits in a picture's name: DIE FACE-3, CLOCK FACE THREE-THIRTY, DOMINO TILE HORIZONTAL-03-04."""
    words = name.replace("-", " ").split()
    return "".join(
        str(NAMES.index(word)) if word in NAMES else word for word in words if word in NAMES or word.isdigit()
    )
