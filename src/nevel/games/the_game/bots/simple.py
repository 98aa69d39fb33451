"""The random and the simple level of The Game and Extreme: any legal card, or the one that costs least (compiled)."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine import dispatch
from nevel.engine.chance import below
from nevel.engine.compiling import inlined, natural, small
from nevel.games.the_game.rules.extreme_turn import FIRST_INFINITY
from nevel.games.the_game.rules.table import (
    CHOOSING,
    END_TURN,
    FIRST_FALLING,
    HIGHEST,
    JUMP_BACK,
    LEAVE,
    LEAVE_STRONGLY,
    LOWEST,
    MOST_HELD,
    PILES,
    SMALL_STEPS,
    START,
    START_HINTS,
    has_card,
)

NOTHING = -1  # the bot would rather wait for another seat

# What a step costs is its distance; a turn that could end goes on while the next card costs at most this.
CHEAP = 2
# What a step is worth that a card in hand could take back afterwards: its ten, and one for keeping that card useful.
PROSPECT = 11
# How much a standing hint of another seat adds to the cost of its pile.
SPARE = 4
SPARE_STRONGLY = 12
SPARE_FOR_A_JUMP = 8
SMALL_STEP = 5
FORBIDDEN = 10000


@inlined
def random_move(s, seat, rng):
    """Any legal play, or the end of the turn where it may end, with equal chances."""
    if s.phase == CHOOSING:
        return START
    move = NOTHING
    seen = 0
    for i in range(s.held[seat]):
        first = (s.hand[seat, i] - LOWEST) * PILES
        for pile in range(PILES):
            if dispatch.refusal(s, seat, first + pile) == 0:
                seen += 1
                if below(rng, seen) == 0:
                    move = first + pile
    if dispatch.refusal(s, seat, END_TURN) == 0 and below(rng, seen + 1) == 0:
        move = END_TURN
    return move


@inlined
def start_strength(s, seat):
    """1 to 3: how good a first turn would be, by its two cheapest cards."""
    cheapest = 100
    second = 100
    for i in range(s.held[seat]):
        distance = min(s.hand[seat, i] - 1, 100 - s.hand[seat, i])
        if distance < cheapest:
            second = cheapest
            cheapest = distance
        elif distance < second:
            second = distance
    total = cheapest + second
    return 3 if total <= 8 else 2 if total <= 16 else 1


@inlined
def opening(s, seat):
    """Say how good one's start would be, wait until all have said it, then let the strongest begin (TG-S2)."""
    mine = s.start_hints[seat]
    if mine == 0:
        return START_HINTS + start_strength(s, seat) - 1
    for other in range(s.seats):
        theirs = s.start_hints[other]
        if theirs == 0 or theirs > mine or (theirs == mine and other < seat):
            return NOTHING
    return START


# An offer is a move with its price in one number, so that the cheapest is simply the least.
MOVE_BITS = 9
NO_OFFER = FORBIDDEN << MOVE_BITS
ANY_OFFER = -NO_OFFER


@inlined
def spare(s, seat, pile, distance):
    """What others' hints add to the cost of a step on this pile."""
    extra = 0
    for other in range(s.seats):
        hint = s.hints[other, pile]
        if hint and other != seat:
            if hint == LEAVE or (hint == SMALL_STEPS and distance > SMALL_STEP):
                extra += SPARE
            elif hint == LEAVE_STRONGLY:
                extra += SPARE_STRONGLY
            elif hint == JUMP_BACK:
                extra += SPARE_FOR_A_JUMP
    return extra


@inlined
def cost(s, seat, card, pile):
    """The step, less what a card in hand could jump back afterwards, plus what others ask to spare."""
    rises = pile < FIRST_FALLING
    distance = card - s.tops[pile] if rises else s.tops[pile] - card
    price = distance
    if distance > 0:
        price -= PROSPECT * has_card(s, seat, card - 10 if rises else card + 10)
    elif distance != -10:
        return FORBIDDEN
    return price + spare(s, seat, pile, distance)


@inlined
def next_offer(s, seat, after):
    """The cheapest card dearer than the offer `after`."""
    best = NO_OFFER
    for i in range(s.held[seat]):
        card = s.hand[seat, i]
        for pile in range(PILES):
            offer = cost(s, seat, card, pile) << MOVE_BITS | (card - LOWEST) * PILES + pile
            if after < offer < best:
                best = offer
    return best


@inlined
def is_anyone_asking(s, seat):
    """Whether another seat's hint stands on any pile."""
    asked = small(0)
    for other in range(s.seats):
        hints = small(s.hints[other, 0] | s.hints[other, 1] | s.hints[other, 2] | s.hints[other, 3])
        asked = small(asked | hints if other != seat else asked)
    return asked != 0


@inlined
def cheapest_offer(s, seat, relief):
    """The first of all offers where nobody asks to spare a pile, several times faster.

    `relief`: what is gained by covering each pile, eight bits each.

    Written without branches on cards, since no processor can predict those: a card's value on a rising or a falling
    pile is its price but for the top, so that each pile only has to find the least among the cards that fit it.
    """
    first, second, third, fourth = small(s.tops[0]), small(s.tops[1]), small(s.tops[2]), small(s.tops[3])
    on_first = on_second = on_third = on_fourth = small(NO_OFFER)
    for i in range(MOST_HELD):
        card = small(s.hand[seat, i])
        move = small((card - LOWEST) * PILES)
        rising = small((card - PROSPECT * has_card(s, seat, card - 10) << MOVE_BITS) + move)
        falling = small((-card - PROSPECT * has_card(s, seat, card + 10) << MOVE_BITS) + move)
        on_first = min(on_first, small(rising if card > first else NO_OFFER))
        on_second = min(on_second, small(rising if card > second else NO_OFFER))
        on_third = min(on_third, small(falling if 0 < card < third else NO_OFFER))
        on_fourth = min(on_fourth, small(falling if 0 < card < fourth else NO_OFFER))
    first = small(first + (relief & 255))
    second = small(second + (relief >> 8 & 255))
    third = small(third - (relief >> 16 & 255))
    fourth = small(fourth - (relief >> 24))
    best = min(small(on_first - (first << MOVE_BITS)), small(on_second - (second << MOVE_BITS) + 1))
    best = min(best, small(on_third + (third << MOVE_BITS) + 2))
    best = min(best, small(on_fourth + (fourth << MOVE_BITS) + 3))
    for pile in range(PILES):
        trick = small(s.tops[pile] - 10 if pile < FIRST_FALLING else s.tops[pile] + 10)
        offer = (-10 - (relief >> 8 * pile & 255) << MOVE_BITS) + (trick - LOWEST) * PILES + pile
        # No card is above 99, and the table of where cards are ends soon after it.
        best = min(best, small(offer if has_card(s, seat, min(trick, small(HIGHEST + 1))) else NO_OFFER))
    return best


@inlined
def move_in(offer):
    return offer & (1 << MOVE_BITS) - 1


@inlined
def simple_move(s, seat):
    """The Game: the cheapest card that doesn't end the game; the turn ends when the next would cost too much."""
    if s.phase == CHOOSING:
        return opening(s, seat)
    first = next_offer(s, seat, ANY_OFFER) if is_anyone_asking(s, seat) else cheapest_offer(s, seat, small(0))
    if s.played >= s.need:
        return move_in(first) if first >> MOVE_BITS <= CHEAP else END_TURN
    offer = first
    while offer < NO_OFFER:
        if dispatch.losing_clause(s, seat, move_in(offer)) == 0:
            return move_in(offer)
        offer = next_offer(s, seat, offer)
    return move_in(first)


# Covering a lasting command frees everybody.
RELIEF = 8


@inlined
def next_extreme_offer(s, seat, after):
    """The same, with relief from lasting commands; what commands forbid isn't looked at here."""
    best = NO_OFFER
    for i in range(s.held[seat]):
        card = s.hand[seat, i]
        for pile in range(PILES):
            price = cost(s, seat, card, pile) - RELIEF * (s.command[s.tops[pile]] >= FIRST_INFINITY)
            offer = price << MOVE_BITS | (card - LOWEST) * PILES + pile
            if after < offer < best:
                best = offer
    return best


@inlined
def relief_of(s):
    """What covering each pile is worth because of a lasting command, as `cheapest_offer` takes it."""
    relief = small(0)
    for pile in range(PILES):
        relief = small(relief | RELIEF * (s.command[natural(s.tops[pile])] >= FIRST_INFINITY) << 8 * pile)
    return relief


@inlined
def simple_extreme_move(s, seat):
    """Extreme: the cheapest legal card that doesn't lead into a dead end, if there is one."""
    if s.phase == CHOOSING:
        return opening(s, seat)
    can_end = dispatch.refusal(s, seat, END_TURN) == 0
    doomed = NOTHING
    is_free = not is_anyone_asking(s, seat)
    offer = cheapest_offer(s, seat, relief_of(s)) if is_free else next_extreme_offer(s, seat, ANY_OFFER)
    while offer < (CHEAP + 1 << MOVE_BITS if can_end else NO_OFFER):
        move = move_in(offer)
        if dispatch.refusal(s, seat, move) == 0:
            if dispatch.losing_clause(s, seat, move) == 0:
                return move
            doomed = move if doomed == NOTHING else doomed
        offer = next_extreme_offer(s, seat, offer)
    return END_TURN if can_end else doomed
