"""GameSpec: the name, the traits and the parts of one game, which all shared code asks."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from nevel.game.clause import Rulebook
from nevel.game.talk import TalkRule
from nevel.languages import mark

if TYPE_CHECKING:  # both ask the registry for specs
    from nevel.game.box import Box
    from nevel.game.boxes.sheet import BoxSection
    from nevel.game.vocabulary import Vocabulary

#: What a result counts: points, rounds won, or, below zero, the cards nobody could play.
Score = Literal["points", "rounds", "cards-left"]


@dataclass(frozen=True, kw_only=True, eq=False)
class GameSpec:
    """One game: its name, its traits and where its parts are found.

    A package offers its games as entry points of the group `nevel.games`; `nevel.game.registry` finds them. The parts
    that most programs never need are named as `module:attribute` and imported when something asks for them.
    """

    #: How programs, files and addresses call it: small letters, digits and hyphens.
    name: str
    title: str
    #: One sentence that makes people want to play it, marked for translation.
    pitch: str
    #: Who made it and who publishes it.
    credits: str
    #: How long a game usually takes.
    minutes: int
    #: How many players a table is opened for unless somebody says otherwise.
    usual_seats: int

    #: Whether all players win or lose together.
    is_cooperative: bool = False
    #: Whether several seats are asked at once, each without knowing what the others choose.
    is_simultaneous: bool = False
    score: Score = "points"
    #: What a result is divided by so that rewards for learning are about as large as 1.
    score_scale: int = 1
    #: More moves than any game can have.
    longest_game: int
    #: The number of the move by which a player takes the first turn when the players settle who starts.
    start_move: int | None = None
    #: Whether legal moves may lose the game at once (`rules.losing_clause`), so that interfaces ask for them and warn.
    can_lose_at_once: bool = False
    #: What may not be said while it is played.
    talk: TalkRule | None = None

    rules: ModuleType
    rulebook: Rulebook
    vocabulary: "Vocabulary"
    #: Reads a box into the numbers the rules are given.
    read_box: "Callable[[Box], list[int]]"
    #: The box as it is sold, beside the spec.
    box_file: str = "box.toml"
    #: What in it an owner can correct on a page, and which of it we had to reconstruct.
    box_sections: "tuple[BoxSection, ...]" = ()

    #: The package that has its files: templates, styles, drawings, help, puzzles, translations.
    package: str
    #: `nevel.bots.policy.GameBots`: the policies of its levels, and its expert.
    bots: str
    #: A function from a view and a teller to something Rich can print.
    terminal: str
    #: `nevel.web.rendering.board.Board`.
    board: str
    #: `nevel.lab.scene.LabParts`: what observations mean, and a picture of a view.
    lab: str
    #: `nevel.study.parts.StudyParts`: what could be known, puzzles, further figures.
    study: str | None = None
    #: `nevel.testing.TestingParts`: what lets the conformance kit check more of it.
    testing: str | None = None
    #: Where it stands in lists; equal ones go by their title.
    list_position: int = 1000

    @cached_property
    def seats(self) -> range:
        """How many players it is for."""
        low, high = self.rules.SEATS
        return range(low, high + 1)

    @property
    def counts_cards_left(self) -> bool:
        """Whether its points are cards that were left, counted below zero."""
        return self.score == "cards-left"

    @property
    def points_heading(self) -> str:
        """What a column of mean results is called, to be translated."""
        return mark("Cards left, on average") if self.counts_cards_left else mark("Points, on average")

    def readable_points(self, points: float) -> float:
        """Points as people read them: cards left above zero."""
        return -points if self.counts_cards_left else points

    def file(self, *path: str) -> Traversable:
        """A file of its package."""
        return resources.files(self.package).joinpath(*path)

    def load(self, part: Literal["bots", "terminal", "board", "lab", "study", "testing"]) -> Any:
        """Import one of the parts that are named as `module:attribute`."""
        found: dict[str, Any] = self._parts
        if part not in found:
            module, _, attribute = getattr(self, part).partition(":")
            found[part] = getattr(import_module(module), attribute)
        return found[part]

    @cached_property
    def _parts(self) -> dict[str, Any]:
        return {}
