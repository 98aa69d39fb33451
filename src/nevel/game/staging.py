"""Stagings: how something that happened is shown on the board, step by step, as data.

An event names its steps (`Event.steps`); whoever is told the event is shown them, in the order in which things
happened, and the event's own sentence goes with them. Nothing in a step is words or markup: it says what is done with
which place of the board, and how much it weighs. docs/stagings.md describes every kind of step.
"""

from typing import Literal

from msgspec import Struct

#: What a step does with its place; `static/staging.js` plays each kind.
Kind = Literal[
    "move", "leave", "turn", "flash", "shake", "tally", "score", "raise", "mark", "enlarge", "announce", "next-round"
]
#: How long a step takes and how much of it there is to see: about 0.3, 0.6 and 1.2 seconds.
Weight = Literal["light", "usual", "heavy"]
#: What a step may sound like: the tunes of `static/sound.js`.
Tune = Literal["tick", "step", "thud", "flourish", "turn-over", "rise", "milestone", "eat", "fog"]
#: Whether what it shows is good or bad news, for its colour.
Tone = Literal["", "good", "bad"]


class Step(Struct, frozen=True, omit_defaults=True):
    """One step of a staging: what is done, and the place of the board it concerns.

    A place is named by the `id` of its element, or by its `data-place`. A step whose place isn't on somebody's page is
    left out there.
    """

    do: Kind
    on: str = ""
    #: Where something comes from that moves.
    source: str = ""
    #: A drawing to show, by the name it has in the sheet of drawings.
    drawing: str = ""
    #: A short text that is the same in every language: a number, a sign.
    text: str = ""
    #: A class the place has from now until the staging is over: `staged-` and this.
    look: str = ""
    #: Which way it goes, for what leaves.
    way: Literal["up", "down", "left", "right"] = "up"
    weight: Weight = "usual"
    tone: Tone = ""
    sound: Tune | Literal[""] = ""
    #: The place it is played on, of several that take their turns: it has the class `staged-scene` meanwhile.
    scene: str = ""
    #: Whether it begins together with the step before it, or after that one is over.
    is_together: bool = False
    #: Whether it is played on the board as it was before all this happened. The new board is shown after the last of
    #: these steps.
    is_before: bool = False
