"""The board of What the Fog?!"""

from typing import ClassVar

from nevel.game.event import Teller
from nevel.game.vocabulary import View
from nevel.games.what_the_fog.events import CARD_NAMES, WEATHER_NAMES
from nevel.games.what_the_fog.web.figures import Day, Influence, Predictions, Sheets, TokenPiles
from nevel.games.what_the_fog.web.past import Count, Recalled, Rounds, is_news
from nevel.games.what_the_fog.web.sky import cards, draw_sky, draw_week
from nevel.games.what_the_fog.web.standing import ScoreNotes, draw_sheets, signed
from nevel.games.what_the_fog.words import WhatTheFogView
from nevel.languages import mark
from nevel.web.help.figures import Cards
from nevel.web.help.guide import COMMON_POINTS
from nevel.web.rendering.board import Board, BoardParts, Look, MistLook, SeatFact, fact
from nevel.web.rendering.fragment import Fragment, Values

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
        "players": COMMON_POINTS["players"],
        "predictions": "the buttons to raise or pass",
        "score": "the score sheets",
    }
    mist = MistLook(deck=mark("Deck"), icons="weather", names=WEATHER_NAMES, shows_impossible=True)
    puzzle_parts = frozenset({"board", "side"})

    def draw(self, look: Look) -> BoardParts:
        board, memory = look.board, look.memory
        assert isinstance(board, WhatTheFogView)
        assert isinstance(memory, Recalled)
        recalled = None if board.is_over else memory
        sheets = draw_sheets(board)
        shared, hand = list[Fragment](), list[Fragment]()
        if recalled and recalled.count and is_news(board, recalled):
            shared.append(Count(recalled.count))
        elif board.is_over and look.is_replay:  # which has no result beside the board
            shared.append(Count(memory.rounds[-1], False))
        shared += [draw_sky(look, recalled), draw_week(look)]
        if look.is_screen:
            shared.append(sheets)
        if deciding := draw_deciding(look):
            hand.append(deciding)
        if board.hand is not None and look.is_playing:
            hand.append(draw_hand(look))
            if board.choice and board.phase in CHOICES and not look.suffix:
                hand.append(ChoiceFragment(board.choice, board.phase))
        side = (ScoreNotes(sheets),) if look.is_playing else ()
        marks = marks_of(recalled) if recalled else ()
        if board.is_over:
            rounds = (Rounds(tuple(memory.rounds)),)
            return BoardParts(tuple(shared), tuple(hand), side, (sheets,), rounds)
        return BoardParts(tuple(shared), tuple(hand), side, marks=marks)

    def remember(self) -> Recalled:
        return Recalled()

    def seat_facts(self, board: View, seat: int, teller: Teller) -> list[SeatFact]:
        assert isinstance(board, WhatTheFogView)
        player = board.players[seat]
        facts: list[SeatFact] = []
        if not board.is_over:
            if seat == board.starter:
                facts.append(fact("marker-sun", "", teller.say(mark("sun: starting player of this round"))))
            if seat == board.active and board.predictor is not None:
                facts.append(fact("marker-cloud", "", teller.say(mark("cloud: completed the day"))))
            if player.has_chosen:
                facts.append(fact("check", "", teller.say(mark("choice made"))))
        held = teller.say_count("{count} card in hand", "{count} cards in hand", player.held)
        facts.append(fact("back-what-the-fog", player.held, held))
        if player.sheet:
            total = teller.say(mark("total {points}"), points=signed(player.total))
            facts.append(fact("trophy", signed(player.total), total))
        return facts + [shown(card, teller) for card in cards(tuple(player.open.items()), teller)]


def marks_of(recalled: Recalled) -> tuple[str, ...]:
    """What happened last: where a token was laid, what was swapped since, who predicted since."""
    marks = list[str]()
    if placed := recalled.placed:
        marks += [f"on-day-{placed.day}", f"on-part-{placed.part}"]
    if recalled.swapped:
        marks.append(f"swapped-{recalled.swapped}")
    if recalled.predictor is not None:
        marks.append(f"latest-{recalled.predictor}")
    return tuple(marks)


def shown(card: Values, teller: Teller) -> SeatFact:
    """What a player has revealed, in the strip of players."""
    title = teller.say(mark("revealed: {count} {weather}"), count=card["count"], weather=card["name"])
    return fact(f"weather-{card['weather']}", card["count"] if card["count"] > 1 else "", title)


# ---------------------------------------------------------------- cards and predictions


class HeldGroup(Fragment, frozen=True):
    """The viewer's hidden cards of a weather. `phase` is what may be done with one, or was."""

    template = "what-the-fog/group.html"
    suffix: str
    weather: str
    count: int
    phase: str
    is_offered: bool
    is_choice: bool

    @property
    def id(self) -> str:
        return f"hand{self.suffix}-{self.weather}"

    def fill(self, teller: Teller) -> Values:
        label = ""
        if self.is_offered:
            label = teller.say(CARD_MOVES[self.phase], card=teller.say(CARD_NAMES[self.weather]))
        return super().fill(teller) | {
            "name": teller.say(WEATHER_NAMES[self.weather]),
            "move": f"{self.phase} {self.weather}" if label else "",
            "label": label,
            "choice": say_choice(self.weather, self.phase, teller) if self.is_choice else "",
        }


class OpenGroup(Fragment, frozen=True):
    """The viewer's revealed cards of a weather. They go on counting where the hand stops, so that a card keeps its
    name.
    """

    template = "what-the-fog/open.html"
    suffix: str
    weather: str
    count: int
    first: int

    def fill(self, teller: Teller) -> Values:
        return super().fill(teller) | {"name": teller.say(WEATHER_NAMES[self.weather])}


class HandFragment(Fragment, frozen=True):
    """The viewer's hidden cards, weather by weather, and what they have revealed."""

    template = "what-the-fog/cards.html"
    suffix: str
    groups: tuple[HeldGroup, ...]
    open: tuple[OpenGroup, ...]

    @property
    def id(self) -> str:
        return f"cards{self.suffix}"


def say_choice(choice: str | None, phase: str, teller: Teller) -> str:
    return teller.say(CHOICES[phase]) if choice and phase in CHOICES else ""


def draw_hand(look: Look) -> HandFragment:
    board, suffix, moves = look.board, look.suffix, look.moves
    assert isinstance(board, WhatTheFogView)
    held, phase, choice = board.hand or {}, board.phase, board.choice
    opened = board.players[board.you].open if board.you is not None else {}
    groups = list[HeldGroup]()
    for weather, count in held.items():
        is_offered, is_choice = f"{phase} {weather}" in moves, weather == choice
        # Where nothing is done with cards it doesn't matter to them what is done.
        groups.append(
            HeldGroup(suffix, weather, count, phase if is_offered or is_choice else "", is_offered, is_choice)
        )
    shown = [OpenGroup(suffix, weather, count, held.get(weather, 0)) for weather, count in opened.items()]
    return HandFragment(suffix, tuple(groups), tuple(shown))


class ChoiceFragment(Fragment, frozen=True):
    """What the viewer has chosen in secret, in a sentence."""

    template = "what-the-fog/choice.html"
    element = "choice"
    choice: str
    phase: str

    def fill(self, teller: Teller) -> Values:
        return {"choice": say_choice(self.choice, self.phase, teller)}


class Deciding(Fragment, frozen=True):
    """To raise one's prediction, or to pass."""

    template = "what-the-fog/deciding.html"
    element = "deciding"
    prediction: int
    may_raise: bool
    may_pass: bool

    def fill(self, teller: Teller) -> Values:
        number = self.prediction
        return {
            "raise": teller.say(mark("Raise to {prediction}"), prediction=number + 1) if self.may_raise else "",
            "pass": teller.say(mark("Pass, stay at {prediction}"), prediction=number) if self.may_pass else "",
        }


def draw_deciding(look: Look) -> Deciding | None:
    board, may_raise, may_pass = look.board, "raise" in look.moves, "pass" in look.moves
    assert isinstance(board, WhatTheFogView)
    if board.you is None or not (may_raise or may_pass):
        return None
    return Deciding(board.players[board.you].prediction, may_raise, may_pass)


BOARD = WhatTheFogBoard("what-the-fog")
