"""What a page needs to come from one state of a fragment to another: the smallest fragments that changed."""

from nevel.web.rendering.fragment import Children, Fragment, children_of, fields_of
from nevel.web.rendering.render import RenderContext, render


class DrawnChanges:
    """Draws what changed between fragments, once for all whose pages change alike."""

    __slots__ = ("_drawn", "place")

    def __init__(self, place: RenderContext) -> None:
        self.place = place
        self._drawn: dict[tuple[Children, Children], str | None] = {}

    def draw(self, old: Children, new: Children) -> str | None:
        """The markup of the smallest fragments by which a page that shows `old`, which differs, comes to show `new`.

        None where there are none, because something changed that has no id of its own: then all of it has to be
        replaced.
        """
        try:
            return self._drawn[old, new]
        except KeyError:
            is_kept = True
        except TypeError:  # some of it can't be hashed
            is_kept = False
        found = list[str]()
        drawn = "\n".join(found) if self._add(old, new, found) else None
        if is_kept:
            self._drawn[old, new] = drawn
        return drawn

    def _add(self, old: Children, new: Children, found: list[str]) -> bool:
        """Draw what differs in one place; False if there are more or fewer fragments than there were."""
        if isinstance(new, tuple):
            if not isinstance(old, tuple) or len(old) != len(new):
                return False
            for before, after in zip(old, new, strict=True):
                if before is not after and before != after and not self._add_fragment(before, after, found):
                    return False
            return True
        if new is None or old is None or isinstance(old, tuple):
            return new is old
        return old == new or self._add_fragment(old, new, found)

    def _add_fragment(self, old: Fragment, new: Fragment, found: list[str]) -> bool:
        """Draw what differs in a fragment: parts of it where that is enough, otherwise all of it."""
        kind = type(new)
        if type(old) is kind:
            fields = fields_of(kind)
            if fields.has_parts and (not fields.own or fields.read_own(old) == fields.read_own(new)):
                count = len(found)
                for before, part in zip(children_of(old), children_of(new), strict=True):
                    if part is not before and part != before and not self._add(before, part, found):
                        del found[count:]
                        break
                else:
                    return True
        element = new.id
        if not element or element != old.id:
            return False
        found.append(render(new, self.place, old))
        return True
