"""Clauses: the numbered rules of a game, each with the sentence players read."""

from collections.abc import Iterator, Mapping
from types import ModuleType

from msgspec import Struct

from nevel.languages import Language


class Clause(Struct, frozen=True):
    """One numbered rule."""

    id: str
    #: Its number in the compiled rules.
    code: int
    #: What it says, marked for translation.
    message: str

    def sentence(self, language: Language) -> str:
        """The rule in a player's words."""
        return language.say(self.message)


class Rulebook(Mapping[str, Clause]):
    """The clauses of a game, in order, by their ids.

    >>> from types import SimpleNamespace
    >>> book = Rulebook(SimpleNamespace(AB_C1=7), {"AB-C1": "Cards are dealt."})
    >>> book.by_code[7].id
    'AB-C1'
    """

    def __init__(self, codes: ModuleType | object, messages: Mapping[str, str], base: "Rulebook | None" = None) -> None:
        """`codes` has the number of AB-C1 as AB_C1. A game that extends another begins with its rulebook, `base`."""
        own = {name: Clause(name, getattr(codes, name.replace("-", "_")), messages[name]) for name in messages}
        self._clauses: dict[str, Clause] = {**(base or {}), **own}
        self.by_code = {clause.code: clause for clause in self._clauses.values()}
        if len(self.by_code) != len(self._clauses):
            raise ValueError("two clauses of a rulebook have the same number")

    def __getitem__(self, name: str) -> Clause:
        return self._clauses[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._clauses)

    def __len__(self) -> int:
        return len(self._clauses)

    def refusal(self, code: int) -> Clause | None:
        """The clause behind a number the rules gave; None for 0, which is no refusal at all."""
        return self.by_code[code] if code else None
