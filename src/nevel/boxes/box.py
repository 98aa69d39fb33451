"""A box: the facts printed on a game's components, read from TOML and checked before anyone plays with them."""

import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from nevel.languages import SpokenError, mark

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


class BoxError(SpokenError):
    """A box that can't be: says in which file, at which key, and why."""

    def __init__(self, file: str, key: str, message: str, /, **values: object) -> None:
        self.reason = SpokenError(message, **values)
        super().__init__(mark("{file}, {key}: {reason}"), file=file, key=key, reason=self.reason)
        self.file = file
        self.key = key


class Box:
    """What is in one game's box, and the array of numbers the rules read."""

    def __init__(self, content: Mapping[str, Any], file: str = "box") -> None:
        self.file = file
        self.content = dict(content)
        game = self.content.get("game")
        if game not in GAMES:
            raise self.error("game", mark("is {value}; known are {known}."), value=game, known=", ".join(GAMES))
        self.game = str(game)
        self.numbers: NDArray[np.int64] = np.array(READERS[self.game](self), np.int64)

    @classmethod
    def of(cls, game: str) -> "Box":
        """The box as we know it."""
        file = resources.files("nevel.boxes") / f"{game}.toml"
        return cls(tomllib.loads(file.read_text("utf-8")), file.name)

    @classmethod
    def read(cls, path: Path) -> "Box":
        """An owner's own description of their box."""
        try:
            return cls.parse(path.read_text("utf-8"), str(path))
        except OSError as problem:
            raise BoxError(str(path), "file", mark("can't be read ({reason})."), reason=problem.strerror) from problem
        except UnicodeDecodeError as problem:
            raise BoxError(str(path), "file", mark("is not UTF-8 text.")) from problem

    @classmethod
    def parse(cls, text: str, file: str = "box") -> "Box":
        """A box from the text of such a file."""
        try:
            content = tomllib.loads(text)
        except (ValueError, RecursionError) as problem:  # numbers and brackets without end, besides what isn't TOML
            raise BoxError(file, "file", mark("is not TOML ({reason})."), reason=problem) from problem
        return cls(content, file)

    @property
    def is_ours(self) -> bool:
        """Whether it says the same as the box we ship."""
        return self.printed == Box.of(self.game).content

    @property
    def printed(self) -> dict[str, Any]:
        """What the rules read of it, without whatever else its owner wrote down."""
        return {key: self.content[key] for key in Box.of(self.game).content}

    def error(self, key: str, message: str, /, **values: object) -> BoxError:
        return BoxError(self.file, key, message, **values)

    def error_for(self, game: str) -> BoxError:
        """It is another game's box."""
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
            raise self.error(key, mark("are {found} in all; there must be {expected}."), found=found, expected=expected)


def read_what_the_fog(box: Box) -> list[int]:
    cards = box.section("cards", WEATHERS)
    counts = [box.whole_number(f"cards.{weather}", cards[weather], 0, 48) for weather in WEATHERS]
    box.total("cards", sum(counts), 48)
    pairs = tuple(f"{a}-{b}" for i, a in enumerate(WEATHERS) for b in WEATHERS[i + 1 :])
    tokens = box.section("tokens", pairs)
    pair_counts = [box.whole_number(f"tokens.{pair}", tokens[pair], 0, 45) for pair in pairs]
    box.total("tokens", sum(pair_counts), 45)
    numbers = tuple(str(day) for day in range(1, 8))
    days = box.section("days", numbers)
    symbols: list[int] = []
    for day in numbers:
        for part, symbol in enumerate(box.row(f"days.{day}", days[day], 4), 1):
            if symbol not in SYMBOLS:
                reason = mark('part {part} is {value}; it must be "", "swap" or "reveal".')
                raise box.error(f"days.{day}", reason, part=part, value=symbol)
            symbols.append(SYMBOLS.index(str(symbol)))
    return [*counts, *pair_counts, *symbols]


def read_the_game(box: Box) -> list[int]:
    hands = box.row("hands", box.content.get("hands"), 5)
    return [box.whole_number(f"hands.{players}", size, 4, 8) for players, size in enumerate(hands, 1)]


def read_extreme(box: Box) -> list[int]:
    on_card = [0] * 101
    commands = box.section("commands", COMMANDS)
    for number, command in enumerate(COMMANDS, 1):
        for card in box.row(f"commands.{command}", commands[command], 4):
            value = box.whole_number(f"commands.{command}", card, 2, 99)
            if on_card[value]:
                reason = mark("card {card} already carries another command.")
                raise box.error(f"commands.{command}", reason, card=value)
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
            raise box.error(key, mark("must have a count and an arrow, and nothing else."))
        card = cast("dict[str, object]", card)
        if set(card) != {"count", "arrow"}:
            raise box.error(key, mark("must have a count and an arrow, and nothing else."))
        counts.append(box.whole_number(f"{key}.count", card["count"], 0, 54))
        arrow = card["arrow"]
        if arrow not in ARROWS:
            reason = mark('is {value}; it must be "up", "down", "left", "right" or "".')
            raise box.error(f"{key}.arrow", reason, value=arrow)
        if arrow and kind in STILL:
            raise box.error(f"{key}.arrow", mark("is {value}; this card stays where it is."), value=arrow)
        arrows.append(ARROWS.index(str(arrow)))
    box.total("cards", sum(counts), 54)
    return [*counts, *arrows]


READERS = {
    "what-the-fog": read_what_the_fog,
    "the-game": read_the_game,
    "extreme": read_extreme,
    "misty": read_misty,
}
