"""Messages to sockets, encoded once for all viewers who see the same."""

from collections import deque
from collections.abc import Collection, Mapping

import msgspec

from nevel.tables.domain.table import Table
from nevel.tables.storage.schema import Message
from nevel.tables.views.encoding import ViewTemplate
from nevel.tables.views.view import Scene, Viewer, told_since
from nevel.web.live.frames import Line
from nevel.web.people.links import Access
from nevel.web.people.people import Login

#: How many of the last events and messages are kept for sockets that haven't been sent them yet.
BACKLOG_SIZE = 256

encode = msgspec.json.Encoder().encode


class Connection:
    """One socket: who looks through it, what it was sent, and whether there is something it couldn't be sent yet."""

    __slots__ = ("access", "channel", "heard", "is_behind", "is_over", "key", "language_code", "line", "login", "seen")

    def __init__(
        self, line: Line, access: Access, login: Login | None, key: str | None, language_code: str | None = None
    ) -> None:
        self.line = line
        self.access = access
        #: What those are sent who see the same; none before the first look and after the last.
        self.channel: Channel | None = None
        #: The language of the pages it is sent; None for views as data.
        self.language_code = language_code
        #: How whoever holds the socket showed who they are; None for nobody known.
        self.login = login
        self.key = key
        self.seen = -1
        self.heard = -1
        #: There is something new, and what was sent before isn't on its way yet.
        self.is_behind = False
        #: The table isn't theirs to see any more, or they aren't who they said.
        self.is_over = False

    @property
    def person(self) -> str | None:
        """Who holds the socket, which isn't who they act for when they came by the link of a chair."""
        return self.login.person if self.login else None

    @property
    def channel_key(self) -> "ChannelKey":
        """Sockets with equal keys are sent the same."""
        return self.access.viewer, self.language_code


ChannelKey = tuple[Viewer, str | None]


class Spoken(msgspec.Struct, frozen=True):
    """Something said: its number, by whom, and what is told of it, as it is and as data."""

    number: int
    speaker: str
    said: "SaidView"
    text: bytes


class SaidView(msgspec.Struct, frozen=True):
    """Something said at a table. Who has no name has left Nevel for good."""

    number: int
    at: int
    name: str | None
    chair: int | None
    text: str


def show_message(message: Message, names: Mapping[str, str]) -> SaidView:
    """A message as people at the table see it."""
    return SaidView(message.number, message.at, names.get(message.person), message.seat, message.text)


class Channel:
    """What all equal viewers of a table are sent."""

    def __init__(self, viewer: Viewer, language_code: str | None = None) -> None:
        self.viewer = viewer
        self.key: ChannelKey = (viewer, language_code)
        self.connections: set[Connection] = set()
        #: The newest row, or the newest version of a page.
        self.seq = -1
        self.template = ViewTemplate(viewer)
        #: The view in pieces; none when it was let go.
        self.view = NO_PIECES
        self.told = list[tuple[int, bytes]]()
        self._frames: dict[tuple[int, int], bytes] = {}

    def update(self, scene: Scene) -> None:
        """Write down how the table looks now, and what has happened since."""
        seq = scene.table.seq
        if seq > self.seq >= 0:
            news = scene.news(self.viewer.chair, self.seq)
            self.told = (self.told + news)[-BACKLOG_SIZE:] if self.told else news
        self.view = self.template.parts(scene)
        self.seq = seq
        if self._frames:
            self._frames = {}

    def pass_on(self, scene: Scene, now: int) -> bool:
        """Send how the table looks now to the one who watches through this channel; False when nothing was sent.

        It is the short way, for somebody alone here who has seen everything before and reads what they are sent. Where
        others see the same, somebody is behind or something was said, it takes `update` and `frame`.
        """
        (connection,) = self.connections
        line = connection.line
        if connection.seen != self.seq or connection.is_behind or connection.is_over or not line.has_room:
            return False
        told = scene.tell(self.viewer.chair, self.seq)
        line.write(write_frame(self.template.parts(scene), told, b"", now))
        connection.seen = self.seq = scene.table.seq
        if self.view:
            self.let_go()
        return True

    def let_go(self) -> None:
        """Everybody was sent what there is to see: with thousands of sockets it would be most of the memory."""
        self.view = NO_PIECES
        if self.told:
            self.told = []
        if self._frames:
            self._frames = {}

    @property
    def has_let_go(self) -> bool:
        return not self.view

    def seen_by(self, is_alone: bool) -> int:
        """What somebody has seen who was just written to, with all others or alone."""
        return self.seq

    def first(self, table: Table, since: int | None, said: deque[Spoken], now: int) -> bytes:
        """What is sent at first, to somebody who may have seen everything up to a row before."""
        missed = [] if since is None else [encode(told) for told in told_since(table, self.viewer.chair, since)]
        return write_frame(self.view, b",".join(missed), b",".join([spoken.text for spoken in said]), now)

    def frame(self, seen: int, heard: int, said: deque[Spoken], now: int) -> bytes:
        """What is sent to somebody who has seen everything up to a row and heard everything up to a message."""
        if len(self.connections) == 1:  # nobody needs it again
            return self.write(seen, heard, said, now)
        found = self._frames.get((seen, heard))
        if found is None:
            found = self._frames[seen, heard] = self.write(seen, heard, said, now)
        return found

    def write(self, seen: int, heard: int, said: Collection[Spoken], now: int) -> bytes:
        """The same, for one who doesn't hear what all others hear."""
        events = b",".join([text for seq, text in self.told if seq > seen])
        messages = b",".join([spoken.text for spoken in said if spoken.number > heard])
        return write_frame(self.view, events, messages, now)


#: No view yet.
NO_PIECES: list[bytes] = []


def write_frame(view: list[bytes], events: bytes, messages: bytes, now: int) -> bytes:
    """A view in pieces with what happened and what was said, each a row of JSON with commas between."""
    begin = b'{"type":"view","now":%d,"view":' % now
    return b"".join((begin, *view, b',"events":[', events, b'],"said":[', messages, b"]}"))
