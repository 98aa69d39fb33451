"""A tournament's results on disk, a line of JSON per game, so that an interrupted one can go on."""

import os
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import msgspec

from nevel.lab.matches.match import Match
from nevel.languages import SpokenError, mark

try:
    import fcntl
except ImportError:  # Windows has no such locks; there nobody should run a tournament twice at once
    fcntl = None

FORMAT = 1


class ResultsHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: which tournament these are the results of."""

    nevel: int
    tournament: str


class ResultLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One game: the number of the tournament's game and of the job, and how it ended."""

    event: int
    job: int
    points: list[int]
    winners: list[int]
    moves: int


class Key(NamedTuple):
    """Which game of a tournament it is."""

    event: int
    job: int


class ResultsError(SpokenError):
    """A file of results that can't be continued."""


class Results:
    """The file of results of one tournament, held by one process at a time."""

    def __init__(self, path: Path, tournament: str) -> None:
        self.path = path
        self.matches: dict[Key, Match] = {}
        self.file = path.open("a+b", buffering=0)
        try:
            self.lock()
            self.read(tournament)
        except BaseException:
            self.file.close()
            raise

    def __enter__(self) -> "Results":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.file.close()

    def lock(self) -> None:
        """Two processes would play the same games and write across each other. A killed one leaves no lock behind."""
        if fcntl is None:
            return
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ResultsError(mark("Another process is playing this tournament ({file})."), file=self.path) from None

    def read(self, tournament: str) -> None:
        self.file.seek(0)
        content = self.file.read()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):  # the last line was being written when everything ended
            self.file.truncate(len(whole))
        lines = whole.splitlines()
        if not lines:
            self.write([ResultsHeader(FORMAT, tournament)])
            return
        try:
            header = msgspec.json.decode(lines[0], type=ResultsHeader)
        except msgspec.DecodeError as problem:
            raise ResultsError(mark("{file} isn't a tournament's results."), file=self.path) from problem
        if header != ResultsHeader(FORMAT, tournament):
            message = mark(
                "{file} has the results of another tournament, or of other rules or bots. Move it elsewhere."
            )
            raise ResultsError(message, file=self.path)
        decoder = msgspec.json.Decoder(ResultLine)
        for number, text in enumerate(lines[1:], 2):
            try:
                line = decoder.decode(text)
            except msgspec.DecodeError as problem:
                message = mark("{file}, line {number}: this isn't a result ({reason}).")
                raise ResultsError(message, file=self.path, number=number, reason=problem) from problem
            self.matches[Key(line.event, line.job)] = Match(line.points, line.winners, line.moves)

    def add(self, event: int, matches: dict[int, Match]) -> None:
        """Keep what was played; it is on its way to the disk when this returns."""
        self.write([ResultLine(event, job, match.points, match.winners, match.moves) for job, match in matches.items()])
        for job, match in matches.items():
            self.matches[Key(event, job)] = match

    def write(self, lines: list[ResultsHeader] | list[ResultLine]) -> None:
        content = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
        while content:
            content = content[os.write(self.file.fileno(), content) :]
