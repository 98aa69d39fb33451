"""Fragments: what a page is made of. Each is a value, the template that shows it, and the id of its element.

A fragment is compared, kept and drawn by its fields alone. Pages that watch a table are sent the fragments whose fields
changed, and nothing else (`changes`); `nevel.web.rendering.render` turns a fragment into markup.
"""

from collections.abc import Callable, Iterator
from functools import cache
from operator import attrgetter
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


class FragmentFields:
    """The fields of a kind of fragment: those that are fragments, those that are texts of one table, and the others."""

    def __init__(self, kind: type[Fragment]) -> None:
        hints, names = get_type_hints(kind), kind.__struct_fields__
        self.children = tuple(name for name in names if has_fragments(hints[name]))
        self.texts = tuple(name for name in names if hints[name] is Text)
        #: Whether something is put into what is drawn.
        self.filled_later = bool(self.children or self.texts)
        #: Reads what a fragment has besides other fragments, and those.
        self.read_own = reader(tuple(name for name in names if name not in self.children))
        self.read_children = reader(self.children)


def read_nothing(_: object) -> tuple[()]:
    return ()


def reader(names: tuple[str, ...]) -> Callable[[Fragment], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return read_nothing
    read = attrgetter(*names)
    return lambda fragment: (read(fragment),)


fields_of = cache(FragmentFields)


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
    """Collect the smallest fragments by which a page that shows `old`, which differs, comes to show `new`.

    False where there are none, because something changed that has no id of its own: then all of it has to be replaced.
    """
    kind, count = type(new), len(found)
    if type(old) is kind:
        fields = fields_of(kind)
        if fields.children and fields.read_own(old) == fields.read_own(new):
            for name in fields.children:
                before, after = getattr(old, name), getattr(new, name)
                if before != after and not changes_in(before, after, found):
                    del found[count:]
                    break
            else:
                return True
    if (element := new.id) and element == old.id:
        found.append(Change(old, new))
        return True
    return False


def changes_in(old: Children, new: Children, found: list[Change]) -> bool:
    """The same for the fragments of a field, which have to be as many as there were."""
    if old is None or new is None:
        return False
    if not isinstance(old, tuple) or not isinstance(new, tuple):
        return isinstance(old, Fragment) and isinstance(new, Fragment) and changes(old, new, found)
    if len(old) != len(new):
        return False
    for before, after in zip(old, new, strict=True):
        if before != after and not changes(before, after, found):
            return False
    return True
