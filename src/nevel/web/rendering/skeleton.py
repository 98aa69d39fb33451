"""Pages around pieces: what stands between the pieces of a frame is drawn once for all frames of the same shape.

The shape of a frame is everything its template is given, with only a mark where a piece goes. Two frames of one shape
differ in nothing but their pieces, whoever they are for: a template may show a piece, or ask whether it is there, and
nothing else.
"""

from collections.abc import Mapping
from typing import Any

from minijinja import safe

from nevel.web.rendering.pieces import SAFE, Skeleton, mark_for
from nevel.web.rendering.templates import templates

#: Skeletons kept, of all games and languages together; the oldest goes first.
KEPT = 2_048
#: What stands in a shape for a piece that is there, for where values with names begin and those without, and for where
#: they end.
PIECE, NAMED, UNNAMED, END = object(), object(), object(), object()

#: What was drawn, by language, template and shape.
skeletons: dict[tuple[object, ...], Skeleton] = {}


def draw(language_code: str, template: str, values: Mapping[str, Any]) -> str:
    """A template filled with values, among them pieces, which are safe strings."""
    shape: list[object] = [language_code, template]
    pieces = list[str]()
    note_named(values, shape, pieces)
    key = tuple(shape)
    found = skeletons.get(key)
    if found is None:
        if len(skeletons) == KEPT:
            del skeletons[next(iter(skeletons))]
        found = skeletons[key] = Skeleton(templates(language_code).render(template, **marked(values, [])))
    return found.fill(pieces)


def note_named(values: Mapping[Any, Any], shape: list[object], pieces: list[str]) -> None:
    """Write down the shape of values with names, and their pieces."""
    for name, value in values.items():
        kind = type(value)  # pyright: ignore[reportUnknownVariableType]
        shape.append(name)
        if kind is SAFE and value:
            shape.append(PIECE)
            pieces.append(value)
        elif kind is dict or kind is list:
            note_several(value, shape, pieces)
        else:
            shape.append(value)


def note_several(values: dict[str, Any] | list[Any], shape: list[object], pieces: list[str]) -> None:
    if isinstance(values, dict):
        shape.append(NAMED)
        note_named(values, shape, pieces)
    else:
        shape.append(UNNAMED)
        note_named(dict(enumerate(values)), shape, pieces)
    shape.append(END)


def marked(value: Any, marks: list[str]) -> Any:
    """The same values, with a mark for every piece."""
    kind = type(value)  # pyright: ignore[reportUnknownVariableType]
    if kind is SAFE and value:
        marks.append(safe(mark_for(len(marks))))
        return marks[-1]
    if kind is dict:
        return {name: marked(one, marks) for name, one in value.items()}
    if kind is list:
        return [marked(one, marks) for one in value]
    return value
