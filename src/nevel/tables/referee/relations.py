"""Cards told without their number: as a sum of ones and hundreds, or by their distance from a top card."""

import re
from collections.abc import Iterator

ONE = r"(?:1|one|un|une|een|eins|(?:ein|einen)(?= schritt))"
HUNDRED = r"(?:100|hundred|cent|honderd|hundert)"
#: One and one, a hundred less one. Whatever has another number in it is refused for that.
SUM = re.compile(rf"\b(?:{ONE}|{HUNDRED}) ?(?:\+|-|plus|minus|less|moins|min|weniger) ?{ONE}\b")
#: Half a hundred, a quarter of a century.
PART = re.compile(
    r"\b(?:half|helft|demi|moitie|quarter|quart|kwart|halbe[ns]?|halfte|haelfte|viertel)"
    r"(?:[ -](?:of|a|an|one|van|een|het|de|d'une?|une?|von|eines)){0,2}[ -]?"
    rf"(?:{HUNDRED}|century|siecle|eeuw|jahrhunderts?)\b"
)
#: The top plus one, the top card - 1; not a card plus one more.
BEYOND = re.compile(
    r"\b(?:top|sommet|bovenste|oberste)(?: (?:card|kaart|karte))?"
    rf"(?: ?[+-] ?| (?:plus|minus|moins|min|weniger) ){ONE}\b"
    r"(?! (?:more|other|autre|andere?|extra|card|carte|kaart|karte)\b)"
)

#: The one above, no one below, l'un au-dessus de l'autre: piles and people, no distances.
ALONE = "".join(
    rf"(?<!\b{word})" for word in ("the ", "that ", "this ", "no ", "any ", "every ", "which ", "l'", "geen ")
)
#: What distances are told from, with up to three words before it; or nothing, where the sentence ends.
CARD = (
    r"(?: (?:\w+')?\w+){0,3}? (?:\w+')?(?:top|pile|card|stack|sommet|carte|bovenste|stapel|kaart|oberste[nr]?|karte)\b"
)
END = r"\s*(?:[.!?]|$)"
DISTANCES = (
    rf"(?: step)? (?:above|below)(?:{END}|{CARD})",
    rf"(?: step)? (?:over|under|beyond|past){CARD}",
    rf" step (?:away )?from{CARD}",
    rf"(?: step)? (?:higher|lower|bigger|smaller|greater|larger|more|less) than{CARD}",
    rf"(?: step)? (?:higher|lower){END}",
    rf"(?: pas)? (?:au|en)[ -]dess(?:us|ous)(?:{END}|{CARD})",
    rf"(?: pas)? (?:plus haut|plus bas|plus grande?|plus petite?|de plus|de moins) que{CARD}",
    rf"(?: pas)? plus (?:haut|bas){END}",
    rf"(?: stap| stapje)? (?:boven|onder){CARD}",
    rf"(?: stap| stapje)? (?:hoger|lager|groter|kleiner|meer|minder) dan{CARD}",
    rf"(?: stap| stapje)? (?:hoger|lager){END}",
    rf"(?: schritt)? (?:ueber|uber|unter){CARD}",
    rf"(?: schritt)? (?:hoeher|hoher|niedriger|tiefer|kleiner|grosser|mehr|weniger) als{CARD}",
    rf"(?: schritt)? (?:hoeher|hoher|niedriger|tiefer){END}",
)
ABOVE = re.compile(rf"{ALONE}\b(?:{ONE}|eentje)(?:{'|'.join(DISTANCES)})", re.MULTILINE)


def relations(text: str) -> Iterator[tuple[int, int]]:
    """Where a text in small letters tells a card like this."""
    for pattern in (SUM, PART, BEYOND, ABOVE):
        yield from (match.span() for match in pattern.finditer(text))
