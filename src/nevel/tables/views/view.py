"""A table as one viewer may see it: built field by field, for a chair, for those who watch, or for a shared screen."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeVar

from msgspec import Struct, json, structs

from nevel.engine.tracing import EVERYONE
from nevel.game.event import Event
from nevel.game.move import Moves
from nevel.game.position import Position
from nevel.game.vocabulary import Outcome, View
from nevel.tables.domain.chair import Chair
from nevel.tables.domain.dealing import CHAINED
from nevel.tables.domain.pace import Pace
from nevel.tables.domain.table import OPEN, OVER, PLAYING, Table
from nevel.tables.domain.undo import kept_by, last_of, why_not_undo

#: How many lists of what may be said are cached.
HINTS_CACHE_SIZE = 1024

encode = json.Encoder().encode
Made = TypeVar("Made")


class Viewer(Struct, frozen=True):
    """Who looks. Equal viewers see the same to the byte, so that what one of them is sent is written once for all."""

    role: Literal["player", "spectator", "screen"] = "spectator"
    chair: int | None = None
    #: Whether they look after the table, and whether a free chair is theirs for the asking.
    is_host: bool = False
    may_sit: bool = False
    #: Whether they have nothing but the link of the chair: they play, talk and take back moves there, and no more.
    is_by_link: bool = False


class PeopleStatus(Struct, frozen=True):
    """What the log doesn't know about people: what they are called, and whether they are here."""

    names: Mapping[str, str]
    is_present: Callable[[str], bool]


class ClockView(Struct, frozen=True):
    """A chair's time in milliseconds: what is left of its reserve, and when time runs out (since 1970)."""

    reserve: int
    deadline: int | None


class ChairView(Struct, frozen=True):
    """A chair, and who sits there or is expected. A person without a name has left Nevel for good."""

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


class ShuffleView(Struct, frozen=True):
    """What the cards are drawn from besides the secret: the chain of what was arranged, and the parts people add.

    Once it is locked, everybody who promised a part shows it, and the cards are dealt.
    """

    is_locked: bool
    chain: list[str]
    #: By chair: hashes of the parts that were promised, and the parts that were shown.
    promises: dict[int, str]
    parts: dict[int, str]


class PlayView(NamedTuple):
    """What one viewer sees of the game itself: the board, what they are asked and may say, and undoing."""

    board: View | None
    prompt: Question | None
    #: What they may say.
    hints: list[str]
    undo: UndoView | None


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
    #: Whether the deal was brought along, also without a move, so that whoever did may know the cards; and whether
    #: everything can be taken back. Neither counts in statistics, nor does a game with a box of the host's own.
    is_brought: bool
    is_practice: bool
    you: Viewer
    chairs: list[ChairView]
    #: The hash of the secret the cards are drawn from; nothing where something was brought along.
    commitment: str
    #: Before the game and after it.
    shuffle: ShuffleView | None
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


class Scene:
    """A table at one moment, for all who look at it: what they see alike is put together once."""

    def __init__(
        self,
        table: Table,
        people: PeopleStatus,
        chairs: "list[ChairView] | None" = None,
        kept: dict[str, Any] | None = None,
    ) -> None:
        """With the `chairs` if it is known how they look, and with what was `kept` from one scene of it to the next."""
        self.table = table
        self.kept = {} if kept is None else kept
        self.people = people
        self.position = table.game.position if table.game else None
        self.chairs = look_at_chairs(table, people) if chairs is None else chairs
        self._news: dict[int, list[tuple[int, int, bytes]]] = {}
        #: The same one after the other; None where not everybody may know all of it.
        self._public: dict[int, bytes | None] = {}
        self._made: dict[str, Any] = {}

    def once(self, name: str, make: "Callable[[Scene], Made]") -> "Made":
        """Compute something that all viewers share, once, when the first of them needs it."""
        made = self._made.get(name)
        if made is None:
            made = self._made[name] = make(self)
        return made

    def news(self, chair: int | None, seq: int) -> list[tuple[int, bytes]]:
        """What a chair may know of what happened after row `seq`: each with its row, and written down."""
        return [(row, text) for audience, row, text in self._happened(seq) if audience in (EVERYONE, chair)]

    def tell(self, chair: int | None, seq: int) -> bytes:
        """The same without the rows, one after the other."""
        if seq not in self._public:
            happened = self._happened(seq)
            is_public = {audience for audience, _, _ in happened} <= {EVERYONE}
            self._public[seq] = b",".join([text for _, _, text in happened]) if is_public else None
        told = self._public[seq]
        if told is not None:
            return told
        return b",".join([text for audience, _, text in self._happened(seq) if audience in (EVERYONE, chair)])

    def _happened(self, seq: int) -> list[tuple[int, int, bytes]]:
        found = self._news.get(seq)
        if found is None:
            happened = happened_since(self.table, seq)
            found = self._news[seq] = [(audience, told.seq, encode(told)) for audience, told in happened]
        return found

    def look(self, viewer: Viewer) -> TableView:
        """What a viewer sees of the table."""
        return self.put_together(viewer, self.table.seq, *self.look_at_play(viewer))

    def look_at_play(self, viewer: Viewer) -> PlayView:
        """What a viewer sees of the game itself."""
        prompt, hints = ask(self.table, self.position, viewer.chair)
        undo = look_at_undo(self.table, viewer.chair) if self.table.phase == PLAYING else None
        return PlayView(self.look_at_board(viewer.chair), prompt, hints, undo)

    def look_at_board(self, chair: int | None) -> View | None:
        """What a chair sees of the board, or without one what all see."""
        game, position = self.table.game, self.position
        return game.vocabulary.view(position, chair) if game and position else None

    def put_together(
        self,
        viewer: Viewer,
        seq: int,
        board: View | None,
        prompt: "Question | None",
        hints: list[str],
        undo: "UndoView | None",
    ) -> TableView:
        """A view, with what changes with every move given."""
        table, opened, game = self.table, self.table.opened, self.table.game
        is_over = table.phase == OVER
        chairs = self.chairs
        if viewer.chair is not None:
            chairs = chairs.copy()
            chairs[viewer.chair] = structs.replace(chairs[viewer.chair], is_you=True)
        return TableView(
            table=table.name,
            seq=seq,
            phase=table.phase,
            game=opened.game,
            options=opened.options,
            pace=opened.pace,
            stand_in=opened.stand_in,
            is_public=opened.is_public,
            has_own_box=table.has_own_box,
            brought=len(opened.prelude.moves) if opened.prelude else 0,
            is_brought=table.is_brought,
            is_practice=opened.is_practice,
            you=viewer,
            chairs=chairs,
            commitment="" if table.is_brought or table.has_own_box else opened.commitment,
            shuffle=look_at_shuffle(table) if table.phase in (OPEN, OVER) else None,
            board=board,
            prompt=prompt,
            hints=hints,
            undo=undo,
            outcome=game.outcome if game and is_over else None,
            proof=prove(table) if is_over and not table.opened.prelude else None,
            rematch=table.rematch,
        )


def look(table: Table, viewer: Viewer, people: PeopleStatus) -> TableView:
    """What a viewer sees of a table now."""
    return Scene(table, people).look(viewer)


def look_at_chairs(table: Table, people: PeopleStatus) -> list[ChairView]:
    """All chairs as those see them who don't sit there."""
    return [look_at_chair(table, number, chair, people) for number, chair in enumerate(table.chairs)]


def look_at_chair(table: Table, number: int, chair: Chair, people: PeopleStatus) -> ChairView:
    """A chair as those see it who don't sit there."""
    person, clock = chair.person, chair.clock
    if person is None:
        kind = "bot" if chair.level else "empty"
        expected = table.opened.reserved.get(number) if kind == "empty" and table.phase == OPEN else None
        name = people.names.get(expected) if expected else name_before(table, number)
        return ChairView(number, kind, name, chair.level, False, False, False, expected is not None, None)
    return ChairView(
        chair=number,
        kind="stood-in" if chair.is_stood_in else "person",
        name=people.names.get(person),
        level=table.opened.stand_in if chair.is_stood_in else None,
        is_you=False,
        is_host=person == table.host,
        is_present=people.is_present(person),
        is_reserved=False,
        clock=ClockView(clock.reserve, clock.deadline) if clock.pace.is_timed else None,
    )


def name_before(table: Table, number: int) -> str | None:
    """Who sat in a chair of a game that was only brought along to be looked at."""
    prelude = table.opened.prelude
    if prelude is None or table.played or table.phase != OVER:
        return None
    return prelude.names[number] or None if number < len(prelude.names) else None


@lru_cache(HINTS_CACHE_SIZE)
def tell_hints(hints: bytes, moves: Moves) -> list[str]:
    """The texts of hints that may be given now, cached by their numbers: they seldom change."""
    return [moves.all[number].text for number in memoryview(hints).cast("h")]


#: As it is nearly always, and for who moved last.
NO_UNDO = UndoView(None, [], False)
MAY_UNDO = UndoView(None, [], True)


def ask(table: Table, position: Position | None, chair: int | None) -> tuple[Question | None, list[str]]:
    """What a chair is asked, and what it may say; nothing for those who don't decide there."""
    game = table.game
    if game is None or position is None or chair is None or table.phase != PLAYING:
        return None, []
    words, is_asked = game.vocabulary, chair in position.waiting_for
    if not (is_asked or words.hint_numbers) or not table.chairs[chair].is_human:
        return None, []
    hints = tell_hints(position.legal_hints(chair), words.moves)
    if not is_asked:
        return None, hints
    moves = [words.moves.all[number].text for number in position.legal_moves(chair)]
    return Question(words.question(position, chair), moves), hints


def look_at_undo(table: Table, chair: int | None) -> UndoView:
    if table.undo_asked is not None:
        return UndoView(table.undo_asked, sorted(table.undo_agreed), False)
    if chair is None or not table.played:
        return NO_UNDO
    seq, last = table.played[-1]
    if last.chair == chair:
        return NO_UNDO if last.is_bot or kept_by(table, seq, last) else MAY_UNDO
    # Rarely anything but the last move: asked for every viewer, so only where it can be.
    if not may_undo_earlier(table):
        return NO_UNDO
    is_refused = why_not_undo(table, chair) or kept_by(table, *last_of(table, chair))
    return NO_UNDO if is_refused else MAY_UNDO


def may_undo_earlier(table: Table) -> bool:
    """Whether it can be that a move that isn't the last is taken back."""
    game = table.game
    return game is not None and (table.opened.is_practice or game.vocabulary.has_private_moves(game.position))


def look_at_shuffle(table: Table) -> ShuffleView | None:
    if table.opened.dealing != CHAINED or table.is_brought:
        return None
    return ShuffleView(table.shuffled_at is not None, [*table.chain], table.promises, table.parts)


def prove(table: Table) -> Proof:
    return Proof(table.secret, {i: chair.contribution for i, chair in enumerate(table.chairs) if chair.person})


def told_since(table: Table, chair: int | None, seq: int) -> list[Told]:
    """What happened in the game after row `seq`, as far as a chair may know; without a chair, as all may."""
    return [told for audience, told in happened_since(table, seq) if audience in (EVERYONE, chair)]


def happened_since(table: Table, seq: int) -> list[tuple[int, Told]]:
    """What happened in the game after row `seq`, each with who may know of it.

    What was taken back isn't told any more.
    """
    game = table.game
    if game is None:
        return []
    played, log = table.played, game.log
    # Before the first row there may be moves that were brought along.
    first, brought = len(played), len(log) - len(played)
    while first and played[first - 1][0] > seq:
        first -= 1
    happened: list[tuple[int, Told]] = []
    if (started_at := table.started_at) > seq:
        before = [*game.opening, *(told for entry in log[:brought] for told in entry.events)]
        happened = [(audience, Told(started_at, event)) for audience, event in before]
    for number in range(first, len(played)):
        row = played[number][0]
        happened += [(audience, Told(row, event)) for audience, event in log[brought + number].events]
    return happened
