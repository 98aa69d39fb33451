"""The record of a game played at a table: a saved game with who sat there, when, and what its chance was bound to.

Anybody can check it: the secret must fit what was shown before the first card, every key must follow from the secret
and what the players added, and the cards must come out as they did.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

import msgspec

from nevel.game import saving
from nevel.game.json_errors import explain_json_error
from nevel.game.registry import find
from nevel.languages import SpokenError, mark
from nevel.tables.domain.chain import Arrangement
from nevel.tables.domain.dealing import (
    BY_ROW,
    CHAINED,
    SECRET,
    Dealing,
    chain_context,
    chain_head,
    commitment,
    digest,
    row_context,
)
from nevel.tables.domain.pace import Pace
from nevel.tables.domain.refusals import WrongTimeError
from nevel.tables.domain.table import OPEN, OVER, Table


class Sitter(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who sat in a chair: a person with a name and what they added to the shuffle, or a bot of a level."""

    name: str = ""
    level: str = ""
    contribution: str | None = None


class Provenance(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a record says beyond the game. Rows are numbers in the table's log, times milliseconds since 1970."""

    name: str
    pace: Pace
    chairs: list[Sitter]
    commitment: str
    secret: str | None  # not before the game is over
    started: tuple[int, int]  # row and time
    rows: list[tuple[int, int]]  # row and time of every move made at the table
    brought: int = 0  # moves that were played elsewhere before, of which the table can say nothing
    is_brought: bool = False  # the deal itself was brought along
    is_practice: bool = False
    is_erased: bool = False  # somebody who left had what they added to the shuffle deleted
    dealing: int = BY_ROW
    chain: list[str] = []  # what was arranged before the game, every line hashed with the hash before it
    parts: dict[int, str] = {}  # by chair, the parts of the shuffle that were promised and shown


class TamperedError(SpokenError):
    """A record that can't be true; `event` is the row at which it goes wrong, None where it is about the whole."""

    def __init__(self, reason: SpokenError, event: int | None = None) -> None:
        if event is None:
            super().__init__(reason.message, **reason.values)
        else:
            super().__init__(mark("Event {number}: {reason}"), number=event, reason=reason)
        self.event = event


def write_record(table: Table, names: dict[str, str]) -> str:
    """A table's game as a file. While it is played nobody may have it: all hands follow from it."""
    if table.phase == OPEN or table.game is None:
        raise WrongTimeError(mark("The game hasn't started yet."))
    if table.phase != OVER:
        raise WrongTimeError(mark("The game isn't over yet."))
    is_by_row = table.opened.dealing == BY_ROW
    provenance = Provenance(
        name=table.name,
        pace=table.opened.pace,
        chairs=[
            Sitter(names.get(chair.person, ""), contribution=chair.contribution if is_by_row else None)
            if chair.person
            else Sitter(level=chair.level or "")
            for chair in table.chairs
        ],
        commitment=table.opened.commitment,
        secret=table.secret,
        started=table.started,
        rows=[(seq, at) for (seq, _), at in zip(table.played, table.times, strict=True)],
        brought=len(table.opened.prelude.moves) if table.opened.prelude else 0,
        is_brought=table.opened.prelude is not None,
        is_practice=table.opened.is_practice,
        is_erased=bool(table.erased_seed),
        dealing=table.opened.dealing,
        chain=[*table.chain],
        parts=table.parts,
    )
    game = table.game.copy()
    before = dict(enumerate(table.opened.prelude.names if table.opened.prelude else []))
    game.names = [
        names.get(chair.person or "", "") or chair.level or before.get(i, "") for i, chair in enumerate(table.chairs)
    ]
    return saving.save(game, msgspec.to_builtins(provenance))


class VerifiedRecord(NamedTuple):
    """What was found in order: a game of so many moves, of which some were played elsewhere before."""

    game: str
    moves: int
    brought: int
    is_brought: bool = False
    is_practice: bool = False
    has_own_box: bool = False


def verify(text: str | bytes) -> VerifiedRecord:
    """Deal and play a record again; a TamperedError says which event would be wrong."""
    saved = saving.read(text)
    if saved.table is None:
        raise TamperedError(SpokenError(mark("This game wasn't played at a table: there is nothing to check.")))
    try:
        provenance = msgspec.convert(saved.table, Provenance, strict=False)
    except msgspec.ValidationError as problem:
        message = mark("What it says about its table can't be read. {reason}")
        raise TamperedError(SpokenError(message, reason=explain_json_error(problem))) from problem
    check_secret(provenance)
    assert provenance.secret is not None
    if provenance.is_erased:
        message = mark("A player who left deleted their part of the shuffle: the cards can no longer be checked.")
        raise TamperedError(SpokenError(message))
    dealing = read_dealing(provenance, saved)
    started, brought = provenance.started[0], provenance.brought
    is_brought, is_chained = provenance.is_brought or brought > 0, provenance.dealing == CHAINED
    if not is_brought and saved.seed != dealing.key(0 if is_chained else started):
        reason = SpokenError(mark("The deal doesn't follow from the secret and what the players added."))
        raise TamperedError(reason, started)
    if brought + len(provenance.rows) != len(saved.moves):
        message = mark("It has {moves} moves, and rows for {rows}.")
        raise TamperedError(SpokenError(message, moves=len(saved.moves) - brought, rows=len(provenance.rows)))
    numbers = count_draws(saved, brought) if is_chained else [seq for seq, _ in provenance.rows]
    before = started
    for (seq, _), move, number in zip(provenance.rows, saved.moves[brought:], numbers, strict=False):
        if seq <= before:
            raise TamperedError(SpokenError(mark("It comes before the event that must precede it.")), seq)
        if move.key != dealing.key(number):
            message = mark("The random draw for “{move}” doesn't follow from the secret and what the players added.")
            raise TamperedError(SpokenError(message, move=move.move), seq)
        before = seq
    try:
        saving.load(text)
    except saving.LoadError as problem:
        at = problem.move
        event = provenance.rows[at - brought][0] if at is not None and at >= brought else None
        raise TamperedError(problem, event) from problem
    has_own_box = saved.box is not None
    return VerifiedRecord(saved.game, len(saved.moves), brought, is_brought, provenance.is_practice, has_own_box)


def read_dealing(provenance: Provenance, saved: saving.SavedGame) -> Dealing:
    """What the cards were drawn from, if all that is said of it fits together."""
    assert provenance.secret is not None
    if provenance.dealing == BY_ROW:
        contributions = {
            i: sitter.contribution for i, sitter in enumerate(provenance.chairs) if sitter.contribution is not None
        }
        return Dealing(provenance.secret, row_context(provenance.name, contributions))
    if provenance.dealing != CHAINED:
        raise TamperedError(SpokenError(mark("Its cards were dealt in a way this version doesn't know.")))
    arranged = read_arrangement(provenance, saved)
    for chair, part in provenance.parts.items():
        if arranged.promises.get(chair) != digest(part):
            message = mark("What chair {chair} added to the shuffle isn't what was promised.")
            raise TamperedError(SpokenError(message, chair=chair + 1))
    return Dealing(provenance.secret, chain_context(chain_head(provenance.chain), provenance.parts))


def read_arrangement(provenance: Provenance, saved: saving.SavedGame) -> Arrangement:
    """What was arranged before the game, if it was arranged for this one."""
    try:
        arranged, words = Arrangement.read(provenance.chain), find(saved.game).vocabulary
        # Both may be older than some options, and one older than the other: the game is read as it was played.
        found = arranged._replace(options=words.read_options(words.recall_options(arranged.options)))
        options = words.read_options(words.recall_options(saved.options))
    except SpokenError as problem:
        raise TamperedError(problem) from problem
    agreed = found._replace(
        table=provenance.name,
        commitment=provenance.commitment,
        game=saved.game,
        seats=saved.seats,
        options=options,
        box=saved.box,
    )
    if found != agreed:
        raise TamperedError(SpokenError(mark("The chain of settings made before the game belongs to another game.")))
    return arranged


def count_draws(saved: saving.SavedGame, brought: int) -> Iterator[int]:
    """The number of the draw for every move after those that were brought along, as far as the game can be played."""
    with suppress(SpokenError):
        game = saving.begin(saved)
        for number, move in enumerate(saved.moves):
            if number >= brought:
                yield 1 + game.draws
            game.play(move.seat, move.move, move.key)
            if game.log[-1].after != move.after:
                return


def check_secret(provenance: Provenance) -> None:
    """The secret must be the one whose hash was shown before the first card."""
    if provenance.secret is None:
        raise TamperedError(SpokenError(mark("Its secret isn't shown yet: it can be checked when the game is over.")))
    try:
        is_shown = len(provenance.secret) == 2 * SECRET and commitment(provenance.secret) == provenance.commitment
    except ValueError:
        is_shown = False
    if not is_shown:
        raise TamperedError(SpokenError(mark("The secret isn't the one that was promised before the first card.")))
