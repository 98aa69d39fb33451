"""The Game's piles, drawn: each pile downwards, from the card on top of it to what is played in the turn."""

from collections.abc import Mapping
from functools import cache
from typing import Literal

from msgspec import Struct

from nevel.game.box import Box
from nevel.web.help.figures import Figure
from nevel.web.help.ink import Ink

PILES = ("up1", "up2", "down1", "down2")
COLUMN = 84
CARD_WIDTH, CARD_HEIGHT = 48, 62
STEP = 70
HEAD = 40
SIGN = 72
GOOD = ("check", "trophy")
WON = "TG-E3"


Pile = Literal["up1", "up2", "down1", "down2"]


class FigurePlay(Struct, frozen=True, forbid_unknown_fields=True):
    """A card played on a pile, or refused there by a clause."""

    card: int
    pile: Pile
    is_trick: bool = False
    refused: str = ""


class Piles(Figure, frozen=True, tag="piles"):
    """The four piles of The Game, what is played on them in one turn, and how the turn ends."""

    tops: tuple[int, int, int, int]
    #: The whole hand at the start of the turn, where it matters; else the cards played and others.
    hand: tuple[int, ...] = ()
    plays: tuple[FigurePlay, ...] = ()
    #: Whether the turn can be ended then: “allowed”, “at-once” if it ends by itself, or the clause that refuses.
    end: str = ""
    #: How many cards are drawn at the end of the turn.
    drawn: int | None = None
    draw_pile: int = 20
    #: Whether another player still has cards.
    has_others: bool = True
    #: The infinity commands that hold after it.
    holding: tuple[str, ...] | None = None
    #: The clause by which the last play, though legal, can only lose.
    doom: str = ""
    #: The clause that has ended the game.
    over: str = ""

    def draw(self, game: str) -> str:
        return draw_piles(self, commands_by_card(game))


def draw_piles(figure: Piles, commands: Mapping[int, str]) -> str:
    """The piles; `commands` has the command of every card that carries one."""
    played = {pile: [play for play in figure.plays if play.pile == pile] for pile in PILES}
    depth = 1 + max(len(plays) for plays in played.values())
    hand_width = len(figure.hand) * (CARD_WIDTH + 6)
    width = max(COLUMN * len(PILES), hand_width + 12)
    sign = outcome_sign(figure)
    foot = HEAD + depth * STEP
    ink = Ink(width + (SIGN if sign or figure.drawn else 0), foot + (CARD_HEIGHT + 26 if figure.hand else 0))
    first = (width - COLUMN * len(PILES)) / 2 + COLUMN / 2
    order = 0
    numbers = {id(play): (order := order + 1) for play in figure.plays if not play.refused}
    for i, pile in enumerate(PILES):
        x = first + i * COLUMN
        ink.drawing("pile-rising" if i < 2 else "pile-falling", x, HEAD / 2, 28, "muted")
        draw_card(ink, x, HEAD + CARD_HEIGHT / 2, figure.tops[i], commands, "top")
        for row, play in enumerate(played[pile], 1):
            y = HEAD + row * STEP + CARD_HEIGHT / 2
            draw_card(ink, x, y, play.card, commands, "refused" if play.refused else "played")
            if play.refused:
                ink.drawing("cross", x + 31, y, 18, "refused")
            else:
                if len(numbers) > 1:
                    ink.words(x - 32, y, numbers[id(play)], 12, "order")
                if play.is_trick:
                    ink.drawing("trick", x + 33, y, 20, "trick")
    for i, card in enumerate(sorted(figure.hand)):
        x = (width - hand_width) / 2 + (CARD_WIDTH + 6) * (i + 0.5)
        is_played = any(play.card == card and not play.refused for play in figure.plays)
        draw_card(ink, x, foot + 18 + CARD_HEIGHT / 2, card, commands, "gone" if is_played else "held")
    if sign:
        ink.drawing(sign, width + SIGN / 2, HEAD + CARD_HEIGHT / 2, 30, "played" if sign in GOOD else "refused")
    if figure.drawn:
        ink.drawing("draw-pile", width + SIGN / 2 - 14, ink.height - 40, 28, "muted")
        ink.words(width + SIGN / 2 + 14, ink.height - 40, f"+{figure.drawn}", 16)
    return ink.svg("piles")


def outcome_sign(figure: Piles) -> str:
    """How it comes out: won or lost, about to be lost, or whether the turn can end."""
    if figure.over:
        return "trophy" if figure.over == WON else "lost"
    if figure.doom:
        return "warning"
    return {"": "", "allowed": "check", "at-once": "check"}.get(figure.end, "cross")


def draw_card(ink: Ink, x: float, y: float, card: int, commands: Mapping[int, str], kind: str) -> None:
    ink.box(x, y, CARD_WIDTH, CARD_HEIGHT, f"card {kind}", is_dashed=kind in ("refused", "gone"))
    command = commands.get(card)
    if command:
        ink.drawing(f"command-{command}", x, y + 16, 22, kind)
    ink.words(x, y - (9 if command else 0), card, 20, kind)


@cache
def commands_by_card(game: str) -> dict[int, str]:
    """The command of every card that carries one in this game's box."""
    commands: dict[str, list[int]] = Box.of(game).content.get("commands", {})
    return {card: command for command, cards in commands.items() for card in cards}
