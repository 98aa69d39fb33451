"""Bots at tables of the house: on one node at a time, and whatever happens to the database or to other tables."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.tables.domain.commands import Play, SeatBot, Start
from nevel.tables.domain.pace import Pace
from nevel.tables.domain.refusals import StaleError
from nevel.tables.runtime.house import House
from nevel.tables.runtime.room import Room, milliseconds
from nevel.tables.storage.database import StorageError
from nevel.tables.storage.storage import Storage
from nevel.tables.thinking import bot_runner
from nevel.tables.thinking.bot_runner import BotRunner
from tests.tables.storing import Open, Run, make_append
from tests.tables.test_house import QUICK, seated, until, with_house

Think = Callable[..., Any]


@pytest.fixture
def url(postgres_url: str) -> str:
    """For several nodes there has to be PostgreSQL."""
    return postgres_url


async def bots_alone(house: House, pace: Pace | None = None) -> Room:
    """A table at which two bots have begun a game."""
    room = await house.opening.open_table("person0", "misty", 2, pace=pace)
    await house.ask(room.table.name, SeatBot("casual"), "person0")
    await house.ask(room.table.name, Start(), "person0")
    return room


def is_over(room: Room) -> Callable[[], bool]:
    return lambda: room.table.phase == "over"


def test_bots_think_once_on_one_of_two_nodes(open_another: Open, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    thoughts: list[str] = []
    think: Think = BotRunner.think

    async def count(self: BotRunner, *what: Any, **how: Any) -> int | None:
        thoughts.append(self.node)
        return await think(self, *what, **how)

    async def work() -> None:
        houses = [House(await open_another(), QUICK) for _ in range(2)]
        for house in houses:
            await house.start()
        try:
            room = await bots_alone(houses[0])
            other = await houses[1].room(room.table.name)
            await until(is_over(other), other)
            await until(is_over(room), room)
            assert thoughts == [houses[0].node] * len(room.table.played)
        finally:
            for house in houses:
                await house.close()

    monkeypatch.setattr(BotRunner, "think", count)
    monkeypatch.setattr(bot_runner, "LEASE", 60_000)  # on a busy machine everything may stand still for a while
    run(work())


@pytest.mark.parametrize("hours", [1, -1])
def test_a_node_whose_clock_is_wrong_leaves_no_bot_stuck(
    open_another: Open, run: Run, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    """It dies while its bot thinks; the other takes over when the lease has run out, by the clock of the database."""
    think: Think = BotRunner.think

    async def die(self: BotRunner, *what: Any) -> int | None:
        if self.node == wrong[0]:
            await asyncio.sleep(3600)
        return await think(self, *what)

    async def release(_: BotRunner) -> None: ...

    async def work() -> None:
        one = House(await open_another(), QUICK, clock=lambda: milliseconds() + hours * 3_600_000)
        wrong.append(one.node)
        room = await bots_alone(one)
        await asyncio.sleep(0.1)
        # As if its process had ended: nothing is released.
        monkeypatch.setattr(BotRunner, "release", release)
        await one.close()
        monkeypatch.undo()
        other = House(await open_another(), QUICK)
        await other.start()
        again = await other.room(room.table.name)
        await until(is_over(again), again)
        await other.close()

    wrong: list[str] = []
    monkeypatch.setattr(BotRunner, "think", die)
    monkeypatch.setattr(bot_runner, "LEASE", 500)
    run(work())


def test_who_has_seen_more_through_another_node_is_not_late(open_another: Open, run: Run) -> None:
    async def work() -> None:
        houses = [House(await open_another(), QUICK) for _ in range(2)]  # neither of which listens
        room = await seated(houses[0], "misty", people=2, bots=0)
        other = await houses[1].room(room.table.name)
        for house, person in zip(houses, (0, 1), strict=True):
            assert other.table.game
            prompt = other.table.game.prompt(person)
            assert prompt
            await house.ask(room.table.name, Play(prompt.moves[0], room.table.seq), f"person{person}")
        assert len(other.table.played) == 2
        for house in houses:
            await house.close()

    run(work())


def test_two_nodes_say_a_hint_once(open_another: Open, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def say_nothing(_: BotRunner) -> None: ...

    async def work() -> None:
        houses = [House(await open_another(), QUICK) for _ in range(2)]  # neither of which listens
        room = await seated(houses[0], "the-game", people=1, bots=1)
        await houses[0].ask(room.table.name, Play("start", room.table.seq), "person0")
        other = await houses[1].room(room.table.name)
        game, seq = room.table.game, room.table.seq
        assert game
        hint = next(move.text for move in game.legal_moves(1) if game.vocabulary.is_hint(move))
        await room.move_for_bot(1, hint, seq)
        with pytest.raises(StaleError):
            await other.move_for_bot(1, hint, seq)
        assert other.table.seq == room.table.seq == seq + 1
        for house in houses:
            await house.close()

    monkeypatch.setattr(BotRunner, "speak", say_nothing)
    run(work())


@pytest.mark.parametrize("lost", ["claim", "append"])
def test_bots_go_on_when_the_database_is_back(
    open_another: Open, run: Run, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    async def work() -> None:
        storage = await open_another()
        house = House(storage, QUICK)
        room = await house.opening.open_table("person0", "misty", 2)
        await house.ask(room.table.name, SeatBot("casual"), "person0")
        do, losses = getattr(storage, lost), iter([True, True])

        async def lose(*what: Any) -> Any:
            if room.table.phase == "playing" and next(losses, False):
                raise StorageError("{reason}", reason="away")
            return await do(*what)

        monkeypatch.setattr(storage, lost, lose)
        await house.ask(room.table.name, Start(), "person0")
        await until(is_over(room), room)
        assert next(losses, None) is None
        await house.close()

    run(work())


def test_a_move_that_came_too_late_is_thought_of_again(storage: Storage, run: Run, monkeypatch: Any) -> None:
    think: Think = BotRunner.think

    async def work(house: House) -> None:
        async def be_slow(self: BotRunner, *what: Any, **how: Any) -> int | None:
            monkeypatch.setattr(BotRunner, "think", think)
            await house.ask(room.table.name, Play("start", room.table.seq), "person0")
            return self.room.table.game.vocabulary.moves.parse("start").number  # pyright: ignore[reportOptionalMemberAccess]

        async def say_nothing(_: BotRunner) -> None: ...

        monkeypatch.setattr(BotRunner, "speak", say_nothing)
        monkeypatch.setattr(BotRunner, "think", be_slow)
        room = await seated(house, "the-game", people=1, bots=1)
        while room.table.played == [] or room.table.played[-1][1].chair == 0:
            game = room.table.game
            assert game
            prompt = game.prompt(0)
            if prompt is None or not room.table.played:
                await until(lambda: bool(room.table.played) and room.table.waiting_for == [0], room)
            elif "end turn" in prompt.moves:
                await house.ask(room.table.name, Play("end turn", room.table.seq), "person0")
            else:
                await house.ask(room.table.name, Play(prompt.moves[0], room.table.seq), "person0")
        assert room.table.played[-1][1].is_bot

    run(with_house(storage, work))


def test_a_thought_holds_when_another_answers_the_same_question(storage: Storage, run: Run, monkeypatch: Any) -> None:
    """All choose at once: nobody waits for a second thought because they were quicker than the bot."""
    think, thoughts = cast("Think", BotRunner.think), list[int]()

    async def work(house: House) -> None:
        async def answer_meanwhile(self: BotRunner, bot: Bot, *what: Any, **how: Any) -> int | None:
            table = self.room.table
            thoughts.append(table.seq)
            if table.game and (prompt := table.game.prompt(0)):
                await house.ask(table.name, Play(prompt.moves[0], table.seq, 0), "person0")
            return await think(self, bot, *what, **how)

        monkeypatch.setattr(BotRunner, "think", answer_meanwhile)
        room = await seated(house, "misty", people=1, bots=1)
        await until(lambda: room.table.phase == "over" or not room.table.are_bots_needed, room)
        moves = [seq for seq, fact in room.table.played if fact.is_bot]
        assert len(moves) > 3
        assert len(thoughts) == len(moves)
        # They thought before the other's answer was there.
        assert sum(seq - thought > 1 for seq, thought in zip(moves, thoughts, strict=True)) > 3

    run(with_house(storage, work))


def test_who_hears_something_thinks_again_in_half_the_time(storage: Storage, run: Run, monkeypatch: Any) -> None:
    think, seconds = cast("Think", BotRunner.think), list[float | None]()

    async def work(house: House) -> None:
        async def hear_meanwhile(self: BotRunner, bot: Bot, *what: Any, **how: Any) -> int | None:
            table = self.room.table
            assert table.game
            if table.waiting_for != [1]:
                return None
            seconds.append(bot.budget.seconds)
            if len(seconds) == 1:
                await house.ask(table.name, Play(table.game.hints(0)[0].text, table.seq, 0), "person0")
            return await think(self, bot, *what, **how)

        async def say_nothing(_: BotRunner) -> None: ...

        monkeypatch.setattr(BotRunner, "speak", say_nothing)
        monkeypatch.setattr(BotRunner, "think", hear_meanwhile)
        house.thinking.budget = Budget(playouts=20, seconds=1.0)
        room = await seated(house, "the-game", people=1, bots=1)
        await house.ask(room.table.name, Play("start", room.table.seq), "person0")
        while room.table.waiting_for == [0]:
            assert room.table.game
            prompt = room.table.game.prompt(0)
            assert prompt
            move = "end turn" if "end turn" in prompt.moves else prompt.moves[0]
            await house.ask(room.table.name, Play(move, room.table.seq), "person0")
        await until(lambda: sum(fact.is_bot for _, fact in room.table.played) == 2, room)
        assert seconds[:3] == [1.0, 0.5, 1.0]

    run(with_house(storage, work))


def test_what_a_bot_says_is_part_of_its_pause(storage: Storage, run: Run, monkeypatch: Any) -> None:
    pauses = list[float]()

    async def work(house: House) -> None:
        async def pause(seconds: float) -> None:
            pauses.append(seconds)

        async def speak(_: BotRunner) -> None:
            await asyncio.sleep(0.1)

        monkeypatch.setattr(BotRunner, "speak", speak)
        monkeypatch.setattr(bot_runner, "asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": pause}))
        house.thinking.pause = 1.0
        room = await seated(house, "misty", people=1, bots=1)
        await until(lambda: any(fact.is_bot for _, fact in room.table.played), room)
        assert 0 < pauses[0] <= 0.9

    run(with_house(storage, work))


def test_a_table_that_cant_be_read_keeps_no_other_waiting(
    storage: Storage, run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        await storage.append(make_append("broken", secret="5e" * 32, phase="playing", created=0))
        house = House(storage, QUICK)
        room = await bots_alone(house, Pace("live", seconds=30))
        await house.close()
        again = House(storage, QUICK)
        await again.start()
        while room.table.name not in again.rooms:
            await asyncio.sleep(0.001)
        resumed = again.rooms[room.table.name]
        await until(is_over(resumed), resumed)
        await again.close()

    run(work())
    assert "a table can't be resumed" in caplog.text
