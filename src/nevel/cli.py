"""`nevel …`: the games from the command line."""

import json
import os
import secrets
import sys
import time
from pathlib import Path
from typing import Annotated, NoReturn, cast

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from nevel.languages import LANGUAGES, Language, SpokenError, guess_language, language, mark

app = typer.Typer(
    help=guess_language().say(mark("Tabletop games in which nobody sees everything.")),
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=True,
)
console = Console()


def text(message: str) -> str:
    """Help is written in the language of the terminal."""
    return guess_language().say(message)


GameName = Annotated[str, typer.Argument(help=text(mark("what-the-fog, the-game, extreme or misty")))]
Seats = Annotated[int | None, typer.Option(help=text(mark("How many players")))]
Bots = Annotated[str, typer.Option(help=text(mark("Who sits in the other chairs: random or simple")))]
Seed = Annotated[int | None, typer.Option(help=text(mark("The same seed deals the same game")))]
BoxFile = Annotated[Path | None, typer.Option("--box", help=text(mark("A TOML file that describes your own box")))]
Options = Annotated[
    list[str] | None, typer.Option("--option", help=text(mark("A variant, as name=value; may be given several times")))
]
Tongue = Annotated[str | None, typer.Option("--language", help=text(mark("en, fr or nl")))]


def stop(sentence: str) -> NoReturn:
    """End with a message people can act on."""
    Console(stderr=True).print(Text(sentence, style="bold red"))
    raise typer.Exit(2)


def tongue(code: str | None) -> Language:
    if code is None:
        return guess_language()
    try:
        return language(code)
    except ValueError:
        message = mark("Unknown language {code}; there are {known}.")
        stop(guess_language().say(message, code=code, known=", ".join(LANGUAGES)))


def read_options(given: list[str] | None, speech: Language) -> dict[str, object]:
    """`--option long_game=1` as a dictionary."""
    options: dict[str, object] = {}
    for item in given or []:
        name, _, value = item.partition("=")
        if not value.isdigit():
            stop(speech.say(mark("“{item}” isn't an option; write it as name=number."), item=item))
        options[name.strip()] = int(value)
    return options


def default_seats(game: str) -> int:
    return {"what-the-fog": 4, "misty": 3}.get(game, 2)


@app.command("games", help=text(mark("The games, their players and their variants.")))
def list_games(language: Tongue = None) -> None:
    from nevel.games import VOCABULARIES

    speech = tongue(language)
    table = Table()
    for heading in (mark("Name"), mark("Game"), mark("Players"), mark("Minutes"), mark("Variants")):
        table.add_column(speech.say(heading))
    for game in VOCABULARIES.values():
        low, high = game.rules.SEATS
        variants = "\n".join(
            f"{option.name}={'|'.join(map(str, option.values))}: {speech.say(option.title)} ({option.clause})"
            for option in game.options
        )
        about = Text.assemble((game.title, "bold"), "\n", speech.say(game.pitch))
        table.add_row(game.name, about, f"{low}–{high}", str(game.minutes), variants)
    console.print(table)


@app.command("rules", help=text(mark("The rules of a game, clause by clause.")))
def show_rules(game: GameName, language: Tongue = None) -> None:
    from nevel.games import vocabulary
    from nevel.games.clauses import rulebook

    speech = tongue(language)
    try:
        words = vocabulary(game)
    except SpokenError as problem:
        stop(problem.sentence(speech))
    console.print(Text(words.title, style="bold"))
    console.print(speech.say(words.pitch) + "\n")
    table = Table.grid(padding=(0, 2))
    for clause in rulebook(game):
        table.add_row(Text(clause.id, style="bold"), clause.sentence(speech))
    console.print(table)


@app.command("play", help=text(mark("A table in this terminal, with bots in the other chairs.")))
def play(
    game: Annotated[str | None, typer.Argument(help=text(mark("what-the-fog, the-game, extreme or misty")))] = None,
    seats: Seats = None,
    people: Annotated[int, typer.Option(help=text(mark("How many people share this screen")))] = 1,
    bots: Bots = "simple",
    seed: Seed = None,
    box: BoxFile = None,
    option: Options = None,
    name: Annotated[
        list[str] | None, typer.Option(help=text(mark("Players' names, in the order of the seats")))
    ] = None,
    resume: Annotated[Path | None, typer.Option(help=text(mark("Go on with a saved game")))] = None,
    language: Tongue = None,
) -> None:
    speech = tongue(language)
    if game is None and resume is None:
        game = ask_game(speech)
    with console.status(speech.say(mark("Laying out the table; the very first time this takes some seconds …"))):
        from nevel.bots.bot import Bot, UnknownBotError
        from nevel.games import load, new
        from nevel.games.telling import Teller
        from nevel.terminal.table import TerminalTable

        try:
            if resume:
                table_game = load(resume.read_bytes())
            else:
                chairs = seats or default_seats(game or "")
                table_game = new(game or "", chairs, seed, box, name or [], **read_options(option, speech))
            if not 1 <= people <= table_game.seats:
                stop(speech.say(mark("From 1 to {seats} people can share this screen."), seats=table_game.seats))
            sitting = {
                seat: Bot(bots, seed=secrets.randbits(64) if seed is None else seed + seat)
                for seat in range(people, table_game.seats)
            }
        except UnknownBotError as problem:
            stop(speech.say(mark("There is no bot {name}; there are random and simple."), name=problem.name))
        except SpokenError as problem:
            stop(problem.sentence(speech))
        except OSError as problem:
            stop(speech.say(mark("{file} can't be read: {reason}"), file=resume, reason=problem.strerror))
    TerminalTable(table_game, sitting, Teller(speech, name or table_game.names), console).run()


def ask_game(speech: Language) -> str:
    """Which game? By number or name."""
    from nevel.games import VOCABULARIES

    names = list(VOCABULARIES)
    for number, vocabulary in enumerate(VOCABULARIES.values(), 1):
        console.print(Text.assemble((f"{number}  {vocabulary.title}", "bold"), f"  {speech.say(vocabulary.pitch)}"))
    while True:
        try:
            answer = console.input(speech.say(mark("Which game? "))).strip()
        except (EOFError, KeyboardInterrupt):
            raise typer.Exit(1) from None
        if answer in names:
            return answer
        if answer.isdigit() and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]


@app.command("simulate", help=text(mark("Many games at once between bots, on all cores.")))
def simulate(
    game: GameName,
    seats: Seats = None,
    bots: Bots = "simple",
    games: Annotated[int, typer.Option(min=1, help=text(mark("How many games")))] = 10_000,
    seed: Seed = None,
    cores: Annotated[int | None, typer.Option(min=1, help=text(mark("How many cores; all by default")))] = None,
    box: BoxFile = None,
    option: Options = None,
    as_json: Annotated[bool, typer.Option("--json", help=text(mark("Print the figures as JSON")))] = False,
    language: Tongue = None,
) -> None:
    import numpy as np

    from nevel.bots.policy import POLICIES
    from nevel.boxes import Box
    from nevel.games import vocabulary
    from nevel.lab.simulation import Simulation

    speech = tongue(language)
    try:
        words = vocabulary(game)
        chairs = seats or default_seats(game)
        words.check_seats(chairs)
        options = words.option_numbers(words.read_options(read_options(option, speech)))
        contents = Box.read(box) if box else Box.of(game)
        if contents.game != game:
            raise contents.error_for(game)
    except SpokenError as problem:
        stop(problem.sentence(speech))
    names = bots.split(",")
    if len(names) not in (1, chairs) or any(bot not in POLICIES for bot in names):
        stop(speech.say(mark("There is no bot {name}; there are random and simple."), name=bots))
    policies = [POLICIES[bot] for bot in (names * chairs)[:chairs]]
    chosen_seed = secrets.randbits(63) if seed is None else seed
    threads = cores or os.cpu_count() or 1
    simulation = Simulation(words.rules, chairs, contents.numbers, options, policies, chosen_seed)
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
    )
    with progress:
        task = progress.add_task(words.title, total=games)
        simulation.piece(0, 1)  # compile before the clock starts
        started = time.perf_counter()
        for done in simulation.run(games, threads):
            progress.update(task, completed=done)
        seconds = time.perf_counter() - started
    points = np.concatenate(simulation.points)[:, :chairs]
    wins = np.concatenate(simulation.wins)[:, :chairs]
    figures: dict[str, object] = {
        "game": game,
        "seats": chairs,
        "bots": names,
        "games": games,
        "seconds": round(seconds, 4),
        "cores": threads,
        "games_per_second": round(games / seconds, 1),
        "seed": chosen_seed,
        "mean_moves": round(float(np.concatenate(simulation.lengths).mean()), 2),
    }
    if game in ("the-game", "extreme"):
        figures["win_rate"] = round(float(wins[:, 0].mean()), 6)
        figures["mean_cards_left"] = round(-float(points[:, 0].mean()), 4)
    else:
        figures["mean_scores"] = [round(float(mean), 4) for mean in points.mean(axis=0)]
        figures["win_shares"] = [round(float(mean), 4) for mean in wins.mean(axis=0)]
    if as_json:
        sys.stdout.write(json.dumps(figures) + "\n")
        return
    table = Table(show_header=False)
    for name, value in figures.items():
        table.add_row(speech.say(FIGURES[name]), written(value, speech))
    console.print(table)


def written(value: object, speech: Language) -> str:
    """A figure for people: numbers as their language writes them, several beside each other."""
    if isinstance(value, list):
        return " · ".join(written(item, speech) for item in cast("list[object]", value))
    return speech.say_number(value) if isinstance(value, int | float) else str(value)


#: What the figures of a simulation are called.
FIGURES = {
    "game": mark("Game"),
    "seats": mark("Players"),
    "bots": mark("Bots"),
    "games": mark("Games"),
    "seconds": mark("Seconds"),
    "cores": mark("Cores"),
    "games_per_second": mark("Games a second"),
    "seed": mark("Seed"),
    "mean_moves": mark("Moves a game"),
    "win_rate": mark("Share of games won"),
    "mean_cards_left": mark("Cards left, on average"),
    "mean_scores": mark("Points by seat, on average"),
    "win_shares": mark("Share of games won, by seat"),
}


if __name__ == "__main__":
    app()
