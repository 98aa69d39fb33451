"""A game as people speak of it: who is asked what, what may be played, what happened, what one sees."""

import hashlib
import secrets
import threading
from collections.abc import Mapping, Sequence
from struct import Struct
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from nevel.boxes import Box
from nevel.games.clauses import BY_CODE, Clause
from nevel.games.move import IllegalMoveError, Move, clause_of
from nevel.games.reading import Layout, Position, Reading, blank_result
from nevel.games.telling import Event, Row
from nevel.games.vocabulary import Outcome, Prompt, View, Vocabulary
from nevel.languages import SpokenError, mark
from nevel.rules import any_game, chance, tracing
from nevel.rules.knowledge import Knowledge, Past, remember, replay
from nevel.rules.playing import play

SEED_BITS = 128
WORDS = Struct("<4I")
#: The chance of a move goes on from the seed.
NO_KEY = np.zeros(chance.LANES, np.int64)
#: Bytes that are hashed at once: with more, Python lets other threads go first.
PORTION = 2_000


class Desk(threading.local):
    """Where a thread makes its moves: room for a position with the one before it, by layout, and for a trace."""

    def __init__(self) -> None:
        self.trace = tracing.blank()
        self._records = dict[Layout, tuple[bytearray, np.ndarray]]()

    def cleared_trace(self) -> NDArray[np.int16]:
        self.trace[0, 0] = 0
        return self.trace

    def records(self, layout: Layout) -> tuple[bytearray, np.ndarray]:
        """The memory of both positions, and the records in it."""
        if layout not in self._records:
            memory = bytearray(2 * layout.size)
            self._records[layout] = (memory, np.ndarray((2,), layout.record, memory))
        return self._records[layout]


DESK = Desk()


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
    >>> str(game.why_not(0, "end turn").id)
    'TG-T1'
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        seats: int,
        seed: int | None = None,
        box: Box | None = None,
        names: Sequence[str] = (),
        options: Mapping[str, object] | None = None,
    ) -> None:
        vocabulary.check_seats(seats)
        self.vocabulary = vocabulary
        self.seats = seats
        self.seed = secrets.randbits(SEED_BITS) if seed is None else seed
        if not 0 <= self.seed < 1 << SEED_BITS:
            raise SpokenError(mark("A seed is a whole number from 0 on, of at most {bits} bits."), bits=SEED_BITS)
        self.box = box or Box.of(vocabulary.name)
        if self.box.game != vocabulary.name:
            raise self.box.error_for(vocabulary.name)
        self.names = list(names)
        self.options = vocabulary.read_options(options or {})
        self.log: list[Entry] = []
        self._lay_out(bytearray(vocabulary.layout.size))
        trace = DESK.cleared_trace()
        chance.key(self.state.chance, *words(hashed_seed(self.seed)))
        vocabulary.rules.setup(self.state, seats, self.box.numbers, vocabulary.option_numbers(self.options), trace)
        #: The first of all, which copies share.
        self._first = self._states.copy()
        self._position: Position | None = None
        self.opening = tuple(self._read_trace(trace, Reading(vocabulary.layout, bytes(self._memory))))

    @property
    def name(self) -> str:
        return self.vocabulary.name

    @property
    def state(self) -> Any:
        """The record of the rules. Everything is in it: never show it to anyone."""
        return self._states[0]

    # ------------------------------------------------------------ questions

    @property
    def position(self) -> Position:
        """The position in numbers, with what follows from it; read anew when it has changed."""
        layout = self.vocabulary.layout
        if self._position is None or not self._memory.startswith(self._position.content):
            self._position = Position.of(layout, bytes(self._memory), self._states, self.seats)
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
        return clause_of(int(self.vocabulary.rules.refusal(self.state, self._seat(seat), self._move(move).number)))

    def is_legal(self, seat: int, move: Move | str) -> bool:
        return self.why_not(seat, move) is None

    def why_lost(self, seat: int, move: Move | str) -> Clause | None:
        """The clause by which a legal move can only lose the game: worth saying before it is made."""
        return clause_of(int(self.vocabulary.rules.doom(self.state, self._seat(seat), self._move(move).number)))

    def lost_moves(self, seat: int) -> dict[str, Clause]:
        """Those of a seat's moves that can only lose the game, each with the clause."""
        numbers = self.position.legal_moves(self._seat(seat))
        dooms = zip(numbers, self.position.dooms(seat, numbers), strict=True)
        return {self.vocabulary.moves[number].text: BY_CODE[doom] for number, doom in dooms if doom}

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
        clause = clause_of(position.clause)
        if clause is None:
            return None
        result = position.result[: self.seats].tolist()
        return Outcome(
            clause.id, [points for points, _ in result], [seat for seat in range(self.seats) if result[seat][1]]
        )

    # ------------------------------------------------------------ playing

    def play(self, seat: int, move: Move | str, key: str | None = None) -> list[Event]:
        """Play a move and tell what happened, as far as that seat may know.

        With a `key` of 32 hexadecimal digits the chance of this move is drawn from it instead of from the seed.
        """
        chosen = self._move(move)
        drawn = NO_KEY if key is None else np.array(words(key_bytes(key)), np.int64)
        trace, result = DESK.cleared_trace(), blank_result()
        layout = self.vocabulary.layout
        memory, records = DESK.records(layout)
        memory[: layout.size] = self._memory
        clause = play(records, self._seat(seat), chosen.number, drawn, trace, result)
        if clause:
            raise IllegalMoveError(seat, chosen, BY_CODE[clause])
        after, before = bytes(memory[: layout.size]), Reading(layout, bytes(memory[layout.size :]))
        self._memory[:] = after
        self._position = Position(layout, after, self._states, self.seats, result)
        events = tuple(self._read_trace(trace, before))
        self.log.append(Entry(seat, chosen, events, self.fingerprint(), key))
        return [event for audience, event in events if audience in (tracing.EVERYONE, seat)]

    def fingerprint(self) -> str:
        """A short name for the exact position, hidden cards and chance included."""
        content, hashed = self.position.content, hashlib.blake2b(digest_size=4)
        for first in range(0, len(content), PORTION):
            hashed.update(content[first : first + PORTION])
        return hashed.hexdigest()

    def copy(self) -> "Game":
        """A game that goes on from here on its own."""
        twin = object.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin.names = list(self.names)
        twin.log = list(self.log)
        twin._lay_out(bytearray(self._memory))
        twin._position = None  # which looks into our records, not into the twin's
        return twin

    def _from_the_first(self) -> tuple[np.ndarray, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Room for every position, with the first in its place; who moved, how, and with which chance."""
        moves = np.array([entry.move.number for entry in self.log], np.int64)
        movers = np.array([entry.seat for entry in self.log], np.int64)
        keys = np.array([words(key_bytes(entry.key)) if entry.key else [0] * 4 for entry in self.log], np.int64)
        states = any_game.new_states(self.vocabulary.rules, len(moves) + 1)
        states[0] = self._first[0]
        return states, movers, moves, keys.reshape(-1, 4)

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.seats:
            raise SpokenError(
                mark("There is no seat {seat}; there are {seats}, from 0 on."), seat=seat, seats=self.seats
            )
        return seat

    def _move(self, move: Move | str) -> Move:
        return self.vocabulary.moves.parse(move) if isinstance(move, str) else move

    def _lay_out(self, memory: bytearray) -> None:
        """Have the position in this memory. NumPy's own copies and comparisons go through it field by field."""
        self._memory = memory
        self._states = np.ndarray((1,), self.vocabulary.layout.record, memory)

    def _read_trace(self, trace: NDArray[np.int16], before: Reading) -> list[tuple[int, Event]]:
        count = int(trace[0, 0])
        rows = [Row(kind, audience, tuple(facts)) for kind, audience, *facts in trace[1 : count + 1].tolist()]
        return self.vocabulary.events(rows, before)


def hashed_seed(seed: int) -> bytes:
    """128 well-mixed bits: seeds people choose are mostly zeros, which a generator takes long to recover from."""
    return hashlib.blake2b(seed.to_bytes(SEED_BITS // 8, "little"), digest_size=16, person=b"nevel").digest()


def key_bytes(key: str) -> bytes:
    """A key written in hexadecimal digits."""
    try:
        return bytes.fromhex(key)
    except ValueError as problem:
        raise SpokenError(mark("A key is written in hexadecimal digits, not “{key}”."), key=key) from problem


def words(key: bytes) -> list[int]:
    """A 128-bit key as the four words the rules take."""
    if len(key) != SEED_BITS // 8:
        raise SpokenError(mark("A key has {expected} bytes, not {found}."), expected=SEED_BITS // 8, found=len(key))
    return list(WORDS.unpack(key))
