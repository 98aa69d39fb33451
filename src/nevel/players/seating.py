"""Parses who plays in which seat: `casual`, `strong,expert`, `program:python my_bot.py`."""

import os
import shlex
import shutil
from collections.abc import Sequence

from nevel.bots.bot import A_SECOND, Bot
from nevel.bots.evaluation import Budget
from nevel.bots.levels import LEVELS
from nevel.languages import SpokenError, mark
from nevel.players.player import BotPlayer, Player
from nevel.players.program import Notice, ProgramPlayer

PROGRAM = "program:"


class UnknownPlayerError(SpokenError):
    """A text that is no level and no program."""

    def __init__(self, text: str) -> None:
        message = mark("There is no bot “{name}”; there are {known}, and programs: program:COMMAND.")
        super().__init__(message, name=text, known=", ".join(LEVELS))
        self.text = text


def read_players(text: str, chairs: int) -> list[str]:
    """One name for every chair: `text` has one for all or one for each."""
    names = split(text)
    for name in names:
        check_player(name)
    if len(names) not in (1, chairs):
        message = mark("Name one bot for all chairs or {chairs}, one for each; you named {given}.")
        raise SpokenError(message, chairs=chairs, given=len(names))
    return names * chairs if len(names) == 1 else names


def check_player(text: str) -> None:
    """Say what is wrong with a name before anything is started."""
    if not text.startswith(PROGRAM):
        if text not in LEVELS:
            raise UnknownPlayerError(text)
        return
    command = command_line(text)
    if not command:
        raise SpokenError(mark("“{text}” doesn't say which program: write program:COMMAND."), text=text)
    if shutil.which(command[0]) is None:
        raise SpokenError(mark("There is no program “{program}” that can be started."), program=command[0])


def player(
    text: str, seed: int, budget: Budget = A_SECOND, notice: Notice | None = None, shows_errors: bool = True
) -> Player:
    """A level's bot, or the program of a command line. The seed decides a bot's chance and a program's stand-in's."""
    check_player(text)
    if text.startswith(PROGRAM):
        return ProgramPlayer(command_line(text), seed, notice=notice, shows_errors=shows_errors)
    return BotPlayer(Bot(text, seed, budget))


def seat_players(
    text: str,
    chairs: Sequence[int],
    seed: int,
    budget: Budget = A_SECOND,
    notice: Notice | None = None,
    shows_errors: bool = True,
) -> dict[int, Player]:
    """Who sits in which of these chairs."""
    names = read_players(text, len(chairs))
    return {
        seat: player(name, seed + seat, budget, notice, shows_errors) for seat, name in zip(chairs, names, strict=True)
    }


def command_line(text: str) -> list[str]:
    """The words of a program's command line."""
    try:
        return shlex.split(text.removeprefix(PROGRAM), posix=os.name != "nt")
    except ValueError:
        raise SpokenError(mark("A quotation mark is missing in “{text}”."), text=text) from None


def split(text: str) -> list[str]:
    """The parts between commas. A comma within quotation marks belongs to a program's command line."""
    parts = [""]
    within = ""
    for letter in text:
        if letter == "," and not within:
            parts.append("")
            continue
        if letter in "\"'" and within in ("", letter):
            within = "" if within else letter
        parts[-1] += letter
    return [part.strip() for part in parts]
