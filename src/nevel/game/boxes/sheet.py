"""The facts of a box that an owner can correct, described so that any form can ask for them and any list tell them."""

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from nevel.game.box import Box, BoxError
from nevel.game.spec import GameSpec
from nevel.languages import Language, SpokenError, mark

#: Digits of a number of a box, far more than any has; Python refuses to read thousands of them.
MOST_DIGITS = 9


class Wording:
    """A message with its values, not yet in a language."""

    def __init__(self, message: str, /, **values: "Wording | object") -> None:
        self.message = message
        self.values = values

    def say(self, language: Language) -> str:
        values = {
            name: value.say(language) if isinstance(value, Wording) else value for name, value in self.values.items()
        }
        return language.say(self.message, **values)


@dataclass(frozen=True)
class BoxField:
    """One fact: a whole number from `low` to `high`, or one of several choices."""

    #: The keys of the file that lead to it, joined by dots; places of a list count from 1.
    key: str
    low: int = 0
    high: int = 0
    #: What may stand in the file, each with the words for it; none for a number.
    choices: tuple[tuple[str, str], ...] = ()
    #: What it means when the file doesn't say it; None when the file has to.
    default: int | None = None


@dataclass(frozen=True)
class BoxRow:
    """Facts that belong together, one a column; None where there is none."""

    label: Wording
    fields: tuple[BoxField | None, ...]

    def title(self, language: Language) -> str:
        """Its label at the beginning of a line."""
        said = self.label.say(language)
        return said[:1].upper() + said[1:]


@dataclass(frozen=True)
class BoxSection:
    """A table of facts: how many cards there are of each kind, or what is printed where."""

    #: The key of the file below which they are, as errors tell it.
    key: str
    #: The clause it belongs to.
    clause: str
    title: str
    #: Where we know it from.
    source: str
    columns: tuple[Wording, ...]
    rows: tuple[BoxRow, ...]
    #: Whether we had to reconstruct it: it is printed on the components, and no rulebook says it.
    is_reconstructed: bool = False
    #: What the numbers of the first column have to come to, if they have to.
    total: int | None = None

    @property
    def fields(self) -> Iterator[BoxField]:
        return (field for row in self.rows for field in row.fields if field)


class BoxSheetError(SpokenError):
    """Facts that can't be those of a box: what is wrong with each, by the key of a field, a row or a section."""

    def __init__(self, wrong: Mapping[str, SpokenError]) -> None:
        super().__init__(mark("Some values in this box aren't valid. Check what is marked and correct it."))
        self.wrong = dict(wrong)


class BoxSheet:
    """All facts of a game's box that can be corrected, with ours as they are sold."""

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self.sections = spec.box_sections
        self.ours: Mapping[str, Any] = Box.of(spec.name).content

    @cached_property
    def fields(self) -> dict[str, BoxField]:
        """The fields by their keys, in order."""
        return {field.key: field for section in self.sections for field in section.fields}

    def texts(self, content: Mapping[str, Any]) -> dict[str, str]:
        """What a box says, field by field, as it is typed into a form."""
        return {key: str(self.value(content, field)) for key, field in self.fields.items()}

    def value(self, content: Mapping[str, Any], field: BoxField) -> int | str:
        """What a box says of one fact."""
        found: Any = content
        for part in field.key.split("."):
            if field.default is not None and part not in found:
                return field.default
            found = found[int(part) - 1 if isinstance(found, list) else part]
        return found

    def read(self, texts: Mapping[str, str]) -> Box:
        """The box with these facts; as in ours, where a field isn't given. Raises BoxSheetError."""
        content, wrong = copy.deepcopy(dict(self.ours)), dict[str, SpokenError]()
        for key, field in self.fields.items():
            if key in texts:
                try:
                    write_value(content, field, read_value(texts[key], field))
                except SpokenError as problem:
                    wrong[key] = problem
        for section in () if wrong else self.sections:
            firsts = [row.fields[0] for row in section.rows]
            found = sum(int(self.value(content, field)) for field in firsts if field and section.total is not None)
            if section.total not in (None, found):
                message = mark("These are {found} in total; there must be {total}.")
                wrong[section.key] = SpokenError(message, found=found, total=section.total)
        if wrong:
            raise BoxSheetError(wrong)
        try:
            return Box(content, self.spec.name)
        except BoxError as problem:
            raise BoxSheetError({problem.key: problem.reason}) from problem

    def changed(self, content: Mapping[str, Any]) -> list[str]:
        """The keys of the fields that aren't as in ours."""
        return [key for key, field in self.fields.items() if self.value(content, field) != self.value(self.ours, field)]


@lru_cache
def sheet_of(spec: GameSpec) -> BoxSheet:
    """The sheet of a game, which reads our box once."""
    return BoxSheet(spec)


def read_value(text: str, field: BoxField) -> int | str:
    """What was typed into a field."""
    if field.choices:
        if text not in dict(field.choices):
            raise SpokenError(mark("Choose one of these."))
        return text
    digits = text.strip()
    number = int(digits) if digits.isdecimal() and len(digits) <= MOST_DIGITS else -1
    if not field.low <= number <= field.high:
        raise SpokenError(mark("Enter a whole number from {low} to {high}."), low=field.low, high=field.high)
    return number


def write_value(content: dict[str, Any], field: BoxField, value: int | str) -> None:
    """Put a fact where it stands in the file; what needn't be said isn't."""
    *path, last = field.key.split(".")
    place: Any = content
    for part in path:
        place = place[int(part) - 1 if isinstance(place, list) else part]
    if isinstance(place, list):
        place[int(last) - 1] = value
    elif value == field.default:
        place.pop(last, None)
    else:
        place[last] = value
