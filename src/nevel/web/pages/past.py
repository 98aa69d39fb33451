"""All that one viewer was told of a game, kept from one change to the next, for boards that look back."""

from nevel.games.telling import Event
from nevel.tables.table import Table
from nevel.tables.view import told_since


class Past:
    """Grows with the game; begins anew when something was taken back."""

    def __init__(self, chair: int | None) -> None:
        self.chair = chair
        self._events: list[Event] = []
        self._told = -1
        self._moves = 0
        self._last_row = -1

    def events(self, table: Table) -> list[Event]:
        """Everything that happened so far, as far as the viewer may know."""
        moves = self._moves
        if moves and (len(table.played) < moves or table.played[moves - 1][0] != self._last_row):
            self._events, self._told = [], -1
        self._events += [told.event for told in told_since(table, self.chair, self._told)]
        self._told, self._moves = table.seq, len(table.played)
        self._last_row = table.played[-1][0] if table.played else -1
        return self._events
