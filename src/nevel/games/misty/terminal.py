"""Misty, drawn for a terminal."""

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from nevel.game.event import Teller
from nevel.games.misty.events import KIND_NAMES
from nevel.games.misty.words import CardView, MistyView, PlayerView
from nevel.languages import mark
from nevel.terminal.seats import COLOURS, seat_mark

ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→", None: " "}
STYLES = {"smile": "yellow", "flower": "magenta", "monster": "green"}
COLUMNS = "abcdefg"


def draw(view: MistyView, teller: Teller) -> RenderableType:
    """The whole table of one seat: one's own window large, the others' beside it."""
    direction = mark("hands pass to the left") if view.passes_left else mark("hands pass to the right")
    heading = teller.say(mark("Round {round}"), round=view.round)
    parts: list[RenderableType] = [
        Text(f"{heading} · {teller.say(direction)}" if not view.is_over else heading, style="bold", justify="center"),
        Columns([draw_window(player, view, teller) for player in view.players], padding=(0, 2)),
    ]
    if view.hand:
        parts.append(draw_hand(view, teller))
    return Group(*parts)


def draw_card(card: CardView, teller: Teller) -> Text:
    name = teller.say(KIND_NAMES[card.card])
    text = Text(f"{ARROWS[card.arrow]} {name}", style=f"bold {STYLES.get(card.card, 'cyan')}")
    if card.has_moved:
        text.stylize("italic")
    if card.is_covered:
        text.stylize("dim strike")
    return text


def draw_window(player: PlayerView, view: MistyView, teller: Teller) -> Table:
    """A window with its coordinates; on one's own, the spaces one may choose are marked."""
    is_own = player.seat == view.you
    spaces: dict[str, list[CardView]] = {}
    for card in player.window.cards:
        spaces.setdefault(card.space, []).append(card)
    can_choose = set(view.open_spaces) if is_own else set[str]()
    shown = {player.window.first, player.window.last, *can_choose}
    columns = [letter for letter in COLUMNS if min(s[0] for s in shown) <= letter <= max(s[0] for s in shown)]
    rows = [number for number in "1234567" if min(s[1] for s in shown) <= number <= max(s[1] for s in shown)]
    table = Table(box=box.ROUNDED, show_lines=True, border_style=COLOURS[player.seat])
    table.title = seat_mark(player.seat, teller, player.seat in view.waiting_for)
    if player.has_chosen:
        table.title.append(" ✓")
    table.add_column("", style="dim")
    for letter in columns:
        table.add_column(letter, min_width=9 if is_own else 7, header_style="dim")
    for number in rows:
        table.add_row(number, *(draw_space(f"{letter}{number}", spaces, can_choose, teller) for letter in columns))
    table.caption = caption(player, teller)
    return table


def draw_space(name: str, spaces: dict[str, list[CardView]], can_choose: set[str], teller: Teller) -> Text:
    if name in spaces:
        drawn = Text("\n").join(draw_card(card, teller) for card in spaces[name])
        return Text.assemble(drawn, ("  ◂", "bold")) if name in can_choose else drawn
    return Text("·" if name in can_choose else "", style="bold", justify="center")


def caption(player: PlayerView, teller: Teller) -> str:
    """Rounds won, the last score, and the card still to place."""
    words = [teller.say_count("{count} round won", "{count} rounds won", player.wins)]
    if player.score is not None:
        words.append(teller.say_count("last: {count} point", "last: {count} points", player.score))
    if player.placing:
        words.append(teller.say(mark("places: {card}"), card=teller.say(KIND_NAMES[player.placing])))
    return " · ".join(words)


def draw_hand(view: MistyView, teller: Teller) -> Panel:
    hand = Text()
    for name, count in (view.hand or {}).items():
        if hand:
            hand.append("   ")
        arrow = ARROWS[view.arrows[name]]
        hand.append(f"{arrow} {teller.say(KIND_NAMES[name])}".strip(), style=f"bold {STYLES.get(name, 'cyan')}")
        if count > 1:
            hand.append(f" ×{count}")
    if view.choice:
        chosen = teller.say(mark("chosen: {card}"), card=teller.say(KIND_NAMES[view.choice]))
        hand.append(f"\n{chosen}", style="italic")
    return Panel(hand, title=teller.say(mark("Your hand")), border_style="bold", expand=False)
