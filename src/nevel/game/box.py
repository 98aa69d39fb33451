"""The contents of a game's box, read from TOML and validated."""

import reprlib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from nevel.game.registry import all_games, find
from nevel.languages import SpokenError, mark

#: Dots of one line of a box, far more than ours have. A key of n parts takes the time of n²: 16 KB of them seconds.
MOST_DOTS = 20
#: Letters of a value that is told back to whoever wrote it.
LONGEST_SHOWN = 80
#: Bits of numbers that are told back: those of thousands of digits can't even be written down.
MOST_BITS = 64


class BoxError(SpokenError):
    """A box description that is invalid: says in which file, at which key, and why."""

    def __init__(self, file: str, key: str, message: str, /, **values: object) -> None:
        self.reason = SpokenError(message, **values)
        super().__init__(mark("{file}, {key}: {reason}"), file=file, key=key, reason=self.reason)
        self.file = file
        self.key = key


class Box:
    """The contents of one game's box, and the array of numbers the rules read."""

    def __init__(self, content: Mapping[str, Any], file: str = "box") -> None:
        self.file = file
        self.content = dict(content)
        game = self.content.get("game")
        spec = all_games().get(game) if isinstance(game, str) else None
        if spec is None:
            known = ", ".join(all_games())
            raise self.error("game", mark("is {value}; known are {known}."), value=game, known=known)
        self.game = spec.name
        self.numbers: NDArray[np.int64] = np.array(spec.read_box(self), np.int64)

    @classmethod
    def of(cls, game: str) -> "Box":
        """The box of a game as it is sold."""
        spec = find(game)
        return cls(tomllib.loads(spec.file(spec.box_file).read_text("utf-8")), f"{game}.toml")

    @classmethod
    def read(cls, path: Path) -> "Box":
        """An owner's own description of their box."""
        try:
            return cls.parse(path.read_text("utf-8"), str(path))
        except OSError as problem:
            raise BoxError(str(path), "file", mark("can't be read ({reason})."), reason=problem) from problem
        except UnicodeDecodeError as problem:
            raise BoxError(str(path), "file", mark("is not UTF-8 text.")) from problem

    @classmethod
    def parse(cls, text: str, file: str = "box") -> "Box":
        """A box from the text of such a file."""
        for number, line in enumerate(text.splitlines(), 1):
            if line.partition("#")[0].count(".") > MOST_DOTS:
                raise BoxError(
                    file, "file", mark("has more than {most} dots in line {number}."), most=MOST_DOTS, number=number
                )
        try:
            content = tomllib.loads(text)
        except (ValueError, RecursionError) as problem:  # numbers and brackets without end, besides what isn't TOML
            raise BoxError(file, "file", mark("is not TOML ({reason})."), reason=shown(str(problem))) from problem
        return cls(content, file)

    @property
    def is_ours(self) -> bool:
        """Whether it says the same as the box we ship."""
        return self.printed == Box.of(self.game).content

    @property
    def printed(self) -> dict[str, Any]:
        """What the rules read of it, without whatever else its owner wrote down."""
        return {key: self.content[key] for key in Box.of(self.game).content}

    def error(self, key: str, message: str, /, known: str = "", **values: object) -> BoxError:
        told = {"known": known, **{name: shown(value) for name, value in values.items()}}
        return BoxError(self.file, str(shown(key)), message, **told)

    def error_for(self, game: str) -> BoxError:
        """The error for a box that belongs to another game."""
        return self.error("game", mark("is {value}, but {game} is played."), value=self.game, game=game)

    def section(self, key: str, names: tuple[str, ...]) -> dict[str, Any]:
        """A table of the file that has exactly these keys."""
        section = self.content.get(key)
        if not isinstance(section, dict):
            raise self.error(key, mark("is missing.") if section is None else mark("must be a table."))
        section = cast("dict[str, Any]", section)
        for name in section:
            if name not in names:
                raise self.error(f"{key}.{name}", mark("is unknown; known are {known}."), known=", ".join(names))
        for name in names:
            if name not in section:
                raise self.error(f"{key}.{name}", mark("is missing."))
        return section

    def whole_number(self, key: str, value: object, low: int, high: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.error(key, mark("is {value}; it must be a whole number."), value=value)
        if not low <= value <= high:
            raise self.error(key, mark("is {value}; it must be from {low} to {high}."), value=value, low=low, high=high)
        return value

    def row(self, key: str, value: object, length: int | None = None) -> list[object]:
        if not isinstance(value, list):
            raise self.error(key, mark("must be a list."))
        items = cast("list[object]", value)
        if length is not None and len(items) != length:
            raise self.error(key, mark("has {found} entries; it must have {length}."), found=len(items), length=length)
        return items

    def total(self, key: str, found: int, expected: int) -> None:
        if found != expected:
            raise self.error(
                key, mark("are {found} in total; there must be {expected}."), found=found, expected=expected
            )


def shown(value: object) -> object:
    """A value as an error tells it, however long, deep or large it is."""
    if isinstance(value, int):
        return value if value.bit_length() <= MOST_BITS else f"±2^{value.bit_length() - 1}"
    text = value if isinstance(value, str) else reprlib.repr(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
