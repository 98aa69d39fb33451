"""The first-game guide: what is pointed at, when, and the parts of a table that can be pointed at."""

from msgspec import Struct


class GuideStep(Struct, frozen=True):
    """One step: shown the first time its moment comes, beside the part of the table it points at.

    `when` is `question:NAME`, when that is put to the player for the first time, or `event:NAME`, when the player hears
    of such an event for the first time. Steps of the same moment follow each other. A moment that never comes is no
    loss: every step can be read by itself.
    """

    name: str
    when: str
    point: str
    text: str


#: The parts of every table that a step may point at; a board has `guide_points` of its own besides.
COMMON_POINTS = {
    "hand": "the player's own cards",
    "players": "the strip of players, with what everybody sees of them",
    "story": "what has happened so far, in sentences",
}
