"""`nevel forecasts`: how good everybody's predictions were in saved games"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from nevel.cli.common import AsJson, Tongue, console, stop, text, tongue
from nevel.languages import Language, SpokenError, mark

if TYPE_CHECKING:
    from nevel.study.forecasts import Prediction, Record, Tally


def forecasts(
    files: Annotated[list[Path], typer.Argument(help=text(mark("Saved games or records")))],
    as_json: AsJson = False,
    language: Tongue = None,
) -> None:
    import msgspec

    from nevel.study.forecasts import add_up

    speech = tongue(language)
    by_player = dict[str, "list[list[Prediction]]"]()
    for file in files:
        for player, predictions in read(file, speech):
            by_player.setdefault(player, []).append(predictions)
    records = {player: add_up(games) for player, games in by_player.items()}
    if as_json:
        sys.stdout.write(msgspec.json.encode({"players": records}).decode() + "\n")
        return
    for player, record in records.items():
        console.print(show(player, record, speech))


def read(file: Path, speech: Language) -> "list[tuple[str, list[Prediction]]]":
    """Everybody's predictions in one game."""
    from nevel.game import load
    from nevel.game.event import Teller
    from nevel.study.forecasts import predictions_of

    try:
        game = load(file.read_bytes())
        teller = Teller(speech, game.names)
        return [(teller.name(seat), predictions_of(game, seat)) for seat in range(game.seats)]
    except SpokenError as problem:
        stop(speech.say(mark("{file}: {reason}"), file=file, reason=problem.sentence(speech)))
    except OSError as problem:
        stop(speech.say(mark("{file} can't be read: {reason}"), file=file, reason=problem.strerror))


def show(player: str, record: "Record", speech: Language) -> Table:
    """A player's record: a bar for every number of days that was predicted."""
    table = Table(title=player, title_justify="left", title_style="bold", show_footer=True, footer_style="bold")
    table.add_column(speech.say(mark("Days predicted")), speech.say(mark("All")))
    table.add_column(speech.say(mark("Came true")), f"{record.all.hits} / {record.all.made}", no_wrap=True)
    for heading, footer in (
        (mark("To be expected"), number(record.all.expected_hits, speech)),
        (mark("Points"), str(record.all.points)),
        (mark("To be expected"), number(record.all.expected_points, speech)),
    ):
        table.add_column(speech.say(heading), footer, justify="right")
    for predicted, tally in record.by_prediction.items():
        table.add_row(
            str(predicted),
            bar(tally),
            number(tally.expected_hits, speech),
            str(tally.points),
            number(tally.expected_points, speech),
        )
    return table


def bar(tally: "Tally") -> Text:
    """Full blocks came true, empty ones didn't."""
    return Text(f"{'█' * tally.hits}{'░' * (tally.made - tally.hits)} {tally.hits} / {tally.made}")


def number(figure: float, speech: Language) -> str:
    return speech.say_number(round(figure, 1))
