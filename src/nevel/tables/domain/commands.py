"""What people ask of a table. A command decides which facts follow from it, or says why it can't be done."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal, get_args

from nevel.bots.levels import LADDER
from nevel.game.game import Game
from nevel.game.move import IllegalMoveError
from nevel.game.registry import find
from nevel.languages import SpokenError, mark
from nevel.tables.domain import facts
from nevel.tables.domain.command import Asker, Command, any_chair, need_host, need_open, need_playing, own_chair
from nevel.tables.domain.dealing import CHAINED, HASH, check_contribution, digest
from nevel.tables.domain.facts import AnyFact
from nevel.tables.domain.pace import Pace
from nevel.tables.domain.refusals import (
    MalformedError,
    MoveRefusedError,
    NotAllowedError,
    StaleError,
    TakenError,
    WrongTimeError,
)
from nevel.tables.domain.table import OPEN, OVER, PLAYING, Table
from nevel.tables.domain.undo import AnswerUndo, Undo

#: Hints in one game: ten for every card of the games that have some. Whoever thinks about a game reads all of them.
MOST_HINTS = 1_000


def check_level(level: str) -> None:
    if level not in LADDER:
        raise MalformedError(
            mark("There is no level “{level}”; there are {known}."), level=level, known=", ".join(LADDER)
        )


# ---------------------------------------------------------------- before the game


class Sit(Command, frozen=True):
    """Take a chair, any free one unless one is named."""

    chair: int | None = None
    contribution: str = ""

    def decide(self, table: Table, asker: Asker) -> Sequence[AnyFact]:
        need_open(table)
        check_contribution(self.contribution)
        if table.chairs_of(asker.person) and table.opened.is_public:
            raise TakenError(mark("You already sit at this table."))
        reserved = table.opened.reserved
        free = [i for i in table.empty_chairs if reserved.get(i, asker.person) == asker.person]
        if self.chair is not None:
            any_chair(table, self.chair)
        if not free or self.chair not in (None, *free):
            raise TakenError(mark("That chair is taken."))
        # One's own reserved chair first.
        chair = self.chair if self.chair is not None else min(free, key=lambda i: (i not in reserved, i))
        return [facts.Seated(chair, asker.person, self.contribution)]


class Leave(Command, frozen=True):
    """Leave one's chair: empty before the game, to a bot during it."""

    is_essential: ClassVar[bool] = True

    chair: int | None = None

    def decide(self, table: Table, asker: Asker) -> Sequence[AnyFact]:
        chair = own_chair(table, asker, self.chair)
        if table.phase == OPEN:
            need_open(table)
            return [facts.Vacated(chair), *succession(table, asker.person, chair)]
        need_playing(table)
        if table.chairs[chair].is_stood_in:
            return []
        return [facts.BotTookOver(chair, "left"), *succession(table, asker.person, chair)]


def succession(table: Table, person: str, chair: int) -> list[AnyFact]:
    """Who looks after the table when a person leaves a chair: the next of those who stay."""
    if person != table.host or table.chairs_of(person) != [chair]:
        return []
    heirs = [table.chairs[i].person for i in table.humans if table.chairs[i].person != person]
    if heirs and heirs[0]:
        return [facts.HostChanged(heirs[0])]
    return [facts.Closed()] if table.phase == OPEN else []


class Kick(Command, frozen=True):
    """Empty a chair before the game: a bot's, or a person's with all others of theirs.

    A person comes back only by a new invitation.
    """

    chair: int

    def decide(self, table: Table, asker: Asker) -> Sequence[AnyFact]:
        need_host(table, asker)
        need_open(table)
        if any_chair(table, self.chair).is_empty:
            return []
        person = table.chairs[self.chair].person
        if person is None:
            return [facts.Vacated(self.chair)]
        vacated = [facts.Vacated(chair, is_kicked=True) for chair in table.chairs_of(person)]
        # With the invitation they had they could come back as somebody else.
        return [*vacated, facts.LinksRenewed(["invitation"])]


class RenewLinks(Command, frozen=True):
    """Take a link back and have another: of one's own chair, or as the host one of those to hand out, or all those."""

    which: facts.LinkPurpose | Literal["chair"] | None = None
    chair: int | None = None

    def decide(self, table: Table, asker: Asker) -> Sequence[AnyFact]:
        if self.which == "chair":
            return [facts.LinksRenewed(chair=own_chair(table, asker, self.chair))]
        need_host(table, asker)
        return [facts.LinksRenewed(list(get_args(facts.LinkPurpose)) if self.which is None else [self.which])]


class SeatBot(Command, frozen=True):
    """Put a bot into a free chair, or bots into all of them."""

    level: str
    chair: int | None = None

    def decide(self, table: Table, asker: Asker) -> Sequence[AnyFact]:
        need_host(table, asker)
        need_open(table)
        check_level(self.level)
        if self.chair is None:
            return [facts.BotSeated(chair, self.level) for chair in table.empty_chairs]
        if any_chair(table, self.chair).person is not None:
            raise TakenError(mark("That chair is taken."))
        return [facts.BotSeated(self.chair, self.level)]


class MakeHost(Command, frozen=True):
    """Hand the table over to another person at it."""

    chair: int

    def decide(self, table: Table, asker: Asker) -> Sequence[AnyFact]:
        need_host(table, asker)
        person = any_chair(table, self.chair).person
        if person is None:
            raise NotAllowedError(mark("Only a person can host a table."))
        return [] if person == table.host else [facts.HostChanged(person)]


class SetTerms(Command, frozen=True):
    """Change variants, pace or stand-ins before the game; `seq` is the newest row the host had seen."""

    options: dict[str, int] | None = None
    pace: Pace | None = None
    stand_in: str | None = None
    seq: int | None = None

    def decide(self, table: Table, asker: Asker) -> Sequence[AnyFact]:
        need_host(table, asker)
        need_open(table)
        if self.seq is not None and self.seq < table.terms_at:
            raise StaleError
        before = table.opened
        terms = read_terms(
            before.game,
            {**before.options, **(self.options or {})},
            self.pace or before.pace,
            self.stand_in or before.stand_in,
        )
        if terms.options != before.options and before.prelude:
            raise WrongTimeError(mark("An imported game keeps its settings."))
        is_new = (terms.options, terms.pace, terms.stand_in) != (before.options, before.pace, before.stand_in)
        return [terms] if is_new else []


def read_terms(game: str, options: Mapping[str, object], pace: Pace, stand_in: str) -> facts.TermsChanged:
    """The fact that changes variants, pace and stand-in; refused if a game can't be played like that."""
    check_level(stand_in)
    try:
        pace.check()
        return facts.TermsChanged(find(game).vocabulary.read_options(options), pace, stand_in)
    except SpokenError as problem:
        raise MalformedError(problem.message, **problem.values) from problem


class Start(Command, frozen=True):
    """Start the game: deal, or ask first for the promised parts of the shuffle."""

    is_essential: ClassVar[bool] = True
    # A game that was brought along is played again.
    is_slow: ClassVar[bool] = True

    def decide(self, table: Table, asker: Asker) -> Sequence[AnyFact]:
        need_host(table, asker)
        need_open(table)
        if table.empty_chairs:
            raise WrongTimeError(mark("Some chairs are empty: wait for more players, or add bots."))
        return [facts.Shuffling()] if table.promises else [deal(table, table)]


def deal(table: Table, foreseen: Table) -> AnyFact:
    """The cards dealt at a table as it is foreseen."""
    game = foreseen.deal()
    return table.prepare(facts.GameStarted(game.fingerprint()), game)


class Promise(Command, frozen=True):
    """Promise a part of the shuffle, by its SHA-256 in hexadecimal digits. A new one takes the place of the old."""

    promise: str
    chair: int | None = None

    def decide(self, table: Table, asker: Asker) -> Sequence[AnyFact]:
        chair = own_chair(table, asker, self.chair)
        need_open(table)
        if table.opened.dealing != CHAINED:
            raise WrongTimeError(mark("This table still uses the old way of shuffling."))
        if table.is_brought:
            raise WrongTimeError(mark("An imported game keeps its settings."))
        if len(self.promise) != HASH or not set(self.promise) <= set("0123456789abcdef"):
            raise MalformedError(mark("Commit to your part of the shuffle with its SHA-256, in 64 hexadecimal digits."))
        return [] if table.chairs[chair].promise == self.promise else [facts.Promised(chair, self.promise)]


class Contribute(Command, frozen=True):
    """Show the part of the shuffle that was promised, once the table is locked. The last one deals the cards."""

    is_essential: ClassVar[bool] = True
    is_slow: ClassVar[bool] = True

    part: str
    chair: int | None = None

    def decide(self, table: Table, asker: Asker) -> Sequence[AnyFact]:
        chair = own_chair(table, asker, self.chair)
        if not table.is_shuffling:
            raise WrongTimeError(mark("Parts of the shuffle are revealed when the game starts, not before."))
        check_contribution(self.part)
        if table.chairs[chair].promise != digest(self.part):
            raise MalformedError(mark("That isn't the part of the shuffle you promised."))
        if table.chairs[chair].part is not None:
            return []
        shown = facts.Contributed(chair, self.part)
        foreseen = table.foresee([(table.seq + 1, table.changed_at, shown)])
        is_last = foreseen.parts.keys() == foreseen.promises.keys()
        return [shown, deal(table, foreseen)] if is_last else [shown]


class Close(Command, frozen=True):
    """Close a table whose game hasn't begun and won't be played."""

    is_essential: ClassVar[bool] = True

    def decide(self, table: Table, asker: Asker) -> Sequence[AnyFact]:
        need_host(table, asker)
        need_open(table)
        return [facts.Closed()]


# ---------------------------------------------------------------- during the game


class Play(Command, frozen=True):
    """Make a move or give a hint. `seq` is the newest row the person had seen."""

    is_essential: ClassVar[bool] = True

    move: str
    seq: int
    chair: int | None = None

    def decide(self, table: Table, asker: Asker) -> Sequence[AnyFact]:
        chair = own_chair(table, asker, self.chair)
        need_playing(table)
        if table.chairs[chair].is_stood_in:
            raise WrongTimeError(mark("A bot plays for you at the moment. Take your chair back first."))
        if not table.chairs[chair].asked_at <= self.seq <= table.seq and chair in table.waiting_for:
            raise StaleError
        try:
            return decide_move(table, chair, self.move, command=asker.command)
        except MoveRefusedError as problem:
            # Perhaps it was legal when they clicked; what has happened since says more than the clause.
            if self.seq < table.seq:
                raise StaleError from problem
            raise


def decide_move(table: Table, chair: int, move: str, is_bot: bool = False, command: str = "") -> list[AnyFact]:
    """A move made: the fact, with the id of its command and the position it leads to."""
    game, key = need_playing(table).copy(), table.next_key
    try:
        game.play(chair, move, key)
    except IllegalMoveError as problem:
        raise MoveRefusedError(problem, problem.clause) from problem
    except SpokenError as problem:
        raise MalformedError(problem.message, **problem.values) from problem
    if len(game.log) > MOST_HINTS and has_said_too_much(game):
        raise WrongTimeError(
            mark("A game can have at most {most} hints, and this one has reached that."), most=MOST_HINTS
        )
    entry = game.log[-1]
    fact = facts.MovePlayed(chair, entry.move.text, key, entry.after, is_bot, command=command)
    return [table.prepare(fact, game)]


def has_said_too_much(game: Game) -> bool:
    """Whether the last move was a hint beyond the number a game at a table may have."""
    hints = game.vocabulary.hint_numbers
    return game.log[-1].move.number in hints and sum(entry.move.number in hints for entry in game.log) > MOST_HINTS


class LetBotPlay(Command, frozen=True):
    """Let a bot play for somebody who seems to have gone."""

    is_essential: ClassVar[bool] = True

    chair: int

    def decide(self, table: Table, asker: Asker) -> Sequence[AnyFact]:
        need_playing(table)
        if not table.chairs_of(asker.person):
            raise NotAllowedError(mark("Only players at this table can do that."))
        chair = any_chair(table, self.chair)
        if chair.is_bot or chair.person is None:
            return []
        if chair.person != asker.person and table.opened.pace.is_timed:
            raise NotAllowedError(mark("At this table the clock decides when a bot plays for somebody."))
        if chair.person != asker.person and not asker.is_asleep(chair.person):
            raise NotAllowedError(mark("That player was here a moment ago. Wait a little longer."))
        return [facts.BotTookOver(self.chair, "asleep")]


class Reclaim(Command, frozen=True):
    """Take one's chair back from the bot."""

    chair: int | None = None

    def decide(self, table: Table, asker: Asker) -> Sequence[AnyFact]:
        chair = own_chair(table, asker, self.chair)
        need_playing(table)
        return [facts.Reclaimed(chair)] if table.chairs[chair].is_stood_in else []


AnyCommand = (
    Sit
    | Leave
    | Kick
    | RenewLinks
    | SeatBot
    | MakeHost
    | SetTerms
    | Start
    | Promise
    | Contribute
    | Close
    | Play
    | Undo
    | AnswerUndo
    | LetBotPlay
    | Reclaim
)


# ---------------------------------------------------------------- what nobody asks for


def decide_expiry(table: Table, now: int) -> list[AnyFact]:
    """What follows from time running out."""
    if table.is_shuffling:
        # Whoever promised a part and went doesn't keep the others from playing.
        return [deal(table, table)] if table.deadline is not None and table.deadline <= now else []
    return [facts.BotTookOver(chair, "time") for chair in table.overdue(now)] if table.phase == PLAYING else []


def decide_rematch(table: Table, asker: Asker, name: str) -> list[AnyFact]:
    """A pointer to the table where the same people meet again."""
    if table.phase != OVER:
        raise WrongTimeError(mark("The game isn't over yet."))
    if not table.chairs_of(asker.person):
        raise NotAllowedError(mark("Only players at this table can do that."))
    return [facts.Rematched(name)]
