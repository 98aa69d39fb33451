"""What the Fog?! for learning: what its observations mean, and how environments show a table."""

from nevel.game.vocabulary import View
from nevel.games.what_the_fog.words import WhatTheFogView
from nevel.lab.observations import TO_ACT, Meanings
from nevel.lab.scene import Block, Cell, LabParts, seat_block

OBSERVATION: Meanings = {
    "to_act": TO_ACT,
    "phase": (0, 1, "1 for one of: lifting, placing, swapping, revealing, predicting, discarding, over"),
    "round": (1, 4, "the number of the round"),
    "days": (
        0,
        6,
        "the weather on the four parts of each of seven days, as in the box: 1 rain to 6 sun",
    ),
    "symbols": (0, 2, "what is printed on each part: 1 swap, 2 reveal"),
    "tops": (0, 6, "the weather on top of each pile"),
    "pile_sizes": (0, 10, "tokens in each pile"),
    "supply": (0, 45, "tokens in the supply"),
    "lifted": (0, 6, "the weather that was lifted and must be placed"),
    "hand": (0, 8, "hidden cards of each weather in the own hand"),
    "open": (0, 8, "for each seat, open cards of each weather"),
    "held": (0, 8, "hidden cards of each seat"),
    "discards": (0, 48, "discarded cards of each weather"),
    "deck": (0, 48, "cards in the draw pile"),
    "predictions": (0, 7, "days each seat has predicted in this round"),
    "sheets": (-7, 11, "for each seat and each of the four rounds: predicted, claimed, points"),
    "own_choice": (0, 6, "the card this seat has chosen to reveal or discard"),
    "active": (0, 1, "1 for the seat whose turn it is"),
    "starter": (0, 1, "1 for the seat that began the round"),
}


def scene(view: View) -> list[Block]:
    assert isinstance(view, WhatTheFogView)
    days = [
        [
            weather(part.weather) if part.weather else Cell(part.symbol or "", None, symbol_drawing(part.symbol))
            for part in day.parts
        ]
        for day in view.days
    ]
    piles = [weather(pile.weather, pile.size) if pile.weather else Cell() for pile in view.piles]
    blocks = [Block("days", "day", days), Block("piles", "token", [piles])]
    if view.lifted:
        blocks.append(Block("lifted", "token", [[weather(view.lifted)]]))
    for player in view.players:
        open_cards = [weather(kind, count) for kind, count in player.open.items()]
        figures = [Cell("hidden", player.held, f"back-{view.game}"), Cell("predicts", player.prediction, "barometer")]
        rows = [[*figures, Cell("points", player.total, "trophy")], open_cards or [Cell()]]
        if player.seat == view.you and view.hand:
            rows.append([weather(kind, count) for kind, count in view.hand.items()])
        blocks.append(seat_block(view, player.seat, rows))
    return blocks


def weather(kind: str, count: int | None = None) -> Cell:
    return Cell(kind, count, f"weather-{kind}")


def symbol_drawing(symbol: str | None) -> str | None:
    return f"action-{symbol}" if symbol else None


LAB = LabParts(OBSERVATION, scene)
