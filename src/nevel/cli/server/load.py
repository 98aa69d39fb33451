"""`nevel load`: how much a server can take."""

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Annotated, Literal
from urllib.parse import urlsplit

import typer
from rich.table import Table

from nevel.cli.common import AsJson, LanguageOption, choose_language, console, errors, progress_bar, stop, text
from nevel.cli.server.abuse import show_abuse
from nevel.game.registry import all_games, find
from nevel.languages import Language, SpokenError, mark

if TYPE_CHECKING:
    from nevel.crowd.load import LoadFigures, LoadPlan
    from nevel.crowd.wire import ServerClient

ALL = "all"
Frames = Literal["json", "html"]


def load(
    *,
    tables: Annotated[int, typer.Option(min=1, help=text(mark("How many tables")))] = 100,
    seats: Annotated[int, typer.Option(min=1, help=text(mark("How many people per table, each with a socket")))] = 4,
    seconds: Annotated[float, typer.Option(min=0.1, help=text(mark("How many seconds to play")))] = 10.0,
    game: Annotated[str, typer.Option(help=text(mark("A game, or all of them in turn")))] = ALL,
    rate: Annotated[
        float, typer.Option(min=0, help=text(mark("Moves per second in total; as many as possible by default")))
    ] = 0.0,
    frames: Annotated[
        Frames, typer.Option(help=text(mark("What sockets receive: views as data, or pages as browsers get them")))
    ] = "json",
    idle_tables: Annotated[int, typer.Option(min=0, help=text(mark("Additional idle tables")))] = 0,
    idle_sockets: Annotated[int, typer.Option(min=0, help=text(mark("Sockets that watch those")))] = 0,
    abuse: Annotated[bool, typer.Option("--abuse", help=text(mark("While others try to overload the server")))] = False,
    url: Annotated[
        str | None, typer.Option(help=text(mark("The address of a running server; by default one is started")))
    ] = None,
    as_json: AsJson = False,
    language_code: LanguageOption = None,
) -> None:
    import asyncio

    import msgspec
    from uvicorn.loops.auto import auto_loop_factory

    from nevel.crowd.load import LoadPlan
    from nevel.crowd.process import serving

    language = choose_language(language_code)
    try:
        games = which_games(game, seats)
        server: AbstractContextManager[tuple[ServerClient, int | None]] = (
            nullcontext((client_for(url), None)) if url else serving(has_limits=abuse)
        )
        with server as (client, process), asyncio.Runner(loop_factory=auto_loop_factory()) as runner:
            plan = LoadPlan(games, tables, seats, seconds, rate, frames, idle_tables, idle_sockets)
            if abuse:
                if not show_abuse(runner, client, process, plan, as_json, language):
                    raise typer.Exit(1)
                return
            work = put_load(client, process, plan, language)
            figures, complaints = runner.run(work)
    except SpokenError as problem:
        stop(problem.sentence(language))
    for complaint in complaints:
        errors.print(complaint, markup=False)
    if as_json:
        sys.stdout.write(msgspec.json.encode(figures).decode() + "\n")
    else:
        console.print(drawn(figures, language))
    if figures.errors:
        raise typer.Exit(1)


def which_games(game: str, seats: int) -> list[str]:
    """The game asked for, or all that so many can play."""

    if game != ALL:
        find(game).vocabulary.check_seats(seats)
        return [game]
    found = [name for name, words in all_games().items() if words.rules.SEATS[0] <= seats <= words.rules.SEATS[1]]
    if not found:
        raise SpokenError(mark("No game is for {seats} players."), seats=seats)
    return found


def client_for(url: str) -> "ServerClient":
    from nevel.crowd.wire import ServerClient

    parts = urlsplit(url)
    if parts.scheme != "http" or not parts.hostname:
        raise SpokenError(mark("“{url}” isn't the address of a server, such as http://127.0.0.1:8000."), url=url)
    return ServerClient(parts.hostname, parts.port or 80)


async def put_load(
    client: "ServerClient", process: int | None, plan: "LoadPlan", language: Language
) -> "tuple[LoadFigures, list[str]]":
    """Wait for the server, play as planned, and give the figures with what went wrong."""
    from nevel.crowd.load import Load, usage, wait_until_warm
    from nevel.crowd.process import wait_until_ready
    from nevel.testing.parts import choosing_for

    with progress_bar() as bar:
        task = bar.add_task(language.say(STAGES["server"]), total=None)

        def progress(stage: str, done: float, total: float) -> None:
            bar.update(task, description=language.say(STAGES[stage]), completed=done, total=total)

        await wait_until_ready(client, process)
        await wait_until_warm(client)
        load = Load(client, plan.games, plan.tables, plan.seats, plan.rate, plan.frames, choosing_for)
        try:
            if plan.idle_tables:
                await load.open_idle(plan.games, plan.idle_tables, plan.idle_sockets, progress)
            before = await usage(client)
            await load.open(progress)
            return await load.run(plan.seconds, before, progress), list(load.complaints)
        finally:
            await load.close()


def drawn(figures: "LoadFigures", language: Language) -> Table:
    table = Table(show_header=False)
    for name, title in FIGURES.items():
        table.add_row(language.say(title), language.say_number(getattr(figures, name)))
    return table


#: What is being done.
STAGES = {
    "server": mark("Starting a server"),
    "idle-tables": mark("Opening idle tables"),
    "tables": mark("Opening tables"),
    "moves": mark("Playing"),
}

#: What the figures are called.
FIGURES = {
    "moves_per_second": mark("Moves per second"),
    "p50_ms": mark("Milliseconds until the last seat sees a move: half of them within"),
    "p95_ms": mark("… 95% within"),
    "p99_ms": mark("… 99% within"),
    "errors": mark("Errors"),
    "tables": mark("Tables"),
    "seats": mark("People at each"),
    "kilobytes_per_table": mark("Kilobytes per table"),
    "bytes_per_frame": mark("Bytes per frame, on average"),
    "seconds": mark("Seconds"),
    "moves": mark("Moves"),
    "games_finished": mark("Games finished"),
    "server_cpu_us_per_move": mark("Microseconds of the server's core per move"),
    "client_load": mark("Share of a core the clients used"),
    "server_megabytes": mark("Megabytes used by the server"),
    "idle_tables": mark("Idle tables"),
    "idle_sockets": mark("Sockets at idle tables"),
}
