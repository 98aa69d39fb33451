"""How much time people have: none is counted, seconds a decision with a reserve, or days by correspondence."""

from typing import Literal

from msgspec import Struct

from nevel.languages import SpokenError, mark

DAY = 86_400


class Pace(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The time for every decision, in seconds, and a reserve for the whole game; nothing when relaxed.

    >>> Pace("live", seconds=30, reserve=120).allowance
    30000
    >>> Pace("correspondence", seconds=3 * DAY).is_timed
    True
    """

    kind: Literal["relaxed", "live", "correspondence"] = "relaxed"
    seconds: int = 0
    reserve: int = 0

    @property
    def is_timed(self) -> bool:
        return self.kind != "relaxed"

    @property
    def allowance(self) -> int:
        """Milliseconds for a decision."""
        return self.seconds * 1000

    def check(self) -> None:
        """Refuse a pace nobody could play at."""
        if self.kind == "live":
            if not (5 <= self.seconds <= 600 and 0 <= self.reserve <= 3600):
                raise SpokenError(
                    mark("A live game allows 5 to 600 seconds per decision, with a reserve of up to an hour.")
                )
        elif self.kind == "correspondence":
            if not (DAY <= self.seconds <= 14 * DAY and self.reserve == 0):
                raise SpokenError(mark("A correspondence game allows 1 to 14 days per decision, without a reserve."))
        elif self.seconds or self.reserve:
            raise SpokenError(mark("A relaxed game has no clock."))


class Clock:
    """One chair's time. It only knows what it is told: everything in it follows from the log."""

    __slots__ = ("pace", "reserve", "since")

    def __init__(self, pace: Pace) -> None:
        self.pace = pace
        self.reserve = pace.reserve * 1000
        self.since: int | None = None

    @property
    def deadline(self) -> int | None:
        """When time runs out, in milliseconds since the epoch; None while nothing is waited for."""
        if self.since is None or not self.pace.is_timed:
            return None
        return self.since + self.pace.allowance + self.reserve

    def start(self, at: int) -> None:
        """Let the time for a decision run from now on."""
        self.since = at

    def stop(self, at: int) -> None:
        """Let no time run any more: what the decision took beyond its allowance comes off the reserve."""
        if self.since is not None:
            self.reserve = max(self.reserve - max(at - self.since - self.pace.allowance, 0), 0)
        self.since = None

    def copy(self) -> "Clock":
        twin = object.__new__(Clock)
        twin.pace, twin.reserve, twin.since = self.pace, self.reserve, self.since
        return twin
