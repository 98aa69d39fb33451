"""Misty looking back: how the last round was counted, space by space, and the most each window could have made."""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from nevel.engine import dispatch
from nevel.game.event import Event, Teller
from nevel.games.misty import events as story
from nevel.games.misty import rules
from nevel.games.misty.bots.activation import solve
from nevel.games.misty.box import KINDS, drawing_of
from nevel.games.misty.events import KIND_NAMES
from nevel.games.misty.rules.window import SIDE
from nevel.games.misty.web.window import Extent, Space
from nevel.games.misty.words import ARROWS, MistyView
from nevel.languages import mark
from nevel.web.rendering.board import Memory
from nevel.web.rendering.fragment import Fragment, Values

#: What is told of a round that its counting needs; all of it about one seat.
Told = story.Placed | story.Moved | story.Eaten | story.Blurred | story.Scored | story.RoundWon
#: Counted rounds that are remembered: those of many tables at once.
REMEMBERED = 256

#: Which way each kind of card moves, as an index of `ARROWS`.
ArrowNumbers = tuple[int, ...]


class Recalled(Memory):
    """What everybody was told that is still shown: all rounds before, and who picked and placed what in this one."""

    def __init__(self) -> None:
        #: What was told of every round before this one.
        self.rounds = list[tuple[Told, ...]]()
        self._round = list[Told]()
        self._begin()

    def _begin(self) -> None:
        self.acted = set[int]()
        self.have_all_acted = False
        #: The space on which each seat placed its last card in this round.
        self.placed = dict[int, str]()

    @property
    def last_round(self) -> tuple[Told, ...]:
        """What was told of the round before this one."""
        return self.rounds[-1] if self.rounds else ()

    def take(self, event: Event) -> None:
        if isinstance(event, Told):
            self._round.append(event)
        match event:
            case story.RoundBegan() | story.Ended():
                if self._round:
                    self.rounds.append(tuple(self._round))
                    self._round = []
                self._begin()
            case story.Picked():
                self.have_all_acted = True
            case story.Placed():
                self.placed[event.seat] = event.space
            case story.PickChosen():
                self.acted.add(event.seat)
            case _:
                pass


def arrow_numbers(board: MistyView) -> ArrowNumbers:
    return tuple([ARROWS.index(board.arrows.get(kind)) for kind in KINDS])


def from_seat(seat: int | None, count: Values) -> Values:
    """The viewer's own window first, the others as they sit."""
    first, players = seat or 0, count["players"]
    return {**count, "players": players[first:] + players[:first]}


class Counted:
    """One window from what was built to what it is worth."""

    def __init__(self) -> None:
        self.built = dict[Space, str]()
        self.moves = list[tuple[Space, Space | None]]()
        self.eaten = list[tuple[Space, Space]]()
        self.blurred = list[Space]()
        self.score = 0
        self.is_won = False

    def take(self, event: Told) -> None:
        match event:
            case story.Placed():
                self.built[Space.read(event.space)] = event.card
            case story.Moved():
                self.moves.append((Space.read(event.start), Space.read(event.end) if event.end else None))
            case story.Eaten():
                self.eaten.append((Space.read(event.monster), Space.read(event.flower)))
            case story.Blurred():
                self.blurred.append(Space.read(event.space))
            case story.Scored():
                self.score = event.score
            case story.RoundWon():
                self.is_won = True

    def lying(self) -> dict[Space, list[str]]:
        """What lies where in the end, the lowest card first."""
        gone = {start for start, _ in self.moves} | {flower for _, flower in self.eaten}
        gone |= {monster for monster, _ in self.eaten}
        lying = defaultdict[Space, list[str]](list)
        for space, card in self.built.items():
            if space not in gone:
                lying[space].append(card)
        for start, end in self.moves:
            if end is not None:
                lying[end].append(self.built[start])
        for _, flower in self.eaten:
            lying[flower].append("monster")
        return lying

    def pairs(self) -> list[tuple[Space, Space]]:
        """Smiles side by side, each in one pair only (MI-X3)."""
        smiles = {space for space, cards in self.lying().items() if cards == ["smile"]}
        pairs = list[tuple[Space, Space]]()
        for space in sorted(smiles, key=lambda space: (space.row, space.column)):
            right = space.towards("right")
            if right in smiles and not any(space in pair for pair in pairs):
                pairs.append((space, right))
        return pairs


def points_of(cards: list[str]) -> int:
    """What a space is worth, pairs of smiles aside (MI-X1, MI-X2)."""
    if len(cards) != 1:
        return 0
    return 2 if cards[0] == "flower" else 1


class Best(NamedTuple):
    """The most points a window can make, and the order in which its cards move then."""

    points: int
    order: tuple[Space, ...]


@lru_cache(REMEMBERED)
def find_best(built: tuple[tuple[Space, str], ...], arrows: ArrowNumbers) -> Best:
    """How a window is best activated."""
    s = dispatch.new_states(rules, 1)[0]
    s.seats = rules.SEATS[0]
    s.arrow[:] = arrows
    for space, card in built:
        s.window[0, space.row, space.column] = KINDS.index(card) + 1
    if built:
        s.left[0], s.top[0], s.right[0], s.bottom[0] = Extent.around(space for space, _ in built)
    order = list[Space]()
    points, first = solve(s, 0)
    space = first
    while space >= 0:
        row, column = divmod(int(space), SIDE)
        order.append(Space(column, row))
        s.activated[0] |= 1 << space
        space = solve(s, 0)[1]
    return Best(int(points), tuple(order))


class CountedRound(Struct, frozen=True):
    """What a round's counting is told from, for one viewer."""

    events: tuple[Told, ...]
    arrows: ArrowNumbers
    seats: int
    you: int | None

    @property
    def number(self) -> int:
        return max([event.round for event in self.events if isinstance(event, story.RoundWon)], default=0)

    def tell(self, teller: Teller) -> Values:
        """Every window before and after, what each space is worth, who won."""
        windows = [Counted() for _ in range(self.seats)]
        for event in self.events:
            windows[event.seat].take(event)
        count = {
            "round": self.number,
            "title": teller.say(mark("Round {round} was counted"), round=self.number),
            "won": " ".join(event.tell(teller) for event in self.events if isinstance(event, story.RoundWon)),
            "players": [draw_player(seat, window, self.arrows, teller) for seat, window in enumerate(windows)],
        }
        return from_seat(self.you, count)


class Count(Fragment, frozen=True):
    """How the last round was counted; as long as it is news it stands above the board."""

    template = "misty/count.html"
    counted: CountedRound
    is_news: bool

    @property
    def id(self) -> str:
        return f"{'news' if self.is_news else 'count'}-{self.counted.number}"

    def fill(self, teller: Teller) -> Values:
        return {"count": self.counted.tell(teller), "is_news": self.is_news}


class RoundsTable(Fragment, frozen=True):
    """All rounds' points, when the game is over."""

    template = "misty/rounds-table.html"
    rounds: tuple[CountedRound, ...]

    def fill(self, teller: Teller) -> Values:
        return {"rounds": [counted.tell(teller) for counted in self.rounds]}


class Rounds(RoundsTable, frozen=True):
    """All rounds, window by window."""

    template = "misty/rounds.html"


def draw_player(seat: int, window: Counted, arrows: ArrowNumbers, teller: Teller) -> Values:
    most, best_order = find_best(tuple(window.built.items()), arrows)
    if window.score == most:
        best = teller.say(mark("The best this window could do."))
    else:
        best = teller.say_count("Best possible: {count} point", "Best possible: {count} points", most)
    return {
        "seat": seat,
        "name": teller.name(seat),
        "score": window.score,
        "points": teller.say_count("{count} point", "{count} points", window.score),
        "is_won": window.is_won,
        "best": best,
        "is_best": window.score == most,
        "before": draw_before(window, seat, [start for start, _ in window.moves], arrows, teller),
        "ghost": None if window.score == most else draw_before(window, seat, best_order, arrows, teller),
        "after": draw_after(window, teller),
        "sum": draw_sum(window, teller),
    }


def draw_before(window: Counted, seat: int, moves: Sequence[Space], arrows: ArrowNumbers, teller: Teller) -> Values:
    """The window as it was built, with an order in which its cards move."""
    extent = Extent.around(window.built)
    order = {start: number for number, start in enumerate(moves, 1)}
    cards = list[Values]()
    for space, card in window.built.items():
        said = teller.language.say_pair(space, teller.say(KIND_NAMES[card]))
        if space in order:
            said = ", ".join((said, teller.say(mark("moved as number {number}"), number=order[space])))
        arrow = ARROWS[arrows[KINDS.index(card)]]
        values = {"kind": drawing_of(card), "arrow": arrow, "order": order.get(space), "says": said}
        values["actor"] = story.actor(seat, str(space))
        cards.append({"look": extent.at(space), **values})
    return {"size": f"cols-{extent.width} rows-{extent.height}", "sash": extent.holding(extent), "cards": cards}


def draw_after(window: Counted, teller: Teller) -> Values:
    """The window in the end, space by space, with what each is worth."""
    extent = Extent.around(window.built)
    fed = {flower for _, flower in window.eaten}
    cards = list[Values]()
    for space, stack in window.lying().items():
        if not stack:
            continue
        points = points_of(stack)
        names = ", ".join(teller.say(KIND_NAMES[card]) for card in stack)
        if len(stack) > 1:
            why = teller.say(mark("blurred, nothing"))
        elif space in fed:
            why = teller.say(mark("ate the flower, 1 point"))
        else:
            why = teller.say_count("{count} point", "{count} points", points)
        for place, card in enumerate(stack):
            look = extent.at(space)
            if len(stack) > 1:
                look = f"{look} is-covered{' is-above' if place else ''}"
            values = {"look": look, "at": extent.at(space), "kind": drawing_of(card), "is_covered": len(stack) > 1}
            values["space"] = str(space)
            if place == len(stack) - 1:
                values |= {"points": points, "says": teller.language.say_pair(f"{space}, {names}", why)}
            cards.append(values)
    return {
        "size": f"cols-{extent.width} rows-{extent.height}",
        "sash": extent.holding(extent),
        "cards": cards,
        "pairs": [extent.at(left) for left, _ in window.pairs()],
        "wiped": [str(space) for space in window.blurred],
    }


def draw_sum(window: Counted, teller: Teller) -> list[Values]:
    """What the score is made of, line by line."""
    alone = [cards[0] for cards in window.lying().values() if len(cards) == 1]
    flowers, pairs = alone.count("flower"), len(window.pairs())
    lines = list[Values]()

    def line(icon: str, text: str, points: int) -> None:
        lines.append({"icon": icon, "text": text, "points": points})

    if plain := len(alone) - flowers:
        text = teller.say_count(
            "{count} card alone on its space, 1 point", "{count} cards alone on a space, 1 point each", plain
        )
        line("misty-star", text, plain)
    if flowers:
        text = teller.say_count("{count} flower, 2 points", "{count} flowers, 2 points each", flowers)
        line("misty-flower", text, 2 * flowers)
    if pairs:
        text = teller.say_count(
            "{count} pair of smiles side by side, 1 more", "{count} pairs of smiles side by side, 1 more each", pairs
        )
        line("misty-smile", text, pairs)
    if eaten := len(window.eaten):
        text = teller.say_count("{count} flower eaten by a monster", "{count} flowers eaten by monsters", eaten)
        line("misty-monster", text, 0)
    if blurred := len(window.blurred):
        text = teller.say_count("{count} blurred space, nothing", "{count} blurred spaces, nothing", blurred)
        line("misty-blurred", text, 0)
    return lines
