"""The files of a handbook: its outline, the same in every language, and its words in one of them."""

from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from nevel.game.registry import find
from nevel.languages import LANGUAGES
from nevel.web.help.figures import Figure

#: The figures a game's handbook may have.
AnyFigure = TypeVar("AnyFigure")


class ItemOutline(Struct, Generic[AnyFigure], frozen=True, forbid_unknown_fields=True):
    """An item without words; `shared` takes the item of that name from the game this one is based on."""

    clauses: tuple[str, ...] = ()
    shared: str = ""
    figure: AnyFigure | None = None
    #: A worked example is a figure, told in words.
    examples: tuple[AnyFigure, ...] = ()


class ChapterOutline(Struct, Generic[AnyFigure], frozen=True, forbid_unknown_fields=True):
    """A chapter's name and items."""

    name: str
    items: tuple[ItemOutline[AnyFigure], ...]


class StepOutline(Struct, frozen=True, forbid_unknown_fields=True):
    """A step of the guide without its text."""

    name: str
    when: str
    point: str


class Outline(Struct, Generic[AnyFigure], frozen=True, forbid_unknown_fields=True):
    """What is in `GAME.toml`."""

    chapters: tuple[ChapterOutline[AnyFigure], ...]
    guide: tuple[StepOutline, ...]
    #: The names of the game's words, which every language tells.
    glossary: tuple[str, ...]
    based_on: str = ""


class ItemWords(Struct, frozen=True, forbid_unknown_fields=True):
    """What an item says."""

    title: str
    text: str
    examples: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()
    ruling: str = ""


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """What is in `GAME.LANGUAGE.toml`: texts by the names of chapters, items (their first clause), steps and terms."""

    introduction: str
    chapters: dict[str, str]
    items: dict[str, ItemWords]
    guide: dict[str, str]
    #: The words of the game, as they are called in this language.
    glossary: dict[str, str]


class HandbookError(ValueError):
    """A file that can't be read, or whose words don't fit the outline."""


Content = TypeVar("Content")


def read_outline(game: str) -> Outline[Figure]:
    """The outline of a game's handbook, with the figures its board knows."""
    kind: Any = Outline
    return read(game, f"{game}.toml", kind[find(game).load("board").figures])


def spoken(game: str) -> list[str]:
    """The languages that a game's handbook is written in, among those of Nevel."""
    return [code for code in LANGUAGES if find(game).file("web", "help", f"{game}.{code}.toml").is_file()]


def read(game: str, file: str, kind: type[Content]) -> Content:
    """A file of a game's help."""
    content = find(game).file("web", "help", file).read_bytes()
    try:
        return msgspec.toml.decode(content, type=kind)
    except msgspec.DecodeError as problem:
        raise HandbookError(f"{file}: {problem}") from problem


def check_words(file: str, outline: Outline[Figure], words: Words) -> None:
    """The words are those of the outline: nothing is missing, nothing is left over, in the same order."""
    own = [item for chapter in outline.chapters for item in chapter.items if not item.shared]
    for what, wanted, found in (
        ("chapters", [chapter.name for chapter in outline.chapters], list(words.chapters)),
        ("items", [item.clauses[0] for item in own], list(words.items)),
        ("guide", [step.name for step in outline.guide], list(words.guide)),
        ("glossary", list(outline.glossary), list(words.glossary)),
    ):
        if wanted != found:
            raise HandbookError(f"{file}: {what} are {', '.join(found)}; the outline has {', '.join(wanted)}")
    for item in own:
        found = words.items[item.clauses[0]].examples
        if len(found) != len(item.examples):
            raise HandbookError(f"{file}: {item.clauses[0]} has {len(found)} examples, not {len(item.examples)}")
