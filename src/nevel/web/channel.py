"""What is sent over sockets: written once for all who see the same, whenever they saw something last."""

import asyncio
from collections import deque

import msgspec

from nevel.tables.table import Table
from nevel.tables.view import Onlookers, Viewer, look, told_since
from nevel.web.links import Access

#: How many of the last events and messages are kept for sockets that haven't been sent them yet.
KEPT = 256

encode = msgspec.json.Encoder().encode


class Connection:
    """One socket: who looks through it, what it was sent, and whether there is something new to send."""

    def __init__(self, access: Access, person: str | None, key: str | None) -> None:
        self.access = access
        #: Who holds the socket, which isn't who they act for when they came by the link of a chair.
        self.person = person
        self.key = key
        self.seen = -1
        self.heard = -1
        self.news = asyncio.Event()
        #: The table isn't theirs to see any more.
        self.is_over = False


class Channel:
    """What all equal viewers of a table are sent."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.connections: set[Connection] = set()
        self.seq = -1
        self.view = b""
        self.told: deque[tuple[int, bytes]] = deque(maxlen=KEPT)
        self._frames: dict[tuple[int, int], str] = {}

    def update(self, table: Table, onlookers: Onlookers) -> None:
        """Write down how the table looks now, and what has happened since."""
        if table.seq > self.seq >= 0:
            new = told_since(table, self.viewer.chair, self.seq)
            self.told.extend((told.seq, encode(told)) for told in new)
        self.view = encode(look(table, self.viewer, onlookers))
        self.seq = table.seq
        self.forget_frames()

    def forget_frames(self) -> None:
        self._frames.clear()

    def frame(self, seen: int, heard: int, said: deque[tuple[int, bytes]], now: int) -> str:
        """What is sent to somebody who has seen everything up to a row and heard everything up to a message."""
        found = self._frames.get((seen, heard))
        if found is None:
            events = [text for seq, text in self.told if seq > seen]
            messages = [text for number, text in said if number > heard]
            found = self._frames[seen, heard] = write_frame(self.view, events, messages, now)
        return found


def write_frame(view: bytes, events: list[bytes], messages: list[bytes], now: int) -> str:
    parts = (b'{"type":"view","now":%d,"view":' % now, view, b',"events":[', b",".join(events), b'],"said":[')
    return b"".join((*parts, b",".join(messages), b"]}")).decode()
