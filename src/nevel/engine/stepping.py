"""Steps of many games at once, one decision each: the compiled part of the learning environments.

An action is the number of a move, or `wait`, the number after the last move: it leaves the first turn to
the next seat. One seat at a time is asked, the first of those waited for; who has said something is
asked again. Arrays have a row a game and are written in place.
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from typing import Any, NamedTuple

from nevel.engine import dispatch
from nevel.engine.chance import below, branch
from nevel.engine.compiling import compiled, inlined

#: The entries of `terms`, what games are made with: seats, the number of `wait`, the first hint, the move that starts
#: (-1: none), whether rewards are points, whether all win together.
TERMS = 6
SEATS, WAIT, TALK, START, BY_POINTS, TOGETHER = range(TERMS)


class GameSetup(NamedTuple):
    """What all games of a batch are dealt with."""

    box: Any
    options: Any
    terms: Any
    #: What points are multiplied by to become rewards.
    scale: Any


class Batch(NamedTuple):
    """The arrays of many games, a row for each, that every step writes in place."""

    states: Any
    #: The random state each row's next deals are drawn from.
    deals: Any
    #: The seat that is asked, its legal actions as a mask, and how many they are.
    seats: Any
    masks: Any
    choices: Any
    #: What that seat observes; no columns where nobody wants to know.
    observations: Any
    rewards: Any
    done: Any
    #: Points so far, by seat.
    points: Any
    #: Of the last game of the row that ended: the clause that ended it, points and victory by seat.
    clauses: Any
    last_points: Any
    won: Any
    #: Scratch for one game's outcome.
    out: Any


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
def deal_all(batch, setup):
    """Begin every game from the random state in its record, and show it."""
    states, out, points, terms = batch.states, batch.out, batch.points, setup.terms
    for i in range(states.shape[0]):
        s = states[i]
        seat = deal(s, setup.box, setup.options, terms)
        if seat < 0:
            seat = deal_playable(s, batch.deals[i], setup.box, setup.options, terms)
        batch.seats[i] = seat
        dispatch.outcome(s, out)
        for each in range(terms[SEATS]):
            points[i, each] = out[each, 0]
        batch.choices[i] = mark_actions(s, seat, terms, batch.masks[i])
    observe_all(states, batch.seats, batch.observations)


@compiled
def first_illegal(masks, actions):
    """The first game whose action isn't legal, or -1."""
    for i in range(actions.shape[0]):
        if not (0 <= actions[i] < masks.shape[1]) or masks[i, actions[i]] == 0:
            return i
    return -1


@compiled
def step_all(batch, setup, actions):
    """One legal action in every game. A game that ends is dealt anew at once, from the random state in `deals`."""
    states, seats, out, points, terms = batch.states, batch.seats, batch.out, batch.points, setup.terms
    for i in range(states.shape[0]):
        s = states[i]
        clause = 0
        seat = act(s, seats[i], actions[i], terms, None)
        batch.done[i] = seat < 0
        for each in range(terms[SEATS]):
            batch.rewards[i, each] = 0
        if terms[BY_POINTS] or seat < 0:
            clause = dispatch.outcome(s, out)
            if terms[BY_POINTS]:
                reward_points(out, points[i], setup.scale, terms, batch.rewards[i])
            else:
                reward_end(out, terms, batch.rewards[i])
        if seat < 0:
            batch.clauses[i] = clause
            for each in range(terms[SEATS]):
                batch.last_points[i, each] = out[each, 0]
                batch.won[i, each] = out[each, 1]
            seat = deal_playable(s, batch.deals[i], setup.box, setup.options, terms)
            if terms[BY_POINTS]:
                dispatch.outcome(s, out)
                for each in range(terms[SEATS]):
                    points[i, each] = out[each, 0]
        seats[i] = seat
        batch.choices[i] = mark_actions(s, seat, terms, batch.masks[i])
    observe_all(states, seats, batch.observations)


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
