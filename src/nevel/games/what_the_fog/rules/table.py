"""The table of What the Fog?!: its record, its moves and events by number, setting up a round."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import numpy as np

from nevel.engine.chance import below, draw
from nevel.engine.compiling import compiled, helper
from nevel.engine.tracing import EVERYONE, note

SEATS = (2, 5)
ROUNDS = 4
WEATHERS = 6
PAIRS = 15
DAYS = 7
PARTS = 4
PILES = 3
PILE_SIZE = 10

NO_SYMBOL, SWAP_SYMBOL, REVEAL_SYMBOL = 0, 1, 2

#: Cards of each weather, tokens of each pair, the symbol of every part of every day.
BOX = WEATHERS + PAIRS + DAYS * PARTS
#: Whether it is the long game (FOG-S7).
OPTIONS = 1

#: The two weathers of each pair, and the pair of two weathers.
FIRST = np.array([a for a in range(WEATHERS) for _ in range(a + 1, WEATHERS)], np.int64)
SECOND = np.array([b for a in range(WEATHERS) for b in range(a + 1, WEATHERS)], np.int64)
PAIR_OF = np.full((WEATHERS, WEATHERS), -1, np.int64)
PAIR_OF[FIRST, SECOND] = PAIR_OF[SECOND, FIRST] = np.arange(PAIRS)

LIFTING, PLACING, SWAPPING, REVEALING, PREDICTING, DISCARDING, OVER = range(7)

# Moves.
LIFT = 0  # a pile
RETURN = LIFT + PILES
PLACE = RETURN + 1  # a day
SWAP = PLACE + DAYS  # a weather
REVEAL = SWAP + WEATHERS  # a weather
RAISE = REVEAL + WEATHERS
PASS = RAISE + 1
DISCARD = PASS + 1  # a weather
MOVES = DISCARD + WEATHERS

# Events.
(
    ROUND_BEGAN,
    LAID_OUT,
    CAME_UP,
    HAND,
    LIFTED,
    RETURNED,
    PILE_RENEWED,
    PLACED,
    SWAPPED,
    SWAP_DRAWN,
    SWAP_SKIPPED,
    DECK_RENEWED,
    REVEAL_CALLED,
    REVEAL_CHOSEN,
    REVEAL_READY,
    REVEALED,
    DAY_COMPLETED,
    PREDICTED,
    DISCARD_CALLED,
    DISCARD_CHOSEN,
    DISCARD_READY,
    LAID_OPEN,
    COUNTED,
    CLAIMED,
    SCORED,
    ENDED,
) = range(1, 27)

STATE = np.dtype(
    [
        ("chance", "i8", (4,)),
        ("seats", "i8"),
        ("long_game", "i8"),
        ("card_count", "i8", (6,)),
        ("pair_count", "i8", (15,)),
        ("symbols", "i8", (7, 4)),
        ("round_number", "i8"),
        ("days", "i8"),
        ("phase", "i8"),
        ("ended", "i8"),
        ("starter", "i8"),
        ("active", "i8"),
        ("predictor", "i8"),
        ("last_day", "i8"),  # where the last token was laid
        # Tokens: weathers are 1 to 6 here, 0 is nothing. A back is the side nobody sees.
        ("day", "i8", (7, 4)),
        ("day_back", "i8", (7, 4)),
        ("filled", "i8", (7,)),
        ("top", "i8", (3,)),
        ("top_back", "i8", (3,)),
        ("pile_size", "i8", (3,)),  # the top included
        ("under", "i8", (3, 15)),  # what lies under each top, in no order
        ("supply", "i8", (15,)),
        ("supply_size", "i8"),  # with the returned ones
        ("returned", "i8", (6,)),  # faces everyone saw go back since the supply was last mixed
        ("returned_back", "i8", (6, 6)),  # the same tokens by face and back
        ("lifted", "i8"),
        ("lifted_back", "i8"),
        # Cards, counted by weather.
        ("hand", "i8", (5, 6)),
        ("held", "i8", (5,)),
        ("open", "i8", (5, 6)),
        ("deck", "i8", (6,)),
        ("deck_size", "i8"),
        ("discards", "i8", (6,)),
        ("away", "i8", (5,)),  # the card given up face down, 1 to 6
        ("chosen", "i8", (5,)),
        ("choice", "i8", (5,)),  # 1 to 6
        ("prediction", "i8", (5,)),
        ("sheet", "i8", (5, 4, 3)),  # predicted, claimed, score
        ("influence", "i8", (7, 5)),  # of the last count
    ]
)

#: The parts of an observation, in order, with their lengths. Seats are counted from the observer's own.
OBSERVATION = (
    ("to_act", 1),
    ("phase", 7),
    ("round", 1),
    ("days", 28),
    ("symbols", 28),
    ("tops", 3),
    ("pile_sizes", 3),
    ("supply", 1),
    ("lifted", 1),
    ("hand", 6),
    ("open", 30),
    ("held", 5),
    ("discards", 6),
    ("deck", 1),
    ("predictions", 5),
    ("sheets", 60),
    ("own_choice", 1),
    ("active", 5),
    ("starter", 5),
)


@compiled
def setup(s, seats, box, options, trace):
    """Set up round 1 from the random state already seeded in `s.chance`."""
    s.seats = seats
    s.long_game = options[0]
    for weather in range(WEATHERS):
        s.card_count[weather] = box[weather]
    for pair in range(PAIRS):
        s.pair_count[pair] = box[WEATHERS + pair]
    for day in range(DAYS):
        for part in range(PARTS):
            s.symbols[day, part] = box[WEATHERS + PAIRS + day * PARTS + part]
    s.ended = 0
    s.sheet[:] = 0
    s.influence[:] = 0
    s.round_number = 1
    s.starter = below(s.chance, seats)
    set_up_round(s, trace)


@helper
def set_up_round(s, trace):
    """FOG-S1 to FOG-S5."""
    s.days = s.round_number + 3
    s.phase = LIFTING
    s.active = s.starter
    s.predictor = s.starter
    s.last_day = 0
    note(trace, ROUND_BEGAN, EVERYONE, s.round_number, s.days, s.starter)
    set_up_tokens(s, trace)
    set_up_cards(s, trace)
    s.prediction[:] = 0


@helper
def set_up_tokens(s, trace):
    s.day[:] = 0
    s.day_back[:] = 0
    s.filled[:] = 0
    s.returned[:] = 0
    s.returned_back[:] = 0
    s.lifted = 0
    s.lifted_back = 0
    s.under[:] = 0
    s.supply_size = 0
    for pair in range(PAIRS):
        s.supply[pair] = s.pair_count[pair]
        s.supply_size += s.pair_count[pair]
    if not s.long_game:
        for day in range(s.days):
            if day < DAYS - 1:
                lay_out_token(s, day, trace)
    for pile in range(PILES):
        fill_pile(s, pile)
        turn_up(s, pile, trace)


@helper
def lay_out_token(s, day, trace):
    """A random token, random side up, on part 1 of a day (FOG-S2)."""
    pair = draw(s.chance, s.supply, s.supply_size)
    s.supply_size -= 1
    side = below(s.chance, 2)
    s.day[day, 0] = 1 + (FIRST[pair] if side else SECOND[pair])
    s.day_back[day, 0] = 1 + (SECOND[pair] if side else FIRST[pair])
    s.filled[day] = 1
    note(trace, LAID_OUT, EVERYONE, day, s.day[day, 0], 0)


@helper
def fill_pile(s, pile):
    """A pile of ten random tokens of the supply, or what it has (FOG-S3, FOG-T7)."""
    mix_supply(s)
    size = min(PILE_SIZE, s.supply_size)
    for _ in range(size):
        s.under[pile, draw(s.chance, s.supply, s.supply_size)] += 1
        s.supply_size -= 1
    s.pile_size[pile] = size


@helper
def mix_supply(s):
    """From here on nobody can tell the returned tokens from the others."""
    for face in range(WEATHERS):
        if s.returned[face]:
            for back in range(WEATHERS):
                if face != back:
                    s.supply[PAIR_OF[face, back]] += s.returned_back[face, back]
                    s.returned_back[face, back] = 0
            s.returned[face] = 0


@helper
def turn_up(s, pile, trace):
    """Show the next token of a pile, if it has one."""
    s.top[pile] = 0
    s.top_back[pile] = 0
    if s.pile_size[pile] > 0:
        pair = draw(s.chance, s.under[pile], s.pile_size[pile])
        side = below(s.chance, 2)
        s.top[pile] = 1 + (FIRST[pair] if side else SECOND[pair])
        s.top_back[pile] = 1 + (SECOND[pair] if side else FIRST[pair])
    note(trace, CAME_UP, EVERYONE, pile, s.top[pile], s.pile_size[pile])


@helper
def set_up_cards(s, trace):
    """FOG-S4."""
    s.open[:] = 0
    s.hand[:] = 0
    s.discards[:] = 0
    s.away[:] = 0
    s.chosen[:] = 0
    s.choice[:] = 0
    s.held[:] = 0
    s.deck_size = 0
    for weather in range(WEATHERS):
        s.deck[weather] = s.card_count[weather]
        s.deck_size += s.card_count[weather]
    for seat in range(s.seats):
        for _ in range(s.days + 1):
            draw_card(s, seat)
        for weather in range(WEATHERS):
            if s.hand[seat, weather]:
                note(trace, HAND, seat, seat, weather + 1, s.hand[seat, weather])


@helper
def draw_card(s, seat):
    weather = draw(s.chance, s.deck, s.deck_size)
    s.deck_size -= 1
    s.hand[seat, weather] += 1
    s.held[seat] += 1
    return weather


@helper
def seats_to_act(s):
    """The seats whose move is awaited, as bits."""
    if s.phase <= SWAPPING:
        return 1 << s.active
    if s.phase == PREDICTING:
        return 1 << s.predictor
    seats = 0
    if s.phase != OVER:
        for seat in range(s.seats):
            seats |= (s.chosen[seat] == 0) << seat
    return seats


@compiled
def waiting(s):
    """The seats to act, as bits."""
    return seats_to_act(s)
