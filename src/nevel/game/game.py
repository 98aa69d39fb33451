"""A game in progress: prompts, legal moves, playing, events, views and the result."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from struct import Struct
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from nevel.engine import chance, dispatch, tracing
from nevel.engine.knowledge import Knowledge, Past, remember, replay
from nevel.engine.playing import play
from nevel.game.box import Box
from nevel.game.clause import Clause
from nevel.game.event import Event, TraceRow
from nevel.game.history import History
from nevel.game.move import IllegalMoveError, Move
from nevel.game.position import SCRATCH, LazyRecord, Position
from nevel.game.spec import GameSpec
from nevel.game.vocabulary import Outcome, Prompt, View
from nevel.languages import SpokenError, mark

SEED_BITS = 128
WORDS = Struct("<4I")
#: A key as the random generator of a record has it.
CHANCE = Struct("=4q")
#: Random numbers go on from the seed.
NO_KEY = (0,) * chance.RNG_WORDS
#: Bytes that are hashed at once: with more, Python releases the GIL, and getting it back takes longer.
PORTION = 2_000


class Entry(msgspec.Struct, frozen=True):
    """One move of a game's log, what it made happen, and a fingerprint of the position after it."""

    seat: int
    move: Move
    events: tuple[tuple[int, Event], ...]
    after: str
    key: str | None = None


class Game:
    """One game from its deal to its end.

    >>> import nevel
    >>> game = nevel.new("the-game", seats=1, seed=3)
    >>> game.prompt(0).question
    'play'
    >>> game.why_not(0, "end turn").id.startswith("TG-")
    True
    """

    def __init__(
        self,
        spec: GameSpec,
        seats: int,
        seed: int | None = None,
        box: Box | None = None,
        names: Sequence[str] = (),
        options: Mapping[str, object] | None = None,
    ) -> None:
        vocabulary = spec.vocabulary
        vocabulary.check_seats(seats)
        self.spec = spec
        self.vocabulary = vocabulary
        self.seats = seats
        self.seed = secrets.randbits(SEED_BITS) if seed is None else seed
        if not 0 <= self.seed < 1 << SEED_BITS:
            raise SpokenError(mark("A seed is a whole number of at most {bits} bits, 0 or higher."), bits=SEED_BITS)
        self.box = box or Box.of(spec.name)
        if self.box.game != spec.name:
            raise self.box.error_for(spec.name)
        self.names = list(names)
        self.options = vocabulary.read_options(options or {})
        self.log = History[Entry]()
        #: How many moves of the log drew something by chance.
        self.draws = 0
        memory = bytearray(vocabulary.layout.size)
        state: Any = np.ndarray((1,), vocabulary.layout.record, memory)[0]
        trace = SCRATCH.cleared_trace()
        chance.key(state.chance, *key_words(hashed_seed(self.seed)))
        vocabulary.rules.setup(state, seats, self.box.numbers, vocabulary.option_numbers(self.options), trace)
        #: The bytes of the rules' record, now and after the deal.
        self._content = self._first = bytes(memory)
        #: The same, once `state` was asked for and may have been changed.
        self._memory: bytearray | None = None
        self._state: Any = None
        self._position: Position | None = None
        self.opening = tuple(self._read_trace(trace, LazyRecord(vocabulary.layout, self._content)))

    @property
    def name(self) -> str:
        return self.spec.name

    @property
    def state(self) -> Any:
        """The record of the rules. Everything is in it: never show it to anyone."""
        if self._memory is None:
            self._memory = bytearray(self._content)
            self._state = np.ndarray((1,), self.vocabulary.layout.record, self._memory)[0]
        return self._state

    # ------------------------------------------------------------ questions

    @property
    def position(self) -> Position:
        """The position in numbers, with what follows from it; read anew when it has changed."""
        if self._memory is not None and not self._memory.startswith(self._content):
            self._content, self._position = bytes(self._memory), None
        if self._position is None:
            self._position = Position.of(self.vocabulary.layout, self._content, self.seats)
        return self._position

    @property
    def is_over(self) -> bool:
        return self.position.clause != 0

    @property
    def waiting_for(self) -> list[int]:
        """The seats to act; several when choices are simultaneous."""
        return self.position.waiting_for

    def prompts(self) -> list[Prompt]:
        """What every seat that is waited for is asked."""
        return [prompt for seat in self.waiting_for if (prompt := self.prompt(seat))]

    def prompt(self, seat: int) -> Prompt | None:
        """What a seat is asked, or None when nobody waits for it."""
        position = self.position
        if seat not in position.waiting_for:
            return None
        question = self.vocabulary.question(position, seat)
        moves = tuple(move.text for move in self.legal_moves(seat) if not self.vocabulary.is_hint(move))
        return Prompt(seat, question, self.vocabulary.questions[question], moves)

    def legal_moves(self, seat: int) -> list[Move]:
        """Everything a seat may do now, hints included."""
        return [self.vocabulary.moves[number] for number in self.position.legal(self._seat(seat))]

    def hints(self, seat: int) -> list[Move]:
        """What a seat may say now, asked or not."""
        return [move for move in self.legal_moves(seat) if self.vocabulary.is_hint(move)]

    def why_not(self, seat: int, move: Move | str) -> Clause | None:
        """The clause that forbids a move, or None when it is legal."""
        return self.spec.rulebook.refusal(
            int(self.vocabulary.rules.refusal(self.state, self._seat(seat), self._move(move).number))
        )

    def is_legal(self, seat: int, move: Move | str) -> bool:
        return self.why_not(seat, move) is None

    def why_lost(self, seat: int, move: Move | str) -> Clause | None:
        """The clause by which a legal move loses the game for certain, or None; interfaces warn of it."""
        return self.spec.rulebook.refusal(
            int(self.vocabulary.rules.losing_clause(self.state, self._seat(seat), self._move(move).number))
        )

    def lost_moves(self, seat: int) -> dict[str, Clause]:
        """The legal moves of a seat that lose the game for certain, each with the clause."""
        numbers = self.position.legal_moves(self._seat(seat))
        codes = zip(numbers, self.position.losing_clauses(seat, numbers), strict=True)
        return {self.vocabulary.moves[number].text: self.spec.rulebook.by_code[code] for number, code in codes if code}

    def view(self, seat: int | None) -> View:
        """What a seat may see; None is a spectator."""
        return self.vocabulary.view(self.position, None if seat is None else self._seat(seat))

    def knowledge(self, seat: int) -> Knowledge:
        """What a seat may know, now and before every move, in the records of the rules: what a bot gets."""
        states, movers, moves, keys = self._from_the_first()
        remember(states, self._seat(seat), movers, moves, keys)
        return Knowledge(seat, states, movers, moves)

    def past(self) -> Past:
        """Every position from the deal to now. Everything is in them: never show them to anyone."""
        states, movers, moves, keys = self._from_the_first()
        drew = np.zeros(len(moves), np.bool_)
        replay(states, movers, moves, keys, drew)
        return Past(states, movers, moves, drew)

    def story(self, seat: int | None) -> list[Event]:
        """What has happened so far, as far as a seat may know; None is a spectator."""
        told = [event for audience, event in self.opening if audience in (tracing.EVERYONE, seat)]
        for entry in self.log:
            told += [event for audience, event in entry.events if audience in (tracing.EVERYONE, seat)]
        return told

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, or None while it goes on."""
        position = self.position
        clause = self.spec.rulebook.refusal(position.clause)
        if clause is None:
            return None
        result = position.result[: self.seats]
        return Outcome(
            clause.id, [points for points, _ in result], [seat for seat in range(self.seats) if result[seat][1]]
        )

    # ------------------------------------------------------------ playing

    def play(self, seat: int, move: Move | str, key: str | None = None) -> list[Event]:
        """Play a move; gives what happened, as far as that seat may know.

        With a `key` of 32 hexadecimal digits the chance of this move is drawn from it instead of from the seed.
        """
        chosen, layout = self._move(move), self.vocabulary.layout
        drawn = NO_KEY if key is None else key_words(key_bytes(key))
        before = self._content if self._memory is None else bytes(self._memory)
        memory, records = SCRATCH.load_position(layout, before)
        trace, result = SCRATCH.cleared_trace(), SCRATCH.cleared_result()
        clause = play(records, self._seat(seat), chosen.number, *drawn, trace, result)
        if clause:
            raise IllegalMoveError(seat, chosen, self.spec.rulebook.by_code[clause])
        self._content = after = bytes(memory[: layout.size])
        undrawn = before[layout.chance] if key is None else CHANCE.pack(*drawn)
        self.draws += after[layout.chance] != undrawn
        if self._memory is not None:
            self._memory[:] = after
        self._position = Position(layout, after, self.seats, result.tolist())
        events = tuple(self._read_trace(trace, LazyRecord(layout, before)))
        self.log.append(Entry(seat, chosen, events, hash_record(layout.hashed.of(after)), key))
        return [event for audience, event in events if audience in (tracing.EVERYONE, seat)]

    def fingerprint(self) -> str:
        """A hash of the exact position, hidden cards and random state included.

        Fields that were added when games had been saved count only when they aren't 0: older games keep their hashes.
        """
        return hash_record(self.vocabulary.layout.hashed.of(self.position.content))

    def copy(self) -> "Game":
        """An independent copy."""
        twin = object.__new__(Game)
        twin.__dict__ = self.__dict__.copy()
        twin.names = list(self.names)
        twin.log = self.log.copy()
        if self._memory is not None:
            twin._content, twin._memory, twin._position = bytes(self._memory), None, None
        return twin

    def rewind(self, count: int) -> "Game":
        """The game as it was after its first moves, in a small part of the time that playing them again takes."""
        twin = self.copy()
        twin.log = History(self.log[:count])
        states, movers, moves, keys = twin._from_the_first()
        drew = np.zeros(count, np.bool_)
        replay(states, movers, moves, keys, drew)
        twin.draws = int(drew.sum())
        twin._content, twin._memory, twin._position = states[count].tobytes(), None, None
        return twin

    def _from_the_first(self) -> tuple[np.ndarray, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """An array for every position, with the first filled in; the seats, moves and keys of the log."""
        moves = np.array([entry.move.number for entry in self.log], np.int64)
        movers = np.array([entry.seat for entry in self.log], np.int64)
        keys = np.array([key_words(key_bytes(entry.key)) if entry.key else [0] * 4 for entry in self.log], np.int64)
        states = dispatch.new_states(self.vocabulary.rules, len(moves) + 1)
        states[0] = np.frombuffer(self._first, states.dtype)[0]
        return states, movers, moves, keys.reshape(-1, 4)

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.seats:
            raise SpokenError(
                mark("There is no seat {seat}; there are {seats}, counted from 0."), seat=seat, seats=self.seats
            )
        return seat

    def _move(self, move: Move | str) -> Move:
        return self.vocabulary.moves.parse(move) if isinstance(move, str) else move

    def _read_trace(self, trace: NDArray[np.int16], before: LazyRecord) -> list[tuple[int, Event]]:
        count = int(trace[0, 0])
        rows = [TraceRow(kind, audience, tuple(facts)) for kind, audience, *facts in trace[1 : count + 1].tolist()]
        return self.vocabulary.events(rows, before)


def hash_record(content: bytes) -> str:
    """A short hash of the bytes of a record."""
    hashed = hashlib.blake2b(content[:PORTION], digest_size=4)
    for first in range(PORTION, len(content), PORTION):
        hashed.update(content[first : first + PORTION])
    return hashed.hexdigest()


def hashed_seed(seed: int) -> bytes:
    """A seed hashed to 128 bits: seeds people choose are mostly zeros, from which the generator starts slowly."""
    return hashlib.blake2b(seed.to_bytes(SEED_BITS // 8, "little"), digest_size=16, person=b"nevel").digest()


def key_bytes(key: str) -> bytes:
    """A key written in hexadecimal digits."""
    try:
        return bytes.fromhex(key)
    except ValueError as problem:
        raise SpokenError(mark("A key is written in hexadecimal digits, not “{key}”."), key=key) from problem


def key_words(key: bytes) -> list[int]:
    """A 128-bit key as the four 32-bit words the rules take."""
    if len(key) != SEED_BITS // 8:
        raise SpokenError(mark("A key has {expected} bytes, not {found}."), expected=SEED_BITS // 8, found=len(key))
    return list(WORDS.unpack(key))
