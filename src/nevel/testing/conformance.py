"""All checks in order, as tests for Pytest and as a list."""

import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import ClassVar

from nevel.game.registry import find
from nevel.languages import SpokenError, mark
from nevel.testing.check import Check
from nevel.testing.subject import Subject
from nevel.testing.suite import bots, environments, golden, knowledge, modes, pages, rules, saving, spec, words

#: In the order in which they are listed: what all others need comes first, what takes longest last.
MODULES = (spec, rules, knowledge, words, saving, golden, modes, bots, environments, pages)
ALL_CHECKS = {one.name: one for module in MODULES for one in vars(module).values() if isinstance(one, Check)}


class UnknownCheckError(SpokenError):
    """A name that is no check's."""

    def __init__(self, name: str) -> None:
        super().__init__(mark("There is no check {name}; there are {known}."), name=name, known=", ".join(ALL_CHECKS))


def checks(names: Iterable[str] | None = None, *, is_quick: bool = False) -> list[Check]:
    """The checks of these names, or all; without those that take long if so wished."""
    wanted = list(ALL_CHECKS if names is None else names)
    for name in wanted:
        if name not in ALL_CHECKS:
            raise UnknownCheckError(name)
    return [ALL_CHECKS[name] for name in wanted if not (is_quick and ALL_CHECKS[name].is_slow)]


class Conformance:
    """A test for every check, for a subclass that names a game.

    >>> class TestMyGame(Conformance):
    ...     game = "my-game"

    Clauses are looked for in the tests beside the subclass, and recorded games in the folder `golden` there.
    """

    #: The name of the game.
    game: ClassVar[str]
    #: The folder whose tests are about its clauses; that of the subclass by default.
    tests: ClassVar[Path | None] = None
    #: The folder with its recorded games; `golden` beside the subclass by default.
    golden: ClassVar[Path | None] = None

    @classmethod
    def subject(cls) -> Subject:
        """The game with its folders."""
        here = Path(inspect.getfile(cls)).parent
        return Subject(find(cls.game), tests=cls.tests or here, golden=cls.golden or here / "golden")


def as_method(check: Check) -> Callable[[Conformance], None]:
    """A check as a method Pytest finds."""

    def test(self: Conformance) -> None:
        check.run(self.subject())

    test.__name__ = f"test_{check.run.__name__}"
    test.__doc__ = check.run.__doc__
    return test


for _check in ALL_CHECKS.values():
    setattr(Conformance, f"test_{_check.run.__name__}", as_method(_check))
