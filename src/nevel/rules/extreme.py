"""The Game: Extreme. The Game with commands on 28 of the cards; only what differs is written here."""

import numpy as np

from nevel.rules import the_game, the_game_table
from nevel.rules.chance import below
from nevel.rules.clauses import (
    EX_E1,
    EX_E2,
    EX_I2,
    EX_I3,
    EX_I4,
    EX_L2,
    EX_L3,
    EX_L4,
    EX_L5,
    TG_E3,
    TG_H3,
    TG_S1,
    TG_T2,
    TG_T3,
)
from nevel.rules.compiling import compiled, helper
from nevel.rules.the_game import (
    finish,
    fits,
    is_backwards_try,
    is_trick,
    lay_card,
    minimum_clause,
    next_seat,
    open_turn,
    outcome,
    start,
    turn_refusal,
)
from nevel.rules.the_game_knowledge import conceal, imagine
from nevel.rules.the_game_table import (
    CARDS,
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
    slot_of,
    waiting,
)
from nevel.rules.the_game_talk import give_hint, hint_refusal, lapse_hints
from nevel.rules.tracing import EVERYONE, note

__all__ = [
    "BOX",
    "MOVES",
    "OBSERVATION",
    "OPTIONS",
    "SEATS",
    "STATE",
    "VERSION",
    "apply",
    "conceal",
    "doom",
    "imagine",
    "observe",
    "outcome",
    "refusal",
    "setup",
    "waiting",
]

VERSION = 1
SEATS = the_game.SEATS

STOP, SKULL, THREE, SILENCE, NO_TRICK, ONE_PILE, DRAW_ONE = 1, 2, 3, 4, 5, 6, 7
COMMANDS = 7
FIRST_INFINITY = SILENCE  # those before it are lightning

#: The hand sizes, then the command of every card from 0 to 100 (0: none).
BOX = the_game.BOX + 101
#: As in The Game, then whether the commands are dealt to the cards at random.
OPTIONS = the_game.OPTIONS + 1

# Moves: those of The Game, then "I hold a stop" and its withdrawal, for each command.
HOLD_HINTS = the_game.MOVES
HOLD_HINTS_BACK = HOLD_HINTS + COMMANDS
MOVES = HOLD_HINTS_BACK + COMMANDS

COMMANDED, LAPSED, HOLD_HINTED, HOLD_HINT_TAKEN_BACK = 31, 32, 33, 34

NO_PILE = -1

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
    ]
)

OBSERVATION = (*the_game.OBSERVATION, ("command", 98), ("three", 1), ("skulls", 4), ("last", 4), ("holds", 35))


@compiled
def setup(s, seats, box, options, trace):
    """Deal a game from the chance already keyed into the state."""
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


# ---------------------------------------------------------------- a turn, card by card
# A turn is judged with the four tops packed in one number, so that the search below needs no memory of its own.


@helper
def pack(s):
    """The four tops, seven bits each."""
    return int(s.tops[0]) | int(s.tops[1]) << 7 | int(s.tops[2]) << 14 | int(s.tops[3]) << 21


@helper
def top_of(tops, pile):
    return tops >> 7 * pile & 127


@helper
def with_top(tops, pile, card):
    return tops & ~(127 << 7 * pile) | int(card) << 7 * pile


@helper
def is_visible(s, tops, command):
    """Whether a card with this command lies on top of a pile (EX-I1)."""
    for pile in range(PILES):
        if s.command[top_of(tops, pile)] == command:
            return True
    return False


@helper
def card_refusal(s, tops, played, three, skulls, last, card, pile):
    """0, or the clause that forbids this card on this pile now (EX-E2)."""
    top = top_of(tops, pile)
    if not fits(top, pile, card):
        return TG_T3 if is_backwards_try(top, pile, card) else TG_T2
    if is_trick(top, pile, card) and is_visible(s, tops, NO_TRICK):
        return EX_I3
    if played > 0 and pile != last and is_visible(s, tops, ONE_PILE):
        return EX_I4
    command = s.command[card]
    if (three or command == THREE) and played >= 3:
        return EX_L4
    if command == STOP:
        if three and played != 2:
            return EX_L4
        if skulls & ~(1 << pile):
            return EX_L2
    return 0


@helper
def end_refusal(s, played, three, skulls):
    """0, or the clause that forbids ending the turn here."""
    if skulls:
        return EX_L2
    if three and played != 3:
        return EX_L4
    return 0 if played >= s.need else minimum_clause(s)


@helper
def skulls_after(s, skulls, card, pile):
    skulls &= ~(1 << pile)
    return skulls | 1 << pile if s.command[card] == SKULL else skulls


@helper
def pack_node(tops, used, played, three, skulls, last):
    """A moment of a turn in one number; its lowest six bits count the plays already tried from there."""
    return tops << 26 | (last + 1) << 23 | skulls << 19 | three << 18 | played << 14 | used << 6


@helper
def can_end(s, seat, used, tops, played, three, skulls, last):
    """Whether the turn can be played to a proper end from here (EX-E1). `used`: slots of the hand already played.

    A search in depth whose path lies in the record: Numba can't load a function that calls itself from its cache.
    """
    found = False
    depth = 0
    s.path[0] = pack_node(tops, used, played, three, skulls, last)
    while depth >= 0 and not found:
        node = s.path[depth]
        tried, used, played = node & 63, node >> 6 & 255, node >> 14 & 15
        three, skulls, last = node >> 18 & 1, node >> 19 & 15, (node >> 23 & 7) - 1
        tops = node >> 26
        if tried == 0:
            found = end_refusal(s, played, three, skulls) == 0
        if tried == s.held[seat] * PILES:
            depth -= 1
            continue
        s.path[depth] = node + 1
        card = s.hand[seat, tried // PILES]
        pile = tried % PILES
        if used >> tried // PILES & 1 or card_refusal(s, tops, played, three, skulls, last, card, pile):
            continue
        command = s.command[card]
        if command == STOP:
            found = True
        depth += 1
        s.path[depth] = pack_node(
            with_top(tops, pile, card),
            used | 1 << tried // PILES,
            played + 1,
            three | (command == THREE),
            skulls_after(s, skulls, card, pile),
            pile,
        )
    s.path[:] = 0
    return found


@helper
def can_finish_turn(s, seat):
    """Whether the turn can be played to a proper end from the position as it is."""
    return can_end(s, seat, 0, pack(s), int(s.played), int(s.three), int(s.skulls), int(s.last))


@helper
def is_stuck(s, seat):
    """Whether the player can neither play nor end the turn (EX-E2)."""
    if end_refusal(s, s.played, s.three, s.skulls) == 0:
        return False
    tops = pack(s)
    for i in range(s.held[seat]):
        for pile in range(PILES):
            if card_refusal(s, tops, s.played, s.three, s.skulls, s.last, s.hand[seat, i], pile) == 0:
                return False
    return True


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
def doom(s, seat, move):
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
    three = 1 if command == THREE else int(s.three)
    used = 1 << slot_of(s, seat, card)
    tops = with_top(pack(s), pile, card)
    if can_end(s, seat, used, tops, int(s.played) + 1, three, int(skulls), int(pile)):
        return 0
    return EX_L5 if three and s.played + s.held[seat] < 3 else EX_E2


@helper
def last_card_loss(s, card, skulls, played):
    """The last of the 98 cards wins, unless it leaves a skull or fewer than three cards where three are commanded."""
    if skulls:
        return EX_L3
    if (s.three or s.command[card] == THREE) and played != 3:
        return EX_L5
    return 0


# ---------------------------------------------------------------- what moves do


@helper
def begin_turn(s, seat, trace):
    """Start a turn, or end the game if it can't be played to a proper end (EX-E1)."""
    open_turn(s, seat)
    s.three = 0
    s.skulls = 0
    s.last = NO_PILE
    if not can_finish_turn(s, seat):
        finish(s, EX_E1, trace)


@helper
def end_turn(s, seat, trace):
    """Draw (EX-I5) and hand over."""
    note(trace, TURN_ENDED, EVERYONE, seat, s.played)
    size = s.hand_size
    if is_visible(s, pack(s), DRAW_ONE):
        size = s.held[seat] + 1
    draw_up_to(s, seat, size, trace)
    lapse_hints(s, seat)
    s.holds[seat] &= s.holds_kept[seat]
    s.holds_kept[seat] = 0
    begin_turn(s, next_seat(s, seat, trace), trace)


@helper
def play(s, seat, card, pile, trace):
    covered = s.command[s.tops[pile]]
    lay_card(s, seat, card, pile, trace)
    if covered >= FIRST_INFINITY:
        note(trace, LAPSED, EVERYONE, covered, pile)
    command = s.command[card]
    if command:
        note(trace, COMMANDED, EVERYONE, seat, command, pile)
    s.skulls = skulls_after(s, s.skulls, card, pile)
    s.last = pile
    if cards_left(s) == 0:
        loss = last_card_loss(s, card, s.skulls, s.played)
        finish(s, loss if loss else TG_E3, trace)
        return
    if command == THREE:
        s.three = 1
    if s.three and s.played + s.held[seat] < 3:
        finish(s, EX_L5, trace)
    elif command == STOP:
        end_turn(s, seat, trace)
    elif is_stuck(s, seat):
        finish(s, EX_E2, trace)


@helper
def give_hold_hint(s, seat, move, trace):
    """Say or take back that one holds a command (EX-H1)."""
    if move < HOLD_HINTS_BACK:
        command = move - HOLD_HINTS
        s.holds[seat] |= 1 << command
        if s.phase == PLAYING and s.active == seat:
            s.holds_kept[seat] |= 1 << command
        note(trace, HOLD_HINTED, EVERYONE, seat, command + 1)
    else:
        command = move - HOLD_HINTS_BACK
        s.holds[seat] &= ~(1 << command)
        s.holds_kept[seat] &= ~(1 << command)
        note(trace, HOLD_HINT_TAKEN_BACK, EVERYONE, seat, command + 1)


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
    elif move == END_TURN:
        end_turn(s, seat, trace)
    else:
        play(s, seat, LOWEST + move // PILES, move % PILES, trace)


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
