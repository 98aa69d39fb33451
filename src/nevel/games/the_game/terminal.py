"""The Game and Extreme, drawn for a terminal."""

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from nevel.game.event import Teller
from nevel.games.the_game.events import COMMAND_NAMES, PILE_HINT_WORDS, START_HINT_WORDS, pile_name, say_command
from nevel.games.the_game.extreme_words import ExtremeView
from nevel.games.the_game.words import PileView, TheGameView
from nevel.languages import mark
from nevel.terminal.seats import seat_mark

COMMAND_MARKS = {
    "stop": "■",
    "skull": "☠",
    "three": "3!",
    "silence": "✕",
    "no-trick": "↺",
    "one-pile": "▮",
    "draw-one": "+1",
}
PILE_WIDTH = 34


def draw(view: TheGameView, teller: Teller) -> RenderableType:
    """The whole table of one seat."""
    commands = view.commands if isinstance(view, ExtremeView) else {}
    parts: list[RenderableType] = [
        draw_piles(view, commands, teller),
        draw_players(view, teller),
    ]
    if isinstance(view, ExtremeView):
        parts += [Text(line, style="bold magenta") for line in orders(view, teller)]
    if view.hand is not None:
        parts.append(draw_hand(view, commands, teller))
    return Group(*parts)


def draw_piles(view: TheGameView, commands: dict[int, str], teller: Teller) -> Table:
    """Rising piles on the left, falling ones on the right: that fits any terminal."""
    grid = Table.grid(padding=(0, 1))
    rising = [draw_pile(pile, commands, teller) for pile in view.piles if pile.is_rising]
    falling = [draw_pile(pile, commands, teller) for pile in view.piles if not pile.is_rising]
    for pair in zip(rising, falling, strict=True):
        grid.add_row(*pair)
    return grid


def draw_pile(pile: PileView, commands: dict[int, str], teller: Teller) -> Panel:
    """A pile: which way it goes, its top in large type, what is said about it."""
    arrow, colour = ("▲", "cyan") if pile.is_rising else ("▼", "yellow")
    top = Text(f"{pile.top}", style=f"bold {colour}")
    if pile.top in commands:
        top.append(f"  {COMMAND_MARKS[commands[pile.top]]}", style="bold magenta")
    body = Text.assemble((f"{arrow} ", colour), top)
    for hint in pile.hints:
        words = teller.say(PILE_HINT_WORDS[hint.hint])
        said = teller.say(mark("{player}: {text}"), player=teller.name(hint.seat), text=words)
        body.append(f"\n{said}", style="italic")
    title = f"{pile_name(pile.name, teller)} · {teller.say(pile.name)}"
    return Panel(body, title=title, width=PILE_WIDTH, border_style=colour)


def draw_players(view: TheGameView, teller: Teller) -> Table:
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column(teller.say(mark("Player")))
    table.add_column(teller.say(mark("Cards")), justify="right")
    table.add_column("")
    for player in view.players:
        words = ""
        if player.hand is not None:
            words = ", ".join(str(card) for card in player.hand)
        elif player.start_hint:
            words = teller.say(mark("“{hint}”"), hint=teller.say(START_HINT_WORDS[player.start_hint - 1]))
        is_active = view.active == player.seat and not view.is_over
        table.add_row(seat_mark(player.seat, teller, is_active), str(player.held), words)
    table.caption = teller.say(mark("Draw pile: {count}"), count=view.draw_pile)
    return table


def orders(view: ExtremeView, teller: Teller) -> list[str]:
    """The commands that hold now, spelled out."""
    lines = [f"{COMMAND_MARKS[command]}  {say_command(command, teller)}" for command in view.holding]
    if view.is_three:
        lines.append(f"{COMMAND_MARKS['three']}  {say_command('three', teller)}")
    lines += [f"{COMMAND_MARKS['skull']}  {say_command('skull', teller)}" for _ in view.open_skulls]
    for seat, held in enumerate(view.said_to_hold):
        if held:
            names = teller.language.say_list(teller.say(COMMAND_NAMES[command]) for command in held)
            message = mark("{player} says they hold: {commands}.")
            lines.append(teller.say(message, player=teller.name(seat), commands=names))
    return lines


def draw_hand(view: TheGameView, commands: dict[int, str], teller: Teller) -> Panel:
    """The hand in order, with the command of each card under it."""
    cards = Text()
    for card in view.hand or []:
        cards.append(f" {card:>2}", style="bold reverse")
        if card in commands:
            cards.append(f"{COMMAND_MARKS[commands[card]]:>2}", style="bold magenta reverse")
        cards.append(" ", style="reverse")
        cards.append("  ")
    legend = [
        f"{COMMAND_MARKS[command]} {teller.say(COMMAND_NAMES[command])}"
        for command in COMMAND_MARKS
        if any(commands.get(card) == command for card in view.hand or [])
    ]
    body = Group(cards, Text("  ".join(legend), style="magenta")) if legend else cards
    needed = max(view.needed - view.played, 0)
    is_mine = view.active == view.you and not view.is_over
    subtitle = (
        teller.say_count("{count} more card to play", "{count} more cards to play", needed)
        if is_mine and needed
        else None
    )
    return Panel(body, title=teller.say(mark("Your hand")), subtitle=subtitle, border_style="bold", expand=False)
