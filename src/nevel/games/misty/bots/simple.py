"""The random and the simple level of Misty: any legal move, or cards judged by their neighbours (compiled)."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine.chance import below
from nevel.engine.compiling import helper
from nevel.games.misty import rules as misty
from nevel.games.misty.rules.legality import free_spaces
from nevel.games.misty.rules.table import ACTIVATING, MOVE, PICK, PICKING, PLACE, PLACING
from nevel.games.misty.rules.window import (
    DOWN,
    FLOWER,
    LEFT,
    MONSTER,
    NO_ARROW,
    RIGHT,
    SIDE,
    SMILE,
    SPACES,
    UP,
    arrow_at,
    kinds_of,
    movable,
    score,
)


@helper
def random_move(s, seat, rng):
    """Any legal move with equal chances."""
    if s.phase == PICKING:
        return PICK + random_kind(s, seat, rng)
    top, bottom, left, right = s.top[seat], s.bottom[seat], s.left[seat], s.right[seat]
    if s.phase == ACTIVATING:
        return MOVE + random_space(s, seat, rng)
    # A card lies at most one space outside what is built, and at most three from the opposite edge.
    first_row, last_row = max(top - 1, bottom - 3, 0), min(bottom + 1, top + 3, SIDE - 1)
    first_column, last_column = max(left - 1, right - 3, 0), min(right + 1, left + 3, SIDE - 1)
    while True:
        row = first_row + below(rng, last_row - first_row + 1)
        space = row * SIDE + first_column + below(rng, last_column - first_column + 1)
        if misty.space_refusal(s, seat, space) == 0:
            return PLACE + space


@helper
def random_space(s, seat, rng):
    """A space whose card can be activated."""
    spaces = movable(s, seat, s.activated[seat])
    number = 0
    for space in range(SPACES):
        number += spaces >> space & 1
    left = below(rng, number)
    passed = 0
    for space in range(SPACES):
        left -= spaces >> space & 1
        passed += left >= 0
    return passed


@helper
def random_kind(s, seat, rng):
    """A kind the hand has, found without branches on cards: no processor can predict those."""
    kinds = 0
    for kind in range(kinds_of(s)):
        kinds += s.hand[seat, kind] > 0
    left = below(rng, kinds)
    passed = 0
    for kind in range(kinds_of(s)):
        left -= s.hand[seat, kind] > 0
        passed += left >= 0
    return passed


@helper
def simple_move(s, seat):
    """Pick and place by local judgement; activate what helps most at once."""
    if s.phase == PICKING:
        return choose_card(s, seat)
    if s.phase == PLACING:
        return PLACE + best_space(s, seat, s.choice[seat] - 1)
    return choose_activation(s, seat)


@helper
def choose_card(s, seat):
    """The card that would be worth most on its best space; of equals, the first kind."""
    if s.laid[seat] == 0:
        return choose_first_card(s, seat)
    top, bottom, left, right = s.top[seat], s.bottom[seat], s.left[seat], s.right[seat]
    free = free_spaces(s, seat)
    flowers = count_of(s, seat, FLOWER)
    best = 0
    most = -1000.0
    for row in range(max(top - 1, bottom - 3, 0), min(bottom + 2, top + 4, SIDE)):
        for column in range(max(left - 1, right - 3, 0), min(right + 2, left + 4, SIDE)):
            if not is_open(s, seat, free, row, column):
                continue
            # What depends on the space alone is worked out once for all cards.
            up, down = worth_of_arrow(s, seat, UP, row, column), worth_of_arrow(s, seat, DOWN, row, column)
            back, forth = worth_of_arrow(s, seat, LEFT, row, column), worth_of_arrow(s, seat, RIGHT, row, column)
            is_risky = is_threatened(s, seat, row, column)
            for kind in range(kinds_of(s)):
                if s.hand[seat, kind]:
                    value = own_points(s, seat, kind, row, column, flowers)
                    arrow = s.arrow[kind]
                    if arrow != NO_ARROW:
                        value += (up if arrow == UP else down) if arrow <= DOWN else back if arrow == LEFT else forth
                    elif is_risky:
                        value -= 1.5 if kind != MONSTER else -1.0
                    if value > most or (value == most and kind < best):
                        most = value
                        best = kind
    return PICK + best


@helper
def choose_first_card(s, seat):
    """The same while nothing lies in the window."""
    best = 0
    most = -1000.0
    for kind in range(kinds_of(s)):
        if s.hand[seat, kind] and worth_of_card(s, seat, kind) > most:
            most = worth_of_card(s, seat, kind)
            best = kind
    return PICK + best


@helper
def worth_of_card(s, seat, kind):
    if s.laid[seat] == 0:
        return 1.0 + (kind == FLOWER) - (kind == MONSTER)
    space = best_space(s, seat, kind)
    return worth(s, seat, kind, space // SIDE, space % SIDE)


@helper
def best_space(s, seat, kind):
    """Where a card of this kind is worth most."""
    top, bottom, left, right = s.top[seat], s.bottom[seat], s.left[seat], s.right[seat]
    free = free_spaces(s, seat)
    best = 0
    most = -1000.0
    for row in range(max(top - 1, bottom - 3, 0), min(bottom + 2, top + 4, SIDE)):
        for column in range(max(left - 1, right - 3, 0), min(right + 2, left + 4, SIDE)):
            if is_open(s, seat, free, row, column):
                value = worth(s, seat, kind, row, column)
                if value > most:
                    most = value
                    best = row * SIDE + column
    return best


@helper
def is_open(s, seat, free, row, column):
    """Whether a card may be laid on one of these free spaces without making the window too large."""
    width = max(s.right[seat], column) - min(s.left[seat], column) + 1
    height = max(s.bottom[seat], row) - min(s.top[seat], row) + 1
    return free >> (row * SIDE + column) & int(misty.can_span(s, width, height)) != 0


@helper
def card_at(s, seat, row, column):
    """The kind lying there, or -1 for an empty space and beyond the frame."""
    if row < 0 or row >= SIDE or column < 0 or column >= SIDE:
        return -1
    return s.window[seat, row, column] - 1


@helper
def own_points(s, seat, kind, row, column, flowers):
    """What a card that stays is worth here, with so many flowers in the window."""
    if kind == FLOWER:
        return 2.0
    if kind == SMILE:
        beside = card_at(s, seat, row, column - 1) == SMILE or card_at(s, seat, row, column + 1) == SMILE
        return 1.9 if beside else 1.2
    if kind == MONSTER:
        return 1.0 - 2.0 * flowers
    return 1.0


@helper
def count_of(s, seat, kind):
    count = 0
    for row in range(s.top[seat], s.bottom[seat] + 1):
        for column in range(s.left[seat], s.right[seat] + 1):
            count += s.window[seat, row, column] == kind + 1
    return count


@helper
def worth(s, seat, kind, row, column):
    """A card's points here, less what its arrow would spoil and what arrows around it would spoil."""
    flowers = count_of(s, seat, FLOWER) if kind == MONSTER else 0
    value = own_points(s, seat, kind, row, column, flowers)
    arrow = s.arrow[kind]
    if arrow != NO_ARROW:
        value += worth_of_arrow(s, seat, arrow, row, column)
    elif is_threatened(s, seat, row, column):
        value -= 1.5 if kind != MONSTER else -1.0
    return value


@helper
def worth_of_arrow(s, seat, arrow, row, column):
    target_row = row - (arrow == UP) + (arrow == DOWN)
    target_column = column - (arrow == LEFT) + (arrow == RIGHT)
    width = max(s.right[seat], target_column) - min(s.left[seat], target_column) + 1
    height = max(s.bottom[seat], target_row) - min(s.top[seat], target_row) + 1
    if not misty.can_span(s, width, height):
        return -1.0  # it will leave the window
    met = card_at(s, seat, target_row, target_column)
    if met < 0:
        return -0.3  # who knows what will lie there
    if s.arrow[met] == NO_ARROW:
        return 0.5 if met == MONSTER else -2.5
    opposite = UP + DOWN - arrow if arrow <= DOWN else LEFT + RIGHT - arrow
    return -2.0 if s.arrow[met] == opposite else 0.2  # it moves out of the way first


@helper
def is_threatened(s, seat, row, column):
    """Whether an arrow beside this space points at it."""
    return (
        (row > 0 and arrow_at(s, seat, row - 1, column) == DOWN)
        or (row < SIDE - 1 and arrow_at(s, seat, row + 1, column) == UP)
        or (column > 0 and arrow_at(s, seat, row, column - 1) == RIGHT)
        or (column < SIDE - 1 and arrow_at(s, seat, row, column + 1) == LEFT)
    )


@helper
def choose_activation(s, seat):
    best = MOVE
    most = -1000
    activated = s.activated[seat]
    spaces = movable(s, seat, activated)
    for row in range(s.top[seat], s.bottom[seat] + 1):
        for column in range(s.left[seat], s.right[seat] + 1):
            space = row * SIDE + column
            if spaces >> space & 1:
                points = score(s, seat, activated | (1 << space))
                if points > most:
                    most = points
                    best = MOVE + space
    return best
