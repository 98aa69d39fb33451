"""Whole turns of The Game worth thinking about."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine import dispatch
from nevel.engine.compiling import compiled, helper
from nevel.games.the_game.bots.judgement import FORBIDDEN, MOVE_BITS, cost, patience, weigh
from nevel.games.the_game.rules.table import END_TURN, LOWEST, MOST_HELD, OVER, PILES, cards_left, pack

#: A plan: up to the whole hand, and the end of the turn.
LONGEST = MOST_HELD + 1
#: Unfinished turns kept at each length, and ways each may go on.
WIDTH = 16
WAYS = 7


@helper
def next_step(s, seat, after, numbers, passed):
    """The cheapest legal card dearer than `after` that doesn't lose the game, and its price made unique."""
    best = -1
    least = FORBIDDEN << MOVE_BITS
    for i in range(s.held[seat]):
        card = s.hand[seat, i]
        for pile in range(PILES):
            move = (card - LOWEST) * PILES + pile
            price = (cost(s, seat, card, pile, False, numbers, passed) << MOVE_BITS) + move
            if (
                after < price < least
                and dispatch.refusal(s, seat, move) == 0
                and dispatch.losing_clause(s, seat, move) == 0
            ):
                least = price
                best = move
    return best, least


@helper
def keep(plans, prices, count, plan, length, end, price):
    """Add a finished turn to the list, in place of the dearest when the list is full; gives the new count."""
    place = count
    if count == plans.shape[0]:
        place = 0
        for i in range(count):
            if prices[i] > prices[place]:
                place = i
        if prices[place] <= price:
            return count
    else:
        count += 1
    prices[place] = price
    for j in range(LONGEST):
        plans[place, j] = plan[j] if j < length else -1
    if end and length < LONGEST:
        plans[place, length] = END_TURN
    return count


@helper
def are_alike(a, b, pile):
    """Whether the two piles of a direction have the same tops, in either order."""
    straight = a.tops[pile] == b.tops[pile] and a.tops[pile + 1] == b.tops[pile + 1]
    return straight or (a.tops[pile] == b.tops[pile + 1] and a.tops[pile + 1] == b.tops[pile])


@helper
def is_same(a, b, seat):
    """Whether two turns led to the same piles and hand: then their order makes no difference.

    Nor does it matter which of two piles of one direction a top lies on, as long as nobody said anything about them.
    """
    if a.held[seat] != b.held[seat]:
        return False
    if pack(a) != pack(b):
        if not are_alike(a, b, 0) or not are_alike(a, b, 2):
            return False
        for other in range(a.seats):
            if a.hints[other, 0] | a.hints[other, 1] | a.hints[other, 2] | a.hints[other, 3]:
                return False
    for i in range(a.where.shape[0]):
        if a.where[i] != b.where[i]:
            return False
    return True


@helper
def find_place(states, first, born, spare, seat, spent, total):
    """Where the turn in the spare record belongs among those of its length; -1 if it isn't worth keeping."""
    dearest = first
    for i in range(first, first + born):
        if is_same(states[i], states[spare], seat):
            return i if spent[i] > total else -1
        if spent[i] > spent[dearest]:
            dearest = i
    if born < WIDTH:
        return first + born
    return dearest if spent[dearest] > total else -1


@compiled
def comes_to_the_same(states, seat, plan, first):
    """Whether a turn leads to the same with the card at `first` played before all others. Only `states[0]` is kept."""
    states[1] = states[0]
    states[2] = states[0]
    straight, other = states[1], states[2]
    for j in range(plan.shape[0]):
        if plan[j] >= 0 and straight.phase != OVER:
            dispatch.apply(straight, seat, plan[j], None)
    for j in range(-1, plan.shape[0]):
        move = plan[first] if j < 0 else plan[j]
        if move >= 0 and j != first:
            if dispatch.refusal(other, seat, move):
                return False
            dispatch.apply(other, seat, move, None)
    return (
        straight.phase == other.phase
        and straight.active == other.active
        and pack(straight) == pack(other)
        and is_same(straight, other, seat)
    )


@compiled
def list_turns(states, seat, numbers, passed, paths, spent, plans, prices):
    """Write the most promising ways to play the rest of this turn into `plans`; gives how many.

    `states[0]` is a position as the seat may imagine it; after it there must be room for two generations of WIDTH turns
    and a spare one. `paths` has a row for each of these, `spent` what they cost so far.
    """
    count = 0
    old, new, spare = 1, 1 + WIDTH, 1 + 2 * WIDTH
    states[old] = states[0]
    spent[old] = 0
    alive = 1
    for length in range(MOST_HELD + 1):
        born = 0
        for k in range(old, old + alive):
            s = states[k]
            worth = spent[k] - patience(s, numbers) * length
            if s.phase == OVER:
                if cards_left(s) == 0:
                    count = keep(plans, prices, count, paths[k], length, False, -FORBIDDEN)
                continue
            if length > 0 and s.played == 0:  # a command ended the turn
                count = keep(plans, prices, count, paths[k], length, False, worth)
                continue
            if dispatch.refusal(s, seat, END_TURN) == 0:
                count = keep(plans, prices, count, paths[k], length, True, worth)
            after = -FORBIDDEN << MOVE_BITS
            for _ in range(WAYS):
                weigh(s, seat, False, numbers, passed)
                move, after = next_step(s, seat, after, numbers, passed)
                if move < 0:
                    break
                states[spare] = s
                dispatch.apply(states[spare], seat, move, None)
                place = find_place(states, new, born, spare, seat, spent, spent[k] + (after >> MOVE_BITS))
                if place >= 0:
                    states[place] = states[spare]
                    spent[place] = spent[k] + (after >> MOVE_BITS)
                    for j in range(length):
                        paths[place, j] = paths[k, j]
                    paths[place, length] = move
                    born += place == new + born
        old, new = new, old
        alive = born
        if alive == 0:
            break
    return count
