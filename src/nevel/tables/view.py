"""A table as one viewer may see it: built field by field, for a chair, for those who watch, or for a shared screen."""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from nevel.games.telling import Event
from nevel.games.vocabulary import Outcome, View
from nevel.rules.tracing import EVERYONE
from nevel.tables.commands import undoable
from nevel.tables.pace import Pace
from nevel.tables.refusals import WrongTimeError
from nevel.tables.table import OPEN, OVER, PLAYING, Chair, Table


class Viewer(Struct, frozen=True):
    """Who looks. Equal viewers see the same to the byte, so that what one of them is sent is written once for all."""

    role: Literal["player", "spectator", "screen"] = "spectator"
    chair: int | None = None
    #: Whether they look after the table, and whether a free chair is theirs for the asking.
    is_host: bool = False
    may_sit: bool = False


class Onlookers(Struct, frozen=True):
    """What the log doesn't know about people: what they are called, and whether they are here."""

    names: Mapping[str, str]
    is_present: Callable[[str], bool]


class ClockView(Struct, frozen=True):
    """A chair's time in milliseconds: what is left of its reserve, and when time runs out (since 1970)."""

    reserve: int
    deadline: int | None


class ChairView(Struct, frozen=True):
    """A chair, and who sits there. A person without a name has left Nevel for good."""

    chair: int
    kind: Literal["empty", "person", "bot", "stood-in"]
    name: str | None
    level: str | None
    is_you: bool
    is_host: bool
    is_present: bool
    #: Kept for somebody from the game before.
    is_reserved: bool
    clock: ClockView | None


class Question(Struct, frozen=True):
    """What the viewer is asked, and all answers the rules allow."""

    question: str
    moves: list[str]


class UndoView(Struct, frozen=True):
    """Who asks to take back the last move, who has agreed, and whether the viewer may ask."""

    asked: int | None
    agreed: list[int]
    may_ask: bool


class Proof(Struct, frozen=True):
    """What the cards were drawn from, for everyone to check once the game is over."""

    secret: str
    contributions: dict[int, str]


class TableView(Struct, frozen=True):
    """All that one viewer may know of a table."""

    table: str
    seq: int
    phase: str
    game: str
    options: dict[str, int]
    pace: Pace
    stand_in: str
    is_public: bool
    #: Whether it is played with a box of the host's own, and how many moves were played elsewhere before.
    has_own_box: bool
    brought: int
    you: Viewer
    chairs: list[ChairView]
    #: The hash of the secret the cards are drawn from.
    commitment: str
    board: View | None
    prompt: Question | None
    #: What the viewer may say.
    hints: list[str]
    undo: UndoView | None
    outcome: Outcome | None
    proof: Proof | None
    rematch: str | None


class Told(Struct, frozen=True):
    """Something that happened in the game, and the row of the log it came from."""

    seq: int
    event: Event


def look(table: Table, viewer: Viewer, onlookers: Onlookers) -> TableView:
    """What a viewer sees of a table now."""
    opened, game = table.opened, table.game
    prompt, hints = ask(table, viewer.chair)
    is_over = table.phase == OVER
    return TableView(
        table=table.name,
        seq=table.seq,
        phase=table.phase,
        game=opened.game,
        options=opened.options,
        pace=opened.pace,
        stand_in=opened.stand_in,
        is_public=opened.is_public,
        has_own_box=opened.box is not None,
        brought=len(opened.prelude.moves) if opened.prelude else 0,
        you=viewer,
        chairs=[look_at_chair(table, i, chair, viewer, onlookers) for i, chair in enumerate(table.chairs)],
        commitment=opened.commitment,
        board=game.view(viewer.chair) if game else None,
        prompt=prompt,
        hints=hints,
        undo=look_at_undo(table, viewer.chair) if table.phase == PLAYING else None,
        outcome=game.outcome if game and is_over else None,
        proof=prove(table) if is_over else None,
        rematch=table.rematch,
    )


def look_at_chair(table: Table, number: int, chair: Chair, viewer: Viewer, onlookers: Onlookers) -> ChairView:
    person, clock = chair.person, chair.clock
    return ChairView(
        chair=number,
        kind=kind_of(chair),
        name=onlookers.names.get(person) if person else name_before(table, number),
        level=table.opened.stand_in if chair.is_stood_in else chair.level,
        is_you=number == viewer.chair,
        is_host=person is not None and person == table.host,
        is_present=person is not None and onlookers.is_present(person),
        is_reserved=chair.is_empty and table.phase == OPEN and number in table.opened.reserved,
        clock=ClockView(clock.reserve, clock.deadline) if clock.pace.is_timed and person else None,
    )


def name_before(table: Table, number: int) -> str | None:
    """Who sat in a chair of a game that was only brought along to be looked at."""
    prelude = table.opened.prelude
    if prelude is None or table.played or table.phase != OVER:
        return None
    return prelude.names[number] or None if number < len(prelude.names) else None


def kind_of(chair: Chair) -> Literal["empty", "person", "bot", "stood-in"]:
    if chair.person is None:
        return "bot" if chair.level else "empty"
    return "stood-in" if chair.is_stood_in else "person"


def ask(table: Table, chair: int | None) -> tuple[Question | None, list[str]]:
    """What a chair is asked, and what it may say; nothing for those who don't decide there."""
    game = table.game
    if game is None or chair is None or table.phase != PLAYING or not table.chairs[chair].is_human:
        return None, []
    words = game.vocabulary
    moves, hints = list[str](), list[str]()
    for move in game.legal_moves(chair):
        (hints if words.is_hint(move) else moves).append(move.text)
    if chair not in game.waiting_for:
        return None, hints
    return Question(words.question(game.state, chair), moves), hints


def look_at_undo(table: Table, chair: int | None) -> UndoView:
    may_ask = chair is not None and table.undo_asked is None and can_undo(table, chair)
    return UndoView(table.undo_asked, sorted(table.undo_agreed), may_ask)


def can_undo(table: Table, chair: int) -> bool:
    try:
        undoable(table, chair)
    except WrongTimeError:
        return False
    return True


def prove(table: Table) -> Proof:
    return Proof(table.secret, {i: chair.contribution for i, chair in enumerate(table.chairs) if chair.person})


def told_since(table: Table, chair: int | None, seq: int) -> list[Told]:
    """What happened in the game after row `seq`, as far as a chair may know; without a chair, as all may.

    What was taken back isn't told any more.
    """
    game = table.game
    if game is None:
        return []
    audiences = (EVERYONE,) if chair is None else (EVERYONE, chair)
    told = list[Told]()
    # From the end: before the first row there may be moves that were brought along.
    for (row, _), entry in zip(reversed(table.played), reversed(game.log), strict=False):
        if row <= seq:
            break
        told += [Told(row, event) for audience, event in reversed(entry.events) if audience in audiences]
    if table.started_at > seq:
        told += [Told(table.started_at, event) for audience, event in reversed(game.opening) if audience in audiences]
    return told[::-1]
