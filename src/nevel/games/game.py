"""A game as people speak of it: who is asked what, what may be played, what happened, what one sees."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from nevel.boxes import Box
from nevel.games.clauses import Clause
from nevel.games.move import IllegalMoveError, Move, clause_of
from nevel.games.reading import Reading
from nevel.games.telling import Event, Row
from nevel.games.vocabulary import Outcome, Prompt, View, Vocabulary
from nevel.languages import SpokenError, mark
from nevel.rules import any_game, chance, tracing
from nevel.rules.knowledge import Knowledge, remember
from nevel.rules.legality import mark_legal

SEED_BITS = 128


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
        # The position, the one before the last move, and the first of all.
        self._states = any_game.new_states(vocabulary.rules, 3)
        self._trace = tracing.blank()
        self._mask = np.zeros(len(vocabulary.moves), np.int64)
        chance.key(self.state.chance, *words(hashed_seed(self.seed)))
        vocabulary.rules.setup(
            self.state, seats, self.box.numbers, vocabulary.option_numbers(self.options), self._trace
        )
        self._states[2] = self._states[0]
        self.opening = tuple(self._read_trace())

    @property
    def name(self) -> str:
        return self.vocabulary.name

    @property
    def state(self) -> Any:
        """The record of the rules. Everything is in it: never show it to anyone."""
        return self._states[0]

    # ------------------------------------------------------------ questions

    @property
    def is_over(self) -> bool:
        return self.outcome is not None

    @property
    def waiting_for(self) -> list[int]:
        """The seats to act; several when choices are simultaneous."""
        return self.vocabulary.waiting_for(self.state)

    def prompts(self) -> list[Prompt]:
        """What every seat that is waited for is asked."""
        return [prompt for seat in self.waiting_for if (prompt := self.prompt(seat))]

    def prompt(self, seat: int) -> Prompt | None:
        """What a seat is asked, or None when nobody waits for it."""
        if seat not in self.waiting_for:
            return None
        question = self.vocabulary.question(self.state, seat)
        moves = tuple(move.text for move in self.legal_moves(seat) if not self.vocabulary.is_hint(move))
        return Prompt(seat, question, self.vocabulary.questions[question], moves)

    def legal_moves(self, seat: int) -> list[Move]:
        """Everything a seat may do now, hints included."""
        mark_legal(self.state, self._seat(seat), self._mask)
        return [self.vocabulary.moves[int(number)] for number in np.flatnonzero(self._mask)]

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

    def view(self, seat: int | None) -> View:
        """What a seat may see; None is a spectator."""
        return self.vocabulary.view(Reading(self.state), None if seat is None else self._seat(seat))

    def knowledge(self, seat: int) -> Knowledge:
        """What a seat may know, now and before every move, in the records of the rules: what a bot gets."""
        moves = np.array([entry.move.number for entry in self.log], np.int64)
        movers = np.array([entry.seat for entry in self.log], np.int64)
        keys = np.array([words(key_bytes(entry.key)) if entry.key else [0] * 4 for entry in self.log], np.int64)
        states = any_game.new_states(self.vocabulary.rules, len(moves) + 1)
        states[0] = self._states[2]
        remember(states, self._seat(seat), movers, moves, keys.reshape(-1, 4))
        return Knowledge(seat, states, movers, moves)

    def story(self, seat: int | None) -> list[Event]:
        """What has happened so far, as far as a seat may know; None is a spectator."""
        told = [event for audience, event in self.opening if audience in (tracing.EVERYONE, seat)]
        for entry in self.log:
            told += [event for audience, event in entry.events if audience in (tracing.EVERYONE, seat)]
        return told

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, or None while it goes on."""
        out = np.zeros((any_game.MOST_SEATS, 2), np.int64)
        clause = clause_of(int(self.vocabulary.rules.outcome(self.state, out)))
        if clause is None:
            return None
        winners = [seat for seat in range(self.seats) if out[seat, 1]]
        return Outcome(clause.id, [int(points) for points in out[: self.seats, 0]], winners)

    # ------------------------------------------------------------ playing

    def play(self, seat: int, move: Move | str, key: str | None = None) -> list[Event]:
        """Play a move and tell what happened, as far as that seat may know.

        With a `key` of 32 hexadecimal digits the chance of this move is drawn from it instead of from the seed.
        """
        chosen = self._move(move)
        clause = self.why_not(seat, chosen)
        if clause is not None:
            raise IllegalMoveError(seat, chosen, clause)
        if key is not None:
            chance.key(self.state.chance, *words(key_bytes(key)))
        self._states[1] = self._states[0]
        self.vocabulary.rules.apply(self.state, seat, chosen.number, self._trace)
        events = tuple(self._read_trace())
        self.log.append(Entry(seat, chosen, events, self.fingerprint(), key))
        return [event for audience, event in events if audience in (tracing.EVERYONE, seat)]

    def fingerprint(self) -> str:
        """A short name for the exact position, hidden cards and chance included."""
        return hashlib.blake2b(self.state.tobytes(), digest_size=4).hexdigest()

    def copy(self) -> "Game":
        """A game that goes on from here on its own."""
        twin = object.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin.names = list(self.names)
        twin.log = list(self.log)
        twin._states = self._states.copy()
        twin._trace = tracing.blank()
        twin._mask = self._mask.copy()
        return twin

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.seats:
            raise SpokenError(
                mark("There is no seat {seat}; there are {seats}, from 0 on."), seat=seat, seats=self.seats
            )
        return seat

    def _move(self, move: Move | str) -> Move:
        return self.vocabulary.moves.parse(move) if isinstance(move, str) else move

    def _read_trace(self) -> list[tuple[int, Event]]:
        count = int(self._trace[0, 0])
        rows = [Row(kind, audience, tuple(facts)) for kind, audience, *facts in self._trace[1 : count + 1].tolist()]
        self._trace[0, 0] = 0
        return self.vocabulary.events(rows, self._states[1])


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
    numbers: NDArray[np.uint32] = np.frombuffer(key, "<u4")
    return [int(number) for number in numbers]
