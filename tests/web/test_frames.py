"""However the bytes of frames arrive, what they say is heard once, whole and in order; and so they are sent."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.sync.client import ClientConnection

from nevel.web.live import frames
from nevel.web.live.frames import Line, Outbox, text_header
from tests.web.serving import Visitor, closing_code, receive

PIECES = (1, 2, 5, 6, 7, 40)


@pytest.fixture(scope="module")
def database(sqlite_database: str) -> str:
    return sqlite_database


def frame(text: str | bytes, opcode: Opcode = Opcode.TEXT, is_last: bool = True) -> bytes:
    """A frame as a browser sends it."""
    content = text.encode() if isinstance(text, str) else text
    return Frame(opcode, content, is_last).serialize(mask=True)


def text_frame(content: bytes) -> bytes:
    """A text as the server sends it."""
    return text_header(len(content)) + content


def ask(name: str) -> str:
    """Something that is refused, under this name: there is nobody to be shown the door."""
    return json.dumps({"id": name, "do": {"command": "kick", "chair": 1}})


def hear(socket: ClientConnection) -> str:
    """The name under which something was answered."""
    while (answer := json.loads(socket.recv(10)))["type"] == "view":
        pass
    return answer["id"]


def test_a_frame_in_pieces_is_heard_when_it_is_whole(ann: Visitor) -> None:
    table = ann.open(chairs=2)
    for first in PIECES:
        with ann.socket(table) as hers:
            receive(hers)
            text = frame(ask("a"))
            for piece in (text[:first], text[first:]):
                hers.socket.sendall(piece)
                ann.look(table)  # the server has read it when it has answered this
            assert hear(hers) == "a"
            hers.socket.sendall(frame(ask("b")))
            assert hear(hers) == "b"


def test_several_frames_at_once_are_heard_in_order(ann: Visitor) -> None:
    with ann.socket(ann.open(chairs=2)) as hers:
        receive(hers)
        for names in ("ab", "c", "def", "g"):
            hers.socket.sendall(b"".join(frame(ask(name)) for name in names))
            assert [hear(hers) for _ in names] == list(names)


def test_control_frames_may_come_between(ann: Visitor) -> None:
    table = ann.open(chairs=2)
    with ann.socket(table) as hers:
        receive(hers)
        for number, between in enumerate((Opcode.PING, Opcode.PONG)):
            hers.socket.sendall(frame(b"?", between))
            ann.look(table)
            hers.socket.sendall(frame(ask(f"{number}")))
            assert hear(hers) == f"{number}"


def test_a_text_in_fragments_is_one(ann: Visitor) -> None:
    table = ann.open(chairs=2)
    with ann.socket(table) as hers:
        receive(hers)
        text = ask("a")
        for piece in (frame(text[:9], is_last=False), frame(b"", Opcode.PING), frame(text[9:], Opcode.CONT)):
            hers.socket.sendall(piece)
            ann.look(table)
        assert hear(hers) == "a"
        hers.socket.sendall(frame(ask("b")))
        assert hear(hers) == "b"


def test_a_new_text_within_fragments_ends_the_socket(ann: Visitor) -> None:
    table = ann.open(chairs=2)
    with ann.socket(table) as hers:
        receive(hers)
        hers.socket.sendall(frame(ask("a")[:9], is_last=False))
        ann.look(table)
        hers.socket.sendall(frame(ask("b")))
        assert closing_code(hers) == 1002


@pytest.mark.parametrize("length", [4, 200])
def test_what_isnt_unicode_ends_the_socket(ann: Visitor, length: int) -> None:
    with ann.socket(ann.open(chairs=2)) as hers:
        receive(hers)
        hers.socket.sendall(frame(b"\xff" * length))
        assert closing_code(hers) == 1007


def test_an_unmasked_frame_ends_the_socket(ann: Visitor) -> None:
    with ann.socket(ann.open(chairs=2)) as hers:
        receive(hers)
        hers.socket.sendall(Frame(Opcode.TEXT, ask("a").encode()).serialize(mask=False))
        assert closing_code(hers) == 1002


def make_line(outbox: Outbox, sent: list[tuple[str, bytes]], name: str) -> Line:
    """A line that is open, and writes down what goes over it."""
    line = object.__new__(Line)
    parts: dict[str, Any] = {
        "loop": asyncio.get_running_loop(),
        "outbox": outbox,
        "conn": SimpleNamespace(state=State.OPEN),
        "transport": SimpleNamespace(write=lambda content: sent.append((name, bytes(content)))),
        "close_sent": False,
        "disconnected": False,
    }
    vars(line).update(parts)
    return line


def test_what_is_written_in_one_turn_of_the_loop_is_sent_together_in_its_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "MOST_LINES", 3)
    sent = list[tuple[str, bytes]]()

    async def write() -> None:
        outbox = Outbox()
        a, b, c, gone = (make_line(outbox, sent, name) for name in ("a", "b", "c", "gone"))
        for line, text in ((a, b"1"), (b, b"2"), (a, b"3")):
            line.write(text)
        assert not sent
        await asyncio.sleep(0)
        assert sent == [("a", text_frame(b"1") + text_frame(b"3")), ("b", text_frame(b"2"))]
        sent.clear()
        gone.write(b"4")
        gone.disconnected = True
        b.write(b"5")
        c.write(b"6")  # there are enough now
        a.write(b"7")
        assert sent == [("b", text_frame(b"5")), ("c", text_frame(b"6"))]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert sent[2:] == [("a", text_frame(b"7"))]

    asyncio.run(write())
