"""How a table plays, as the forms for opening and changing a table ask for it."""

from typing import Any, Literal, TypeVar

from msgspec import Struct, defstruct
from msgspec.structs import asdict

from nevel.bots.levels import LADDER
from nevel.game.registry import all_games, find
from nevel.languages import Language, mark
from nevel.tables.domain.pace import DAY, Pace
from nevel.web.rendering.levels import LEVEL_NAMES

PACES = {
    "relaxed": mark("Relaxed: no clock, come and go as you like"),
    "live": mark("Live: seconds per decision, plus a reserve"),
    "correspondence": mark("By correspondence: days per decision"),
}
#: What a clock begins with when somebody chooses one.
USUAL_SECONDS, USUAL_RESERVE, USUAL_DAYS = 45, 180, 2


class Terms(Struct, frozen=True, kw_only=True):
    """The fields of a form about how to play; `with_options` adds those of the installed games."""

    stand_in: str = "casual"
    pace: Literal["relaxed", "live", "correspondence"] = "relaxed"
    seconds: int = USUAL_SECONDS
    reserve: int = USUAL_RESERVE
    days: int = USUAL_DAYS


AnyTerms = TypeVar("AnyTerms", bound=Terms)


def with_options(kind: type[AnyTerms]) -> type[AnyTerms]:
    """`Terms` with a field for every option of every installed game."""
    names = {option.name for spec in all_games().values() for option in spec.vocabulary.options}
    fields: list[Any] = [(name, int | None, None) for name in sorted(names)]
    made: Any = defstruct(kind.__name__, fields, bases=(kind,), frozen=True, kw_only=True)
    return made


def read_options(terms: Terms, game: str) -> dict[str, int]:
    """Read a value for every option of a game: its default where none was sent."""
    given = asdict(terms)
    named = {option.name: (given[option.name], option.values[0]) for option in find(game).vocabulary.options}
    return {name: usual if value is None else value for name, (value, usual) in named.items()}


def read_pace(terms: Terms) -> Pace:
    if terms.pace == "live":
        return Pace("live", terms.seconds, terms.reserve)
    if terms.pace == "correspondence":
        return Pace("correspondence", terms.days * DAY)
    return Pace()


def offer_options(game: str, language: Language, options: dict[str, int]) -> list[dict[str, Any]]:
    """The variants of a game, each with what is chosen now and the rule it comes from."""
    return [
        {
            "name": option.name,
            "title": language.say(option.title),
            "values": option.values,
            "is_switch": set(option.values) == {0, 1},
            "value": options.get(option.name, option.values[0]),
            "clause": option.clause,
            "says": find(game).rulebook[option.clause].sentence(language),
        }
        for option in find(game).vocabulary.options
    ]


def offer_terms(game: str, language: Language, options: dict[str, int], pace: Pace, stand_in: str) -> dict[str, Any]:
    """The values of the form: all that can be chosen, and what is chosen now."""
    is_live, is_slow = pace.kind == "live", pace.kind == "correspondence"
    return {
        "options": offer_options(game, language, options),
        "paces": [(kind, language.say(text)) for kind, text in PACES.items()],
        "pace": pace.kind,
        "seconds": pace.seconds if is_live else USUAL_SECONDS,
        "reserve": pace.reserve if is_live else USUAL_RESERVE,
        "days": pace.seconds // DAY if is_slow else USUAL_DAYS,
        "levels": [(level, language.say(LEVEL_NAMES[level])) for level in LADDER],
        "stand_in": stand_in,
    }
