"""What the Fog?!: two to five players lay weather on days and predict how many days they will claim."""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

from nevel.engine import dispatch
from nevel.engine.compiling import compiled, helper
from nevel.engine.tracing import EVERYONE, note, note_further
from nevel.games.what_the_fog.rules.clauses import (
    FOG_A1,
    FOG_A3,
    FOG_A4,
    FOG_A5,
    FOG_C1,
    FOG_E2,
    FOG_P1,
    FOG_P2,
    FOG_S1,
    FOG_S4,
    FOG_T1,
    FOG_T2,
    FOG_T3,
    FOG_T5,
    FOG_T6,
    FOG_T7,
    FOG_T8,
)
from nevel.games.what_the_fog.rules.count import claim_days, outcome
from nevel.games.what_the_fog.rules.knowledge import conceal, imagine, observe
from nevel.games.what_the_fog.rules.legality import mark_moves
from nevel.games.what_the_fog.rules.table import (
    BOX,
    DAY_COMPLETED,
    DECK_RENEWED,
    DISCARD,
    DISCARD_CALLED,
    DISCARD_CHOSEN,
    DISCARDING,
    LIFT,
    LIFTED,
    LIFTING,
    MOVES,
    OBSERVATION,
    OPTIONS,
    OVER,
    PARTS,
    PILE_RENEWED,
    PILES,
    PLACE,
    PLACED,
    PLACING,
    PREDICTED,
    PREDICTING,
    RAISE,
    RETURN,
    RETURNED,
    REVEAL,
    REVEAL_CALLED,
    REVEAL_CHOSEN,
    REVEAL_SYMBOL,
    REVEALED,
    REVEALING,
    SEATS,
    STATE,
    SWAP,
    SWAP_DRAWN,
    SWAP_SKIPPED,
    SWAP_SYMBOL,
    SWAPPED,
    SWAPPING,
    WEATHERS,
    draw_card,
    fill_pile,
    seats_to_act,
    setup,
    turn_up,
    waiting,
)

__all__ = [
    "BOX",
    "MOVES",
    "OBSERVATION",
    "OPTIONS",
    "SEATS",
    "STATE",
    "VERSION",
    "WIDER_FIELDS",
    "apply",
    "conceal",
    "imagine",
    "is_secret",
    "losing_clause",
    "mark_moves",
    "observe",
    "outcome",
    "refusal",
    "setup",
    "waiting",
]

VERSION = 1
#: Fields that don't fit in eight bits, on a GPU.
WIDER_FIELDS = {"sheet": "i2", "influence": "i2"}


# ---------------------------------------------------------------- questions


@helper
def are_tops_equal(s):
    """Three piles that show the same weather (FOG-T6)."""
    return s.top[0] != 0 and s.top[0] == s.top[1] and s.top[0] == s.top[2]


@helper
def are_days_full(s):
    for day in range(s.days):
        if s.filled[day] < PARTS:
            return False
    return True


@helper
def phase_clause(s):
    """The clause that says what has to be done first, for a move out of its time."""
    if s.phase == LIFTING:
        return FOG_T2
    if s.phase == PLACING:
        return FOG_T3
    if s.phase == SWAPPING:
        return FOG_T8
    if s.phase == REVEALING:
        return FOG_A3
    return FOG_P1 if s.phase == PREDICTING else FOG_C1


@helper
def card_refusal(s, seat, weather):
    """Whether a hidden card of this weather can be given."""
    if s.hand[seat, weather] > 0:
        return 0
    return FOG_A4 if s.open[seat, weather] > 0 else FOG_S4


@helper
def choice_refusal(s, seat, weather, clause):
    """Whether the seat may choose this card now, together with the others (FOG-A3, FOG-C1)."""
    if s.held[seat] == 0:
        return FOG_A5
    return clause if s.chosen[seat] else card_refusal(s, seat, weather)


@compiled
def refusal(s, seat, move):
    """0 when the move is legal, else the clause that forbids it."""
    if s.phase == OVER:
        return FOG_E2
    if move < SWAP:
        return token_refusal(s, seat, move)
    if move < REVEAL:
        if s.phase != SWAPPING:
            return phase_clause(s)
        return FOG_A1 if seat != s.active else card_refusal(s, seat, move - SWAP)
    if move < RAISE:
        if s.phase != REVEALING:
            return phase_clause(s)
        return choice_refusal(s, seat, move - REVEAL, FOG_A3)
    if move < DISCARD:
        if s.phase != PREDICTING:
            return FOG_P1
        return 0 if seat == s.predictor else FOG_P2
    if s.phase != DISCARDING:
        return FOG_C1
    return choice_refusal(s, seat, move - DISCARD, FOG_C1)


@helper
def token_refusal(s, seat, move):
    """Lifting, returning and placing (FOG-T1 to FOG-T7)."""
    if s.phase > PLACING:
        return phase_clause(s)
    if seat != s.active:
        return FOG_T1
    if move < PLACE:
        if s.phase != LIFTING:
            return FOG_T3
        if move == RETURN:
            return 0 if are_tops_equal(s) else FOG_T6
        return 0 if s.pile_size[move - LIFT] > 0 else FOG_T7
    if s.phase != PLACING:
        return FOG_T2
    day = move - PLACE
    if day >= s.days:
        return FOG_S1
    return 0 if s.filled[day] < PARTS else FOG_T5


# ---------------------------------------------------------------- what moves do


@compiled
def apply(s, seat, move, trace):
    """Carry out a legal move, and what follows when nobody else has to do anything first."""
    if move < RETURN:
        lift(s, seat, move - LIFT, trace)
    elif move == RETURN:
        return_tops(s, seat, trace)
    elif move < SWAP:
        place(s, seat, move - PLACE, trace)
    elif move < REVEAL:
        swap(s, seat, move - SWAP, trace)
    elif move < RAISE:
        choose(s, seat, move - REVEAL, REVEAL_CHOSEN, trace)
    elif move < DISCARD:
        predict(s, seat, int(move == RAISE), trace)
    else:
        choose(s, seat, move - DISCARD, DISCARD_CHOSEN, trace)
    have_all_chosen = seats_to_act(s) == 0
    if s.phase == REVEALING and have_all_chosen:
        reveal(s, trace)
    if s.phase == PLACING and s.lifted == 0:
        after_action(s, trace)
    elif s.phase == DISCARDING and have_all_chosen:
        claim_days(s, trace)


@helper
def lift(s, seat, pile, trace):
    """FOG-T2, FOG-T3."""
    s.lifted = s.top[pile]
    s.lifted_back = s.top_back[pile]
    s.pile_size[pile] -= 1
    s.phase = PLACING
    note(trace, LIFTED, EVERYONE, seat, pile, s.lifted)
    renew_and_turn_up(s, pile, trace)


@helper
def renew_and_turn_up(s, pile, trace):
    if s.pile_size[pile] == 0 and s.supply_size > 0:
        fill_pile(s, pile)
        note(trace, PILE_RENEWED, EVERYONE, pile, s.pile_size[pile], s.supply_size)
    turn_up(s, pile, trace)


@helper
def return_tops(s, seat, trace):
    """FOG-T6."""
    note(trace, RETURNED, EVERYONE, seat, s.top[0], 0)
    for pile in range(PILES):
        s.returned[s.top[pile] - 1] += 1
        s.returned_back[s.top[pile] - 1, s.top_back[pile] - 1] += 1
        s.supply_size += 1
        s.pile_size[pile] -= 1
    for pile in range(PILES):
        renew_and_turn_up(s, pile, trace)


@helper
def place(s, seat, day, trace):
    """FOG-T5, FOG-T8. Unless the symbol asks for something, the phase stays as it is, with nothing lifted."""
    part = s.filled[day]
    s.day[day, part] = s.lifted
    s.day_back[day, part] = s.lifted_back
    s.filled[day] += 1
    s.lifted = 0
    s.lifted_back = 0
    s.last_day = day
    note(trace, PLACED, EVERYONE, seat, day, part)
    note_further(trace, s.day[day, part], 0)
    symbol = s.symbols[day, part]
    if symbol == SWAP_SYMBOL:
        call_swap(s, seat, trace)
    elif symbol == REVEAL_SYMBOL:
        note(trace, REVEAL_CALLED, EVERYONE, seat, 0, 0)
        ask_everyone(s, REVEALING)


@helper
def call_swap(s, seat, trace):
    """FOG-A1, unless there is nothing to swap (FOG-A2, FOG-A5)."""
    if s.deck_size == 0:
        # Before the player's own discard, so that nobody draws back what they just gave away.
        for weather in range(WEATHERS):
            s.deck[weather] = s.discards[weather]
            s.deck_size += s.discards[weather]
            s.discards[weather] = 0
        if s.deck_size > 0:
            note(trace, DECK_RENEWED, EVERYONE, s.deck_size, 0, 0)
    if s.deck_size == 0 or s.held[seat] == 0:
        note(trace, SWAP_SKIPPED, EVERYONE, seat, 0, 0)
    else:
        s.phase = SWAPPING


@helper
def ask_everyone(s, phase):
    """Everyone with a hidden card chooses one (FOG-A5)."""
    s.phase = phase
    for seat in range(s.seats):
        s.chosen[seat] = s.held[seat] == 0
        s.choice[seat] = 0


@helper
def swap(s, seat, weather, trace):
    s.hand[seat, weather] -= 1
    s.held[seat] -= 1
    s.discards[weather] += 1
    note(trace, SWAPPED, EVERYONE, seat, weather + 1, s.deck_size - 1)
    note(trace, SWAP_DRAWN, seat, seat, draw_card(s, seat) + 1, 0)
    s.phase = PLACING


@helper
def choose(s, seat, weather, event, trace):
    """Choose a card in secret, to reveal (FOG-A3) or to give up (FOG-C1); the event after it tells the seat which."""
    s.chosen[seat] = 1
    s.choice[seat] = weather + 1
    note(trace, event, EVERYONE, seat, 0, 0)
    note(trace, event + 1, seat, seat, weather + 1, 0)


@helper
def reveal(s, trace):
    """What was chosen is turned up together (FOG-A3)."""
    for seat in range(s.seats):
        weather = s.choice[seat] - 1
        if weather >= 0:
            s.hand[seat, weather] -= 1
            s.held[seat] -= 1
            s.open[seat, weather] += 1
            note(trace, REVEALED, EVERYONE, seat, weather + 1, 0)
    s.choice[:] = 0
    s.chosen[:] = 0
    s.phase = PLACING


@helper
def after_action(s, trace):
    """FOG-P1, or the next turn."""
    if s.filled[s.last_day] == PARTS:
        s.phase = PREDICTING
        s.predictor = s.active
        note(trace, DAY_COMPLETED, EVERYONE, s.last_day, s.active, 0)
    else:
        pass_turn(s)


@helper
def pass_turn(s):
    s.active = (s.active + 1) % s.seats
    s.phase = LIFTING


@helper
def predict(s, seat, raises, trace):
    """FOG-P2 to FOG-P4."""
    s.prediction[seat] += raises
    note(trace, PREDICTED, EVERYONE, seat, s.prediction[seat], raises)
    s.predictor = (s.predictor + 1) % s.seats
    if s.predictor != s.active:
        return
    if are_days_full(s):
        note(trace, DISCARD_CALLED, EVERYONE, 0, 0, 0)
        ask_everyone(s, DISCARDING)
    else:
        pass_turn(s)


@compiled
def is_secret(s, move):
    """Whether others don't see this move when it is made."""
    return REVEAL <= move < RAISE or move >= DISCARD


@compiled
def losing_clause(s, seat, move):
    """No move of this game loses it on the spot."""
    return 0


dispatch.register(__name__)
