"""Fragments: what a page is made of. Each is a value, the template that shows it, and the id of its element.

A fragment is compared, kept and drawn by its fields alone. Pages that watch a table are sent the fragments whose fields
changed, and nothing else (`changes`); `nevel.web.rendering.render` turns a fragment into markup.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, ClassVar, NamedTuple, NewType, get_args, get_type_hints

from msgspec import Struct

from nevel.game.event import Teller

#: Values for a template: dicts, lists, numbers and texts, which it reads fastest.
Values = dict[str, Any]
#: A text that is different at almost every table. A template may show it, or ask whether it is empty, and nothing else:
#: what is drawn around it is kept for all tables.
Text = NewType("Text", str)


class Fragment(Struct, frozen=True):
    """A part of a page that can be replaced alone, as plain values. Subclasses add fields and name a template.

    Fields are plain values: numbers, texts, frozen structs, tuples of these, and further fragments, which the template
    places by their name. A fragment with an `element`, or for several of a kind an `id`, is drawn as one element with
    that id. Without an id a fragment is replaced together with the one around it.
    """

    template: ClassVar[str]
    #: The id of its element where there is only one of its kind on a page.
    element: ClassVar[str] = ""

    @property
    def id(self) -> str:
        """The id of its element."""
        return self.element

    def fill(self, teller: Teller) -> Values:
        """What its template is given; its fields, unless there is more to say. `teller` knows the language and names.

        A player's name may be put anywhere but not looked at: which name it is, is known only when a page is sent.
        """
        return {name: getattr(self, name) for name in self.__struct_fields__}


class Drawn(Fragment, frozen=True):
    """Something that is drawn already, in an element of this id; replaced as a whole when its markup changes."""

    name: str
    html: str

    @property
    def id(self) -> str:
        return self.name


#: What stands in a field for other fragments.
Children = Fragment | tuple[Fragment, ...] | None


class Fields(Struct, frozen=True):
    """The fields of a kind of fragment: those that are fragments, those that are texts of one table, and the others."""

    children: tuple[str, ...]
    texts: tuple[str, ...]
    own: tuple[str, ...]

    @property
    def filled_later(self) -> bool:
        """Whether something is put into what is drawn."""
        return bool(self.children or self.texts)


@cache
def fields_of(kind: type[Fragment]) -> Fields:
    """Sort the fields of a kind by what they are declared to be."""
    hints = get_type_hints(kind)
    names = kind.__struct_fields__
    children = tuple(name for name in names if has_fragments(hints[name]))
    texts = tuple(name for name in names if hints[name] is Text)
    return Fields(children, texts, tuple(name for name in names if name not in children and name not in texts))


def has_fragments(hint: Any) -> bool:
    if isinstance(hint, type) and issubclass(hint, Fragment):
        return True
    return any(has_fragments(one) for one in get_args(hint))


def children_of(fragment: Fragment) -> Iterator[Fragment]:
    """The fragments directly in this one, in the order of its fields."""
    for name in fields_of(type(fragment)).children:
        value: Children = getattr(fragment, name)
        if isinstance(value, tuple):
            yield from value
        elif value is not None:
            yield value


class Change(NamedTuple):
    """A fragment that has to be replaced, and what stands there now."""

    old: Fragment
    new: Fragment


def changes(old: Fragment, new: Fragment, found: list[Change]) -> bool:
    """Collect the smallest fragments by which a page that shows `old` comes to show `new`.

    False where there are none, because something changed that has no id of its own: then all of it has to be replaced.
    """
    if old == new:
        return True
    if have_same_frame(old, new):
        count = len(found)
        pairs = zip(children_of(old), children_of(new), strict=True)
        if all(changes(before, after, found) for before, after in pairs):
            return True
        del found[count:]
    if new.id and new.id == old.id:
        found.append(Change(old, new))
        return True
    return False


def have_same_frame(old: Fragment, new: Fragment) -> bool:
    """Whether two fragments differ at most in the fragments in them, and have those in the same places."""
    kind = type(new)
    if type(old) is not kind:
        return False
    fields = fields_of(kind)
    if not fields.children:
        return False
    for name in fields.own + fields.texts:
        if getattr(old, name) != getattr(new, name):
            return False
    return all(places(getattr(old, name)) == places(getattr(new, name)) for name in fields.children)


def places(value: Children) -> int:
    """How many fragments a field has; -1 for a field that can only have one."""
    return len(value) if isinstance(value, tuple) else -1 if value is None else 1
