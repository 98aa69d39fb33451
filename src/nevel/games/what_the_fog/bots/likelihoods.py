"""Counts hands and claims of What the Fog?! in imagined worlds that explain what players did (compiled)."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine.chance import branch
from nevel.engine.compiling import compiled, helper
from nevel.engine.dispatch import MOST_SEATS
from nevel.games.what_the_fog.bots.evidence import explains, gather, wander
from nevel.games.what_the_fog.bots.imagined import EXCHANGES, FIRST_EXCHANGES
from nevel.games.what_the_fog.bots.round import play_round
from nevel.games.what_the_fog.rules.knowledge import imagine_cards, imagine_tokens
from nevel.games.what_the_fog.rules.table import WEATHERS

#: The row of the deck, after those of the hands.
DECK = MOST_SEATS


@helper
def begin(scratch, knowledge, rng, trust, pages):
    """Make the first record hands that explain what was done; gives how many rows of evidence there are."""
    moves, seat = knowledge.moves, knowledge.seat
    count = gather(knowledge.states, knowledge.movers, moves, seat, pages.evidence, pages.forecast)
    scratch[0] = knowledge.states[moves.shape[0]]
    s = scratch[0]
    branch(s.chance, rng)
    imagine_cards(s, seat)
    for other in range(s.seats):
        pages.logs[other] = explains(s, other, pages.evidence, count, pages.cards)
    wander(s, seat, count, FIRST_EXCHANGES, trust, rng, pages)
    return count


@compiled
def count_hands(scratch, knowledge, worlds, rng, trust, pages, counts):
    """Count in how many worlds every hand, and the deck, has how many cards of a weather."""
    count = begin(scratch, knowledge, rng, trust, pages)
    s = scratch[0]
    for _ in range(worlds):
        wander(s, knowledge.seat, count, EXCHANGES, trust, rng, pages)
        for weather in range(WEATHERS):
            counts[DECK, weather, s.deck[weather]] += 1
            for other in range(s.seats):
                counts[other, weather, s.hand[other, weather]] += 1


@compiled
def count_claims(scratch, knowledge, worlds, rng, trust, pages, counts):
    """Count in how many worlds the seat claims how many days at the end of the round."""
    seat = knowledge.seat
    count = begin(scratch, knowledge, rng, trust, pages)
    for _ in range(worlds):
        wander(scratch[0], seat, count, EXCHANGES, trust, rng, pages)
        scratch[1] = scratch[0]
        s = scratch[1]
        branch(s.chance, rng)
        imagine_tokens(s)
        play_round(s, s.round_number, 0.0, pages.forecast)
        counts[s.sheet[seat, s.round_number - 1, 1]] += 1
