"""Reads the description of a box of The Game or of Extreme and rejects an impossible one."""

from nevel.game.box import Box
from nevel.languages import mark

COMMANDS = ("stop", "skull", "three", "silence", "no-trick", "one-pile", "draw-one")


def read_box(box: Box) -> list[int]:
    hands = box.row("hands", box.content.get("hands"), 5)
    return [box.whole_number(f"hands.{players}", size, 4, 8) for players, size in enumerate(hands, 1)]


def read_extreme_box(box: Box) -> list[int]:
    on_card = [0] * 101
    commands = box.section("commands", COMMANDS)
    for number, command in enumerate(COMMANDS, 1):
        for card in box.row(f"commands.{command}", commands[command], 4):
            value = box.whole_number(f"commands.{command}", card, 2, 99)
            if on_card[value]:
                reason = mark("card {card} already carries another command.")
                raise box.error(f"commands.{command}", reason, card=value)
            on_card[value] = number
    return [*read_box(box), *on_card]
