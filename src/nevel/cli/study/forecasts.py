"""`nevel forecasts`: how good everybody's predictions were in saved games"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from nevel.cli.common import AsJson, LanguageOption, choose_language, console, stop, text
from nevel.languages import Language, SpokenError, mark

if TYPE_CHECKING:
    from nevel.study.forecasts import Prediction, PredictionTotals, Record


def forecasts(
    files: Annotated[list[Path], typer.Argument(help=text(mark("Saved games or records")))],
    as_json: AsJson = False,
    language_code: LanguageOption = None,
) -> None:
    import msgspec

    from nevel.study.forecasts import add_up

    language = choose_language(language_code)
    by_player = dict[str, "list[list[Prediction]]"]()
    for file in files:
        for player, predictions in read(file, language):
            by_player.setdefault(player, []).append(predictions)
    records = {player: add_up(games) for player, games in by_player.items()}
    if as_json:
        sys.stdout.write(msgspec.json.encode({"players": records}).decode() + "\n")
        return
    for player, record in records.items():
        console.print(show(player, record, language))


def read(file: Path, language: Language) -> "list[tuple[str, list[Prediction]]]":
    """Everybody's predictions in one game."""
    from nevel.game import load
    from nevel.game.event import Teller
    from nevel.study.forecasts import predictions_of

    try:
        game = load(file.read_bytes())
        teller = Teller(language, game.names)
        return [(teller.name(seat), predictions_of(game, seat)) for seat in range(game.seats)]
    except SpokenError as problem:
        stop(language.say(mark("{file}: {reason}"), file=file, reason=problem.sentence(language)))
    except OSError as problem:
        stop(language.say(mark("{file} can't be read: {reason}"), file=file, reason=language.explain(problem)))


def show(player: str, record: "Record", language: Language) -> Table:
    """A player's record: a bar for every number of days that was predicted."""
    table = Table(title=player, title_justify="left", title_style="bold", show_footer=True, footer_style="bold")
    table.add_column(language.say(mark("Days predicted")), language.say(mark("All")))
    table.add_column(language.say(mark("Correct")), f"{record.all.hits} / {record.all.made}", no_wrap=True)
    for heading, footer in (
        (mark("Expected"), number(record.all.expected_hits, language)),
        (mark("Points"), str(record.all.points)),
        (mark("Expected"), number(record.all.expected_points, language)),
    ):
        table.add_column(language.say(heading), footer, justify="right")
    for predicted, tally in record.by_prediction.items():
        table.add_row(
            str(predicted),
            bar(tally),
            number(tally.expected_hits, language),
            str(tally.points),
            number(tally.expected_points, language),
        )
    return table


def bar(tally: "PredictionTotals") -> Text:
    """Full blocks came true, empty ones didn't."""
    return Text(f"{'█' * tally.hits}{'░' * (tally.made - tally.hits)} {tally.hits} / {tally.made}")


def number(figure: float, language: Language) -> str:
    return language.say_number(round(figure, 1))
