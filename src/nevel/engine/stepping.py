"""Many games, one decision each: what vector environments and single ones are made of.

An action is the number of a move, or `wait`, the number after the last move: it leaves the first turn to
the next seat. One seat at a time is asked, the first of those waited for; who has said something is
asked again. Arrays have a row a game and are written in place.
"""

from nevel.engine import dispatch
from nevel.engine.chance import below, branch
from nevel.engine.compiling import compiled, inlined

#: What games are made with (`terms`): seats, the number of `wait`, the first hint, the move that starts (-1: none),
#: whether rewards are points, whether all win together.
TERMS = 6
SEATS, WAIT, TALK, START, BY_POINTS, TOGETHER = range(TERMS)

#: Masks are read in pieces of eight words of eight bytes, so rows are as long as so many bytes times a whole number.
MASK_STEP = 64


@inlined
def first_of(seats):
    """The first of the seats given as bits."""
    seat = 0
    while seats >> seat & 1 == 0:
        seat += 1
    return seat


@inlined
def may_wait(mask, seat, terms):
    """Whether the seat may leave the first turn to one asked after it."""
    return terms[START] >= 0 and mask[terms[START]] == 1 and seat + 1 < terms[SEATS]


@inlined
def mark_actions(s, seat, terms, mask):
    """Write what the seat may do; gives how many actions there are."""
    count = dispatch.mark_moves(s, seat, mask[: terms[WAIT]])
    waits = may_wait(mask, seat, terms)
    mask[terms[WAIT]] = waits
    return count + waits


@inlined
def observe_all(states, seats, observations):
    """Write what every seat that is asked knows, where there is room for it.

    In a loop of its own: in the one of the steps it would slow down those who don't want to know.
    """
    if observations.shape[1]:
        for i in range(states.shape[0]):
            dispatch.observe(states[i], seats[i], observations[i])


@compiled
def look(states, seat, terms, mask, observation):
    """What the seat may do and knows, of a single game that is asked about from outside: the first of `states`."""
    count = mark_actions(states[0], seat, terms, mask)
    if observation.shape[0]:
        dispatch.observe(states[0], seat, observation)
    return count


@inlined
def act(s, seat, action, terms, trace):
    """Carry out an action; gives the seat that is asked next, or -1 when the game is over."""
    if action == terms[WAIT]:
        return seat + 1
    dispatch.apply(s, seat, action, trace)
    if action >= terms[TALK]:
        return seat
    seats = dispatch.waiting(s)
    return first_of(seats) if seats else -1


@compiled
def act_once(states, seat, action, terms, trace, out):
    """The same for a single game that is played from outside, the first of `states`; with its outcome so far."""
    asked = act(states[0], seat, action, terms, trace)
    dispatch.outcome(states[0], out)
    return asked


@inlined
def reward_end(out, terms, reward):
    """What the end is worth when only winning counts; `out` is the outcome."""
    winners = 0
    for seat in range(terms[SEATS]):
        winners += out[seat, 1]
    for seat in range(terms[SEATS]):
        if terms[TOGETHER]:
            reward[seat] = out[seat, 1]
        else:
            # Whoever wins alone gets 1, which the others lose between them; those who win together share.
            reward[seat] = (out[seat, 1] * terms[SEATS] / winners - 1) / (terms[SEATS] - 1)


@inlined
def reward_points(out, points, scale, terms, reward):
    """What points have changed by."""
    for seat in range(terms[SEATS]):
        reward[seat] = (out[seat, 0] - points[seat]) * scale
        points[seat] = out[seat, 0]


@inlined
def deal(s, box, options, terms):
    """A new game, from the chance already keyed into the state; gives the seat that is asked first.

    That is -1 when a player alone gets a hand that can't be played: the game is over before it begins.
    """
    dispatch.setup(s, terms[SEATS], box, options, None)
    seats = dispatch.waiting(s)
    return first_of(seats) if seats else -1


@inlined
def deal_playable(s, deals, box, options, terms):
    """A new game from the chance in `deals`, dealt until somebody has something to do; gives who is asked first."""
    branch(s.chance, deals)
    seat = deal(s, box, options, terms)
    while seat < 0:
        branch(s.chance, deals)
        seat = deal(s, box, options, terms)
    return seat


@compiled
def deal_all(states, deals, box, options, terms, out, seats, masks, choices, observations, points):
    """Begin every game from the chance in its record, and show it."""
    for i in range(states.shape[0]):
        s = states[i]
        seat = deal(s, box, options, terms)
        if seat < 0:
            seat = deal_playable(s, deals[i], box, options, terms)
        seats[i] = seat
        dispatch.outcome(s, out)
        for each in range(terms[SEATS]):
            points[i, each] = out[each, 0]
        choices[i] = mark_actions(s, seat, terms, masks[i])
    observe_all(states, seats, observations)


@compiled
def first_illegal(masks, actions):
    """The first game whose action isn't legal, or -1."""
    for i in range(actions.shape[0]):
        if not (0 <= actions[i] < masks.shape[1]) or masks[i, actions[i]] == 0:
            return i
    return -1


@compiled
def step_all(
    states,
    actions,
    deals,
    box,
    options,
    terms,
    scale,
    out,
    seats,
    masks,
    choices,
    observations,
    points,
    rewards,
    done,
    clauses,
    last_points,
    won,
):
    """One legal action in every game. A game that ends is dealt anew at once, from the chance of its row of `deals`."""
    for i in range(states.shape[0]):
        s = states[i]
        clause = 0
        seat = act(s, seats[i], actions[i], terms, None)
        done[i] = seat < 0
        for each in range(terms[SEATS]):
            rewards[i, each] = 0
        if terms[BY_POINTS] or seat < 0:
            clause = dispatch.outcome(s, out)
            if terms[BY_POINTS]:
                reward_points(out, points[i], scale, terms, rewards[i])
            else:
                reward_end(out, terms, rewards[i])
        if seat < 0:
            clauses[i] = clause
            for each in range(terms[SEATS]):
                last_points[i, each] = out[each, 0]
                won[i, each] = out[each, 1]
            seat = deal_playable(s, deals[i], box, options, terms)
            if terms[BY_POINTS]:
                dispatch.outcome(s, out)
                for each in range(terms[SEATS]):
                    points[i, each] = out[each, 0]
        seats[i] = seat
        choices[i] = mark_actions(s, seat, terms, masks[i])
    observe_all(states, seats, observations)


# ---------------------------------------------------------------- choosing at random


@inlined
def bytes_set(word):
    """How many of the eight bytes of a word are 1; the others are 0."""
    word += word >> 32
    word += word >> 16
    word += word >> 8
    return word & 15


@inlined
def nth_set(words, n):
    """The number of the n-th byte that is 1, counted from 0, in words of bytes that are 0 or 1."""
    piece = 0
    here = -1
    while True:
        total = words[piece]
        for i in range(1, 8):
            total += words[piece + i]
        total = (total & 0x00FF00FF00FF00FF) + (total >> 8 & 0x00FF00FF00FF00FF)
        total += total >> 32
        here = (total + (total >> 16)) & 0xFFFF
        if n < here:
            break
        n -= here
        piece += 8
    word = piece
    here = bytes_set(words[word])
    while n >= here:
        n -= here
        word += 1
        here = bytes_set(words[word])
    rest = words[word]
    place = 0
    while n or rest & 1 == 0:
        n -= rest & 1
        rest >>= 8
        place += 1
    return word * 8 + place


@compiled
def choose_any(words, choices, rng, actions):
    """A legal action for every game, all with equal chances. `words` are the masks, eight bytes at a time."""
    for i in range(actions.shape[0]):
        actions[i] = nth_set(words[i], below(rng, int(choices[i])))
