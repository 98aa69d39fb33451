"""What is to be played: a tournament's file, read and checked before anybody sits down."""

import hashlib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from nevel.bots.evaluation import Budget
from nevel.bots.levels import LEVELS, mind_of
from nevel.bots.mind import PolicyMind
from nevel.engine import compiling
from nevel.game.box import Box
from nevel.game.registry import all_games, find
from nevel.lab.matches.ladder import Ladder
from nevel.lab.matches.match import Entrant, Matches
from nevel.languages import SpokenError, mark
from nevel.players.program import Notice
from nevel.players.seating import PROGRAM, check_player

#: What a player that searches gets where the file doesn't say.
PLAYOUTS = 200
DEALS = 100
MOST_DEALS = 10_000
#: More would need more memory for the intervals than most machines have.
LIMIT = 100_000


class TournamentSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[tournament]`: what all games have in common."""

    name: str = ""
    seed: int = 1
    #: How many deals, or how narrow the widest interval of a rating has to be, give or take, and when to give up.
    deals: int | None = None
    precision: float | None = None
    most_deals: int = MOST_DEALS
    #: What players that search may spend on a move.
    playouts: int | None = None
    seconds: float | None = None
    #: Whether every deal is played in all rotations, and whether all pairings get the same deals.
    rotate: bool = True
    common_deals: bool = True


class GameSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[[game]]`: one of the games that are played, at tables of one size."""

    game: str
    seats: int
    options: dict[str, int] = {}
    box: str | None = None


class PlayerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[[player]]`: a level or an outside program, and what it may spend if it isn't what the others may."""

    level: str = ""
    program: str = ""
    name: str = ""
    playouts: int | None = None
    seconds: float | None = None

    @property
    def title(self) -> str:
        return self.name or self.level or self.program

    @property
    def who(self) -> str:
        """As players are named everywhere else: a level, or `program:COMMAND`."""
        return self.level or PROGRAM + self.program


class PlanSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    game: list[GameSettings]
    player: list[PlayerSettings]
    tournament: TournamentSettings = TournamentSettings()


class PlanError(SpokenError):
    """A file that is no tournament: says which, and why."""

    def __init__(self, file: str, message: str, /, **values: object) -> None:
        super().__init__(mark("{file}: {reason}"), file=file, reason=SpokenError(message, **values))


class Plan:
    """A tournament as its file describes it. What is played follows from it alone."""

    def __init__(self, settings: PlanSettings, file: str = "tournament", folder: Path | None = None) -> None:
        self.settings = settings
        self.file = file
        self.check()
        self.boxes = [self.read_box(each, folder or Path()) for each in settings.game]
        for each in settings.game:
            words = find(each.game).vocabulary
            words.check_seats(each.seats)
            words.read_options(each.options)
        for player in settings.player:
            check_player(player.who)

    @classmethod
    def read(cls, path: Path) -> "Plan":
        """Read a TOML file; a SpokenError says what is wrong with it."""
        try:
            return cls.parse(path.read_text("utf-8"), str(path), path.parent)
        except OSError as problem:
            raise PlanError(str(path), mark("can't be read ({reason})."), reason=problem) from problem
        except UnicodeDecodeError as problem:
            raise PlanError(str(path), mark("is not UTF-8 text.")) from problem

    @classmethod
    def parse(cls, text: str, file: str = "tournament", folder: Path | None = None) -> "Plan":
        try:
            content: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as problem:
            raise PlanError(file, mark("is not TOML ({reason})."), reason=problem) from problem
        try:
            return cls(msgspec.convert(content, PlanSettings), file, folder)
        except msgspec.ValidationError as problem:
            raise PlanError(file, mark("isn't a tournament ({reason})."), reason=problem) from problem

    def check(self) -> None:
        """What the types of the file don't say."""
        common, players = self.settings.tournament, self.settings.player
        names = [player.title for player in players]
        if len(players) < 2 or not self.settings.game:
            raise PlanError(self.file, mark("A tournament needs at least one game and two players."))
        for player in players:
            if bool(player.level) == bool(player.program):
                raise PlanError(self.file, mark("A player needs either a level or a program."))
        if len(set(names)) < len(names):
            raise PlanError(self.file, mark("Two players have the same name; give one of them another."))
        if common.deals is not None and common.precision is not None:
            raise PlanError(self.file, mark("Say how many deals or how precise, not both."))
        if not all(0 < deals <= LIMIT for deals in (self.deals, common.most_deals)):
            raise PlanError(self.file, mark("There can be 1 to {limit} deals."), limit=LIMIT)
        if common.precision is not None and common.precision <= 0:
            raise PlanError(self.file, mark("The precision is a number of rating points above 0."))
        for settings in (common, *players):
            if settings.playouts is not None and settings.seconds is not None:
                raise PlanError(self.file, mark("Set the budget in simulated games or in seconds, not both."))
            if (settings.playouts is not None and settings.playouts < 1) or (settings.seconds or 0) < 0:
                raise PlanError(
                    self.file, mark("The budget must be at least one simulated game, or 0 seconds or more.")
                )

    def read_box(self, settings: GameSettings, folder: Path) -> Box:
        if settings.game not in all_games():
            find(settings.game)  # says which there are
        box = Box.read(folder / settings.box) if settings.box else Box.of(settings.game)
        if box.game != settings.game:
            raise box.error_for(settings.game)
        return box

    # ------------------------------------------------------------ what follows

    @property
    def name(self) -> str:
        return self.settings.tournament.name or Path(self.file).stem

    @property
    def deals(self) -> int:
        """How many deals, where the file doesn't ask for a precision instead."""
        given = self.settings.tournament.deals
        return DEALS if given is None else given

    @property
    def budget(self) -> Budget:
        """What players may spend that have no budget of their own."""
        common = self.settings.tournament
        if common.playouts is None and common.seconds is None:
            return Budget(playouts=PLAYOUTS)
        return Budget(common.playouts, common.seconds)

    def budget_of(self, player: PlayerSettings) -> Budget:
        own = Budget(player.playouts, player.seconds)
        return self.budget if own == Budget() else own

    def thinks(self, game: str, player: PlayerSettings) -> bool:
        """Whether a player spends a budget in a game at all."""
        return player.who in LEVELS and type(mind_of(find(game).vocabulary.rules, player.who)) is not PolicyMind

    @property
    def is_timed(self) -> bool:
        """Whether somebody thinks by the clock, or is a program: then a second run may come out differently."""
        return any(
            player.program or (self.thinks(each.game, player) and self.budget_of(player).seconds is not None)
            for player in self.settings.player
            for each in self.settings.game
        )

    def entrants(self) -> Mapping[str, Entrant]:
        return {player.title: Entrant(player.who, self.budget_of(player)) for player in self.settings.player}

    def ladders(self, notice: Notice | None = None) -> list[Ladder]:
        """One for each game, with nothing played yet."""
        common = self.settings.tournament
        names = [player.title for player in self.settings.player]
        return [
            Ladder(
                Matches(
                    find(each.game),
                    each.seats,
                    box,
                    find(each.game).vocabulary.read_options(each.options),
                    common.seed,
                    self.budget,
                    notice,
                    entrants=self.entrants(),
                ),
                names,
                self.deals,
                rotates=common.rotate,
                shares_deals=common.common_deals,
            )
            for each, box in zip(self.settings.game, self.boxes, strict=True)
        ]

    def fingerprint(self) -> str:
        """A short name for what every single game depends on. How many are played and its title aren't part of it."""
        common = self.settings.tournament
        content = (
            (common.seed, common.rotate, common.common_deals),
            [
                (each.game, each.seats, find(each.game).vocabulary.read_options(each.options))
                for each in self.settings.game
            ],
            [box.numbers.tolist() for box in self.boxes],
            {name: (entrant.player, tuple(entrant.budget)) for name, entrant in self.entrants().items()},
            compiling.fingerprint(),
        )
        return hashlib.blake2b(msgspec.json.encode(content), digest_size=8).hexdigest()
