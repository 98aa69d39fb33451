"""A list that only grows and is copied in constant time: copies share what they have in common."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar, overload

Item = TypeVar("Item")


class History(Sequence[Item]):
    """An append-only list with cheap copies.

    >>> first = History("ab")
    >>> twin = first.copy()
    >>> twin.append("c")
    >>> first.append("x")
    >>> first, twin
    (History(['a', 'b', 'x']), History(['a', 'b', 'c']))
    """

    __slots__ = ("_count", "_items")

    def __init__(self, items: Iterable[Item] = ()) -> None:
        #: Perhaps longer than this one: copies may have appended to it.
        self._items = list(items)
        self._count = len(self._items)

    def copy(self) -> "History[Item]":
        """An independent copy, in constant time."""
        twin = object.__new__(type(self))
        twin._items, twin._count = self._items, self._count
        return twin

    def append(self, item: Item) -> None:
        if len(self._items) != self._count:
            self._items = self._items[: self._count]  # a copy has appended something else
        self._items.append(item)
        self._count += 1

    def __len__(self) -> int:
        return self._count

    def __bool__(self) -> bool:
        return self._count > 0

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | list[Item]:
        if isinstance(index, slice):
            return [self._items[i] for i in range(*index.indices(self._count))]
        if index < 0:
            index += self._count
        if not 0 <= index < self._count:
            raise IndexError(index)
        return self._items[index]

    def __iter__(self) -> Iterator[Item]:
        return islice(self._items, self._count)

    def __reversed__(self) -> Iterator[Item]:
        return islice(reversed(self._items), len(self._items) - self._count, None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History | list) and [*self] == [*other]

    def __repr__(self) -> str:
        return f"History({list(self)!r})"
