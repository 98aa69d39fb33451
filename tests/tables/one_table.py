"""A table without a server: commands decided, facts taken in at once, and the log kept for a second look."""

from collections.abc import Mapping, Sequence
from typing import Any

from nevel.tables.domain import facts
from nevel.tables.domain.command import Asker, Command, decide_once
from nevel.tables.domain.commands import Play, SeatBot, Sit, Start, decide_expiry, decide_move
from nevel.tables.domain.dealing import CHAINED, commitment
from nevel.tables.domain.facts import AnyFact
from nevel.tables.domain.pace import Pace
from nevel.tables.domain.table import Table

SECRET = "5e" * 32


class OneTable:
    """A table and its log. Time only passes when a test says so."""

    def __init__(
        self,
        game: str = "the-game",
        chairs: int = 3,
        pace: Pace | None = None,
        options: Mapping[str, int] | None = None,
        is_public: bool = False,
        stand_in: str = "casual",
        prelude: facts.Prelude | None = None,
        is_practice: bool = False,
        dealing: int = CHAINED,
        box: dict[str, Any] | None = None,
    ) -> None:
        self.now = 1_000_000
        self.asleep: set[str] = set()
        self.rows: list[tuple[int, int, AnyFact]] = []
        self.table = Table("table", SECRET)
        opened = facts.Opened(
            game,
            chairs,
            dict(options or {}),
            pace or Pace(),
            stand_in,
            "ann",
            commitment(SECRET),
            is_public,
            prelude=prelude,
            is_practice=is_practice,
            dealing=dealing,
            box=box,
        )
        self.add([opened])

    def add(self, new: Sequence[AnyFact]) -> Sequence[AnyFact]:
        rows = [(self.table.seq + 1 + i, self.now, fact) for i, fact in enumerate(new)]
        self.rows += [(seq, at, facts.read(facts.write(fact))) for seq, at, fact in rows]
        self.table.follow(rows)
        return new

    def ask(self, person: str, command: Command, click: str = "") -> Sequence[AnyFact]:
        return self.add(decide_once(command, self.table, Asker(person, self.asleep.__contains__, click)))

    def play(self, person: str, move: str, chair: int | None = None) -> Sequence[AnyFact]:
        return self.ask(person, Play(move, self.table.seq, chair))

    def bot_plays(self, chair: int, move: str) -> Sequence[AnyFact]:
        return self.add(decide_move(self.table, chair, move, is_bot=True))

    def expire(self) -> Sequence[AnyFact]:
        return self.add(decide_expiry(self.table, self.now))

    def again(self) -> Table:
        """The table as another node or a restarted one sees it."""
        twin = Table("table", SECRET)
        twin.follow(self.rows)
        return twin


def started(game: str = "the-game", people: Sequence[str] = ("ann", "bob"), bots: int = 0, **how: object) -> OneTable:
    """A table at which people and bots sit and the cards are dealt."""
    one = OneTable(game, len(people) + bots, **how)  # pyright: ignore[reportArgumentType]
    for person in people:
        one.ask(person, Sit(contribution=f"{person}'s luck"))
    if bots:
        one.ask("ann", SeatBot("casual"))
    one.ask("ann", Start())
    return one
