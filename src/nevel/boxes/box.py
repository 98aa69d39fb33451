"""A box: the facts printed on a game's components, read from TOML and checked before anyone plays with them."""

import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

WEATHERS = ("rain", "snow", "fog", "clouds", "thunder", "sun")
SYMBOLS = ("", "swap", "reveal")
COMMANDS = ("stop", "skull", "three", "silence", "no-trick", "one-pile", "draw-one")
ARROWS = ("", "up", "down", "left", "right")
KINDS = (
    "rocket",
    "balloon",
    "leaf",
    "raindrop",
    "truck",
    "scooter",
    "tractor",
    "unicycle",
    "heart",
    "star",
    "house",
    "smile",
    "flower",
    "monster",
)
STILL = ("smile", "flower", "monster")
GAMES = ("what-the-fog", "the-game", "extreme", "misty")


class BoxError(ValueError):
    """A box that can't be: says in which file, at which key, and why."""

    def __init__(self, file: str, key: str, reason: str) -> None:
        super().__init__(f"{file}: {key}: {reason}")
        self.file = file
        self.key = key
        self.reason = reason


class Box:
    """What is in one game's box, and the array of numbers the rules read."""

    def __init__(self, content: Mapping[str, Any], file: str = "box") -> None:
        self.file = file
        self.content = dict(content)
        game = self.content.get("game")
        if game not in GAMES:
            raise self.error("game", f"is {game!r}; known are {', '.join(GAMES)}")
        self.game = str(game)
        self.numbers: NDArray[np.int64] = np.array(READERS[self.game](self), np.int64)

    @classmethod
    def of(cls, game: str) -> "Box":
        """The box as we know it."""
        file = resources.files(__package__) / f"{game}.toml"
        return cls(tomllib.loads(file.read_text("utf-8")), file.name)

    @classmethod
    def read(cls, path: Path) -> "Box":
        """An owner's own description of their box."""
        try:
            return cls(tomllib.loads(path.read_text("utf-8")), str(path))
        except OSError as problem:
            raise BoxError(str(path), "file", problem.strerror or str(problem)) from problem
        except UnicodeDecodeError as problem:
            raise BoxError(str(path), "file", "is not UTF-8 text") from problem
        except tomllib.TOMLDecodeError as problem:
            raise BoxError(str(path), "file", f"is not TOML: {problem}") from problem

    @property
    def is_ours(self) -> bool:
        """Whether it says the same as the box we ship."""
        return self.content == Box.of(self.game).content

    def error(self, key: str, reason: str) -> BoxError:
        return BoxError(self.file, key, reason)

    def section(self, key: str, names: tuple[str, ...]) -> dict[str, Any]:
        """A table of the file that has exactly these keys."""
        section = self.content.get(key)
        if not isinstance(section, dict):
            raise self.error(key, "is missing" if section is None else "must be a table")
        section = cast("dict[str, Any]", section)
        for name in section:
            if name not in names:
                raise self.error(f"{key}.{name}", f"is unknown; known are {', '.join(names)}")
        for name in names:
            if name not in section:
                raise self.error(f"{key}.{name}", "is missing")
        return section

    def whole_number(self, key: str, value: object, low: int, high: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.error(key, f"is {value!r}; it must be a whole number")
        if not low <= value <= high:
            raise self.error(key, f"is {value}; it must be from {low} to {high}")
        return value

    def row(self, key: str, value: object, length: int | None = None) -> list[object]:
        if not isinstance(value, list):
            raise self.error(key, "must be a list")
        items = cast("list[object]", value)
        if length is not None and len(items) != length:
            raise self.error(key, f"has {len(items)} entries; it must have {length}")
        return items

    def total(self, key: str, found: int, expected: int, what: str) -> None:
        if found != expected:
            raise self.error(key, f"{found} {what} in all; there must be {expected}")


def read_what_the_fog(box: Box) -> list[int]:
    cards = box.section("cards", WEATHERS)
    counts = [box.whole_number(f"cards.{weather}", cards[weather], 0, 48) for weather in WEATHERS]
    box.total("cards", sum(counts), 48, "cards")
    pairs = tuple(f"{a}-{b}" for i, a in enumerate(WEATHERS) for b in WEATHERS[i + 1 :])
    tokens = box.section("tokens", pairs)
    pair_counts = [box.whole_number(f"tokens.{pair}", tokens[pair], 0, 45) for pair in pairs]
    box.total("tokens", sum(pair_counts), 45, "tokens")
    numbers = tuple(str(day) for day in range(1, 8))
    days = box.section("days", numbers)
    symbols: list[int] = []
    for day in numbers:
        for part, symbol in enumerate(box.row(f"days.{day}", days[day], 4), 1):
            if symbol not in SYMBOLS:
                raise box.error(f"days.{day}", f'part {part} is {symbol!r}; it must be "", "swap" or "reveal"')
            symbols.append(SYMBOLS.index(str(symbol)))
    return [*counts, *pair_counts, *symbols]


def read_the_game(box: Box) -> list[int]:
    hands = box.row("hands", box.content.get("hands"), 5)
    return [box.whole_number(f"hands.{players}", size, 3, 8) for players, size in enumerate(hands, 1)]


def read_extreme(box: Box) -> list[int]:
    on_card = [0] * 101
    commands = box.section("commands", COMMANDS)
    for number, command in enumerate(COMMANDS, 1):
        for card in box.row(f"commands.{command}", commands[command], 4):
            value = box.whole_number(f"commands.{command}", card, 2, 99)
            if on_card[value]:
                raise box.error(f"commands.{command}", f"card {value} already carries {COMMANDS[on_card[value] - 1]}")
            on_card[value] = number
    return [*read_the_game(box), *on_card]


def read_misty(box: Box) -> list[int]:
    cards = box.section("cards", KINDS)
    counts: list[int] = []
    arrows: list[int] = []
    for kind in KINDS:
        key = f"cards.{kind}"
        card = cards[kind]
        if not isinstance(card, dict):
            raise box.error(key, "must have a count and an arrow")
        card = cast("dict[str, object]", card)
        if set(card) != {"count", "arrow"}:
            raise box.error(key, "must have a count and an arrow, and nothing else")
        counts.append(box.whole_number(f"{key}.count", card["count"], 0, 54))
        arrow = card["arrow"]
        if arrow not in ARROWS:
            raise box.error(f"{key}.arrow", f'is {arrow!r}; it must be "up", "down", "left", "right" or ""')
        if arrow and kind in STILL:
            raise box.error(f"{key}.arrow", f"is {arrow!r}; a {kind} stays where it is")
        arrows.append(ARROWS.index(str(arrow)))
    box.total("cards", sum(counts), 54, "cards")
    return [*counts, *arrows]


READERS = {
    "what-the-fog": read_what_the_fog,
    "the-game": read_the_game,
    "extreme": read_extreme,
    "misty": read_misty,
}
