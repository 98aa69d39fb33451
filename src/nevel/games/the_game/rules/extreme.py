"""The Game: Extreme. The Game with commands on 28 of the cards; only what differs is written here."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import numpy as np

from nevel.engine import dispatch
from nevel.engine.chance import below
from nevel.engine.compiling import compiled, helper, inlined
from nevel.engine.tracing import EVERYONE, note
from nevel.games.the_game import rules as the_game
from nevel.games.the_game.rules import (
    finish,
    fits,
    is_secret,
    is_trick,
    lay_card,
    next_seat,
    open_turn,
    outcome,
    start,
    turn_refusal,
)
from nevel.games.the_game.rules import table as the_game_table
from nevel.games.the_game.rules.clauses import (
    EX_E1,
    EX_E2,
    EX_I2,
    EX_L5,
    TG_E3,
    TG_H3,
    TG_S1,
)
from nevel.games.the_game.rules.extreme_turn import (
    COMMANDS,
    DRAW_ONE,
    FIRST_INFINITY,
    NO_PILE,
    NO_TRICK,
    ONE_PILE,
    SILENCE,
    STOP,
    THREE,
    can_end,
    card_refusal,
    end_refusal,
    is_stuck,
    is_visible,
    last_card_loss,
    skulls_after,
)
from nevel.games.the_game.rules.knowledge import conceal, imagine
from nevel.games.the_game.rules.table import (
    CARDS,
    CHOOSING,
    END_TURN,
    HIGHEST,
    LOWEST,
    OVER,
    PILE_HINTS,
    PILES,
    PLAYING,
    START,
    TURN_ENDED,
    cards_left,
    draw_up_to,
    has_card,
    lay_out,
    pack,
    slot_of,
    waiting,
    with_top,
)
from nevel.games.the_game.rules.talk import give_hint, hint_refusal, lapse_hints

__all__ = [
    "BOX",
    "FIRST_INFINITY",
    "MOVES",
    "OBSERVATION",
    "ONE_PILE",
    "OPTIONS",
    "SEATS",
    "STATE",
    "VERSION",
    "WIDER_FIELDS",
    "apply",
    "conceal",
    "imagine",
    "is_secret",
    "losing_clause",
    "mark_moves",
    "observe",
    "outcome",
    "refusal",
    "setup",
    "waiting",
]

VERSION = 1
#: Fields that don't fit in eight bits, on a GPU.
WIDER_FIELDS = {"path": "i8"}
SEATS = the_game.SEATS

#: The hand sizes, then the command of every card from 0 to 100 (0: none).
BOX = the_game.BOX + 101
#: As in The Game, then whether the commands are dealt to the cards at random.
OPTIONS = the_game.OPTIONS + 1

# Moves: those of The Game, then "I hold a stop" and its withdrawal, for each command.
HOLD_HINTS = the_game.MOVES
HOLD_HINTS_BACK = HOLD_HINTS + COMMANDS
MOVES = HOLD_HINTS_BACK + COMMANDS

COMMANDED, LAPSED, HOLD_HINTED, HOLD_HINT_TAKEN_BACK = 31, 32, 33, 34

STATE = np.dtype(
    [
        # First, because Numba would take a record that begins with all fields of another for a kind of it.
        ("command", "i8", (101,)),  # printed on the cards, so everyone may look it up
        *the_game_table.FIELDS,
        ("three", "i8"),  # exactly three cards are commanded in this turn
        ("skulls", "i8"),  # piles whose top is a skull of this turn, as bits
        ("last", "i8"),  # the pile of the last card of this turn
        ("holds", "i8", (5,)),  # commands a seat says it holds, as bits
        ("holds_kept", "i8", (5,)),
        ("path", "i8", (9,)),  # of a search while it runs, else 0
        *the_game_table.LATER_FIELDS,
    ]
)

OBSERVATION = (*the_game.OBSERVATION, ("command", 98), ("three", 1), ("skulls", 4), ("last", 4), ("holds", 35))


@compiled
def setup(s, seats, box, options, trace):
    """Deal a game from the random state already seeded in `s.chance`."""
    for card in range(101):
        s.command[card] = box[the_game.BOX + card]
    if options[the_game.OPTIONS]:
        shuffle_commands(s)
    s.three = 0
    s.skulls = 0
    s.last = NO_PILE
    s.holds[:] = 0
    s.holds_kept[:] = 0
    lay_out(s, seats, box, options, trace)
    if seats == 1:
        start(s, 0, trace)
        begin_turn(s, 0, trace)


@helper
def shuffle_commands(s):
    """Deal the printed commands to other cards (EX-B1)."""
    for i in range(CARDS - 1, 0, -1):
        j = below(s.chance, i + 1)
        kept = s.command[LOWEST + i]
        s.command[LOWEST + i] = s.command[LOWEST + j]
        s.command[LOWEST + j] = kept


# ---------------------------------------------------------------- questions


@compiled
def refusal(s, seat, move):
    """0 when the move is legal, else the clause that forbids it."""
    if move >= PILE_HINTS:
        if s.phase != OVER and is_visible(s, pack(s), SILENCE):
            return EX_I2
        if move < HOLD_HINTS:
            return hint_refusal(s, seat, move)
        return hold_hint_refusal(s, seat, move)
    refused = turn_refusal(s, seat, move)
    if refused or move == START:
        return refused
    if move == END_TURN:
        return end_refusal(s, s.played, s.three, s.skulls)
    card = LOWEST + move // PILES
    if not has_card(s, seat, card):
        return TG_S1
    return card_refusal(s, pack(s), s.played, s.three, s.skulls, s.last, card, move % PILES)


@helper
def hold_hint_refusal(s, seat, move):
    if s.phase == OVER:
        return TG_E3
    if move < HOLD_HINTS_BACK:
        return TG_H3 if s.holds[seat] >> (move - HOLD_HINTS) & 1 else 0
    return 0 if s.holds[seat] >> (move - HOLD_HINTS_BACK) & 1 else TG_H3


@compiled
def mark_moves(s, seat, mask):
    """Write 1 for every legal move of the seat into `mask`, 0 for the others; gives how many are legal.

    Moves the mask has no room for are left out: one that ends before the hints has none of them.
    """
    for move in range(mask.shape[0]):
        mask[move] = 0
    count = 0
    if s.phase == CHOOSING:
        mask[START] = 1
        count = 1
    elif s.phase == PLAYING and s.active == seat:
        count = mark_cards(s, seat, mask)
        can_stop = end_refusal(s, s.played, s.three, s.skulls) == 0
        mask[END_TURN] = can_stop
        count += can_stop
    for move in range(PILE_HINTS, mask.shape[0]):
        mask[move] = refusal(s, seat, move) == 0
        count += mask[move]
    return count


@inlined
def mark_cards(s, seat, mask):
    """What `card_refusal` says of every card in hand and every pile; what holds for all of them is looked at once."""
    count = 0
    tops = pack(s)
    has_no_trick = is_visible(s, tops, NO_TRICK)
    has_one_pile = s.played > 0 and is_visible(s, tops, ONE_PILE)
    for i in range(s.held[seat]):
        card = s.hand[seat, i]
        command = s.command[card]
        is_fourth = (s.three or command == THREE) and s.played >= 3
        stops_early = command == STOP and s.three and s.played != 2
        if is_fourth or stops_early:
            continue
        for pile in range(PILES):
            top = s.tops[pile]
            legal = fits(top, pile, card)
            legal &= not (has_no_trick and is_trick(top, pile, card))
            legal &= not (has_one_pile and pile != s.last)
            legal &= command != STOP or s.skulls & ~(1 << pile) == 0
            mask[(card - LOWEST) * PILES + pile] = legal
            count += legal
    return count


@compiled
def losing_clause(s, seat, move):
    """The clause by which a legal move can only lose, or 0: no proper end of the turn is left after it."""
    if move >= END_TURN:
        return 0
    card = LOWEST + move // PILES
    pile = move % PILES
    command = s.command[card]
    skulls = skulls_after(s, s.skulls, card, pile)
    if cards_left(s) == 1:
        return last_card_loss(s, card, skulls, s.played + 1)
    if command == STOP:
        return 0
    three = 1 if command == THREE else s.three
    used = 1 << slot_of(s, seat, card)
    tops = with_top(pack(s), pile, card)
    if can_end(s, seat, used, tops, s.played + 1, three, skulls, pile):
        return 0
    return EX_L5 if three and s.played + s.held[seat] < 3 else EX_E2


# ---------------------------------------------------------------- what moves do


@helper
def begin_turn(s, seat, trace):
    """Start a turn, or end the game if it can't be played to a proper end (EX-E1)."""
    open_turn(s, seat)
    s.three = 0
    s.skulls = 0
    s.last = NO_PILE
    if not can_end(s, seat, 0, pack(s), 0, 0, 0, NO_PILE):
        finish(s, EX_E1, trace)


@helper
def end_turn(s, seat, trace):
    """Draw (EX-I5) and hand over; gives the next seat."""
    note(trace, TURN_ENDED, EVERYONE, seat, s.played, 0)
    size = s.hand_size
    if is_visible(s, pack(s), DRAW_ONE):
        size = s.held[seat] + 1
    draw_up_to(s, seat, size, trace)
    lapse_hints(s, seat)
    s.holds[seat] &= s.holds_kept[seat]
    s.holds_kept[seat] = 0
    return next_seat(s, seat, trace)


@helper
def play(s, seat, card, pile, trace):
    """Lay a card and do what it commands; gives whether the turn is over with it (EX-L1)."""
    covered = s.command[s.tops[pile]]
    lay_card(s, seat, card, pile, trace)
    if covered >= FIRST_INFINITY:
        note(trace, LAPSED, EVERYONE, covered, pile, 0)
    command = s.command[card]
    if command:
        note(trace, COMMANDED, EVERYONE, seat, command, pile)
    s.skulls = skulls_after(s, s.skulls, card, pile)
    s.last = pile
    end = 0
    if cards_left(s) == 0:
        loss = last_card_loss(s, card, s.skulls, s.played)
        end = loss if loss else TG_E3
    else:
        if command == THREE:
            s.three = 1
        if s.three and s.played + s.held[seat] < 3:
            end = EX_L5
        elif command == STOP:
            return True
        elif is_stuck(s, seat):
            end = EX_E2
    if end:
        finish(s, end, trace)
    return False


@helper
def give_hold_hint(s, seat, move, trace):
    """Say or take back that one holds a command (EX-H1)."""
    if move < HOLD_HINTS_BACK:
        command = move - HOLD_HINTS
        s.holds[seat] |= 1 << command
        if s.phase == PLAYING and s.active == seat:
            s.holds_kept[seat] |= 1 << command
        note(trace, HOLD_HINTED, EVERYONE, seat, command + 1, 0)
    else:
        command = move - HOLD_HINTS_BACK
        s.holds[seat] &= ~(1 << command)
        s.holds_kept[seat] &= ~(1 << command)
        note(trace, HOLD_HINT_TAKEN_BACK, EVERYONE, seat, command + 1, 0)


@compiled
def apply(s, seat, move, trace):
    """Carry out a legal move."""
    if move >= HOLD_HINTS:
        give_hold_hint(s, seat, move, trace)
    elif move >= PILE_HINTS:
        give_hint(s, seat, move, trace)
    elif move == START:
        start(s, seat, trace)
        begin_turn(s, seat, trace)
    elif move == END_TURN or play(s, seat, LOWEST + move // PILES, move % PILES, trace):
        begin_turn(s, end_turn(s, seat, trace), trace)


# ---------------------------------------------------------------- knowledge


@compiled
def observe(s, seat, out):
    """Write what the seat knows as numbers, in the order of OBSERVATION; gives how many."""
    n = the_game.observe(s, seat, out)
    for card in range(LOWEST, HIGHEST + 1):
        out[n + card - LOWEST] = s.command[card]
    n += CARDS
    out[n] = s.three
    for pile in range(PILES):
        out[n + 1 + pile] = s.skulls >> pile & 1
        out[n + 5 + pile] = s.last == pile
    n += 9
    for i in range(5):
        for command in range(COMMANDS):
            out[n + i * COMMANDS + command] = s.holds[(seat + i) % s.seats] >> command & 1 if i < s.seats else 0
    return n + 5 * COMMANDS


dispatch.register(__name__)
