"""The beginner, casual and strong level of Misty, which play without searching (compiled).

None of them thinks of the others. They differ in what they see in a window: the newcomer sees cards, the casual player
sees neighbours, the strong player sees what the whole window will come to.
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine.chance import below
from nevel.engine.compiling import helper
from nevel.games.misty import rules as misty
from nevel.games.misty.bots.activation import best_first, best_score
from nevel.games.misty.bots.simple import best_space, choose_activation, worth, worth_of_card
from nevel.games.misty.rules.table import MOVE, PICK, PICKING, PLACE, PLACING
from nevel.games.misty.rules.window import FLOWER, MONSTER, SIDE, SMILE, SPACES, kinds_of, movable

#: How much the neighbours of a card count to the strong player beside a point.
NEIGHBOURS = 0.5

# ---------------------------------------------------------------- beginner


@helper
def beginner_move(s, seat, rng):
    """Likes flowers and smiles, lays cards where there is room, activates in reading order."""
    if s.phase == PICKING:
        return PICK + liked_card(s, seat, rng)
    if s.phase == PLACING:
        return PLACE + roomy_space(s, seat, s.choice[seat] - 1, rng)
    spaces = movable(s, seat, s.activated[seat])
    space = 0
    while not spaces >> space & 1:
        space += 1
    return MOVE + space


@helper
def liked_card(s, seat, rng):
    """What points are printed on comes first; the rest is a matter of taste, only monsters look bad."""
    best = 0
    most = -1
    for kind in range(kinds_of(s)):
        if s.hand[seat, kind]:
            liking = 10 + below(rng, 20)
            if kind == FLOWER:
                liking += 15
            elif kind == SMILE:
                liking += 10
            elif kind == MONSTER:
                liking -= 10
            if liking > most:
                most = liking
                best = kind
    return best


@helper
def roomy_space(s, seat, kind, rng):
    """Anywhere, rather within what is built than beyond it, a smile rather beside another smile."""
    best = 0
    most = -1
    for space in range(SPACES):
        if misty.space_refusal(s, seat, space):
            continue
        row, column = space // SIDE, space % SIDE
        liking = below(rng, 20)
        if s.top[seat] <= row <= s.bottom[seat] and s.left[seat] <= column <= s.right[seat]:
            liking += 5
        if kind == SMILE and has_smile_beside(s, seat, row, column):
            liking += 15
        if liking > most:
            most = liking
            best = space
    return best


@helper
def has_smile_beside(s, seat, row, column):
    return (column > 0 and s.window[seat, row, column - 1] == SMILE + 1) or (
        column < SIDE - 1 and s.window[seat, row, column + 1] == SMILE + 1
    )


# ---------------------------------------------------------------- casual


@helper
def casual_move(s, seat, rng):
    """Judges a card by its neighbours, wavers between cards that are about as good, activates what helps at once."""
    if s.phase == PICKING:
        best = 0
        most = -1000.0
        for kind in range(kinds_of(s)):
            if s.hand[seat, kind]:
                value = worth_of_card(s, seat, kind) + 0.01 * below(rng, 20)
                if value > most:
                    most = value
                    best = kind
        return PICK + best
    if s.phase == PLACING:
        return PLACE + best_space(s, seat, s.choice[seat] - 1)
    return choose_activation(s, seat)


# ---------------------------------------------------------------- strong


@helper
def strong_move(s, seat, rng):
    """Takes and lays what promises its own window most, and activates without a mistake."""
    if s.phase == PICKING:
        best = 0
        most = -1000.0
        for kind in range(kinds_of(s)):
            if s.hand[seat, kind]:
                _, value = promising_space(s, seat, kind)
                if value > most:
                    most = value
                    best = kind
        return PICK + best
    if s.phase == PLACING:
        space, _ = promising_space(s, seat, s.choice[seat] - 1)
        return PLACE + space
    return MOVE + best_first(s, seat)


@helper
def promising_space(s, seat, kind):
    """Where a card leaves the window most promising, and how promising that is.

    What the window would score if it were activated now counts most; where that is equal, what neighbours there are.
    """
    if s.laid[seat] == 0:
        return SPACES // 2, worth_of_card(s, seat, kind)
    best = 0
    most = -1000.0
    for space in range(SPACES):
        if misty.space_refusal(s, seat, space) == 0:
            local = worth(s, seat, kind, space // SIDE, space % SIDE)
            value = best_score(s, seat, 0, space, kind) + NEIGHBOURS * local
            if value > most:
                most = value
                best = space
    return best, most
