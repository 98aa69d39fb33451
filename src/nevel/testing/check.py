"""One thing the kit checks about a game: a function with a title, and what comes of running it."""

import inspect
import time
import traceback
import unittest
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NoReturn

from nevel.languages import Language

if TYPE_CHECKING:
    from nevel.testing.subject import Subject


class ConformanceError(AssertionError):
    """What is wrong with a game, in a sentence for its author."""


class SkippedCheckError(unittest.SkipTest):
    """A check that can't be made here, and why. Pytest shows it as a skipped test."""

    def __init__(self, message: str, /, **values: object) -> None:
        super().__init__(message.format(**values))
        self.message = message
        self.values = values

    def sentence(self, language: Language) -> str:
        """Why it was left out."""
        return language.say(self.message, **self.values)


def fail(problem: str) -> NoReturn:
    """End a check: the game doesn't do what every game has to do."""
    raise ConformanceError(problem)


def skip(message: str, /, **values: object) -> NoReturn:
    """Leave a check out, with a reason marked for translation."""
    raise SkippedCheckError(message, **values)


Status = Literal["ok", "failed", "skipped"]


@dataclass(frozen=True)
class Result:
    """What came of a check."""

    check: "Check"
    status: Status
    seconds: float
    #: What is wrong, or why it was left out.
    reason: str = ""
    #: Where a mistake in the game's code was met.
    trace: str = ""


@dataclass(frozen=True)
class Check:
    """One thing every game has to do."""

    name: str
    #: What is checked, in a few words, marked for translation.
    title: str
    run: "Callable[[Subject], None]"
    #: Whether it takes more than a few seconds: left out by `nevel check-game --quick`.
    is_slow: bool = False

    def __str__(self) -> str:
        return self.name

    @property
    def advice(self) -> str:
        """What is checked exactly, and what to do when it fails."""
        return inspect.cleandoc(self.run.__doc__ or "")

    def result(self, subject: "Subject", language: Language) -> Result:
        """Run it and tell what came of it, whatever happens."""
        began = time.perf_counter()
        status: Status = "ok"
        reason = trace = ""
        try:
            self.run(subject)
        except SkippedCheckError as left_out:
            status, reason = "skipped", left_out.sentence(language)
        except ConformanceError as problem:
            status, reason = "failed", str(problem)
        except Exception as problem:  # a mistake anywhere in the game's code is what the kit is there to find
            status, reason, trace = "failed", f"{type(problem).__name__}: {problem}", traceback.format_exc()
        return Result(self, status, time.perf_counter() - began, reason, trace)


def check(title: str, *, is_slow: bool = False) -> "Callable[[Callable[[Subject], None]], Check]":
    """Make a function a check; its name, with hyphens, is the check's."""

    def make(function: "Callable[[Subject], None]") -> Check:
        return Check(function.__name__.replace("_", "-"), title, function, is_slow)

    return make
