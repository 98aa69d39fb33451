"""What could be known: how likely every hidden card is in each hand and in the deck, as one seat could tell.

Exact where every deal is as likely as any other (Misty, and The Game while nobody says anything). Where others' hints
or moves tell something, worlds are counted that an expert would imagine; the same knowledge gives the same answer.
"""

from math import comb
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from nevel.bots import the_game_likelihoods, what_the_fog_likelihoods
from nevel.bots.the_game_mind import trust_in
from nevel.bots.the_game_talk import STEPS_WITHIN, STRONGLY_WITHIN, WITHIN
from nevel.bots.what_the_fog_evidence import blank_pages
from nevel.boxes.box import KINDS, WEATHERS
from nevel.games.game import hashed_seed, words
from nevel.rules import any_game, chance, what_the_fog
from nevel.rules.knowledge import Knowledge
from nevel.rules.misty_knowledge import has_seen_hand
from nevel.rules.the_game_table import CARDS, FIRST_FALLING, LOWEST, MARGIN, UNSEEN
from nevel.rules.what_the_fog_table import OVER

#: Worlds counted where counting is needed.
WORLDS = 300
#: How much others' moves are taken to tell in What the Fog?!: as much as the expert takes them to.
TRUST = 1.0
#: The jump back of The Game.
JUMP = -10

Shares = NDArray[np.float64]


class Place(msgspec.Struct, frozen=True):
    """Where hidden cards are: a hand, the deck (The Game's draw pile, what Misty leaves aside), a card given up."""

    kind: Literal["hand", "deck", "given-up"]
    #: Whose; None for the deck.
    seat: int | None
    #: How many cards are there.
    size: int


class Card(msgspec.Struct, frozen=True):
    """Cards of which some are hidden: a number of The Game, a weather, a kind of Misty. Lists have an item a place."""

    #: In the game's notation.
    card: str
    #: How many of them are hidden.
    hidden: int
    #: How many to expect there; the likelihood of being there where there is only one.
    expected: tuple[float, ...]
    #: The likelihood of at least one there.
    likelihood: tuple[float, ...]
    #: The likelihood that the best guess at how many are there is wrong: 0 is certain.
    doubt: tuple[float, ...]


class Mist(msgspec.Struct, frozen=True):
    """Everything hidden from one seat at one moment."""

    game: str
    seat: int
    places: tuple[Place, ...]
    cards: tuple[Card, ...]


def look_into(knowledge: Knowledge, game: str) -> Mist:
    """The mist before one seat's eyes. Nothing but its knowledge is asked."""
    by_game = {"what-the-fog": what_the_fog_shares, "misty": misty_shares}
    cards, places, shares = by_game.get(game, the_game_shares)(knowledge)
    numbers = np.arange(shares.shape[2], dtype=np.float64)
    expected: Shares = shares @ numbers
    likeliest: Shares = shares.max(axis=2)
    return Mist(
        game,
        knowledge.seat,
        tuple(places),
        tuple(
            Card(
                card,
                round(float(expected[:, i].sum())),
                tuple(expected[:, i].tolist()),
                tuple((1 - shares[:, i, 0]).tolist()),
                tuple((1 - likeliest[:, i]).tolist()),
            )
            for i, card in enumerate(cards)
        ),
    )


Found = tuple[list[str], list[Place], Shares]


def others(knowledge: Knowledge) -> list[int]:
    """The other seats, from the left hand neighbour on."""
    seats = int(knowledge.state.seats)
    return [(knowledge.seat + i) % seats for i in range(1, seats)]


def lanes() -> NDArray[np.int64]:
    """The same chance for every question."""
    return np.array(words(hashed_seed(0)), np.int64)


def plain_shares(sizes: list[int], hidden: NDArray[np.int64]) -> Shares:
    """For every place and card, how likely every number of them is there when every deal is as likely."""
    total = int(hidden.sum())
    shares = np.zeros((len(sizes), len(hidden), int(hidden.max(initial=0)) + 1))
    for place, size in enumerate(sizes):
        deals = comb(total, size)
        for card, count in enumerate(hidden.tolist()):
            for number in range(min(count, size) + 1):
                shares[place, card, number] = comb(count, number) * comb(total - count, size - number) / deals
    return shares


def learnt_shares(plain: Shares, counts: Shares) -> Shares:
    """What was counted, and one plain world more: what wasn't met in a few hundred worlds is still no impossibility."""
    return (counts + plain) / (WORLDS + 1)


def imagined(knowledge: Knowledge) -> Any:
    """Some world that fits: all have the same cards hidden."""
    states = any_game.new_states(any_game.game_of(knowledge.state), 1)
    states[0] = knowledge.state
    chance.key(states[0].chance, *lanes().tolist())
    any_game.game_of(knowledge.state).imagine(states[0], knowledge.seat)
    return states[0]


# ---------------------------------------------------------------- The Game and Extreme


def the_game_shares(knowledge: Knowledge) -> Found:
    s = knowledge.state
    where = s.where[MARGIN + LOWEST : MARGIN + LOWEST + CARDS]
    unseen = np.flatnonzero(where == UNSEEN)
    hands = others(knowledge)
    places = [*(Place("hand", other, int(s.held[other])) for other in hands), Place("deck", None, int(s.left))]
    shares = plain_shares([place.size for place in places], np.ones(len(unseen), np.int64))
    trust = trust_in(knowledge)
    if any(trust[other] or s.hints[other].any() for other in hands):
        counts = np.zeros((CARDS, 10), np.int64)
        scratch = any_game.new_states(any_game.game_of(s), 2)
        scratch[0] = s
        the_game_likelihoods.count_holders(scratch, knowledge.seat, trust, WORLDS, lanes(), counts)
        there = alike(s, counts[unseen][:, [*(1 + other for other in hands), 0]].astype(np.float64), unseen)
        shares = learnt_shares(shares, np.stack([WORLDS - there, there], axis=2).transpose(1, 0, 2))
    return [str(LOWEST + card) for card in unseen.tolist()], places, shares


def alike(s: Any, counts: Shares, cards: NDArray[np.int64]) -> Shares:
    """Counts, evened out between cards of which nothing that can be said is different (see `apt_hint`)."""
    steps = np.array([[LOWEST + card - top for top in s.tops.tolist()] for card in cards.tolist()]).reshape(-1, 4)
    steps[:, FIRST_FALLING:] *= -1
    looks = np.digitize(steps, [1, STRONGLY_WITHIN + 1, WITHIN + 1, STEPS_WITHIN + 1]) % 4
    looks[steps == JUMP] = 4
    _, group = np.unique(looks, axis=0, return_inverse=True)
    group = group.reshape(-1)
    sums = np.zeros((len(cards), counts.shape[1]))
    np.add.at(sums, group, counts)
    return sums[group] / np.bincount(group)[group][:, np.newaxis]


# ---------------------------------------------------------------- What the Fog?!


def what_the_fog_shares(knowledge: Knowledge) -> Found:
    s, hands = knowledge.state, others(knowledge)
    places = [Place("hand", other, int(s.held[other])) for other in hands]
    world = imagined(knowledge)
    hidden = world.hand[hands].sum(axis=0) + world.deck
    if s.phase == OVER:  # what was given up face down stays hidden
        places += [Place("given-up", other, int(world.away[other] > 0)) for other in hands]
        for other in hands:
            hidden[world.away[other] - 1] += world.away[other] > 0
    places.append(Place("deck", None, int(s.deck_size)))
    shares = plain_shares([place.size for place in places], hidden)
    if s.phase != OVER:
        deck = what_the_fog_likelihoods.DECK
        counts = np.zeros((deck + 1, len(WEATHERS), shares.shape[2]))
        what_the_fog_likelihoods.count_hands(
            any_game.new_states(what_the_fog, 1),
            *knowledge[1:],
            knowledge.seat,
            WORLDS,
            lanes(),
            TRUST,
            *blank_pages(),
            counts,
        )
        shares = learnt_shares(shares, counts[[*hands, deck]])
    return list(WEATHERS), places, shares


# ---------------------------------------------------------------- Misty


def misty_shares(knowledge: Knowledge) -> Found:
    """Hands one has passed on are known, less what was taken from them in the open; any other may be anything."""
    s, hands = knowledge.state, others(knowledge)
    world = imagined(knowledge)
    unseen = [other for other in hands if not has_seen_hand(s, knowledge.seat, other)]
    hidden = world.aside + world.hand[unseen].sum(axis=0)
    held, aside = int(s.held), int(world.aside_size)
    plain = plain_shares([held, aside], hidden)
    most = max(plain.shape[2], held + 1)
    shares = np.zeros((len(hands) + 1, len(KINDS), most))
    for place, other in enumerate(hands):
        if other in unseen:
            shares[place, :, : plain.shape[2]] = plain[0]
        else:
            shares[place, np.arange(len(KINDS)), s.hand[other]] = 1
    shares[-1, :, : plain.shape[2]] = plain[1]
    places = [*(Place("hand", other, held) for other in hands), Place("deck", None, aside)]
    return list(KINDS), places, shares
