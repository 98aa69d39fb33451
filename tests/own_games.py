"""The games of this repository. Whatever else is installed is checked by the conformance kit, as these are."""

from nevel.game.registry import all_games
from nevel.game.spec import GameSpec

OWN_GAMES: dict[str, GameSpec] = {
    name: spec for name, spec in all_games().items() if spec.package.startswith("nevel.games.")
}
