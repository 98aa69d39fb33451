"""What everybody is told of a table that isn't as most are: variants, a box or a game of somebody's own, practice."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from nevel.game.boxes.code import encode_box
from nevel.game.boxes.sheet import sheet_of
from nevel.game.registry import find
from nevel.languages import Language, mark
from nevel.tables.domain.table import Table

BROUGHT = mark("This game was imported: whoever imported it may know the cards.")
OWN_BOX = mark("This table uses the host's own box: the host may know or have chosen what is in it.")
PRACTICE = mark("Practice: every move can be taken back unless a rule forbids it.")
NOWHERE = mark("It doesn't count towards statistics.")
#: The same in a list.
SHORT = {BROUGHT: mark("imported"), OWN_BOX: mark("own box"), PRACTICE: mark("practice")}


class Peculiarities(NamedTuple):
    """How a table differs from most tables of its game."""

    game: str
    options: Mapping[str, int]
    is_brought: bool
    has_own_box: bool
    is_practice: bool

    @classmethod
    def of(cls, table: Table) -> "Peculiarities":
        opened = table.opened
        return cls(opened.game, opened.options, table.is_brought, table.has_own_box, opened.is_practice)

    def variants(self, language: Language) -> list[str]:
        """The variants that aren't the usual ones, each in a few words."""
        said: list[str] = []
        for option in find(self.game).vocabulary.options:
            value = self.options.get(option.name, option.values[0])
            if value != option.values[0]:
                title, is_switch = language.say(option.title), set(option.values) == {0, 1}
                said.append(title if is_switch else language.say_pair(title, value))
        return said

    def notices(self) -> list[str]:
        """Why its result says nothing about those who play, not yet translated."""
        told = ((self.is_brought, BROUGHT), (self.has_own_box, OWN_BOX), (self.is_practice, PRACTICE))
        return [notice for is_so, notice in told if is_so]

    def tell(self, language: Language) -> str:
        """What there is to tell in sentences; nothing about most tables."""
        variants, told = self.variants(language), self.notices()
        said = [language.say(mark("Variants: {variants}."), variants="; ".join(variants))] if variants else []
        return " ".join([*said, *(language.say(sentence) for sentence in [*told, NOWHERE] if told)])

    def list(self, language: Language) -> str:
        """The same in a few words."""
        return ", ".join([*self.variants(language), *(language.say(SHORT[notice]) for notice in self.notices())])


def box_address(game: str, content: Mapping[str, Any] | None) -> str:
    """Where the rules list the numbers of a table's own box; nothing for ours."""
    sheet = sheet_of(find(game))
    if content is None or not sheet.fields:
        return ""
    changed = sheet.changed(content)
    clauses = [section.clause for section in sheet.sections for field in section.fields if field.key in changed]
    return f"/rules/{game}?box={encode_box(sheet, content)}#{(*clauses, '')[0]}"
