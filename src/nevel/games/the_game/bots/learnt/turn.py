"""Finds the best turns of The Game in an imagined world, where all hands can be seen (compiled)."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine.compiling import helper
from nevel.games.the_game.bots.learnt.workspace import (
    COVERED,
    FIRST_OFFERS,
    HAND,
    TOPS,
    lay,
    lift,
    reset_workspace,
    workspace_worth,
)
from nevel.games.the_game.bots.learnt.worth import CERTAIN, lies_forward
from nevel.games.the_game.rules.table import FIRST_FALLING, LOWEST, MOST_HELD, PILES

#: Offers looked at for the first card of a turn, and how much dearer two cards may be than the cheapest two. More of
#: them hardly win more games; in thoughts about later turns time counts more.
DEAREST = 400
BROAD, NARROW = (8, DEAREST), (7, 20)
#: How many fewer offers are looked at for each later card.
FEWER = 2
#: A turn: how many cards, then their moves.
TURN = MOST_HELD + 1
#: Jumping back comes before every other step.
JUMP = -20


@helper
def find_offers(workspace, held, depth, most):
    """The cheapest steps with the cards in hand, at most `most`; gives how many. Of two equal piles one is enough."""
    row = FIRST_OFFERS + 3 * depth
    count = 0
    for i in range(held):
        card = workspace[HAND, i]
        for pile in range(PILES):
            distance = lies_forward(workspace[TOPS, pile], pile, card)
            if distance <= 0 and distance != -10:
                continue
            if pile % FIRST_FALLING == 1 and workspace[TOPS, pile] == workspace[TOPS, pile - 1]:
                continue
            price = distance if distance > 0 else JUMP
            if count == most and workspace[row + 2, most - 1] <= price:
                continue
            place = min(count, most - 1)
            while place > 0 and workspace[row + 2, place - 1] > price:
                for line in range(row, row + 3):
                    workspace[line, place] = workspace[line, place - 1]
                place -= 1
            workspace[row, place] = card
            workspace[row + 1, place] = pile
            workspace[row + 2, place] = price
            count = min(count + 1, most)
    return count


@helper
def was_seen(workspace, earlier, pile, second, other):
    """Whether two cards on different piles were already looked at in the other order."""
    if other == pile:
        return False
    for i in range(earlier):
        if workspace[FIRST_OFFERS, i] == second and workspace[FIRST_OFFERS + 1, i] == other:
            return True
    return False


@helper
def keep_turn(turns, worths, count, turn, worth):
    """Add a turn to the list, in place of the worst when it is full; gives the new count.

    Two turns of the same worth lead to the same position.
    """
    place = count
    for i in range(count):
        if worths[i] == worth:
            return count
    if count == turns.shape[0]:
        place = 0
        for i in range(count):
            if worths[i] < worths[place]:
                place = i
        if worths[place] >= worth:
            return count
    else:
        count += 1
    worths[place] = worth
    for i in range(TURN):
        turns[place, i] = turn[i]
    return count


@helper
def find_turns(s, seat, weights, workspace, sums, turn, turns, worths, reach):
    """The most promising ways to play the rest of a seat's turn, as many as there is room for; gives how many.

    All single cards and pairs among the cheapest steps are looked at, then whether more cards make them better.
    """
    breadth, dearer = reach
    held = reset_workspace(s, seat, workspace)
    need = max(s.need - s.played, 0)
    count = 0
    turn[0] = 0
    cheapest = DEAREST
    if need == 0:
        count = keep_turn(turns, worths, count, turn, workspace_worth(workspace, sums, weights))
    for i in range(find_offers(workspace, held, 0, breadth)):
        card, pile = workspace[FIRST_OFFERS, i], workspace[FIRST_OFFERS + 1, i]
        covered = lay(workspace, held, card, pile)
        turn[1] = (card - LOWEST) * PILES + pile
        if need <= 1 or held == 1:
            turn[0] = 1
            count = keep_turn(turns, worths, count, turn, workspace_worth(workspace, sums, weights))
        for j in range(find_offers(workspace, held - 1, 1, breadth - FEWER)):
            second, other = workspace[FIRST_OFFERS + 3, j], workspace[FIRST_OFFERS + 4, j]
            price = workspace[FIRST_OFFERS + 2, i] + workspace[FIRST_OFFERS + 5, j]
            if price > cheapest + dearer:
                break
            cheapest = min(cheapest, price)
            if was_seen(workspace, i, pile, second, other):
                continue
            below = lay(workspace, held - 1, second, other)
            turn[0] = 2
            turn[2] = (second - LOWEST) * PILES + other
            count = keep_turn(turns, worths, count, turn, workspace_worth(workspace, sums, weights))
            lift(workspace, held - 1, second, other, below)
        lift(workspace, held, card, pile, covered)
    for i in range(count):
        worths[i] = lengthen(workspace, sums, held, need, weights, turns[i], worths[i], breadth)
    return count


@helper
def lengthen(workspace, sums, held, need, weights, turn, worth, breadth):
    """Add cards to a turn as long as that makes it better, or the rules ask for more; gives its worth then."""
    for i in range(1, turn[0] + 1):
        workspace[COVERED, i] = lay(workspace, held - i + 1, LOWEST + turn[i] // PILES, turn[i] % PILES)
    while turn[0] < held:
        row = FIRST_OFFERS + 6
        best = -1
        most = worth if turn[0] >= need else -CERTAIN
        for i in range(find_offers(workspace, held - turn[0], 2, breadth - FEWER)):
            card, pile = workspace[row, i], workspace[row + 1, i]
            covered = lay(workspace, held - turn[0], card, pile)
            with_it = workspace_worth(workspace, sums, weights)
            lift(workspace, held - turn[0], card, pile, covered)
            if with_it > most:
                most = with_it
                best = i
        if best < 0:
            break
        card, pile = workspace[row, best], workspace[row + 1, best]
        workspace[COVERED, turn[0] + 1] = lay(workspace, held - turn[0], card, pile)
        turn[0] += 1
        turn[turn[0]] = (card - LOWEST) * PILES + pile
        worth = most
    for i in range(turn[0], 0, -1):
        lift(workspace, held - i + 1, LOWEST + turn[i] // PILES, turn[i] % PILES, workspace[COVERED, i])
    return worth
