"""How everybody stands in What the Fog?!: the barometer of predictions, and the score sheets."""

from math import cos, radians, sin

from nevel.game.event import Teller
from nevel.games.what_the_fog.rules.table import DAYS, ROUNDS
from nevel.games.what_the_fog.words import SheetRow
from nevel.languages import mark
from nevel.web.rendering.fragment import Fragment, Values

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
    predictions: tuple[int, ...]

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


class ScoreSheets(Fragment, frozen=True):
    """All score sheets side by side: a row a round, for each player ?, ! and =. In no round, the game is over."""

    template = "what-the-fog/sheets.html"
    element = "sheets"
    you: int | None
    round_now: int
    players: tuple[Sheet, ...]

    def fill(self, teller: Teller) -> Values:
        return {
            "players": [
                {"seat": seat, "name": teller.name(seat), "total": signed(total), "is_you": seat == self.you}
                for seat, (_, total, _) in enumerate(self.players)
            ],
            "rows": [
                {
                    "round": number,
                    "lines": [self.line(number, prediction, sheet) for prediction, _, sheet in self.players],
                    "is_now": number == self.round_now,
                }
                for number in range(1, ROUNDS + 1)
            ],
        }

    def line(self, number: int, prediction: int, sheet: tuple[SheetRow, ...]) -> Values:
        if number > len(sheet):
            return {"predicted": prediction if number == self.round_now else "", "claimed": "", "score": ""}
        row = sheet[number - 1]
        return {
            "predicted": row.predicted,
            "claimed": row.claimed,
            "score": signed(row.score),
            "is_right": row.predicted == row.claimed,
        }


class ScoreNotes(Fragment, frozen=True):
    """The score sheets beside the board."""

    template = "what-the-fog/notes.html"
    element = "notes"
    sheets: ScoreSheets
