"""The table of Misty: its record, its moves and events by number."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import numpy as np

from nevel.engine.compiling import compiled, helper
from nevel.games.misty.rules.window import DRAWINGS, KINDS, SIDE, SPACES

SEATS = (2, 4)
CARDS = 12
MIDDLE = SIDE // 2
ROUNDS_TO_WIN = 2

#: How many cards of each kind, then the arrow of each kind.
BOX = 2 * KINDS
#: Whether it is the beginners' variant (MI-V1).
OPTIONS = 1

PICKING, PLACING, ACTIVATING, OVER = 0, 1, 2, 3

# Moves: a kind, a space to place on, a space whose card moves.
PICK = 0
PLACE = PICK + KINDS
MOVE = PLACE + SPACES
MOVES = MOVE + SPACES

# Events.
(
    ROUND_BEGAN,
    HANDS_DEALT,
    HAND,
    PICK_CHOSEN,
    PICK_READY,
    PICKED,
    PLACED,
    HANDS_PASSED,
    ACTIVATION_CALLED,
    MOVE_READY,
    ACTIVATION_DONE,
    MOVED,
    EATEN,
    BLURRED,
    SCORED,
    ROUND_WON,
    ENDED,
) = range(1, 18)

STATE = np.dtype(
    [
        ("chance", "i8", (4,)),
        ("seats", "i8"),
        ("beginners", "i8"),
        ("count", "i8", (KINDS,)),
        ("arrow", "i8", (KINDS,)),
        ("round_number", "i8"),
        ("phase", "i8"),
        ("ended", "i8"),
        ("deal", "i8"),  # 0 for the first hands of a round
        ("passes", "i8"),  # how often the present hands have been passed
        ("held", "i8"),  # cards in every hand
        ("wins", "i8", (4,)),
        ("hand", "i8", (4, KINDS)),
        ("aside", "i8", (KINDS,)),
        ("aside_size", "i8"),
        ("chosen", "i8", (4,)),
        ("choice", "i8", (4,)),  # the kind picked, from 1, until it is placed
        ("window", "i8", (4, 7, 7)),  # the kinds as built, from 1
        ("laid", "i8", (4,)),
        ("top", "i8", (4,)),
        ("bottom", "i8", (4,)),
        ("left", "i8", (4,)),
        ("right", "i8", (4,)),
        ("activated", "i8", (4,)),
        ("order", "i8", (4, 12)),  # spaces in the order of their activation
        ("moves", "i8", (4,)),
        ("done", "i8", (4,)),
        ("score", "i8", (4,)),  # of the last round counted
        ("turned", "i8"),  # how many kinds there are of turned cards: all or none
    ]
)

#: Fields that were made longer when games had been saved: how many entries their last dimension had before.
LENGTHENED = {"count": DRAWINGS, "arrow": DRAWINGS, "hand": DRAWINGS, "aside": DRAWINGS}
#: The fields that were added then.
LATER_FIELDS = ("turned",)

#: The parts of an observation, in order, with their lengths. Seats are counted from the observer's own.
OBSERVATION = (
    ("to_act", 1),
    ("phase", 4),
    ("round", 1),
    ("deal", 1),
    ("passes", 1),
    ("held", 1),
    ("hand", KINDS),
    ("own_choice", 1),
    ("wins", 4),
    ("windows", 4 * SPACES),
    ("activated", SPACES),
)


@helper
def passes_left(s):
    """Whether the hands of this deal go to the left; left and right take turns (MI-T2, MI-T3, MI-V1)."""
    return s.deal % 2 == 0


@helper
def can_span(s, width, height):
    """Whether a window may become this wide and high (MI-T5, MI-V1)."""
    if s.beginners:
        return width <= 3 and height <= 3
    return (width <= 4 and height <= 3) or (width <= 3 and height <= 4)


@helper
def seats_to_act(s):
    """The seats that still have to pick, place or activate, as bits."""
    seats = 0
    for seat in range(s.seats):
        if s.phase == PICKING:
            is_to_act = s.chosen[seat] == 0
        elif s.phase == PLACING:
            is_to_act = s.choice[seat] != 0
        else:
            is_to_act = s.phase == ACTIVATING and s.done[seat] == 0
        seats |= is_to_act << seat
    return seats


@compiled
def waiting(s):
    """The seats to act, as bits."""
    return seats_to_act(s)
