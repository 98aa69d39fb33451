"""Fragments: what a page is made of. Each is a value, the template that shows it, and the id of its element.

A fragment is compared, kept and drawn by its fields alone. Pages that watch a table are sent the fragments whose fields
changed, and nothing else (`nevel.web.rendering.changes`); `nevel.web.rendering.render` turns a fragment into markup.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from operator import attrgetter
from typing import Annotated, Any, ClassVar, NewType, ParamSpec, TypeVar, cast, get_args, get_origin, get_type_hints

from msgspec import Struct

from nevel.game.event import Teller

#: Values for a template: dicts, lists, numbers and texts, which it reads fastest.
Values = dict[str, Any]
#: A text that is different at almost every table. A template may show it, or ask whether it is empty, and nothing else:
#: what is drawn around it is kept for all tables.
Text = NewType("Text", str)
#: Several such texts, each shown on its own.
Texts = tuple[Text, ...]

P = ParamSpec("P")
T = TypeVar("T")
#: A field from which only the parts of a fragment are made: when it changes, they are compared one by one.
Inner = Annotated[T, "inner"]


#: How much of what a function makes is kept, of all tables together.
MADE_ONCE = 2048


class Fragment(Struct, frozen=True, cache_hash=True, dict=True):
    """A part of a page that can be replaced alone, as plain values. Subclasses add fields and name a template.

    Fields are plain values: numbers, texts, frozen structs, tuples of these, and further fragments. A fragment with an
    `element`, or for several of a kind an `id`, is drawn as one element with that id. Without an id a fragment is
    replaced together with the one around it.
    """

    template: ClassVar[str]
    #: The id of its element where there is only one of its kind on a page.
    element: ClassVar[str] = ""

    @property
    def id(self) -> str:
        """The id of its element."""
        return self.element

    def parts(self) -> "Parts":
        """The fragments directly in this one, by the names under which its template places them.

        These are the fields that are fragments, unless there is more to say. Made from `Inner` fields they are only
        asked for when one of those has changed.
        """
        return {name: getattr(self, name) for name in fields_of(type(self)).fragments}

    def fill(self, teller: Teller) -> Values:
        """What its template is given besides its parts; its fields, unless there is more to say. `teller` knows the
        language and names.

        A player's name may be put anywhere but not looked at: which name it is, is known only when a page is sent.
        """
        return {name: getattr(self, name) for name in fields_of(type(self)).own}


class Drawn(Fragment, frozen=True):
    """Something that is drawn already, in an element of this id; replaced as a whole when its markup changes."""

    name: str
    html: str

    @property
    def id(self) -> str:
        return self.name


#: What stands for other fragments in one place of a template.
Children = Fragment | tuple[Fragment, ...] | None
#: The fragments in a fragment, by the names under which its template places them.
Parts = Mapping[str, Children]


class FragmentFields:
    """The fields of a kind of fragment: those of its own, those that are fragments or only make them, and the texts of
    one table among its own.
    """

    def __init__(self, kind: type[Fragment]) -> None:
        hints, names = get_type_hints(kind, include_extras=True), kind.__struct_fields__
        self.fragments = tuple(name for name in names if has_fragments(hints[name]))
        self.inner = tuple(name for name in names if get_origin(hints[name]) is Annotated)
        self.own = tuple(name for name in names if name not in self.inner and name not in self.fragments)
        self.texts = tuple(name for name in self.own if hints[name] is Text)
        self.lists_of_texts = tuple(name for name in self.own if hints[name] == Texts)
        #: Whether it makes its parts from other fields.
        self.makes_parts = kind.parts is not Fragment.parts
        self.has_parts = self.makes_parts or bool(self.fragments)
        #: Whether something is put into what is drawn.
        self.filled_later = bool(self.has_parts or self.texts or self.lists_of_texts)
        filled = {*self.texts, *self.lists_of_texts}
        #: Reads what is drawn of it for all tables and all parts, and all that isn't made of parts, to compare it.
        self.read_plain = reader([name for name in self.own if name not in filled])
        self.read_own = reader(self.own)
        #: Read what is put into what is drawn: texts, lists of texts, fragments.
        self.read_texts = tuple_reader(self.texts)
        self.read_lists = tuple_reader(self.lists_of_texts)
        self.read_fragments = tuple_reader(self.fragments)


def read_nothing(_: object) -> tuple[()]:
    return ()


def reader(names: Sequence[str]) -> Callable[[Fragment], Any]:
    """Reads the fields of these names; a single one as it is."""
    return attrgetter(*names) if names else read_nothing


def tuple_reader(names: Sequence[str]) -> Callable[[Fragment], tuple[Any, ...]]:
    """Reads the fields of these names, also a single one as a tuple."""
    if len(names) != 1:
        return reader(names)
    read = attrgetter(*names)
    return lambda fragment: (read(fragment),)


fields_of = cache(FragmentFields)


def has_fragments(hint: Any) -> bool:
    if isinstance(hint, type) and issubclass(hint, Fragment):
        return True
    return any(has_fragments(one) for one in get_args(hint))


def children_of(fragment: Fragment) -> tuple[Children, ...]:
    """The fragments directly in this one, place by place; made when they are asked for first."""
    fields = fields_of(type(fragment))
    if not fields.makes_parts:
        return fields.read_fragments(fragment)
    made: tuple[Children, ...] | None = fragment.__dict__.get("children")
    if made is None:
        made = tuple(fragment.parts().values())
        cast("dict[str, Any]", fragment.__dict__)["children"] = made
    return made


def made_once(make: Callable[P, T]) -> Callable[P, T]:
    """Keeps what a function makes of plain values: most of a board stays as it is after a move, at all tables."""
    return cast("Callable[P, T]", lru_cache(MADE_ONCE)(make))


def is_hashable(fragment: Fragment) -> bool:
    try:
        hash(fragment)
    except TypeError:
        return False
    return True


def flat(parts: Iterable[Children]) -> list[Fragment]:
    """Fragments of several places, one after the other."""
    found = list[Fragment]()
    for part in parts:
        if isinstance(part, tuple):
            found += part
        elif part is not None:
            found.append(part)
    return found
