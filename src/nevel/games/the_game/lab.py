"""The Game and Extreme for learning: what their observations mean, and how environments show a table."""

from nevel.game.vocabulary import View
from nevel.games.the_game.extreme_words import ExtremeView
from nevel.games.the_game.words import TheGameView
from nevel.lab.observations import TO_ACT, Meanings
from nevel.lab.scene import Block, Cell, LabParts, seat_block

OBSERVATION: Meanings = {
    "to_act": TO_ACT,
    "phase": (0, 2, "0 before anybody has started, 1 while cards are played, 2 when the game is over"),
    "tops": (1, 100, "the top card of each pile: up1, up2, down1, down2"),
    "hand": (0, 1, "1 for each card in the own hand, from 2 to 99"),
    "played": (0, 1, "1 for each card that lies on a pile, from 2 to 99"),
    "held": (0, 8, "how many cards each seat holds"),
    "left": (0, 98, "cards in the draw pile"),
    "played_this_turn": (0, 8, "cards played in this turn"),
    "need": (0, 3, "cards this turn needs"),
    "active": (0, 1, "1 for the seat whose turn it is"),
    "hints": (0, 4, "for each seat, what it says about each pile: 1 leave, 2 leave!, 3 small, 4 jump (open tricks)"),
    "start_hints": (0, 3, "for each seat, how much it wants to start"),
}
EXTREME_OBSERVATION: Meanings = OBSERVATION | {
    "command": (0, 7, "for each card from 2 to 99: stop, skull, three, silence, no-trick, one-pile, draw-one; 0 none"),
    "three": (0, 1, "1 when exactly three cards are commanded in this turn"),
    "skulls": (0, 1, "1 for each pile whose skull must still be covered in this turn"),
    "last": (0, 1, "1 for the pile of the last card of this turn"),
    "holds": (0, 1, "for each seat, 1 for each command it says it holds"),
}


def scene(view: View) -> list[Block]:
    assert isinstance(view, TheGameView)
    commands = view.commands if isinstance(view, ExtremeView) else {}

    def card(number: int, word: str = "", drawing: str | None = None) -> Cell:
        command = commands.get(number)
        word = " ".join(part for part in (word, command) if part)
        return Cell(word, number, f"command-{command}" if command else drawing)

    piles = [card(pile.top, pile.name, "pile-rising" if pile.is_rising else "pile-falling") for pile in view.piles]
    blocks = [
        Block("piles", f"back-{view.game}", [piles]),
        Block("draw pile", "draw-pile", [[Cell("", view.draw_pile)]]),
    ]
    for player in view.players:
        own = view.hand if player.seat == view.you else player.hand
        cells = (
            [card(number) for number in own] if own is not None else [Cell("cards", player.held, f"back-{view.game}")]
        )
        blocks.append(seat_block(view, player.seat, [cells or [Cell()]]))
    return blocks


LAB = LabParts(OBSERVATION, scene)
EXTREME_LAB = LabParts(EXTREME_OBSERVATION, scene)
