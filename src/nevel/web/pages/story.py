"""The story of a game in words, as one viewer is told it: the last lines of it, kept from one change to the next."""

from collections import deque

from nevel.games.telling import Event, Teller, hyphenated
from nevel.games.the_game_story import Played
from nevel.tables.table import Table
from nevel.tables.view import told_since

#: Lines shown beside the board; all of them are in the replay.
SHOWN = 40


#: A name, the kind of event, and the sentence.
Line = tuple[str, str, str]


class Story:
    """The last lines, each with a name of its own and the kind of event it tells of, for sounds and guides."""

    def __init__(self, chair: int | None) -> None:
        self.chair = chair
        self._lines: deque[Line] = deque(maxlen=SHOWN)
        self._told = -1
        self._moves = 0
        self._last_row = -1
        self._names: tuple[str, ...] = ()

    def lines(self, table: Table, teller: Teller) -> list[Line]:
        """What happened lately."""
        if table.game is None:
            return []
        names = tuple(teller.names)
        moves = self._moves
        is_taken_back = moves > len(table.played) or (moves > 0 and table.played[moves - 1][0] != self._last_row)
        if is_taken_back or names != self._names:
            # Something was taken back, or somebody is called something else now.
            self._lines.clear()
            self._told = -1
        since = self._told
        # Old lines aren't told only to be dropped.
        if since < 0 and len(table.played) > SHOWN:
            since = table.played[-SHOWN][0] - 1
        for number, told in enumerate(told_since(table, self.chair, since)):
            self._lines.append((f"{told.seq}-{number}", kind_of(told.event), told.event.tell(teller)))
        self._told, self._moves, self._names = table.seq, len(table.played), names
        self._last_row = table.played[-1][0] if table.played else -1
        return list(self._lines)


def kind_of(event: Event) -> str:
    """What happened, in a word; a trick sounds like more than a card."""
    if isinstance(event, Played) and event.is_trick:
        return "trick"
    return hyphenated(type(event).__name__)
