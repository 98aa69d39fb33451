"""What lies on the table in What the Fog?!: piles of tokens, supply and deck, the barometer, and the days."""

from msgspec import Struct

from nevel.game.event import Teller
from nevel.games.what_the_fog.box import WEATHERS
from nevel.games.what_the_fog.events import TOKEN_NAMES, WEATHER_NAMES
from nevel.games.what_the_fog.web.past import NO_ORDER, PredictionOrder, Recalled
from nevel.games.what_the_fog.web.standing import Barometer, Dial
from nevel.games.what_the_fog.words import DayView, PartView, PileView, WhatTheFogView
from nevel.languages import Language, mark
from nevel.web.rendering.board import Look
from nevel.web.rendering.fragment import Fragment, Inner, Parts, Text, Values, made_once

TIMES = ("morning", "midday", "evening", "night")
TIME_NAMES = (mark("morning"), mark("noon"), mark("evening"), mark("night"))
SYMBOL_NAMES = {"swap": mark("swap symbol"), "reveal": mark("reveal symbol")}

#: How many cards of some weathers are the viewer's; None where that isn't told.
Counts = tuple[int | None, ...]


def own_cards(board: WhatTheFogView) -> tuple[int, ...] | None:
    """How many cards of each weather the viewer has, hidden and open; what the viewer has given up doesn't count."""
    if board.you is None:
        return None
    hand, open_cards = board.hand or {}, board.players[board.you].open
    return tuple([hand.get(weather, 0) + open_cards.get(weather, 0) for weather in WEATHERS])


def yours(own: tuple[int, ...] | None, weather: str | None) -> int | None:
    """How many cards of a weather are the viewer's."""
    return own[WEATHERS.index(weather)] if own and weather else None


#: HeldCards by weather, those there are.
HeldCards = tuple[tuple[str, int], ...]


def cards(counts: HeldCards, teller: Teller) -> list[Values]:
    """Cards by weather."""
    return [
        {"weather": weather, "name": teller.say(WEATHER_NAMES[weather]), "count": count} for weather, count in counts
    ]


class DayPart(Fragment, frozen=True):
    """A part of a day: its token, or what waits there for one. `yours` is how many cards of that weather one has."""

    template = "what-the-fog/part.html"
    day: int
    number: int
    part: PartView
    yours: int | None
    is_next: bool

    @property
    def id(self) -> str:
        return f"part-{self.day}-{self.number + 1}"

    def fill(self, teller: Teller) -> Values:
        return {
            "day": self.day,
            "part": self.number + 1,
            "time": TIMES[self.number],
            "weather": self.part.weather,
            "symbol": self.part.symbol,
            "yours": self.yours,
            "is_next": self.is_next,
            "says": say_part(teller.language, self.number, self.part, self.yours),
        }


class DayFragment(Fragment, frozen=True):
    """A day; `influence` is the viewer's own. Its parts show how many cards of a weather are the viewer's."""

    template = "what-the-fog/day.html"
    day: int
    influence: Text
    is_full: bool
    #: Where the next token would come to lie, to whom it is offered to lay it there.
    offer: "Offer | None"
    part_views: Inner[tuple[PartView, ...]]
    yours: Inner[Counts]

    @property
    def id(self) -> str:
        return f"day-{self.day}"

    def parts(self) -> Parts:
        laid = count_laid(self.part_views)
        return {
            "parts": tuple(
                [
                    DayPart(self.day, number, part, self.yours[number], number == laid)
                    for number, part in enumerate(self.part_views)
                ]
            )
        }

    def fill(self, teller: Teller) -> Values:
        influence = self.influence
        return {
            "day": self.day,
            "influence": influence,
            "is_full": self.is_full,
            "title": teller.say(mark("Day {day}"), day=self.day),
            "influence_label": teller.say(mark("Your influence: {influence}"), influence=influence)
            if influence
            else "",
            "move": f"place day {self.day}" if self.offer else "",
            "label": self.offer.say(self.day, teller) if self.offer else "",
        }


class Offer(Struct, frozen=True):
    """What lies on a day, and the part on which a token would come to lie."""

    laid: tuple[str, ...]
    number: int
    part: PartView

    def say(self, day: int, teller: Teller) -> str:
        """Whoever goes from day to day by ear hears what lies there, and what the token would come to lie on."""
        said = say_part(teller.language, self.number, self.part, None)
        if self.laid:
            laid = ", ".join([teller.say(WEATHER_NAMES[weather]) for weather in self.laid])
            said = teller.say(mark("{laid}; next is {part}"), laid=laid, part=said)
        return teller.language.say_pair(teller.say(mark("Place it on day {day}"), day=day), said)


def count_laid(parts: tuple[PartView, ...]) -> int:
    """How many tokens lie on a day."""
    return sum([part.weather is not None for part in parts])


@made_once
def draw_day(day: DayView, own: tuple[int, ...] | None, is_offered: bool) -> DayFragment:
    # Of weathers that don't lie there it doesn't matter how many cards the viewer has.
    counts = tuple([yours(own, part.weather) for part in day.parts])
    number = count_laid(day.parts)
    offer = None
    if is_offered:
        offer = Offer(tuple([part.weather for part in day.parts if part.weather]), number, day.parts[number])
    influence = Text("" if day.influence is None else str(day.influence))
    return DayFragment(day.day, influence, number == len(day.parts), offer, day.parts, counts)


def say_part(language: Language, number: int, part: PartView, count: int | None) -> str:
    """Evening: snow, 2 of yours. Or: evening: empty, swap symbol."""
    time = language.say(TIME_NAMES[number])
    said = [language.say(WEATHER_NAMES[part.weather]) if part.weather else language.say(mark("empty"))]
    if count is not None:
        said.append(language.say(mark("{count} yours"), count=count))
    if part.symbol:
        said.append(language.say(SYMBOL_NAMES[part.symbol]))
    return language.say_pair(time, ", ".join(said))


class Week(Fragment, frozen=True):
    """All days in play; `own` are the viewer's cards."""

    template = "what-the-fog/week.html"
    element = "week"
    count: int
    days: Inner[tuple[DayView, ...]]
    own: Inner[tuple[int, ...] | None]
    #: The days on which the viewer may lay a token.
    offered: Inner[frozenset[str]]

    def parts(self) -> Parts:
        return {"days": tuple([draw_day(day, self.own, f"place day {day.day}" in self.offered) for day in self.days])}


def draw_week(look: Look) -> Week:
    board = look.board
    assert isinstance(board, WhatTheFogView)
    offered = look.moves if board.phase == "place" else NOTHING_OFFERED
    return Week(len(board.days), tuple(board.days), own_cards(board), offered)


NOTHING_OFFERED = frozenset[str]()


class TokenPileFragment(Fragment, frozen=True):
    """A pile of tokens; `is_fresh` is the one last lifted from."""

    template = "what-the-fog/pile.html"
    pile: PileView
    yours: Text
    is_offered: bool
    is_fresh: bool

    @property
    def id(self) -> str:
        return f"pile-{self.pile.pile}"

    def fill(self, teller: Teller) -> Values:
        pile = self.pile
        if pile.weather is None:
            title = teller.say(mark("Pile {pile} is empty."), pile=pile.pile)
        else:
            title = teller.say_count(
                "Pile {pile}: {weather}, {count} token",
                "Pile {pile}: {weather}, {count} tokens",
                pile.size,
                pile=pile.pile,
                weather=teller.say(WEATHER_NAMES[pile.weather]),
            )
        label = teller.say(mark("Lift the token of pile {pile}"), pile=pile.pile) if self.is_offered else ""
        return {
            "pile": pile.pile,
            "weather": pile.weather,
            "size": pile.size,
            "title": title,
            "yours": self.yours,
            "is_fresh": self.is_fresh,
            "move": f"lift {pile.pile}" if self.is_offered else "",
            "label": f"{label}. {title}" if label else "",
        }


class LiftedFragment(Fragment, frozen=True):
    """The token that was lifted and waits to be laid, and by whom; or its empty place."""

    template = "what-the-fog/lifted.html"
    element = "lifted"
    weather: str | None
    seat: int
    pile: int
    yours: Text
    can_drag: bool

    def fill(self, teller: Teller) -> Values:
        title = ""
        if self.weather:
            token = teller.say(TOKEN_NAMES[self.weather])
            title = teller.say(mark("{player} has lifted: {token}"), player=teller.name(self.seat), token=token)
        return super().fill(teller) | {"title": title}


class Stock(Fragment, frozen=True):
    """What is left to draw from, and what was discarded face up."""

    template = "what-the-fog/stock.html"
    element = "stock"
    supply: int
    deck: int
    discards: HeldCards

    def fill(self, teller: Teller) -> Values:
        supply, deck = self.supply, self.deck
        return {
            "supply": supply,
            "supply_label": teller.say_count("{count} token in the supply", "{count} tokens in the supply", supply),
            "deck": deck,
            "deck_label": teller.say_count("{count} card in the deck", "{count} cards in the deck", deck),
            "discards": cards(self.discards, teller),
        }


class Market(Fragment, frozen=True):
    """Piles, the lifted token, supply and deck."""

    template = "what-the-fog/market.html"
    element = "market"
    can_return: bool
    piles: Inner[tuple[PileView, ...]]
    own: Inner[tuple[int, ...] | None]
    #: The moves of the viewer, if they are to lift a token.
    offered: Inner[frozenset[str]]
    #: The pile last lifted from.
    lifted_from: Inner[int]
    lifted: LiftedFragment
    stock: Stock

    def parts(self) -> Parts:
        return {
            "piles": tuple(
                [
                    TokenPileFragment(
                        pile,
                        Text(str(yours(self.own, pile.weather) or "")),
                        f"lift {pile.pile}" in self.offered,
                        pile.pile == self.lifted_from,
                    )
                    for pile in self.piles
                ]
            ),
            "lifted": self.lifted,
            "stock": self.stock,
        }


class Sky(Fragment, frozen=True):
    """What lies above the days: the market, who predicts when, the barometer."""

    template = "what-the-fog/sky.html"
    element = "above"
    market: Market
    order: PredictionOrder
    barometer: Barometer


NO_LIFTED = LiftedFragment(None, 0, 0, Text(""), False)


def draw_sky(look: Look, recalled: Recalled | None) -> Sky:
    board = look.board
    assert isinstance(board, WhatTheFogView)
    own = own_cards(board)
    lifted, lifted_from = NO_LIFTED, 0
    if board.lifted is not None:
        lifted_from = recalled.pile if recalled else 0
        count = yours(own, board.lifted)
        lifted = LiftedFragment(
            board.lifted,
            board.active,
            lifted_from,
            Text("" if count is None else str(count)),
            look.prompt is not None,
        )
    market = Market(
        "return" in look.moves,
        tuple(board.piles),
        own,
        look.moves if board.phase == "lift" else NOTHING_OFFERED,
        lifted_from,
        lifted,
        Stock(board.supply, board.deck, tuple(board.discards.items())),
    )
    predictions = tuple([Text(str(player.prediction)) for player in board.players])
    barometer = Barometer(
        board.round,
        Dial(len(board.days), board.you, board.predictor, predictions),
    )
    order = PredictionOrder.of(board, recalled) if recalled and board.predictor is not None else NO_ORDER
    return Sky(market, order, barometer)
