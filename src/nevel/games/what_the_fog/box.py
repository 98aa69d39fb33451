"""Reads the description of a box of What the Fog?! and rejects an impossible one."""

from nevel.game.box import Box
from nevel.languages import mark

WEATHERS = ("rain", "snow", "fog", "clouds", "thunder", "sun")
SYMBOLS = ("", "swap", "reveal")


def read_box(box: Box) -> list[int]:
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
