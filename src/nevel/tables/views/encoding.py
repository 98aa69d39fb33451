"""Views as JSON: the one place where what a viewer sees becomes what is sent.

What a move leaves as it is (who sits where, how it is played) is encoded once for each viewer and kept as a template.
What all viewers see alike after a move is encoded once for all of them.
"""

from functools import lru_cache
from typing import Any

from msgspec import Raw, json

from nevel.game.move import Moves
from nevel.game.position import Position
from nevel.game.vocabulary import Vocabulary
from nevel.tables.domain.facts import Opened
from nevel.tables.domain.table import PLAYING, Table
from nevel.tables.domain.undo import kept_by
from nevel.tables.views.view import (
    HINTS_CACHE_SIZE,
    MAY_UNDO,
    NO_UNDO,
    ChairView,
    Scene,
    Viewer,
    look_at_undo,
    may_undo_earlier,
)

#: A place in a template: no JSON has this character.
BLANK: Any = Raw(b"\0")
NULL, EMPTY_LIST = b"null", b"[]"

encode = json.Encoder().encode
NO_UNDO_JSON, MAY_UNDO_JSON = encode(NO_UNDO), encode(MAY_UNDO)


def encode_view(scene: Scene, viewer: Viewer) -> bytes:
    """What `Scene.look` gives, as JSON. Who encodes one view after the other keeps a `ViewTemplate`."""
    return ViewTemplate(viewer).fill(scene)


class ViewTemplate:
    """All of a viewer's JSON that moves leave as it is; written anew when people or terms change."""

    __slots__ = ("_chairs", "_opened", "_parts", "viewer")

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self._parts: list[bytes] = []
        #: What it was written for.
        self._chairs: list[ChairView] | None = None
        self._opened: Opened | None = None

    def fill(self, scene: Scene) -> bytes:
        """The viewer's view of a scene."""
        return b"".join(self.parts(scene))

    def parts(self, scene: Scene) -> list[bytes]:
        """The same in pieces, for who puts them into something larger."""
        table = scene.table
        if table.phase != PLAYING:
            # What was won, proved and agreed on besides: it happens a few times a game, and isn't worth keeping.
            parts, self._chairs = self._write(scene), None
        else:
            if self._chairs is not scene.chairs or self._opened is not table.opened:
                self._chairs, self._opened = scene.chairs, table.opened
                self._parts = self._write(scene)
            parts = self._parts
        return scene.once("json", SharedJson).fill(parts, self.viewer.chair)

    def _write(self, scene: Scene) -> list[bytes]:
        """A view around blanks for the row, the board, what is asked, what may be said, and undoing."""
        return encode(scene.put_together(self.viewer, BLANK, BLANK, BLANK, BLANK, BLANK)).split(b"\0")


class BoardJson:
    """A position as JSON: what all seats see alike is encoded once, and then what a seat sees otherwise."""

    __slots__ = ("_position", "_shared", "_words")

    def __init__(self, words: Vocabulary, position: Position) -> None:
        self._words = words
        self._position = position
        #: What is seen alike, by the fields that some seats see otherwise.
        self._shared: dict[tuple[str, ...], bytes] = {}

    def parts(self, seat: int | None) -> tuple[bytes, bytes]:
        """What a seat sees as all do, and the rest: two halves of one JSON object."""
        position = self._position
        common = position.common
        if common is None:
            common = position.common = self._words.common_view(position)
        own = {} if seat is None else self._words.own_view(position, seat, common)
        own["you"] = seat
        names = tuple(own)
        shared = self._shared.get(names)
        if shared is None:
            kept = {name: value for name, value in common.items() if name not in own}
            shared = self._shared[names] = encode(kept)[:-1] + b","
        return shared, encode(own)[1:]


def encode_board(words: Vocabulary, position: Position, seat: int | None) -> bytes:
    """What `Vocabulary.view` gives, as JSON."""
    return b"".join(BoardJson(words, position).parts(seat))


class SharedJson:
    """What the views of one scene have in common, encoded once for all of them."""

    __slots__ = ("_board", "_chairs", "_has_hints", "_position", "_table", "_undo", "_undo_by_chair", "_words", "seq")

    def __init__(self, scene: Scene) -> None:
        table, position = scene.table, scene.position
        self.seq = b"%d" % table.seq
        self._table = table
        self._chairs = table.chairs
        #: What is on the board and asked; the position only while a game goes on.
        self._board: BoardJson | None = None
        self._words: Vocabulary | None = None
        self._position: Position | None = None
        if table.game and position:
            self._words = words = table.game.vocabulary
            self._board = BoardJson(words, position)
            self._has_hints = bool(words.hint_numbers)
            if table.phase == PLAYING:
                self._position = position
        #: Whether chairs may take back a move: those in the list, all others, or None where each has to be asked.
        self._undo_by_chair: dict[int | None, bytes] = {}
        self._undo = self._share_undo(table)

    def fill(self, parts: list[bytes], chair: int | None) -> list[bytes]:
        """A view: what a template has, with what has changed between."""
        begin, before_board, before_prompt, before_hints, before_undo, end = parts
        board, own = (NULL, b"") if self._board is None else self._board.parts(chair)
        prompt, hints = self._question(chair)
        undo = self._undo_by_chair.get(chair, self._undo)
        if undo is None:
            undo = encode(look_at_undo(self._table, chair))
        return [
            *(begin, self.seq, before_board, board, own, before_prompt, prompt),
            *(before_hints, hints, before_undo, undo, end),
        ]

    def _question(self, chair: int | None) -> tuple[bytes, bytes]:
        """What a chair is asked, and what it may say; nothing for those who don't decide there."""
        position, words = self._position, self._words
        if chair is None or position is None or words is None:
            return NULL, EMPTY_LIST
        is_asked = chair in position.waiting_for
        if not (is_asked or self._has_hints) or not self._chairs[chair].is_human:
            return NULL, EMPTY_LIST
        hints = encode_hints(position.legal_hints(chair), words.moves) if self._has_hints else EMPTY_LIST
        return encode_question(words, position, chair) if is_asked else NULL, hints

    def _share_undo(self, table: Table) -> bytes | None:
        if table.phase != PLAYING:
            return NULL
        if table.undo_asked is not None or self._position is None or self._words is None:
            return None
        if not table.played:
            return NO_UNDO_JSON
        seq, last = table.played[-1]
        self._undo_by_chair[last.chair] = NO_UNDO_JSON if last.is_bot or kept_by(table, seq, last) else MAY_UNDO_JSON
        self._undo_by_chair[None] = NO_UNDO_JSON
        # Rarely anything but the last move can be taken back.
        return None if may_undo_earlier(table) else NO_UNDO_JSON


def encode_question(words: Vocabulary, position: Position, chair: int) -> bytes:
    moves = encode_moves(words.moves, position.legal_moves(chair))
    return b'{"question":"%b","moves":%b}' % (words.question(position, chair).encode(), moves)


def encode_moves(moves: Moves, numbers: list[int]) -> bytes:
    return b"[%b]" % b",".join(map(moves.json_texts.__getitem__, numbers))


@lru_cache(HINTS_CACHE_SIZE)
def encode_hints(hints: bytes, moves: Moves) -> bytes:
    """Encode the hints that may be given now, cached by their numbers: they seldom change."""
    return encode_moves(moves, memoryview(hints).cast("h").tolist())
