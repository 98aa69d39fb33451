"""Bots give nothing of their hands away: neither by how long they think, nor by numbers others could work out."""

import asyncio
from collections.abc import Callable

import pytest

from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.tables.domain.commands import SeatBot
from nevel.tables.domain.table import Table
from nevel.tables.runtime.room import Room
from nevel.tables.storage.storage import open_storage
from nevel.tables.thinking.bot_runner import BotRunner, seconds_to_wait
from tests.tables.one_table import OneTable
from tests.tables.storing import Run

SECONDS = 0.2


async def with_runner(url: str, level: str, thinks_for: float, work: Callable[[BotRunner], object]) -> float:
    """How long a bot takes that thinks for so long."""

    async def think(_person: str, _bot: Bot, _answer: Callable[[Bot], int | None], _is_quick: bool) -> int | None:
        await asyncio.sleep(thinks_for)
        return None

    one = OneTable("misty", 2)
    one.ask("ann", SeatBot(level))
    storage = await open_storage(url)
    try:
        runner = BotRunner(Room(storage, one.table), "node", think, Budget(seconds=SECONDS))
        work(runner)
        begun = asyncio.get_running_loop().time()
        await runner.think(runner.bot_at(0), lambda _: None, SECONDS)
        return asyncio.get_running_loop().time() - begun
    finally:
        await storage.close()


@pytest.mark.parametrize("thinks_for", [0.0, 0.1, 0.18])
def test_an_expert_answers_when_its_time_is_over_however_long_it_thought(
    sqlite_url: str, run: Run, thinks_for: float
) -> None:
    took = run(with_runner(sqlite_url, "expert", thinks_for, lambda _: None))
    assert took >= seconds_to_wait(0, SECONDS) - 0.01


def test_whoever_decides_at_a_glance_isnt_kept_waiting(sqlite_url: str, run: Run) -> None:
    slept: list[BotRunner] = []
    run(with_runner(sqlite_url, "casual", 0.0, slept.append))
    assert slept
    assert all(seconds_to_wait(passed, 1.0) > 0 for passed in (0.0, 0.4, 1.0, 1.1))
    assert {round(passed + seconds_to_wait(passed, 1.0), 6) for passed in (0.0, 0.4, 1.0, 1.1)} == {1.15}


def test_who_waits_for_a_late_bot_waits_for_a_quarter_of_its_time_at_most() -> None:
    assert {round(passed + seconds_to_wait(passed, 1.0), 6) for passed in (1.16, 1.2, 1.43)} == {1.4375}
    assert round(3.0 + seconds_to_wait(3.0, 1.0), 6) == 3.1625


def test_what_a_bot_draws_depends_on_the_secret_of_its_table(sqlite_url: str, run: Run) -> None:
    seeds = set[int]()

    def look(runner: BotRunner) -> None:
        table = runner.room.table
        for secret in ("5e" * 32, "5f" * 32):
            runner.room.table = twin = Table(table.name, secret)
            twin.opened, twin.chairs = table.opened, table.chairs
            seeds.update(runner.bot_at(chair).seed for chair in (0, 1))
        runner.room.table = table

    run(with_runner(sqlite_url, "casual", 0.0, look))
    assert len(seeds) == 4
