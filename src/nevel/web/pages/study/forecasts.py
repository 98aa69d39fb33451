"""A forecaster's record as a small chart: the values of forecasts.html."""

from nevel.languages import Language, mark
from nevel.study.forecasts import PredictionTotals, Record
from nevel.web.rendering.fragment import Values

#: The chart: a column for every number of days predicted, from 0 to the highest.
WIDTH, HEIGHT = 320, 132
WIDEST_COLUMN = 56
BAR = 0.62
NOTHING = PredictionTotals(0, 0, 0.0, 0, 0.0)


def draw_forecasts(record: Record, language: Language) -> Values:
    """What the template draws and says of a record; `made` is 0 where there is nothing yet."""
    numbers = range(max(record.by_prediction, default=0) + 1)
    most = max((tally.made for tally in record.by_prediction.values()), default=1)
    step = min(WIDTH / len(numbers), WIDEST_COLUMN)
    left = (WIDTH - step * len(numbers)) / 2
    return {
        "made": record.all.made,
        "hits": language.say_count(
            "{hits} of {count} prediction was correct; {expected} expected.",
            "{hits} of {count} predictions were correct; {expected} expected.",
            record.all.made,
            hits=record.all.hits,
            expected=decimal(record.all.expected_hits, language),
        ),
        "points": language.say(
            mark("{points} points scored with them; {expected} expected."),
            points=language.say_number(record.all.points),
            expected=decimal(record.all.expected_points, language),
        ),
        "width": WIDTH,
        "height": HEIGHT,
        "columns": [
            column(number, record.by_prediction.get(number, NOTHING), left + step * i, step, most)
            for i, number in enumerate(numbers)
        ],
        "rows": [row(number, tally, language) for number, tally in record.by_prediction.items()],
    }


def decimal(number: float, language: Language) -> str:
    return language.say_number(round(number, 1))


def column(number: int, tally: PredictionTotals, left: float, step: float, most: int) -> Values:
    """Where the bars of a number of days stand: all made, those that came true, and a mark at those to be expected."""

    def height(count: float) -> float:
        return round(HEIGHT * count / most, 1)

    return {
        "predicted": number,
        "middle": round(left + step / 2, 1),
        "x": round(left + step * (1 - BAR) / 2, 1),
        "width": round(step * BAR, 1),
        "made": height(tally.made),
        "hits": height(tally.hits),
        "mark": round(HEIGHT - height(tally.expected_hits), 1) if tally.made else None,
        "text": f"{tally.hits}/{tally.made}" if tally.made else "",
    }


def row(number: int, tally: PredictionTotals, language: Language) -> Values:
    return {
        "predicted": number,
        "made": tally.made,
        "hits": tally.hits,
        "expected_hits": decimal(tally.expected_hits, language),
        "points": language.say_number(tally.points),
        "expected_points": decimal(tally.expected_points, language),
    }
