"""How likely others' hands and the end of a round are in What the Fog?!: worlds that fit what was done, counted."""

from nevel.engine.chance import branch
from nevel.engine.compiling import compiled, helper
from nevel.engine.dispatch import MOST_SEATS
from nevel.games.what_the_fog.bots.evidence import explains, gather, wander
from nevel.games.what_the_fog.bots.mind import EXCHANGES, FIRST_EXCHANGES
from nevel.games.what_the_fog.bots.round import play_round
from nevel.games.what_the_fog.rules.knowledge import imagine_cards, imagine_tokens
from nevel.games.what_the_fog.rules.table import WEATHERS

#: The row of the deck, after those of the hands.
DECK = MOST_SEATS


@helper
def begin(scratch, states, movers, moves, seat, rng, trust, e, f, logs, cards):
    """Make the first record hands that explain what was done; gives how many rows of evidence there are."""
    count = gather(states, movers, moves, seat, e, f)
    scratch[0] = states[moves.shape[0]]
    s = scratch[0]
    branch(s.chance, rng)
    imagine_cards(s, seat)
    for other in range(s.seats):
        logs[other] = explains(s, other, e, count, cards)
    wander(s, seat, e, count, FIRST_EXCHANGES, trust, rng, logs, cards)
    return count


@compiled
def count_hands(scratch, states, movers, moves, seat, worlds, rng, trust, e, f, logs, cards, counts):
    """Count in how many worlds every hand, and the deck, has how many cards of a weather."""
    count = begin(scratch, states, movers, moves, seat, rng, trust, e, f, logs, cards)
    s = scratch[0]
    for _ in range(worlds):
        wander(s, seat, e, count, EXCHANGES, trust, rng, logs, cards)
        for weather in range(WEATHERS):
            counts[DECK, weather, s.deck[weather]] += 1
            for other in range(s.seats):
                counts[other, weather, s.hand[other, weather]] += 1


@compiled
def count_claims(scratch, states, movers, moves, seat, worlds, rng, trust, e, f, logs, cards, counts):
    """Count in how many worlds the seat claims how many days at the end of the round."""
    count = begin(scratch, states, movers, moves, seat, rng, trust, e, f, logs, cards)
    for _ in range(worlds):
        wander(scratch[0], seat, e, count, EXCHANGES, trust, rng, logs, cards)
        scratch[1] = scratch[0]
        s = scratch[1]
        branch(s.chance, rng)
        imagine_tokens(s)
        play_round(s, 0.0, f)
        counts[s.sheet[seat, s.round_number - 1, 1]] += 1
