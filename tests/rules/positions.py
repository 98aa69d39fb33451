"""Positions to try the rules on: games begun by the rules themselves, and crafted ones.

A crafted position keeps what the rules rely on: every token and card is somewhere, exactly once.
"""

from collections.abc import Iterator, Sequence
from random import Random
from types import ModuleType

import numpy as np

from nevel.engine import chance, dispatch, tracing
from nevel.engine.compiling import IS_COMPILED, compiled
from nevel.game.box import Box
from nevel.games.misty import rules as misty
from nevel.games.misty.testing import conserved
from nevel.games.the_game import rules as the_game
from nevel.games.the_game.rules import extreme
from nevel.games.the_game.testing import conserved as cards_of_the_game
from nevel.games.what_the_fog import rules as what_the_fog
from nevel.games.what_the_fog.testing import card_counts as card_counts
from nevel.games.what_the_fog.testing import token_counts as token_counts

NAMES = {what_the_fog: "what-the-fog", the_game: "the-game", extreme: "extreme", misty: "misty"}
PLAIN_OPTIONS = {what_the_fog: (0,), the_game: (2, 0, 0), extreme: (2, 0, 0, 0), misty: (0,)}
BOXES = {game: Box.of(name).numbers for game, name in NAMES.items()}

#: Interpreted rules are a hundred times slower, so random tests do less of the same.
EFFORT = 1.0 if IS_COMPILED else 0.02


def amount(count: int) -> int:
    """How often to repeat a random test."""
    return max(1, int(count * EFFORT))


# ---------------------------------------------------------------- any game


def key(s: np.record, seed: int) -> None:
    """Give the record a chance of its own."""
    words = Random(seed)
    chance.key(s.chance, *(words.getrandbits(32) for _ in range(4)))


def begin(game: ModuleType, seats: int, options: Sequence[int] | None = None, seed: int = 1) -> np.record:
    """A game set up by the rules."""
    s = dispatch.new_states(game)[0]
    key(s, seed)
    given = PLAIN_OPTIONS[game] if options is None else options
    game.setup(s, seats, BOXES[game], np.array(given, np.int64), tracing.blank())
    return s


def copy_of(s: np.record) -> np.record:
    other = dispatch.new_states(dispatch.rules_of(s))
    other[0] = s
    return other[0]


def round_of(s: np.record) -> int:
    """The number of the round, whatever its field is called (NumPy's records have a method `round`)."""
    return int(s[round_field(s)])


def round_field(s: np.record) -> str:
    return next(name for name in s.dtype.names if "round" in name)


def refusal(s: np.record, seat: int, move: int) -> int:
    return int(dispatch.rules_of(s).refusal(s, seat, move))


def losing_clause(s: np.record, seat: int, move: int) -> int:
    return int(dispatch.rules_of(s).losing_clause(s, seat, move))


def act(s: np.record, seat: int, move: int) -> list[tuple[int, ...]]:
    """Make a legal move; gives the events, each as (kind, audience, facts …)."""
    assert refusal(s, seat, move) == 0, f"move {move} of seat {seat} is refused by clause {refusal(s, seat, move)}"
    trace = tracing.blank()
    dispatch.rules_of(s).apply(s, seat, move, trace)
    return [tuple(int(fact) for fact in row) for row in trace[1 : trace[0, 0] + 1]]


def heard_by(seat: int, events: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The events a seat gets to know of."""
    return [event for event in events if event[1] in (tracing.EVERYONE, seat)]


def of_kind(kind: int, events: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    return [event for event in events if event[0] == kind]


def seats_to_act(s: np.record) -> list[int]:
    waiting = int(dispatch.rules_of(s).waiting(s))
    return [seat for seat in range(s.seats) if waiting >> seat & 1]


@compiled
def write_refusals(s, seat, out):
    for move in range(out.shape[0]):
        out[move] = dispatch.refusal(s, seat, move)


def refusals(s: np.record, seat: int) -> np.ndarray:
    """What is said to every move there is."""
    out = np.zeros(dispatch.rules_of(s).MOVES, np.int64)
    write_refusals(s, seat, out)
    return out


def legal_moves(s: np.record, seat: int) -> list[int]:
    return [int(move) for move in np.flatnonzero(refusals(s, seat) == 0)]


def outcome(s: np.record) -> tuple[int, list[int], list[bool]]:
    """The clause that ended the game, and each seat's points and whether it won."""
    out = np.zeros((dispatch.MOST_SEATS, 2), np.int64)
    ended = int(dispatch.rules_of(s).outcome(s, out))
    return ended, [int(out[seat, 0]) for seat in range(s.seats)], [bool(out[seat, 1]) for seat in range(s.seats)]


def random_moves(s: np.record, random: Random, talk: float = 0.0) -> Iterator[tuple[int, int]]:
    """Play at random; yields seat and move just before the move is made. `talk`: how often a hint is given instead."""
    first_hint = the_game_moves_end(s)
    trace = tracing.blank()
    while seats := seats_to_act(s):
        seat = random.choice(range(s.seats) if random.random() < talk else seats)
        legal = legal_moves(s, seat)
        plays = [move for move in legal if move < first_hint]
        hints = [move for move in legal if move >= first_hint]
        if hints and (random.random() < talk or not plays):
            move = random.choice(hints)
        elif plays:
            move = random.choice(plays)
        else:
            continue
        yield seat, move
        trace[0, 0] = 0
        dispatch.rules_of(s).apply(s, seat, move, trace)


def the_game_moves_end(s: np.record) -> int:
    """Where the moves stop and the hints begin."""
    game = dispatch.rules_of(s)
    return PILE_HINTS if game in (the_game, extreme) else game.MOVES


# ---------------------------------------------------------------- What the Fog?!

RAIN, SNOW, FOG, CLOUDS, THUNDER, SUN = range(6)
PAIRS = [(a, b) for a in range(6) for b in range(a + 1, 6)]


def fog(seats: int = 3, number: int = 1, active: int = 0, seed: int = 1, is_long: bool = False) -> np.record:
    """Round `number`, empty days, rain, snow and fog on top of three piles of ten, hands as they fall."""
    s = begin(what_the_fog, seats, (int(is_long),), seed)
    s[round_field(s)], s.days = number, number + 3
    s.starter = s.active = s.predictor = active
    lay_tokens(s)
    deal_cards(s)
    return s


def lay_tokens(
    s: np.record,
    days: Sequence[Sequence[int]] = (),
    tops: Sequence[int | None] = (RAIN, SNOW, FOG),
    under: Sequence[int] = (9, 9, 9),
    lifted: int | None = None,
    supply: int | None = None,
) -> None:
    """Lay the tokens out anew: faces on the days, on top of the piles and in the hand; how many lie under each top.

    The rest is the supply. For a smaller one (`supply`), the rest goes below the last pile.
    """
    for field in ("day", "day_back", "filled", "top", "top_back", "under", "supply", "returned", "returned_back"):
        s[field][:] = 0
    faces = [face for day in days for face in day]
    faces += [top for top in tops if top is not None] + ([] if lifted is None else [lifted])
    backs, left = choose_backs(faces)
    taken = iter(zip(faces, backs, strict=True))
    for day, row in enumerate(days):
        for part in range(len(row)):
            face, back = next(taken)
            s.day[day, part], s.day_back[day, part] = 1 + face, 1 + back
        s.filled[day] = len(row)
    for pile, top in enumerate(tops):
        if top is not None:
            face, back = next(taken)
            s.top[pile], s.top_back[pile] = 1 + face, 1 + back
        for _ in range(under[pile]):
            s.under[pile, left.pop()] += 1
        s.pile_size[pile] = under[pile] + (top is not None)
    s.lifted = s.lifted_back = 0
    if lifted is not None:
        face, back = next(taken)
        s.lifted, s.lifted_back = 1 + face, 1 + back
    while supply is not None and len(left) > supply:
        s.under[2, left.pop()] += 1
        s.pile_size[2] += 1
    for pair in left:
        s.supply[pair] += 1
    s.supply_size = len(left)


def choose_backs(faces: Sequence[int]) -> tuple[list[int], list[int]]:
    """A different token for every face asked for: their backs, and the pairs of the tokens left over."""
    tokens = PAIRS * 3
    holder: dict[int, int] = {}

    def find(request: int, tried: set[int]) -> bool:
        for token, pair in enumerate(tokens):
            if faces[request] in pair and token not in tried:
                tried.add(token)
                if token not in holder or find(holder[token], tried):
                    holder[token] = request
                    return True
        return False

    assert all(find(request, set()) for request in range(len(faces))), "there aren't enough tokens with such faces"
    backs = [0] * len(faces)
    for token, request in holder.items():
        backs[request] = sum(tokens[token]) - faces[request]
    left = [PAIRS.index(tokens[token]) for token in range(45) if token not in holder]
    Random(len(left)).shuffle(left)
    return backs, left


def deal_cards(
    s: np.record,
    hands: Sequence[Sequence[int]] | None = None,
    shown: Sequence[Sequence[int]] = (),
    discards: Sequence[int] = (),
    is_deck_empty: bool = False,
) -> None:
    """Deal the cards anew: hidden hands, open cards, face-up discards; the rest is the deck.

    With an empty deck, what is left over lies open before the last player.
    """
    for field in ("hand", "held", "open", "deck", "discards", "away", "chosen", "choice"):
        s[field][:] = 0
    pool = [8] * 6
    if hands is None:
        hands = [[(seat + i) % 6 for i in range(s.days + 1)] for seat in range(s.seats)]
    for seat, hand in enumerate(hands):
        for weather in hand:
            s.hand[seat, weather] += 1
            s.held[seat] += 1
            pool[weather] -= 1
    for seat, cards in enumerate(shown):
        for weather in cards:
            s.open[seat, weather] += 1
            pool[weather] -= 1
    for weather in discards:
        s.discards[weather] += 1
        pool[weather] -= 1
    assert min(pool) >= 0, "there are eight cards of a weather"
    for weather in range(6):
        if is_deck_empty:
            s.open[s.seats - 1, weather] += pool[weather]
        else:
            s.deck[weather] = pool[weather]
    s.deck_size = sum(s.deck)


# ---------------------------------------------------------------- The Game and Extreme

END_TURN = 392
START = 393
PILE_HINTS = 394
CHOOSING, PLAYING, OVER = 0, 1, 2
UP_1, UP_2, DOWN_1, DOWN_2 = range(4)


def card_on(card: int, pile: int) -> int:
    """The move that plays a card on a pile."""
    return (card - 2) * 4 + pile


def piles(
    hands: Sequence[Sequence[int]],
    tops: Sequence[int] = (1, 1, 100, 100),
    left: int = 20,
    game: ModuleType = the_game,
    minimum: int = 2,
    hand_size: int = 6,
    phase: int = PLAYING,
    active: int = 0,
    seed: int = 1,
) -> np.record:
    """A position of The Game or Extreme at the start of a turn, with `left` of the other cards in the draw pile."""
    s = begin(game, len(hands), PLAIN_OPTIONS[game], seed)
    s.minimum, s.hand_size, s.phase, s.active, s.ended = minimum, hand_size, phase, active, 0
    s.need = minimum if left else 1
    s.played, s.began = 0, len(hands[active])
    for field in ("hand", "held", "deck", "hints", "hints_kept", "start_hints"):
        s[field][:] = 0
    s.tops[:] = tops
    s.where[:] = 0
    s.where[12:110] = 9
    for seat, hand in enumerate(hands):
        s.held[seat] = len(hand)
        for i, card in enumerate(hand):
            s.hand[seat, i] = card
            assert s.where[10 + card] == 9, "a card is in one hand only"
            s.where[10 + card] = 1 + seat
    free = [card for card in range(2, 100) if s.where[10 + card] == 9 and card not in tops]
    drawn = Random(seed).sample(free, left)
    for i, card in enumerate(drawn):
        s.deck[i] = card
        s.where[10 + card] = 0
    s.left = left
    if game is extreme:
        s.three, s.skulls, s.last = 0, 0, -1
        s.holds[:] = 0
        s.holds_kept[:] = 0
    return s


def check_98_cards(s: np.record) -> None:
    """Every card is in one hand, in the draw pile or on a pile, and all fields agree about it."""
    assert cards_of_the_game(s) == list(range(2, 100))


def hand_of(s: np.record, seat: int) -> list[int]:
    return sorted(int(card) for card in s.hand[seat, : s.held[seat]])


# ---------------------------------------------------------------- Misty

KINDS = (
    *("rocket", "balloon", "leaf", "raindrop", "truck", "scooter", "tractor", "unicycle"),
    *("heart", "star", "house", "smile", "flower", "monster"),
)
#: A picture of a window: arrows, plain cards (o), smiles, flowers and monsters.
PICTURED = {"^": (0, 1), "v": (2, 3), ">": (4, 5), "<": (6, 7), "o": (8, 9, 10), "s": (11,), "f": (12,), "m": (13,)}
CORNER = 1  # the row and column of a picture's first card


def space(row: int, column: int) -> int:
    """A space of a pictured window, as the rules number it."""
    return (CORNER + row) * 7 + CORNER + column


def windows(*pictures: str, is_small: bool = False, seed: int = 1) -> np.record:
    """Full windows about to be activated."""
    s = building(*pictures, is_small=is_small, seed=seed)
    s.phase, s.deal, s.held, s.passes = 2, 2 if is_small else 1, 0, 0
    for seat, picture in enumerate(pictures):
        s.done[seat] = not any(arrow in picture for arrow in "^v<>")
    return s


def building(*pictures: str, is_small: bool = False, seed: int = 1) -> np.record:
    """Windows as pictured (a dot is an empty space), hands still empty, all other cards aside.

    Pictures may need more plain cards than there are: then this position's box has as many as they need.
    """
    s = begin(misty, len(pictures), (int(is_small),), seed)
    for field in ("hand", "window", "laid", "activated", "order", "moves", "done", "chosen", "choice"):
        s[field][:] = 0
    left = [int(n) for n in s.count]
    for seat, picture in enumerate(pictures):
        cells = [
            (CORNER + row, CORNER + column, sign)
            for row, line in enumerate(picture.split())
            for column, sign in enumerate(line)
            if sign != "."
        ]
        for row, column, sign in cells:
            kind = next((kind for kind in PICTURED[sign] if left[kind]), PICTURED[sign][0])
            if left[kind]:
                left[kind] -= 1
            else:
                s.count[kind] += 1
            s.window[seat, row, column] = 1 + kind
        s.laid[seat] = len(cells)
        s.top[seat], s.bottom[seat] = min(c[0] for c in cells), max(c[0] for c in cells)
        s.left[seat], s.right[seat] = min(c[1] for c in cells), max(c[1] for c in cells)
    s.aside[:] = left
    s.aside_size = sum(left)
    s.held = 0
    return s


def kind_counts(s: np.record) -> list[int]:
    """How many cards of each kind there are, wherever they are."""
    return conserved(s)
