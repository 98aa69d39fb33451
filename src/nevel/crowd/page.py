"""Reads a table page as a client: the legal moves from its buttons and cards."""

import re

HEAD = re.compile(rb'<main id="table" class="([^"]*)" data-seq="(\d+)" data-phase="([^"]*)"')
BUTTON = re.compile(rb'name="move" value="([^"]+)"')
CARD = re.compile(rb'name="card" value="(\d+)"[^>]*? data-targets="([^"]*)"')
YOURS = b"is-yours"
HINT = "hint "


def read_page(content: bytes) -> tuple[int, str, list[str] | None]:
    """The row a page shows, the phase, and the moves its player is offered; None while others are waited for."""
    found = HEAD.match(content.lstrip())
    if found is None:
        raise ValueError("this isn't the page of a table")
    look, seq, phase = found.groups()
    if YOURS not in look:
        return int(seq), phase.decode(), None
    moves = [f"play {card.decode()} {pile}" for card, targets in CARD.findall(content) for pile in piles(targets)]
    buttons = [text.decode() for text in BUTTON.findall(content)]
    return int(seq), phase.decode(), moves + [move for move in buttons if not move.startswith(HINT)]


def piles(targets: bytes) -> list[str]:
    """The piles a card may go on, each told with how far it is: `up1:3;down2:-10`."""
    return [part.partition(":")[0] for part in targets.decode().split(";") if part]
