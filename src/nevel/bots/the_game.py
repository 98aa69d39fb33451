"""First players of The Game and of Extreme: one plays anything, one takes the card that costs least."""

from nevel.rules import extreme, the_game
from nevel.rules.chance import below
from nevel.rules.compiling import helper
from nevel.rules.the_game_table import (
    CHOOSING,
    END_TURN,
    FIRST_FALLING,
    JUMP_BACK,
    LEAVE,
    LEAVE_STRONGLY,
    LOWEST,
    PILES,
    SMALL_STEPS,
    START,
    START_HINTS,
    has_card,
)

NOTHING = -1  # the bot would rather wait for another seat

# What a step costs is its distance; a turn that could end goes on while the next card costs at most this.
CHEAP = 2
# How much a standing hint of another seat adds to the cost of its pile.
SPARE = 4
SPARE_STRONGLY = 12
SPARE_FOR_A_JUMP = 8
SMALL_STEP = 5
# A way to lose is chosen only when there is no other.
DOOMED = 1000
FORBIDDEN = 10000


@helper
def random_move(s, seat, lanes, refusal):
    """Any legal play, or the end of the turn where it may end, with equal chances."""
    if s.phase == CHOOSING:
        return START
    move = NOTHING
    seen = 0
    for i in range(s.held[seat]):
        first = (s.hand[seat, i] - LOWEST) * PILES
        for pile in range(PILES):
            if refusal(s, seat, first + pile) == 0:
                seen += 1
                if below(lanes, seen) == 0:
                    move = first + pile
    if refusal(s, seat, END_TURN) == 0 and below(lanes, seen + 1) == 0:
        move = END_TURN
    return move


@helper
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


@helper
def opening(s, seat):
    """Say how good one's start would be, then let the strongest begin (TG-S2)."""
    if s.start_hints[seat] == 0:
        return START_HINTS + start_strength(s, seat) - 1
    for other in range(s.seats):
        mine = s.start_hints[seat]
        if s.start_hints[other] > mine or (s.start_hints[other] == mine and other < seat):
            return NOTHING
    return START


@helper
def is_anyone_asking(s, seat):
    """Whether another seat's hint stands on any pile."""
    for other in range(s.seats):
        if other != seat:
            for pile in range(PILES):
                if s.hints[other, pile]:
                    return True
    return False


@helper
def spare(s, seat, pile, distance):
    """What others' hints add to the cost of a step on this pile."""
    extra = 0
    for other in range(s.seats):
        if other != seat:
            hint = s.hints[other, pile]
            if hint == LEAVE or (hint == SMALL_STEPS and distance > SMALL_STEP):
                extra += SPARE
            elif hint == LEAVE_STRONGLY:
                extra += SPARE_STRONGLY
            elif hint == JUMP_BACK:
                extra += SPARE_FOR_A_JUMP
    return extra


@helper
def cost(s, seat, card, pile, asked):
    """The step, less what a card in hand could jump back afterwards, plus what others ask to spare.

    FORBIDDEN for a card that doesn't fit. Written without branches on cards: no processor can predict those.
    """
    if pile < FIRST_FALLING:
        distance = card - s.tops[pile]
        can_jump = has_card(s, seat, card - 10)
    else:
        distance = s.tops[pile] - card
        can_jump = has_card(s, seat, card + 10)
    price = distance - 10 * can_jump
    price = price if distance > 0 else FORBIDDEN
    price = -10 if distance == -10 else price
    return price + spare(s, seat, pile, distance) if asked else price


@helper
def cheapest(s, seat, least, is_careful):
    """The cheapest card below a price, or the end of the turn; if careful, none that ends the game at once."""
    best = END_TURN
    asked = is_anyone_asking(s, seat)
    for i in range(s.held[seat]):
        card = s.hand[seat, i]
        for pile in range(PILES):
            move = (card - LOWEST) * PILES + pile
            price = cost(s, seat, card, pile, asked)
            if is_careful and price < FORBIDDEN and the_game.doom(s, seat, move):
                price = FORBIDDEN
            best = move if price < least else best
            least = price if price < least else least
    return best


@helper
def simple_move(s, seat, lanes):
    """The Game: the cheapest card; the turn ends when the next would cost too much."""
    if s.phase == CHOOSING:
        return opening(s, seat)
    if s.played >= s.need:
        return cheapest(s, seat, CHEAP + 1, False)
    best = cheapest(s, seat, FORBIDDEN, False)
    if the_game.doom(s, seat, best):
        careful = cheapest(s, seat, FORBIDDEN, True)
        return best if careful == END_TURN else careful
    return best


# What a command adds to the cost of its card: stop, skull, three, silence, no-trick, one-pile, draw-one.
BURDEN = (0, 0, 6, 2, 2, 4, 3, 4)


@helper
def simple_extreme_move(s, seat, lanes):
    """Extreme: the same, with a price for commands, and never knowingly into a dead end."""
    if s.phase == CHOOSING:
        return opening(s, seat)
    best = NOTHING
    least = FORBIDDEN
    if extreme.refusal(s, seat, END_TURN) == 0:
        best = END_TURN
        least = CHEAP + 1
    asked = is_anyone_asking(s, seat)
    for i in range(s.held[seat]):
        card = s.hand[seat, i]
        for pile in range(PILES):
            move = (card - LOWEST) * PILES + pile
            if extreme.refusal(s, seat, move):
                continue
            price = cost(s, seat, card, pile, asked) + BURDEN[s.command[card]]
            if s.command[s.tops[pile]] >= extreme.FIRST_INFINITY:
                price -= 3  # covering a lasting command frees everybody
            if price < least:
                if extreme.doom(s, seat, move):
                    price += DOOMED
                if price < least:
                    least = price
                    best = move
    return best
