"""From a fragment to markup: `render`. All that makes it quick is in this module, and nothing outside needs to know.

A template is run once for equal fragments of one language, whoever they are for and at whichever table: what comes out
is kept with gaps in it (`Skeleton`), where players' names, texts of one table and other fragments are put. Since a
fragment can't read anything but its fields, nobody can be drawn what another knows.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from html import escape
from operator import itemgetter
from typing import Any

from minijinja import safe
from msgspec.structs import replace

from nevel.engine.dispatch import MOST_SEATS
from nevel.game.event import Teller
from nevel.languages import Language
from nevel.web.rendering.fragment import Children, Drawn, Fragment, Values, children_of, fields_of, flat, is_hashable
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

    __slots__ = ("_format", "_pick", "_whole")

    def __init__(self, drawn: str) -> None:
        parts = drawn.split(EDGE)
        gaps = [int(number) for number in parts[1::2]]
        #: All of it, if there is no gap; otherwise what is around the gaps, and what picks what goes into them.
        self._whole = "" if gaps else drawn
        self._format = "%s".join([part.replace("%", "%%") for part in parts[::2]]) if gaps else ""
        self._pick = itemgetter(*gaps) if gaps else None

    def fill(self, texts: Sequence[str]) -> str:
        return self._format % self._pick(texts) if self._pick else self._whole


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
SkeletonKey = tuple[Language, Fragment] | tuple[Language, type[Fragment], tuple[Any, ...], bool | tuple[Any, ...]]


class SkeletonCache:
    """Skeletons by what is drawn of fragments; what wasn't needed for long is dropped.

    Half of them are those that were needed lately. When there are too many of those, they take the place of the others.
    """

    def __init__(self) -> None:
        self._recent = dict[SkeletonKey, Skeleton]()
        self._before = dict[SkeletonKey, Skeleton]()

    def find(self, key: SkeletonKey, fragment: Fragment) -> Skeleton:
        """What is drawn of all fragments with this key; what can't be a key is drawn each time."""
        try:
            found = self._recent.get(key)
        except TypeError:
            if is_hashable(fragment):
                raise
            return draw(key[0], fragment)
        return found or self._keep(key, self._before.get(key) or draw(key[0], fragment))

    def _keep(self, key: SkeletonKey, skeleton: Skeleton) -> Skeleton:
        if len(self._recent) >= CACHE_SIZE // 2:
            self._recent, self._before = {}, self._recent
        self._recent[key] = skeleton
        return skeleton

    def __len__(self) -> int:
        return len(self._recent.keys() | self._before.keys())

    def clear(self) -> None:
        self._recent, self._before = {}, {}


SKELETONS = SkeletonCache()


def render(fragment: Fragment, place: RenderContext, old: Fragment | None = None) -> str:
    """The markup of a fragment. For a page that shows `old` in its place, what stays as it is in it is only named."""
    if isinstance(fragment, Drawn):
        return fragment.html
    kind = type(fragment)
    fields = fields_of(kind)
    if not fields.filled_later:
        return SKELETONS.find((place.language, fragment), fragment).fill(place.texts)
    filled = place.texts.copy()
    #: Which texts and parts there are; most of the time all of them.
    there: bool | tuple[Any, ...] = True
    if fields.texts:
        own = fields.read_texts(fragment)
        filled += map(escaped, own)
        if "" in own:
            there = tuple(map(bool, own))
    if fields.lists_of_texts:
        for texts in fields.read_lists(fragment):
            filled += map(escaped, texts)
            there = there, tuple(map(bool, texts))
    if fields.has_parts:
        children = children_of(fragment)
        filled += render_children(children, place, old)
        if None in children or () in children:
            there = there, tuple(map(bool, children))
    return SKELETONS.find((place.language, kind, fields.read_plain(fragment), there), fragment).fill(filled)


def render_children(children: tuple[Children, ...], place: RenderContext, old: Fragment | None) -> list[str]:
    """The markup of all fragments in another, place by place; what a page has already in `old` is only named."""
    if old is None:
        return ["\n".join([render(part, place) for part in flat((child,))]) for child in children]
    known = Known(flat(children_of(old)))
    return ["\n".join([known.render(part, place) for part in flat((child,))]) for child in children]


class Known:
    """Fragments that a page has in it already."""

    __slots__ = ("_by_id", "_parts", "_same")

    def __init__(self, parts: list[Fragment]) -> None:
        self._parts = parts
        self._same = set(map(id, parts))
        self._by_id: dict[str, Fragment] | None = None

    def render(self, fragment: Fragment, place: RenderContext) -> str:
        """A fragment by its name, if it is known; otherwise its markup, with what is known in it named."""
        element = fragment.id
        if not element:
            return render(fragment, place)
        if id(fragment) not in self._same:
            if self._by_id is None:
                self._by_id = {part.id: part for part in self._parts}
            old = self._by_id.get(element)
            if old != fragment:
                return render(fragment, place, old)
        return f'<template data-keep="{element}"></template>'


def render_all(fragments: Iterable[Fragment], place: RenderContext) -> str:
    """The markup of several fragments, one after the other."""
    return "\n".join([render(fragment, place) for fragment in fragments])


def draw(language: Language, fragment: Fragment) -> Skeleton:
    """Run the template of a fragment, in which gaps stand for texts and other fragments."""
    fields, count = fields_of(type(fragment)), GAPS
    hollow: Values = {}
    for name in fields.texts:
        hollow[name] = gap(count) if getattr(fragment, name) else ""
        count += 1
    for name in fields.lists_of_texts:
        texts = getattr(fragment, name)
        hollow[name] = tuple([gap(count + number) if text else "" for number, text in enumerate(texts)])
        count += len(texts)
    drawn = replace(fragment, **hollow) if hollow else fragment
    values: Values = {"id": drawn.id}
    for name, value in fragment.parts().items():
        values[name] = gap(count) if value else ""
        count += 1
    values |= drawn.fill(Teller(language, NAME_GAPS))
    return Skeleton(in_ascii(templates(language.code).render(fragment.template, **values)))


@lru_cache(TEXT_CACHE_SIZE)
def escaped(text: str) -> str:
    """A text as it stands in a page."""
    return in_ascii(escape(text))
