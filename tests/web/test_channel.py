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
from nevel.web.live.channel import BACKLOG_SIZE, Channel, Connection, SaidView, Spoken
from nevel.web.live.frames import Line
from nevel.web.people.links import Access

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


class Recorded(Line):
    """A line that keeps what is written to it."""

    def __init__(self) -> None:
        self.sent = list[bytes]()

    def write(self, content: bytes) -> None:
        self.sent.append(content)


def test_somebody_alone_is_sent_the_same_the_short_way_as_the_long_way() -> None:
    table = started()
    long, short = Channel(Viewer("player", 0)), Channel(Viewer("player", 0))
    line = Recorded()
    connection = Connection(line, Access(Viewer("player", 0), "ann"), None, None)
    short.connections.add(connection)
    for channel in (long, short):
        channel.update(Scene(table, NOBODY))
    connection.seen = seen = short.seq
    for person, chair in (("ann", 0), ("bob", 1)):
        move(table, person, chair)
        scene = Scene(table, NOBODY)
        long.update(scene)
        assert short.pass_on(scene, 5)
        assert line.sent[-1] == long.frame(seen, -1, deque(), 5)
        assert json.loads(line.sent[-1])["events"]
        assert short.has_let_go
        seen = short.seq
    # Who is behind, is being shown out or can't be sent anything goes the long way.
    move(table, *(("ann", 0) if table.waiting_for[0] == 0 else ("bob", 1)))
    scene = Scene(table, NOBODY)
    for name, value in (("is_behind", True), ("is_over", True), ("seen", seen - 1)):
        before = getattr(connection, name)
        setattr(connection, name, value)
        assert not short.pass_on(scene, 6), name
        setattr(connection, name, before)
    line.has_room = False
    assert not short.pass_on(scene, 6)
    assert len(line.sent) == 2
