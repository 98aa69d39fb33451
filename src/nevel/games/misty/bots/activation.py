"""The best activation of a Misty window, exactly and in one pass over its cards.

Every arrow card ends in one of two ways: it has moved, or it was covered first. Which endings go together is simple.
A card that nothing covers has to move; a covered card needs at least one moved card pointing at it; and a card can only
move before those pointing at it do, so the cards of a ring can't all have moved. Nothing else limits them. As a card
points at one space at most, the cards pointing at a space, those pointing at them and so on form a tree, and the best
of each tree is built up from its leaves. A ring is cut at one card. What trees have to do with each other is settled
last, when it is known what a smile, a flower or a monster costs covered and uncovered.
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import numpy as np

from nevel.engine.compiling import allocating, compiled, helper
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
    STEP,
    UP,
    movable,
)

#: Less than any points can make up for.
NEVER = -1000

# Scratch rows. A window is at most four by four spaces before it is full; each has a column.
NONE, ONE, MORE = 0, 1, 2  # the best of all trees pointing here if none, one or more of their roots move here
WAITING = 3  # cards pointing here whose own trees aren't done
FLOWERS, MONSTERS = 4, 5  # the best with so many uncovered
ROWS = 6
BREADTH = 4


@helper
def card_on(s, seat, row, column, space, kind):
    """The card on a space, 1 to 14, if `kind` were laid on `space`; 0 for none. -1 lays nothing."""
    return kind + 1 if row * SIDE + column == space else s.window[seat, row, column]


@allocating
def best_score(s, seat, activated, space, kind):
    """The most points this window can still make after these activations, if `kind` were laid on `space` (-1: none).

    An empty space counts as one: a window may be looked at before it is full.
    """
    top, bottom, left, right = s.top[seat], s.bottom[seat], s.left[seat], s.right[seat]
    if space >= 0:
        top, bottom = min(top, space // SIDE), max(bottom, space // SIDE)
        left, right = min(left, space % SIDE), max(right, space % SIDE)
    bounds = (top, bottom, left, right)
    scratch = np.zeros((ROWS, BREADTH * BREADTH), np.int64)
    scratch[ONE:WAITING, :] = NEVER
    scratch[FLOWERS:, 1:] = NEVER
    # Bits by space, with a row in front for cards that leave the frame upwards.
    arrows = 0
    covered = 0
    for row in range(top, bottom + 1):
        for column in range(left, right + 1):
            here = row * SIDE + column
            card = card_on(s, seat, row, column, space, kind)
            if card and s.arrow[card - 1] != NO_ARROW:
                arrows |= 1 << here
                covered |= (activated >> here & 1) << (here + SIDE + STEP[s.arrow[card - 1]])
                target = target_spot(s, seat, here, space, kind, bounds)
                if target >= 0:
                    scratch[WAITING, target] += 1
    covered = covered >> SIDE & ~activated  # what moved before others came can't be covered any more
    points = 0
    # Trees, from their leaves: a card whose trees are done hands its best on to the space it points at.
    waiting = arrows
    is_going = True
    while is_going:
        is_going = False
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                here = row * SIDE + column
                if not waiting >> here & 1 or scratch[WAITING, (row - top) * BREADTH + column - left]:
                    continue
                is_going = True
                waiting &= ~(1 << here)
                spot = (row - top) * BREADTH + column - left
                moved = NEVER if covered >> here & 1 else best_moved(scratch, spot, False)
                stayed = NEVER if activated >> here & 1 else best_covered(scratch, spot, False)
                target = target_spot(s, seat, here, space, kind, bounds)
                if target < 0:
                    points += max(moved, stayed)
                else:
                    scratch[WAITING, target] -= 1
                    hand_on(scratch, target, moved, stayed)
    # What still waits goes round in rings.
    for here in range(SPACES):
        if waiting >> here & 1:
            points += best_ring(s, seat, here, activated, covered, space, kind, bounds, scratch)
            at = here
            while waiting >> at & 1:
                waiting &= ~(1 << at)
                at += STEP[s.arrow[card_on(s, seat, at // SIDE, at % SIDE, space, kind) - 1]]
    return points + best_of_what_stays(s, seat, space, kind, bounds, scratch)


@helper
def target_spot(s, seat, here, space, kind, bounds):
    """The column in the scratch rows of the space an arrow points at, -1 out of the window."""
    top, bottom, left, right = bounds
    arrow = s.arrow[card_on(s, seat, here // SIDE, here % SIDE, space, kind) - 1]
    row = here // SIDE - (arrow == UP) + (arrow == DOWN)
    column = here % SIDE - (arrow == LEFT) + (arrow == RIGHT)
    if row < top or row > bottom or column < left or column > right:
        return -1
    return (row - top) * BREADTH + column - left


@helper
def hand_on(scratch, spot, moved, stayed):
    """Add a tree to the space its root points at."""
    scratch[MORE, spot] = max(scratch[MORE, spot] + max(moved, stayed), scratch[ONE, spot] + moved)
    scratch[ONE, spot] = max(scratch[ONE, spot] + stayed, scratch[NONE, spot] + moved)
    scratch[NONE, spot] += stayed


@helper
def best_moved(scratch, spot, is_hit):
    """The best of a card's trees and its space if it moves away. `is_hit`: a card moves here from a ring."""
    if is_hit:
        return max(scratch[NONE, spot] + 1, max(scratch[ONE, spot], scratch[MORE, spot]))
    return max(scratch[NONE, spot], max(scratch[ONE, spot] + 1, scratch[MORE, spot]))


@helper
def best_covered(scratch, spot, is_hit):
    """The best of a card's trees and its space if it stays and is covered: two cards, no point."""
    several = max(scratch[ONE, spot], scratch[MORE, spot])
    return max(several, scratch[NONE, spot]) if is_hit else several


@helper
def best_ring(s, seat, start, activated, covered, space, kind, bounds, scratch):
    """The best of cards pointing at each other in a ring, with the trees pointing at it. One at least is covered."""
    top, _, left, _ = bounds
    best = NEVER
    for is_start_moved in range(2):
        if (is_start_moved and covered >> start & 1) or (not is_start_moved and activated >> start & 1):
            continue
        # The best so far if the card before this one moved or stayed; and whether any has stayed.
        moved_all = 0 if is_start_moved else NEVER
        moved_some = NEVER
        stayed = NEVER if is_start_moved else 0
        here = start
        while True:
            arrow = s.arrow[card_on(s, seat, here // SIDE, here % SIDE, space, kind) - 1]
            here += STEP[arrow]
            spot = (here // SIDE - top) * BREADTH + here % SIDE - left
            if here == start:
                before = max(moved_some, moved_all if not is_start_moved else NEVER)
                if is_start_moved:
                    total = max(before + best_moved(scratch, spot, True), stayed + best_moved(scratch, spot, False))
                else:
                    total = max(before + best_covered(scratch, spot, True), stayed + best_covered(scratch, spot, False))
                best = max(best, total)
                break
            hit_moved, hit_covered = best_moved(scratch, spot, True), best_covered(scratch, spot, True)
            alone_moved, alone_covered = best_moved(scratch, spot, False), best_covered(scratch, spot, False)
            if covered >> here & 1:
                hit_moved = alone_moved = NEVER
            if activated >> here & 1:
                hit_covered = alone_covered = NEVER
            now_stayed = max(max(moved_all, moved_some) + hit_covered, stayed + alone_covered)
            moved_some = max(moved_some + hit_moved, stayed + alone_moved)
            moved_all = moved_all + hit_moved
            stayed = now_stayed
    return best


@helper
def best_of_what_stays(s, seat, space, kind, bounds, scratch):
    """Cards without arrow: covered they lose their points; smiles want a neighbour, flowers no monster."""
    top, bottom, left, right = bounds
    points = 0
    flowers = 0
    monsters = 0
    for row in range(top, bottom + 1):
        paired, single = 0, NEVER  # the best of this row up to here, and with a smile before that has no partner
        for column in range(left, right + 1):
            card = card_on(s, seat, row, column, space, kind)
            spot = (row - top) * BREADTH + column - left
            clear = scratch[NONE, spot]
            covered = max(scratch[ONE, spot], scratch[MORE, spot])
            if card - 1 == SMILE and s.arrow[SMILE] == NO_ARROW:
                before = max(paired, single)
                paired, single = max(before + covered, single + clear + 2), paired + clear + 1
                continue
            paired, single = max(paired, single), NEVER
            if card == 0:
                points += max(clear, max(scratch[ONE, spot] + 1, scratch[MORE, spot]))
            elif s.arrow[card - 1] == NO_ARROW:
                if card - 1 == FLOWER:
                    flowers += 1
                    count_clear(scratch, FLOWERS, flowers, clear, covered)
                elif card - 1 == MONSTER:
                    monsters += 1
                    count_clear(scratch, MONSTERS, monsters, clear, covered)
                else:
                    points += max(clear + 1, covered)
        points += max(paired, single)
    best = 2 * NEVER
    for f in range(flowers + 1):
        for m in range(monsters + 1):
            best = max(best, scratch[FLOWERS, f] + scratch[MONSTERS, m] + 2 * f + m - 2 * min(f, m))
    return points + best


@helper
def count_clear(scratch, row, count, clear, covered):
    """Add one card to the best with so many of its kind uncovered."""
    for n in range(count, 0, -1):
        scratch[row, n] = max(scratch[row, n] + covered, scratch[row, n - 1] + clear)
    scratch[row, 0] += covered


@helper
def best_first(s, seat):
    """The space to activate first for the most points; -1 when nothing can move."""
    spaces = movable(s, seat, s.activated[seat])
    best = -1
    most = NEVER
    for space in range(SPACES):
        if spaces >> space & 1:
            points = best_score(s, seat, s.activated[seat] | 1 << space, -1, -1)
            if points > most:
                most = points
                best = space
    return best


@compiled
def solve(s, seat):
    """The most points this window can still make, and the space to activate first (-1: none is left)."""
    return best_score(s, seat, s.activated[seat], -1, -1), best_first(s, seat)


@compiled
def best_scores(states, points):
    """The best score of the first seat's window in each of many states."""
    for i in range(points.shape[0]):
        points[i] = best_score(states[i], 0, states[i].activated[0], -1, -1)
