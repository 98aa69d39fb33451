"""All games that are installed, found by the entry points their packages declare."""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from types import MappingProxyType, ModuleType

from nevel.engine import dispatch
from nevel.game.spec import GameSpec
from nevel.languages import SpokenError, add_catalogues, mark

GROUP = "nevel.games"


class UnknownGameError(SpokenError):
    """A name that is no game's."""

    def __init__(self, name: object) -> None:
        super().__init__(mark("There is no game {name}; there are {known}."), name=name, known=", ".join(all_games()))
        self.name = name


class BrokenGameError(Exception):
    """An installed package declares a game that can't be used; says which package and why."""


@cache
def all_games() -> Mapping[str, GameSpec]:
    """Every installed game by its name, as they stand in lists."""
    found: dict[str, GameSpec] = {}
    for entry in entry_points(group=GROUP):
        where = f"{entry.value} ({entry.dist.name if entry.dist else 'unknown package'})"
        try:
            spec = entry.load()
        except Exception as problem:
            raise BrokenGameError(f"{where} can't be imported: {problem}") from problem
        if not isinstance(spec, GameSpec):
            raise BrokenGameError(f"{where} is no GameSpec")
        check(spec, entry.name, where)
        if spec.name in found:
            raise BrokenGameError(f"{where}: another package has a game {spec.name} already")
        found[spec.name] = spec
        add_catalogues(spec.file("languages"))
    if not found:
        raise BrokenGameError("no games are installed: Nevel has to be installed by pip, which `make` does")
    return MappingProxyType(dict(sorted(found.items(), key=lambda item: (item[1].list_position, item[1].title))))


def check(spec: GameSpec, name: str, where: str) -> None:
    """Refuse a spec that contradicts itself, before anything is built on it."""
    if name != spec.name or spec.vocabulary.name != spec.name:
        raise BrokenGameError(f"{where}: entry point, spec and vocabulary have different names")
    if spec.seats.stop - 1 > dispatch.MOST_SEATS:
        raise BrokenGameError(f"{where}: at most {dispatch.MOST_SEATS} players can sit at a table")
    if spec.usual_seats not in spec.seats:
        raise BrokenGameError(f"{where}: its usual number of players isn't one it can be played with")


def find(name: object) -> GameSpec:
    """The game of this name."""
    spec = all_games().get(name) if isinstance(name, str) else None
    if spec is None:
        raise UnknownGameError(name)
    return spec


@cache
def by_rules(rules: ModuleType) -> GameSpec:
    """The game whose rules these are."""
    return next(spec for spec in all_games().values() if spec.rules is rules)
