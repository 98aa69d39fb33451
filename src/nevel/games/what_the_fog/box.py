"""Reads the description of a box of What the Fog?! and rejects an impossible one."""

from nevel.game.box import Box
from nevel.game.boxes.sheet import BoxField, BoxRow, BoxSection, Wording
from nevel.games.what_the_fog.events import WEATHER_NAMES
from nevel.languages import mark

WEATHERS = ("rain", "snow", "fog", "clouds", "thunder", "sun")
SYMBOLS = ("", "swap", "reveal")
PAIRS = tuple((a, b) for i, a in enumerate(WEATHERS) for b in WEATHERS[i + 1 :])
DAYS = tuple(str(day) for day in range(1, 8))
PARTS = 4

SYMBOL_CHOICES = (("", mark("none")), ("swap", mark("Swap")), ("reveal", mark("Reveal")))

SECTIONS = (
    BoxSection(
        key="cards",
        clause="FOG-B2",
        title=mark("Weather cards"),
        source=mark("The rulebook says 48 cards. That there are eight of each weather is our reconstruction."),
        columns=(Wording(mark("Cards")),),
        rows=tuple(BoxRow(Wording(WEATHER_NAMES[one]), (BoxField(f"cards.{one}", 0, 48),)) for one in WEATHERS),
        is_reconstructed=True,
        total=48,
    ),
    BoxSection(
        key="tokens",
        clause="FOG-B3",
        title=mark("Weather tokens"),
        source=mark(
            "The rulebook says 45 tokens with a different weather on each side. "
            "That there are three of each pair is our reconstruction."
        ),
        columns=(Wording(mark("Tokens")),),
        rows=tuple(
            BoxRow(
                Wording(mark("{one} and {other}"), one=Wording(WEATHER_NAMES[a]), other=Wording(WEATHER_NAMES[b])),
                (BoxField(f"tokens.{a}-{b}", 0, 45),),
            )
            for a, b in PAIRS
        ),
        is_reconstructed=True,
        total=45,
    ),
    BoxSection(
        key="days",
        clause="FOG-B4",
        title=mark("Symbols on the days"),
        source=mark("The rulebook says that parts of a day carry a symbol. Which part carries which is reconstructed."),
        columns=tuple(Wording(mark("Part {number}"), number=part) for part in range(1, PARTS + 1)),
        rows=tuple(
            BoxRow(
                Wording(mark("Day {day}"), day=day),
                tuple(BoxField(f"days.{day}.{part}", choices=SYMBOL_CHOICES) for part in range(1, PARTS + 1)),
            )
            for day in DAYS
        ),
        is_reconstructed=True,
    ),
)


def read_box(box: Box) -> list[int]:
    cards = box.section("cards", WEATHERS)
    counts = [box.whole_number(f"cards.{weather}", cards[weather], 0, 48) for weather in WEATHERS]
    box.total("cards", sum(counts), 48)
    pairs = tuple(f"{a}-{b}" for a, b in PAIRS)
    tokens = box.section("tokens", pairs)
    pair_counts = [box.whole_number(f"tokens.{pair}", tokens[pair], 0, 45) for pair in pairs]
    box.total("tokens", sum(pair_counts), 45)
    days = box.section("days", DAYS)
    symbols: list[int] = []
    for day in DAYS:
        for part, symbol in enumerate(box.row(f"days.{day}", days[day], PARTS), 1):
            if symbol not in SYMBOLS:
                reason = mark('part {part} is {value}; it must be "", "swap" or "reveal".')
                raise box.error(f"days.{day}", reason, part=part, value=symbol)
            symbols.append(SYMBOLS.index(str(symbol)))
    return [*counts, *pair_counts, *symbols]
