"""What a page needs to come from one state of a fragment to another: the smallest fragments that changed."""

from nevel.web.rendering.fragment import Children, Fragment, fields_of, parts_of
from nevel.web.rendering.render import RenderContext, render


class DrawnChanges:
    """Draws what changed between fragments, once for all whose pages change alike."""

    __slots__ = ("_drawn", "place")

    def __init__(self, place: RenderContext) -> None:
        self.place = place
        self._drawn: dict[tuple[Fragment, Fragment], str | None] = {}

    def draw(self, old: Fragment, new: Fragment) -> str | None:
        """The markup of the smallest fragments by which a page that shows `old`, which differs, comes to show `new`.

        None where there are none, because something changed that has no id of its own: then all of it has to be
        replaced.
        """
        if fields_of(type(new)).fragments:
            return self._draw(old, new)  # to look it up would take as long as to look into it
        pair = (old, new)
        try:
            return self._drawn[pair]
        except KeyError:
            drawn = self._drawn[pair] = self._draw(old, new)
            return drawn
        except TypeError:  # some of it can't be hashed
            return self._draw(old, new)

    def _draw(self, old: Fragment, new: Fragment) -> str | None:
        kind = type(new)
        if type(old) is kind:
            fields = fields_of(kind)
            if fields.has_parts and fields.read_own(old) == fields.read_own(new):
                found = list[str]()
                before = parts_of(old)
                for name, part in parts_of(new).items():
                    if part is not before[name] and not self.add(before[name], part, found):
                        break
                else:
                    return "\n".join(found)
        element = new.id
        return render(new, self.place, old) if element and element == old.id else None

    def add(self, old: Children, new: Children, found: list[str]) -> bool:
        """Draw the same for the fragments of one place; False if there are more or fewer than there were."""
        if isinstance(new, tuple):
            if not isinstance(old, tuple) or len(old) != len(new):
                return False
            for before, after in zip(old, new, strict=True):
                if before is not after and before != after and not self._add(before, after, found):
                    return False
            return True
        if new is None or old is None or isinstance(old, tuple):
            return new is old
        return old == new or self._add(old, new, found)

    def _add(self, old: Fragment, new: Fragment, found: list[str]) -> bool:
        drawn = self.draw(old, new)
        if drawn:
            found.append(drawn)
        return drawn is not None
