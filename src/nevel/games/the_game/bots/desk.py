"""What somebody who thinks about a turn of The Game has on the desk: cards laid and lifted again, and the worth of it.

Most of a worth is a sum over all cards still to be played, which only depends on the near or on the far tops. Many of
the turns that are looked at leave the same ones: such sums are kept and put right for the few cards that were laid.
"""

from nevel.engine.compiling import helper, inlined
from nevel.games.the_game.bots.worth import (
    CERTAIN,
    GONE,
    OWN,
    STAGE_OF,
    WINDOWS,
    count_lost,
    far_number,
    jump_number,
    long_window_number,
    look_around,
    look_of_next,
    near_number,
    no_steps,
    numbers_of_steps,
    numbers_of_tops,
    shortest_step,
    tens_around,
    window_number,
    with_step,
    within,
)
from nevel.games.the_game.rules.table import HIGHEST, LOWEST, MARGIN, PILES

# Rows of the desk: how all cards look, tops, hand, tops that were covered; how cards and those ten away from them
# looked before any was laid; cards not gone then, those of whoever plays next, those laid since, each after their
# number; what is kept in `sums`.
LOOKS, TOPS, HAND, COVERED, BEFORE, TENS, CARDS, NEXTS, LAID, NEAR_KEPT, FAR_KEPT = range(11)
FIRST_OFFERS = 11  # then lists of offers: cards, piles, prices; three rows for each card of a turn thought about
DESK = FIRST_OFFERS + 9
DESK_WIDTH = 130

#: Room for sums by near tops and by far tops.
NEAR, FAR = 0, 1
KEPT = 64
NOTHING_KEPT = -1


@helper
def clear_desk(s, seat, desk):
    """Lay out what a seat's turn begins with; gives the number of cards in hand."""
    look_around(s, seat, desk[LOOKS])
    look_around(s, seat, desk[BEFORE])
    desk[CARDS, 0] = 0
    desk[NEXTS, 0] = 0
    desk[LAID, 0] = 0
    nexts = look_of_next(desk[LOOKS])
    for card in range(LOWEST, HIGHEST + 1):
        desk[TENS, MARGIN + card] = tens_around(desk[BEFORE], card)
        desk[CARDS, desk[CARDS, 0] + 1] = card
        desk[CARDS, 0] += desk[LOOKS, MARGIN + card] != GONE
        desk[NEXTS, desk[NEXTS, 0] + 1] = card
        desk[NEXTS, 0] += desk[LOOKS, MARGIN + card] == nexts
    for place in range(KEPT):
        desk[NEAR_KEPT, place] = NOTHING_KEPT
        desk[FAR_KEPT, place] = NOTHING_KEPT
    for pile in range(PILES):
        desk[TOPS, pile] = s.tops[pile]
    for i in range(s.held[seat]):
        desk[HAND, i] = s.hand[seat, i]
    return s.held[seat]


@helper
def lay(desk, held, card, pile):
    """Play a card in thought; gives the top it covers."""
    for i in range(held):
        if desk[HAND, i] == card:
            desk[HAND, i] = desk[HAND, held - 1]
            break
    covered = desk[TOPS, pile]
    desk[TOPS, pile] = card
    desk[LOOKS, MARGIN + card] = GONE
    desk[LAID, 0] += 1
    desk[LAID, desk[LAID, 0]] = card
    return covered


@helper
def lift(desk, held, card, pile, covered):
    """Take the card laid last up again."""
    desk[HAND, held - 1] = card
    desk[TOPS, pile] = covered
    desk[LOOKS, MARGIN + card] = OWN
    desk[LAID, 0] -= 1


@inlined
def key_of(stage, up, down):
    """What a sum is of. Stages that meet in one turn differ in their last bit."""
    return (stage & 1) << 14 | up << 7 | down


@helper
def sum_near(desk, sums, weights, stage, near_up, near_down):
    """What all cards count for by the near tops, if none were laid."""
    key = key_of(stage, near_up, near_down)
    place = (near_up + 5 * near_down) % KEPT
    if desk[NEAR_KEPT, place] != key:
        total = 0 * weights[0]
        for i in range(1, desk[CARDS, 0] + 1):
            card = desk[CARDS, i]
            look = desk[BEFORE, MARGIN + card]
            up, down = within(card - near_up), within(near_down - card)
            tens = desk[TENS, MARGIN + card]
            total += weights[near_number(stage, look, up, down)] + weights[jump_number(stage, look, tens, up, down)]
        desk[NEAR_KEPT, place] = key
        sums[NEAR, place] = total
    return sums[NEAR, place]


@helper
def sum_far(desk, sums, weights, stage, far_up, far_down):
    """What all cards count for by the far tops, if none were laid."""
    key = key_of(stage, far_up, far_down)
    place = (far_up + 5 * far_down) % KEPT
    if desk[FAR_KEPT, place] != key:
        total = 0 * weights[0]
        for i in range(1, desk[CARDS, 0] + 1):
            card = desk[CARDS, i]
            look = desk[BEFORE, MARGIN + card]
            total += weights[far_number(stage, look, within(card - far_up), within(far_down - card))]
        desk[FAR_KEPT, place] = key
        sums[FAR, place] = total
    return sums[FAR, place]


@helper
def sum_neighbour(desk, weights, stage, card, near_up, near_down):
    """What it makes to a card not gone that those ten away may have been laid."""
    up, down = within(card - near_up), within(near_down - card)
    look = desk[LOOKS, MARGIN + card]
    now = jump_number(stage, look, tens_around(desk[LOOKS], card), up, down)
    before = jump_number(stage, look, desk[TENS, MARGIN + card], up, down)
    return weights[now] - weights[before]


@helper
def sum_laid(desk, weights, stage, near_up, far_up, near_down, far_down):
    """What the cards laid since make to the sums."""
    total = 0 * weights[0]
    for i in range(1, desk[LAID, 0] + 1):
        card = desk[LAID, i]
        up, down = within(card - near_up), within(near_down - card)
        total -= weights[near_number(stage, OWN, up, down)]
        total -= weights[jump_number(stage, OWN, desk[TENS, MARGIN + card], up, down)]
        total -= weights[far_number(stage, OWN, within(card - far_up), within(far_down - card))]
        if desk[LOOKS, MARGIN + card + 10] != GONE:
            total += sum_neighbour(desk, weights, stage, card + 10, near_up, near_down)
        # Between two cards that were laid, the neighbour of both counts once.
        if desk[LOOKS, MARGIN + card - 10] != GONE and (
            desk[LOOKS, MARGIN + card - 20] == desk[BEFORE, MARGIN + card - 20]
        ):
            total += sum_neighbour(desk, weights, stage, card - 10, near_up, near_down)
    return total


@helper
def worth_of_desk(desk, sums, weights):
    """What it is worth to end the turn here: as `the_game_worth.add_up` has it."""
    left = desk[CARDS, 0] - desk[LAID, 0]
    if left == 0:
        return CERTAIN + 0 * weights[0]
    first, second, third, fourth = desk[TOPS, 0], desk[TOPS, 1], desk[TOPS, 2], desk[TOPS, 3]
    near_up, far_up = min(first, second), max(first, second)
    near_down, far_down = max(third, fourth), min(third, fourth)
    looks = desk[LOOKS]
    stage = STAGE_OF[left]
    total = sum_near(desk, sums, weights, stage, near_up, near_down)
    total += sum_far(desk, sums, weights, stage, far_up, far_down)
    total += sum_laid(desk, weights, stage, near_up, far_up, near_down, far_down)
    for window in range(WINDOWS):
        total += weights[window_number(looks, first, second, 1, window)]
        total += weights[window_number(looks, second, first, 1, window)]
        total += weights[window_number(looks, third, fourth, -1, window)]
        total += weights[window_number(looks, fourth, third, -1, window)]
    total += weights[long_window_number(looks, first, second, 1)]
    total += weights[long_window_number(looks, second, first, 1)]
    total += weights[long_window_number(looks, third, fourth, -1)]
    total += weights[long_window_number(looks, fourth, third, -1)]
    steps = no_steps()
    for i in range(1, desk[NEXTS, 0] + 1):
        card = desk[NEXTS, i]
        if looks[MARGIN + card] != GONE:
            steps = with_step(steps, shortest_step(card, first, second, third, fourth))
    for number in numbers_of_steps(stage, steps):
        total += weights[number]
    for number in numbers_of_tops(left, count_lost(looks, near_up, near_down), near_up, far_up, near_down, far_down):
        total += weights[number]
    return total
