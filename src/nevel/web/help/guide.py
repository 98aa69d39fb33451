"""The first-game guide: what is pointed at, when, and the parts of a table that can be pointed at."""

from msgspec import Struct


class Step(Struct, frozen=True):
    """One step: shown the first time its moment comes, beside the part of the table it points at.

    `when` is `question:NAME`, when that is put to the player for the first time, or `event:NAME`, when the player hears
    of such an event for the first time. Steps of the same moment follow each other. A moment that never comes is no
    loss: every step can be read by itself.
    """

    name: str
    when: str
    point: str
    text: str


COMMON = {
    "hand": "the player's own cards",
    "story": "what has happened so far, in sentences",
}
THE_GAME = COMMON | {
    "piles": "all four piles",
    "pile": "one pile: the first that a card of the hand fits",
    "draw-pile": "the draw pile with its count",
    "players": "the other players and how many cards they hold",
    "hints": "where hints are given and shown",
    "end-turn": "the button that ends the turn",
}
#: The parts of each game's table that a step may point at.
POINTS = {
    "what-the-fog": {
        "days": "the day boards in play",
        "piles": "the three piles of tokens",
        "supply": "the supply with its count",
        "barometer": "the barometer with everybody's arrow",
        "hand": COMMON["hand"],
        "revealed": "the open cards before the players",
        "markers": "the starting player sun and the cloud",
        "predictions": "the buttons to raise or pass",
        "score": "the score sheets",
    },
    "the-game": THE_GAME,
    "extreme": THE_GAME | {"commands": "the commands that hold now"},
    "misty": COMMON
    | {
        "window": "the player's own window",
        "others": "the other players' windows",
        "pass": "the arrow that shows which way the hands are passed",
        "score": "rounds won and points",
    },
}
