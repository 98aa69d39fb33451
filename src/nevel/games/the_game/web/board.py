"""The board of The Game and of Extreme."""

from collections.abc import Iterator
from itertools import islice

from nevel.game.event import Event, Teller
from nevel.game.game import Game
from nevel.games.the_game.events import (
    COMMAND_NAMES,
    PILE_HINT_WORDS,
    PILE_HINTS,
    START_HINT_WORDS,
    Played,
    pile_name,
    say_command,
)
from nevel.games.the_game.extreme_words import ExtremeView
from nevel.games.the_game.rules.table import HIGHEST, LOWEST, MARGIN
from nevel.games.the_game.web import figures as help_figures
from nevel.games.the_game.web.end import FULL, Journeys, LeftOver
from nevel.games.the_game.words import GOOD_RESULT, PileView, TheGameView
from nevel.languages import mark
from nevel.tables.domain.table import PLAYING
from nevel.tables.views.view import TableView
from nevel.web.help.figures import Cards
from nevel.web.help.guide import COMMON_POINTS
from nevel.web.rendering.board import Board, BoardParts, Look, MistLook, SeatFact, fact
from nevel.web.rendering.fragment import Fragment, Text, Values

TRICK = 10


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
        view, moves = look.view, look.moves
        board = view.board
        assert isinstance(board, TheGameView)
        recalled: list[Played] = look.recalled or []
        extreme = board if isinstance(board, ExtremeView) else None
        commands = extreme.commands if extreme else NO_COMMANDS
        offers = hints_by_pile(view.hints)
        is_asked = view.prompt is not None
        latest = recalled[-1].pile if recalled and view.outcome is None else ""
        shared: tuple[Fragment, ...] = (
            PilesFragment(
                latest,
                tuple(
                    [
                        PileFragment(
                            pile,
                            commands.get(pile.top),
                            extreme is not None and pile.name in extreme.open_skulls,
                            extreme is not None and pile.name == extreme.only_pile,
                            is_asked,
                            Hinting(pile.name, offers[pile.name]) if pile.name in offers else None,
                        )
                        for pile in board.piles
                    ]
                ),
            ),
            Deck(board.draw_pile, board.cards_left),
        )
        if extreme and (extreme.holding or extreme.is_three or extreme.open_skulls):
            shared = (*shared, Orders(tuple(extreme.holding), extreme.is_three, bool(extreme.open_skulls)))
        hand: tuple[Fragment, ...] = ()
        if board.hand is not None:
            turn = Turn(
                look.suffix,
                (board.played, board.needed) if view.phase == PLAYING and is_asked else None,
                "start" in moves,
                "end turn" in moves,
                look.doomed.get("end turn", ""),
                offers.get("start", ()),
                offers.get("hold", ()),
            )
            may_play = any(move.startswith("play ") for move in moves)
            cards = [held_card(card, commands.get(card), board, look, may_play) for card in board.hand]
            hand = (HandFragment(look.suffix, tuple(cards)), Doom(look.suffix), turn)
        result: tuple[Fragment, ...] = ()
        if view.outcome is not None:
            result = (
                Journeys(tuple([(event.pile, event.card) for event in recalled])),
                LeftOver(tuple([(player.seat, tuple(player.hand)) for player in board.players if player.hand])),
            )
        return BoardParts(
            shared,
            hand,
            result=result,
            is_silent=extreme is not None and "silence" in extreme.holding,
            is_good=0 < board.cards_left <= GOOD_RESULT,
        )

    def seat_facts(self, view: TableView, seat: int, teller: Teller) -> list[SeatFact]:
        board = view.board
        assert isinstance(board, TheGameView)
        player = board.players[seat]
        held = teller.say_count("{count} card in hand", "{count} cards in hand", player.held)
        facts = [fact("back-the-game", player.held, held)]
        if player.start_hint:
            said = teller.say(START_HINT_WORDS[player.start_hint - 1])
            facts.append(fact("hint-start", said, said))
        if isinstance(board, ExtremeView):
            for command in board.said_to_hold[seat]:
                name = teller.say(COMMAND_NAMES[command])
                facts.append(
                    fact(f"command-{command}", "", teller.say(mark("says they hold: {command}"), command=name))
                )
        return facts

    def recall(self, told: Iterator[Event], is_over: bool) -> list[Played]:
        played = (event for event in told if isinstance(event, Played))
        return [*played][::-1] if is_over else [*islice(played, 1)]


def hint_icon(hint: str) -> str:
    return "hint-leave-really" if hint == "leave!" else f"hint-{hint}"


#: Where no card has a command.
NO_COMMANDS: dict[int, str] = {}


NO_HINTS: dict[str, tuple[str, ...]] = {}


def hints_by_pile(hints: list[str]) -> dict[str, tuple[str, ...]]:
    """What may be said, by what it is about: a pile, the start, or what one holds."""
    if not hints:
        return NO_HINTS
    found: dict[str, tuple[str, ...]] = {}
    for hint in hints:
        about = hint.split()[1]
        found[about] = (*found.get(about, ()), hint)
    return found


def say_whole_command(name: str, teller: Teller) -> Values:
    """A command with its sign, its name and what it says."""
    return {"icon": f"command-{name}", "name": teller.say(COMMAND_NAMES[name]), "says": say_command(name, teller)}


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
    pile: PileView
    command: str | None
    must_cover: bool
    is_only: bool
    is_asked: bool
    hinting: Hinting | None

    @property
    def id(self) -> str:
        return f"place-{self.pile.name}"

    def fill(self, teller: Teller) -> Values:
        pile = self.pile
        return {
            "name": pile.name,
            "title": pile_title(pile.name, teller),
            "is_rising": pile.is_rising,
            "top": pile.top,
            "command": say_whole_command(self.command, teller) if self.command else None,
            "must_cover": self.must_cover,
            "is_only": self.is_only,
            "is_asked": self.is_asked,
            "hints": [
                {
                    "seat": hint.seat,
                    "icon": hint_icon(hint.hint),
                    "text": teller.say(PILE_HINT_WORDS[hint.hint]),
                    "player": teller.name(hint.seat),
                }
                for hint in pile.hints
            ],
            "hinting": self.hinting,
        }


class PilesFragment(Fragment, frozen=True):
    """All four piles; `latest` is the one that was played on last."""

    template = "the-game/piles.html"
    element = "piles"
    latest: str
    piles: tuple[PileFragment, ...]


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
            "draw_label": teller.say_count(
                "{count} card left in the draw pile", "{count} cards left in the draw pile", self.draw_pile
            ),
            "laid": laid,
            "progress": teller.say(mark("{laid} of {all} cards laid"), laid=laid, all=FULL),
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


# ---------------------------------------------------------------- one's own hand


class HeldCard(Fragment, frozen=True):
    """A card of the hand. `targets` are the piles it may go on and how far each is; `dooms` why that can only lose."""

    template = "the-game/card.html"
    card: int
    command: str | None
    is_idle: bool
    has_trick: bool
    targets: Text
    dooms: Text

    @property
    def id(self) -> str:
        return f"card-{self.card}"

    def fill(self, teller: Teller) -> Values:
        said = say_whole_command(self.command, teller) if self.command else None
        return super().fill(teller) | {"command": said, "label": f"{self.card}, {said['name']}" if said else self.card}


def held_card(card: int, command: str | None, board: TheGameView, look: Look, may_play: bool) -> HeldCard:
    """A card as the viewer may play it now, if cards are played."""
    if not may_play:
        return HeldCard(card, command, False, False, NO_TEXT, NO_TEXT)
    targets, dooms = list[str](), list[str]()
    has_trick = False
    for pile in board.piles:
        move = f"play {card} {pile.name}"
        if move in look.moves:
            step = card - pile.top if pile.is_rising else pile.top - card
            has_trick |= step == -TRICK
            targets.append(f"{pile.name}:{step}")
            if move in look.doomed:
                dooms.append(f"{pile.name}:{look.doomed[move]}")
    # Of dooms a line each: sentences have semicolons.
    return HeldCard(card, command, not targets, has_trick, Text(";".join(targets)), Text("\n".join(dooms)))


NO_TEXT = Text("")


class HandFragment(Fragment, frozen=True):
    """The viewer's cards."""

    template = "the-game/hand.html"
    suffix: str
    cards: tuple[HeldCard, ...]

    @property
    def id(self) -> str:
        return f"hand{self.suffix}"


class Doom(Fragment, frozen=True):
    """Where a script says why what is about to be done can only lose."""

    template = "the-game/doom.html"
    suffix: str

    @property
    def id(self) -> str:
        return f"doom{self.suffix}"


class Turn(Fragment, frozen=True):
    """What can be done besides playing a card. `played` is how many were, and how many must be."""

    template = "the-game/turn.html"
    suffix: str
    played: tuple[int, int] | None
    can_start: bool
    can_end: bool
    end_warning: str
    starting: tuple[str, ...]
    holding: tuple[str, ...]

    @property
    def id(self) -> str:
        return f"turn{self.suffix}"

    def fill(self, teller: Teller) -> Values:
        return super().fill(teller) | {
            "start_hints": start_hints(self.starting, teller),
            "hold_hints": hold_hints(self.holding, teller),
        }


def start_hints(hints: tuple[str, ...], teller: Teller) -> list[Values]:
    offered = [
        {"move": f"hint start {strength}", "text": teller.say(words)}
        for strength, words in enumerate(START_HINT_WORDS, 1)
        if f"hint start {strength}" in hints
    ]
    if "hint start none" in hints:
        offered.append({"move": "hint start none", "text": teller.say(mark("Say nothing about starting"))})
    return offered


def hold_hints(hints: tuple[str, ...], teller: Teller) -> list[Values]:
    """What a player may say about the commands they hold."""
    offered: list[Values] = []
    for command, name in COMMAND_NAMES.items():
        word = teller.say(name)
        if f"hint hold {command}" in hints:
            text = teller.say(mark("I hold: {command}"), command=word)
            offered.append({"move": f"hint hold {command}", "icon": f"command-{command}", "text": text})
        if f"hint hold {command} none" in hints:
            text = teller.say(mark("Take back: {command}"), command=word)
            offered.append({"move": f"hint hold {command} none", "icon": f"command-{command}", "text": text})
    return offered


BOARD = TheGameBoard("the-game")
EXTREME_BOARD = TheGameBoard("extreme")
