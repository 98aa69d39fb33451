"""The pieces of a frame that are not the board: players, talk, and what can be done besides playing."""

from msgspec import Struct

from nevel.game.event import Teller
from nevel.web.live.channel import SaidView
from nevel.web.rendering.board import SeatFact, Values
from nevel.web.rendering.levels import LEVEL_NAMES
from nevel.web.rendering.pieces import Piece


class PlayerBadge(Struct, frozen=True):
    """A player as the others see them, but for the name and the clock, which are nobody else's."""

    seat: int
    kind: str
    level: str | None
    is_host: bool
    is_present: bool
    is_waited: bool
    is_winner: bool
    facts: tuple[SeatFact, ...]

    @classmethod
    def of(cls, chair: Values) -> "PlayerBadge":
        return cls(
            chair["seat"],
            chair["kind"],
            chair["level"],
            chair["is_host"],
            chair["is_present"],
            chair["is_waited"],
            chair["is_winner"],
            tuple(chair["facts"]),
        )


def fill_player(teller: Teller, player: PlayerBadge, is_you: bool, name: str, link: str, deadline: str) -> Values:
    """A player in the strip of players. `link` is where one can do something about them, `deadline` when their time
    runs out.
    """
    return {
        "player": player,
        "is_you": is_you,
        "name": name,
        "link": link,
        "deadline": deadline,
        "level_name": teller.say(LEVEL_NAMES[player.level]) if player.level else "",
    }


PLAYER = Piece("player.html", fill_player)


def fill_chat(
    teller: Teller,
    chair: int | None,
    is_player: bool,
    is_silent: bool,
    said: tuple[SaidView, ...],
    action: str,
    query: str,
    more: str,
) -> Values:
    return {
        "action": action,
        "query": query,
        "more": more,
        "chair": chair,
        "is_player": is_player,
        "is_silent": is_silent,
        "said": said,
    }


CHAT = Piece("chat.html", fill_chat)


def fill_helpers(
    teller: Teller,
    may_answer: bool,
    may_ask: bool,
    is_own: bool,
    kind: str | None,
    absent: tuple[tuple[int, str], ...],
    action: str,
    query: str,
    asked: str,
) -> Values:
    """What can be done besides playing. `asked` is who would like to take back a move (`is_own`: the viewer), `kind`
    how one's chair is taken, `absent` who is waited for and isn't there.
    """
    return {
        "action": action,
        "query": query,
        "asked": asked,
        "may_answer": may_answer,
        "may_ask": may_ask,
        "is_own": is_own,
        "is_seated": kind is not None,
        "is_stood_in": kind == "stood-in",
        "absent": absent,
    }


HELPERS = Piece("helpers.html", fill_helpers)


def more_of(query: str) -> str:
    """What an address that has a question already ends with."""
    return query.replace("?", "&", 1)
