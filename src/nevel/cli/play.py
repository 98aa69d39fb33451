"""`nevel play`: a table in this terminal."""

import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from nevel.cli.common import (
    Bots,
    BoxFile,
    LanguageOption,
    Options,
    Seats,
    Seconds,
    Seed,
    choose_language,
    console,
    default_seats,
    errors,
    notices,
    read_budget,
    read_options,
    stop,
    text,
)
from nevel.languages import Language, SpokenError, mark


def play(
    game: Annotated[str | None, typer.Argument(help=text(mark("The name of a game; `nevel games` lists them")))] = None,
    *,
    seats: Seats = None,
    people: Annotated[int, typer.Option(help=text(mark("How many people share this screen")))] = 1,
    bots: Bots = "casual",
    seconds: Seconds = None,
    seed: Seed = None,
    box: BoxFile = None,
    option: Options = None,
    name: Annotated[
        list[str] | None, typer.Option(help=text(mark("Players' names, in the order of the seats")))
    ] = None,
    resume: Annotated[Path | None, typer.Option(help=text(mark("Go on with a saved game")))] = None,
    language_code: LanguageOption = None,
) -> None:
    language = choose_language(language_code)
    if game is None and resume is None:
        game = ask_game(language)
    with console.status(language.say(mark("Setting up the table; the very first time this takes a few seconds…"))):
        from nevel.game import load, new
        from nevel.game.event import Teller
        from nevel.players.seating import seat_players
        from nevel.terminal.table import TerminalTable

        try:
            if resume:
                table_game = load(resume.read_bytes())
            else:
                chairs = seats or default_seats(game or "")
                table_game = new(game or "", chairs, seed, box, name or [], **read_options(option, language))
            if not 1 <= people <= table_game.seats:
                stop(language.say(mark("1 to {seats} people can share this screen."), seats=table_game.seats))
            sitting = seat_players(
                bots,
                range(people, table_game.seats),
                secrets.randbits(64) if seed is None else seed,
                read_budget(seconds, None),
                # On one screen, what is told mustn't tear what is drawn.
                notices(language, console if console.is_terminal and errors.is_terminal else errors),
                # What programs write there would spoil the table, unless it goes elsewhere.
                shows_errors=not sys.stderr.isatty(),
            )
        except SpokenError as problem:
            stop(problem.sentence(language))
        except OSError as problem:
            stop(language.say(mark("{file} can't be read: {reason}"), file=resume, reason=language.explain(problem)))
    TerminalTable(table_game, sitting, Teller(language, name or table_game.names), console).run()


def ask_game(language: Language) -> str:
    """Which game? By number or name."""
    from nevel.game.registry import all_games

    names = list(all_games())
    for number, spec in enumerate(all_games().values(), 1):
        console.print(Text.assemble((f"{number}  {spec.title}", "bold"), f"  {language.say(spec.pitch)}"))
    while True:
        try:
            answer = console.input(language.say(mark("Which game? "))).strip()
        except (EOFError, KeyboardInterrupt):
            raise typer.Exit(1) from None
        if answer in names:
            return answer
        if answer.isdigit() and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
