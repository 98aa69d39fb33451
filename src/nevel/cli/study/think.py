"""`nevel think`: what a bot thinks of a saved position."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from nevel.cli.common import (
    AsJson,
    LanguageOption,
    Playouts,
    Seconds,
    choose_language,
    console,
    percent,
    read_budget,
    stop,
    stoppable,
    text,
)
from nevel.languages import Language, SpokenError, mark

if TYPE_CHECKING:
    from nevel.bots.evaluation import Choice, Evaluation
    from nevel.game.game import Game


def think(
    file: Annotated[Path, typer.Argument(help=text(mark("A saved game")))],
    seat: Annotated[
        int | None, typer.Option(min=1, help=text(mark("Whose position, counted from 1; by default who has to move")))
    ] = None,
    level: Annotated[str, typer.Option(help=text(mark("Who thinks")))] = "expert",
    seconds: Seconds = None,
    playouts: Playouts = None,
    as_json: AsJson = False,
    language_code: LanguageOption = None,
) -> None:
    from nevel.bots.bot import Bot
    from nevel.bots.levels import LEVELS
    from nevel.game import load

    language = choose_language(language_code)
    try:
        game = load(file.read_bytes())
        asked = seat_asked(game, seat)
        if level not in LEVELS:
            known = ", ".join(LEVELS)
            raise SpokenError(mark("There is no level “{name}”; there are {known}."), name=level, known=known)
    except SpokenError as problem:
        stop(problem.sentence(language))
    except OSError as problem:
        stop(language.say(mark("{file} can't be read: {reason}"), file=file, reason=language.explain(problem)))
    # A bot's seed only decides what it imagines: the same question gets the same answer.
    bot = Bot(level, 0, read_budget(seconds, playouts))
    knowledge = game.knowledge(asked)
    evaluation = stoppable(
        lambda leave, told: bot.evaluate(knowledge, leave, told),
        language.say(mark("Thinking; Ctrl-C shows what is known so far")),
    )
    words = game.vocabulary
    choices = [choice for choice in evaluation.choices if not words.is_hint(words.moves[choice.move])]
    if as_json:
        sys.stdout.write(json.dumps(figures(game, asked, level, evaluation, choices)) + "\n")
        return
    show(game, asked, evaluation, choices, language)


def seat_asked(game: "Game", wanted: int | None) -> int:
    """The seat to think for: the one wanted, or the first somebody waits for."""
    waiting = game.waiting_for
    if game.is_over or not waiting:
        raise SpokenError(mark("This game is over: there are no moves to evaluate."))
    if wanted is None:
        return waiting[0]
    if wanted > game.seats:
        raise SpokenError(mark("There is no player {number}; there are {seats}."), number=wanted, seats=game.seats)
    if wanted - 1 not in waiting:
        others = ", ".join(str(seat + 1) for seat in waiting)
        message = mark("It isn't player {number}'s turn now; to play: {others}.")
        raise SpokenError(message, number=wanted, others=others)
    return wanted - 1


def figures(
    game: "Game", seat: int, level: str, evaluation: "Evaluation", choices: "list[Choice]"
) -> dict[str, object]:
    return {
        "game": game.name,
        "player": seat + 1,
        "level": level,
        "playouts": evaluation.playouts,
        "is_complete": evaluation.is_complete,
        "moves": [
            {
                "move": game.vocabulary.moves[choice.move].text,
                "win": round(choice.value, 6),
                "error": round(choice.error, 6),
                "points": round(choice.points, 4),
                "playouts": choice.playouts,
            }
            for choice in choices
        ],
    }


def show(game: "Game", seat: int, evaluation: "Evaluation", choices: "list[Choice]", language: Language) -> None:
    from nevel.game.event import Teller

    teller = Teller(language, game.names)
    prompt = game.prompt(seat)
    question = mark("{player}: {text}")
    asked = language.say(question, player=teller.name(seat), text=prompt.sentence(teller) if prompt else "")
    table = Table(title=asked, title_justify="left", title_style="bold")
    table.add_column(language.say(mark("Move")), no_wrap=True)
    for heading in (mark("Chance to win"), mark("Standard error"), game.spec.points_heading, mark("Games simulated")):
        table.add_column(language.say(heading), justify="right")
    for number, choice in enumerate(choices):
        table.add_row(
            Text(game.vocabulary.describe(game.vocabulary.moves[choice.move], teller)),
            percent(choice.value, language),
            percent(choice.error, language),
            language.say_number(round(game.spec.readable_points(choice.points), 2)),
            language.say_number(choice.playouts),
            style="bold" if number == 0 else "",
        )
    console.print(table)
    if not evaluation.is_complete:
        console.print(Text(language.say(mark("Stopped early: this is what was known so far.")), style="dim"))
