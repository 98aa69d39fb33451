"""The house: games with bots on real databases, restarts, deadlines, talk, and two nodes at one table."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import nevel
from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.languages import SpokenError
from nevel.tables.domain import facts
from nevel.tables.domain.commands import Leave, Play, SeatBot, SetTerms, Sit, Start
from nevel.tables.domain.pace import Pace
from nevel.tables.domain.refusals import MalformedError, NoSuchTableError, NotAllowedError, StaleError, TableError
from nevel.tables.domain.undo import AnswerUndo, Undo
from nevel.tables.referee.referee import ChatRefusedError
from nevel.tables.runtime.house import House
from nevel.tables.runtime.presence import ASLEEP_AFTER
from nevel.tables.runtime.room import BusyError, Room
from nevel.tables.storage.storage import Storage
from tests.own_games import OWN_GAMES
from tests.tables.storing import Open, Run

GAMES = tuple(OWN_GAMES)
DATA = Path(__file__).parent.parent / "data"
QUICK = Budget(playouts=20)
#: Only PostgreSQL has several nodes: a file has one.
SEVERAL_NODES = pytest.mark.parametrize("url", ["postgres"], indirect=True)


@pytest.fixture(scope="module", autouse=True)
def compiled_bots() -> None:
    """Bots of all games, compiled before any test counts its seconds."""
    for name in GAMES:
        game = nevel.new(name, seats=2, seed=1)
        for seat in game.waiting_for:
            Bot("casual").move(game.knowledge(seat))
            Bot("casual").hint(game.knowledge(seat))


class Clock:
    """Time that only passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


async def until(is_so: Callable[[], bool], room: Room) -> None:
    """Wait for something to become true at a table."""
    changed = asyncio.Event()

    def note(_: Room) -> None:
        changed.set()

    room.watchers.add(note)
    try:
        while not is_so():
            changed.clear()
            await changed.wait()
    finally:
        room.watchers.discard(note)


async def seated(house: House, game: str, people: int, bots: int, pace: Pace | None = None) -> Room:
    """A table at which the game has begun."""
    room = await house.opening.open_table("person0", game, people + bots, pace=pace)
    name = room.table.name
    for number in range(people):
        await house.ask(name, Sit(contribution=str(number)), f"person{number}")
    await house.ask(name, SeatBot("casual"), "person0")
    await house.ask(name, Start(), "person0")
    return room


async def play_own(house: House, room: Room, person: str) -> None:
    """Answer every question put to a person with the first legal move, until the game is over."""
    chair = room.table.chairs_of(person)[0]
    while room.table.phase == "playing":
        game = room.table.game
        assert game
        prompt = game.prompt(chair)
        if prompt is None:
            await until(lambda: room.table.phase == "over" or chair in room.table.waiting_for, room)
            continue
        # Somebody else may have been quicker, and then there is another question, or none.
        with contextlib.suppress(StaleError, BusyError):
            await house.ask(room.table.name, Play(prompt.moves[0], room.table.seq), person)


async def with_house(storage: Storage, work: Callable[[House], Awaitable[None]]) -> None:
    house = House(storage, QUICK)
    await house.start()
    try:
        await work(house)
    finally:
        await house.close()


@pytest.mark.parametrize("game", GAMES)
def test_people_and_bots_play_to_the_end(storage: Storage, run: Run, game: str) -> None:
    async def work(house: House) -> None:
        room = await seated(house, game, people=2, bots=1)
        await asyncio.gather(play_own(house, room, "person0"), play_own(house, room, "person1"))
        assert room.table.phase == "over"
        # What is stored tells the same game.
        again = await Room.enter(storage, room.table.name)
        assert room.table.game
        assert again.table.game
        assert again.table.game.fingerprint() == room.table.game.fingerprint()
        summary = await storage.summary(room.table.name)
        assert summary
        assert summary.phase == "over"
        assert [s.table for s in await storage.tables_of("person1", 10)] == [room.table.name]

    run(with_house(storage, work))


def test_what_was_agreed_outlives_a_restart_and_two_who_change_it_at_once(storage: Storage, run: Run) -> None:
    async def first(house: House) -> None:
        room = await house.opening.open_table("ann", "the-game", 2)
        name, seq = room.table.name, room.table.seq
        both = [house.ask(name, SetTerms({"minimum": 3}, seq=seq), "ann", f"click {n}") for n in range(2)]
        answers = await asyncio.gather(*both, return_exceptions=True)
        assert [type(answer) for answer in answers] == [int, StaleError]
        await house.ask(name, SetTerms(pace=Pace("live", 60, 30)), "ann")

    async def second(house: House) -> None:
        (summary,) = await storage.tables_of("ann", 10)
        opened = (await house.room(summary.table)).table.opened
        assert (opened.options, opened.pace) == (
            {"minimum": 3, "fewer_cards": 0, "open_tricks": 0},
            Pace("live", 60, 30),
        )
        assert '"minimum":3' in summary.details
        again = await Room.enter(storage, summary.table)
        assert again.table.seq == 2

    run(with_house(storage, first))
    run(with_house(storage, second))


def test_a_restarted_house_goes_on_where_it_was(storage: Storage, run: Run) -> None:
    async def first(house: House) -> None:
        room = await seated(house, "misty", people=1, bots=2, pace=Pace("live", seconds=600))
        game = room.table.game
        assert game
        prompt = game.prompt(0)
        assert prompt
        await house.ask(room.table.name, Play(prompt.moves[0], room.table.seq), "person0")

    async def second(house: House) -> None:
        (name,) = await storage.unfinished_by_the_clock()
        while name not in house.rooms:
            await asyncio.sleep(0.01)
        room = house.rooms[name]
        # The bots' picks weren't all made when the first house closed; nobody asks them to go on but the house itself.
        await until(lambda: 0 in room.table.waiting_for or room.table.phase == "over", room)
        await play_own(house, room, "person0")
        assert room.table.phase == "over"

    run(with_house(storage, first))
    run(with_house(storage, second))


def test_a_missed_deadline_is_carried_out_after_a_restart(storage: Storage, run: Run) -> None:
    clock = Clock()

    async def work() -> None:
        house = House(storage, QUICK, clock=clock)
        room = await seated(house, "the-game", people=2, bots=0, pace=Pace("live", seconds=30))
        await house.ask(room.table.name, Play("start", room.table.seq), "person1")
        await house.close()
        clock.now += 31_000
        house = House(storage, QUICK, clock=clock)
        await house.start()
        try:
            again = await house.room(room.table.name)
            await until(lambda: again.table.chairs[1].is_stood_in, again)
            assert again.table.humans == [0]
        finally:
            await house.close()

    run(work())


def test_nothing_is_opened_that_cant_be_played(storage: Storage, run: Run) -> None:
    async def work(house: House) -> None:
        for game, chairs, options, pace in (
            ("chess", 2, {}, Pace()),
            ("misty", 5, {}, Pace()),
            ("misty", 2, {"speed": 1}, Pace()),
            ("misty", 2, {}, Pace("live", seconds=1)),
        ):
            with pytest.raises(MalformedError):
                await house.opening.open_table("ann", game, chairs, options, pace)
        with pytest.raises(MalformedError):
            await house.opening.open_table("ann", "misty", 2, stand_in="genius")
        with pytest.raises(NoSuchTableError):
            await house.ask("nowhere", Start(), "ann")

    run(with_house(storage, work))


def test_the_referee_reads_what_is_said_during_the_game(storage: Storage, run: Run) -> None:
    async def work(house: House) -> None:
        room = await house.opening.open_table("person0", "the-game", 2)
        name = room.table.name
        await house.chat.say(name, "person0", "Shall we start at 20:30?")
        for person in ("person0", "person1"):
            await house.ask(name, Sit(), person)
        await house.ask(name, Start(), "person0")
        await house.chat.say(name, "person0", "Please leave the first pile alone!")
        for text in ("I have 37", "thir", "zevenendertig"):
            if text == "thir":
                await house.chat.say(name, "person1", text)
                text = "ty-seven"
            with pytest.raises(ChatRefusedError) as refused:
                await house.chat.say(name, "person1", text)
            assert refused.value.clause.id == "TG-H1"
        with pytest.raises(NotAllowedError):
            await house.chat.say(name, "somebody", "She has a low one!")
        with pytest.raises(SpokenError):
            await house.chat.say(name, "person0", "   ")
        said = [message.text for message in await storage.messages(name, -1, 10)]
        assert said == ["Shall we start at 20:30?", "Please leave the first pile alone!", "thir"]

    run(with_house(storage, work))


def test_a_rematch_brings_the_same_people_together(storage: Storage, run: Run) -> None:
    async def work(house: House) -> None:
        room = await seated(house, "the-game", people=2, bots=1)
        with pytest.raises(TableError):
            await house.opening.open_rematch(room.table.name, "person0")
        await asyncio.gather(play_own(house, room, "person0"), play_own(house, room, "person1"))
        with pytest.raises(NotAllowedError):
            await house.opening.open_rematch(room.table.name, "stranger")
        first, second = await asyncio.gather(
            house.opening.open_rematch(room.table.name, "person0"),
            house.opening.open_rematch(room.table.name, "person1"),
        )
        assert first == second
        again = await house.room(first)
        assert again.table.chairs[2].level == "casual"
        with pytest.raises(TableError):
            await house.ask(first, Sit(), "stranger")
        await house.ask(first, Sit(), "person1")
        assert again.table.chairs_of("person1") == room.table.chairs_of("person1")

    run(with_house(storage, work))


def test_two_clicks_at_once_are_one_move(storage: Storage, run: Run) -> None:
    async def work(house: House) -> None:
        room = await seated(house, "misty", people=2, bots=0)
        game = room.table.game
        assert game
        prompt = game.prompt(0)
        assert prompt
        click = Play(prompt.moves[0], room.table.seq)
        answers = await asyncio.gather(*(house.ask(room.table.name, click, "person0", "once") for _ in range(5)))
        assert set(answers) == {room.table.seq}
        assert len(room.table.played) == 1

    run(with_house(storage, work))


@asynccontextmanager
async def two_houses(open_another: Open) -> AsyncIterator[list[House]]:
    houses = [House(await open_another(), QUICK) for _ in range(2)]
    for house in houses:
        await house.start()
    try:
        yield houses
    finally:
        for house in houses:
            await house.close()


@SEVERAL_NODES
def test_two_nodes_share_a_table(open_another: Open, run: Run) -> None:
    async def work() -> None:
        async with two_houses(open_another) as houses:
            room = await seated(houses[0], "misty", people=2, bots=2)
            other = await houses[1].room(room.table.name)
            await asyncio.gather(play_own(houses[0], room, "person0"), play_own(houses[1], other, "person1"))
            rows = await houses[0].storage.rows(room.table.name)
            assert [row.seq for row in rows] == list(range(len(rows)))
            assert room.table.game
            assert other.table.game
            assert room.table.game.fingerprint() == other.table.game.fingerprint()
            # Every move once: the log plays again from its beginning.
            again = await Room.enter(houses[1].storage, room.table.name)
            assert again.table.phase == "over"

    run(work())


@SEVERAL_NODES
def test_what_a_node_hasnt_heard_of_is_no_reason_to_refuse(open_another: Open, run: Run) -> None:
    async def work() -> None:
        # They aren't started, so neither is told what the other does.
        houses = [House(await open_another(), QUICK) for _ in range(2)]
        name = (await houses[0].opening.open_table("person0", "misty", 2)).table.name
        await houses[0].ask(name, Sit(), "person0")
        await houses[1].ask(name, Sit(), "person1")
        await houses[0].ask(name, Start(), "person0")
        assert (await houses[0].room(name)).table.phase == "playing"
        with pytest.raises(TableError):
            await houses[1].ask(name, Start(), "person0")
        assert (await houses[1].room(name)).table.phase == "playing"
        for house in houses:
            await house.close()

    run(work())


@SEVERAL_NODES
def test_another_node_hears_what_is_said(open_another: Open, run: Run) -> None:
    async def work() -> None:
        async with two_houses(open_another) as houses:
            room = await houses[0].opening.open_table("person0", "misty", 2)
            other = await houses[1].room(room.table.name)
            heard = asyncio.Event()
            other.watchers.add(lambda _: heard.set())
            await houses[0].chat.say(room.table.name, "person0", "Hello there!")
            await heard.wait()
            said = await houses[1].chat.storage.messages(other.table.name, -1, 10)
            assert [message.text for message in said] == ["Hello there!"]

    run(work())


def test_what_isnt_stored_isnt_shown(storage: Storage, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(house: House) -> None:
        room = await seated(house, "misty", people=2, bots=0)
        game = room.table.game
        assert game
        prompt = game.prompt(0)
        assert prompt
        before = room.table.seq

        async def refuse(_: object) -> bool:
            return False

        with monkeypatch.context() as patch:
            patch.setattr(storage, "append", refuse)
            with pytest.raises(TableError):
                await house.ask(room.table.name, Play(prompt.moves[0], before), "person0")
        assert room.table.seq == before
        assert room.table.waiting_for == [0, 1]
        await house.ask(room.table.name, Play(prompt.moves[0], before), "person0")
        assert room.table.waiting_for == [1]

    run(with_house(storage, work))


def test_who_isnt_heard_of_sleeps(storage: Storage, run: Run) -> None:
    clock = Clock()

    async def work() -> None:
        house = House(storage, QUICK, clock=clock)
        house.presence.notice("ann")
        assert not house.presence.is_asleep("ann")
        clock.now += ASLEEP_AFTER + 1
        assert house.presence.is_asleep("ann")
        assert house.presence.is_asleep("nobody")
        await house.close()

    run(work())


def test_a_leavers_bot_plays_at_once(storage: Storage, run: Run) -> None:
    async def work(house: House) -> None:
        room = await seated(house, "misty", people=2, bots=0)
        await house.ask(room.table.name, Leave(), "person1")
        await until(lambda: any(fact.is_bot for _, fact in room.table.played), room)
        assert isinstance(room.table.played[0][1], facts.MovePlayed)
        assert room.table.played[0][1].chair == 1

    run(with_house(storage, work))


def test_a_saved_game_is_brought_along(storage: Storage, run: Run) -> None:
    unfinished = nevel.new("what-the-fog", seats=2, seed=3)
    for _ in range(8):
        prompt = unfinished.prompts()[0]
        unfinished.play(prompt.seat, prompt.moves[0])
    finished = unfinished.copy()
    while not finished.is_over:
        prompt = finished.prompts()[0]
        finished.play(prompt.seat, prompt.moves[0])

    async def work(house: House) -> None:
        seen = await house.opening.open_saved_game("person0", nevel.save(finished))
        assert seen.table.phase == "over"
        assert seen.table.game
        assert seen.table.game.outcome == finished.outcome
        room = await house.opening.open_saved_game("person0", nevel.save(unfinished))
        name = room.table.name
        await house.ask(name, Sit(), "person0")
        await house.ask(name, SeatBot("casual"), "person0")
        await house.ask(name, Start(), "person0")
        assert room.table.game
        assert [entry.after for entry in room.table.game.log[:8]] == [entry.after for entry in unfinished.log]
        await play_own(house, room, "person0")
        again = await Room.enter(storage, name)
        assert again.table.phase == "over"
        with pytest.raises(MalformedError):
            await house.opening.open_saved_game("person0", "{}")

    run(with_house(storage, work))


@pytest.mark.clause("TG-V2")
def test_a_game_saved_before_an_option_goes_on_with_what_was_usual_then(storage: Storage, run: Run) -> None:
    text = (DATA / "the_game_before_open_tricks.json").read_text("utf-8")

    async def work(house: House) -> None:
        room = await house.opening.open_saved_game("person0", text)
        name = room.table.name
        for chair, person in enumerate(("person0", "person1", "person1")):
            await house.ask(name, Sit(chair), person)
        await house.ask(name, Start(), "person0")
        assert room.table.game
        assert room.table.game.options["open_tricks"] == 1
        await house.ask(name, Play("hint down2 jump", room.table.seq, 1), "person1")
        before = room.table.game.fingerprint()
        await house.ask(name, Play("play 35 up1", room.table.seq), "person0")
        after = room.table.game.fingerprint()
        await house.ask(name, Undo(), "person0")
        await house.ask(name, AnswerUndo(True, 1), "person1")
        assert room.table.game.fingerprint() == before
        await house.ask(name, Play("play 35 up1", room.table.seq), "person0")
        assert room.table.game.fingerprint() == after
        again = await Room.enter(storage, name)
        assert again.table.game
        assert again.table.game.fingerprint() == after
        assert again.table.game.options == room.table.game.options

    run(with_house(storage, work))
