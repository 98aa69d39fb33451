"""`nevel simulate`: many games at once between bots."""

import importlib.util
import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Annotated, NoReturn, cast

import typer
from rich.table import Table

from nevel.cli.common import (
    AsJson,
    Bots,
    BoxFile,
    Cores,
    GameName,
    LanguageOption,
    Options,
    Playouts,
    Seats,
    Seconds,
    Seed,
    all_cores,
    choose_language,
    console,
    lay_out,
    progress_bar,
    stop,
    text,
)
from nevel.lab.figures.intervals import Interval, wilson
from nevel.languages import Language, SpokenError, mark

if TYPE_CHECKING:
    from nevel.game.spec import GameSpec
    from nevel.lab.matches.gpu import GpuSimulation
    from nevel.lab.simulation import Simulation, TableSimulation

#: A process of ours compiles for the CPU or, with this in its environment, for a GPU.
FOR_GPU = ("NEVEL_COMPILE_FOR", "cuda")


def simulate(
    game: GameName,
    *,
    seats: Seats = None,
    bots: Bots = "simple",
    games: Annotated[int, typer.Option(min=1, help=text(mark("How many games")))] = 10_000,
    seconds: Seconds = None,
    playouts: Playouts = None,
    rotate: Annotated[
        bool,
        typer.Option(
            "--rotate", help=text(mark("Play every deal once per chair, moving the bots on by one each time"))
        ),
    ] = False,
    seed: Seed = None,
    cores: Cores = None,
    gpu: Annotated[
        bool,
        typer.Option("--gpu", help=text(mark("Play on a GPU, one game per thread, with the bots random and simple"))),
    ] = False,
    box: BoxFile = None,
    option: Options = None,
    as_json: AsJson = False,
    language_code: LanguageOption = None,
) -> None:
    if gpu and os.environ.get(FOR_GPU[0]) != FOR_GPU[1]:
        start_over_for_gpu(choose_language(language_code))
    from nevel.lab.matches.match import policies_of
    from nevel.lab.simulation import Simulation, TableSimulation
    from nevel.players.seating import read_players

    language = choose_language(language_code)
    try:
        matches = lay_out(game, seats, box, option, seed, seconds, playouts, language)
        words, chairs = matches.spec.vocabulary, matches.seats
        names = read_players(bots, chairs)
        options = words.option_numbers(words.read_options(matches.options))
        policies = policies_of(words.rules, names)
        threads = cores or all_cores()
        device = ""
        if gpu:
            from nevel.lab.matches.gpu import GpuSimulation, check_gpu

            device = check_gpu()
            if policies is None or rotate:
                raise SpokenError(mark("On a GPU only the bots random and simple play, each always in the same chair."))
            simulation = GpuSimulation(words.rules, chairs, matches.box.numbers, options, policies, matches.seed)
            simulation.warm_up()
        elif policies is None or rotate:
            simulation = TableSimulation(matches, names, rotate)
        else:
            simulation = Simulation(words.rules, chairs, matches.box.numbers, options, policies, matches.seed)
            simulation.piece(0, 1)  # compile before the clock starts
    except SpokenError as problem:
        stop(problem.sentence(language))
    with progress_bar() as progress:
        task = progress.add_task(matches.spec.title, total=games)
        started = time.perf_counter()
        for done in simulation.run(games, threads):
            progress.update(task, completed=done)
        elapsed = time.perf_counter() - started
    figures: dict[str, object] = {
        "game": game,
        "seats": chairs,
        "bots": names if len(set(names)) > 1 else names[:1],
        "games": games,
        "seconds": round(elapsed, 4),
        **({"gpu": device} if gpu else {"cores": threads}),
        "games_per_second": round(games / elapsed, 1 if policies is not None else 4),
        "seed": matches.seed,
        **results(simulation, matches.spec, chairs),
    }
    if isinstance(simulation, TableSimulation):
        figures["decision_seconds"] = round(simulation.decision_seconds, 6)
    if as_json:
        sys.stdout.write(json.dumps(figures) + "\n")
        return
    table = Table(show_header=False)
    for name, value in figures.items():
        table.add_row(language.say(FIGURES[name]), written(value, language))
    console.print(table)


def start_over_for_gpu(language: Language) -> NoReturn:
    """Do the same in a process whose rules are compiled for a GPU."""
    if importlib.util.find_spec("numba_cuda") is None and os.environ.get("NUMBA_ENABLE_CUDASIM", "0") == "0":
        stop(language.say(mark("For games on a GPU install what they need: pip install 'nevel[gpu]'")))
    command = [sys.executable, "-m", "nevel.cli", *sys.argv[1:]]
    raise typer.Exit(subprocess.run(command, env={**os.environ, FOR_GPU[0]: FOR_GPU[1]}, check=False).returncode)


def results(
    simulation: "Simulation | TableSimulation | GpuSimulation", spec: "GameSpec", seats: int
) -> dict[str, object]:
    """What the games came to. Intervals have a confidence of 95 %."""
    import numpy as np

    points = np.concatenate(simulation.points)[:, :seats]
    wins = np.concatenate(simulation.wins)[:, :seats].astype(np.float64)
    if not spec.is_cooperative:
        wins /= np.maximum(wins.sum(axis=1, keepdims=True), 1)  # a shared win is split
    shares = [float(mean) for mean in wins.mean(axis=0)]
    intervals = [wilson(share, len(points)).rounded() for share in shares]
    figures: dict[str, object] = {"mean_moves": round(float(np.concatenate(simulation.lengths).mean()), 2)}
    if spec.is_cooperative:
        figures["win_rate"] = round(shares[0], 6)
        figures["win_rate_interval"] = intervals[0]
        name = "mean_cards_left" if spec.counts_cards_left else "mean_points"
        figures[name] = round(spec.readable_points(float(points[:, 0].mean())), 4)
    else:
        figures["mean_scores"] = [round(float(mean), 4) for mean in points.mean(axis=0)]
        figures["win_shares"] = [round(share, 4) for share in shares]
        figures["win_share_intervals"] = intervals
    return figures


def written(value: object, language: Language) -> str:
    """A figure for people: numbers as their language writes them, several beside each other."""
    if isinstance(value, Interval):
        return f"{written(value.low, language)} … {written(value.high, language)}"
    if isinstance(value, list):
        return " · ".join(written(item, language) for item in cast("list[object]", value))
    return language.say_number(value) if isinstance(value, int | float) else str(value)


#: What the figures of a simulation are called.
FIGURES = {
    "game": mark("Game"),
    "seats": mark("Players"),
    "bots": mark("Bots"),
    "games": mark("Games"),
    "seconds": mark("Seconds"),
    "cores": mark("Cores"),
    "gpu": mark("GPU"),
    "games_per_second": mark("Games per second"),
    "seed": mark("Seed"),
    "mean_moves": mark("Moves per game"),
    "win_rate": mark("Share of games won"),
    "win_rate_interval": mark("… with 95% confidence"),
    "mean_cards_left": mark("Cards left, on average"),
    "mean_points": mark("Points, on average"),
    "mean_scores": mark("Points by seat, on average"),
    "win_shares": mark("Share of games won, by seat"),
    "win_share_intervals": mark("… with 95% confidence"),
    "decision_seconds": mark("Seconds per decision, on average"),
}
