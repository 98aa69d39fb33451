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
from nevel.web.rendering.fragment import Drawn, Fragment, Values, fields_of, flat, is_hashable, parts_of
from nevel.web.rendering.templates import in_ascii, templates

#: Drawn fragments kept, of all tables together, the oldest of which goes first, and escaped texts.
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
#: How many these are.
GAPS = MOST_SEATS + 4

#: The language and everything that is drawn of a fragment: all of it, or what isn't filled in later.
SkeletonKey = tuple[Language, Fragment] | tuple[Language, type[Fragment], tuple[Any, ...], tuple[bool, ...]]
SKELETONS: dict[SkeletonKey, Skeleton] = {}


def render(fragment: Fragment, place: RenderContext, old: Fragment | None = None) -> str:
    """The markup of a fragment. For a page that shows `old` in its place, what stays as it is in it is only named."""
    if isinstance(fragment, Drawn):
        return fragment.html
    fields = fields_of(type(fragment))
    if not fields.filled_later:
        return find((place.language, fragment), fragment).fill(place.texts)
    parts = parts_of(fragment)
    own = [getattr(fragment, name) for name in fields.texts]
    is_there = (*map(bool, own), *map(bool, parts.values()))
    skeleton = find((place.language, type(fragment), fields.read_plain(fragment), is_there), fragment)
    texts = [*place.texts, *map(escaped, own)]
    known = {part.id: part for part in flat(parts_of(old).values())} if old else NOTHING_KNOWN
    for value in parts.values():
        if isinstance(value, tuple):
            texts.append("\n".join([render_within(part, place, known) for part in value]))
        else:
            texts.append("" if value is None else render_within(value, place, known))
    return skeleton.fill(texts)


NOTHING_KNOWN: dict[str, Fragment] = {}


def render_within(fragment: Fragment, place: RenderContext, known: Mapping[str, Fragment]) -> str:
    """A fragment inside another; `known` are those a page has in it already."""
    if known:
        old = known.get(fragment.id) if fragment.id else None
        if old is fragment or old == fragment:
            return f'<template data-keep="{fragment.id}"></template>'
        return render(fragment, place, old)
    return render(fragment, place)


def render_all(fragments: Iterable[Fragment], place: RenderContext) -> str:
    """The markup of several fragments, one after the other."""
    return "\n".join([render(fragment, place) for fragment in fragments])


def find(key: SkeletonKey, fragment: Fragment) -> Skeleton:
    """What is drawn of all fragments with this key, from the cache if it can be in it."""
    try:
        found = SKELETONS.get(key)
    except TypeError:
        if is_hashable(fragment):
            raise
        return draw(key[0], fragment)
    if found is None:
        found = draw(key[0], fragment)
        if len(SKELETONS) >= CACHE_SIZE:
            del SKELETONS[next(iter(SKELETONS))]
        SKELETONS[key] = found
    return found


def draw(language: Language, fragment: Fragment) -> Skeleton:
    """Run the template of a fragment, in which gaps stand for texts and other fragments."""
    fields, count = fields_of(type(fragment)), GAPS
    values: Values = {"id": fragment.id}
    hollow: Values = {}
    for name in fields.texts:
        hollow[name] = gap(count) if getattr(fragment, name) else ""
        count += 1
    for name, value in parts_of(fragment).items():
        values[name] = gap(count) if value else ""
        count += 1
    values |= (replace(fragment, **hollow) if hollow else fragment).fill(Teller(language, NAME_GAPS))
    return Skeleton(in_ascii(templates(language.code).render(fragment.template, **values)))


@lru_cache(TEXT_CACHE_SIZE)
def escaped(text: str) -> str:
    """A text as it stands in a page."""
    return in_ascii(escape(text))
