"""Measures what honest visitors notice while others are a burden to the server."""

import asyncio
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from nevel.crowd.abuse import AbuseFigures
from nevel.crowd.bot_table import BotTable
from nevel.crowd.load import ChoosingFor, Load, LoadFigures, Progress, all_of, random_for, usage
from nevel.crowd.wire import ServerClient

#: Of so many tables, one has a bot; of so many of those, one has an expert.
ONE_WITH_BOT = 4
ONE_WITH_EXPERT = 5
#: Seconds the abusers have to end after their time.
END_WITHIN = 30.0


class HonestFigures(Struct, frozen=True):
    """The results: latencies of honest visitors, and the counts of those who abuse the server."""

    load: LoadFigures
    bot_tables: int
    bot_moves: int
    #: Milliseconds the slowest move of a bot took beyond its pause and the time it may think.
    longest_bot_wait_ms: float
    abuse_done: dict[str, int]
    abuse_refused: dict[str, int]


class HonestPlan(Struct, frozen=True):
    """How honest visitors play; of the tables, some have a bot."""

    games: list[str]
    tables: int
    seats: int
    seconds: float
    rate: float
    #: Seconds a bot pauses before a move, and may think about it if it searches.
    pause: float
    budget: float
    #: The file of a finished game, for the abusers.
    saved_game: Path


async def play_among_abusers(
    client: ServerClient, plan: HonestPlan, progress: Progress, choosing: ChoosingFor = random_for
) -> tuple[HonestFigures, Sequence[str]]:
    """Play as planned while a process beside this one does all it can to be a burden; gives complaints too."""
    with_bots = plan.tables // ONE_WITH_BOT
    # Every table is at home somewhere else.
    load = Load(client, plan.games, plan.tables - with_bots, plan.seats, plan.rate, choosing=choosing)
    for number, clients in enumerate(load.tables_played):
        clients.client = client.at(f"10.1.{number // 256}.{number % 256}")
    bots = [
        BotTable(
            client.at(f"10.2.{number // 256}.{number % 256}"),
            plan.games[number % len(plan.games)],
            "casual" if number % ONE_WITH_EXPERT else "expert",
            choosing(plan.games[number % len(plan.games)], random.Random(number)),
            load.wrong,
        )
        for number in range(with_bots)
    ]
    before = await usage(client)
    command = [sys.executable, "-m", "nevel.crowd.abuse", client.host, str(client.port), str(plan.seconds)]
    abusers: subprocess.Popen[bytes] | None = None
    try:
        await load.open(progress)
        await all_of([table.open() for table in bots], lambda _: None)
        abusers = subprocess.Popen([*command, str(plan.saved_game)], stdout=subprocess.PIPE)
        figures = await load.run(plan.seconds, before, progress)
        waits = [(table, wait) for table in bots for wait in table.waits_now()]
        output, _ = await asyncio.to_thread(abusers.communicate, timeout=END_WITHIN)
        abuse = msgspec.json.decode(output, type=AbuseFigures)
    finally:
        if abusers:
            abusers.kill()
            abusers.wait()
        for table in bots:
            await table.close()
        await load.close()
    beyond = [wait - plan.pause - (plan.budget if table.level == "expert" else 0.0) for table, wait in waits]
    found = HonestFigures(
        load=figures,
        bot_tables=with_bots,
        bot_moves=len(waits),
        longest_bot_wait_ms=round(max(beyond, default=0.0) * 1000, 1),
        abuse_done=abuse.done,
        abuse_refused=abuse.refused,
    )
    return found, list(load.complaints)
