"""What everybody is told of a table whose result says nothing about those who play."""

from nevel.languages import Language, mark

BROUGHT = mark("This game was brought along: whoever brought it may know the cards.")
OWN_BOX = mark("This table plays with a box of its host's own, who may know or have chosen what is in it.")
PRACTICE = mark("Practice: everything can be taken back.")
NOWHERE = mark("It counts nowhere.")
#: The same in a list.
SHORT = {BROUGHT: mark("brought along"), OWN_BOX: mark("another box"), PRACTICE: mark("practice")}


def notices(is_brought: bool, has_own_box: bool, is_practice: bool) -> list[str]:
    """What there is to tell, not yet translated."""
    told = ((is_brought, BROUGHT), (has_own_box, OWN_BOX), (is_practice, PRACTICE))
    return [notice for is_so, notice in told if is_so]


def tell_notices(is_brought: bool, has_own_box: bool, is_practice: bool, language: Language) -> str:
    """What there is to tell in sentences; nothing about most tables."""
    told = notices(is_brought, has_own_box, is_practice)
    return " ".join(language.say(sentence) for sentence in [*told, NOWHERE]) if told else ""


def list_notices(is_brought: bool, has_own_box: bool, is_practice: bool, language: Language) -> str:
    """The same in a few words."""
    return ", ".join(language.say(SHORT[notice]) for notice in notices(is_brought, has_own_box, is_practice))
