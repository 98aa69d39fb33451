"""The vocabulary of What the Fog?!: notation, questions, views for each seat and events."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import add
from typing import Any, ClassVar

import msgspec

from nevel.game.event import Event, Teller, TraceRow
from nevel.game.move import Move, Moves
from nevel.game.position import LazyRecord, Position
from nevel.game.vocabulary import Option, Outcome, View, Vocabulary, group_rows
from nevel.games.what_the_fog import events as story
from nevel.games.what_the_fog import rules
from nevel.games.what_the_fog.box import WEATHERS
from nevel.games.what_the_fog.clauses import RULEBOOK
from nevel.games.what_the_fog.events import CARD_NAMES
from nevel.games.what_the_fog.rules import table
from nevel.languages import mark

SYMBOLS = (None, "swap", "reveal")
PHASES = ("lift", "place", "swap", "reveal", "predict", "discard", "over")
#: Entries of the caches of days, piles and players, for all tables together; and of each day, by the viewer's cards.
VIEW_CACHE_SIZE = 4096
HAND_CACHE_SIZE = 64


class PartView(msgspec.Struct, frozen=True, cache_hash=True):
    """A part of a day: its symbol and the weather laid on it."""

    symbol: str | None
    weather: str | None


class DayView(msgspec.Struct, frozen=True, cache_hash=True):
    """A day in play. `influence` is what the viewer's own cards count for on it as it lies."""

    day: int
    parts: tuple[PartView, ...]
    influence: int | None


class PileView(msgspec.Struct, frozen=True, cache_hash=True):
    """A pile: the token on top, and how many there are."""

    pile: int
    weather: str | None
    size: int


class SheetRow(msgspec.Struct, frozen=True, cache_hash=True):
    """A line of a score sheet: ?, ! and =."""

    predicted: int
    claimed: int
    score: int


class PlayerView(msgspec.Struct, frozen=True):
    """A player as everybody sees them."""

    seat: int
    held: int
    open: dict[str, int]
    prediction: int
    has_chosen: bool
    sheet: list[SheetRow]
    total: int


class WhatTheFogView(View, frozen=True, kw_only=True):
    """What the Fog?! as one seat sees it."""

    phase: str
    round: int
    days: list[DayView]
    piles: list[PileView]
    supply: int
    lifted: str | None
    deck: int
    discards: dict[str, int]
    starter: int
    active: int
    predictor: int | None
    players: list[PlayerView]
    hand: dict[str, int] | None
    choice: str | None


def weather_of(number: int) -> str:
    """A weather by the rules' number for a token: 1 to 6."""
    return WEATHERS[number - 1]


def by_weather(counts: Any) -> dict[str, int]:
    """Cards counted by weather, those there are."""
    return {weather: count for weather, count in zip(WEATHERS, counts, strict=True) if count}


# Most of a view is the same after a move, and at other tables: its parts are cached.


class DayViews(dict[tuple[int, ...] | None, DayView]):
    """A day as it lies, by the cards somebody counts on it, of each weather; None for those who have none."""

    def __init__(self, day: int, symbols: tuple[int, ...], tokens: tuple[int, ...]) -> None:
        super().__init__()
        parts = [
            PartView(SYMBOLS[symbol], weather_of(token) if token else None)
            for symbol, token in zip(symbols, tokens, strict=True)
        ]
        self.tokens = tokens
        self[None] = DayView(day + 1, tuple(parts), None)

    def __missing__(self, cards: tuple[int, ...]) -> DayView:
        influence = sum([cards[token - 1] for token in self.tokens if token])
        view = DayView(self[None].day, self[None].parts, influence)
        if len(self) < HAND_CACHE_SIZE:
            self[cards] = view
        return view


day_views = lru_cache(VIEW_CACHE_SIZE)(DayViews)


@lru_cache(VIEW_CACHE_SIZE)
def pile_view(pile: int, top: int, size: int) -> PileView:
    return PileView(pile + 1, weather_of(top) if top else None, size)


@lru_cache(VIEW_CACHE_SIZE)
def player_view(
    seat: int,
    held: int,
    open_cards: tuple[int, ...],
    prediction: int,
    has_chosen: bool,
    sheet: tuple[tuple[int, ...], ...],
    counted: int,
) -> PlayerView:
    """A player, with those rounds of the score sheet that are counted."""
    return PlayerView(
        seat=seat,
        held=held,
        open=by_weather(open_cards),
        prediction=prediction,
        has_chosen=has_chosen,
        sheet=[SheetRow(*row) for row in sheet[:counted]],
        total=sum(row[2] for row in sheet),
    )


def notation(number: int, word: Callable[[str], str]) -> str:
    """`lift 2`, `return`, `place day 4`, `swap snow`, `reveal fog`, `raise`, `pass`, `discard rain`."""
    if number < table.RETURN:
        return f"{word('lift')} {number - table.LIFT + 1}"
    if number == table.RETURN:
        return word("return")
    if number < table.SWAP:
        return f"{word('place')} {word('day')} {number - table.PLACE + 1}"
    if number < table.REVEAL:
        return f"{word('swap')} {word(WEATHERS[number - table.SWAP])}"
    if number < table.RAISE:
        return f"{word('reveal')} {word(WEATHERS[number - table.REVEAL])}"
    if number == table.RAISE:
        return word("raise")
    if number == table.PASS:
        return word("pass")
    return f"{word('discard')} {word(WEATHERS[number - table.DISCARD])}"


#: The words of the notation, for the catalogues: nothing finds them inside the texts above.
NOTATION_WORDS = (
    mark("lift"),
    mark("return"),
    mark("place"),
    mark("day"),
    mark("swap"),
    mark("reveal"),
    mark("raise"),
    mark("pass"),
    mark("discard"),
)


class WhatTheFog(Vocabulary):
    """What the Fog?!'s moves, questions, views and events."""

    name = "what-the-fog"
    rules = rules
    moves = Moves(name, rules.MOVES, notation)
    view_type = WhatTheFogView
    options = (Option("long_game", (0, 1), "FOG-S7", mark("Long game: every day starts empty")),)
    questions: ClassVar[dict[str, str]] = {
        "lift": mark("Lift a token from one of the piles."),
        "lift-or-return": mark("Lift a token, or return the three matching ones to the supply."),
        "place": mark("Place the token on a day."),
        "swap": mark("Swap: discard a card and draw another."),
        "reveal": mark("Choose a card to reveal."),
        "predict": mark("Raise your prediction by one, or pass?"),
        "discard": mark("Discard one hidden card, face down."),
    }

    def kept_by(self, move: Move) -> str | None:
        return "FOG-T3" if move.number < table.RETURN else None

    def question(self, s: Position, seat: int) -> str:
        if s.phase == table.LIFTING and table.RETURN in s.legal(seat):
            return "lift-or-return"
        return PHASES[int(s.phase)]

    def describe(self, move: Move, teller: Teller) -> str:
        number = move.number
        if number < table.RETURN:
            return teller.say(mark("Lift the token of pile {pile}"), pile=number - table.LIFT + 1)
        if number == table.RETURN:
            return teller.say(mark("Return the three matching tokens to the supply"))
        if number < table.SWAP:
            return teller.say(mark("Place it on day {day}"), day=number - table.PLACE + 1)
        if number < table.REVEAL:
            return teller.say(mark("Swap a {card}"), card=teller.say(CARD_NAMES[WEATHERS[number - table.SWAP]]))
        if number < table.RAISE:
            return teller.say(mark("Reveal a {card}"), card=teller.say(CARD_NAMES[WEATHERS[number - table.REVEAL]]))
        if number == table.RAISE:
            return teller.say(mark("Raise your prediction"))
        if number == table.PASS:
            return teller.say(mark("Pass"))
        return teller.say(mark("Discard a {card}"), card=teller.say(CARD_NAMES[WEATHERS[number - table.DISCARD]]))

    def common_view(self, s: Position) -> dict[str, Any]:
        is_choosing = s.phase in (table.REVEALING, table.DISCARDING)
        counted = table.ROUNDS if s.phase == table.OVER else s.round_number - 1
        days = s.found = [day_views(day, s.symbols[day], s.day[day]) for day in range(s.days)]
        return {
            "game": self.name,
            "seats": s.seats,
            "waiting_for": s.waiting_for,
            "is_over": s.phase == table.OVER,
            "phase": PHASES[int(s.phase)],
            "round": s.round_number,
            "days": [day[None] for day in days],
            "piles": [pile_view(pile, s.top[pile], s.pile_size[pile]) for pile in range(table.PILES)],
            "supply": s.supply_size,
            "lifted": weather_of(s.lifted) if s.lifted else None,
            "deck": s.deck_size,
            "discards": by_weather(s.discards),
            "starter": s.starter,
            "active": s.active,
            "predictor": s.predictor if s.phase == table.PREDICTING else None,
            "players": [
                player_view(
                    seat,
                    s.held[seat],
                    s.open[seat],
                    s.prediction[seat],
                    bool(is_choosing and s.chosen[seat]),
                    s.sheet[seat],
                    counted,
                )
                for seat in range(s.seats)
            ],
            "hand": None,
            "choice": None,
        }

    def own_view(self, s: Position, seat: int, common: dict[str, Any]) -> dict[str, Any]:
        cards = tuple(map(add, s.hand[seat], s.open[seat]))
        return {
            "days": [day[cards] for day in s.found],
            "hand": by_weather(s.hand[seat]),
            "choice": weather_of(s.choice[seat]) if s.choice[seat] else None,
        }

    def events(self, rows: Sequence[TraceRow], before: LazyRecord) -> list[tuple[int, Event]]:
        together = {table.HAND: 1, table.LAID_OPEN: 1, table.COUNTED: 1, table.CLAIMED: 1}
        return [(group[0].audience, self.event(group, before)) for group in group_rows(rows, together)]

    def event(self, group: list[TraceRow], before: LazyRecord) -> Event:
        kind = group[0].kind
        a, b, c, d, *_ = group[0].facts
        if kind == table.ROUND_BEGAN:
            return story.RoundBegan(a, b, c)
        if kind == table.LAID_OUT:
            return story.LaidOut(a + 1, weather_of(b))
        if kind == table.CAME_UP:
            return story.CameUp(a + 1, weather_of(b) if b else None, c)
        if kind == table.HAND:
            return story.Hand(a, {weather_of(row.facts[1]): row.facts[2] for row in group})
        if kind == table.LIFTED:
            return story.Lifted(a, b + 1, weather_of(c))
        if kind == table.RETURNED:
            return story.Returned(a, weather_of(b))
        if kind == table.PILE_RENEWED:
            return story.PileRenewed(a + 1, b, c)
        if kind == table.PLACED:
            return story.Placed(a, b + 1, c + 1, weather_of(d))
        if kind == table.DAY_COMPLETED:
            return story.DayCompleted(a + 1, b)
        if kind == table.PREDICTED:
            return story.Predicted(a, b, bool(c))
        return self.card_event(group, before)

    def card_event(self, group: list[TraceRow], before: LazyRecord) -> Event:
        kind = group[0].kind
        a, b, c, *_ = group[0].facts
        if kind == table.SWAPPED:
            return story.Swapped(a, weather_of(b), c)
        if kind == table.SWAP_DRAWN:
            return story.SwapDrawn(a, weather_of(b))
        if kind == table.SWAP_SKIPPED:
            return story.SwapSkipped(a)
        if kind == table.DECK_RENEWED:
            return story.DeckRenewed(a)
        if kind == table.REVEAL_CALLED:
            return story.RevealCalled(a)
        if kind == table.REVEAL_CHOSEN:
            return story.RevealChosen(a)
        if kind == table.REVEAL_READY:
            return story.RevealReady(a, weather_of(b))
        if kind == table.REVEALED:
            return story.Revealed(a, weather_of(b))
        if kind == table.DISCARD_CALLED:
            return story.DiscardCalled()
        if kind == table.DISCARD_CHOSEN:
            return story.DiscardChosen(a)
        if kind == table.DISCARD_READY:
            return story.DiscardReady(a, weather_of(b))
        return self.count_event(group, before)

    def count_event(self, group: list[TraceRow], before: LazyRecord) -> Event:
        kind = group[0].kind
        facts = group[0].facts
        if kind == table.LAID_OPEN:
            return story.LaidOpen(facts[0], {weather_of(row.facts[1]): row.facts[2] for row in group})
        if kind == table.COUNTED:
            tokens = [weather_of(weather) for weather in before.day[facts[0]]]
            return story.DayCounted(facts[0] + 1, tokens, [row.facts[2] for row in group])
        if kind == table.CLAIMED:
            return story.DayClaimed(facts[0] + 1, [row.facts[1] for row in group], facts[2])
        if kind == table.SCORED:
            return story.Scored(*facts[:5])
        return story.Ended(RULEBOOK.by_code[facts[0]].id)

    def tell_outcome(self, outcome: Outcome, teller: Teller) -> str:
        return teller.say_count(
            "{players} wins with a total of {points}.",
            "{players} share the victory with a total of {points}.",
            len(outcome.winners),
            players=teller.list_names(outcome.winners),
            points=teller.language.say_number(outcome.points[outcome.winners[0]]),
        )
