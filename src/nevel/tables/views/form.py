"""A view written as JSON while a game is played: what a move changes is put into a form, the rest stays as it is."""

from functools import lru_cache
from typing import Any

from msgspec import Raw, json

from nevel.game.move import Moves
from nevel.game.position import Position
from nevel.game.vocabulary import Vocabulary
from nevel.tables.domain.facts import Opened
from nevel.tables.domain.table import PLAYING
from nevel.tables.views.view import HINTS_KEPT, MAY_UNDO, NO_UNDO, ChairView, Scene, UndoView, Viewer, look_at_undo

#: Where something is put in: no JSON has this character.
BLANK: Any = Raw(b"\0")
NOTHING, NO_HINTS = b"null", b"[]"

encode = json.Encoder().encode
WRITTEN_NO_UNDO, WRITTEN_MAY_UNDO = encode(NO_UNDO), encode(MAY_UNDO)


class Form:
    """What one kind of viewer sees of a table; written anew when people or terms change."""

    __slots__ = ("_chairs", "_opened", "_parts", "viewer")

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self._parts: list[bytes] = []
        #: What it was written for.
        self._chairs: list[ChairView] | None = None
        self._opened: Opened | None = None

    def fill(self, scene: Scene) -> bytes:
        """What `Scene.look` gives, as JSON."""
        table, position, chair = scene.table, scene.position, self.viewer.chair
        if table.phase != PLAYING or table.game is None or position is None:
            return encode(scene.look(self.viewer))
        if self._chairs is not scene.chairs or self._opened is not table.opened:
            self._chairs, self._opened = scene.chairs, table.opened
            self._parts = self._write(scene)
        words = table.game.vocabulary
        prompt, hints = NOTHING, NO_HINTS
        if chair is not None and table.chairs[chair].is_human:
            prompt, hints = ask(words, position, chair)
        undo = write_undo(look_at_undo(table, chair))
        begin, before_board, before_prompt, before_hints, before_undo, end = self._parts
        board, seq = words.write_view(position, chair), b"%d" % table.seq
        return b"".join(
            (begin, seq, before_board, board, before_prompt, prompt, before_hints, hints, before_undo, undo, end)
        )

    def _write(self, scene: Scene) -> list[bytes]:
        """A view around blanks for the row, the board, what is asked, what may be said, and undoing."""
        return encode(scene.put_together(self.viewer, BLANK, BLANK, BLANK, BLANK, BLANK)).split(b"\0")


def ask(words: Vocabulary, position: Position, chair: int) -> tuple[bytes, bytes]:
    """What a chair is asked, and what it may say."""
    hints = write_hints(position.legal_hints(chair), words.moves) if words.hint_numbers else NO_HINTS
    if chair not in position.waiting_for:
        return NOTHING, hints
    moves = write_moves(words.moves, position.legal_moves(chair))
    return b'{"question":"%b","moves":%b}' % (words.question(position, chair).encode(), moves), hints


def write_undo(undo: UndoView) -> bytes:
    if undo is NO_UNDO:
        return WRITTEN_NO_UNDO
    return WRITTEN_MAY_UNDO if undo is MAY_UNDO else encode(undo)


def write_moves(moves: Moves, numbers: list[int]) -> bytes:
    written = moves.json_texts
    return b"[%b]" % b",".join([written[number] for number in numbers])


@lru_cache(HINTS_KEPT)
def write_hints(hints: bytes, moves: Moves) -> bytes:
    """What may be said, by the numbers in two bytes each; the same is told most of the time."""
    return write_moves(moves, memoryview(hints).cast("h").tolist())
