"""How everybody stands in What the Fog?!: the barometer of predictions, and the score sheets."""

from math import cos, radians, sin

from nevel.game.event import Teller
from nevel.games.what_the_fog.rules.table import DAYS, ROUNDS
from nevel.games.what_the_fog.words import SheetRow
from nevel.languages import mark
from nevel.web.rendering.board import Values
from nevel.web.rendering.pieces import Piece

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


def fill_barometer(
    teller: Teller,
    round_number: int,
    days: int,
    you: int | None,
    predictor: int | None,
    predictions: tuple[int, ...],
    *names: str,
) -> Values:
    """The arrows over the scale; the viewer's own is the longest."""
    said = ", ".join(f"{name} {prediction}" for name, prediction in zip(names, predictions, strict=True))
    return {
        "round": teller.say(mark("Round {round} of {rounds}"), round=round_number, rounds=ROUNDS),
        "label": teller.say(mark("Predictions: {predictions}"), predictions=said),
        "numbers": [{**number, "is_out": number["number"] > days} for number in SCALE],
        "arrows": [
            {
                "seat": seat,
                "at": prediction,
                "length": LONGEST - SHORTER * (seat if you is None else (seat - you) % len(names)),
                "is_you": seat == you,
                "is_asked": seat == predictor,
            }
            for seat, prediction in enumerate(predictions)
        ],
    }


BAROMETER = Piece("what-the-fog/barometer.html", fill_barometer)


# ---------------------------------------------------------------- score sheets

#: A player's prediction and total, and the lines of their sheet.
Sheet = tuple[int, int, tuple[SheetRow, ...]]


def fill_sheets(teller: Teller, you: int | None, round_now: int, players: tuple[Sheet, ...], *names: str) -> Values:
    """All score sheets side by side: a row a round, for each player ?, ! and =. In no round, the game is over."""
    rows = list[Values]()
    for number in range(1, ROUNDS + 1):
        lines = list[Values]()
        for prediction, _, sheet in players:
            if number <= len(sheet):
                row = sheet[number - 1]
                lines.append(
                    {
                        "predicted": row.predicted,
                        "claimed": row.claimed,
                        "score": signed(row.score),
                        "is_right": row.predicted == row.claimed,
                    }
                )
            else:
                lines.append({"predicted": prediction if number == round_now else "", "claimed": "", "score": ""})
        rows.append({"round": number, "lines": lines, "is_now": number == round_now})
    return {
        "players": [
            {"seat": seat, "name": names[seat], "total": signed(total), "is_you": seat == you}
            for seat, (_, total, _) in enumerate(players)
        ],
        "rows": rows,
    }


SHEETS = Piece("what-the-fog/sheets.html", fill_sheets)
