"""Liar's dice for learning: what its observations mean, and how environments show a table."""

from nevel.game.vocabulary import View
from nevel.lab.observations import TO_ACT, Meanings
from nevel.lab.scene import Block, Cell, LabParts, seat_block

from liars_dice.words import LiarsDiceView

OBSERVATION: Meanings = {
    "to_act": TO_ACT,
    "wild": (0, 1, "1 when ones count as every face"),
    "own_dice": (0, 5, "dice under the own cup, for each of the six faces"),
    "left": (0, 5, "dice each seat has left"),
    "bid": (0, 25, "how many dice the standing bid speaks of, and of which face; 0 for none"),
    "said_counts": (0, 25, "how many dice each seat's last bid of this round speaks of"),
    "said_faces": (0, 6, "the face it speaks of"),
}


def scene(view: View) -> list[Block]:
    assert isinstance(view, LiarsDiceView)
    blocks: list[Block] = []
    for player in view.players:
        bid = [Cell("bids", player.bid.count), Cell("of", player.bid.face)] if player.bid else []
        blocks.append(seat_block(view, player.seat, [[Cell("dice", player.dice_left), *bid]]))
    if view.dice:
        blocks.append(Block("own dice", "back-liars-dice", [[Cell("", face, f"die-{face}") for face in view.dice]]))
    return blocks


LAB = LabParts(OBSERVATION, scene)
