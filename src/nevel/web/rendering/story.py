"""The story of a game in words, as one viewer is told it: the last lines of it, kept from one change to the next."""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from itertools import islice
from typing import NamedTuple

import msgspec

from nevel.engine.tracing import EVERYONE
from nevel.game.event import Event, Teller, hyphenated, is_told_to
from nevel.tables.domain.table import Table
from nevel.tables.views.view import Scene, happened_since
from nevel.web.rendering.fragment import Drawn
from nevel.web.rendering.templates import in_ascii

#: Lines shown beside the board; all of them are in the replay.
SHOWN = 40
#: The id of the last thing that happened, where it stands by itself.
LATEST = "latest"

encode = msgspec.json.Encoder().encode


class StoryLine(NamedTuple):
    """Something that happened: who may know of it, the sentence that tells it, and its place in the page."""

    audience: int
    event: Event
    item: str
    #: The same where the last thing that happened stands by itself.
    latest: Drawn
    #: The same with its steps, if it is staged.
    staged: str


class Story:
    """The last lines, each with a name of its own and the kind of event it tells of, for sounds and guides."""

    def __init__(self, chair: int | None) -> None:
        self.chair = chair
        #: The last thing that happened.
        self.latest: Drawn | None = None
        #: What is staged of what the last update told, as a list beside the page; nothing for whoever didn't see it
        #: happen.
        self.staged = ""
        #: How often it was begun anew, because something was taken back or somebody is called something else now.
        self.times = 0
        #: How many lines were told since it was begun anew, those that aren't shown any more included.
        self.count = 0
        self._lines: deque[str] = deque(maxlen=SHOWN)
        self._told = -1
        self._moves = 0
        self._last_row = -1
        self._names: Sequence[str] = ()
        #: Whether what happens next is seen as it happens: the table was looked at before.
        self._is_live = False

    def update(self, scene: Scene, teller: Teller) -> None:
        """Tell what happened since the last time."""
        table = scene.table
        if table.game is None:
            self._is_live, self._names = True, teller.names
            return
        names, played, moves = teller.names, table.played, self._moves
        count = len(played)
        is_taken_back = moves > count or (moves > 0 and played[moves - 1][0] != self._last_row)
        if is_taken_back or (names is not self._names and names != self._names):
            self._lines.clear()
            self.latest = None
            self._is_live = False
            self._told = -1
            self.times += 1
            self.count = 0
        self.staged, since = "", self._told
        if since < 0:
            since = before_the_last(table, self.chair)
        if since < table.seq:
            # Told once to all who read it in this language.
            name = f"story {teller.language.code} {since}"
            known = scene.once(name, lambda scene: tell_since(scene, since, teller))
            if any(line.audience != EVERYONE or line.event.told_otherwise_to is not None for line in known):
                known = [line for line in known if is_told_to(self.chair, line.audience, line.event)]
            if known:
                self._lines.extend([line.item for line in known])
                self.count += len(known)
                self.latest = known[-1].latest
                if self._is_live:
                    self.staged = stage_all([line.staged for line in known])
        self._is_live = True
        self._told, self._moves, self._names = table.seq, count, names
        self._last_row = played[-1][0] if count else -1

    @property
    def has_lines(self) -> bool:
        return bool(self._lines)

    @property
    def markup(self) -> str:
        """All lines that are shown."""
        return "".join(self._lines)

    def after(self, count: int) -> str:
        """The lines after so many, as far as they are still shown."""
        added = min(self.count - count, len(self._lines))
        return "".join(islice(self._lines, len(self._lines) - added, None)) if added else ""


def before_the_last(table: Table, chair: int | None) -> int:
    """The row after which the lines begin that are shown: old ones aren't told only to be dropped."""
    assert table.game is not None
    count = 0
    for (row, _), entry in zip(reversed(table.played), reversed(table.game.log), strict=False):
        count += sum([is_told_to(chair, audience, event) for audience, event in entry.events])
        if count >= SHOWN:
            return row - 1
    return -1


def tell_since(scene: Scene, since: int, teller: Teller) -> list[StoryLine]:
    """What happened after a row, line by line.

    A line's name says its row and its place among those that as many may know: it doesn't tell of others' lines.
    """
    lines: list[StoryLine] = []
    places = Counter[tuple[int, int]]()
    for audience, told in happened_since(scene.table, since):
        place = places[told.seq, audience]
        places[told.seq, audience] += 1
        name = f"told-{told.seq}-{place}" if audience == EVERYONE else f"told-{told.seq}-own-{place}"
        kind, text = kind_of(told.event), in_ascii(escape(told.event.tell(teller)))
        latest = f'<p class="latest" id="{LATEST}" aria-hidden="true">{text}</p>'
        item = f'<li id="{name}" data-event="{kind}">{text}</li>'
        lines.append(StoryLine(audience, told.event, item, Drawn(LATEST, latest), stage(told.event, name, text)))
    return lines


def stage(event: Event, name: str, text: str) -> str:
    """How an event is staged: its steps, with its line of the story and its sentence; nothing if it isn't."""
    steps = event.steps
    if not steps:
        return ""
    return f'<li data-line="{name}" data-steps="{in_ascii(escape(encode(steps).decode()))}">{text}</li>'


def stage_all(lines: Iterable[str]) -> str:
    """All that is staged on the way to a page, as a list that isn't to be seen."""
    staged = "".join(lines)
    return f"<ol data-staging hidden>{staged}</ol>" if staged else ""


def kind_of(event: Event) -> str:
    """What happened, in a word: for sounds and guides."""
    return event.sound or kind_name(type(event))


@cache
def kind_name(kind: type[Event]) -> str:
    return hyphenated(kind.__name__)
