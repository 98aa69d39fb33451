"""A move as the forms of boards send it: whole, or as a chosen card and the place it goes to."""

from typing import Annotated

from msgspec import Meta, Struct

from nevel.languages import mark
from nevel.tables.domain.refusals import MalformedError

#: What a place's move has where the chosen card belongs. A board's template says, for instance,
#: `<button name="place" value="play * left">` beside `<input type="radio" name="card" value="7">`.
CARD = "*"


class MoveFields(Struct, frozen=True):
    """The fields of a move: all of it, or its place and the card that was chosen before."""

    move: Annotated[str, Meta(max_length=64)] = ""
    place: Annotated[str, Meta(max_length=64)] = ""
    card: Annotated[str, Meta(max_length=32)] = ""


def compose_move(fields: MoveFields) -> str:
    """Compose the text of a move from form fields; whether it is one, the game's vocabulary decides."""
    if fields.move:
        return fields.move
    if not fields.card or not fields.place:
        raise MalformedError(mark("Choose a card, then where to place it."))
    return fields.place.replace(CARD, fields.card, 1)
