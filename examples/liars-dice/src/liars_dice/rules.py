"""The rules of liar's dice: every player has dice under a cup, bids rise until somebody doubts one."""

import numpy as np
from nevel.engine import dispatch
from nevel.engine.chance import below
from nevel.engine.compiling import compiled, helper
from nevel.engine.tracing import EVERYONE, note, note_further

VERSION = 1
SEATS = (2, 5)
FACES = 6
MOST_DICE = 25

# The clauses by number: LD_B2 is clause LD-B2. 0 is no refusal at all.
LD_S1, LD_S2, LD_S3, LD_B1, LD_B2, LD_B3, LD_V1, LD_C1, LD_C2, LD_C3, LD_X1, LD_X2 = range(901, 913)

#: How many dice everybody begins with.
BOX = 1
#: Whether ones are plain instead of wild (LD-V1).
OPTIONS = 1

# A bid of `count` dice with `face` (0 is a one) is the move `(count - 1) * FACES + face`: higher bids, higher numbers.
LIAR = MOST_DICE * FACES
MOVES = LIAR + 1
NO_BID = -1

# Events.
ROLLED, HAND, BID, CHALLENGED, SHOWN, LOST, ENDED = range(1, 8)

STATE = np.dtype(
    [
        ("chance", "i8", (4,)),
        ("seats", "i8"),
        ("wild", "i8"),
        ("ended", "i8"),
        ("round_number", "i8"),
        ("turn", "i8"),
        ("bidder", "i8"),  # who made the bid that stands
        ("bid", "i8"),  # the move it was made with, or NO_BID
        ("left", "i8", (5,)),  # dice each player has left
        ("dice", "i8", (5, 6)),  # under the cups, counted by face
        ("said", "i8", (5,)),  # everybody's last bid of this round, or NO_BID
        ("shown", "i8", (5, 6)),  # what lay under the cups when they were lifted last
        ("doubted", "i8"),  # the bid they were lifted for, or NO_BID
        ("doubted_bidder", "i8"),
        ("doubter", "i8"),
        ("loser", "i8"),  # who lost a die then
    ]
)
#: Fields that don't fit in eight bits, on a GPU: bids go up to 149.
WIDER_FIELDS = {"bid": "i2", "said": "i2", "doubted": "i2"}

#: The parts of an observation, in order, with their lengths. Seats are counted from the observer's own.
OBSERVATION = (
    ("to_act", 1),
    ("wild", 1),
    ("own_dice", 6),
    ("left", 5),
    ("bid", 2),
    ("said_counts", 5),
    ("said_faces", 5),
)


@compiled
def setup(s, seats, box, options, trace):
    """Dice for everybody (LD-S1); who begins is drawn by lot (LD-S3)."""
    s.seats = seats
    s.wild = 1 - options[0]
    s.ended = 0
    s.round_number = 0
    s.doubted = NO_BID
    s.shown[:] = 0
    s.left[:] = 0
    s.left[:seats] = box[0]
    s.turn = below(s.chance, seats)
    roll(s, trace)


@helper
def roll(s, trace):
    """All shake their dice anew and look under their own cup (LD-S2)."""
    s.round_number += 1
    s.bid = NO_BID
    s.bidder = s.turn
    s.said[:] = NO_BID
    s.dice[:] = 0
    note(trace, ROLLED, EVERYONE, s.round_number, s.turn, 0)
    for seat in range(s.seats):
        for _ in range(s.left[seat]):
            s.dice[seat, below(s.chance, FACES)] += 1
        if s.left[seat]:
            note_dice(trace, HAND, seat, seat, s.dice[seat])


@helper
def note_dice(trace, kind, audience, seat, dice):
    """Dice counted by face fit in two rows of the trace."""
    note(trace, kind, audience, seat, dice[0], dice[1])
    note_further(trace, dice[2], dice[3])
    note(trace, kind, audience, seat, dice[4], dice[5])


@compiled
def waiting(s):
    """The seat to act, as a bit."""
    return 0 if s.ended else 1 << s.turn


@helper
def dice_on_table(s):
    total = 0
    for seat in range(s.seats):
        total += s.left[seat]
    return total


@compiled
def refusal(s, seat, move):
    """0 when the move is legal, else the clause that forbids it."""
    if s.ended:
        return LD_X2
    if s.left[seat] == 0:
        return LD_X1
    if seat != s.turn:
        return LD_B1
    if move == LIAR:
        return LD_C1 if s.bid == NO_BID else 0
    if s.wild and move % FACES == 0:
        return LD_V1
    if move // FACES >= dice_on_table(s):
        return LD_B3
    return LD_B2 if move <= s.bid else 0


@compiled
def mark_moves(s, seat, mask):
    """Write 1 for every legal move of the seat into `mask`, 0 for the others; gives how many are legal."""
    count = 0
    highest = dice_on_table(s) * FACES
    is_asked = s.ended == 0 and seat == s.turn
    for move in range(LIAR):
        mask[move] = is_asked and s.bid < move < highest and not (s.wild and move % FACES == 0)
        count += mask[move]
    mask[LIAR] = is_asked and s.bid != NO_BID
    return count + mask[LIAR]


@compiled
def is_secret(s, move):
    """Everybody hears everything."""
    return False


@compiled
def losing_clause(s, seat, move):
    """No move is known to lose the game before the cups are lifted."""
    return 0


@helper
def showing(s, dice, face):
    """How many dice of a cup count for a face."""
    return dice[face] + (dice[0] if s.wild and face > 0 else 0)


@compiled
def apply(s, seat, move, trace):
    """Carry out a legal move."""
    if move != LIAR:
        s.bid = move
        s.bidder = seat
        s.said[seat] = move
        s.turn = next_seat(s, seat)
        note(trace, BID, EVERYONE, seat, move // FACES + 1, move % FACES + 1)
        return
    note(trace, CHALLENGED, EVERYONE, seat, s.bidder, 0)
    lift_cups(s, seat, trace)
    if s.ended == 0:
        s.turn = s.loser if s.left[s.loser] else next_seat(s, s.loser)
        roll(s, trace)


@helper
def lift_cups(s, seat, trace):
    """All cups are lifted; the bidder or the one who doubted loses a die (LD-C2, LD-X1, LD-X2)."""
    found = 0
    for other in range(s.seats):
        found += showing(s, s.dice[other], s.bid % FACES)
        for face in range(FACES):
            s.shown[other, face] = s.dice[other, face]
        if s.left[other]:
            note_dice(trace, SHOWN, EVERYONE, other, s.dice[other])
    s.doubted = s.bid
    s.doubted_bidder = s.bidder
    s.doubter = seat
    s.loser = seat if found > s.bid // FACES else s.bidder
    s.left[s.loser] -= 1
    note(trace, LOST, EVERYONE, s.loser, s.left[s.loser], found)
    note_further(trace, s.bid % FACES + 1, 0)
    players = 0
    for other in range(s.seats):
        players += s.left[other] > 0
    if players == 1:
        s.ended = LD_X2
        s.dice[:] = 0
        note(trace, ENDED, EVERYONE, LD_X2, 0, 0)


@helper
def next_seat(s, seat):
    """The next player who has dice."""
    other = (seat + 1) % s.seats
    while s.left[other] == 0:
        other = (other + 1) % s.seats
    return other


@compiled
def conceal(s, seat):
    """Erase everything the seat can't know; -1 is a spectator."""
    s.chance[:] = 0
    for other in range(s.seats):
        if other != seat:
            s.dice[other, :] = 0


@compiled
def imagine(s, seat):
    """Roll the dice under the others' cups at random. Key `s.chance` first."""
    for other in range(s.seats):
        if other != seat and s.ended == 0:
            s.dice[other, :] = 0
            for _ in range(s.left[other]):
                s.dice[other, below(s.chance, FACES)] += 1


@helper
def bid_count(bid):
    """How many dice a bid speaks of; 0 for none."""
    return bid // FACES + 1


@helper
def bid_face(bid):
    """Which face, 1 to 6; 0 for none."""
    return bid % FACES + 1 if bid != NO_BID else 0


@compiled
def observe(s, seat, out):
    """Write what the seat knows as numbers, in the order of OBSERVATION; gives how many."""
    out[0] = waiting(s) >> seat & 1
    out[1] = s.wild
    for face in range(FACES):
        out[2 + face] = s.dice[seat, face]
    out[13] = bid_count(s.bid)
    out[14] = bid_face(s.bid)
    for i in range(5):
        other = (seat + i) % s.seats
        out[8 + i] = s.left[other] if i < s.seats else 0
        out[15 + i] = bid_count(s.said[other]) if i < s.seats else 0
        out[20 + i] = bid_face(s.said[other]) if i < s.seats else 0
    return 25


@compiled
def outcome(s, out):
    """0 while the game goes on, else the clause that ended it. A row a seat: dice left, won."""
    for seat in range(s.seats):
        out[seat, 0] = s.left[seat]
        out[seat, 1] = s.ended != 0 and s.left[seat] > 0
    return s.ended


dispatch.register(__name__)
