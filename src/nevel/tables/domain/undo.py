"""Taking back a move: who may, who has to agree, and whether anybody has learnt anything that can't be taken back."""

import itertools
from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np

from nevel.engine import chance, dispatch
from nevel.engine.legality import mark_legal
from nevel.game.clause import Clause
from nevel.game.game import Game
from nevel.languages import SpokenError, mark
from nevel.tables.domain import facts
from nevel.tables.domain.command import Asker, Command, own_chair
from nevel.tables.domain.facts import AnyFact
from nevel.tables.domain.refusals import MoveRefusedError, StaleError, WrongTimeError
from nevel.tables.domain.table import OVER, PLAYING, Table

#: Worlds looked at. A move that shows one of several hidden cards escapes all of them hardly ever.
WORLDS = 24


def need_seen(seq: int | None, newest: int) -> None:
    """Refuse a request about the last move from somebody who has seen an older row than the newest."""
    if seq is not None and newest > seq:
        raise StaleError


class Undo(Command, frozen=True):
    """Take back one's last move: at once where nobody has learnt anything from it, else when everyone agrees.

    At a practice table whatever bots did since is taken back too, and nobody is asked; a rule that keeps one of these
    moves holds there as well.
    """

    is_slow: ClassVar[bool] = True

    chair: int | None = None
    seq: int | None = None

    def decide(self, table: Table, asker: Asker) -> Sequence[AnyFact]:
        chair = own_chair(table, asker, self.chair)
        need_seen(self.seq, table.moved_at)
        seq = undoable(table, chair)
        if table.undo_asked == chair:
            return []
        if table.opened.is_practice:
            return [facts.Undone(seq, and_after=True)]
        if seq < table.played[-1][0] or is_harmless(table):
            return [facts.Undone(seq)]
        if all(table.chairs[i].person == asker.person for i in with_say(table)):
            raise WrongTimeError(
                mark("This move has shown you something, so it can't be taken back. At a practice table it could.")
            )
        # To ask is no talk, but asking again and again would be.
        if table.undo_asked_at > table.moved_at and is_silent(table):
            raise WrongTimeError(mark("You have already asked. Under silence you can only ask once."))
        return [facts.UndoAsked(chair)]


def with_say(table: Table) -> list[int]:
    """Chairs whose people have to agree; they keep their say while a bot plays for them."""
    return [i for i, chair in enumerate(table.chairs) if chair.has_say]


def is_silent(table: Table) -> bool:
    """Whether the game's talk rule imposes silence now."""
    talk = table.game.spec.talk if table.game else None
    return talk is not None and table.game is not None and talk.silence(table.game) is not None


def undoable(table: Table, chair: int) -> int:
    """The row of the move a chair may take back or ask to: the last, or one that is still nobody else's affair."""
    if reason := why_not_undo(table, chair):
        raise WrongTimeError(reason)
    seq, last = last_of(table, chair)
    if clause := kept_by(table, seq, last):
        raise MoveRefusedError(SpokenError(clause.message), clause)
    return seq


def kept_by(table: Table, seq: int, played: facts.MovePlayed) -> Clause | None:
    """The clause by which a move can't be taken back, or one of those that would be taken back too; None if none."""
    if table.game is None:
        return None
    gone = [played]
    if table.opened.is_practice:
        gone += [later for _, later in itertools.takewhile(lambda row: row[0] > seq, reversed(table.played))]
    words = table.game.vocabulary
    clauses = (words.kept_by(words.moves.parse(one.move)) for one in gone)
    clause = next((clause for clause in clauses if clause), None)
    return table.game.spec.rulebook[clause] if clause else None


def why_not_undo(table: Table, chair: int) -> str | None:
    """Why a chair can't take back a move, nor ask to; None when it can."""
    if table.phase not in (PLAYING, OVER) or not table.played or table.game is None:
        return mark("There is nothing to take back.")
    seq, last = last_of(table, chair)
    is_own = last.chair == chair and not last.is_bot
    if not is_own or not (seq == table.played[-1][0] or is_nobodys_affair(table, seq, last)):
        return mark("Only the last move can be taken back, and only by the player who made it.")
    return mark("The game is over.") if table.phase == OVER else None


def last_of(table: Table, chair: int) -> tuple[int, facts.MovePlayed]:
    """The last move of a chair with its row, or else the last of all."""
    return next((row for row in reversed(table.played) if row[1].chair == chair), table.played[-1])


def is_nobodys_affair(table: Table, seq: int, played: facts.MovePlayed) -> bool:
    """Whether a move that isn't the last can be taken back: nobody has seen it, or only bots have moved since."""
    assert table.game is not None
    if table.opened.is_practice:
        return all(later.is_bot for row, later in table.played if row > seq)
    words = table.game.vocabulary
    return words.is_still_private(table.game.position, played.chair, words.moves.parse(played.move))


def is_harmless(table: Table) -> bool:
    """Whether nobody has learnt anything from the last move."""
    assert table.game is not None
    # A copy: it is looked at on another thread than the table's.
    return not has_taught(table.game_before(len(table.played) - 1), table.game.copy(), table.peopled)


class AnswerUndo(Command, frozen=True):
    """Agree that somebody takes back their move, or don't."""

    is_slow: ClassVar[bool] = True

    is_agreed: bool
    chair: int | None = None
    seq: int | None = None

    def decide(self, table: Table, asker: Asker) -> Sequence[AnyFact]:
        chair = own_chair(table, asker, self.chair)
        need_seen(self.seq, max(table.moved_at, table.undo_asked_at))
        if table.undo_asked is None or table.phase != PLAYING:
            raise WrongTimeError(mark("The request to take back the move was withdrawn."))
        if chair in table.undo_agreed:
            return []
        answer = facts.UndoAnswered(chair, self.is_agreed)
        agreed = {table.chairs[i].person for i in table.undo_agreed | {chair}}
        if self.is_agreed and agreed >= {table.chairs[i].person for i in with_say(table)}:
            return [answer, facts.Undone(table.played[-1][0])]
        return [answer]


# ---------------------------------------------------------------- what a move has taught


def has_taught(before: Game, after: Game, seats: Iterable[int]) -> bool:
    """Whether the last move of `after` told one of these seats something that wasn't certain `before` it."""
    return any(has_taught_seat(before, after, seat) for seat in seats)


def has_taught_seat(before: Game, after: Game, seat: int) -> bool:
    """Whether the move would have looked otherwise to a seat, had what it couldn't know been different."""
    rules = before.vocabulary.rules
    entry = after.log[-1]
    states = dispatch.new_states(rules, 3)
    states[0] = before.state
    states[1] = after.state
    rules.conceal(states[0], seat)
    rules.conceal(states[1], seat)
    seen = states[1].tobytes()
    is_hidden = entry.seat != seat and rules.is_secret(before.state, entry.move.number)
    rng = np.arange(1, 1 + chance.RNG_WORDS)
    world = states[2]
    for _ in range(WORLDS):
        states[2] = states[0]
        chance.branch(world.chance, rng)
        rules.imagine(world, seat)
        move = a_secret(world, entry.seat) if is_hidden else entry.move.number
        if move is None or rules.refusal(world, entry.seat, move):
            return True
        rules.apply(world, entry.seat, move, None)
        rules.conceal(world, seat)
        if states[2].tobytes() != seen:
            return True
    return False


def a_secret(s: np.record, seat: int) -> int | None:
    """Something the seat could do that others don't see: which of them makes no difference to others."""
    rules = dispatch.rules_of(s)
    mask = np.zeros(rules.MOVES, np.int64)
    mark_legal(s, seat, mask)
    return next((int(move) for move in np.flatnonzero(mask) if rules.is_secret(s, move)), None)
