"""The vocabulary of The Game: Extreme: that of The Game, and its commands."""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from nevel.game.event import Event, Teller, TraceRow
from nevel.game.move import Move, Moves
from nevel.game.position import Position
from nevel.game.vocabulary import Option
from nevel.games.the_game import events as story
from nevel.games.the_game import words as the_game
from nevel.games.the_game.box import COMMANDS
from nevel.games.the_game.events import COMMAND_NAMES, PILES
from nevel.games.the_game.rules import extreme as rules
from nevel.games.the_game.rules import table
from nevel.games.the_game.words import TheGame, TheGameView
from nevel.languages import mark

#: Entries of each cache of commands, for all tables together.
COMMAND_CACHE_SIZE = 256


class ExtremeView(TheGameView, frozen=True, kw_only=True):
    """Extreme as one seat sees it."""

    #: The command of every card that has one.
    commands: dict[int, str]
    #: The infinity commands that hold now.
    holding: list[str]
    #: Whether exactly three cards are commanded in this turn.
    is_three: bool
    #: The piles whose skull must still be covered in this turn.
    open_skulls: list[str]
    #: The pile every further card of this turn must go on, if there is one.
    only_pile: str | None
    #: The commands each seat says it holds.
    said_to_hold: list[list[str]]


def notation(number: int, word: Callable[[str], str]) -> str:
    """As in The Game, then `hint hold stop` and its withdrawal."""
    if number < rules.HOLD_HINTS:
        return the_game.notation(number, word)
    hold = f"{word('hint')} {word('hold')}"
    if number < rules.HOLD_HINTS_BACK:
        return f"{hold} {word(COMMANDS[number - rules.HOLD_HINTS])}"
    return f"{hold} {word(COMMANDS[number - rules.HOLD_HINTS_BACK])} {word('none')}"


#: More words of the notation, for the catalogues.
NOTATION_WORDS = (mark("hold"), mark("no-trick"), mark("one-pile"), mark("draw-one"))


@lru_cache(COMMAND_CACHE_SIZE)
def commands_on(cards: tuple[int, ...]) -> dict[int, str]:
    """Which cards bear which command: the same for a whole game, mostly for all of them."""
    return {
        card: COMMANDS[command - 1]
        for card, command in enumerate(cards)
        if command and table.LOWEST <= card <= table.HIGHEST
    }


@cache
def commands_said(said: int) -> list[str]:
    """The commands somebody says they hold, which are bits."""
    return [command for number, command in enumerate(COMMANDS) if said >> number & 1]


@lru_cache(COMMAND_CACHE_SIZE)
def holding(visible: tuple[int, ...]) -> list[str]:
    """Of the commands that lie on top, those that hold as long as they do."""
    return sorted({COMMANDS[command - 1] for command in visible if command >= rules.FIRST_INFINITY})


class Extreme(TheGame):
    """Extreme's moves, questions, views and events."""

    name = "extreme"
    rules = rules
    moves = Moves(name, rules.MOVES, notation)
    view_type = ExtremeView
    options = (
        *TheGame.options,
        Option("random_commands", (0, 1), "EX-B1", mark("Commands on random cards")),
    )

    def describe(self, move: Move, teller: Teller) -> str:
        if move.number < rules.HOLD_HINTS:
            return super().describe(move, teller)
        if move.number < rules.HOLD_HINTS_BACK:
            command = COMMANDS[move.number - rules.HOLD_HINTS]
            return teller.say(mark("Hint that you hold: {command}"), command=teller.say(COMMAND_NAMES[command]))
        command = COMMANDS[move.number - rules.HOLD_HINTS_BACK]
        return teller.say(mark("Withdraw that you hold: {command}"), command=teller.say(COMMAND_NAMES[command]))

    def common_view(self, s: Position) -> dict[str, Any]:
        visible = tuple([s.command[top] for top in s.tops])
        is_one_pile = rules.ONE_PILE in visible and s.last != rules.NO_PILE
        return super().common_view(s) | {
            "commands": commands_on(s.command),
            "holding": holding(visible),
            "is_three": bool(s.three),
            "open_skulls": [PILES[pile] for pile in range(table.PILES) if s.skulls >> pile & 1],
            "only_pile": PILES[s.last] if is_one_pile else None,
            "said_to_hold": [commands_said(said) for said in s.holds[: s.seats]],
        }

    def event(self, group: list[TraceRow]) -> Event:
        kind = group[0].kind
        a, b, c, *_ = group[0].facts
        if kind == rules.COMMANDED:
            return story.Commanded(a, COMMANDS[b - 1], PILES[c])
        if kind == rules.LAPSED:
            return story.Lapsed(COMMANDS[a - 1], PILES[b])
        if kind == rules.HOLD_HINTED:
            return story.HoldHinted(a, COMMANDS[b - 1])
        if kind == rules.HOLD_HINT_TAKEN_BACK:
            return story.HoldHintTakenBack(a, COMMANDS[b - 1])
        return super().event(group)
