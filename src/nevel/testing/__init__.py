"""The conformance kit: what every game of Nevel has to do, as tests for anybody's test-suite.

>>> from nevel.testing import Conformance
>>> class TestMyGame(Conformance):
...     game = "my-game"

Pytest runs every check as a test of its own. `nevel check-game NAME` runs the same checks from the command line.
"""

from nevel.testing.check import Check, ConformanceError, Result, SkippedCheckError
from nevel.testing.conformance import Conformance, UnknownCheckError, checks
from nevel.testing.parts import TestingParts
from nevel.testing.subject import Subject

__all__ = [
    "Check",
    "Conformance",
    "ConformanceError",
    "Result",
    "SkippedCheckError",
    "Subject",
    "TestingParts",
    "UnknownCheckError",
    "checks",
]
