"""A table: what follows from its log. It changes only by facts, so that every node and every restart sees the same."""

import itertools
from collections.abc import Iterable, Sequence

import msgspec

from nevel.game.game import Game
from nevel.game.history import History
from nevel.tables.domain import facts
from nevel.tables.domain.chain import line_of
from nevel.tables.domain.chair import Chair, put_questions
from nevel.tables.domain.deal import deal, recall_options
from nevel.tables.domain.dealing import CHAINED, Dealing, chain_context, chain_head, row_context
from nevel.tables.domain.facts import AnyFact
from nevel.tables.domain.pace import Clock
from nevel.tables.domain.recent_commands import RecentCommands

#: How long a game waits for the parts of the shuffle that were promised, in milliseconds.
SHOW_WITHIN = 10_000

OPEN, PLAYING, OVER, CLOSED = "open", "playing", "over", "closed"


class Table:
    """One table, from its opening to the last word about its game."""

    def __init__(self, name: str, secret: str) -> None:
        self.name = name
        self.secret = secret
        self.seq = -1
        self.opened_at = 0
        self.changed_at = 0
        self.phase = OPEN
        self.host = ""
        self.chairs: list[Chair] = []
        self.game: Game | None = None
        #: The moves that count, each with the row it stands in; what was taken back is gone from here.
        self.played = History[tuple[int, facts.MovePlayed]]()
        #: When each of them was made; and the row in which the game was dealt, with the time.
        self.times = History[int]()
        self.started = (-1, 0)
        #: What the cards were dealt from, if that doesn't follow from the log any more.
        self.erased_seed = ""
        #: Which chair asked to take back a move, and which have agreed.
        self.undo_asked: int | None = None
        self.undo_agreed: frozenset[int] = frozenset()
        #: The newest rows in which a move was made or taken back, and in which somebody asked to take one back.
        self.moved_at = -1
        self.undo_asked_at = -1
        #: The newest row in which anything but a move happened: with it, who sits where may change.
        self.arranged_at = -1
        #: The newest row in which it was agreed how to play.
        self.terms_at = -1
        #: The rows in which links were renewed last, by purpose; and who was removed from the table.
        self.links_renewed_at: dict[str, int] = {}
        self.kicked: frozenset[str] = frozenset()
        self.rematch: str | None = None
        self.commands = RecentCommands()
        #: Whether a bot decides anywhere at this table.
        self.has_bots = False
        #: What lists say of who sits here and how it is played, once it was put together; until people or terms change.
        self.listed: str | None = None
        #: What was arranged before the game, as lines of a chain of hashes.
        self.chain = History[str]()
        #: When the table was locked, and the parts of the shuffle were asked for.
        self.shuffled_at: int | None = None
        self._dealing: Dealing | None = None
        self._prepared: tuple[AnyFact, Game] | None = None

    # ------------------------------------------------------------ questions

    @property
    def dealing(self) -> Dealing:
        """What its chance is drawn from; the same from the deal on, since nobody sits down after it."""
        if self._dealing is not None:
            return self._dealing
        if self.opened.dealing == CHAINED:
            return Dealing(self.secret, chain_context(chain_head(self.chain), self.parts))
        contributions = {i: chair.contribution for i, chair in enumerate(self.chairs) if chair.person}
        return Dealing(self.secret, row_context(self.name, contributions))

    @property
    def next_key(self) -> str:
        """The key for what is drawn next.

        A move that was taken back and is made again finds the one it had: keys are counted by what was drawn.
        """
        if self.opened.dealing != CHAINED:
            return self.dealing.key(self.seq + 1)
        return self.dealing.key(1 + self.game.draws if self.game else 0)

    @property
    def promises(self) -> dict[int, str]:
        """The promised parts of the shuffle, by chair, as hashes."""
        return {i: chair.promise for i, chair in enumerate(self.chairs) if chair.promise}

    @property
    def parts(self) -> dict[int, str]:
        """The parts of the shuffle that were shown, by chair."""
        return {i: chair.part for i, chair in enumerate(self.chairs) if chair.part is not None}

    @property
    def is_shuffling(self) -> bool:
        """Whether it is locked until the parts that were promised are shown."""
        return self.phase == OPEN and self.shuffled_at is not None

    @property
    def is_brought(self) -> bool:
        """Whether the deal was brought along, with moves or without: whoever brought it may know the cards."""
        return self.opened.prelude is not None

    @property
    def has_own_box(self) -> bool:
        """Whether its host chose what is in the box."""
        return self.opened.box is not None

    @property
    def counts(self) -> bool:
        """Whether the result says anything about those who played."""
        return not (self.is_brought or self.has_own_box or self.opened.is_practice)

    @property
    def peopled(self) -> list[int]:
        """Chairs that belong to a person, whoever decides there now."""
        return [i for i, chair in enumerate(self.chairs) if chair.person]

    def chairs_of(self, person: str) -> list[int]:
        return [i for i, chair in enumerate(self.chairs) if chair.person == person]

    @property
    def humans(self) -> list[int]:
        """Chairs whose people decide for themselves now."""
        return [i for i, chair in enumerate(self.chairs) if chair.is_human]

    @property
    def empty_chairs(self) -> list[int]:
        return [i for i, chair in enumerate(self.chairs) if chair.is_empty]

    @property
    def people(self) -> list[str]:
        return [chair.person for chair in self.chairs if chair.person]

    @property
    def named(self) -> list[str]:
        """The people whose names are shown: those who sit here, and those for whom chairs are reserved."""
        if self.phase != OPEN or not self.opened.reserved:
            return self.people
        return [*dict.fromkeys((*self.people, *self.opened.reserved.values()))]

    @property
    def waiting_for(self) -> list[int]:
        return self.game.waiting_for if self.game and self.phase == PLAYING else []

    @property
    def deadline(self) -> int | None:
        """When the first person's time runs out."""
        if self.shuffled_at is not None and self.phase == OPEN:
            return self.shuffled_at + SHOW_WITHIN
        if not self.opened.pace.is_timed:
            return None
        return min((d for i in self.humans if (d := self.chairs[i].clock.deadline) is not None), default=None)

    def overdue(self, now: int) -> list[int]:
        """The chairs whose people's time has run out."""
        return [i for i in self.humans if (d := self.chairs[i].clock.deadline) is not None and d <= now]

    @property
    def are_bots_needed(self) -> bool:
        """Whether it is a bot's turn; when everyone has left, bots don't play on for nobody."""
        if not self.has_bots:
            return False
        has_audience = not self.people or bool(self.humans)
        return has_audience and any(self.chairs[i].is_bot for i in self.waiting_for)

    # ------------------------------------------------------------ facts

    def prepare(self, fact: AnyFact, game: Game) -> AnyFact:
        """Keep the game as it will be after this very fact, so that it isn't played again once it is stored."""
        self._prepared = (fact, game)
        return fact

    def sign(self, fact: AnyFact, command: str) -> AnyFact:
        """Put the id of the command that led to a fact into it; a table worked out for the fact stays valid."""
        signed = msgspec.structs.replace(fact, command=command)
        if self._prepared and self._prepared[0] is fact:
            self._prepared = (signed, self._prepared[1])
        return signed

    def follow(self, rows: Iterable[tuple[int, int, AnyFact]]) -> None:
        """Apply rows of the log in order: number, time and fact."""
        self._take_all(rows)
        self.commands.settle()

    def foresee(self, rows: Sequence[tuple[int, int, AnyFact]]) -> "Table":
        """A copy of the table to which these rows are applied; the table itself stays as it is."""
        # It was foreseen itself, and is gone on from: so it is stored.
        self.commands.settle()
        twin = object.__new__(Table)
        twin.__dict__ = self.__dict__.copy()
        twin.chairs = self.chairs.copy()
        twin.played = self.played.copy()
        twin.times = self.times.copy()
        twin.commands = self.commands.branch()
        twin._take_all(rows)
        return twin

    def answer_to(self, command: str) -> int | None:
        """The row in which a command was answered, if it was lately."""
        return self.commands.find(command)

    def _take_all(self, rows: Iterable[tuple[int, int, AnyFact]]) -> None:
        for seq, at, fact in rows:
            if seq != self.seq + 1:
                raise ValueError(f"row {seq} after row {self.seq}")
            self.seq = seq
            self.changed_at = at
            self._take(seq, at, fact)
            if fact.command:
                self.commands.add(fact.command, seq)

    def _change(self, number: int) -> Chair:
        """Copy a chair to change it: the one before may belong to the table of which this is a foreseen copy."""
        chair = self.chairs[number] = self.chairs[number].copy()
        return chair

    def _take(self, seq: int, at: int, fact: AnyFact) -> None:
        if isinstance(fact, facts.MovePlayed):
            self._take_move(seq, at, fact)
            return
        if self.phase == OPEN and (line := line_of(fact, self.name)) is not None:
            self.chain = self.chain.copy()
            self.chain.append(line)
        match fact:
            case facts.Opened():
                self.opened = msgspec.structs.replace(fact, options=recall_options(fact.game, fact.options))
                self.opened_at = at
                self.terms_at = seq
                self.host = fact.host
                self.chairs = [Chair(Clock(fact.pace)) for _ in range(fact.chairs)]
            case facts.Seated():
                chair = self._change(fact.chair)
                chair.clear()
                chair.person = fact.person
                chair.contribution = fact.contribution
                chair.link_at = seq
                self.kicked -= {fact.person}
            case facts.Promised():
                self._change(fact.chair).promise = fact.promise
            case facts.Shuffling():
                self.shuffled_at = at
            case facts.Contributed():
                self._change(fact.chair).part = fact.part
            case facts.BotSeated():
                chair = self._change(fact.chair)
                chair.clear()
                chair.level = fact.level
            case facts.Vacated():
                chair = self._change(fact.chair)
                if fact.is_kicked and chair.person is not None:
                    self.kicked |= {chair.person}
                chair.clear()
            case facts.LinksRenewed():
                self.links_renewed_at = {**self.links_renewed_at, **dict.fromkeys(fact.purposes, seq)}
                if fact.chair is not None:
                    self._change(fact.chair).link_at = seq
            case facts.HostChanged():
                self.host = fact.person
            case facts.TermsChanged():
                options = recall_options(self.opened.game, fact.options)
                terms = {"options": options, "pace": fact.pace, "stand_in": fact.stand_in}
                self.opened = msgspec.structs.replace(self.opened, **terms)
                self.terms_at = seq
                for number in range(len(self.chairs)):
                    self._change(number).clock = Clock(fact.pace)
            case facts.GameStarted():
                self.started = (seq, at)
                self.erased_seed = fact.seed
                self._dealing = self.dealing
                self.game = self._prepared_for(fact) or self.deal()
                self.phase = OVER if self.game.is_over else PLAYING
                self._put_questions(seq, at)
            case facts.BotTookOver():
                chair = self._change(fact.chair)
                chair.is_stood_in = True
                chair.has_left = fact.reason == "left"
                chair.clock.stop(at)
                self._forget_undo()
            case facts.Reclaimed():
                chair = self._change(fact.chair)
                chair.is_stood_in = chair.has_left = False
                chair.asked_at = -1  # from now on it is put to them
                self._put_questions(seq, at)
            case facts.UndoAsked():
                self.undo_asked = fact.chair
                self.undo_asked_at = seq
                self.undo_agreed = frozenset((fact.chair,))
            case facts.UndoAnswered():
                if fact.is_agreed:
                    self.undo_agreed |= {fact.chair}
                else:
                    self._forget_undo()
            case facts.Undone():
                self._take_back(seq, at, fact)
            case facts.Closed():
                self.phase = CLOSED
            case facts.Rematched():
                self.rematch = fact.table
        self.has_bots = any(chair.is_bot for chair in self.chairs)
        self.arranged_at = seq
        self.listed = None

    def _take_move(self, seq: int, at: int, fact: facts.MovePlayed) -> None:
        prepared = self._prepared_for(fact)
        if prepared is None:
            assert self.game is not None
            # A copy: the table this one was foreseen by still has the game as it was.
            prepared = self.game.copy()
            prepared.play(fact.chair, fact.move, fact.key)
        self.game = prepared
        self.played.append((seq, fact))
        self.times.append(at)
        self._forget_undo()
        self.moved_at = seq
        if self.game and self.game.is_over:
            self.phase = OVER
            self.listed = None
        self._put_questions(seq, at, fact.chair)

    def _take_back(self, seq: int, at: int, fact: facts.Undone) -> None:
        # Nearly always the last; with a move that was still private, others may have moved since.
        number = next(i for i in range(len(self.played) - 1, -1, -1) if self.played[i][0] == fact.seq)
        chair = self.played[number][1].chair
        game = self.game_before(number)
        gone = slice(number, None if fact.and_after else number + 1)
        played, times = [*self.played], [*self.times]
        del played[gone], times[gone]
        self.played, self.times = History(played), History(times)
        self.moved_at = seq
        for _, later in self.played[number:]:
            game.play(later.chair, later.move, later.key)
        self.game = game
        self.phase = PLAYING
        self._forget_undo()
        for number, other in enumerate(self.chairs):
            if other.is_bot:  # what it thinks of may be what was taken back
                self._change(number).asked_at = -1
        self._put_questions(seq, at, chair)

    def has_heard_since(self, seq: int) -> bool:
        """Whether a hint was given after a row."""
        assert self.game is not None
        vocabulary = self.game.vocabulary
        later = itertools.takewhile(lambda played: played[0] > seq, reversed(self.played))
        return any(vocabulary.is_hint(vocabulary.moves.parse(fact.move)) for _, fact in later)

    def _forget_undo(self) -> None:
        self.undo_asked = None
        self.undo_agreed = frozenset()

    def _put_questions(self, seq: int, at: int, mover: int | None = None) -> None:
        """Start and stop the chairs' clocks by who has to act now; the mover's starts anew."""
        put_questions(self.chairs, self.waiting_for, seq, at, mover)

    # ------------------------------------------------------------ the game

    def _prepared_for(self, fact: AnyFact) -> Game | None:
        prepared, self._prepared = self._prepared, None
        return prepared[1] if prepared and prepared[0] is fact else None

    @property
    def seed(self) -> int:
        """What the cards are dealt from."""
        if self.opened.prelude:
            return int(self.opened.prelude.seed, 16)
        is_dealt, is_chained = self.started[0] >= 0, self.opened.dealing == CHAINED
        number = 0 if is_chained else self.started[0] if is_dealt else self.seq + 1
        return int(self.erased_seed or self.dealing.key(number), 16)

    def deal(self) -> Game:
        """The game as it is dealt, by the next row if it wasn't yet; one that was brought along, as it was."""
        return deal(self.opened, self.seed)

    @property
    def brought(self) -> int:
        """How many moves were played before the game came to this table."""
        return len(self.opened.prelude.moves) if self.opened.prelude else 0

    @property
    def started_at(self) -> int:
        """The row in which the game was dealt."""
        return self.started[0]

    def game_before(self, count: int) -> Game:
        """The game after the first `count` moves that count."""
        assert self.game is not None
        return self.game.rewind(self.brought + count)
