"""Exports games as Parquet files, a row per game and a row per move, and reads them back; see docs/data.md.

Whoever knows how a game was dealt knows every hand. Games of people are therefore written without their deal, their
secret moves and their views, unless everybody who sat there has agreed; and without names in any case unless asked for.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from nevel.game import saving
from nevel.game.game import Game
from nevel.lab.figures.parquet import TableWriter, pyarrow, read_about, read_rows
from nevel.lab.matches.match import Matches
from nevel.lab.matches.spreading import spread
from nevel.languages import SpokenError, mark

FORMAT = 1
GAMES, MOVES = "games.parquet", "moves.parquet"

#: A row per game. What may be empty is empty where somebody hasn't agreed, or where there is nothing to say.
GAME_COLUMNS = {
    "id": "string",
    "source": "string",
    "game": "string",
    "rules": "int16",
    "seats": "int8",
    "options": "string",
    "box": "string",
    "seed": "string",
    "players": "list<string>",
    "names": "list<string>",
    "clause": "string",
    "points": "list<int32>",
    "winners": "list<int8>",
    "moves": "int32",
}
#: A row per move, in the order they were made.
MOVE_COLUMNS = {
    "id": "string",
    "number": "int32",
    "seat": "int8",
    "move": "string",
    "is_secret": "bool_",
    "key": "string",
    "after": "string",
    "view": "string",
}

SIMULATED, TABLE = "simulated", "table"
PERSON = "person"


class DataError(SpokenError):
    """Files without games of Nevel, or with games that can't be read back."""


class ExportScope(NamedTuple):
    """What an export contains of each game."""

    #: How it was dealt, and the moves others didn't see: with these every hand can be worked out.
    deal: bool = True
    #: What the seat that moved saw before every move.
    views: bool = False
    names: bool = False


class Source(NamedTuple):
    """A finished game and who played it: levels, programs, or `person`."""

    game: Game
    players: Sequence[str]
    kind: str = SIMULATED
    names: Sequence[str] = ()


def simulated(matches: Matches, players: Sequence[str], count: int, cores: int = 1) -> Iterator[Source]:
    """Games between bots, move by move, the deals numbered from 0; in that order, on however many cores."""

    def play(number: int) -> Game:
        game = matches.deal(number)
        matches.play_at_table(game, number, players)
        return game

    early: dict[int, Game] = {}
    expected = 0
    for number, game in spread(play, count, cores, matches.stop):
        early[number] = game
        while expected in early:
            yield Source(early.pop(expected), players)
            expected += 1


def from_record(text: str | bytes) -> Source:
    """A game of a table, or a saved one, once it is over. What its file says is played again."""
    saved = saving.read(text)
    game = saving.load(text)
    if not game.is_over:
        raise DataError(mark("This game isn't over: nobody may see its cards yet."))
    chairs: list[dict[str, Any]] = (saved.table or {}).get("chairs", [])
    players = [chair.get("level") or PERSON for chair in chairs] or [PERSON] * game.seats
    return Source(game, players, TABLE, list(saved.names))


def export(sources: Iterable[Source], folder: Path, sharing: ExportScope) -> Iterator[int]:
    """Write games into a folder; tells how many it has, for a progress bar. The files come once all are there."""
    if sharing.views and not sharing.deal:
        raise DataError(mark("Views show every hand: everyone who played must consent (--consent)."))
    folder.mkdir(parents=True, exist_ok=True)
    about = {"nevel.format": str(FORMAT)} | {f"nevel.{name}": str(int(on)) for name, on in sharing._asdict().items()}
    with (
        TableWriter(folder / MOVES, MOVE_COLUMNS, about) as moves,
        TableWriter(folder / GAMES, GAME_COLUMNS, about) as written,
    ):
        for number, source in enumerate(sources, 1):
            row, rows = game_row(source, sharing), list(move_rows(source.game, sharing))
            # Its name follows from what is written of it, so that it tells nothing else.
            name = {"id": hashlib.blake2b(encoded([number, row, rows]).encode(), digest_size=8).hexdigest()}
            written.add([name | row])
            moves.add(name | each for each in rows)
            yield number


def game_row(source: Source, sharing: ExportScope) -> dict[str, object]:
    game, outcome = source.game, source.game.outcome
    assert outcome is not None
    return {
        "source": source.kind,
        "game": game.name,
        "rules": game.vocabulary.rules.VERSION,
        "seats": game.seats,
        "options": encoded(game.options),
        "box": None if game.box.is_ours else encoded(game.box.content),
        "seed": f"{game.seed:032x}" if sharing.deal else None,
        "players": list(source.players),
        "names": list(source.names) if sharing.names else None,
        "clause": outcome.clause,
        "points": outcome.points,
        "winners": outcome.winners,
        "moves": len(game.log),
    }


def move_rows(game: Game, sharing: ExportScope) -> Iterator[dict[str, object]]:
    replay = Game(game.spec, game.seats, game.seed, game.box, options=game.options)
    for number, entry in enumerate(game.log):
        is_secret = bool(game.vocabulary.rules.is_secret(replay.state, entry.move.number))
        yield {
            "number": number,
            "seat": entry.seat,
            "move": entry.move.text if sharing.deal or not is_secret else None,
            "is_secret": is_secret,
            "key": entry.key if sharing.deal else None,
            "after": entry.after if sharing.deal else None,
            "view": encoded(msgspec.to_builtins(replay.view(entry.seat))) if sharing.views else None,
        }
        replay.play(entry.seat, entry.move, entry.key)


def load(folder: Path | str) -> Iterator[Game]:
    """The games of a folder, one after the other, each played again and compared move by move."""
    place = Path(folder)
    try:
        about = [read_about(place / name) for name in (GAMES, MOVES)]
    except (OSError, pyarrow().ArrowException) as problem:
        message = mark("There are no exported games in {folder} ({reason}).")
        raise DataError(message, folder=folder, reason=str(problem).splitlines()[0]) from problem
    if any(each.get("nevel.format") != str(FORMAT) for each in about):
        raise DataError(mark("The games in {folder} are in another format than this version reads."), folder=folder)
    return read_games(place)


def read_games(folder: Path) -> Iterator[Game]:
    # Both files have the games in the same order.
    moves = groupby(read_rows(folder / MOVES), itemgetter("id"))
    for row in read_rows(folder / GAMES):
        yield rules_of(row, list(next(moves)[1]) if row["moves"] else [])


def rules_of(row: dict[str, Any], moves: Sequence[dict[str, Any]]) -> Game:
    """A game as its rows say it was played."""
    if row["seed"] is None:
        raise DataError(
            mark("Game {id} was exported without its deal: it can be read, not played again."), id=row["id"]
        )
    saved = saving.SavedGame(
        nevel=saving.FORMAT,
        game=row["game"],
        rules=row["rules"],
        seats=row["seats"],
        seed=row["seed"],
        options=msgspec.json.decode(row["options"]),
        moves=[saving.SavedMove(each["seat"], each["move"], each["after"], each["key"]) for each in moves],
        names=row["names"] or [],
        box=msgspec.json.decode(row["box"]) if row["box"] else None,
    )
    return saving.load(msgspec.json.encode(saved))


def encoded(value: object) -> str:
    return msgspec.json.encode(value).decode()
