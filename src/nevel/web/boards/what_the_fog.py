"""The board of What the Fog?!"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import cos, radians, sin

from nevel.boxes.box import WEATHERS
from nevel.games.telling import Event, Teller
from nevel.games.what_the_fog import DayView, PartView, PileView, PlayerView, WhatTheFogView
from nevel.games.what_the_fog_story import CARD_NAMES, TOKEN_NAMES, WEATHER_NAMES
from nevel.languages import Language, mark
from nevel.rules.what_the_fog_table import DAYS, ROUNDS
from nevel.tables.view import TableView
from nevel.web.boards.board import Board, Values, fact
from nevel.web.boards.what_the_fog_past import look_back

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

#: The barometer's scale: where its numbers stand around the foot of the arrows, 0 to the left and 7 to the right.
SCALE_FROM, SCALE_STEP, SCALE_RADIUS = -100, 200 / DAYS, 108
#: How long the arrows are: each its own length, so that no two lie over each other.
LONGEST, SHORTER = 88, 17


class WhatTheFogBoard(Board):
    """Days, piles of tokens, the barometer, cards by weather, score sheets."""

    def draw(self, view: TableView, teller: Teller, doomed: Mapping[str, str]) -> Values:
        board = view.board
        assert isinstance(board, WhatTheFogView)
        moves = view.prompt.moves if view.prompt else []
        own = own_cards(board)
        return {
            "phase": board.phase,
            "round": teller.say(mark("Round {round} of {rounds}"), round=board.round, rounds=ROUNDS),
            "days": [draw_day(day, moves, own, teller) for day in board.days],
            "piles": [draw_pile(pile, moves, own, teller) for pile in board.piles],
            "can_return": "return" in moves,
            "lifted": draw_lifted(board, own, teller),
            "supply": board.supply,
            "supply_label": teller.say_count(
                "{count} token in the supply", "{count} tokens in the supply", board.supply
            ),
            "deck": board.deck,
            "deck_label": teller.say_count("{count} card in the deck", "{count} cards in the deck", board.deck),
            "discards": cards(board.discards, teller),
            "barometer": draw_barometer(board, teller),
            "hand": draw_hand(board, moves, teller),
            "has_hand": board.hand is not None,
            "open": draw_open(board, teller),
            "choice": teller.say(CHOICES[board.phase]) if board.choice and board.phase in CHOICES else "",
            "raise": raise_label(board, moves, teller),
            "pass": pass_label(board, moves, teller),
            "sheets": draw_sheets(board, teller),
        }

    def look_back(self, view: TableView, told: Iterator[Event], teller: Teller) -> Values:
        assert isinstance(view.board, WhatTheFogView)
        return look_back(view.board, told, teller)

    def seat_facts(self, view: TableView, seat: int, teller: Teller) -> list[Values]:
        board = view.board
        assert isinstance(board, WhatTheFogView)
        player = board.players[seat]
        facts = list[Values]()
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
        return facts + [shown(card, teller) for card in cards(player.open, teller)]


def signed(points: int) -> str:
    """A number as it is written, with a real minus."""
    return f"−{-points}" if points < 0 else str(points)


def own_cards(board: WhatTheFogView) -> dict[str, int] | None:
    """How many cards of each weather the viewer has, hidden and open; what the viewer has given up doesn't count."""
    if board.you is None:
        return None
    hand, open_cards = board.hand or {}, board.players[board.you].open
    return {weather: hand.get(weather, 0) + open_cards.get(weather, 0) for weather in WEATHERS}


def cards(counts: Mapping[str, int], teller: Teller) -> list[Values]:
    """Cards by weather."""
    return [
        {"weather": weather, "name": teller.say(WEATHER_NAMES[weather]), "count": count}
        for weather, count in counts.items()
    ]


def shown(card: Values, teller: Teller) -> Values:
    """What a player has revealed, in the strip of players."""
    title = teller.say(mark("revealed: {count} {weather}"), count=card["count"], weather=card["name"])
    return fact(f"weather-{card['weather']}", card["count"] if card["count"] > 1 else "", title)


# ---------------------------------------------------------------- tokens


def draw_day(day: DayView, moves: list[str], own: Mapping[str, int] | None, teller: Teller) -> Values:
    parts = [draw_part(part, number, own, teller) for number, part in enumerate(day.parts)]
    filled = sum(part.weather is not None for part in day.parts)
    if filled < len(parts):
        parts[filled]["is_next"] = True
    move, label = f"place day {day.day}", ""
    if move in moves:
        label = teller.language.say_pair(teller.say(mark("Lay it on day {day}"), day=day.day), parts[filled]["says"])
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
        "move": move if label else "",
        "label": label,
    }


def draw_part(part: PartView, number: int, own: Mapping[str, int] | None, teller: Teller) -> Values:
    yours = own[part.weather] if own and part.weather else None
    return {
        "part": number + 1,
        "time": TIMES[number],
        "weather": part.weather,
        "symbol": part.symbol,
        "yours": yours,
        "is_next": False,
        "says": say_part(teller.language, number, part.weather, part.symbol, yours),
    }


@lru_cache(maxsize=4096)
def say_part(speech: Language, number: int, weather: str | None, symbol: str | None, yours: int | None) -> str:
    """Evening: snow, 2 of yours. Or: evening: empty, swap symbol. Said so often that it is kept."""
    time = speech.say(TIME_NAMES[number])
    said = [speech.say(WEATHER_NAMES[weather]) if weather else speech.say(mark("empty"))]
    if yours is not None:
        said.append(speech.say(mark("{count} of yours"), count=yours))
    if symbol:
        said.append(speech.say(SYMBOL_NAMES[symbol]))
    return speech.say_pair(time, ", ".join(said))


def draw_pile(pile: PileView, moves: list[str], own: Mapping[str, int] | None, teller: Teller) -> Values:
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
    move = f"lift {pile.pile}"
    label = teller.say(mark("Lift the token of pile {pile}"), pile=pile.pile) if move in moves else ""
    return {
        "pile": pile.pile,
        "weather": pile.weather,
        "size": pile.size,
        "title": title,
        "yours": own[pile.weather] if own and pile.weather else None,
        "move": move if label else "",
        "label": f"{label}. {title}" if label else "",
    }


def draw_lifted(board: WhatTheFogView, own: Mapping[str, int] | None, teller: Teller) -> Values | None:
    if board.lifted is None:
        return None
    token = teller.say(TOKEN_NAMES[board.lifted])
    return {
        "weather": board.lifted,
        "title": teller.say(mark("{player} has lifted: {token}"), player=teller.name(board.active), token=token),
        "yours": own[board.lifted] if own else None,
    }


# ---------------------------------------------------------------- barometer


def scale() -> list[Values]:
    """The numbers of the barometer and where they stand."""
    marks = list[Values]()
    for number in range(DAYS + 1):
        angle = radians(SCALE_FROM + SCALE_STEP * number)
        marks.append(
            {"number": number, "x": f"{SCALE_RADIUS * sin(angle):.1f}", "y": f"{-SCALE_RADIUS * cos(angle):.1f}"}
        )
    return marks


SCALE = scale()


def draw_barometer(board: WhatTheFogView, teller: Teller) -> Values:
    said = ", ".join(f"{teller.name(player.seat)} {player.prediction}" for player in board.players)
    return {
        "label": teller.say(mark("Predictions: {predictions}"), predictions=said),
        "numbers": [{**number, "is_out": number["number"] > len(board.days)} for number in SCALE],
        "arrows": [draw_arrow(player, board) for player in board.players],
    }


def draw_arrow(player: PlayerView, board: WhatTheFogView) -> Values:
    """A player's arrow; the viewer's own is the longest."""
    lane = player.seat if board.you is None else (player.seat - board.you) % board.seats
    return {
        "seat": player.seat,
        "at": player.prediction,
        "length": LONGEST - SHORTER * lane,
        "is_you": player.seat == board.you,
        "is_asked": player.seat == board.predictor,
    }


# ---------------------------------------------------------------- cards and predictions


def draw_hand(board: WhatTheFogView, moves: list[str], teller: Teller) -> list[Values]:
    """The viewer's hidden cards, weather by weather."""
    groups = list[Values]()
    for weather, count in (board.hand or {}).items():
        move = f"{board.phase} {weather}"
        label = ""
        if move in moves:
            label = teller.say(CARD_MOVES[board.phase], card=teller.say(CARD_NAMES[weather]))
        groups.append(
            {
                "weather": weather,
                "name": teller.say(WEATHER_NAMES[weather]),
                "count": count,
                "move": move if label else "",
                "label": label,
                "is_choice": weather == board.choice,
            }
        )
    return groups


def draw_open(board: WhatTheFogView, teller: Teller) -> list[Values]:
    """What the viewer has revealed. `first` goes on counting where the hand stops, so that a card keeps its name."""
    if board.you is None:
        return []
    hand = board.hand or {}
    return [{**card, "first": hand.get(card["weather"], 0)} for card in cards(board.players[board.you].open, teller)]


def raise_label(board: WhatTheFogView, moves: list[str], teller: Teller) -> str:
    if "raise" not in moves or board.you is None:
        return ""
    return teller.say(mark("Raise to {prediction}"), prediction=board.players[board.you].prediction + 1)


def pass_label(board: WhatTheFogView, moves: list[str], teller: Teller) -> str:
    if "pass" not in moves or board.you is None:
        return ""
    return teller.say(mark("Pass, stay at {prediction}"), prediction=board.players[board.you].prediction)


def draw_sheets(board: WhatTheFogView, teller: Teller) -> Values:
    """All score sheets side by side: a row a round, for each player ?, ! and =."""
    rows = list[Values]()
    for number in range(1, ROUNDS + 1):
        lines = list[Values]()
        for player in board.players:
            if number <= len(player.sheet):
                row = player.sheet[number - 1]
                lines.append(
                    {
                        "predicted": row.predicted,
                        "claimed": row.claimed,
                        "score": signed(row.score),
                        "is_right": row.predicted == row.claimed,
                    }
                )
            else:
                is_now = number == board.round and not board.is_over
                lines.append({"predicted": player.prediction if is_now else "", "claimed": "", "score": ""})
        rows.append({"round": number, "lines": lines, "is_now": number == board.round and not board.is_over})
    return {
        "players": [
            {
                "seat": player.seat,
                "name": teller.name(player.seat),
                "total": signed(player.total),
                "is_you": player.seat == board.you,
            }
            for player in board.players
        ],
        "rows": rows,
    }
