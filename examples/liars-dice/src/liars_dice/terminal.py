"""Liar's dice, drawn for a terminal."""

from nevel.game.event import Teller
from nevel.languages import mark
from nevel.terminal.seats import seat_mark
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from liars_dice.words import LiarsDiceView

DICE = " ⚀⚁⚂⚃⚄⚅"


def draw(view: LiarsDiceView, teller: Teller) -> RenderableType:
    """The whole table of one seat: everybody's dice and bids, what was shown last, and one's own dice."""
    table = Table(title=teller.say(mark("Round {round}"), round=view.round))
    for heading in (mark("Player"), mark("Dice"), mark("Bid"), mark("Shown last")):
        table.add_column(teller.say(heading))
    for player in view.players:
        bid = f"{player.bid.count} × {DICE[player.bid.face]}" if player.bid else ""
        shown = view.challenge.dice[player.seat] if view.challenge else []
        name = seat_mark(player.seat, teller, player.seat in view.waiting_for)
        table.add_row(name, "▢" * player.dice_left, bid, draw_dice(shown))
    if not view.dice:
        return table
    own = Panel(draw_dice(view.dice), title=teller.say(mark("Under your cup")), expand=False)
    return Group(table, own)


def draw_dice(dice: list[int]) -> Text:
    return Text(" ".join(f"{DICE[face]} {face} " for face in dice), style="bold")
