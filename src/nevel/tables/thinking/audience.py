"""Who at a table is still being shown what happened: its bots wait for them, but never for long."""

import asyncio


class Audience:
    """The pages that show what a table's newest row led to. Nothing waits for them but the bots.

    It is known to the node a page is connected to and to no other, and to nobody after a restart: then bots go on at
    their usual pace, and the page shows one thing after the other by itself.
    """

    #: Seconds for which bots wait for a page, counted from when it began to show a row.
    PATIENCE = 25.0

    def __init__(self) -> None:
        #: For each page, the row it shows and until when it is waited for.
        self._showing: dict[object, tuple[int, float]] = {}
        self._is_changed = asyncio.Event()

    def begin(self, page: object, row: int) -> None:
        """A page begins to show a row. Saying so again makes nobody wait any longer."""
        if self._showing.get(page, (-1, 0.0))[0] != row:
            self._showing[page] = row, asyncio.get_running_loop().time() + self.PATIENCE

    def end(self, page: object) -> None:
        """A page has shown it all."""
        shown = self._showing.get(page)
        if shown:
            self._showing[page] = shown[0], 0.0
            self._is_changed.set()

    def leave(self, page: object) -> None:
        """A page is gone."""
        self._showing.pop(page, None)
        self._is_changed.set()

    async def wait(self) -> None:
        """Wait until no page shows anything any more, or none is waited for any longer."""
        loop = asyncio.get_running_loop()
        while self._showing and (left := max(until for _, until in self._showing.values()) - loop.time()) > 0:
            self._is_changed.clear()
            try:
                async with asyncio.timeout(left):
                    await self._is_changed.wait()
            except TimeoutError:
                return
