"""What one seat of What the Fog?! can know: conceals the rest, fills it in at random, observes (compiled)."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine.chance import below, draw
from nevel.engine.compiling import compiled, helper
from nevel.games.what_the_fog.rules.table import DAYS, OVER, PAIR_OF, PAIRS, PARTS, PILES, ROUNDS, WEATHERS, waiting

#: Passes over the seen tokens after a first guess at their backs (see `imagine_tokens`).
SWEEPS = 2
#: Guesses before backs are dealt so that they surely fit. In games with our box one in 2,000 guesses fails; in one with
#: few tokens of the weathers that are seen, fewer than one in 10^9 may succeed.
GUESSES = 20
#: Further passes then: what surely fits is further from every possibility being as likely as it is.
FURTHER_SWEEPS = 20


@compiled
def conceal(s, seat):
    """Erase everything the seat can't know; -1 is a spectator."""
    s.chance[:] = 0
    s.day_back[:] = 0
    s.top_back[:] = 0
    s.lifted_back = 0
    s.returned_back[:] = 0
    s.under[:] = 0
    s.supply[:] = 0
    s.deck[:] = 0
    for other in range(s.seats):
        if other != seat:
            s.hand[other, :] = 0
            s.away[other] = 0
            s.choice[other] = 0


@compiled
def imagine(s, seat):
    """Fill what was concealed at random, consistently with what the seat knows. Seed `s.chance` first."""
    imagine_cards(s, seat)
    imagine_tokens(s)


@helper
def imagine_cards(s, seat):
    unseen = 0
    for weather in range(WEATHERS):
        count = s.card_count[weather] - s.discards[weather]
        for other in range(s.seats):
            count -= s.open[other, weather]
        if seat >= 0:
            count -= s.hand[seat, weather]
            count -= s.away[seat] == weather + 1
        s.deck[weather] = count
        unseen += count
    for other in range(s.seats):
        if other != seat:
            s.hand[other, :] = 0
            for _ in range(s.held[other]):
                s.hand[other, draw(s.chance, s.deck, unseen)] += 1
                unseen -= 1
            if s.chosen[other] and s.held[other] > 0:
                s.choice[other] = 1 + pick(s.chance, s.hand[other], s.held[other])
    if s.phase == OVER:  # what was given up face down is still unknown
        for other in range(s.seats):
            if other != seat and unseen > s.deck_size:
                s.away[other] = 1 + draw(s.chance, s.deck, unseen)
                unseen -= 1


@helper
def pick(rng, counts, total):
    """A random item's kind, left where it is."""
    kind = draw(rng, counts, total)
    counts[kind] += 1
    return kind


@helper
def imagine_tokens(s):
    """Backs for every token seen, then the rest at random into piles and supply.

    A token that shows a face may be any remaining one that has that face. Guessing one after the other is nearly right
    (and is begun again a few times when no token is left for a face); drawing each again given all the others, as in
    Gibbs sampling, makes it right.
    """
    guesses = 0
    while guesses < GUESSES and not guess_backs(s):
        guesses += 1
    if guesses == GUESSES:
        deal_backs(s)
        for _ in range(FURTHER_SWEEPS):
            redraw_backs(s)
    for _ in range(SWEEPS):
        redraw_backs(s)
    unseen = 0
    for pair in range(PAIRS):
        unseen += s.supply[pair]
    for pile in range(PILES):
        s.under[pile, :] = 0
        for _ in range(s.pile_size[pile] - (s.top[pile] != 0)):
            s.under[pile, draw(s.chance, s.supply, unseen)] += 1
            unseen -= 1


@helper
def draw_back(s, face):
    """Take a random unseen token with this face; gives its other side, or 0 if there is none."""
    fitting = 0
    for back in range(WEATHERS):
        if back != face - 1:
            fitting += s.supply[PAIR_OF[face - 1, back]]
    if fitting == 0:
        return 0
    index = below(s.chance, fitting)
    back = -1
    while index >= 0:
        back += 1
        if back != face - 1:
            index -= s.supply[PAIR_OF[face - 1, back]]
    s.supply[PAIR_OF[face - 1, back]] -= 1
    return back + 1


@helper
def guess_backs(s):
    """A back for every seen token, one after the other; False if a face has no token left."""
    for pair in range(PAIRS):
        s.supply[pair] = s.pair_count[pair]
    s.returned_back[:] = 0
    for day in range(DAYS):
        for part in range(s.filled[day]):
            s.day_back[day, part] = draw_back(s, s.day[day, part])
            if s.day_back[day, part] == 0:
                return False
    for pile in range(PILES):
        if s.top[pile]:
            s.top_back[pile] = draw_back(s, s.top[pile])
            if s.top_back[pile] == 0:
                return False
    if s.lifted:
        s.lifted_back = draw_back(s, s.lifted)
        if s.lifted_back == 0:
            return False
    for face in range(WEATHERS):
        for _ in range(s.returned[face]):
            back = draw_back(s, face + 1)
            if back == 0:
                return False
            s.returned_back[face, back - 1] += 1
    return True


@helper
def deal_backs(s):
    """A back for every seen token that surely fits, whatever is in the box.

    While it is found out how often each face has each back, `s.returned_back` has the numbers of all seen tokens.
    """
    for pair in range(PAIRS):
        s.supply[pair] = s.pair_count[pair]
    s.returned_back[:] = 0
    for day in range(DAYS):
        for part in range(s.filled[day]):
            count_back(s, s.day[day, part])
    for pile in range(PILES):
        if s.top[pile]:
            count_back(s, s.top[pile])
    if s.lifted:
        count_back(s, s.lifted)
    for face in range(WEATHERS):
        for _ in range(s.returned[face]):
            count_back(s, face + 1)
    for day in range(DAYS):
        for part in range(s.filled[day]):
            s.day_back[day, part] = take_back(s, s.day[day, part])
    for pile in range(PILES):
        if s.top[pile]:
            s.top_back[pile] = take_back(s, s.top[pile])
    if s.lifted:
        s.lifted_back = take_back(s, s.lifted)


@helper
def take_back(s, face):
    """One of the backs that were counted for a face; 0 if there are none, which no game leads to."""
    count = 0
    for back in range(WEATHERS):
        count += s.returned_back[face - 1, back]
    return 1 + draw(s.chance, s.returned_back[face - 1], count) if count else 0


@helper
def count_back(s, face):
    """Count one more token with this face. If none is left, others get other backs until there is one.

    That is a shortest augmenting path, as in the theory of matchings: there is one as long as all tokens that are seen
    can exist. `before` has three bits for every face on the way: from which one it was reached.
    """
    start = face - 1
    reached = 1 << start
    before = 0
    last = start
    free = draw_back(s, face)
    while free == 0:
        is_further = False
        last = -1
        for here in range(WEATHERS):
            for there in range(WEATHERS):
                # Tokens that show `there` and could make place for one that shows `here`.
                if reached >> here & 1 and not reached >> there & 1 and s.returned_back[there, here]:
                    reached |= 1 << there
                    before |= here << 3 * there
                    is_further = True
                    if last < 0:
                        free = draw_back(s, there + 1)
                        last = there if free else -1
        if free == 0 and not is_further:
            return
    s.returned_back[last, free - 1] += 1
    while last != start:
        here = before >> 3 * last & 7
        s.returned_back[last, here] -= 1
        s.returned_back[here, last] += 1
        last = here


@helper
def redraw_back(s, face, back):
    """Put a seen token among the unseen and draw one with the same face."""
    s.supply[PAIR_OF[face - 1, back - 1]] += 1
    return draw_back(s, face)


@helper
def redraw_backs(s):
    for day in range(DAYS):
        for part in range(s.filled[day]):
            s.day_back[day, part] = redraw_back(s, s.day[day, part], s.day_back[day, part])
    for pile in range(PILES):
        if s.top[pile]:
            s.top_back[pile] = redraw_back(s, s.top[pile], s.top_back[pile])
    if s.lifted:
        s.lifted_back = redraw_back(s, s.lifted, s.lifted_back)
    for face in range(WEATHERS):
        for _ in range(s.returned[face]):
            back = draw(s.chance, s.returned_back[face], s.returned[face])
            s.returned_back[face, redraw_back(s, face + 1, back + 1) - 1] += 1


# ---------------------------------------------------------------- for learning


@compiled
def observe(s, seat, out):
    """Write what the seat knows as numbers, in the order of OBSERVATION; gives how many."""
    out[0] = waiting(s) >> seat & 1
    for phase in range(7):
        out[1 + phase] = s.phase == phase
    out[8] = s.round_number
    n = 9
    for day in range(DAYS):
        for part in range(PARTS):
            out[n] = s.day[day, part]
            out[n + DAYS * PARTS] = s.symbols[day, part]
            n += 1
    n += DAYS * PARTS
    for pile in range(PILES):
        out[n + pile] = s.top[pile]
        out[n + PILES + pile] = s.pile_size[pile]
    n += 2 * PILES
    out[n] = s.supply_size
    out[n + 1] = s.lifted
    n += 2
    for weather in range(WEATHERS):
        out[n + weather] = s.hand[seat, weather]
        for i in range(5):
            other = (seat + i) % s.seats
            out[n + WEATHERS * (1 + i) + weather] = s.open[other, weather] if i < s.seats else 0
    n += WEATHERS * 6
    for i in range(5):
        out[n + i] = s.held[(seat + i) % s.seats] if i < s.seats else 0
    n += 5
    for weather in range(WEATHERS):
        out[n + weather] = s.discards[weather]
    n += WEATHERS
    out[n] = s.deck_size
    n += 1
    for i in range(5):
        other = (seat + i) % s.seats
        there = i < s.seats
        out[n + i] = s.prediction[other] if there else 0
        for number in range(ROUNDS):
            for column in range(3):
                out[n + 5 + (i * ROUNDS + number) * 3 + column] = s.sheet[other, number, column] if there else 0
    n += 5 + 5 * ROUNDS * 3
    out[n] = s.choice[seat]
    n += 1
    for i in range(5):
        other = (seat + i) % s.seats
        out[n + i] = i < s.seats and s.active == other
        out[n + 5 + i] = i < s.seats and s.starter == other
    return n + 10
