"""What the Fog?!, drawn for a terminal."""

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from nevel.game.event import Teller
from nevel.games.what_the_fog.events import WEATHER_NAMES
from nevel.games.what_the_fog.words import PartView, WhatTheFogView
from nevel.languages import mark, mark_in
from nevel.terminal.seats import COLOURS, SHAPES, seat_mark

MARKS = {"rain": "☂", "snow": "❄", "fog": "≡", "clouds": "☁", "thunder": "↯", "sun": "☀"}
STYLES = {
    "rain": "blue",
    "snow": "bright_white",
    "fog": "bright_black",
    "clouds": "cyan",
    "thunder": "magenta",
    "sun": "yellow",
}
SYMBOLS = {"swap": mark("⇄ swap"), "reveal": mark("◉ reveal")}
TIMES_OF_DAY = (mark("morning"), mark("noon"), mark("evening"), mark("night"))
HIGHEST = 7


def draw(view: WhatTheFogView, teller: Teller) -> RenderableType:
    """The whole table of one seat."""
    parts: list[RenderableType] = [
        draw_days(view, teller),
        Columns([draw_piles(view, teller), draw_barometer(view, teller)], padding=(0, 3)),
        draw_players(view, teller),
    ]
    if view.hand is not None:
        parts.append(draw_hand(view, teller))
    return Group(*parts)


def weather(name: str, teller: Teller) -> Text:
    return Text(f"{MARKS[name]} {teller.say(WEATHER_NAMES[name])}", style=f"bold {STYLES[name]}")


def draw_part(part: PartView, teller: Teller) -> Text:
    """What lies on a part, or else its symbol."""
    if part.weather:
        return weather(part.weather, teller)
    return Text(teller.say(SYMBOLS[part.symbol]) if part.symbol else "·", style="dim")


def draw_days(view: WhatTheFogView, teller: Teller) -> Table:
    """A day a row, filled from left to right: seven days fit eighty columns that way."""
    title = teller.say(mark("Round {round} of 4"), round=view.round)
    table = Table(title=title, box=box.SIMPLE_HEAD, title_style="bold", pad_edge=False)
    table.add_column("")
    for time in TIMES_OF_DAY:
        table.add_column(Text(teller.say(time), style="dim"), no_wrap=True)
    if view.hand is not None:
        table.add_column(Text(teller.say(mark("your influence")), style="italic"), justify="right", style="bold")
    for day in view.days:
        cells: list[RenderableType] = [teller.say(mark("Day {day}"), day=day.day)]
        cells += [draw_part(part, teller) for part in day.parts]
        table.add_row(*cells, *([] if view.hand is None else [str(day.influence)]))
    return table


def draw_piles(view: WhatTheFogView, teller: Teller) -> Table:
    table = Table(box=box.SIMPLE, title=teller.say(mark("Tokens")), title_style="bold")
    for pile in view.piles:
        table.add_column(teller.say(mark("pile {pile}"), pile=pile.pile))
    table.add_column(teller.say(mark("supply")))
    tops = [weather(pile.weather, teller) if pile.weather else Text("–") for pile in view.piles]
    table.add_row(*tops, "")
    table.add_row(*(f"({pile.size})" for pile in view.piles), f"({view.supply})")
    if view.lifted:
        name = teller.say(WEATHER_NAMES[view.lifted])
        table.caption = teller.say(mark("Lifted: {weather}"), weather=f"{MARKS[view.lifted]} {name}")
    return table


def draw_barometer(view: WhatTheFogView, teller: Teller) -> Table:
    """All arrows on a scale from 0 to 7."""
    table = Table(box=box.SIMPLE, title=teller.say(mark("Barometer")), title_style="bold")
    for number in range(HIGHEST + 1):
        table.add_column(str(number), justify="center", min_width=2)
    arrows = [Text() for _ in range(HIGHEST + 1)]
    for player in view.players:
        arrows[player.prediction].append(SHAPES[player.seat], style=COLOURS[player.seat])
    table.add_row(*arrows)
    return table


def draw_players(view: WhatTheFogView, teller: Teller) -> Table:
    table = Table(box=box.SIMPLE, pad_edge=False, collapse_padding=True)
    table.add_column(teller.say(mark("Player")), no_wrap=True)
    table.add_column(teller.say(mark("Hidden")), justify="right")
    table.add_column(teller.say(mark_in("cards", "Open")))
    for number in range(1, 5):
        table.add_column(f"?!= {number}", justify="right", no_wrap=True)
    table.add_column(teller.say(mark("Total")), justify="right", style="bold")
    for player in view.players:
        rows = [f"{row.predicted} {row.claimed} {row.score:+d}" for row in player.sheet]
        name = seat_mark(player.seat, teller, player.seat in view.waiting_for)
        if player.seat == view.starter:
            name.append(" ☀", style="yellow")
        if player.has_chosen:
            name.append(" ✓", style="bold")
        table.add_row(name, str(player.held), marks(player.open), *rows, *[""] * (4 - len(rows)), str(player.total))
    discards = cards(view.discards, teller) or Text("–")
    table.caption = teller.say(mark("Deck: {deck} · discards: {discards}"), deck=view.deck, discards=discards)
    return table


def marks(counts: dict[str, int]) -> Text:
    """Cards by weather where there is little room: ☂2 ☀."""
    drawn = Text(" ").join(
        Text(f"{MARKS[name]}{count if count > 1 else ''}", style=f"bold {STYLES[name]}")
        for name, count in counts.items()
    )
    drawn.no_wrap = True
    return drawn


def cards(counts: dict[str, int], teller: Teller) -> Text:
    """Cards by weather: ☂ rain × 2."""
    drawn = Text()
    for name, count in counts.items():
        if drawn:
            drawn.append("  ")
        drawn.append_text(weather(name, teller))
        if count > 1:
            drawn.append(f" ×{count}")
    return drawn


def draw_hand(view: WhatTheFogView, teller: Teller) -> Panel:
    hand = cards(view.hand or {}, teller)
    if view.choice:
        chosen = teller.say(mark("chosen: {card}"), card=teller.say(WEATHER_NAMES[view.choice]))
        hand.append(f"\n{chosen}", style="italic")
    return Panel(hand, title=teller.say(mark("Your hand")), border_style="bold", expand=False)
