"""A table of people who play at random, without a server, and what its pages show."""

import random
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, TypeVar

from nevel.engine import chance
from nevel.engine.tracing import EVERYONE
from nevel.game.event import Event, Teller
from nevel.game.game import Game
from nevel.game.registry import find
from nevel.languages import language
from nevel.tables.domain.command import Asker, Command
from nevel.tables.domain.commands import Play, Sit, Start
from nevel.tables.domain.dealing import commitment
from nevel.tables.domain.facts import AnyFact, Opened
from nevel.tables.domain.pace import Pace
from nevel.tables.domain.table import Table
from nevel.tables.views.view import PeopleStatus, Scene, TableView, Viewer
from nevel.web.rendering.board import BoardParts, Look, board_of, recall
from nevel.web.rendering.fragment import Fragment, Values, flat
from nevel.web.rendering.frame import PageFrame

Kind = TypeVar("Kind", bound=Fragment)
PEOPLE = ("ann", "bob", "cid", "dee", "eve")
ONLOOKERS = PeopleStatus({person: person.title() for person in PEOPLE}, lambda _: True)
TELLER = Teller(language("en"), PEOPLE)


class Sitting:
    """One table, from the first question to the end of its game."""

    def __init__(self, game: str, seats: int, seed: object, is_practice: bool = False, **options: int) -> None:
        self.dice = random.Random(f"{game}{seats}{seed}{options}")
        secret = f"{self.dice.getrandbits(256):064x}"
        self.table = Table("table", secret)
        chosen = find(game).vocabulary.read_options(options)
        bound = commitment(secret)
        self._add([Opened(game, seats, chosen, Pace(), "casual", "ann", bound, is_practice=is_practice)])
        for person in PEOPLE[:seats]:
            self.ask(person, Sit(contribution=person))
        self.ask("ann", Start())

    def _add(self, facts: Sequence[AnyFact]) -> None:
        self.table.follow([(self.table.seq + 1 + i, 0, fact) for i, fact in enumerate(facts)])

    def ask(self, person: str, command: Command) -> None:
        self._add(command.decide(self.table, Asker(person)))

    @property
    def game(self) -> Game:
        assert self.table.game
        return self.table.game

    @property
    def board(self) -> Any:
        """The board as all see it."""
        return self.game.view(None)

    def play(self, seat: int | None = None) -> None:
        """A move of a seat, or of whoever is waited for."""
        seat = self.dice.choice(self.game.waiting_for) if seat is None else seat
        prompt = self.game.prompt(seat)
        assert prompt
        self.ask(PEOPLE[seat], Play(self.dice.choice(prompt.moves), self.table.seq))

    def moments(self) -> Iterator[None]:
        """From the first question to the end of the game."""
        while self.table.phase == "playing":
            yield
            self.play()
        yield

    # ------------------------------------------------------------ what is seen

    def look(self, seat: int | None) -> TableView:
        return Scene(self.table, ONLOOKERS).look(viewer(seat))

    def frame(self, seat: int | None, code: str = "en") -> str:
        return PageFrame(viewer(seat), language(code)).draw(Scene(self.table, ONLOOKERS), [], 0)

    def parts(self, seat: int | None) -> BoardParts:
        """The board as somebody sees it."""
        play = Scene(self.table, ONLOOKERS).look_at_play(viewer(seat))
        return board_of(self.game.name).draw(Look(play, self.table.phase, memory=recall(self.game)))

    def fragments(self, seat: int | None, kind: type[Kind]) -> list[Kind]:
        """All fragments of a kind in somebody's board."""
        parts = self.parts(seat)
        places = (parts.shared, parts.hand, parts.side, parts.result, parts.rounds)
        return [one for one in chain.from_iterable(map(within, chain(*places))) if isinstance(one, kind)]

    def filled(self, seat: int | None, kind: type[Fragment]) -> list[Values]:
        """What the templates of these fragments are given."""
        return [{**fragment.parts(), **fragment.fill(TELLER)} for fragment in self.fragments(seat, kind)]


def within(fragment: Fragment) -> Iterator[Fragment]:
    """A fragment and all in it."""
    yield fragment
    for child in flat(fragment.parts().values()):
        yield from within(child)


def newest_first(game: Game) -> Iterator[Event]:
    """What everybody was told, from now back to the beginning."""
    for events in chain((entry.events for entry in reversed(game.log)), (game.opening,)):
        yield from [event for audience, event in reversed(events) if audience == EVERYONE]


def viewer(seat: int | None) -> Viewer:
    return Viewer() if seat is None else Viewer("player", seat)


def board_part_of(frame: str) -> str:
    """The form in which one plays."""
    found = re.search(r'<form id="play".*?</form>', frame, re.DOTALL)
    assert found
    return found[0]


def imagined(game: Game, seat: int | None, dice: random.Random) -> Game:
    """The same game, with everything the seat can't know dealt anew."""
    twin = game.copy()
    place = -1 if seat is None else seat
    twin.vocabulary.rules.conceal(twin.state, place)
    chance.key(twin.state.chance, *(dice.getrandbits(32) for _ in range(4)))
    twin.vocabulary.rules.imagine(twin.state, place)
    return twin
