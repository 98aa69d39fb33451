"""Imagines hands in What the Fog?! that explain what others did, and plays rounds out with them (compiled)."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.bots.playing_out import PLAYOUTS, POINTS, SQUARES, WINS
from nevel.engine.chance import branch
from nevel.engine.compiling import compiled, helper
from nevel.games.what_the_fog.bots.evidence import explains, gather, wander
from nevel.games.what_the_fog.bots.forecast import look
from nevel.games.what_the_fog.bots.round import chance_to_win, choose_for, make_move, play_round
from nevel.games.what_the_fog.bots.strong import NEVER, weigh, worth_of_token
from nevel.games.what_the_fog.rules.knowledge import imagine_cards, imagine_tokens
from nevel.games.what_the_fog.rules.table import DAYS, PARTS, PILES

#: Exchanges of cards before the first world, and between two.
FIRST_EXCHANGES = 60
EXCHANGES = 8


@compiled
def judge_tokens(s, seat, f, worths):
    """What lifting each pile for each day gains at a glance."""
    look(s, seat, 0.0, f)
    weigh(s, seat, f)
    for pile in range(PILES):
        for day in range(DAYS):
            worths[pile, day] = NEVER
            if s.top[pile] and day < s.days and s.filled[day] < PARTS:
                worths[pile, day] = worth_of_token(s.top[pile] - 1, day, f)


@compiled
def sample(scratch, knowledge, plans, live, worlds, rng, trust, insight, pages, totals):
    """Play every live plan out in imagined worlds. The second record holds the hands imagined last, to go on from."""
    seat, f = knowledge.seat, pages.forecast
    count = gather(knowledge.states, knowledge.movers, knowledge.moves, seat, pages.evidence, f)
    s = scratch[1]
    is_first = s.seats == 0
    if is_first:
        scratch[1] = scratch[0]
        branch(s.chance, rng)
        imagine_cards(s, seat)
    for other in range(s.seats):
        pages.logs[other] = explains(s, other, pages.evidence, count, pages.cards)
    if is_first:
        wander(s, seat, count, FIRST_EXCHANGES, trust, rng, pages)
    for _ in range(worlds):
        wander(s, seat, count, EXCHANGES, trust, rng, pages)
        branch(s.chance, rng)
        imagine_tokens(s)
        for other in range(s.seats):
            if other != seat and s.chosen[other] and s.held[other]:
                choose_for(s, other, insight, f)
        for i in range(plans.shape[0]):
            if live[i]:
                scratch[2] = scratch[1]
                play_plan(scratch[2], seat, plans[i], insight, f, totals[i])


@helper
def play_plan(s, seat, plan, insight, f, totals):
    """Make the plan's moves, play the round out and add up what came of it."""
    number = s.round_number
    for move in plan:
        if move >= 0:
            make_move(s, seat, move)
    play_round(s, number, insight, f)
    value = chance_to_win(s, seat)
    totals[PLAYOUTS] += 1
    totals[WINS] += value
    totals[SQUARES] += value * value
    totals[POINTS] += s.sheet[seat, s.round_number - 1, 2]
