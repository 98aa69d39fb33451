"""How everybody stands in What the Fog?!: the barometer of predictions, and the score sheets."""

from math import cos, radians, sin

from nevel.game.event import Teller
from nevel.games.what_the_fog.rules.table import DAYS, ROUNDS
from nevel.games.what_the_fog.words import SheetRow, WhatTheFogView
from nevel.languages import mark
from nevel.web.rendering.fragment import Fragment, Inner, Parts, Text, Texts, Values

#: The barometer's scale: where its numbers stand around the foot of the arrows, 0 to the left and 7 to the right.
SCALE_FROM, SCALE_STEP, SCALE_RADIUS = -100, 200 / DAYS, 108
#: How long the arrows are: each its own length, so that no two lie over each other.
LONGEST, SHORTER = 88, 17


def signed(points: int) -> str:
    """A number as it is written, with a real minus."""
    return f"−{-points}" if points < 0 else str(points)


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


class Dial(Fragment, frozen=True):
    """The barometer's arrows over its scale; the viewer's own is the longest."""

    template = "what-the-fog/dial.html"
    element = "dial"
    days: int
    you: int | None
    predictor: int | None
    predictions: Texts

    def fill(self, teller: Teller) -> Values:
        you, seats = self.you, len(self.predictions)
        said = ", ".join(f"{teller.name(seat)} {number}" for seat, number in enumerate(self.predictions))
        return {
            "label": teller.say(mark("Predictions: {predictions}"), predictions=said),
            "numbers": [{**number, "is_out": number["number"] > self.days} for number in SCALE],
            "arrows": [
                {
                    "seat": seat,
                    "at": prediction,
                    "length": LONGEST - SHORTER * (seat if you is None else (seat - you) % seats),
                    "is_you": seat == you,
                    "is_asked": seat == self.predictor,
                }
                for seat, prediction in enumerate(self.predictions)
            ],
        }


class Barometer(Fragment, frozen=True):
    """What everybody has predicted, and which round it is."""

    template = "what-the-fog/barometer.html"
    element = "barometer"
    round: int
    dial: Dial

    def fill(self, teller: Teller) -> Values:
        said = teller.say(mark("Round {round} of {rounds}"), round=self.round, rounds=ROUNDS)
        return {"round": said}


# ---------------------------------------------------------------- score sheets

#: A player's prediction and total, and the lines of their sheet.
Sheet = tuple[int, int, tuple[SheetRow, ...]]
#: How many numbers a line of a sheet has, and where nothing is written yet.
LINE = 3
EMPTY_LINE = (Text(""),) * LINE


class SheetTable(Fragment, frozen=True):
    """The score sheets as a table: a row a round."""

    template = "what-the-fog/sheet-table.html"
    you: int | None
    round_now: int
    #: Player by player, which of the lines that are full were predicted exactly.
    exact: tuple[tuple[bool, ...], ...]
    #: What is written in all lines, player by player: predicted, claimed, score.
    written: Texts
    totals: Texts

    @classmethod
    def of(cls, you: int | None, round_now: int, players: tuple[Sheet, ...]) -> "SheetTable":
        written = list[Text]()
        for prediction, _, sheet in players:
            for row in sheet:
                written += (Text(str(row.predicted)), Text(str(row.claimed)), Text(signed(row.score)))
            for number in range(len(sheet) + 1, ROUNDS + 1):
                written += (Text(str(prediction)), *EMPTY_LINE[1:]) if number == round_now else EMPTY_LINE
        exact = tuple([tuple([row.predicted == row.claimed for row in sheet]) for _, _, sheet in players])
        totals = tuple([Text(signed(total)) for _, total, _ in players])
        return cls(you, round_now, exact, tuple(written), totals)

    def fill(self, teller: Teller) -> Values:
        return {
            "players": [
                {"seat": seat, "name": teller.name(seat), "total": total, "is_you": seat == self.you}
                for seat, total in enumerate(self.totals)
            ],
            "rows": [
                {
                    "round": number,
                    "lines": [self.line(number, seat) for seat in range(len(self.totals))],
                    "is_now": number == self.round_now,
                }
                for number in range(1, ROUNDS + 1)
            ],
        }

    def line(self, number: int, seat: int) -> Values:
        at, exact = (seat * ROUNDS + number - 1) * LINE, self.exact[seat]
        predicted, claimed, score = self.written[at : at + LINE]
        is_right = number <= len(exact) and exact[number - 1]
        return {"predicted": predicted, "claimed": claimed, "score": score, "is_right": is_right}


class ScoreSheets(Fragment, frozen=True):
    """All score sheets side by side: for each player ?, ! and =. In no round, the game is over."""

    template = "what-the-fog/sheets.html"
    element = "sheets"
    you: Inner[int | None]
    round_now: Inner[int]
    players: Inner[tuple[Sheet, ...]]

    def parts(self) -> Parts:
        return {"table": SheetTable.of(self.you, self.round_now, self.players)}


def draw_sheets(board: WhatTheFogView) -> ScoreSheets:
    players = tuple([(player.prediction, player.total, tuple(player.sheet)) for player in board.players])
    return ScoreSheets(board.you, 0 if board.is_over else board.round, players)


class ScoreNotes(Fragment, frozen=True):
    """The score sheets beside the board."""

    template = "what-the-fog/notes.html"
    element = "notes"
    sheets: ScoreSheets
