"""The board of The Game and of Extreme."""

from collections.abc import Iterator, Mapping

from nevel.games.extreme import ExtremeView
from nevel.games.telling import Event, Teller
from nevel.games.the_game import GOOD_RESULT, PileView, TheGameView
from nevel.games.the_game_story import (
    COMMAND_NAMES,
    PILE_HINT_WORDS,
    PILE_HINTS,
    PILES,
    START_HINT_WORDS,
    Played,
    pile_name,
    say_command,
)
from nevel.languages import mark
from nevel.rules.the_game_table import FIRST_FALLING
from nevel.tables.view import TableView
from nevel.web.boards.board import Board, Values, fact

TRICK = 10
FIRST_TOP, LAST_TOP = 1, 100
#: How full of cards the draw pile looks.
FULL = 98


class TheGameBoard(Board):
    """Four piles, a hand, what is said about them; and Extreme's commands."""

    def draw(self, view: TableView, teller: Teller, doomed: Mapping[str, str]) -> Values:
        board = view.board
        assert isinstance(board, TheGameView)
        moves = frozenset(view.prompt.moves if view.prompt else ())
        hints = frozenset(view.hints)
        may_play = any(move.startswith("play ") for move in moves)
        return {
            "piles": [self.draw_pile(pile, board, hints, teller) for pile in board.piles],
            "draw_pile": board.draw_pile,
            "draw_label": teller.say_count(
                "{count} card left in the draw pile", "{count} cards left in the draw pile", board.draw_pile
            ),
            "laid": FULL - board.cards_left,
            "progress": teller.say(mark("{laid} of {all} cards laid"), laid=FULL - board.cards_left, all=FULL),
            "played": board.played,
            "needed": board.needed,
            "hand": [self.draw_card(card, board, moves, may_play, doomed, teller) for card in board.hand or ()],
            "has_hand": board.hand is not None,
            "can_end": "end turn" in moves,
            "end_warning": doomed.get("end turn", ""),
            "can_start": "start" in moves,
            "start_hints": start_hints(hints, teller),
            "hold_hints": hold_hints(hints, teller) if isinstance(board, ExtremeView) else [],
            "orders": orders(board, teller) if isinstance(board, ExtremeView) else [],
            "is_silent": isinstance(board, ExtremeView) and "silence" in board.holding,
        }

    def draw_pile(self, pile: PileView, board: TheGameView, offered: frozenset[str], teller: Teller) -> Values:
        name = pile_name(pile.name, teller)
        return {
            "name": pile.name,
            "title": name[0].upper() + name[1:],
            "is_rising": pile.is_rising,
            "top": pile.top,
            "command": command_of(pile.top, board, teller),
            "must_cover": isinstance(board, ExtremeView) and pile.name in board.open_skulls,
            "is_only": isinstance(board, ExtremeView) and pile.name == board.only_pile,
            "hints": [
                {
                    "seat": hint.seat,
                    "icon": hint_icon(hint.hint),
                    "text": teller.say(PILE_HINT_WORDS[hint.hint]),
                    "player": teller.name(hint.seat),
                }
                for hint in pile.hints
            ],
            "choices": [
                {"move": move, "icon": hint_icon(hint), "text": teller.say(PILE_HINT_WORDS[hint])}
                for hint in PILE_HINTS
                if (move := f"hint {pile.name} {hint}") in offered
            ],
            "can_withdraw": f"hint {pile.name} none" in offered,
        }

    def draw_card(
        self,
        card: int,
        board: TheGameView,
        moves: frozenset[str],
        may_play: bool,
        doomed: Mapping[str, str],
        teller: Teller,
    ) -> Values:
        """A card of the hand, with the piles it may go on and how far each is."""
        targets = list[Values]()
        for pile in board.piles:
            move = f"play {card} {pile.name}"
            if move in moves:
                step = card - pile.top if pile.is_rising else pile.top - card
                targets.append({"pile": pile.name, "step": step, "doom": doomed.get(move, "")})
        command = command_of(card, board, teller)
        label = str(card) if command is None else f"{card}, {command['name']}"
        return {
            "card": card,
            "command": command,
            "label": label,
            "targets": ";".join(f"{target['pile']}:{target['step']}" for target in targets),
            # A line each: sentences have semicolons.
            "dooms": "\n".join(f"{target['pile']}:{target['doom']}" for target in targets if target["doom"]),
            "is_idle": may_play and not targets,
            "has_trick": any(target["step"] == -TRICK for target in targets),
        }

    def seat_facts(self, view: TableView, seat: int, teller: Teller) -> list[Values]:
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

    def look_back(self, view: TableView, told: Iterator[Event], teller: Teller) -> Values:
        """When the game is over, the journey of each pile: what lay on top after each card of the game."""
        if view.outcome is None:
            return {}
        cards = [event for event in told if isinstance(event, Played)][::-1]
        journeys = list[Values]()
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


def command_of(card: int, board: TheGameView, teller: Teller) -> Values | None:
    """The command on a card, if it has one."""
    if not isinstance(board, ExtremeView) or card not in board.commands:
        return None
    name = board.commands[card]
    return {"icon": f"command-{name}", "name": teller.say(COMMAND_NAMES[name]), "says": say_command(name, teller)}


def orders(board: ExtremeView, teller: Teller) -> list[Values]:
    """The commands in force, spelled out."""
    names = list(board.holding)
    if board.is_three:
        names.append("three")
    if board.open_skulls:
        names.append("skull")
    return [
        {"icon": f"command-{name}", "name": teller.say(COMMAND_NAMES[name]), "says": say_command(name, teller)}
        for name in names
    ]


def start_hints(hints: frozenset[str], teller: Teller) -> list[Values]:
    offered = [
        {"move": f"hint start {strength}", "text": teller.say(words)}
        for strength, words in enumerate(START_HINT_WORDS, 1)
        if f"hint start {strength}" in hints
    ]
    if "hint start none" in hints:
        offered.append({"move": "hint start none", "text": teller.say(mark("Say nothing about starting"))})
    return offered


def hold_hints(hints: frozenset[str], teller: Teller) -> list[Values]:
    """What a player may say about the commands they hold."""
    offered = list[Values]()
    for command, name in COMMAND_NAMES.items():
        word = teller.say(name)
        if f"hint hold {command}" in hints:
            text = teller.say(mark("I hold: {command}"), command=word)
            offered.append({"move": f"hint hold {command}", "icon": f"command-{command}", "text": text})
        if f"hint hold {command} none" in hints:
            text = teller.say(mark("Take back: {command}"), command=word)
            offered.append({"move": f"hint hold {command} none", "icon": f"command-{command}", "text": text})
    return offered
