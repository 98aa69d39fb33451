"""A handbook: a game's rules explained in one language, with figures and worked examples, and its first-game guide."""

from functools import lru_cache

from msgspec import Struct

from nevel import languages
from nevel.game.registry import find
from nevel.game.spec import GameSpec
from nevel.languages import mark
from nevel.web.help.figures import Figure
from nevel.web.help.guide import GuideStep
from nevel.web.help.outline import ItemOutline, Words, check_words, read, read_outline, spoken
from nevel.web.help.prose import typeset


class Example(Struct, frozen=True):
    """A worked example: its figure is what the rules say, and the text tells it."""

    text: str
    figure: Figure


class Item(Struct, frozen=True):
    """One thing to know. It is named after its first clause; each of its clauses is an anchor on the page."""

    clauses: tuple[str, ...]
    title: str
    text: str
    figure: Figure | None
    examples: tuple[Example, ...]
    #: What players may say to each other here, and what they may not.
    said: tuple[str, ...]
    unsaid: tuple[str, ...]
    #: What we decided where the rulebook is silent, or how we know what it doesn't say.
    ruling: str

    @property
    def name(self) -> str:
        return self.clauses[0]


class Chapter(Struct, frozen=True):
    """Items about one part of the game."""

    name: str
    title: str
    items: tuple[Item, ...]


class Handbook(Struct, frozen=True):
    """Everything there is to read about a game, in one language."""

    game: str
    language: str
    introduction: str
    chapters: tuple[Chapter, ...]
    guide: tuple[GuideStep, ...]
    #: The game's words by their names, which are the same in every language.
    glossary: dict[str, str]

    @property
    def items(self) -> list[Item]:
        """All items in order."""
        return [item for chapter in self.chapters for item in chapter.items]

    @property
    def rulings(self) -> list[Item]:
        """The items with a decision of our own."""
        return [item for item in self.items if item.ruling]

    def item(self, clause: str) -> Item:
        """The item that explains a clause."""
        return next(item for item in self.items if clause in item.clauses)


@lru_cache
def handbook(game: str, language: str) -> Handbook:
    """The handbook of a game, in English where it doesn't have the language; without files of help its clauses to read.

    >>> from nevel.game.registry import all_games
    >>> [handbook(game, "en").game for game in all_games()] == list(all_games())
    True
    """
    spec = find(game)
    if not spec.file("web", "help", f"{game}.toml").is_file():
        return list_clauses(spec, language)
    if language not in spoken(game):
        language = languages.DEFAULT
    outline = read_outline(game)
    words = read(game, f"{game}.{language}.toml", Words)
    check_words(f"{game}.{language}.toml", outline, words)
    base = handbook(outline.based_on, language) if outline.based_on else None

    def item(outlined: ItemOutline[Figure]) -> Item:
        return base.item(outlined.shared) if outlined.shared and base else fill_in(outlined, words, language)

    return Handbook(
        game,
        language,
        typeset(words.introduction, language),
        tuple(
            Chapter(chapter.name, typeset(words.chapters[chapter.name], language), tuple(map(item, chapter.items)))
            for chapter in outline.chapters
        ),
        tuple(
            GuideStep(step.name, step.when, step.point, typeset(words.guide[step.name], language))
            for step in outline.guide
        ),
        words.glossary,
    )


def list_clauses(spec: GameSpec, language: str) -> Handbook:
    """A handbook that says what the clauses say, one after the other."""
    translator = languages.language(language)
    items = tuple(
        Item((clause.id,), "", typeset(clause.sentence(translator), language), None, (), (), (), "")
        for clause in spec.rulebook.values()
    )
    chapters = (Chapter("clauses", translator.say(mark("The rules, clause by clause")), items),)
    return Handbook(spec.name, language, typeset(translator.say(spec.pitch), language), chapters, (), {})


def fill_in(outlined: ItemOutline[Figure], words: Words, language: str) -> Item:
    """An item with its words."""
    said = words.items[outlined.clauses[0]]

    def typeset_all(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(typeset(text, language) for text in texts)

    return Item(
        outlined.clauses,
        typeset(said.title, language),
        typeset(said.text, language),
        outlined.figure,
        tuple(map(Example, typeset_all(said.examples), outlined.examples)),
        typeset_all(said.said),
        typeset_all(said.unsaid),
        typeset(said.ruling, language),
    )
