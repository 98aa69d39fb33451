"""A position decoded into plain numbers once: NumPy takes a hundred times as long to look fields up one by one."""

import threading
from collections.abc import Callable, Mapping
from itertools import pairwise
from operator import itemgetter
from struct import Struct
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nevel.engine import chance, dispatch, tracing
from nevel.engine.playing import list_legal, list_losing_clauses, standing

Numbers = tuple[int, ...]
#: Where one number or several in a row are, and a function that picks rows of them.
Place = int | slice
Pick = Callable[[Numbers], Any]


class Layout:
    """The layout of a game's record, whose fields are all 64-bit integers, with the number of its moves, of which the
    last may be hints.
    """

    def __init__(
        self,
        record: np.dtype[Any],
        moves: int,
        first_hint: int,
        later_fields: tuple[str, ...] = (),
        lengthened: Mapping[str, int] | None = None,
    ) -> None:
        self.record = np.dtype((np.record, record))
        self.size = record.itemsize
        self.hashed = HashedParts(record, later_fields, lengthened or {})
        self.moves = moves
        self.first_hint = first_hint
        first = (record.fields or {})["chance"][1]
        #: Where the state of the random generator stands.
        self.chance = slice(first, first + 8 * chance.RNG_WORDS)
        #: The shapes of the fields, in the order of the record.
        self.fields: dict[str, tuple[int, ...]] = {
            name: field[0].shape for name, field in (record.fields or {}).items()
        }
        # What reads the fields that were ever asked for: half of the numbers never are. Threads share it, so another
        # takes its place as a whole.
        self._decoder = self._decoder_for({name for name, shape in self.fields.items() if not shape})

    def read(self, content: bytes, name: str) -> dict[str, Any]:
        """Decode a field of a record and all others that were ever asked for, as numbers and nested tuples."""
        decoder = self._decoder
        if name not in decoder.wanted:
            decoder = self._decoder = self._decoder_for(decoder.wanted | {name})
        numbers = decoder.numbers.unpack(content)
        fields = dict(zip(decoder.plain, decoder.pick(numbers), strict=True))
        for several, pick in decoder.nested:
            fields[several] = pick(numbers)
        return fields

    def _decoder_for(self, wanted: set[str]) -> "FieldDecoder":
        """A decoder for these fields; at least two of them must be plain numbers."""
        kinds, first = list[str](), 0
        plain, nested = dict[str, Place](), list[tuple[str, Pick]]()
        for name, shape in self.fields.items():
            count = int(np.prod(shape))
            if name not in wanted:
                kinds.append(f"{8 * count}x")
                continue
            kinds.append(f"{count}q")
            if len(shape) > 1:
                nested.append((name, picker(shape, first)))
            else:
                plain[name] = slice(first, first + count) if shape else first
            first += count
        return FieldDecoder(wanted, Struct("=" + "".join(kinds)), tuple(plain), itemgetter(*plain.values()), nested)


class HashedParts:
    """Which bytes of a record its hash is made of: those it had when games were saved first.

    What was added since, fields at its end or entries at the end of a field's last dimension, counts only when it isn't
    0, so that older games keep their hashes.
    """

    def __init__(self, record: np.dtype[Any], later_fields: tuple[str, ...], lengthened: Mapping[str, int]) -> None:
        is_first = np.ones(record.itemsize, np.bool_)
        for name, (kind, start, *_) in (record.fields or {}).items():
            if name in later_fields:
                is_first[start : start + kind.itemsize] = False
            elif name in lengthened:
                entries = is_first[start : start + kind.itemsize].reshape(-1, kind.shape[-1], kind.base.itemsize)
                entries[:, lengthened[name] :] = False
        #: Where what is new begins and ends, in turn with what isn't; the first part isn't new.
        turns = [0, *(np.flatnonzero(is_first[1:] != is_first[:-1]) + 1).tolist(), record.itemsize]
        parts = [slice(start, end) for start, end in pairwise(turns)]
        self.first, self.later = parts[::2], parts[1::2]

    def of(self, content: bytes) -> bytes:
        """What a record's hash is made of."""
        if not self.later or any(any(content[part]) for part in self.later):
            return content
        return b"".join([content[part] for part in self.first])


class FieldDecoder(NamedTuple):
    """Decodes the wanted fields of a record: unpacks all their numbers, then picks plain fields at once and nested ones
    one by one.
    """

    wanted: set[str]
    numbers: Struct
    plain: tuple[str, ...]
    pick: Pick
    nested: list[tuple[str, Pick]]


def picker(shape: tuple[int, ...], first: int) -> Pick:
    """A function that picks a field of several dimensions out of all numbers."""
    pick = slicer(int(np.prod(shape[:-1])), shape[-1], first)
    for dimension in range(len(shape) - 2, 0, -1):
        pick = gathered(pick, slicer(int(np.prod(shape[:dimension])), shape[dimension]))
    return pick


def slicer(count: int, width: int, first: int = 0) -> Pick:
    """A function that cuts so many pieces of the same width."""
    return itemgetter(*(slice(start, start + width) for start in range(first, first + count * width, width)))


def gathered(pick: Pick, gather: Pick) -> Pick:
    return lambda numbers: gather(pick(numbers))


class LazyRecord:
    """The fields of a record as attributes, decoded when the first of them is asked for."""

    def __init__(self, layout: Layout, content: bytes) -> None:
        self.layout = layout
        #: The bytes of the record.
        self.content = content

    def __getattr__(self, name: str) -> Any:
        if name not in self.layout.fields:
            raise AttributeError(name)
        self.__dict__.update(self.layout.read(self.content, name))
        return self.__dict__[name]


class ScratchMemory(threading.local):
    """Scratch buffers of one thread for calling the rules: two records per layout, a trace, a result and a mask.

    Reused, because making arrays takes longer than most calls.
    """

    def __init__(self) -> None:
        self.trace = tracing.blank()
        self.result = np.zeros((dispatch.MOST_SEATS + 1, 2), np.int64)
        self._records = dict[Layout, tuple[memoryview, np.ndarray]]()
        self._masks = dict[Layout, NDArray[np.int8]]()

    def cleared_trace(self) -> NDArray[np.int16]:
        self.trace[0, 0] = 0
        return self.trace

    def cleared_result(self) -> NDArray[np.int64]:
        self.result.fill(0)
        return self.result

    def mask(self, layout: Layout) -> NDArray[np.int8]:
        """A mask with an entry for every move."""
        if layout not in self._masks:
            self._masks[layout] = np.zeros(layout.moves, np.int8)
        return self._masks[layout]

    def load_position(self, layout: Layout, content: bytes) -> tuple[memoryview, np.ndarray]:
        """Copy a position into the scratch records; gives their memory, and the position with the one before it."""
        found = self._records.get(layout)
        if found is None:
            memory = bytearray(2 * layout.size)
            found = self._records[layout] = (memoryview(memory), np.ndarray((2,), layout.record, memory))
        found[0][: layout.size] = content
        return found


SCRATCH = ScratchMemory()


class Position(LazyRecord):
    """A decoded record with what follows from it by the rules: who is waited for, legal moves, how it ended."""

    def __init__(self, layout: Layout, content: bytes, seats: int, result: list[list[int]]) -> None:
        super().__init__(layout, content)
        #: Points and victory by seat; then the clause by which it ended, or 0, and who is waited for.
        self.result = result
        self.clause, waiting = result[dispatch.MOST_SEATS]
        self.waiting_for = [seat for seat in range(seats) if waiting >> seat & 1]
        self._seats = seats
        self._legal: memoryview | None = None
        #: A cache: the fields of a view that all seats share, and what else the vocabulary keeps for `own_view`.
        self.common: dict[str, Any] | None = None
        self.found: Any = None

    @classmethod
    def of(cls, layout: Layout, content: bytes, seats: int) -> "Position":
        """Decode a position and ask the rules for its result."""
        result = SCRATCH.cleared_result()
        standing(SCRATCH.load_position(layout, content)[1], result)
        return cls(layout, content, seats, result.tolist())

    def legal(self, seat: int) -> list[int]:
        """The numbers of a seat's legal moves, hints included."""
        legal, first = self._legal or self._list_legal(), seat * (2 + self.layout.moves)
        return legal[first + 2 : first + 2 + legal[first]].tolist()

    def legal_moves(self, seat: int) -> list[int]:
        """The numbers of a seat's legal moves, hints left out."""
        legal, first = self._legal or self._list_legal(), seat * (2 + self.layout.moves)
        return legal[first + 2 : first + 2 + legal[first + 1]].tolist()

    def legal_hints(self, seat: int) -> bytes:
        """The numbers of a seat's legal hints as bytes, two each: a key for caches."""
        legal, first = self._legal or self._list_legal(), seat * (2 + self.layout.moves)
        return legal[first + 2 + legal[first + 1] : first + 2 + legal[first]].tobytes()

    def _list_legal(self) -> memoryview:
        """For every seat how many legal moves it has, how many of them aren't hints, and their numbers."""
        found = np.empty((self._seats, 2 + self.layout.moves), np.int16)
        records, mask = SCRATCH.load_position(self.layout, self.content)[1], SCRATCH.mask(self.layout)
        list_legal(records, self._seats, self.layout.first_hint, mask, found)
        self._legal = found.reshape(-1).data
        return self._legal

    def losing_clauses(self, seat: int, moves: list[int]) -> list[int]:
        """For each of a seat's legal moves, the clause by which it loses for certain, or 0."""
        found = np.empty(len(moves), np.int64)
        list_losing_clauses(SCRATCH.load_position(self.layout, self.content)[1], seat, np.array(moves, np.int64), found)
        return found.tolist()

    def drop_caches(self) -> None:
        """Drop what can be decoded again: it takes more memory than all else of a game."""
        self.__dict__ = {
            "layout": self.layout,
            "content": self.content,
            "result": self.result,
            "clause": self.clause,
            "waiting_for": self.waiting_for,
            "_seats": self._seats,
            "_legal": None,
            "common": None,
            "found": None,
        }
