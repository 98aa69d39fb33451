"""Remembers the last commands of a table, so that a repeated one is answered instead of done twice."""

from collections.abc import Iterator

#: How many are remembered.
MOST_COMMANDS = 128


class RecentCommands:
    """The last commands by their ids, each with the row that answers it.

    A table that is only foreseen shares what is stored with the present one, and has its own list of what isn't yet.
    """

    __slots__ = ("_foreseen", "_stored")

    def __init__(self, stored: dict[str, int] | None = None) -> None:
        self._stored = {} if stored is None else stored
        self._foreseen = list[tuple[str, int]]()

    def __len__(self) -> int:
        return len(self._stored)

    def __iter__(self) -> Iterator[int]:
        """The rows that answer them."""
        return iter(self._stored.values())

    def has_any_of(self, person: str) -> bool:
        """Whether somebody's commands are among them."""
        return any(name.startswith(f"{person}:") for name in self._stored)

    def find(self, command: str) -> int | None:
        """The row in which a command was answered, if it was lately."""
        for name, seq in self._foreseen:
            if name == command:
                return seq
        return self._stored.get(command)

    def add(self, command: str, seq: int) -> None:
        self._foreseen.append((command, seq))

    def settle(self) -> None:
        """Mark foreseen commands as stored, so that all later copies of the table share them."""
        for name, seq in self._foreseen:
            self._stored[name] = seq
            if len(self._stored) > MOST_COMMANDS:
                del self._stored[next(iter(self._stored))]
        self._foreseen = []

    def branch(self) -> "RecentCommands":
        """A copy for a foreseen table."""
        return RecentCommands(self._stored)
