"""A turn of The Game: Extreme, card by card: what commands forbid, and whether the turn can come to a proper end."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine.compiling import helper, natural, small
from nevel.games.the_game.rules import fits, is_backwards_try, is_trick, minimum_clause
from nevel.games.the_game.rules.clauses import EX_I3, EX_I4, EX_L2, EX_L3, EX_L4, EX_L5, TG_T2, TG_T3
from nevel.games.the_game.rules.table import MOST_HELD, PILES, pack, top_of, with_top

STOP, SKULL, THREE, SILENCE, NO_TRICK, ONE_PILE, DRAW_ONE = 1, 2, 3, 4, 5, 6, 7
COMMANDS = 7
FIRST_INFINITY = SILENCE  # those before it are lightning
NO_PILE = -1


@helper
def is_visible(s, tops, command):
    """Whether a card with this command lies on top of a pile (EX-I1)."""
    for pile in range(PILES):
        if s.command[natural(top_of(tops, pile))] == command:
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
    command = s.command[natural(card)]
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
    skulls = small(skulls & ~(1 << pile))
    return small(skulls | 1 << pile if s.command[natural(card)] == SKULL else skulls)


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


#: Where a moment of a turn counts the plays tried from there.
TRIED = 63


@helper
def pack_node(tops, used, played, three, skulls, last):
    """A moment of a turn in one number; its lowest six bits count the plays already tried from there."""
    return tops << 26 | (last + 1) << 23 | skulls << 19 | three << 18 | played << 14 | used << 6


@helper
def is_free(s, seat, used, tops, play):
    """Whether a play, by its number, is one of a card still in hand that fits its pile: most aren't."""
    slot, pile = small(play // PILES), small(play % PILES)
    return used >> slot & 1 == 0 and fits(top_of(tops, pile), pile, small(s.hand[seat, natural(slot)]))


@helper
def plain_steps(s, seat, used, tops):
    """How many cards without a command fit one of these tops without a jump. Nothing forbids them all, in order."""
    low = min(top_of(tops, 0), top_of(tops, 1))
    high = max(top_of(tops, 2), top_of(tops, 3))
    number = small(0)
    for i in range(MOST_HELD):
        card = small(s.hand[seat, i])
        is_step = (int(card > low) | int(0 < card < high)) & int(s.command[natural(card)] == 0)
        number = small(number + (is_step & ~used >> i))
    return number


@helper
def can_end(s, seat, used, tops, played, three, skulls, last):
    """Whether the turn can be played to a proper end from here (EX-E1). `used`: slots of the hand already played.

    Mostly a few plain cards will do. Else a search in depth whose path lies in the record: Numba can't load a function
    that calls itself from its cache.
    """
    is_plain = not skulls and not three and not is_visible(s, tops, ONE_PILE)
    if is_plain and plain_steps(s, seat, used, tops) >= s.need - played:
        return True
    found = False
    depth = 0
    most = small(s.held[seat] * PILES)
    s.path[0] = pack_node(tops, used, played, three, skulls, last)
    while depth >= 0:
        node = s.path[natural(depth)]
        tried, used, played = small(node & TRIED), small(node >> 6 & 255), small(node >> 14 & 15)
        three, skulls, last = small(node >> 18 & 1), small(node >> 19 & 15), small((node >> 23 & 7) - 1)
        tops = small(node >> 26)
        if tried == 0:
            found = end_refusal(s, played, three, skulls) == 0
            if found:
                break
            tried = small(tried if can_cover(s, seat, used, tops, skulls) else most)
        while tried < most and not is_free(s, seat, used, tops, tried):
            tried = small(tried + 1)
        if tried == most:
            depth -= 1
            continue
        s.path[natural(depth)] = node & ~TRIED | tried + 1
        slot, pile = small(tried // PILES), small(tried % PILES)
        card = small(s.hand[seat, natural(slot)])
        if card_refusal(s, tops, played, three, skulls, last, card, pile):
            continue
        command = s.command[natural(card)]
        found = command == STOP
        if found:
            break
        depth += 1
        s.path[natural(depth)] = pack_node(
            with_top(tops, pile, card),
            used | 1 << slot,
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
