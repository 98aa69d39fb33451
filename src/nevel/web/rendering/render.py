"""From a fragment to markup: `render`. All that makes it quick is in this module, and nothing outside needs to know.

A template is run once for equal fragments of one language, whoever they are for and at whichever table: what comes out
is kept with gaps in it (`Skeleton`), where players' names, texts of one table and other fragments are put. Since a
fragment can't read anything but its fields, nobody can be drawn what another knows.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from html import escape
from sys import intern
from typing import Any

from minijinja import safe
from msgspec.structs import replace

from nevel.engine.dispatch import MOST_SEATS
from nevel.game.event import Teller
from nevel.languages import Language
from nevel.web.rendering.fragment import Children, Drawn, Fragment, children_of, fields_of
from nevel.web.rendering.templates import in_ascii, templates

#: Drawn fragments kept, of all tables together, and escaped texts; the longest unused goes first.
CACHE_SIZE = 10_240
TEXT_CACHE_SIZE = 6_144
#: Stands at either end of the number of a gap; no page has this character.
EDGE = "\0"


class RenderContext:
    """Where a fragment is drawn for: the language, what players are called, and the addresses of a table."""

    __slots__ = ("language", "texts")

    def __init__(self, language: Language, names: Sequence[str] = (), action: str = "", query: str = "") -> None:
        self.language = language
        teller = Teller(language, names)
        shown = [teller.name(seat) for seat in range(MOST_SEATS)]
        #: What goes into the gaps that every fragment may have; the last is the story as one viewer is told it.
        self.texts = [*map(escaped, (*shown, action, query, query.replace("?", "&", 1))), ""]

    def telling(self, story: str) -> "RenderContext":
        """The same place for a viewer who is told this, as markup."""
        place = RenderContext.__new__(RenderContext)
        place.language, place.texts = self.language, [*self.texts[:-1], story]
        return place


class Skeleton:
    """Markup with numbered gaps."""

    __slots__ = ("_gaps", "_parts", "_whole")

    def __init__(self, drawn: str) -> None:
        # Many skeletons of one template have parts in common.
        self._parts = [intern(part) for part in drawn.split(EDGE)]
        self._gaps = [(at, int(self._parts[at])) for at in range(1, len(self._parts), 2)]
        self._whole = "" if self._gaps else drawn

    def fill(self, texts: Sequence[str]) -> str:
        if not self._gaps:
            return self._whole
        parts = self._parts.copy()
        for at, number in self._gaps:
            parts[at] = texts[number]
        return "".join(parts)


@cache
def gap(number: int) -> str:
    """What is drawn where something is put later."""
    return safe(f"{EDGE}{number}{EDGE}")


#: The gaps of a `RenderContext`: names, the address of the table, what a query adds to it, as a first or a further
#: value, and the lines of the story.
NAME_GAPS = [gap(seat) for seat in range(MOST_SEATS)]
ACTION, QUERY, MORE, STORY = (gap(MOST_SEATS + number) for number in range(4))


def render(fragment: Fragment, place: RenderContext, old: Fragment | None = None) -> str:
    """The markup of a fragment. For a page that shows `old` in its place, what stays as it is in it is only named."""
    if isinstance(fragment, Drawn):
        return fragment.html
    fields = fields_of(type(fragment))
    if not fields.filled_later:
        return find(place.language, fragment).fill(place.texts)
    texts, hollow = place.texts.copy(), dict[str, Any]()
    for name in fields.texts:
        text = getattr(fragment, name)
        hollow[name] = gap(len(texts)) if text else ""
        texts.append(escaped(text))
    if fields.children:
        known = {child.id: child for child in children_of(old)} if old else NOTHING_KNOWN
        for name in fields.children:
            value: Children = getattr(fragment, name)
            hollow[name] = gap(len(texts)) if value else ""
            children = value if isinstance(value, tuple) else (value,) if value else ()
            texts.append("\n".join([render_within(child, place, known) for child in children]))
    return find(place.language, replace(fragment, **hollow)).fill(texts)


NOTHING_KNOWN: dict[str, Fragment] = {}


def render_within(fragment: Fragment, place: RenderContext, known: Mapping[str, Fragment]) -> str:
    """A fragment inside another; `known` are those a page has in it already."""
    old = known.get(fragment.id) if fragment.id else None
    if old == fragment:
        return f'<template data-keep="{fragment.id}"></template>'
    return render(fragment, place, old)


def render_all(fragments: Iterable[Fragment], place: RenderContext) -> str:
    """The markup of several fragments, one after the other."""
    return "\n".join([render(fragment, place) for fragment in fragments])


def find(language: Language, fragment: Fragment) -> Skeleton:
    """What is drawn of a fragment, from the cache if it can be in it."""
    try:
        return drawn(language, fragment)
    except TypeError:
        if is_hashable(fragment):
            raise
        return draw(language, fragment)


def is_hashable(fragment: Fragment) -> bool:
    try:
        hash(fragment)
    except TypeError:
        return False
    return True


def draw(language: Language, fragment: Fragment) -> Skeleton:
    """Run the template of a fragment, in which gaps stand for texts and other fragments."""
    values = fragment.fill(Teller(language, NAME_GAPS))
    return Skeleton(in_ascii(templates(language.code).render(fragment.template, **{"id": fragment.id, **values})))


drawn = lru_cache(CACHE_SIZE)(draw)


@lru_cache(TEXT_CACHE_SIZE)
def escaped(text: str) -> str:
    """A text as it stands in a page."""
    return in_ascii(escape(text))
