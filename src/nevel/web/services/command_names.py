"""Names and fields of the commands of a table, for API and forms alike: one name each, and those it had before."""

from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from nevel.tables.domain import commands
from nevel.tables.domain.command import Command
from nevel.web.services.commands import CommandId, OldCommandId

#: What each command does.
SUMMARIES: dict[type[Command], str] = {
    commands.Sit: "Take a chair.",
    commands.Leave: "Leave your chair: empty before the game, to a bot during it.",
    commands.Kick: "Host: empty a chair before the game. The invitation is another one from then on.",
    commands.RenewLinks: "Take a link back for a new one: your chair's, or as the host one of the others, or all.",
    commands.SeatBot: "Host: put a bot into a free chair, or bots into all of them.",
    commands.MakeHost: "Host: hand the table over to another person.",
    commands.SetTerms: "Host: play otherwise than was said at first: variants, pace, stand-ins.",
    commands.Start: "Host: deal.",
    commands.Promise: "Promise a part of the shuffle, by its SHA-256; you show it when the game starts.",
    commands.Contribute: "Show the part of the shuffle you promised, once the table is locked.",
    commands.Close: "Host: put the table away before the game.",
    commands.Play: "Make a move, or give one of the view's hints. `seq` is the newest row you have seen.",
    commands.Undo: "Take back your last move, or ask to.",
    commands.AnswerUndo: "Agree that somebody takes back a move, or don't.",
    commands.LetBotPlay: "Let a bot play for somebody who seems to have gone.",
    commands.Reclaim: "Take your chair back from the bot.",
}
#: Addresses that commands had before they were called the same everywhere.
OLD_NAMES: dict[str, type[Command]] = {
    "bots": commands.SeatBot,
    "host": commands.MakeHost,
    "terms": commands.SetTerms,
    "move": commands.Play,
    "hint": commands.Play,
    "undo/answer": commands.AnswerUndo,
    "stand-in": commands.LetBotPlay,
}


def name_of(kind: type[Command]) -> str:
    """What a command is called: in the log of requests, over HTTP and over the socket."""
    return str(kind.__struct_config__.tag)


@cache
def body_of(kind: type[Command]) -> type[Struct]:
    """A command's fields and its id: over HTTP the address says already which command it is."""
    fields: list[Any] = [
        (field.name, field.type) if field.required else (field.name, field.type, field.default)
        for field in msgspec.structs.fields(kind)
    ]
    ids = [("command_id", CommandId, ""), ("id", OldCommandId, "")]
    return msgspec.defstruct(f"{kind.__name__}Body", [*fields, *ids], frozen=True, forbid_unknown_fields=True)


def read_command(kind: type[Command], body: Struct) -> tuple[Command, str]:
    """The command that a body holds, and its id."""
    fields = msgspec.structs.asdict(body)
    command_id, old_id = fields.pop("command_id"), fields.pop("id")
    return kind(**fields), command_id or old_id
