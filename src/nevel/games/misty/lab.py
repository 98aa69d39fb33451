"""Misty for learning: what its observations mean, and how environments show a table."""

from nevel.game.vocabulary import View
from nevel.games.misty.box import drawing_of
from nevel.games.misty.rules.window import KINDS
from nevel.games.misty.words import MistyView
from nevel.lab.observations import TO_ACT, Meanings
from nevel.lab.scene import Block, Cell, LabParts, seat_block

OBSERVATION: Meanings = {
    "to_act": TO_ACT,
    "phase": (0, 1, "1 for one of: picking, placing, activating, over"),
    "round": (1, 5, "the number of the round"),
    "deal": (0, 3, "how many times hands have been dealt in this round before"),
    "passes": (0, 5, "how often the present hands have been passed"),
    "held": (0, 6, "cards in every hand"),
    "hand": (0, 6, f"cards of each of the {KINDS} kinds in the own hand: the drawings as in the box, then turned ones"),
    "own_choice": (0, KINDS, "the kind of the card this seat has picked, from 1"),
    "wins": (0, 2, "rounds each seat has won"),
    "windows": (
        0,
        KINDS,
        "for each seat, the kind of the card on each of the 7 x 7 spaces of the frame, row by row, as built",
    ),
    "activated": (0, 1, "1 for each space of the own window whose card has moved"),
}


def scene(view: View) -> list[Block]:
    assert isinstance(view, MistyView)
    blocks: list[Block] = []
    for player in view.players:
        window = player.window
        columns = range(ord(window.first[0]), ord(window.last[0]) + 1)
        rows = range(int(window.first[1]), int(window.last[1]) + 1)
        lying = {card.space: card.card for card in window.cards if not card.is_covered}
        cells = [
            [motif(lying[space]) if (space := f"{chr(column)}{row}") in lying else Cell() for column in columns]
            for row in rows
        ]
        blocks.append(seat_block(view, player.seat, [[Cell("rounds", player.wins, "trophy")], *cells]))
    if view.hand:
        blocks.append(Block("hand", "back-misty", [[motif(kind, count) for kind, count in view.hand.items()]]))
    return blocks


def motif(kind: str, count: int | None = None) -> Cell:
    return Cell(kind, count, f"misty-{drawing_of(kind)}")


LAB = LabParts(OBSERVATION, scene)
