"""Reads the description of a box of The Game or of Extreme and rejects an impossible one."""

from dataclasses import replace

from nevel.game.box import Box
from nevel.game.boxes.sheet import BoxField, BoxRow, BoxSection, Wording
from nevel.games.the_game.events import COMMAND_NAMES
from nevel.languages import mark

COMMANDS = ("stop", "skull", "three", "silence", "no-trick", "one-pile", "draw-one")
CARDS_OF_COMMAND = 4


SECTIONS = (
    BoxSection(
        key="hands",
        clause="TG-B2",
        title=mark("Cards in a hand"),
        source=mark("As the rule sheet says."),
        columns=(Wording(mark("Cards")),),
        rows=tuple(
            BoxRow(
                Wording(mark("Alone")) if players == 1 else Wording(mark("{count} players"), count=players),
                (BoxField(f"hands.{players}", 4, 8),),
            )
            for players in range(1, 6)
        ),
    ),
)
EXTREME_SECTIONS = (
    BoxSection(
        key="commands",
        clause="EX-B1",
        title=mark("Cards with a command"),
        source=mark(
            "The rule sheet says: seven commands on four cards each. Which cards those are is our reconstruction."
        ),
        columns=tuple(Wording(mark("Card {number}"), number=place) for place in range(1, CARDS_OF_COMMAND + 1)),
        rows=tuple(
            BoxRow(
                Wording(COMMAND_NAMES[command]),
                tuple(BoxField(f"commands.{command}.{place}", 2, 99) for place in range(1, CARDS_OF_COMMAND + 1)),
            )
            for command in COMMANDS
        ),
        is_reconstructed=True,
    ),
    replace(SECTIONS[0], clause="EX-B2"),
)


def read_box(box: Box) -> list[int]:
    hands = box.row("hands", box.content.get("hands"), 5)
    return [box.whole_number(f"hands.{players}", size, 4, 8) for players, size in enumerate(hands, 1)]


def read_extreme_box(box: Box) -> list[int]:
    on_card = [0] * 101
    commands = box.section("commands", COMMANDS)
    for number, command in enumerate(COMMANDS, 1):
        for card in box.row(f"commands.{command}", commands[command], CARDS_OF_COMMAND):
            value = box.whole_number(f"commands.{command}", card, 2, 99)
            if on_card[value]:
                reason = mark("card {card} already carries another command.")
                raise box.error(f"commands.{command}", reason, card=value)
            on_card[value] = number
    return [*read_box(box), *on_card]
