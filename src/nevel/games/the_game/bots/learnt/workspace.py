"""A scratch array on which turns of The Game are tried: cards are laid and taken back, and the result is evaluated.

Most of a worth is a sum over all cards still to be played, which only depends on the near or on the far tops. Many of
the turns that are tried leave the same ones: such sums are cached and corrected for the few cards that were laid.
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine.compiling import helper, inlined
from nevel.games.the_game.bots.learnt.worth import (
    CERTAIN,
    GONE,
    OWN,
    STAGE_OF,
    WINDOWS,
    count_lost,
    far_weight_index,
    jump_weight_index,
    long_window_weight_index,
    look_around,
    look_of_next,
    near_weight_index,
    no_steps,
    shortest_step,
    step_weight_indices,
    tens_around,
    top_weight_indices,
    window_weight_index,
    with_step,
    within,
)
from nevel.games.the_game.rules.table import HIGHEST, LOWEST, MARGIN, PILES

# Rows of the workspace: how all cards look, tops, hand, tops that were covered; how cards and those ten away from them
# looked before any was laid; cards not gone then, those of whoever plays next, those laid since, each after their
# number; the keys of the cached `sums`.
LOOKS, TOPS, HAND, COVERED, BEFORE, TENS, CARDS, NEXTS, LAID, NEAR_CACHED, FAR_CACHED = range(11)
FIRST_OFFERS = 11  # then lists of offers: cards, piles, prices; three rows for each card of a turn thought about
WORKSPACE_ROWS = FIRST_OFFERS + 9
WORKSPACE_WIDTH = 130

#: Rows of the cache of sums: by near tops and by far tops.
NEAR, FAR = 0, 1
SUM_CACHE_SIZE = 64
NOTHING_CACHED = -1


@helper
def reset_workspace(s, seat, workspace):
    """Fill the workspace with the position a turn begins with; gives the number of cards in hand."""
    look_around(s, seat, workspace[LOOKS])
    look_around(s, seat, workspace[BEFORE])
    workspace[CARDS, 0] = 0
    workspace[NEXTS, 0] = 0
    workspace[LAID, 0] = 0
    nexts = look_of_next(workspace[LOOKS])
    for card in range(LOWEST, HIGHEST + 1):
        workspace[TENS, MARGIN + card] = tens_around(workspace[BEFORE], card)
        workspace[CARDS, workspace[CARDS, 0] + 1] = card
        workspace[CARDS, 0] += workspace[LOOKS, MARGIN + card] != GONE
        workspace[NEXTS, workspace[NEXTS, 0] + 1] = card
        workspace[NEXTS, 0] += workspace[LOOKS, MARGIN + card] == nexts
    for place in range(SUM_CACHE_SIZE):
        workspace[NEAR_CACHED, place] = NOTHING_CACHED
        workspace[FAR_CACHED, place] = NOTHING_CACHED
    for pile in range(PILES):
        workspace[TOPS, pile] = s.tops[pile]
    for i in range(s.held[seat]):
        workspace[HAND, i] = s.hand[seat, i]
    return s.held[seat]


@helper
def lay(workspace, held, card, pile):
    """Lay a card on trial; gives the top it covers."""
    for i in range(held):
        if workspace[HAND, i] == card:
            workspace[HAND, i] = workspace[HAND, held - 1]
            break
    covered = workspace[TOPS, pile]
    workspace[TOPS, pile] = card
    workspace[LOOKS, MARGIN + card] = GONE
    workspace[LAID, 0] += 1
    workspace[LAID, workspace[LAID, 0]] = card
    return covered


@helper
def lift(workspace, held, card, pile, covered):
    """Take back the card laid last."""
    workspace[HAND, held - 1] = card
    workspace[TOPS, pile] = covered
    workspace[LOOKS, MARGIN + card] = OWN
    workspace[LAID, 0] -= 1


@inlined
def key_of(stage, up, down):
    """The cache key of a sum. Stages that meet in one turn differ in their last bit."""
    return (stage & 1) << 14 | up << 7 | down


@helper
def sum_near(workspace, sums, weights, stage, near_up, near_down):
    """What all cards count for by the near tops, if none were laid."""
    key = key_of(stage, near_up, near_down)
    place = (near_up + 5 * near_down) % SUM_CACHE_SIZE
    if workspace[NEAR_CACHED, place] != key:
        total = 0 * weights[0]
        for i in range(1, workspace[CARDS, 0] + 1):
            card = workspace[CARDS, i]
            look = workspace[BEFORE, MARGIN + card]
            up, down = within(card - near_up), within(near_down - card)
            tens = workspace[TENS, MARGIN + card]
            total += (
                weights[near_weight_index(stage, look, up, down)]
                + weights[jump_weight_index(stage, look, tens, up, down)]
            )
        workspace[NEAR_CACHED, place] = key
        sums[NEAR, place] = total
    return sums[NEAR, place]


@helper
def sum_far(workspace, sums, weights, stage, far_up, far_down):
    """What all cards count for by the far tops, if none were laid."""
    key = key_of(stage, far_up, far_down)
    place = (far_up + 5 * far_down) % SUM_CACHE_SIZE
    if workspace[FAR_CACHED, place] != key:
        total = 0 * weights[0]
        for i in range(1, workspace[CARDS, 0] + 1):
            card = workspace[CARDS, i]
            look = workspace[BEFORE, MARGIN + card]
            total += weights[far_weight_index(stage, look, within(card - far_up), within(far_down - card))]
        workspace[FAR_CACHED, place] = key
        sums[FAR, place] = total
    return sums[FAR, place]


@helper
def sum_neighbour(workspace, weights, stage, card, near_up, near_down):
    """What it makes to a card not gone that those ten away may have been laid."""
    up, down = within(card - near_up), within(near_down - card)
    look = workspace[LOOKS, MARGIN + card]
    now = jump_weight_index(stage, look, tens_around(workspace[LOOKS], card), up, down)
    before = jump_weight_index(stage, look, workspace[TENS, MARGIN + card], up, down)
    return weights[now] - weights[before]


@helper
def sum_laid(workspace, weights, stage, near_up, far_up, near_down, far_down):
    """What the cards laid since make to the sums."""
    total = 0 * weights[0]
    for i in range(1, workspace[LAID, 0] + 1):
        card = workspace[LAID, i]
        up, down = within(card - near_up), within(near_down - card)
        total -= weights[near_weight_index(stage, OWN, up, down)]
        total -= weights[jump_weight_index(stage, OWN, workspace[TENS, MARGIN + card], up, down)]
        total -= weights[far_weight_index(stage, OWN, within(card - far_up), within(far_down - card))]
        if workspace[LOOKS, MARGIN + card + 10] != GONE:
            total += sum_neighbour(workspace, weights, stage, card + 10, near_up, near_down)
        # Between two cards that were laid, the neighbour of both counts once.
        if workspace[LOOKS, MARGIN + card - 10] != GONE and (
            workspace[LOOKS, MARGIN + card - 20] == workspace[BEFORE, MARGIN + card - 20]
        ):
            total += sum_neighbour(workspace, weights, stage, card - 10, near_up, near_down)
    return total


@helper
def workspace_worth(workspace, sums, weights):
    """What it is worth to end the turn here: equal to what `worth.add_up` gives."""
    left = workspace[CARDS, 0] - workspace[LAID, 0]
    if left == 0:
        return CERTAIN + 0 * weights[0]
    first, second, third, fourth = workspace[TOPS, 0], workspace[TOPS, 1], workspace[TOPS, 2], workspace[TOPS, 3]
    near_up, far_up = min(first, second), max(first, second)
    near_down, far_down = max(third, fourth), min(third, fourth)
    looks = workspace[LOOKS]
    stage = STAGE_OF[left]
    total = sum_near(workspace, sums, weights, stage, near_up, near_down)
    total += sum_far(workspace, sums, weights, stage, far_up, far_down)
    total += sum_laid(workspace, weights, stage, near_up, far_up, near_down, far_down)
    for window in range(WINDOWS):
        total += weights[window_weight_index(looks, first, second, 1, window)]
        total += weights[window_weight_index(looks, second, first, 1, window)]
        total += weights[window_weight_index(looks, third, fourth, -1, window)]
        total += weights[window_weight_index(looks, fourth, third, -1, window)]
    total += weights[long_window_weight_index(looks, first, second, 1)]
    total += weights[long_window_weight_index(looks, second, first, 1)]
    total += weights[long_window_weight_index(looks, third, fourth, -1)]
    total += weights[long_window_weight_index(looks, fourth, third, -1)]
    steps = no_steps()
    for i in range(1, workspace[NEXTS, 0] + 1):
        card = workspace[NEXTS, i]
        if looks[MARGIN + card] != GONE:
            steps = with_step(steps, shortest_step(card, first, second, third, fourth))
    for number in step_weight_indices(stage, steps):
        total += weights[number]
    for number in top_weight_indices(left, count_lost(looks, near_up, near_down), near_up, far_up, near_down, far_down):
        total += weights[number]
    return total
