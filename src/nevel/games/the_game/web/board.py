"""The board of The Game and of Extreme."""

from nevel.game.event import Event, Teller
from nevel.game.game import Game
from nevel.game.vocabulary import View
from nevel.games.the_game.events import (
    COMMAND_NAMES,
    PILE_HINT_WORDS,
    PILE_HINTS,
    PILES,
    START_HINT_WORDS,
    Played,
    pile_name,
)
from nevel.games.the_game.extreme_words import ExtremeView
from nevel.games.the_game.rules.table import HIGHEST, LOWEST, MARGIN
from nevel.games.the_game.web import figures as help_figures
from nevel.games.the_game.web.end import FIRST_TOP, FULL, LAST_TOP, Journeys, LeftOver
from nevel.games.the_game.web.hand import about, draw_hand, say_whole_command
from nevel.games.the_game.words import GOOD_RESULT, PileHintView, PileView, TheGameView
from nevel.languages import mark
from nevel.web.help.figures import Cards
from nevel.web.help.guide import COMMON_POINTS
from nevel.web.rendering.board import Board, BoardParts, Look, Memory, MistLook, SeatFact, fact
from nevel.web.rendering.fragment import Fragment, Inner, Parts, Text, Values, made_once


class TheGameBoard(Board):
    """Four piles, a hand, what is said about them; and Extreme's commands."""

    figures = help_figures.Piles | Cards
    guide_points = COMMON_POINTS | {
        "piles": "all four piles",
        "pile": "one pile: the first that a card of the hand fits",
        "draw-pile": "the draw pile with its count",
        "players": "the other players and how many cards they hold",
        "hints": "where hints are given and shown",
        "end-turn": "the button that ends the turn",
        "commands": "the commands that hold now",
    }
    mist = MistLook(deck=mark("Draw pile"), numbers=(LOWEST, HIGHEST))

    def is_own_card(self, game: Game, card: int, seat: int) -> bool:
        return bool(game.state.where[MARGIN + card] == 1 + seat)

    def draw(self, look: Look) -> BoardParts:
        board, memory = look.board, look.memory
        assert isinstance(board, TheGameView)
        assert isinstance(memory, PlayedCards)
        extreme = board if isinstance(board, ExtremeView) else None
        piles, is_asked = tuple(board.piles), look.prompt is not None
        commands = extreme.commands if extreme else NO_COMMANDS
        shared: tuple[Fragment, ...] = (
            PilesFragment(
                piles,
                tuple([commands.get(pile.top) for pile in piles]),
                tuple(extreme.open_skulls) if extreme else (),
                extreme.only_pile if extreme else None,
                tuple([memory.counts[pile.name] for pile in piles]),
                is_asked,
                tuple(look.hints),
            ),
            Deck(board.draw_pile, board.cards_left),
        )
        if extreme and (extreme.holding or extreme.is_three or extreme.open_skulls):
            shared = (*shared, Orders(tuple(extreme.holding), extreme.is_three, bool(extreme.open_skulls)))
        hand: tuple[Fragment, ...] = ()
        if board.hand is not None:
            hand = draw_hand(look, board, commands)
        result: tuple[Fragment, ...] = ()
        if look.is_over:
            result = (
                Journeys(tuple(memory.cards)),
                LeftOver(tuple([(player.seat, tuple(player.hand)) for player in board.players if player.hand])),
            )
        return BoardParts(
            shared,
            hand,
            result=result,
            marks=draw_marks(board, memory, look),
            is_silent=extreme is not None and "silence" in extreme.holding,
            is_good=0 < board.cards_left <= GOOD_RESULT,
        )

    def seat_facts(self, board: View, seat: int, teller: Teller) -> list[SeatFact]:
        assert isinstance(board, TheGameView)
        player = board.players[seat]
        held = teller.say_count("{count} card in hand", "{count} cards in hand", player.held)
        facts = [fact("back-the-game", player.held, held)]
        if player.start_hint:
            said = teller.say(START_HINT_WORDS[player.start_hint - 1])
            facts.append(fact(f"hint-start-{player.start_hint}", said, said))
        if isinstance(board, ExtremeView):
            for command in board.said_to_hold[seat]:
                name = teller.say(COMMAND_NAMES[command])
                facts.append(fact(f"command-{command}", "", teller.say(mark("announced: {command}"), command=name)))
        return facts

    def remember(self) -> Memory:
        return PlayedCards()


class PlayedCards(Memory):
    """Which card was played on which pile, in order."""

    def __init__(self) -> None:
        self.cards = list[tuple[str, int]]()
        #: How many were played on each pile.
        self.counts: dict[str, int] = dict.fromkeys(PILES, 0)
        #: The pile that was played on last.
        self.latest = ""

    def take(self, event: Event) -> None:
        if isinstance(event, Played):
            self.cards.append((event.pile, event.card))
            self.counts[event.pile] += 1
            self.latest = event.pile


#: Numbers that can't be played any more, for the fog to be one degree thicker; and the degrees there are.
LOST_PER_DEGREE = 50
DEGREES = 5
#: Cards left when the light narrows.
LAST_CARDS = 10


def draw_marks(board: TheGameView, memory: PlayedCards, look: Look) -> tuple[str, ...]:
    """The pile that was played on last, how thick the fog is, and whether the last cards are being played."""
    marks = [f"fog-{min(lost_numbers(board) // LOST_PER_DEGREE, DEGREES)}"]
    if look.is_over:
        marks.append("is-won" if has_won(board) else "is-lost")
    else:
        if memory.latest:
            marks.append(f"latest-{memory.latest}")
        if board.cards_left <= LAST_CARDS:
            marks.append("is-ending")
    return tuple(marks)


def has_won(board: TheGameView) -> bool:
    """Whether all cards were played, and none of them leaves a command undone."""
    commands = board.commands if isinstance(board, ExtremeView) else NO_COMMANDS
    return board.cards_left == 0 and all(commands.get(pile.top) != "skull" for pile in board.piles)


def lost_numbers(board: TheGameView) -> int:
    """How many numbers the piles have passed without a card; what a jump back wins is counted off."""
    passed = sum([pile.top - FIRST_TOP if pile.is_rising else LAST_TOP - pile.top for pile in board.piles])
    return max(0, passed - (FULL - board.cards_left))


def hint_icon(hint: str) -> str:
    return "hint-leave-really" if hint == "leave!" else f"hint-{hint}"


#: Where no card has a command.
NO_COMMANDS: dict[int, str] = {}


# ---------------------------------------------------------------- what all share


class Hinting(Fragment, frozen=True):
    """What the viewer may say about a pile."""

    template = "the-game/hinting.html"
    pile: str
    offered: tuple[str, ...]

    @property
    def id(self) -> str:
        return f"hinting-{self.pile}"

    def fill(self, teller: Teller) -> Values:
        return {
            "name": self.pile,
            "title": pile_title(self.pile, teller),
            "choices": [
                {"move": move, "icon": hint_icon(hint), "text": teller.say(PILE_HINT_WORDS[hint])}
                for hint in PILE_HINTS
                if (move := f"hint {self.pile} {hint}") in self.offered
            ],
            "can_withdraw": f"hint {self.pile} none" in self.offered,
        }


def pile_title(pile: str, teller: Teller) -> str:
    name = pile_name(pile, teller)
    return name[0].upper() + name[1:]


class PileFragment(Fragment, frozen=True):
    """A pile, what is said about it and by whom, and what the viewer may say."""

    template = "the-game/pile.html"
    name: str
    is_rising: bool
    top: Text
    #: The same in three digits, and how many cards lie on it in two: its style follows from them.
    height: Text
    cards: Text
    #: Whether a card lies on top, and not the number a pile begins with.
    has_card: bool
    said: tuple[PileHintView, ...]
    command: str | None
    must_cover: bool
    is_only: bool
    is_asked: bool
    hinting: Hinting | None

    @property
    def id(self) -> str:
        return f"place-{self.name}"

    def fill(self, teller: Teller) -> Values:
        return super().fill(teller) | {
            "title": pile_title(self.name, teller),
            "command": say_whole_command(self.command, teller) if self.command else None,
            "hints": [
                {
                    "seat": hint.seat,
                    "icon": hint_icon(hint.hint),
                    "text": teller.say(PILE_HINT_WORDS[hint.hint]),
                    "player": teller.name(hint.seat),
                }
                for hint in self.said
            ],
        }


class PilesFragment(Fragment, frozen=True):
    """All four piles; `hints` is what the viewer may say."""

    template = "the-game/piles.html"
    element = "piles"
    piles: Inner[tuple[PileView, ...]]
    commands: Inner[tuple[str | None, ...]]
    open_skulls: Inner[tuple[str, ...]]
    only_pile: Inner[str | None]
    counts: Inner[tuple[int, ...]]
    is_asked: Inner[bool]
    hints: Inner[tuple[str, ...]]

    def parts(self) -> Parts:
        return {
            "piles": tuple(
                [
                    draw_pile(
                        pile,
                        command,
                        pile.name in self.open_skulls,
                        pile.name == self.only_pile,
                        count,
                        self.is_asked,
                        self.hints,
                    )
                    for pile, command, count in zip(self.piles, self.commands, self.counts, strict=True)
                ]
            )
        }


@made_once
def draw_pile(
    pile: PileView,
    command: str | None,
    must_cover: bool,
    is_only: bool,
    count: int,
    is_asked: bool,
    hints: tuple[str, ...],
) -> PileFragment:
    """A pile; `hints` is what the viewer may say about all of them."""
    offered = about(pile.name, hints)
    return PileFragment(
        pile.name,
        pile.is_rising,
        Text(str(pile.top)),
        Text(f"{pile.top:03}"),
        Text(f"{count:02}"),
        has_card=LOWEST <= pile.top <= HIGHEST,
        said=pile.hints,
        command=command,
        must_cover=must_cover,
        is_only=is_only,
        is_asked=is_asked,
        hinting=Hinting(pile.name, offered) if offered else None,
    )


class Deck(Fragment, frozen=True):
    """The draw pile, and how far the game is."""

    template = "the-game/deck.html"
    element = "draw-pile"
    draw_pile: int
    cards_left: int

    def fill(self, teller: Teller) -> Values:
        laid = FULL - self.cards_left
        return {
            "draw_pile": self.draw_pile,
            "thickness": f"{self.draw_pile:02}",
            "draw_label": teller.say_count(
                "{count} card left in the draw pile", "{count} cards left in the draw pile", self.draw_pile
            ),
            "laid": laid,
            "progress": teller.say(mark("{laid} of {all} cards played"), laid=laid, all=FULL),
        }


class Orders(Fragment, frozen=True):
    """The commands in force, spelled out."""

    template = "the-game/orders.html"
    element = "orders"
    holding: tuple[str, ...]
    is_three: bool
    has_skull: bool

    def fill(self, teller: Teller) -> Values:
        names = [*self.holding, *(["three"] if self.is_three else []), *(["skull"] if self.has_skull else [])]
        return {"orders": [say_whole_command(name, teller) for name in names]}


BOARD = TheGameBoard("the-game")
EXTREME_BOARD = TheGameBoard("extreme")
