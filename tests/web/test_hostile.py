"""Whatever arrives, whole or not, is answered as a mistake of the sender: nothing of it is a mistake of ours."""

import itertools
import random
import socket
import struct
import time
from contextlib import suppress

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection as Socket

from nevel.game.move import MalformedMoveError
from nevel.game.registry import find
from nevel.languages import SpokenError
from nevel.tables.referee import referee
from tests.web.serving import Serving, Visitor, receive

#: Frames nobody should send.
BAD_FRAMES = {
    "no text": Frame(Opcode.TEXT, b"\xff\xfe").serialize(mask=True),
    "no text, long": Frame(Opcode.TEXT, b"\xff" * 300).serialize(mask=True),
    "no JSON": Frame(Opcode.TEXT, b"{").serialize(mask=True),
    "deep": Frame(Opcode.TEXT, b"[" * 5_000).serialize(mask=True),
    "binary": Frame(Opcode.BINARY, b"\x00\x01").serialize(mask=True),
    "unmasked": Frame(Opcode.TEXT, b"{}").serialize(mask=False),
    "reserved": b"\xf1\x80\x00\x00\x00\x00",
    "the rest of nothing": Frame(Opcode.CONT, b"a").serialize(mask=True),
    "unknown": b"\x8b\x80\x00\x00\x00\x00",
    "endless": b"\x81\xff" + b"\x7f" * 12,
    "bad farewell": Frame(Opcode.CLOSE, b"\x00\x01").serialize(mask=True),
    "farewell": Frame(Opcode.CLOSE, b"\x03\xe8").serialize(mask=True),
    "ping": Frame(Opcode.PING, b"?").serialize(mask=True),
}
SOCKET = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
NUL_PATHS = (
    *(
        "/%00",
        "/tables/%00",
        "/tables/a%00b",
        "/api/tables/%00",
        "/api/tables/%00/export",
        "/static/%00/%00",
        "/static/1/a%00",
    ),
    *(
        "/rules/%00",
        "/rules/the-game%00",
        "/puzzles/%00",
        "/people/%00",
        "/?language=%00",
        "/api/me?x=%00",
        "/statistics/%00",
    ),
    *(
        "/tables/%ff",
        "/rules/%ff%fe",
        "/static/1/%2e%2e/%2e%2e/etc/passwd",
        "/api/tables/%E2%82",
        "/tables/a?key=%00&chair=%00",
    ),
)


def send_raw(serving: Serving, content: bytes, then: bytes = b"", is_half: bool = False) -> bytes:
    """Send something over a connection of its own, in one segment or in two; the answer, if it is waited for."""
    host, port = serving.address.split(":")
    with socket.create_connection((host, int(port)), 20) as one:
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        one.sendall(content)
        one.sendall(then)
        return b"" if is_half else one.recv(1 << 16)


def read_to_the_end(socket: Socket) -> None:
    """Hear all that is said, until the socket is closed or nothing more comes."""
    with suppress(ConnectionClosed, TimeoutError):
        while True:
            socket.recv(0.1)


@pytest.mark.parametrize("path", ["/api/tables", "/api/tables/import", "/open", "/tables/a/play", "/play"])
def test_who_leaves_amid_a_request_is_no_mistake(serving: Serving, no_mistakes: None, path: str, ann: Visitor) -> None:
    head = f"POST {path} HTTP/1.1\r\nHost: {serving.address}\r\nContent-Length: 1000\r\n"
    for kind in ("application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        send_raw(serving, f"{head}Content-Type: {kind}\r\n\r\nabc".encode(), is_half=True)
    assert ann.get("/healthz").status_code == 200


@pytest.mark.parametrize("path", NUL_PATHS)
def test_no_address_is_a_mistake_of_ours(serving: Serving, no_mistakes: None, path: str) -> None:
    for method, accept in itertools.product(("GET", "POST"), ("text/html", "application/json")):
        request = (
            f"{method} {path} HTTP/1.1\r\nHost: {serving.address}\r\nAccept: {accept}\r\nContent-Length: 0\r\n\r\n"
        )
        status = int(send_raw(serving, request.encode()).split()[1])
        assert status < 500, (method, path, status)


#: Heads without an end, or far too long, and what is told of them.
HEADS = {
    "a line": b"x: " + b"a" * 300_000,
    "an address": b"",
    "lines": b"a: b\r\n" * 50_000,
    "all of it": b"x: " + b"a" * 70_000 + b"\r\n\r\n",
}


@pytest.mark.parametrize("kind", HEADS)
def test_no_head_of_a_request_is_longer_than_any_needs_to_be(serving: Serving, no_mistakes: None, kind: str) -> None:
    beginning = b"GET / HTTP/1.1\r\nhost: a\r\n" if HEADS[kind] else b"GET /" + b"a" * 300_000
    assert is_ended(serving, beginning + HEADS[kind])
    body = b"POST /api/tables HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n0\r\n"
    assert is_ended(serving, body + b"a: b\r\n" * 50_000)


def is_ended(serving: Serving, content: bytes) -> bool:
    """Whether a connection is ended for what is too long; its sender may be told, or may still be sending."""
    try:
        answer = send_raw(serving, content)
    except ConnectionError:
        return True
    return answer.split()[1] in (b"431", b"400")


def test_cookies_are_read_at_once_however_they_are_quoted(serving: Serving, no_mistakes: None) -> None:
    # Python's own reader takes five seconds for one of these.
    request = b'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\nGET /api/me HTTP/1.1\r\nhost: a\r\ncookie: a="%b"\r\n\r\n'
    for _ in range(10):
        assert b" 200 " in send_raw(serving, request % (b"\\" * 60_000))


def test_cookies_of_others_are_no_matter(serving: Serving, ann: Visitor) -> None:
    me = ann.get("/api/me").json()
    cookie = f'a="b;c\\";; =; theme=dark;{ann.cookie["Cookie"]} ; d'
    with serving.visitor(Cookie=cookie) as same:
        assert same.get("/api/me").json() == me
        assert 'data-theme="dark"' in same.get("/").text


#: Accents on one letter; putting them in order would take hours.
ACCENTS = "a" + "\u0301\u0316" * 1_000_000


def test_accents_without_end_are_too_long_before_they_are_put_in_order() -> None:
    with pytest.raises(SpokenError, match="at most 500 characters"):
        referee.clean(ACCENTS)
    with pytest.raises(MalformedMoveError) as refused:
        find("misty").vocabulary.moves.parse(ACCENTS)
    assert len(str(refused.value)) < 200
    assert referee.clean("e\u0301" * 500) == "é" * 500


@pytest.mark.parametrize(
    "header",
    [
        "origin: http://[",
        "origin: //[::",
        "host: [",
        "host: [::1",
        "host: a b",
        "x-forwarded-proto: \xff",
        "accept: \xe9",
    ],
)
def test_no_header_is_a_mistake_of_ours(serving: Serving, no_mistakes: None, header: str) -> None:
    for path, accept in itertools.product(
        ("/", "/me", "/nothing", "/api/me", "/tables/a/play", "*", "/rules/misty"), ("text/html", "application/json")
    ):
        for method in ("GET", "POST", "OPTIONS"):
            host = "" if header.startswith("host") else f"Host: {serving.address}\r\n"
            head = f"{method} {path} HTTP/1.1\r\n{host}Accept: {accept}\r\nContent-Length: 0\r\n{header}\r\n\r\n"
            status = int(send_raw(serving, head.encode("latin-1")).split()[1])
            assert status < 500, (method, path, status)


def test_nul_in_a_form_or_an_address_is_refused(ann: Visitor, no_mistakes: None) -> None:
    ann.get("/api/me")
    form = {"content-type": "application/x-www-form-urlencoded"}
    for path in ("/me/tokens/revoke", "/me/unblock", "/me/tokens", "/me", "/play/misty"):
        answer = ann.client.post(path, content=b"id=%00&label=%00&name=%00&level=%00", headers=form)
        assert answer.status_code == 400, path
    assert ann.client.delete("/api/me/tokens/%00").status_code == 404
    assert ann.get("/api/tables", game="\0").status_code == 400


@pytest.mark.parametrize("first", BAD_FRAMES)
def test_two_bad_frames_in_one_segment_end_nothing_but_their_socket(
    ann: Visitor, no_mistakes: None, first: str
) -> None:
    table = ann.open()
    for second in BAD_FRAMES:
        with ann.socket(table) as hers:
            receive(hers)
            hers.socket.sendall(BAD_FRAMES[first] + BAD_FRAMES[second])
            read_to_the_end(hers)
    assert ann.look(table)["seq"] >= 0


@pytest.mark.parametrize("first", BAD_FRAMES)
def test_bad_frames_before_the_socket_is_open_end_nothing_but_it(
    serving: Serving, ann: Visitor, no_mistakes: None, first: str
) -> None:
    address = f"/api/tables/{ann.open()}/socket"
    opening = {**SOCKET, "Host": serving.address, **ann.cookie}
    head = "".join(f"{name}: {value}\r\n" for name, value in opening.items())
    for second in BAD_FRAMES:
        frames = BAD_FRAMES[first] + BAD_FRAMES[second]
        send_raw(serving, f"GET {address} HTTP/1.1\r\n{head}\r\n".encode(), frames)
    assert ann.get("/healthz").status_code == 200


#: What may stand in a text, besides what belongs there.
WORDS = (
    *(
        b"ping",
        b"",
        b"null",
        b"{}",
        b"\xff",
        b'"',
        b"1e999",
        b"[" * 60_000,
        b'{"do":null}',
        b'{"do":{"command":"play"}}',
    ),
    *(b'{"do":{"command":"undo"}}', b'{"do":{"command":"say","text":"\\u0000"}}', b'{"do":{"command":"say","text":5}}'),
    *(b'{"do":{"command":"start"},"command_id":"%b"}' % (b"x" * n) for n in (1, 64, 65)),
    *(b'{"do":{"command":"play","move":"start","seq":%d}}' % n for n in (-1, 0, 3, 10**30)),
    *(b'{"do":{"command":"kick","chair":%d}}' % n for n in (-1, 1, 2**63, 2**64)),
)
QUERIES = ("", "?since=-1", f"?since={'9' * 4_000}", "?frames=html&language=fr", "?frames=x", "?chair=1", "?key=%00")


def throw(dice: random.Random) -> bytes:
    """Some frames, of which most are no good."""
    frames = list[bytes]()
    for _ in range(dice.randrange(10)):
        word = dice.choice(WORDS)
        kind = dice.choice([Opcode.TEXT] * 12 + [Opcode.BINARY, Opcode.CONT, Opcode.PING, Opcode.PONG, Opcode.CLOSE])
        frame = Frame(
            kind, word[:125] if kind >= Opcode.CLOSE else word, fin=kind >= Opcode.CLOSE or dice.random() > 0.1
        )
        frames.append(frame.serialize(mask=dice.random() > 0.02))
        if dice.random() < 0.05:
            frames.append(dice.choice([*BAD_FRAMES.values()]))
    return b"".join(frames)


@pytest.mark.parametrize("seed", range(3))
def test_nothing_thrown_at_a_socket_is_a_mistake_of_ours(
    serving: Serving, ann: Visitor, no_mistakes: None, seed: int
) -> None:
    dice = random.Random(seed)
    table = ann.open()
    opening = {**SOCKET, "Host": serving.address, **ann.cookie}
    head = "".join(f"{name}: {value}\r\n" for name, value in opening.items())
    host, port = serving.address.split(":")
    for _ in range(200):
        request = f"GET /api/tables/{table}/socket{dice.choice(QUERIES)} HTTP/1.1\r\n{head}\r\n".encode()
        frames, size = throw(dice), dice.choice([1, 100, 4_096, 100_000])
        with socket.create_connection((host, int(port)), 20) as one, suppress(OSError):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            one.sendall(request)
            if dice.random() < 0.7:
                one.recv(1 << 16)
            for first in range(0, min(len(frames), 50 * size), size):
                one.sendall(frames[first : first + size])
            if dice.random() < 0.3:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    # Nobody is taken for being there who isn't.
    site, end = serving.app.state.site, time.monotonic() + 60
    while site.galleries.count or site.socket_cap._counts:
        assert time.monotonic() < end, site.socket_cap._counts
        time.sleep(0.02)


def test_what_comes_in_one_segment_is_answered_to_the_last(ann: Visitor, no_mistakes: None) -> None:
    table = ann.open()
    frame = Frame(Opcode.TEXT, b"{}").serialize(mask=True)
    with ann.socket(table) as hers:
        receive(hers)
        hers.socket.sendall(frame * 5_000)
        for _ in range(5_000):
            receive(hers, "refused")
        hers.send("ping")
        assert hers.recv(20) == "pong"


@pytest.mark.parametrize(
    "box",
    [
        "a" + ".a" * 8_000 + " = 1",
        "[" + "a." * 2_000 + "a]\n" + "b = 1\n" * 1_500,
        "game = " + "[" * 300 + "]" * 300,
        "game = " + "[" * 5_000,
        f"game = 0x{'f' * 15_000}",
        f"game = {'9' * 15_000}",
        'game = "misty"\ncards = 0x' + "f" * 15_000,
        'game = "\x00"',
        'game = "\\u0000"',
        "game = 1979-05-27T07:32:00Z",
        "game = nan",
        'game = "misty"\n[cards]\nrocket = { count = inf, arrow = 1 }',
    ],
)
def test_no_box_is_a_mistake_of_ours(ann: Visitor, no_mistakes: None, box: str) -> None:
    for path in ("/api/tables", "/api/play-now"):
        refused = ann.post(path, {"game": "misty", "chairs": 2, "box": box})
        assert 400 <= refused.status_code < 500, refused.text
        assert len(refused.content) < 2_000
