"""The words for 2 to 99 in Spanish and Italian, which many players understand too."""

import re

from nevel.tables.referee.words import NUMBERS, beginnings, listed, skeleton, spelled

DIALECTS = ("es", "it")
#: Words and names in our languages too (très, trees, a back, once, due, Otto), without repeated letters: they are
#: numbers only after words of their own.
AFTER_SPANISH, AFTER_ITALIAN = listed("el los las tengo"), listed("il ho lo gli")
EVERYDAY = {
    **dict.fromkeys(("dos", "tres", "once"), AFTER_SPANISH),
    **dict.fromkeys(("due", "tre", "sei", "sete", "oto", "venti"), AFTER_ITALIAN),
}


def cardinals() -> set[str]:
    """Every number in one word."""
    return {spelled(number, dialect) for dialect in DIALECTS for number in NUMBERS}


#: All of them and their beginnings, without repeated letters.
FOREIGN = beginnings(skeleton(word) for word in cardinals())
#: Long enough to be numbers wherever they stand; but a quarantine is none.
FOREIGN_INSIDE = re.compile("|".join(sorted(word for word in cardinals() if len(word) >= 7 and word != "quaranta")))
