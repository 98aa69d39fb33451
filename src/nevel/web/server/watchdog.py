"""Watches the event loop: how late its timers fire, and whether it hangs."""

import asyncio
import time
from collections.abc import Callable

from nevel.web.server.metrics import Metrics

#: Seconds between two looks.
LOOK_EVERY = 0.25


class Watchdog:
    """Measures the lag of the event loop, and calls back every time it isn't stuck."""

    def __init__(self, metrics: Metrics, beat: Callable[[], None]) -> None:
        self.metrics = metrics
        self.beat = beat

    async def run(self) -> None:
        while True:
            self.beat()
            before = time.perf_counter()
            await asyncio.sleep(LOOK_EVERY)
            self.metrics.loop_lag.observe(max(0.0, time.perf_counter() - before - LOOK_EVERY))
