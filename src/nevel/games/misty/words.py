"""The vocabulary of Misty: notation, questions, views for each seat and events."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from types import SimpleNamespace
from typing import Any, ClassVar

import msgspec
import numpy as np

from nevel.game.event import Event, Teller, TraceRow
from nevel.game.move import Move, Moves
from nevel.game.position import LazyRecord, Position
from nevel.game.vocabulary import Option, Outcome, View, Vocabulary, group_rows
from nevel.games.misty import events as story
from nevel.games.misty import rules
from nevel.games.misty.box import DRAWINGS, KINDS, split_kind
from nevel.games.misty.clauses import RULEBOOK
from nevel.games.misty.events import KIND_NAMES
from nevel.games.misty.rules import table, window
from nevel.languages import mark

PHASES = ("pick", "place", "activate", "over")
ARROWS = (None, "up", "down", "left", "right")


#: Windows that are kept, of all tables together, and boxes of which is known where their cards move.
WINDOWS_KEPT = 4096
ARROWS_KEPT = 64
#: A window as the rules have it.
Rows = tuple[tuple[int, ...], ...]


class CardView(msgspec.Struct, frozen=True, cache_hash=True):
    """A card in a window: where it lies now, and whether it has moved or is covered."""

    card: str
    space: str
    arrow: str | None
    has_moved: bool
    is_covered: bool


class WindowView(msgspec.Struct, frozen=True, cache_hash=True):
    """A window: its cards, and its extent as built (first and last space)."""

    first: str
    last: str
    cards: tuple[CardView, ...]


class PlayerView(msgspec.Struct, frozen=True):
    """A player as everybody sees them: others' windows stand still until all have finished."""

    seat: int
    window: WindowView
    wins: int
    score: int | None
    has_chosen: bool
    placing: str | None


class MistyView(View, frozen=True, kw_only=True):
    """Misty as one seat sees it."""

    phase: str
    round: int
    deal: int
    passes_left: bool
    held: int
    is_beginners: bool
    players: list[PlayerView]
    #: Which way each kind of card moves; turned ones only where there are some.
    arrows: dict[str, str | None]
    hand: dict[str, int] | None
    choice: str | None
    #: Where the card picked may be placed, or which cards can still move.
    open_spaces: list[str]


def space_name(space: int) -> str:
    """A space of the frame: column letter, row number, from the top left (`a1`) to the bottom right (`g7`)."""
    row, column = divmod(space, window.SIDE)
    return f"{'abcdefg'[column]}{row + 1}"


#: The names of all spaces.
SPACES = tuple(space_name(space) for space in range(window.SPACES))


def by_kind(counts: Any) -> dict[str, int]:
    """Cards counted by kind, those there are."""
    return {kind: count for kind, count in zip(KINDS, counts, strict=True) if count}


def notation(number: int, word: Callable[[str], str]) -> str:
    """`pick rocket`, `place b3`, `move c2`."""
    if number < table.PLACE:
        drawing, turned = split_kind(KINDS[number - table.PICK])
        return f"{word('pick')} {word(drawing)}{turned}"
    if number < table.MOVE:
        return f"{word('place')} {space_name(number - table.PLACE)}"
    return f"{word('move')} {space_name(number - table.MOVE)}"


#: The words of the notation, for the catalogues: nothing finds them inside the texts above.
NOTATION_WORDS = (mark("pick"), mark("place"), mark("move"))


def cards_in(rows: Rows) -> Iterator[tuple[int, int]]:
    """The spaces of a window that have a card, each with its kind."""
    return ((space, kind - 1) for space, kind in enumerate(chain.from_iterable(rows)) if kind)


@lru_cache(WINDOWS_KEPT)
def still_window(rows: Rows, first: int, last: int, arrows: tuple[int, ...]) -> WindowView:
    """A window nobody has activated: most are the same after a move."""
    cards = [CardView(KINDS[kind], SPACES[space], ARROWS[arrows[kind]], False, False) for space, kind in cards_in(rows)]
    return WindowView(SPACES[first], SPACES[last], tuple(cards))


@lru_cache(ARROWS_KEPT)
def arrows_of(arrows: tuple[int, ...]) -> dict[str, str | None]:
    """Which way each kind of card moves: by what is printed on it, so nearly always the same."""
    return {kind: ARROWS[arrow] for kind, arrow in zip(KINDS, arrows, strict=True) if arrow or kind in DRAWINGS}


class Misty(Vocabulary):
    """Misty's moves, questions, views and events."""

    name = "misty"
    rules = rules
    later_fields = table.LATER_FIELDS
    lengthened: ClassVar[Mapping[str, int]] = table.LENGTHENED
    moves = Moves(name, rules.MOVES, notation)
    view_type = MistyView
    options = (Option("beginners", (0, 1), "MI-V1", mark("Beginners' window of three by three")),)
    questions: ClassVar[dict[str, str]] = {
        "pick": mark("Pick a card from your hand."),
        "place": mark("Place the card in your window."),
        "activate": mark("Choose a card to move."),
    }

    def question(self, s: Position, seat: int) -> str:
        return PHASES[int(s.phase)]

    def has_private_moves(self, s: Position) -> bool:
        # Windows are activated side by side (MI-A1) and shown when all have finished.
        return s.phase == table.ACTIVATING

    def is_still_private(self, s: Position, seat: int, move: Move) -> bool:
        return move.number >= table.MOVE and self.has_private_moves(s)

    def describe(self, move: Move, teller: Teller) -> str:
        if move.number < table.PLACE:
            return teller.say(mark("Pick: {card}"), card=teller.say(KIND_NAMES[KINDS[move.number - table.PICK]]))
        if move.number < table.MOVE:
            return teller.say(mark("Place it on {space}"), space=space_name(move.number - table.PLACE))
        return teller.say(mark("Move the card on {space}"), space=space_name(move.number - table.MOVE))

    def common_view(self, s: Position) -> dict[str, Any]:
        is_over = s.phase == table.OVER
        return {
            "game": self.name,
            "seats": s.seats,
            "waiting_for": s.waiting_for,
            "is_over": is_over,
            "phase": PHASES[int(s.phase)],
            "round": s.round_number,
            "deal": s.deal + 1,
            "passes_left": bool(table.passes_left(s)),
            "held": s.held,
            "is_beginners": bool(s.beginners),
            # While windows are activated, nobody sees how far the others are.
            "players": [self.player_view(s, seat, s.activated[seat] if is_over else 0) for seat in range(s.seats)],
            "arrows": arrows_of(s.arrow),
            "hand": None,
            "choice": None,
            "open_spaces": [],
        }

    def own_view(self, s: Position, seat: int, common: dict[str, Any]) -> dict[str, Any]:
        choice = int(s.choice[seat])
        own: dict[str, Any] = {
            "hand": by_kind(s.hand[seat]),
            "choice": KINDS[choice - 1] if choice else None,
            "open_spaces": self.open_spaces(s, seat),
        }
        if s.activated[seat]:
            own["players"] = list(common["players"])
            own["players"][seat] = self.player_view(s, seat, s.activated[seat])
        return own

    def player_view(self, s: Position, seat: int, activated: int) -> PlayerView:
        """A player, with the window moved as far as `activated` says."""
        return PlayerView(
            seat=seat,
            window=self.window_view(s, seat, activated),
            wins=s.wins[seat],
            score=s.score[seat] if s.round_number > 1 or s.phase == table.OVER else None,
            has_chosen=bool(
                (s.phase == table.PICKING and s.chosen[seat]) or (s.phase == table.ACTIVATING and s.done[seat])
            ),
            placing=KINDS[int(s.choice[seat]) - 1] if s.phase == table.PLACING and s.choice[seat] else None,
        )

    def open_spaces(self, s: Position, seat: int) -> list[str]:
        """The spaces a seat may choose from now."""
        if s.phase == table.PICKING:
            return []
        first = table.PLACE if s.phase == table.PLACING else table.MOVE
        return [SPACES[move - first] for move in s.legal(seat)]

    def window_view(self, s: Position, seat: int, activated: int) -> WindowView:
        """A window's cards, moved as far as `activated` says; two on a space are covered or cover."""
        first: int = s.top[seat] * window.SIDE + s.left[seat]
        last: int = s.bottom[seat] * window.SIDE + s.right[seat]
        arrows: tuple[int, ...] = s.arrow
        if not activated:
            return still_window(s.window[seat], first, last, arrows)
        # The rules look into the window as NumPy does.
        frame = {"top": s.top, "bottom": s.bottom, "left": s.left, "right": s.right}
        moving = SimpleNamespace(window=np.array(s.window), arrow=arrows, **frame)
        cards: list[tuple[int, int, bool]] = []
        for space, kind in cards_in(s.window[seat]):
            has_moved = bool(activated >> space & 1)
            where = int(window.destination(moving, seat, *divmod(space, window.SIDE))) if has_moved else space
            if where >= 0:  # else it is out of the game (MI-A4)
                cards.append((kind, where, has_moved))
        stacks = Counter(where for _, where, _ in cards)
        return WindowView(
            SPACES[first],
            SPACES[last],
            tuple(
                [
                    CardView(KINDS[kind], SPACES[where], ARROWS[arrows[kind]], has_moved, stacks[where] > 1)
                    for kind, where, has_moved in cards
                ]
            ),
        )

    def events(self, rows: Sequence[TraceRow], before: LazyRecord) -> list[tuple[int, Event]]:
        return [(group[0].audience, self.event(group, before)) for group in group_rows(rows, {table.HAND: 1})]

    def event(self, group: list[TraceRow], before: LazyRecord) -> Event:
        kind = group[0].kind
        a, b, c, *_ = group[0].facts
        if kind == table.ROUND_BEGAN:
            return story.RoundBegan(a)
        if kind == table.HANDS_DEALT:
            return story.HandsDealt(a + 1, b, bool(c))
        if kind == table.HAND:
            return story.Hand(a, {KINDS[row.facts[1]]: row.facts[2] for row in group})
        if kind == table.PICK_CHOSEN:
            return story.PickChosen(a)
        if kind == table.PICK_READY:
            return story.PickReady(a, KINDS[b])
        if kind == table.PICKED:
            return story.Picked(a, KINDS[b])
        if kind == table.PLACED:
            return story.Placed(a, KINDS[b], space_name(c))
        if kind == table.HANDS_PASSED:
            return story.HandsPassed(bool(a))
        return self.activation_event(group, before)

    def activation_event(self, group: list[TraceRow], before: LazyRecord) -> Event:
        kind = group[0].kind
        a, b, c, *_ = group[0].facts
        if kind == table.ACTIVATION_CALLED:
            return story.ActivationCalled()
        if kind in (table.MOVE_READY, table.MOVED):
            row, column = divmod(b, window.SIDE)
            card = KINDS[int(before.window[a][row][column]) - 1]
            told = story.MoveReady if kind == table.MOVE_READY else story.Moved
            return told(a, card, space_name(b), space_name(c) if c >= 0 else None)
        if kind == table.ACTIVATION_DONE:
            return story.ActivationDone(a)
        if kind == table.EATEN:
            return story.Eaten(a, space_name(b), space_name(c))
        if kind == table.BLURRED:
            return story.Blurred(a, space_name(b))
        if kind == table.SCORED:
            return story.Scored(a, b)
        if kind == table.ROUND_WON:
            return story.RoundWon(a, b, c)
        return story.Ended(RULEBOOK.by_code[a].id)

    def tell_outcome(self, outcome: Outcome, teller: Teller) -> str:
        return teller.say_count(
            "{players} wins the game.",
            "{players} win the game together.",
            len(outcome.winners),
            players=teller.list_names(outcome.winners),
        )
