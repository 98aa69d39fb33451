"""The table's part of a page, for all equal viewers who read the same language."""

from collections import deque
from collections.abc import Collection

from nevel.languages import language
from nevel.tables.domain.table import Table
from nevel.tables.views.view import Scene, Viewer
from nevel.web.live.channel import Channel, Spoken
from nevel.web.rendering.frame import FrameLook, FrameParts, PageFrame


class PageChannel(Channel):
    """Sends what changed to pages that show what was sent last, and everything to all others.

    Every change has a number, `seq`, which is the version of the pages it was sent to (`data-version`). Changes say to
    which version they belong (`data-after`), so that a page that has missed something notices it.
    """

    seq: int

    def __init__(self, viewer: Viewer, language_code: str | None) -> None:
        super().__init__(viewer, language_code)
        self._frame = PageFrame(viewer, language(language_code or ""))
        self._scene: Scene | None = None
        #: What pages of a version show, and how many lines of the story they have.
        self._parts: FrameParts | None = None
        self._told = 0
        self._version = -1
        self._forget()

    def _forget(self) -> None:
        #: What there is to see for whoever hears nothing, and for those who hear everything.
        self._unheard: FrameLook | None = None
        self._look: FrameLook | None = None
        #: Which version can be brought up to date by changes; none if there are none.
        self._before: int | None = None
        self._changed: bytes | None = None
        self._whole: bytes | None = None

    def update(self, scene: Scene) -> None:
        """Remember what there is to see; it is drawn when somebody is ready for it."""
        self._scene = scene
        self.seq += 1
        self._forget()

    def pass_on(self, scene: Scene, now: int) -> bool:
        return False

    def first(self, table: Table, since: int | None, said: deque[Spoken], now: int) -> bytes:
        look = self._hear(said)
        if len(self.connections) == 1:  # nobody else has a page of the version before
            self._remember(look.parts)
        return self._draw_whole(look, now)

    def frame(self, seen: int, heard: int, said: deque[Spoken], now: int) -> bytes:
        if self._look is None:
            self._look = self._hear(said)
            self._compare(self._look, now)
        if seen == self._before and self._changed is not None:
            return self._changed
        if self._whole is None:
            self._whole = self._draw_whole(self._look, now, self._look.staged)
        return self._whole

    def write(self, seen: int, heard: int, said: Collection[Spoken], now: int) -> bytes:
        return self._draw_whole(self._hear(said), now)

    def seen_by(self, is_alone: bool) -> int:
        """Who was written to alone has a page that nobody else has, and is sent everything the next time."""
        return -1 if is_alone else self.seq

    def let_go(self) -> None:
        self._scene = None
        self._forget()

    @property
    def has_let_go(self) -> bool:
        return self._scene is None

    def _hear(self, said: Collection[Spoken]) -> FrameLook:
        """What there is to see for those who hear this."""
        if self._unheard is None:
            assert self._scene is not None
            self._unheard = self._frame.look(self._scene, ())
        if not said:
            return self._unheard
        return self._unheard.with_chat(self._frame.chat([spoken.said for spoken in said], self._unheard.is_silent))

    def _compare(self, look: FrameLook, now: int) -> None:
        """Draw what is new to pages of the last version, if they can be brought up to date by it."""
        if self._parts is not None:
            numbers = f' data-after="{self._version}" data-version="{self.seq}"'
            changed = look.draw_changes(self._parts, self._told, now, numbers)
            if changed is not None:
                self._before, self._changed = self._version, changed.encode()
        self._remember(look.parts)

    def _remember(self, parts: FrameParts) -> None:
        self._parts, self._told, self._version = parts, self._frame.story.count, self.seq

    def _draw_whole(self, look: FrameLook, now: int, staged: str = "") -> bytes:
        return look.draw(now, f' data-version="{self.seq}"', staged).encode()
