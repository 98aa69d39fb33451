"""`nevel load --abuse`: what honest visitors notice while others do all they can to be a burden."""

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from rich.table import Table

from nevel.cli.common import console, errors, progress_bar
from nevel.game.registry import find
from nevel.languages import Language, mark

if TYPE_CHECKING:
    import asyncio

    from nevel.crowd.honest import HonestFigures, HonestPlan
    from nevel.crowd.load import LoadPlan
    from nevel.crowd.wire import ServerClient


def show_abuse(
    runner: "asyncio.Runner",
    client: "ServerClient",
    process: int | None,
    plan: "LoadPlan",
    as_json: bool,
    language: Language,
) -> bool:
    """Put the load on a server and show the figures; whether there was no error."""
    from nevel.crowd.honest import HonestPlan
    from nevel.web.server.settings import Settings

    usual = Settings(database="")
    with tempfile.TemporaryDirectory(prefix="nevel-abuse-") as folder:
        file = Path(folder) / "game.json"
        file.write_text(finished_game(plan.games[0]), "utf-8")
        honest = HonestPlan(
            plan.games,
            plan.tables,
            plan.seats,
            plan.seconds,
            # One move a second at each table, unless it is said.
            plan.rate or float(plan.tables),
            usual.bot_pause,
            usual.bot_seconds,
            file,
        )
        figures, complaints = runner.run(put_abuse(client, process, honest, language))
    for complaint in complaints:
        errors.print(complaint, markup=False)
    if as_json:
        sys.stdout.write(msgspec.json.encode(figures).decode() + "\n")
    else:
        console.print(drawn(figures, language))
    return not figures.load.errors


async def put_abuse(
    client: "ServerClient", process: int | None, plan: "HonestPlan", language: Language
) -> "tuple[HonestFigures, list[str]]":
    """Wait for the server, then start honest and abusive clients."""
    from nevel.crowd.honest import play_among_abusers
    from nevel.crowd.load import wait_until_warm
    from nevel.crowd.process import wait_until_ready
    from nevel.testing.parts import choosing_for

    with progress_bar() as bar:
        task = bar.add_task(language.say(mark("Playing")), total=None)
        await wait_until_ready(client, process)
        await wait_until_warm(client)

        def progress(_: str, done: float, total: float) -> None:
            bar.update(task, completed=done, total=total)

        found, complaints = await play_among_abusers(client, plan, progress, choosing_for)
        return found, list(complaints)


def finished_game(name: str) -> str:
    """A finished game with as many players as possible, all of whom play their first legal move."""
    import nevel

    game = nevel.new(name, seats=find(name).rules.SEATS[1], seed=1)
    while not game.is_over:
        prompt = game.prompts()[0]
        game.play(prompt.seat, prompt.moves[0])
    return nevel.save(game)


def drawn(figures: "HonestFigures", language: Language) -> Table:
    table = Table(show_header=False)
    load = figures.load
    rows: list[tuple[str, float]] = [
        (mark("Milliseconds until the last seat sees a move: half of them within"), load.p50_ms),
        (mark("… 99% within"), load.p99_ms),
        (mark("Milliseconds the slowest bot took beyond its time"), figures.longest_bot_wait_ms),
        (mark("Moves per second"), load.moves_per_second),
        (mark("Moves of bots"), figures.bot_moves),
        (mark("Tables"), load.tables + figures.bot_tables),
        (mark("Errors"), load.errors),
        (mark("Megabytes used by the server"), load.server_megabytes),
    ]
    for title, value in rows:
        table.add_row(language.say(title), language.say_number(value))
    for kind in sorted({*figures.abuse_done, *figures.abuse_refused}):
        done, refused = (counts.get(kind, 0) for counts in (figures.abuse_done, figures.abuse_refused))
        table.add_row(language.say(mark("Abuse, {kind}: accepted / refused"), kind=kind), f"{done} / {refused}")
    return table
