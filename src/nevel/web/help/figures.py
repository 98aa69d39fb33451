"""Small drawings beside the rules, as data. What a figure claims is checked by the real rules in the tests."""

from typing import Literal

from msgspec import Struct

Pile = Literal["up1", "up2", "down1", "down2"]
Weather = Literal["rain", "snow", "fog", "clouds", "thunder", "sun"]


class Figure(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """Something drawn. Subclasses say what is seen and what follows from it."""


class Play(Struct, frozen=True, forbid_unknown_fields=True):
    """A card played on a pile, or refused there by a clause."""

    card: int
    pile: Pile
    is_trick: bool = False
    refused: str = ""


class Piles(Figure, frozen=True, tag="piles"):
    """The four piles of The Game, what is played on them in one turn, and how the turn ends."""

    tops: tuple[int, int, int, int]
    #: The whole hand at the start of the turn, where it matters; else the cards played and others.
    hand: tuple[int, ...] = ()
    plays: tuple[Play, ...] = ()
    #: Whether the turn can be ended then: “allowed”, “at-once” if it ends by itself, or the clause that refuses.
    end: str = ""
    #: How many cards are drawn at the end of the turn.
    drawn: int | None = None
    draw_pile: int = 20
    #: Whether another player still has cards.
    has_others: bool = True
    #: The infinity commands that hold after it.
    holding: tuple[str, ...] | None = None
    #: The clause by which the last play, though legal, can only lose.
    doom: str = ""
    #: The clause that has ended the game.
    over: str = ""


class Cards(Figure, frozen=True, tag="cards"):
    """A row of drawings by name: `weather-snow`, `command-stop`, `misty-rocket`."""

    drawings: tuple[str, ...]


class TokenPiles(Figure, frozen=True, tag="token-piles"):
    """The three piles of weather tokens, and whether their tops may go back into the supply."""

    tops: tuple[Weather, Weather, Weather]
    can_return: bool


class Day(Figure, frozen=True, tag="day"):
    """A day board as far as it is filled, and where the next token lies on it."""

    day: int
    tokens: tuple[Weather, ...]
    lay: Weather | None = None
    part: int = 0
    action: Literal["", "swap", "reveal"] = ""
    completes: bool = False
    refused: str = ""


class Forecaster(Struct, frozen=True, forbid_unknown_fields=True):
    """A player with open cards, and what they count for."""

    name: str
    cards: tuple[Weather, ...]
    influence: int
    claims: bool = False


class Influence(Figure, frozen=True, tag="influence"):
    """A full day and everybody's influence on it."""

    tokens: tuple[Weather, Weather, Weather, Weather]
    players: tuple[Forecaster, ...]


class Predictions(Figure, frozen=True, tag="predictions"):
    """A day was completed by the first of these players: their arrows before and after, in the order they are asked."""

    players: tuple[str, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]
    next: str


class Sheet(Struct, frozen=True, forbid_unknown_fields=True):
    """A score sheet: a row a round, with prediction, claimed days and score."""

    name: str
    rows: tuple[tuple[int, int, int], ...]
    total: int
    wins: bool = False


class Sheets(Figure, frozen=True, tag="sheets"):
    """Score sheets beside each other."""

    sheets: tuple[Sheet, ...]


class Window(Figure, frozen=True, tag="window"):
    """A window of Misty, or a piece of one, before and after it is activated.

    A row is a line of cards; `.` is an empty space, `house+truck` a truck on a house. Spaces are a column's letter and
    a row's number, from `a1` at the top left.
    """

    rows: tuple[str, ...]
    moves: tuple[str, ...] = ()
    #: After the moves; where there is a score, also after the monsters have eaten.
    after: tuple[str, ...] = ()
    #: Cards that can't be moved then, with the clause that says so.
    refused: dict[str, str] = {}
    score: int | None = None


class Building(Figure, frozen=True, tag="building"):
    """A window in the making: where the next card may be placed, and where not."""

    rows: tuple[str, ...]
    fits: tuple[str, ...]
    refused: dict[str, str]


AnyFigure = Piles | Cards | TokenPiles | Day | Influence | Predictions | Sheets | Window | Building
