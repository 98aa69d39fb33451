"""The fragments of a table's page that every game has: players, what is asked, talk, what else can be done."""

from nevel.game.event import Teller
from nevel.web.live.channel import SaidView
from nevel.web.rendering.board import Fragments, SeatFact
from nevel.web.rendering.fragment import Drawn, Fragment, Text, Values
from nevel.web.rendering.levels import LEVEL_NAMES
from nevel.web.rendering.render import ACTION, MORE, QUERY, STORY


class FactBadge(Fragment, frozen=True):
    """Something about a player, in the strip of players."""

    template = "fact.html"
    seat: int
    fact: SeatFact

    @property
    def id(self) -> str:
        return f"fact-{self.seat}-{self.fact.icon}"


class SeatFacts(Fragment, frozen=True):
    """All there is to say about a player, in the strip of players."""

    template = "facts.html"
    seat: int
    facts: tuple[FactBadge, ...]

    @property
    def id(self) -> str:
        return f"facts-{self.seat}"


class Waited(Fragment, frozen=True):
    """Whether a player is asked now, for whoever can't see it."""

    template = "waited.html"
    seat: int
    is_waited: bool

    @property
    def id(self) -> str:
        return f"waited-{self.seat}"


class PlayerBadge(Fragment, frozen=True):
    """A player in the strip of players. `deadline` is when their time runs out."""

    template = "player.html"
    seat: int
    kind: str
    level: str | None
    is_host: bool
    is_present: bool
    waited: Waited
    is_winner: bool
    facts: SeatFacts
    is_you: bool
    #: Whether the viewer can do something about them.
    has_link: bool
    deadline: Text

    @property
    def id(self) -> str:
        return f"seat-{self.seat}"

    def fill(self, teller: Teller) -> Values:
        return {
            "player": self,
            "is_you": self.is_you,
            "name": teller.name(self.seat),
            "has_link": self.has_link,
            "action": ACTION,
            "more": MORE,
            "deadline": self.deadline,
            "level_name": teller.say(LEVEL_NAMES[self.level]) if self.level else "",
        }


class Players(Fragment, frozen=True):
    """The strip of players."""

    template = "players.html"
    element = "players"
    players: tuple[PlayerBadge, ...]


class Seq(Fragment, frozen=True):
    """The newest row a page shows, which it sends with a move."""

    template = "seq.html"
    element = "seq"
    seq: Text


class Shared(Fragment, frozen=True):
    """What all share of the board."""

    template = "shared.html"
    element = "shared"
    board: Fragments


class Own(Fragment, frozen=True):
    """What is the viewer's own."""

    template = "own.html"
    element = "own"
    board: Fragments


class PromptFragment(Fragment, frozen=True):
    """What the viewer is asked, or who is waited for."""

    template = "prompt.html"
    element = "prompt"
    text: Text


class Asked(Fragment, frozen=True):
    """What the viewer is asked, and what is their own."""

    template = "asked.html"
    element = "asked"
    is_watching: bool
    #: The last thing that happened: the story itself is out of sight on a phone.
    latest: Drawn | None
    prompt: PromptFragment | None
    own: Own | None

    def fill(self, teller: Teller) -> Values:
        return super().fill(teller) | {"action": ACTION, "query": QUERY}


class PlayFragment(Fragment, frozen=True):
    """The form in which one plays."""

    template = "play.html"
    element = "play"
    seq: Seq
    shared: Shared
    asked: Asked

    def fill(self, teller: Teller) -> Values:
        return {"action": ACTION, "query": QUERY}


class Leaving(Fragment, frozen=True):
    """To let a bot play for oneself."""

    template = "leaving.html"
    element = "leaving"

    def fill(self, teller: Teller) -> Values:
        return {"action": ACTION, "query": QUERY}


class Helpers(Fragment, frozen=True):
    """What can be done besides playing. `asked` is who would like to take back a move, `absent` who is waited for and
    isn't there.
    """

    template = "helpers.html"
    element = "helpers"
    asked: int | None
    is_own: bool
    may_answer: bool
    may_ask: bool
    is_stood_in: bool
    absent: tuple[int, ...]
    leaving: Leaving | None

    def fill(self, teller: Teller) -> Values:
        return {
            "action": ACTION,
            "query": QUERY,
            "asked": "" if self.asked is None else teller.name(self.asked),
            "is_own": self.is_own,
            "may_answer": self.may_answer,
            "may_ask": self.may_ask,
            "is_stood_in": self.is_stood_in,
            "absent": [(seat, teller.name(seat)) for seat in self.absent],
        }


class ToldFragment(Fragment, frozen=True):
    """The story so far. Its lines are a gap, because new ones are added to a page; `times` tells how often it was begun
    anew.
    """

    template = "told.html"
    element = "told"
    times: int

    def fill(self, teller: Teller) -> Values:
        return {"lines": STORY}


class ChatFragment(Fragment, frozen=True):
    """What was said. `chair` is the viewer's own; names have links to what can be done about those people."""

    template = "chat.html"
    element = "chat"
    chair: int | None
    is_player: bool
    has_links: bool
    is_silent: bool
    said: tuple[SaidView, ...]

    def fill(self, teller: Teller) -> Values:
        return super().fill(teller) | {"action": ACTION, "query": QUERY, "more": MORE}


class Side(Fragment, frozen=True):
    """What stands beside the board."""

    template = "side.html"
    element = "side"
    board: Fragments
    told: ToldFragment | None
    chat: ChatFragment | None


class Body(Fragment, frozen=True):
    """All that is in the frame of a table."""

    template = "frame.html"
    title: str
    #: What everybody is told of a table that isn't as most are, and where its box is listed if that is the host's own.
    notice: str
    box_address: Text
    players: Players
    #: Before the game who sits down, after it how it ended.
    panel: Drawn | None
    play: PlayFragment | None
    helpers: Helpers | None
    side: Side | None
