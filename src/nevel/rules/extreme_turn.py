"""A turn of The Game: Extreme, card by card: what commands forbid, and whether the turn can come to a proper end."""

from nevel.rules.clauses import EX_I3, EX_I4, EX_L2, EX_L3, EX_L4, EX_L5, TG_T2, TG_T3
from nevel.rules.compiling import helper
from nevel.rules.the_game import fits, is_backwards_try, is_trick, minimum_clause
from nevel.rules.the_game_table import PILES, pack, top_of, with_top

STOP, SKULL, THREE, SILENCE, NO_TRICK, ONE_PILE, DRAW_ONE = 1, 2, 3, 4, 5, 6, 7
COMMANDS = 7
FIRST_INFINITY = SILENCE  # those before it are lightning
NO_PILE = -1


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
def can_cover(s, seat, used, tops, skulls):
    """Whether there is a card for every open skull, commands aside: without one the search needn't begin (EX-L2)."""
    for pile in range(PILES):
        if skulls >> pile & 1:
            top = top_of(tops, pile)
            found = 0
            for i in range(s.held[seat]):
                found |= used >> i & 1 == 0 and fits(top, pile, s.hand[seat, i])
            if not found:
                return False
    return True


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
        is_hopeless = tried == 0 and not found and not can_cover(s, seat, used, tops, skulls)
        if is_hopeless or tried == s.held[seat] * PILES:
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


@helper
def last_card_loss(s, card, skulls, played):
    """The last of the 98 cards wins, unless it leaves a skull or fewer than three cards where three are commanded."""
    if skulls:
        return EX_L3
    if (s.three or s.command[card] == THREE) and played != 3:
        return EX_L5
    return 0
