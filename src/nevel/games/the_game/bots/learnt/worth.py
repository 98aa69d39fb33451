"""What a position of The Game is worth at the end of a turn: the chance that the rest will be played.

The worth is a sum of learnt weights, one for every pattern in sight: how far each card still to be played is from the
piles it could go on, and whether it could jump back; what lies just ahead of and behind the top of every pile; how far
the piles are; how short the steps are that whoever plays next can take. Rising and falling piles mirror each other and
share their weights. `tuning/the_game_worth.py` learns them from millions of games between players who see each other's
cards, for each number of players.
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import math

import numpy as np

from nevel.engine.compiling import helper, inlined
from nevel.games.the_game.rules.table import FIRST_FALLING, HIGHEST, LOWEST, MARGIN, ON_A_PILE, PILES, UNSEEN

# How a card looks to somebody who ends a turn: not drawn yet, held by whoever is next, by the others, by oneself; gone.
TO_COME, NEXTS, OTHERS, OWN, GONE = range(5)
LOOKS = 5

#: Distances from a card to a pile are told apart from a little behind it to far ahead.
NEAREST, FARTHEST = -12, 70
SPAN = FARTHEST - NEAREST + 1
#: … and roughly, where other things count too: out of reach, a jump back, passed, near, …
ROUGHLY = np.array([0] * 2 + [1] + [2] * 10 + [3] * 3 + [4] * 6 + [5] * 10 + [6] * 20 + [7] * 31, np.int64)
DISTANCES = 8
#: A card ten away, by its look: not drawn yet, in somebody's hand, or gone.
HOLDING = np.array([0, 1, 1, 1, 2], np.int64)
#: Cards ten below and above, rough distances to both near piles.
SURROUNDINGS = 9 * DISTANCES * DISTANCES


def mirrored(number: int) -> int:
    """The number that surroundings share with their mirror image."""
    below, above, up, down = np.unravel_index(number, (3, 3, DISTANCES, DISTANCES))
    return min(number, int(np.ravel_multi_index((above, below, down, up), (3, 3, DISTANCES, DISTANCES))))


MIRRORED = np.array([mirrored(number) for number in range(SURROUNDINGS)], np.int64)
#: Patterns mean something else when much is still to come: which stage it is by cards left.
STAGE_OF = np.array([0] * 13 + [1] * 14 + [2] * 18 + [3] * 22 + [4] * 32, np.int64)
STAGES = 5

# Weights, one block after the other.
KINDS = 4  # looks of a card that isn't gone
NEAR_PILES = 0  # stage, look, distances to the piles of both directions that are less far
FAR_PILES = NEAR_PILES + STAGES * KINDS * SPAN * SPAN  # … that are farther
JUMPS = FAR_PILES + 2 * KINDS * SPAN * SPAN  # stage, look, whether ten below and above are held, rough distances
WINDOW = LOOKS**5  # five cards around the top of a pile
QUARTERS = 4  # how far the pile is
AHEAD = JUMPS + STAGES * KINDS * SURROUNDINGS
FURTHER = AHEAD + 2 * QUARTERS * WINDOW
BEHIND = FURTHER + 2 * QUARTERS * WINDOW
AROUND = BEHIND + 2 * QUARTERS * WINDOW
REACH = 102
#: Steps are told apart up to this one; none is as far as any.
STEPS = 41
NO_STEP = STEPS - 1
NEAR_TOPS = AROUND + 2 * QUARTERS * WINDOW
FAR_TOPS = NEAR_TOPS + REACH * REACH
SAME_TOPS = FAR_TOPS + REACH * REACH
LOST = SAME_TOPS + REACH * REACH  # cards left, cards that fit nowhere
NEAR_SUM = LOST + 100 * 16  # cards left, how far both near piles are together
FAR_SUM = NEAR_SUM + 100 * 2 * REACH
FIRST_STEPS = FAR_SUM + 100 * 2 * REACH  # stage, the two shortest steps of who plays next
FURTHER_STEPS = FIRST_STEPS + STAGES * STEPS * STEPS  # … and the two after them
LONG_WINDOW = 3**10  # ten cards ahead of a pile: not drawn yet, in somebody's hand, or gone
LONG_AHEAD = FURTHER_STEPS + STAGES * STEPS * STEPS
WEIGHTS = LONG_AHEAD + 2 * LONG_WINDOW

#: A logit of the chance to win has so many parts; weights are whole numbers of them, so that sums are exact.
GRAIN = 1000

#: Room for the patterns of a position: the first entry says how many there are.
PATTERNS = 1 + 3 * 98 + 5 * PILES + 9

#: The worth of a game that is won.
CERTAIN = 50 * GRAIN

#: Offsets from a pile's top, in its direction, of the cards in its windows.
OFFSETS = np.array(
    ((1, 2, 3, 4, 5), (6, 7, 8, 9, 10), (-10, -9, -8, -7, -6), (-10, -20, 1, 2, -9)),
    np.int64,
)
WINDOWS = 4


@helper
def look_around(s, seat, looks):
    """How every card looks when this seat ends its turn."""
    for i in range(MARGIN + LOWEST):
        looks[i] = GONE
    for card in range(LOWEST, HIGHEST + 1):
        where = s.where[MARGIN + card]
        look = OTHERS
        if where == UNSEEN:
            look = TO_COME
        elif where == ON_A_PILE:
            look = GONE
        elif where - 1 == seat:
            look = OWN
        elif where - 1 == (seat + 1 if seat + 1 < s.seats else 0):
            look = NEXTS
        looks[MARGIN + card] = look
    for i in range(MARGIN + HIGHEST + 1, MARGIN + HIGHEST + 1 + MARGIN):
        looks[i] = GONE


@helper
def within(distance):
    return min(max(distance, NEAREST), FARTHEST) - NEAREST


@inlined
def near_weight_index(stage, look, up, down):
    """The index of a card's weight by its distances to the near piles; its mirror image shares it."""
    return NEAR_PILES + (stage * KINDS + look) * SPAN * SPAN + min(up, down) * SPAN + max(up, down)


@inlined
def far_weight_index(stage, look, up, down):
    """The index of a card's weight by its distances to the far piles."""
    return FAR_PILES + (int(stage > 1) * KINDS + look) * SPAN * SPAN + min(up, down) * SPAN + max(up, down)


@inlined
def jump_weight_index(stage, look, tens, up, down):
    """The index of a card's weight by the cards ten away from it and its distances to the near piles."""
    around = MIRRORED[(tens * DISTANCES + ROUGHLY[up]) * DISTANCES + ROUGHLY[down]]
    return JUMPS + (stage * KINDS + look) * SURROUNDINGS + around


@inlined
def tens_around(looks, card):
    """What is known of the cards ten below and above a card."""
    return HOLDING[looks[MARGIN + card - 10]] * 3 + HOLDING[looks[MARGIN + card + 10]]


@helper
def add_up(weights, looks, first, second, third, fourth, at):
    """The worth of a position with these tops; `at` gets the indices of all weights added up, after their number.

    The cached sums of a turn on trial (`workspace`) come to the same.
    """
    near_up, far_up = min(first, second), max(first, second)
    near_down, far_down = max(third, fourth), min(third, fourth)
    left = 0
    for card in range(LOWEST, HIGHEST + 1):
        left += looks[MARGIN + card] != GONE
    stage = STAGE_OF[left]
    at[0] = 0
    for card in range(LOWEST, HIGHEST + 1):
        look = looks[MARGIN + card]
        if look == GONE:
            continue
        up, down = within(card - near_up), within(near_down - card)
        put_down(at, near_weight_index(stage, look, up, down))
        put_down(at, far_weight_index(stage, look, within(card - far_up), within(far_down - card)))
        put_down(at, jump_weight_index(stage, look, tens_around(looks, card), up, down))
    for window in range(WINDOWS):
        put_down(at, window_weight_index(looks, first, second, 1, window))
        put_down(at, window_weight_index(looks, second, first, 1, window))
        put_down(at, window_weight_index(looks, third, fourth, -1, window))
        put_down(at, window_weight_index(looks, fourth, third, -1, window))
    put_down(at, long_window_weight_index(looks, first, second, 1))
    put_down(at, long_window_weight_index(looks, second, first, 1))
    put_down(at, long_window_weight_index(looks, third, fourth, -1))
    put_down(at, long_window_weight_index(looks, fourth, third, -1))
    for number in top_weight_indices(left, count_lost(looks, near_up, near_down), near_up, far_up, near_down, far_down):
        put_down(at, number)
    nexts = look_of_next(looks)
    steps = no_steps()
    for card in range(LOWEST, HIGHEST + 1):
        if looks[MARGIN + card] == nexts:
            steps = with_step(steps, shortest_step(card, first, second, third, fourth))
    for number in step_weight_indices(stage, steps):
        put_down(at, number)
    total = weights[at[1]]
    for i in range(2, at[0] + 1):
        total += weights[at[i]]
    return total if left else CERTAIN


@inlined
def put_down(at, number):
    at[0] += 1
    at[at[0]] = number


@inlined
def count_lost(looks, near_up, near_down):
    """How many cards fit nowhere."""
    lost = 0
    for card in range(max(near_down, LOWEST), min(near_up, HIGHEST) + 1):
        lost += looks[MARGIN + card] != GONE
    return lost


@inlined
def top_weight_indices(left, lost, near_up, far_up, near_down, far_down):
    """The indices of the weights for how far the piles are."""
    near_way, far_way = HIGHEST + 2 - near_down, HIGHEST + 2 - far_down
    return (
        NEAR_TOPS + min(near_up, near_way) * REACH + max(near_up, near_way),
        FAR_TOPS + min(far_up, far_way) * REACH + max(far_up, far_way),
        SAME_TOPS + near_up * REACH + far_up,
        SAME_TOPS + near_way * REACH + far_way,
        LOST + left * 16 + min(lost, 15),
        NEAR_SUM + left * 2 * REACH + near_up + near_way,
        FAR_SUM + left * 2 * REACH + far_up + far_way,
    )


@inlined
def window_weight_index(looks, top, other, direction, window):
    """The index of the weight of five cards around a pile's top; it differs for the two piles of its direction."""
    is_far = int((top - other) * direction > 0)
    way = top if direction > 0 else HIGHEST + 2 - top
    number = 0
    for i in range(5):
        card = top + direction * OFFSETS[window, i]
        look = looks[MARGIN + card] if LOWEST <= card <= HIGHEST else GONE
        number = number * LOOKS + look
    place = (is_far * QUARTERS + min(way // 25, QUARTERS - 1)) * WINDOW
    return AHEAD + window * 2 * QUARTERS * WINDOW + place + number


@inlined
def long_window_weight_index(looks, top, other, direction):
    """The index of the weight of the ten cards ahead of a pile's top."""
    number = 0
    for i in range(1, 11):
        number = number * 3 + HOLDING[looks[MARGIN + top + direction * i]]
    return LONG_AHEAD + int((top - other) * direction > 0) * LONG_WINDOW + number


@inlined
def look_of_next(looks):
    """How the cards look of whoever plays next: who is alone is next."""
    look = OWN
    for card in range(LOWEST, HIGHEST + 1):
        if looks[MARGIN + card] == NEXTS:
            look = NEXTS
    return look


@inlined
def shortest_step(card, first, second, third, fourth):
    """How far a card is from the nearest pile it may go on; a jump back is no way at all."""
    step = NO_STEP
    for distance in (card - first, card - second, third - card, fourth - card):
        step = min(step, distance if distance > 0 else 0 if distance == -10 else NO_STEP)
    return step


@inlined
def no_steps():
    return NO_STEP, NO_STEP, NO_STEP, NO_STEP


@inlined
def with_step(steps, step):
    """The four shortest steps, with one more to choose from."""
    first, second, third, fourth = steps
    first, step = min(first, step), max(first, step)
    second, step = min(second, step), max(second, step)
    third, step = min(third, step), max(third, step)
    return first, second, third, min(fourth, step)


@inlined
def step_weight_indices(stage, steps):
    """The indices of the weights for the shortest steps of whoever plays next."""
    first, second, third, fourth = steps
    return (
        FIRST_STEPS + (stage * STEPS + first) * STEPS + second,
        FURTHER_STEPS + (stage * STEPS + third) * STEPS + fourth,
    )


@helper
def chance_of(worth):
    """The chance to win that a worth stands for."""
    return 1 / (1 + math.exp(-worth / GRAIN))


@helper
def lies_forward(top, pile, card):
    """How far a card is ahead of a top; negative behind it."""
    return card - top if pile < FIRST_FALLING else top - card
