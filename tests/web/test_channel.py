"""What is sent: written once for all who see the same, and one frame for all that was missed."""

import json
from collections import deque

from nevel.tables.domain import facts
from nevel.tables.domain.command import Asker, Command
from nevel.tables.domain.commands import Play, Sit, Start
from nevel.tables.domain.dealing import commitment
from nevel.tables.domain.facts import AnyFact
from nevel.tables.domain.pace import Pace
from nevel.tables.domain.table import Table
from nevel.tables.views.view import PeopleStatus, Scene, Viewer
from nevel.web.live.channel import BACKLOG_SIZE, Channel, SaidView, Spoken

SECRET = "5e" * 32
NOBODY = PeopleStatus({}, lambda _: False)


def follow(table: Table, *new: AnyFact) -> None:
    table.follow([(table.seq + 1 + i, 0, fact) for i, fact in enumerate(new)])


def ask(table: Table, person: str, command: Command) -> None:
    follow(table, *command.decide(table, Asker(person)))


def move(table: Table, person: str, chair: int) -> None:
    assert table.game
    prompt = table.game.prompt(chair)
    assert prompt
    ask(table, person, Play(prompt.moves[0], table.seq))


def started() -> Table:
    table = Table("table", SECRET)
    follow(table, facts.Opened("misty", 2, {"beginners": 0}, Pace(), "casual", "ann", commitment(SECRET)))
    for person in ("ann", "bob"):
        ask(table, person, Sit())
    ask(table, "ann", Start())
    return table


def test_who_reads_slowly_gets_one_frame_for_all_they_missed() -> None:
    table = started()
    channel = Channel(Viewer("player", 0))
    channel.update(Scene(table, NOBODY))
    seen = channel.seq
    for person, chair in (("ann", 0), ("bob", 1)):
        move(table, person, chair)
        channel.update(Scene(table, NOBODY))
    said = deque(Spoken(n, "ann", SaidView(n, 0, "Ann", 0, ""), b'{"number":%d}' % n) for n in (0, 1))
    text = channel.frame(seen, 0, said, now=5)
    frame = json.loads(text)
    assert frame["view"]["seq"] == seen + 2
    assert {told["seq"] for told in frame["events"]} == {seen + 1, seen + 2}
    assert frame["said"] == [{"number": 1}]
    assert channel.frame(seen, 0, said, now=6) is text, "the same for all who saw the same"
    assert json.loads(channel.frame(seen + 2, 1, said, now=6))["events"] == []


def test_only_the_last_events_are_kept_for_who_never_reads() -> None:
    table = started()
    channel = Channel(Viewer("player", 0))
    channel.update(Scene(table, NOBODY))
    told = [(number, b"{}") for number in range(BACKLOG_SIZE)]
    channel.told += told
    move(table, "ann", 0)
    channel.update(Scene(table, NOBODY))
    assert len(channel.told) == BACKLOG_SIZE
    assert channel.told[0] != told[0]
    assert channel.told[-1][0] == table.seq
