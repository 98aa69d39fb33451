"""The board of What the Fog?!"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import ClassVar

from nevel.game.event import Event, Teller
from nevel.games.what_the_fog.box import WEATHERS
from nevel.games.what_the_fog.events import CARD_NAMES, TOKEN_NAMES, WEATHER_NAMES
from nevel.games.what_the_fog.web.figures import Day, Influence, Predictions, Sheets, TokenPiles
from nevel.games.what_the_fog.web.past import Recalled, look_back
from nevel.games.what_the_fog.web.standing import BAROMETER, SHEETS, signed
from nevel.games.what_the_fog.words import DayView, PartView, PileView, WhatTheFogView
from nevel.languages import Language, mark
from nevel.tables.domain.table import PLAYING
from nevel.tables.views.view import TableView
from nevel.web.help.figures import Cards
from nevel.web.help.guide import COMMON_POINTS
from nevel.web.rendering.board import Board, MistLook, SeatFact, Values, fact
from nevel.web.rendering.pieces import Piece, together, written

TIMES = ("morning", "midday", "evening", "night")
TIME_NAMES = (mark("morning"), mark("noon"), mark("evening"), mark("night"))
SYMBOL_NAMES = {"swap": mark("swap symbol"), "reveal": mark("reveal symbol")}
#: What is done with a card, by the phase in which it is done.
CARD_MOVES = {
    "swap": mark("Swap a {card}"),
    "reveal": mark("Reveal a {card}"),
    "discard": mark("Discard a {card}"),
}
CHOICES = {"reveal": mark("You will reveal this one."), "discard": mark("You discard this one.")}


class WhatTheFogBoard(Board):
    """Days, piles of tokens, the barometer, cards by weather, score sheets."""

    figures = TokenPiles | Day | Influence | Predictions | Sheets | Cards
    guide_points: ClassVar[dict[str, str]] = {
        "days": "the day boards in play",
        "piles": "the three piles of tokens",
        "supply": "the supply with its count",
        "barometer": "the barometer with everybody's arrow",
        "hand": COMMON_POINTS["hand"],
        "revealed": "the open cards before the players",
        "markers": "the starting player sun and the cloud",
        "predictions": "the buttons to raise or pass",
        "score": "the score sheets",
    }
    mist = MistLook(deck=mark("Deck"), icons="weather", names=WEATHER_NAMES, shows_impossible=True)
    puzzle_parts = frozenset({"board", "side"})

    def draw(
        self,
        view: TableView,
        teller: Teller,
        doomed: Mapping[str, str],
        suffix: str = "",
        recalled: Recalled | None = None,
    ) -> Values:
        board = view.board
        assert isinstance(board, WhatTheFogView)
        moves = frozenset(view.prompt.moves if view.prompt else ())
        language, own = teller.language, own_cards(board)
        names = tuple(teller.names[: board.seats])
        players = board.players
        you = None if board.you is None else players[board.you]
        hand = None if board.hand is None else tuple(board.hand.items())
        offered = tuple([weather for weather, _ in hand or () if f"{board.phase} {weather}" in moves])
        # Where nothing is done with cards it doesn't matter to them what is done.
        card_phase = board.phase if offered or board.choice else ""
        open_cards = tuple(you.open.items()) if you else ()
        round_now = 0 if board.is_over else board.round
        return {
            "days": together([draw_day(day, own, f"place day {day.day}" in moves, language) for day in board.days]),
            "days_count": len(board.days),
            "piles": [draw_pile(pile, f"lift {pile.pile}" in moves, own, language) for pile in board.piles],
            "can_return": "return" in moves,
            "lifted": draw_lifted(board, own, teller),
            "stock": STOCK(language, board.supply, board.deck, tuple(board.discards.items())),
            "barometer": BAROMETER(
                language,
                board.round,
                len(board.days),
                board.you,
                board.predictor,
                tuple([player.prediction for player in players]),
                shown=names,
            ),
            "hand": HAND(language, suffix, card_phase, hand, open_cards, board.choice, offered)
            if hand is not None and view.phase == PLAYING
            else "",
            "raise": raise_label(board, moves, teller),
            "pass": pass_label(board, moves, teller),
            "sheets": SHEETS(
                language,
                board.you,
                round_now,
                tuple([(player.prediction, player.total, tuple(player.sheet)) for player in players]),
                shown=names,
            ),
        }

    def recall(self, told: Iterator[Event], is_over: bool) -> Recalled:
        return Recalled(told, is_over)

    def look_back(self, view: TableView, recalled: Recalled, teller: Teller) -> Values:
        assert isinstance(view.board, WhatTheFogView)
        return look_back(view.board, recalled, teller)

    def seat_facts(self, view: TableView, seat: int, teller: Teller) -> list[SeatFact]:
        board = view.board
        assert isinstance(board, WhatTheFogView)
        player = board.players[seat]
        facts: list[SeatFact] = []
        if not board.is_over:
            if seat == board.starter:
                facts.append(fact("marker-sun", "", teller.say(mark("has the sun: started this round"))))
            if seat == board.active and board.predictor is not None:
                facts.append(fact("marker-cloud", "", teller.say(mark("has the cloud: completed the day"))))
            if player.has_chosen:
                facts.append(fact("check", "", teller.say(mark("has chosen"))))
        held = teller.say_count("{count} card in hand", "{count} cards in hand", player.held)
        facts.append(fact("back-what-the-fog", player.held, held))
        if player.sheet:
            total = teller.say(mark("total {points}"), points=signed(player.total))
            facts.append(fact("trophy", signed(player.total), total))
        return facts + [shown(card, teller) for card in cards(tuple(player.open.items()), teller)]


#: How many cards of each weather somebody has, in the order of the weathers.
Counts = tuple[int, ...]


def own_cards(board: WhatTheFogView) -> Counts | None:
    """How many cards of each weather the viewer has, hidden and open; what the viewer has given up doesn't count."""
    if board.you is None:
        return None
    hand, open_cards = board.hand or {}, board.players[board.you].open
    return tuple([hand.get(weather, 0) + open_cards.get(weather, 0) for weather in WEATHERS])


def yours(own: Counts | None, weather: str | None) -> int | None:
    """How many cards of a weather are the viewer's."""
    return own[WEATHERS.index(weather)] if own and weather else None


#: HeldCards by weather, those there are.
HeldCards = tuple[tuple[str, int], ...]


def cards(counts: HeldCards, teller: Teller) -> list[Values]:
    """Cards by weather."""
    return [
        {"weather": weather, "name": teller.say(WEATHER_NAMES[weather]), "count": count} for weather, count in counts
    ]


def shown(card: Values, teller: Teller) -> SeatFact:
    """What a player has revealed, in the strip of players."""
    title = teller.say(mark("revealed: {count} {weather}"), count=card["count"], weather=card["name"])
    return fact(f"weather-{card['weather']}", card["count"] if card["count"] > 1 else "", title)


# ---------------------------------------------------------------- tokens


def draw_day(day: DayView, own: Counts | None, is_offered: bool, language: Language) -> str:
    """A day, with how many cards the viewer has of the weathers that lie there: of others it doesn't matter."""
    return DAY(language, day, tuple([yours(own, part.weather) for part in day.parts]) if own else None, is_offered)


def fill_day(teller: Teller, day: DayView, counts: tuple[int | None, ...] | None, is_offered: bool) -> Values:
    given = counts or (None,) * len(day.parts)
    parts = [draw_part(part, number, given[number], teller) for number, part in enumerate(day.parts)]
    filled = sum(part.weather is not None for part in day.parts)
    if filled < len(parts):
        parts[filled]["is_next"] = True
    label = ""
    if is_offered:
        # Whoever goes from day to day by ear hears what lies there, and what the token would come to lie on.
        said = parts[filled]["says"]
        if laid := ", ".join(teller.say(WEATHER_NAMES[part.weather]) for part in day.parts if part.weather):
            said = teller.say(mark("{laid}; next is {part}"), laid=laid, part=said)
        label = teller.language.say_pair(teller.say(mark("Lay it on day {day}"), day=day.day), said)
    influence = day.influence
    return {
        "day": day.day,
        "title": teller.say(mark("Day {day}"), day=day.day),
        "parts": parts,
        "influence": influence,
        "influence_label": ""
        if influence is None
        else teller.say(mark("Your influence: {influence}"), influence=influence),
        "is_full": filled == len(parts),
        "move": f"place day {day.day}" if is_offered else "",
        "label": label,
    }


DAY = Piece("what-the-fog/day.html", fill_day)


def draw_part(part: PartView, number: int, count: int | None, teller: Teller) -> Values:
    return {
        "part": number + 1,
        "time": TIMES[number],
        "weather": part.weather,
        "symbol": part.symbol,
        "yours": count,
        "is_next": False,
        "says": say_part(teller.language, number, part.weather, part.symbol, count),
    }


@lru_cache(maxsize=4096)
def say_part(language: Language, number: int, weather: str | None, symbol: str | None, count: int | None) -> str:
    """Evening: snow, 2 of yours. Or: evening: empty, swap symbol. Said so often that it is kept."""
    time = language.say(TIME_NAMES[number])
    said = [language.say(WEATHER_NAMES[weather]) if weather else language.say(mark("empty"))]
    if count is not None:
        said.append(language.say(mark("{count} of yours"), count=count))
    if symbol:
        said.append(language.say(SYMBOL_NAMES[symbol]))
    return language.say_pair(time, ", ".join(said))


def draw_pile(pile: PileView, is_offered: bool, own: Counts | None, language: Language) -> Values:
    """A pile: where it stands, and what is in it. Whether it is the one last lifted from is said around that."""
    return {
        "pile": pile.pile,
        "is_empty": pile.weather is None,
        "content": PILE(language, pile, yours(own, pile.weather), is_offered),
    }


def fill_pile(teller: Teller, pile: PileView, count: int | None, is_offered: bool) -> Values:
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
    label = teller.say(mark("Lift the token of pile {pile}"), pile=pile.pile) if is_offered else ""
    return {
        "pile": pile.pile,
        "weather": pile.weather,
        "size": pile.size,
        "title": title,
        "yours": count,
        "move": f"lift {pile.pile}" if is_offered else "",
        "label": f"{label}. {title}" if label else "",
    }


PILE = Piece("what-the-fog/pile.html", fill_pile)


def fill_stock(teller: Teller, supply: int, deck: int, discards: HeldCards) -> Values:
    """What is left to draw from, and what was discarded face up."""
    return {
        "supply": supply,
        "supply_label": teller.say_count("{count} token in the supply", "{count} tokens in the supply", supply),
        "deck": deck,
        "deck_label": teller.say_count("{count} card in the deck", "{count} cards in the deck", deck),
        "discards": cards(discards, teller),
    }


STOCK = Piece("what-the-fog/stock.html", fill_stock)


def draw_lifted(board: WhatTheFogView, own: Counts | None, teller: Teller) -> Values | None:
    if board.lifted is None:
        return None
    token, count = teller.say(TOKEN_NAMES[board.lifted]), yours(own, board.lifted)
    return {
        "weather": written(board.lifted),
        "title": written(
            teller.say(mark("{player} has lifted: {token}"), player=teller.name(board.active), token=token)
        ),
        "yours": None if count is None else written(str(count)),
    }


# ---------------------------------------------------------------- cards and predictions


def fill_hand(
    teller: Teller,
    suffix: str,
    phase: str,
    hand: HeldCards,
    open_cards: HeldCards,
    choice: str | None,
    offered: tuple[str, ...],
) -> Values:
    """The viewer's hidden cards, weather by weather, and what they have revealed.

    `first` goes on counting where the hand stops, so that a card keeps its name. `suffix` keeps several hands apart.
    """
    groups: list[Values] = []
    for weather, count in hand:
        label = ""
        if weather in offered:
            label = teller.say(CARD_MOVES[phase], card=teller.say(CARD_NAMES[weather]))
        groups.append(
            {
                "weather": weather,
                "name": teller.say(WEATHER_NAMES[weather]),
                "count": count,
                "move": f"{phase} {weather}" if label else "",
                "label": label,
                "is_choice": weather == choice,
            }
        )
    held = dict(hand)
    return {
        "suffix": suffix,
        "hand": groups,
        "open": [{**card, "first": held.get(card["weather"], 0)} for card in cards(open_cards, teller)],
        "choice": teller.say(CHOICES[phase]) if choice and phase in CHOICES else "",
    }


HAND = Piece("what-the-fog/cards.html", fill_hand)


def raise_label(board: WhatTheFogView, moves: frozenset[str], teller: Teller) -> str:
    if "raise" not in moves or board.you is None:
        return ""
    return written(teller.say(mark("Raise to {prediction}"), prediction=board.players[board.you].prediction + 1))


def pass_label(board: WhatTheFogView, moves: frozenset[str], teller: Teller) -> str:
    if "pass" not in moves or board.you is None:
        return ""
    return written(teller.say(mark("Pass, stay at {prediction}"), prediction=board.players[board.you].prediction))


BOARD = WhatTheFogBoard("what-the-fog")
