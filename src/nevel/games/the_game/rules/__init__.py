"""The Game: one to five players together against 98 cards and four piles.

Everything here also serves The Game: Extreme, whose record has the same fields and a few more.
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine import dispatch
from nevel.engine.compiling import compiled, inlined, natural, small
from nevel.engine.tracing import EVERYONE, note, note_further
from nevel.games.the_game.rules.clauses import (
    TG_E1,
    TG_E2,
    TG_E3,
    TG_S1,
    TG_S2,
    TG_T1,
    TG_T2,
    TG_T3,
    TG_T4,
    TG_T5,
    TG_V1,
)
from nevel.games.the_game.rules.knowledge import conceal, imagine, observe
from nevel.games.the_game.rules.legality import mark_moves
from nevel.games.the_game.rules.table import (
    BOX,
    CHOOSING,
    END_TURN,
    ENDED,
    FIRST_FALLING,
    LOWEST,
    MARGIN,
    MOST_HELD,
    MOVES,
    OBSERVATION,
    ON_A_PILE,
    OPTIONS,
    OVER,
    PILE_HINTS,
    PILES,
    PLAYED,
    PLAYING,
    SEATS,
    SKIPPED,
    START,
    STARTED,
    STATE,
    TURN_ENDED,
    cards_left,
    draw_up_to,
    has_card,
    lay_out,
    pack,
    slot_of,
    top_of,
    waiting,
    with_top,
)
from nevel.games.the_game.rules.talk import give_hint, hint_refusal, lapse_hints

__all__ = [
    "BOX",
    "MOVES",
    "OBSERVATION",
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
WIDER_FIELDS = dict[str, str]()


@compiled
def setup(s, seats, box, options, trace):
    """Deal a game from the random state already seeded in `s.chance`."""
    lay_out(s, seats, box, options, trace)
    if seats == 1:
        start(s, 0, trace)
        open_turn(s, 0)
        judge(s, trace)


# ---------------------------------------------------------------- questions


@inlined
def is_trick(top, pile, card):
    """The backwards trick (TG-T3)."""
    if pile < FIRST_FALLING:
        return card == small(top - 10)
    return card == small(top + 10)


@inlined
def fits(top, pile, card):
    """Whether a card may lie on a pile with this top (TG-T2, TG-T3)."""
    if pile < FIRST_FALLING:
        return card > top or card == small(top - 10)
    return card < top or card == small(top + 10)


@inlined
def steps(s, seat, used, tops):
    """How many cards outside the slots `used` fit one of these tops without a jump.

    Written without branches on cards: no processor can predict those, and threads of a GPU stay together.
    """
    low = min(top_of(tops, 0), top_of(tops, 1))
    high = max(top_of(tops, 2), top_of(tops, 3))
    number = small(0)
    for i in range(MOST_HELD):
        card = small(s.hand[seat, i])
        number = small(number + ((int(card > low) | int(0 < card < high)) & ~used >> i))
    return number


@inlined
def playable(s, seat, used, tops):
    """The slots of the hand, without those `used`, whose card fits one of these tops, as bits."""
    first, second, third, fourth = top_of(tops, 0), top_of(tops, 1), top_of(tops, 2), top_of(tops, 3)
    low, high = min(first, second), max(third, fourth)
    slots = small(0)
    for i in range(MOST_HELD):
        card = small(s.hand[seat, i])
        is_step = int(card > low) | int(card < high)
        is_jump = int(card == small(first - 10)) | int(card == small(second - 10))
        is_jump |= int(card == small(third + 10)) | int(card == small(fourth + 10))
        slots = small(slots | (is_step | is_jump) << i if card else slots)
    return small(slots & ~used)


@inlined
def can_play_two(s, seat, used, tops, slots):
    """Whether two cards can be played one after the other; `slots` are those playable now.

    All that fit now can be played: first the jumps, each on a pile of its own, then the others in order, since no jump
    is in the way of a step. A single one may make another possible.
    """
    if slots & small(slots - 1):
        return True
    for i in range(s.held[seat]):
        if slots >> i & 1:
            card = small(s.hand[seat, i])
            for pile in range(PILES):
                if fits(top_of(tops, pile), pile, card) and playable(
                    s, seat, small(used | 1 << i), with_top(tops, pile, card)
                ):
                    return True
    return False


@inlined
def can_play(s, seat, used, tops, count):
    """Whether the seat can play `count` more cards, at most three, without the slots `used` (TG-E1, TG-V1)."""
    if count <= 0 or steps(s, seat, used, tops) >= count:
        return True
    slots = playable(s, seat, used, tops)
    if count == 1 or slots == 0:
        return slots != 0
    if count == 2:
        return can_play_two(s, seat, used, tops, slots)
    for i in range(s.held[seat]):
        if slots >> i & 1:
            card = small(s.hand[seat, i])
            for pile in range(PILES):
                if fits(top_of(tops, pile), pile, card):
                    without, rest = small(used | 1 << i), with_top(tops, pile, card)
                    if can_play_two(s, seat, without, rest, playable(s, seat, without, rest)):
                        return True
    return False


@inlined
def turn_refusal(s, seat, move):
    """What both games refuse before looking at the card itself."""
    if s.phase == OVER:
        return TG_E3
    if move == START:
        return 0 if s.phase == CHOOSING else TG_S2
    if s.phase == CHOOSING:
        return TG_S2
    if seat != s.active:
        return TG_T4
    return 0


@inlined
def minimum_clause(s):
    """The clause that asks for as many cards as this turn needs."""
    if s.need == 1:
        return TG_T5
    return TG_T1 if s.need == 2 else TG_V1


@compiled
def refusal(s, seat, move):
    """0 when the move is legal, else the clause that forbids it."""
    if move >= PILE_HINTS:
        return hint_refusal(s, seat, move)
    refused = turn_refusal(s, seat, move)
    if refused or move == START:
        return refused
    if move == END_TURN:
        return 0 if s.played >= s.need else minimum_clause(s)
    card = LOWEST + move // PILES
    pile = move % PILES
    if not has_card(s, seat, card):
        return TG_S1
    if fits(s.tops[pile], pile, card):
        return 0
    # Backwards, but not by exactly ten: the trick's clause tells more than the pile's.
    return TG_T3 if is_backwards_try(s.tops[pile], pile, card) else TG_T2


@inlined
def is_backwards_try(top, pile, card):
    """Backwards by nine to eleven looks like a miscounted trick."""
    back = top - card if pile < FIRST_FALLING else card - top
    return 9 <= back <= 11


@compiled
def is_secret(s, move):
    """Whether others don't see this move when it is made."""
    return False


@compiled
def losing_clause(s, seat, move):
    """The clause by which a legal move ends the game at once as a loss, or 0 (TG-E2)."""
    if move >= END_TURN or s.played + 1 >= s.need:
        return 0
    card = small(LOWEST + move // PILES)
    tops = with_top(pack(s), small(move % PILES), card)
    return 0 if can_play(s, seat, small(1 << slot_of(s, seat, card)), tops, small(s.need - s.played - 1)) else TG_E2


# ---------------------------------------------------------------- what moves do


@inlined
def start(s, seat, trace):
    """A seat takes the first turn (TG-S2); what was said about starting has served."""
    s.phase = PLAYING
    s.start_hints[:] = 0
    note(trace, STARTED, EVERYONE, seat, 0, 0)


@inlined
def open_turn(s, seat):
    """Count anew for a turn (TG-T1, TG-T5)."""
    s.active = seat
    s.played = 0
    s.began = s.held[seat]
    s.need = s.minimum if s.left > 0 else 1


@inlined
def finish(s, clause, trace):
    """End the game by a clause."""
    s.phase = OVER
    s.ended = clause
    note(trace, ENDED, EVERYONE, clause, cards_left(s), 0)


@inlined
def lay_card(s, seat, card, pile, trace):
    """Move a card from the hand to a pile."""
    slot = natural(slot_of(s, seat, card))
    last = natural(s.held[seat] - 1)
    s.held[seat] = last
    s.hand[seat, slot] = s.hand[seat, last]
    s.hand[seat, last] = 0
    before = s.tops[pile]
    s.tops[pile] = card
    s.where[natural(MARGIN + card)] = ON_A_PILE
    s.played += 1
    note(trace, PLAYED, EVERYONE, seat, card, pile)
    note_further(trace, before, int(is_trick(before, pile, card)))


@inlined
def next_seat(s, seat, trace):
    """The next player clockwise who has cards (TG-T4, TG-T6)."""
    seat = seat + 1 if seat + 1 < s.seats else 0
    while s.held[seat] == 0:  # somebody has cards, or the game would be over
        note(trace, SKIPPED, EVERYONE, seat, 0, 0)
        seat = seat + 1 if seat + 1 < s.seats else 0
    return seat


@inlined
def judge(s, trace):
    """End the game if all cards are played (TG-E3) or the minimum is out of reach (TG-E1, TG-E2)."""
    if cards_left(s) == 0:
        finish(s, TG_E3, trace)
    elif not can_play(s, s.active, small(0), pack(s), small(s.need - s.played)):
        finish(s, TG_E2 if s.played else TG_E1, trace)


@compiled
def apply(s, seat, move, trace):
    """Carry out a legal move."""
    if move >= PILE_HINTS:
        give_hint(s, seat, move, trace)
        return
    if move < END_TURN:
        lay_card(s, seat, small(LOWEST + move // PILES), natural(move % PILES), trace)
    elif move == START:
        start(s, seat, trace)
        open_turn(s, seat)
    else:
        note(trace, TURN_ENDED, EVERYONE, seat, s.played, 0)
        draw_up_to(s, seat, s.began, trace)
        lapse_hints(s, seat)
        open_turn(s, next_seat(s, seat, trace))
    judge(s, trace)


@compiled
def outcome(s, out):
    """0 while the game goes on, else the clause that ended it. A row per seat: points (cards left, negative), won."""
    left = cards_left(s)
    for seat in range(s.seats):
        out[seat, 0] = -left
        out[seat, 1] = s.ended == TG_E3
    return s.ended


dispatch.register(__name__)
