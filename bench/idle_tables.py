"""Memory of an idle table: 10,000 of them in memory, in mid-game. `python -m bench.idle_tables`"""

import argparse
import asyncio
import gc
import itertools
import random
import resource
import tempfile
import time
from pathlib import Path

from rich.console import Console

from nevel.bots.evaluation import Budget
from nevel.tables.domain.commands import Asker, Play, Sit, Start
from nevel.tables.runtime.house import House
from nevel.tables.storage.storage import open_storage
from nevel.web.server.warming import warm_rules
from tests.own_games import OWN_GAMES

GAMES = tuple(OWN_GAMES)
#: Moves made at each table before it is left alone.
MOVES = 30
#: Tables that are played at together, so that their rows are stored together.
AT_ONCE = 200

console = Console(highlight=False)


def kilobytes() -> int:
    """What this process has in memory."""
    pages = int(Path("/proc/self/statm").read_text("utf-8").split()[1])
    return pages * resource.getpagesize() // 1024


async def sit_and_leave(house: House, game: str, chance: random.Random) -> None:
    """A table for two people, who make some moves and go."""
    room = await house.opening.open_table("person0", game, 2)
    for person in ("person0", "person1"):
        await house.ask(room.table.name, Sit(contribution=person), person)
    await house.ask(room.table.name, Start(), "person0")
    for _ in range(MOVES):
        table = room.table
        if table.game is None or table.phase != "playing":
            return
        prompt = chance.choice(table.game.prompts())
        await room.ask(Play(chance.choice(prompt.moves), table.seq, prompt.seat), Asker(f"person{prompt.seat}"))


async def measure(count: int, folder: str) -> None:
    storage = await open_storage(f"{folder}/nevel.db")
    house = House(storage, Budget(playouts=1))
    await house.start()
    chance = random.Random(1)
    await asyncio.gather(*(sit_and_leave(house, game, chance) for game in GAMES))
    gc.collect()
    before, began = kilobytes(), time.perf_counter()
    games = itertools.islice(itertools.cycle(GAMES), count)
    while some := list(itertools.islice(games, AT_ONCE)):
        await asyncio.gather(*(sit_and_leave(house, game, chance) for game in some))
    took = time.perf_counter() - began
    gc.collect()
    each = (kilobytes() - before) / count
    moves = sum(len(room.table.played) for room in house.rooms.values())
    console.print(f"{len(house.rooms):,} tables after {moves / len(house.rooms):.0f} moves: {each:.1f} KB each,")
    console.print(f"{kilobytes() / 1024:,.0f} MB in all; laid out and played in {took:.0f} s")
    names = list(house.rooms)
    for name in names:
        await house.forget(name)
    gc.collect()
    console.print(f"{len(house.rooms)} tables after all were forgotten: {kilobytes() / 1024:,.0f} MB")
    began = time.perf_counter()
    some = names[:: max(1, len(names) // 1000)]
    for name in some:
        await house.room(name)
    console.print(f"{(time.perf_counter() - began) / len(some) * 1000:.1f} ms to enter one again")
    await house.close()
    await storage.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10_000)
    warm_rules()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(parser.parse_args().tables, folder))


if __name__ == "__main__":
    main()
