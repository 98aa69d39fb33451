"""The story of a game in words, as one viewer is told it: the last lines of it, kept from one change to the next."""

from collections import deque

from nevel.games.telling import Teller
from nevel.tables.table import Table
from nevel.tables.view import told_since

#: Lines shown beside the board; all of them are in the replay.
SHOWN = 40


class Story:
    """The last lines, each with the row of the log it came from."""

    def __init__(self, chair: int | None) -> None:
        self.chair = chair
        self._lines: deque[tuple[str, str]] = deque(maxlen=SHOWN)
        self._told = -1
        self._moves = 0
        self._names: tuple[str, ...] = ()

    def lines(self, table: Table, teller: Teller) -> list[tuple[str, str]]:
        """What happened lately: a name for each line, and the line."""
        if table.game is None:
            return []
        names = tuple(teller.names)
        if len(table.played) < self._moves or names != self._names:
            # Something was taken back, or somebody is called something else now.
            self._lines.clear()
            self._told = -1
        since = self._told
        # Old lines aren't told only to be dropped.
        if since < 0 and len(table.played) > SHOWN:
            since = table.played[-SHOWN][0] - 1
        for number, told in enumerate(told_since(table, self.chair, since)):
            self._lines.append((f"{told.seq}-{number}", told.event.tell(teller)))
        self._told, self._moves, self._names = table.seq, len(table.played), names
        return list(self._lines)
