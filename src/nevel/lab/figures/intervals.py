"""Confidence intervals of shares."""

import math
from typing import NamedTuple

#: The standard normal deviate of 95 %.
DEVIATE = 1.959964


class Interval(NamedTuple):
    """Where a figure is with a confidence of 95 %."""

    low: float
    high: float

    def rounded(self, digits: int = 4) -> "Interval":
        return Interval(round(self.low, digits), round(self.high, digits))


def wilson(share: float, count: int) -> Interval:
    """Wilson's interval for a share seen in `count` games; shares of single games may lie between 0 and 1.

    >>> wilson(0.5, 100).rounded(3)
    Interval(low=0.404, high=0.596)
    """
    if count <= 0:
        return Interval(0.0, 1.0)
    square = DEVIATE * DEVIATE
    middle = (share + square / (2 * count)) / (1 + square / count)
    reach = DEVIATE / (1 + square / count) * math.sqrt(share * (1 - share) / count + square / (4 * count * count))
    return Interval(max(0.0, middle - reach), min(1.0, middle + reach))
