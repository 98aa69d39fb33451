"""Opening tables: new ones, for saved games, and for a rematch."""

import secrets
from collections.abc import Mapping
from typing import Any

from nevel.game import saving
from nevel.game.box import Box
from nevel.game.game import Game
from nevel.game.registry import find
from nevel.languages import SpokenError, mark
from nevel.tables.domain import facts
from nevel.tables.domain.command import Asker
from nevel.tables.domain.commands import read_terms
from nevel.tables.domain.dealing import CHAINED, commitment, fresh_secret
from nevel.tables.domain.pace import Pace
from nevel.tables.domain.refusals import MalformedError, NotAllowedError, TableError
from nevel.tables.domain.table import OVER, Table
from nevel.tables.referee import referee
from nevel.tables.runtime.fair_queue import FairThreads
from nevel.tables.runtime.off_loop import within
from nevel.tables.runtime.room import Room, make_append
from nevel.tables.runtime.rooms import Rooms

#: Random bytes in a table's name, so that nobody guesses one.
NAME_BYTES = 12
#: The most moves of a saved game: several times as many as the longest game has.
MOST_MOVES = 2_000
#: Letters of a player's name in a saved game.
LONGEST_NAME = 32
#: How much playing a saved game again gives way to everything else.
NICENESS = 5
#: Saved games one person may bring along at once.
MOST_IMPORTS = 3
#: Seconds after which one that isn't played again yet is given up: the longest take one or two.
LONGEST_IMPORT = 20.0


class Opening:
    """Opens tables, and adds their rooms to those in memory."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self.storage = rooms.storage
        self.imports = FairThreads(1, "import", NICENESS)

    async def open_table(
        self,
        host: str,
        game: str,
        chairs: int,
        options: Mapping[str, object] | None = None,
        pace: Pace | None = None,
        stand_in: str = "casual",
        is_public: bool = False,
        box: dict[str, Any] | None = None,
        reserved: Mapping[int, str] | None = None,
        *,
        prelude: facts.Prelude | None = None,
        is_practice: bool = False,
    ) -> Room:
        """Open a table. Its secret is drawn now, so that its host can't choose the cards."""
        await self.rooms.warm_up()
        try:
            find(game).vocabulary.check_seats(chairs)
            own_box = None if box is None else Box(box)
            if own_box and own_box.game != game:
                raise own_box.error_for(game)
        except TableError:
            raise
        except SpokenError as problem:
            raise MalformedError(problem.message, **problem.values) from problem
        terms = read_terms(game, options or {}, pace or Pace(), stand_in)
        secret = fresh_secret()
        table = Table(secrets.token_urlsafe(NAME_BYTES), secret)
        opened = facts.Opened(
            game=game,
            chairs=chairs,
            options=terms.options,
            pace=terms.pace,
            stand_in=terms.stand_in,
            host=host,
            commitment=commitment(secret),
            is_public=is_public,
            box=None if own_box is None or own_box.is_ours else own_box.printed,
            reserved=dict(reserved or {}),
            prelude=prelude,
            is_practice=is_practice,
            dealing=CHAINED,
        )
        rows = [(0, self.rooms.clock(), opened)]
        table.follow(rows)
        await self.storage.append(make_append(table, rows))
        return self.rooms.add(Room(self.storage, table, self.rooms.clock))

    async def open_saved_game(self, host: str, text: str | bytes) -> Room:
        """Open a table with a saved game or a record: to look at if it is over, to go on with if not."""
        await self.rooms.warm_up()
        try:
            self.imports.queue.check_quota(host, MOST_IMPORTS)
            game = await within(LONGEST_IMPORT, self.imports.run(host, load_saved_game, text))
        except TableError:
            raise
        except SpokenError as problem:
            raise MalformedError(problem.message, **problem.values) from problem
        moves = [(entry.seat, entry.move.text, entry.key) for entry in game.log]
        room = await self.open_table(
            host,
            game.name,
            game.seats,
            game.options,
            box=game.box.content,
            prelude=facts.Prelude(f"{game.seed:032x}", moves, [clean_name(name) for name in game.names]),
        )
        if game.is_over:
            await room.change(lambda _: [facts.GameStarted(game.fingerprint())], host)
        return room

    async def open_rematch(self, name: str, person: str) -> str:
        """The table where the same people and bots play again: one for all, opened when the first of them asks."""
        room = await self.rooms.enter(name)
        table = room.table
        if table.rematch:
            return table.rematch
        if table.phase != OVER or not table.chairs_of(person):
            raise NotAllowedError(mark("Only this table's players can ask for a rematch, once the game is over."))
        opened, unwanted = table.opened, await self.storage.blocked_by(person)
        again = await self.open_table(
            person,
            opened.game,
            opened.chairs,
            opened.options,
            opened.pace,
            opened.stand_in,
            opened.is_public,
            opened.box,
            {i: chair.person for i, chair in enumerate(table.chairs) if chair.person and chair.person not in unwanted},
            is_practice=opened.is_practice,
        )
        bots = [facts.BotSeated(i, chair.level) for i, chair in enumerate(table.chairs) if chair.level]
        await again.change(lambda _: bots)
        return await room.rematch(Asker(person), again.table.name)


def load_saved_game(text: str | bytes) -> Game:
    """A saved game played again, unless it is longer than any game is."""
    count = len(saving.read(text).moves)
    if count > MOST_MOVES:
        message = mark("This game has {moves} moves; games of up to {most} moves can be imported.")
        raise MalformedError(message, moves=count, most=MOST_MOVES)
    return saving.load(text)


def clean_name(name: str) -> str:
    """A player's name from a file anybody may have written; empty when it can't be shown."""
    try:
        return referee.clean(name[:LONGEST_NAME])
    except SpokenError:
        return ""
