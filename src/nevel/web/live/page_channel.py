"""The table's part of a page, for all equal viewers who read the same language."""

from collections import deque
from collections.abc import Collection

from nevel.languages import language
from nevel.tables.domain.table import Table
from nevel.tables.views.view import Scene, Viewer
from nevel.web.live.channel import Channel, Spoken
from nevel.web.rendering.frame import PageFrame


class PageChannel(Channel):
    """Sends pages. A page shows everything there is to see, so it doesn't matter what was sent before."""

    def __init__(self, viewer: Viewer, language_code: str | None) -> None:
        super().__init__(viewer, language_code)
        self._frame = PageFrame(viewer, language(language_code or ""))
        self._scene: Scene | None = None
        self._page: bytes | None = None

    def update(self, scene: Scene) -> None:
        """Remember what there is to see; it is drawn when somebody is ready for it."""
        self._scene = scene
        self.seq = scene.table.seq
        self._page = None

    def first(self, table: Table, since: int | None, said: deque[Spoken], now: int) -> bytes:
        # Not kept: whoever comes now may not hear all that others hear.
        return self.write(-1, -1, said, now)

    def frame(self, seen: int, heard: int, said: deque[Spoken], now: int) -> bytes:
        if self._page is None:
            self._page = self.write(seen, heard, said, now)
        return self._page

    def let_go(self) -> None:
        self._scene = self._page = None

    @property
    def has_let_go(self) -> bool:
        return self._scene is None

    def write(self, seen: int, heard: int, said: Collection[Spoken], now: int) -> bytes:
        assert self._scene is not None
        return self._frame.draw(self._scene, [spoken.said for spoken in said], now).encode()
