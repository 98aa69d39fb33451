"""The cost of laying a card in The Game, with tuned numbers: what the stronger bots choose by (compiled).

A step is as bad as the cards it passes over, which can no longer be played there; cards already on a pile cost nothing.
It is the better for a card ten behind it, which can jump back afterwards.
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine.compiling import inlined
from nevel.games.the_game.bots.commands import covering, laying
from nevel.games.the_game.rules.table import (
    FIRST_FALLING,
    HIGHEST,
    LOWEST,
    MARGIN,
    MOST_HELD,
    ON_A_PILE,
    PILES,
    SEATS,
    UNSEEN,
)

MOST_SEATS = SEATS[1]

# The numbers, by place.
(
    PASS_UNSEEN,  # passing over a card nobody has shown
    PASS_OWN,  # over a card of one's own
    PASS_OTHERS,  # over a card another player holds
    DISTANCE,  # for each step of distance, whatever lies between
    JUMP_OWN,  # a card of one's own could jump back afterwards
    JUMP_OTHERS,  # another player could
    JUMP_UNSEEN,  # a card still to come could
    SPOIL,  # another player could jump back on the top that is covered
    TRICK,  # jumping back oneself
    GO_ON,  # a turn that may end goes on for a card that costs at most this
    GO_ON_LAST,  # the same when the draw pile is empty
    CROWD,  # added to GO_ON for each player beyond the second
    HEARD,  # covering a top another player asked to leave; then strongly, to step lightly on, to jump back on
    _,
    _,
    _,
) = range(16)  # then those of the_game_commands

#: Numbers are whole: a step of one is this much.
STEP = 100
FORBIDDEN = 1 << 30
#: A price with its move in the lowest bits is unique, so that offers can be gone through in order.
MOVE_BITS = 9

NO_OFFER = FORBIDDEN << MOVE_BITS

#: The scratch array `passed`: a number for every card, then for every place a card can be what passing over it costs
#: and what a jump by it is worth.
PRICES = 105
JUMPS = PRICES + 10
PASSED = JUMPS + 10


@inlined
def weigh(s, seat, is_open, numbers, passed):
    """Fill `passed`: what passing over all cards below each card costs this seat.

    `is_open`: whether others' hands may be looked at, as in a world the seat has imagined.
    """
    # A price for every place a card can be: looking it up is much faster than asking.
    for where in range(MOST_SEATS + 1):
        passed[PRICES + where] = numbers[PASS_OTHERS] if is_open else numbers[PASS_UNSEEN]
    passed[PRICES + UNSEEN] = numbers[PASS_UNSEEN]
    passed[PRICES + ON_A_PILE] = 0
    passed[PRICES + 1 + seat] = numbers[PASS_OWN]
    for where in range(MOST_SEATS + 1):
        passed[JUMPS + where] = numbers[JUMP_OTHERS] if is_open else numbers[JUMP_UNSEEN]
    passed[JUMPS + UNSEEN] = numbers[JUMP_UNSEEN]
    passed[JUMPS + ON_A_PILE] = 0
    passed[JUMPS + 1 + seat] = numbers[JUMP_OWN]
    total = 0
    for card in range(LOWEST, HIGHEST + 1):
        passed[card] = total
        total += passed[PRICES + s.where[MARGIN + card]]
    passed[HIGHEST + 1] = total


@inlined
def spoiling(s, seat, pile, is_open, numbers):
    """What it costs to cover a top that another player could jump back on, or said something about."""
    if not is_open:
        total = 0
        for other in range(s.seats):
            hint = s.hints[other, pile]
            if hint and other != seat:
                total += numbers[HEARD + hint - 1]
        return total
    jumper = s.tops[pile] - 10 if pile < FIRST_FALLING else s.tops[pile] + 10
    where = s.where[MARGIN + min(jumper, HIGHEST + 1)]
    return numbers[SPOIL] if where != UNSEEN and where != ON_A_PILE and where != 1 + seat else 0


@inlined
def cost(s, seat, card, pile, is_open, numbers, passed):
    """What laying this card on this pile costs, FORBIDDEN where it doesn't fit."""
    top = s.tops[pile]
    if pile < FIRST_FALLING:
        distance = card - top
        price = passed[card] - passed[top + 1]
        jump = passed[JUMPS + s.where[MARGIN + card - 10]]
    else:
        distance = top - card
        price = passed[top] - passed[card + 1]
        jump = passed[JUMPS + s.where[MARGIN + card + 10]]
    if distance == -10:
        return numbers[TRICK] - jump + laying(s, card, numbers) + covering(s, top, numbers)
    if distance <= 0:
        return FORBIDDEN
    price += distance * numbers[DISTANCE] - jump + spoiling(s, seat, pile, is_open, numbers)
    return price + laying(s, card, numbers) + covering(s, top, numbers)


@inlined
def patience(s, numbers):
    """What a card may cost for a turn to go on with it that could end."""
    if s.left == 0:
        return numbers[GO_ON_LAST]
    return numbers[GO_ON] + numbers[CROWD] * max(s.seats - 2, 0)


@inlined
def cheapest(s, seat, is_open, numbers, passed):
    """The card that costs least: its cost, and its move in the lowest bits; NO_OFFER when none fits.

    Written without branches on cards, which no processor can predict: what a card costs on a rising or a falling pile
    is the same for both of them but for what the pile's top adds.
    """
    step = numbers[DISTANCE]
    first, second, third, fourth = s.tops[0], s.tops[1], s.tops[2], s.tops[3]
    on_first = on_second = on_third = on_fourth = NO_OFFER
    for i in range(MOST_HELD):
        card = s.hand[seat, i]
        move = (card - LOWEST) * PILES
        command = laying(s, card, numbers)
        rising = passed[card] + card * step - passed[JUMPS + s.where[MARGIN + card - 10]] + command
        falling = -passed[card + 1] - card * step - passed[JUMPS + s.where[MARGIN + card + 10]] + command
        rising = rising << MOVE_BITS | move
        falling = falling << MOVE_BITS | move
        on_first = min(on_first, rising if card > first else NO_OFFER)
        on_second = min(on_second, rising if card > second else NO_OFFER)
        on_third = min(on_third, falling if 0 < card < third else NO_OFFER)
        on_fourth = min(on_fourth, falling if 0 < card < fourth else NO_OFFER)
    best = NO_OFFER
    for pile in range(PILES):
        top = s.tops[pile]
        if pile < FIRST_FALLING:
            offer = on_first if pile == 0 else on_second
            added = -passed[top + 1] - top * step
            trick, behind = top - 10, top - 20
        else:
            offer = on_third if pile == 2 else on_fourth
            added = passed[top] + top * step
            trick, behind = top + 10, top + 20
        cover = covering(s, top, numbers)
        if offer < NO_OFFER:
            added += cover + spoiling(s, seat, pile, is_open, numbers)
            best = min(best, offer + (added << MOVE_BITS) + pile)
        if LOWEST <= trick <= HIGHEST and s.where[MARGIN + trick] == 1 + seat:
            jump = passed[JUMPS + s.where[MARGIN + max(min(behind, HIGHEST + 1), 0)]]
            price = numbers[TRICK] - jump + laying(s, trick, numbers) + cover
            best = min(best, (price << MOVE_BITS) + (trick - LOWEST) * PILES + pile)
    return best
