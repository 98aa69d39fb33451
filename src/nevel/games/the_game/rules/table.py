"""The table of The Game: its record, its moves and events by number, dealing and drawing."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import numpy as np

from nevel.engine.chance import below
from nevel.engine.compiling import compiled, inlined, natural, small
from nevel.engine.tracing import EVERYONE, note

SEATS = (1, 5)
CARDS = 98
LOWEST = 2
HIGHEST = 99
PILES = 4  # 0 and 1 rise, 2 and 3 fall
FIRST_FALLING = 2
MOST_HELD = 8

#: What the box array holds: the hand size for one to five players.
BOX = 5
#: What the options array holds: cards a turn at least (2 or 3); cards fewer in every hand, and open tricks (0 or 1).
OPTIONS = 3

CHOOSING, PLAYING, OVER = 0, 1, 2

# Where a card is, if not in a hand.
UNSEEN, ON_A_PILE = 0, 9
MARGIN = 10  # so that a card ten lower or higher can be looked up without asking whether it exists

# Moves: 98 cards on four piles, then these.
END_TURN = CARDS * PILES
START = END_TURN + 1
PILE_HINTS = START + 1  # four kinds on four piles
LEAVE, LEAVE_STRONGLY, SMALL_STEPS, JUMP_BACK = 1, 2, 3, 4
PILE_HINT_KINDS = 4
PILE_HINTS_BACK = PILE_HINTS + PILE_HINT_KINDS * PILES
START_HINTS = PILE_HINTS_BACK + PILES  # three strengths
START_HINT_BACK = START_HINTS + 3
MOVES = START_HINT_BACK + 1

# Events.
(
    DEALT,
    HAND,
    STARTED,
    PLAYED,
    TURN_ENDED,
    DREW,
    DRAWN_CARD,
    SKIPPED,
    ENDED,
    PILE_HINTED,
    PILE_HINT_TAKEN_BACK,
    START_HINTED,
    START_HINT_TAKEN_BACK,
) = range(1, 14)

FIELDS = [
    ("chance", "i8", (4,)),
    ("seats", "i8"),
    ("hand_size", "i8"),
    ("minimum", "i8"),  # cards a turn while there is a draw pile
    ("phase", "i8"),
    ("ended", "i8"),  # the clause that ended the game, 0 while it goes on
    ("active", "i8"),
    ("played", "i8"),  # cards played in this turn
    ("need", "i8"),  # the minimum of this turn
    ("began", "i8"),  # cards in hand when the turn began
    ("left", "i8"),  # cards in the draw pile
    ("tops", "i8", (4,)),
    ("held", "i8", (5,)),
    ("hand", "i8", (5, MOST_HELD)),  # 0 where there is no card
    ("deck", "i8", (98,)),  # in no order: what is drawn is decided when it is drawn
    ("where", "i8", (120,)),  # of every card, from index 10 on: in a hand (1 + seat), on a pile, or unseen
    ("hints", "i8", (5, 4)),
    ("hints_kept", "i8", (5, 4)),  # given in the giver's own turn, so the end of that turn doesn't lift it (TG-H3)
    ("start_hints", "i8", (5,)),
]
#: Fields that came when games had been saved: the last ones, and 0 in all of those games.
LATER_FIELDS = [("closed_tricks", "i8")]  # whether nobody may say where they can jump back (TG-H1, TG-V2)
STATE = np.dtype([*FIELDS, *LATER_FIELDS])

#: The parts of an observation, in order, with their lengths. Seats are counted from the observer's own.
OBSERVATION = (
    ("to_act", 1),
    ("phase", 1),
    ("tops", 4),
    ("hand", 98),
    ("played", 98),
    ("held", 5),
    ("left", 1),
    ("played_this_turn", 1),
    ("need", 1),
    ("active", 5),
    ("hints", 20),
    ("start_hints", 5),
)


@inlined
def lay_out(s, seats, box, options, trace):
    """Clear the table and deal (TG-B1, TG-B2, TG-S1); who starts is open."""
    s.seats = seats
    s.minimum = options[0]
    s.hand_size = box[seats - 1] - options[1]
    s.closed_tricks = 1 - options[2]
    s.phase = CHOOSING
    s.ended = 0
    s.active = 0
    s.played = 0
    s.need = 0
    s.began = 0
    for pile in range(PILES):
        s.tops[pile] = 1 if pile < FIRST_FALLING else 100
    s.where[:] = UNSEEN
    s.hand[:] = 0
    s.held[:] = 0
    s.hints[:] = 0
    s.hints_kept[:] = 0
    s.start_hints[:] = 0
    for i in range(CARDS):
        s.deck[i] = LOWEST + i
    s.left = CARDS
    for seat in range(seats):
        for _ in range(s.hand_size):
            draw_card(s, seat)
        for i in range(s.held[seat]):
            note(trace, HAND, seat, seat, s.hand[seat, i], 0)
    note(trace, DEALT, EVERYONE, seats, s.hand_size, s.left)


@inlined
def draw_card(s, seat):
    """Take a random card from the draw pile into a hand."""
    index = natural(below(s.chance, natural(s.left)))
    last = natural(s.left - 1)
    held = natural(s.held[seat])
    card = s.deck[index]
    s.left = last
    s.deck[index] = s.deck[last]
    s.deck[last] = 0
    s.hand[seat, held] = card
    s.held[seat] = held + 1
    s.where[natural(MARGIN + card)] = 1 + seat
    return card


@inlined
def draw_up_to(s, seat, size, trace):
    """Draw until the hand has `size` cards, as far as the draw pile goes."""
    drawn = 0
    while s.held[seat] < size and s.left > 0:
        note(trace, DRAWN_CARD, seat, seat, draw_card(s, seat), 0)
        drawn += 1
    note(trace, DREW, EVERYONE, seat, drawn, s.left)


@compiled
def waiting(s):
    """The seats to act, as bits. Before the first turn any seat may take it (TG-S2)."""
    if s.phase == OVER:
        return 0
    if s.phase == CHOOSING:
        return (1 << s.seats) - 1
    return 1 << s.active


@inlined
def has_card(s, seat, card):
    return small(s.where[natural(MARGIN + card)]) == small(1 + seat)


@inlined
def slot_of(s, seat, card):
    """Where in the hand a card is. Looks everywhere: no processor can predict where to stop."""
    slot = small(0)
    for i in range(MOST_HELD):
        slot = small(slot + i * (small(s.hand[seat, i]) == small(card)))
    return slot


@inlined
def cards_left(s):
    """Cards not yet on a pile."""
    total = small(s.left)
    for seat in range(s.seats):
        total = small(total + s.held[seat])
    return total


# The four tops packed in one number, so that a search needs no memory of its own.


@inlined
def pack(s):
    """The four tops, seven bits each."""
    return small(int(s.tops[0]) | int(s.tops[1]) << 7 | int(s.tops[2]) << 14 | int(s.tops[3]) << 21)


@inlined
def top_of(tops, pile):
    return small(tops >> 7 * pile & 127)


@inlined
def with_top(tops, pile, card):
    return small(tops & ~(127 << 7 * pile) | int(card) << 7 * pile)
