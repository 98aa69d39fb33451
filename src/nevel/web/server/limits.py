"""Rate limits: a token bucket for each person and address."""

import time
from collections import OrderedDict
from collections.abc import Callable

from nevel.web.server.problems import TooOftenError

#: Buckets kept; the longest unused is dropped first, and is full by then.
CACHE_SIZE = 50_000


class Limit:
    """So many a second, and a burst at once; for each name on its own.

    >>> now = 0.0
    >>> limit = Limit(rate=1, burst=2, clock=lambda: now)
    >>> [limit.try_acquire("ann") for _ in range(3)]
    [True, True, False]
    """

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.burst = burst
        self.clock = clock
        #: What is left for each name, and when that was so.
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def try_acquire(self, name: str) -> bool:
        """Whether one more is allowed now; if so, it is counted."""
        if not self.rate:
            return True
        left = self._now(name)
        self._left[name] = (left - 1 if left >= 1 else left, self.clock())
        self._left.move_to_end(name)
        if len(self._left) > CACHE_SIZE:
            self._left.popitem(last=False)
        return left >= 1

    def check(self, name: str) -> None:
        if not self.try_acquire(name):
            raise TooOftenError((1 - self._left[name][0]) / self.rate)

    def _now(self, name: str) -> float:
        left, since = self._left.get(name, (self.burst, 0.0))
        return min(self.burst, left + (self.clock() - since) * self.rate)
