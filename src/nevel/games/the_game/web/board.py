"""The board of The Game and of Extreme."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice

from nevel.game.event import Event, Teller
from nevel.game.game import Game
from nevel.games.the_game.events import (
    COMMAND_NAMES,
    PILE_HINT_WORDS,
    PILE_HINTS,
    PILES,
    START_HINT_WORDS,
    Played,
    pile_name,
    say_command,
)
from nevel.games.the_game.extreme_words import ExtremeView
from nevel.games.the_game.rules.table import FIRST_FALLING, HIGHEST, LOWEST, MARGIN
from nevel.games.the_game.web.figures import Piles
from nevel.games.the_game.words import GOOD_RESULT, PileView, TheGameView
from nevel.languages import Language, mark
from nevel.tables.domain.table import PLAYING
from nevel.tables.views.view import TableView
from nevel.web.help.figures import Cards
from nevel.web.help.guide import COMMON_POINTS
from nevel.web.rendering.board import Board, MistLook, SeatFact, Values, fact
from nevel.web.rendering.pieces import Piece, together

TRICK = 10
FIRST_TOP, LAST_TOP = 1, 100
#: How full of cards the draw pile looks.
FULL = 98


class TheGameBoard(Board):
    """Four piles, a hand, what is said about them; and Extreme's commands."""

    figures = Piles | Cards
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

    def draw(
        self,
        view: TableView,
        teller: Teller,
        doomed: Mapping[str, str],
        suffix: str = "",
        recalled: list[Played] | None = None,
    ) -> Values:
        board = view.board
        assert isinstance(board, TheGameView)
        language = teller.language
        moves = frozenset(view.prompt.moves if view.prompt else ())
        may_play = any(move.startswith("play ") for move in moves)
        extreme = board if isinstance(board, ExtremeView) else None
        commands = extreme.commands if extreme else NO_COMMANDS
        offers = hints_by_pile(tuple(view.hints))
        is_asked = view.prompt is not None
        return {
            "piles": together(
                [
                    PILE(
                        language,
                        pile,
                        tuple([teller.name(hint.seat) for hint in pile.hints]),
                        commands.get(pile.top),
                        extreme is not None and pile.name in extreme.open_skulls,
                        extreme is not None and pile.name == extreme.only_pile,
                        offers.get(pile.name, ()),
                        is_asked,
                    )
                    for pile in board.piles
                ]
            ),
            "deck": DECK(language, board.draw_pile, board.cards_left),
            "orders": ORDERS(language, tuple(extreme.holding), extreme.is_three, bool(extreme.open_skulls))
            if extreme
            else "",
            "is_silent": extreme is not None and "silence" in extreme.holding,
            "has_hand": board.hand is not None,
            "hand": together(
                [
                    draw_card(card, commands.get(card), board, moves if may_play else None, doomed, language)
                    for card in board.hand or ()
                ]
            ),
            "turn": TURN(
                language,
                (board.played, board.needed) if view.phase == PLAYING and is_asked else None,
                "start" in moves,
                "end turn" in moves,
                doomed.get("end turn", ""),
                offers.get("start", ()),
                offers.get("hold", ()),
            ),
        }

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

    def look_back(self, view: TableView, recalled: list[Played], teller: Teller) -> Values:
        """The pile that was played on last; when the game is over, the journey of each: its top after every card."""
        if view.outcome is None:
            return {"latest": recalled[-1].pile if recalled else None}
        cards = recalled
        journeys: list[Values] = []
        for pile, name in enumerate(PILES):
            first = FIRST_TOP if pile < FIRST_FALLING else LAST_TOP
            points = [(0, first), *((at, event.card) for at, event in enumerate(cards, 1) if event.pile == name)]
            # A pile stays as it is until the next card: a line of steps.
            steps = [f"M0 {LAST_TOP - first}", *(f"H{at}V{LAST_TOP - card}" for at, card in points[1:]), f"H{FULL}"]
            is_rising = pile < FIRST_FALLING
            journeys.append({"title": pile_name(name, teller), "is_rising": is_rising, "path": "".join(steps)})
        return {"journeys": journeys, "cards": len(cards)}

    def result(self, view: TableView, teller: Teller) -> Values:
        board = view.board
        assert isinstance(board, TheGameView)
        return {
            "left": board.cards_left,
            "is_good": 0 < board.cards_left <= GOOD_RESULT,
            "hands": [
                {"name": teller.name(player.seat), "cards": player.hand} for player in board.players if player.hand
            ],
        }


def hint_icon(hint: str) -> str:
    return "hint-leave-really" if hint == "leave!" else f"hint-{hint}"


#: Where no card has a command.
NO_COMMANDS: dict[int, str] = {}


@lru_cache(1024)
def hints_by_pile(hints: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """What may be said, by what it is about: a pile, the start, or what one holds."""
    found: dict[str, tuple[str, ...]] = {}
    for hint in hints:
        about = hint.split()[1]
        found[about] = (*found.get(about, ()), hint)
    return found


def say_whole_command(name: str, teller: Teller) -> Values:
    """A command with its sign, its name and what it says."""
    return {"icon": f"command-{name}", "name": teller.say(COMMAND_NAMES[name]), "says": say_command(name, teller)}


def fill_pile(
    teller: Teller,
    pile: PileView,
    hinting: tuple[str, ...],
    command: str | None,
    must_cover: bool,
    is_only: bool,
    offered: tuple[str, ...],
    is_asked: bool,
) -> Values:
    """A pile, what is said about it and by whom, and what the viewer may say."""
    name = pile_name(pile.name, teller)
    return {
        "name": pile.name,
        "title": name[0].upper() + name[1:],
        "is_rising": pile.is_rising,
        "top": pile.top,
        "command": say_whole_command(command, teller) if command else None,
        "must_cover": must_cover,
        "is_only": is_only,
        "is_asked": is_asked,
        "hints": [
            {
                "seat": hint.seat,
                "icon": hint_icon(hint.hint),
                "text": teller.say(PILE_HINT_WORDS[hint.hint]),
                "player": player,
            }
            for hint, player in zip(pile.hints, hinting, strict=True)
        ],
        "choices": [
            {"move": move, "icon": hint_icon(hint), "text": teller.say(PILE_HINT_WORDS[hint])}
            for hint in PILE_HINTS
            if (move := f"hint {pile.name} {hint}") in offered
        ],
        "can_withdraw": f"hint {pile.name} none" in offered,
    }


PILE = Piece("the-game/pile.html", fill_pile)


def fill_deck(teller: Teller, draw_pile: int, cards_left: int) -> Values:
    laid = FULL - cards_left
    return {
        "draw_pile": draw_pile,
        "draw_label": teller.say_count(
            "{count} card left in the draw pile", "{count} cards left in the draw pile", draw_pile
        ),
        "laid": laid,
        "progress": teller.say(mark("{laid} of {all} cards laid"), laid=laid, all=FULL),
    }


DECK = Piece("the-game/deck.html", fill_deck)


def draw_card(
    card: int,
    command: str | None,
    board: TheGameView,
    moves: frozenset[str] | None,
    doomed: Mapping[str, str],
    language: Language,
) -> str:
    """A card of the hand, with the piles it may go on, how far each is, and why that can only lose. There are no
    `moves` while no card is played.
    """
    if moves is None:
        return CARD(language, card, command, False, False)
    targets, dooms = list[str](), list[str]()
    has_trick = False
    for pile in board.piles:
        move = f"play {card} {pile.name}"
        if move in moves:
            step = card - pile.top if pile.is_rising else pile.top - card
            has_trick |= step == -TRICK
            targets.append(f"{pile.name}:{step}")
            if move in doomed:
                dooms.append(f"{pile.name}:{doomed[move]}")
    # Of dooms a line each: sentences have semicolons.
    return CARD(language, card, command, not targets, has_trick, shown=(";".join(targets), "\n".join(dooms)))


def fill_card(
    teller: Teller, card: int, command: str | None, is_idle: bool, has_trick: bool, targets: str = "", dooms: str = ""
) -> Values:
    said = say_whole_command(command, teller) if command else None
    return {
        "card": card,
        "command": said,
        "label": f"{card}, {said['name']}" if said else str(card),
        "targets": targets,
        "dooms": dooms,
        "is_idle": is_idle,
        "has_trick": has_trick,
    }


CARD = Piece("the-game/card.html", fill_card)


def fill_turn(
    teller: Teller,
    played: tuple[int, int] | None,
    can_start: bool,
    can_end: bool,
    end_warning: str,
    starting: tuple[str, ...],
    holding: tuple[str, ...],
) -> Values:
    """What can be done besides playing a card. `played` is how many were, and how many must be."""
    return {
        "played": played,
        "can_start": can_start,
        "can_end": can_end,
        "end_warning": end_warning,
        "start_hints": start_hints(starting, teller),
        "hold_hints": hold_hints(holding, teller),
    }


TURN = Piece("the-game/turn.html", fill_turn)


def fill_orders(teller: Teller, holding: tuple[str, ...], is_three: bool, has_skull: bool) -> Values:
    """The commands in force, spelled out."""
    names = [*holding, *(["three"] if is_three else []), *(["skull"] if has_skull else [])]
    return {"orders": [say_whole_command(name, teller) for name in names]}


ORDERS = Piece("the-game/orders.html", fill_orders)


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
