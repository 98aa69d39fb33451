"""Limits count what things cost, for everybody at an address together, on all nodes; slow connections have an end."""

import asyncio
import json
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection as Socket

from nevel.web.live import door, frames
from nevel.web.server.limits import Limit, Limits, SocketCap, network_of
from nevel.web.server.problems import TooOftenError
from tests.web.serving import Serving, Visitor, closing_code, receive, two_at_a_table
from tests.web.test_api import problem
from tests.web.test_network import narrow_down

#: Seconds anything may take on a machine that has other things to do.
PATIENCE = 60


def test_what_costs_more_is_allowed_less_often() -> None:
    now = 0.0
    limit = Limit(2, 10, lambda: now)
    assert [limit.try_acquire("ann", 4) for _ in range(3)] == [True, True, False]
    assert limit.try_acquire("ann", 2)
    # What costs more than there ever is waits for all there is.
    assert not limit.try_acquire("ann", 100)
    now = 5.0
    assert limit.try_acquire("ann", 100)
    with pytest.raises(TooOftenError) as refused:
        limit.check("ann", 10)
    assert refused.value.seconds == 50


def test_who_shares_an_address_waits_in_turn() -> None:
    now = 0.0
    limit = Limit(10, 2, lambda: now)
    assert [limit.reserve("home") for _ in range(4)] == pytest.approx([0, 0, 0.1, 0.2])
    with pytest.raises(TooOftenError):
        limit.reserve("home", longest=0.25)
    assert limit.reserve("home") == pytest.approx(0.3), "what was refused wasn't counted"
    assert Limit(0, 0).reserve("home") == 0


def test_other_nodes_are_told_of_what_counts() -> None:
    here, there = (Limits(10, 20, 1) for _ in range(2))
    here.spend("ann", "home", 50)
    here.spend("bob", "home", 1)
    for name, cost in here.news():
        there.charge_elsewhere(name, cost)
    assert not here.person.try_acquire("ann")
    assert not there.person.try_acquire("ann")
    assert there.person.try_acquire("bob", 49)
    assert not there.address.try_acquire("home", 50)
    assert here.news() == []
    there.charge_elsewhere("?", 5)


def test_addresses_of_one_network_count_as_one() -> None:
    assert network_of("2001:db8:1:2::1") == network_of("2001:db8:1:2:ffff::9") != network_of("2001:db8:1:3::1")
    assert network_of("::ffff:192.0.2.1") == network_of("192.0.2.1") == "192.0.2.1"
    assert network_of("fe80::1%eth0") == "fe80::"
    assert network_of("not:an:address") == "not:an:address"


def test_sockets_are_capped_by_person_and_by_address() -> None:
    cap = SocketCap(1, 2)
    cap.hold("ann", "home")
    with pytest.raises(TooOftenError):
        cap.hold("ann", "elsewhere")
    cap.hold(None, "home")
    with pytest.raises(TooOftenError):
        cap.hold("bob", "home")
    cap.release(None, "home")
    cap.hold("bob", "home")
    cap.release("bob", "home")
    cap.release("ann", "home")
    assert cap._counts == {}


def served(database: str, **settings: float) -> Serving:
    one = Serving(database, **settings)
    one.start()
    return one


async def flood(visitor: Visitor, address: tuple[str, str], until: float) -> int:
    """Ask over a socket as quickly as one is answered; how often one was."""
    answers = 0
    async with visitor.socket_async(*address) as one:
        while (left := until - time.monotonic()) > 0:
            await one.send("{}")
            try:
                while json.loads(await asyncio.wait_for(one.recv(), left))["type"] == "view":
                    pass
            except TimeoutError:
                break
            answers += 1
    return answers


def test_a_limit_holds_for_an_address_however_many_sockets_it_has(compiled: None, tmp_path: Path) -> None:
    server = served(str(tmp_path / "nevel.db"), address_rate=20)

    async def all_of_them(visitors: list[Visitor], address: tuple[str, str]) -> list[int]:
        until = time.monotonic() + 2
        return await asyncio.gather(*(flood(visitor, address, until) for visitor in visitors))

    try:
        with ExitStack() as stack:
            visitors = [stack.enter_context(server.visitor()) for _ in range(8)]
            table = visitors[0].open(chairs=2)
            query = f"?key={visitors[0].get(f'/api/tables/{table}/links').json()['spectator']}"
            began = time.monotonic()
            answers = asyncio.run(all_of_them(visitors, (table, query)))
            # A burst of a hundred, twenty a second, and nobody is shown out for what the others do.
            assert 80 < sum(answers) <= 100 + 20 * (time.monotonic() - began)
            assert min(answers) > 3
    finally:
        server.stop()


def test_one_person_opens_a_third_of_what_an_address_may(compiled: None, tmp_path: Path) -> None:
    server = served(str(tmp_path / "nevel.db"), opening_rate=0.001)
    try:
        with server.visitor() as ann, server.visitor() as bob:
            statuses = [ann.post("/api/tables", {"game": "misty", "chairs": 2}).status_code for _ in range(25)]
            # The first made her somebody.
            assert statuses == [201] * 21 + [429] * 4
            assert bob.post("/api/tables", {"game": "misty", "chairs": 2}).status_code == 201
    finally:
        server.stop()


def test_a_rematch_counts_as_a_table_that_is_opened(compiled: None, tmp_path: Path) -> None:
    serving = Serving(str(tmp_path / "nevel.db"), opening_rate=0.001, person_rate=0)
    serving.start()
    try:
        with serving.visitor() as ann:
            over = [ann.open("the-game", 1) for _ in range(2)]
            for table in over:
                view = ann.ask(table, "start")
                while view["phase"] == "playing":
                    view = ann.ask(table, "play", {"move": view["prompt"]["moves"][0], "seq": view["seq"]})
            again = ann.client.post(f"/api/tables/{over[0]}/rematch")
            assert again.status_code == 200
            while ann.client.post("/api/tables", json={"game": "misty", "chairs": 2}).status_code != 429:
                pass
            refused = ann.client.post(f"/api/tables/{over[1]}/rematch")
            assert refused.status_code == 429
            assert refused.json()["type"].endswith("too-often")
            # One that is open already is only found.
            assert ann.client.post(f"/api/tables/{over[0]}/rematch").json() == again.json()
    finally:
        serving.stop()


def test_an_undo_costs_more_than_a_look(compiled: None, tmp_path: Path) -> None:
    server = served(str(tmp_path / "nevel.db"), person_rate=4)
    try:
        with server.visitor() as ann:
            table = ann.open(chairs=2)
            ann.client.post(f"/api/tables/{table}/undo", json={})
            problem(ann.post(f"/api/tables/{table}/undo"), 429, "too-often")
            assert ann.get("/api/me").status_code == 200
    finally:
        server.stop()


def test_bots_cost_the_same_however_they_are_seated(compiled: None, tmp_path: Path) -> None:
    server = served(str(tmp_path / "nevel.db"), person_rate=0.8, address_rate=0)
    try:
        with server.visitor() as ann:
            alone, with_bots = ({"game": "the-game", "level": "expert", "chairs": chairs} for chairs in (1, 5))
            assert ann.post("/api/play-now", alone).status_code == 201
            problem(ann.post("/api/play-now", with_bots), 429, "too-often")
            assert len(ann.get("/api/me/tables").json()["tables"]) == 1, "what was refused opened nothing"
    finally:
        server.stop()


def test_sockets_beyond_the_cap_are_refused(compiled: None, tmp_path: Path) -> None:
    server = served(str(tmp_path / "nevel.db"), person_sockets=2)
    try:
        with server.visitor() as ann:
            table = ann.open(chairs=2)
            with ann.socket(table) as one, ann.socket(table) as two:
                receive(one)
                receive(two)
                with ann.socket(table) as three:
                    assert closing_code(three) == 4429
            until(lambda: not server.app.state.site.socket_cap._counts)
            with ann.socket(table) as one:
                receive(one)
    finally:
        server.stop()


#: What anybody may send again and again, and what comes before it.
NOISE = {
    "pings": (b"", Frame(Opcode.PING, b"").serialize(mask=True)),
    "pongs": (b"", Frame(Opcode.PONG, b"").serialize(mask=True)),
    "parts": (
        Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True),
        Frame(Opcode.CONT, b"", fin=False).serialize(mask=True),
    ),
    "words": (b"", Frame(Opcode.TEXT, b"ping").serialize(mask=True)),
}


def make_noise(one: Socket, kind: str, often: int) -> None:
    first, again = NOISE[kind]
    with suppress(OSError):
        one.socket.sendall(first + again * often)


@pytest.mark.parametrize("kind", NOISE)
def test_who_makes_nothing_but_noise_is_shown_out(compiled: None, tmp_path: Path, kind: str) -> None:
    server = served(str(tmp_path / "nevel.db"), person_rate=40, address_rate=200)
    try:
        with server.visitor() as ann:
            table = ann.open(chairs=2)
            with ann.socket(table) as one:
                receive(one)
                make_noise(one, kind, 300 if kind == "words" else 1_200)
                assert closing_code(one) == 4429
    finally:
        server.stop()


@pytest.mark.parametrize("kind", [kind for kind in NOISE if kind != "words"])
def test_who_is_nobody_makes_no_noise_without_end_either(compiled: None, tmp_path: Path, kind: str) -> None:
    server = served(str(tmp_path / "nevel.db"), address_rate=200)
    try:
        with server.visitor() as ann, server.visitor() as stranger:
            table = ann.open(chairs=2)
            key = ann.get(f"/api/tables/{table}/links").json()["spectator"]
            with stranger.socket(table, f"?key={key}") as one:
                receive(one)
                make_noise(one, kind, 7_000)
                assert closing_code(one) == 4429
    finally:
        server.stop()


def test_who_has_the_link_of_a_chair_spends_nothing_of_its_owners(compiled: None, tmp_path: Path) -> None:
    server = served(str(tmp_path / "nevel.db"), person_rate=1)
    try:
        with server.visitor() as ann, server.visitor() as stranger:
            table = ann.open(chairs=2)
            stranger.get("/api/me")
            key = ann.get(f"/api/tables/{table}/links").json()["chair"]
            with stranger.socket(table, f"?key={key}") as one:
                receive(one)
                for _ in range(20):
                    one.send("{}")
                assert closing_code(one) == 4429
            assert ann.get("/api/me").status_code == 200
    finally:
        server.stop()


def until(is_so: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)


def test_a_limit_holds_for_all_nodes_together(compiled: None, postgres_database: str) -> None:
    with ExitStack() as stack:
        nodes = [served(postgres_database, person_rate=0.01) for _ in range(2)]
        for node in nodes:
            stack.callback(node.stop)
            node.app.state.site.limits.person.burst = 10
        ann = stack.enter_context(nodes[0].visitor())
        me = ann.get("/api/me").json()["id"]
        while ann.get("/api/me").status_code == 200:
            pass
        there = nodes[1].app.state.site.limits.person
        until(lambda: me in there._left)
        other = stack.enter_context(nodes[1].visitor(**ann.cookie))
        statuses = [other.get("/api/me").status_code for _ in range(5)]
        assert 429 in statuses


def test_sockets_of_other_nodes_count_until_they_are_closed_or_their_node_is_silent() -> None:
    now = 100.0
    here, there = (SocketCap(20, 0, lambda: now) for _ in range(2))
    here.hold("bob", "home")
    assert here.news() == [("address home", 1)], "who has few isn't told of"
    for _ in range(12):
        here.hold("ann", "home")
    for name, count in here.news():
        there.on_count("here", name, count)
    assert here.news() == []
    for _ in range(8):
        there.hold("ann", "elsewhere")
    with pytest.raises(TooOftenError):
        there.hold("ann", "elsewhere")
    here.release("ann", "home")
    for name, count in here.news():
        there.on_count("here", name, count)
    there.hold("ann", "elsewhere")
    for _ in range(11):
        here.release("ann", "home")
    told = here.news()
    assert ("person ann", 0) in told
    for name, count in told:
        there.on_count("here", name, count)
    for _ in range(11):
        there.hold("ann", "elsewhere")
    there.on_count("gone", "person bob", 20)
    with pytest.raises(TooOftenError):
        there.hold("bob", "elsewhere")
    now = 200.0
    there.hold("bob", "elsewhere")
    there.news()
    assert there._elsewhere == {}


def test_sockets_are_capped_on_all_nodes_together(compiled: None, postgres_database: str) -> None:
    with ExitStack() as stack:
        nodes = [served(postgres_database, person_sockets=2) for _ in range(2)]
        for node in nodes:
            stack.callback(node.stop)
        ann = stack.enter_context(nodes[0].visitor())
        table = ann.open(chairs=2)
        other = stack.enter_context(nodes[1].visitor(**ann.cookie))

        def is_welcome_there() -> bool:
            with other.socket(table, **ann.cookie) as one:
                with suppress(ConnectionClosed):
                    receive(one)
                    return True
                return False

        with ann.socket(table) as one, ann.socket(table) as two:
            receive(one)
            receive(two)
            until(lambda: not is_welcome_there())
        until(is_welcome_there)


# ---------------------------------------------------------------- slow connections


def is_ended(one: socket.socket) -> bytes:
    """What a server says before it ends a connection, which has to be soon."""
    one.settimeout(PATIENCE)
    said = b""
    while more := one.recv(4096):
        said += more
    return said


@pytest.fixture
def hasty(compiled: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    """A server that waits for nobody for long, and whose connections hold next to nothing."""
    for module, name in (
        (door, "HEAD_WITHIN"),
        (door, "BODY_WITHIN"),
        (door, "DRAIN_WITHIN"),
        (frames, "DRAIN_WITHIN"),
    ):
        monkeypatch.setattr(module, name, 0.5)
    one = Serving(str(tmp_path / "nevel.db"))
    with socket.socket() as listening:
        narrow_down(listening)
        listening.bind(("127.0.0.1", one.settings.port))
        one.start(listening)
        yield one
        one.stop()


@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"GET / HTTP/1.1\r\nhost: a\r\nx-slow: ",
        b"POST /api/tables HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{",
        b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\nGET /healthz HTTP/1.1\r\nhost:",
    ],
)
def test_half_a_request_has_an_end(hasty: Serving, half: bytes) -> None:
    with socket.create_connection(("127.0.0.1", hasty.settings.port)) as one:
        one.sendall(half)
        said = is_ended(one)
    assert b" 408 " in said
    assert re.search(rb"\r\nx-request-id: [0-9a-f]{16}\r\n", said)
    until(lambda: not hasty.server.server_state.connections)


def test_connections_from_one_address_are_capped_and_sockets_count(compiled: None, tmp_path: Path) -> None:
    one = Serving(str(tmp_path / "nevel.db"), address_connections=4, proxies="192.0.2.1")
    one.start()
    try:
        with one.visitor() as ann:
            table = ann.open()
            with ann.socket(table):
                idle = [socket.create_connection(("127.0.0.1", one.settings.port)) for _ in range(2)]
                until(lambda: len(one.server.server_state.connections) == 4)  # and the one ann asks on
                with socket.create_connection(("127.0.0.1", one.settings.port)) as more:
                    # It is told at once, and whatever it sends isn't lost on the way.
                    more.sendall(b"GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n")
                    said = is_ended(more).decode()
                assert said.startswith("HTTP/1.1 429 Too Many Requests\r\n")
                assert "\r\nretry-after: 10\r\n" in said
                assert "too many connections from your network" in said
                assert "Trop de connexions" in said
                assert "te veel verbindingen" in said
                assert ann.get("/healthz").status_code == 200, "those there are go on"
                assert 'nevel_refused_total{limit="connections"} 1.0' in ann.get("/metrics").text
            for other in idle:
                other.close()
            until(lambda: len(one.server.server_state.connections) == 1)
            with ann.socket(table), ann.socket(table), ann.socket(table):
                pass
    finally:
        one.stop()


def test_a_proxy_has_as_many_connections_as_it_needs_until_there_are_too_many(compiled: None, tmp_path: Path) -> None:
    one = Serving(str(tmp_path / "nevel.db"), address_connections=1, connections=3)
    one.start()
    try:
        idle = [socket.create_connection(("127.0.0.1", one.settings.port)) for _ in range(3)]
        until(lambda: len(one.server.server_state.connections) == 3)
        with socket.create_connection(("127.0.0.1", one.settings.port)) as more:
            assert b" 503 " in is_ended(more)
        for other in idle:
            other.close()
        until(lambda: not one.server.server_state.connections)
        with one.visitor() as ann:
            assert ann.get("/healthz").status_code == 200
    finally:
        one.stop()


def test_who_never_reads_a_page_is_gone_soon(hasty: Serving) -> None:
    with socket.socket() as one:
        narrow_down(one)
        one.connect(("127.0.0.1", hasty.settings.port))
        one.sendall(b"GET /api/openapi.json HTTP/1.1\r\nhost: a\r\n\r\n" * 20)
        until(lambda: hasty.server.server_state.connections)
        until(lambda: not hasty.server.server_state.connections)


def test_who_pings_without_reading_isnt_read_and_gone_soon(hasty: Serving) -> None:
    with hasty.visitor() as ann, hasty.visitor() as bob:
        table = two_at_a_table(ann, bob)
        one = socket.socket()
        narrow_down(one)
        one.connect(("127.0.0.1", hasty.settings.port))
        head = f"GET /api/tables/{table}/socket HTTP/1.1\r\nhost: {hasty.address}\r\nupgrade: websocket\r\n"
        more = "connection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        one.sendall(f"{head}{more}cookie: {ann.cookie['Cookie']}\r\n\r\n".encode())
        until(lambda: hasty.app.state.site.galleries.count)
        (line,) = (c.line for g in hasty.app.state.site.galleries.open.values() for c in g.connections)
        pings = Frame(Opcode.PING, b"x" * 125).serialize(mask=True) * 200
        one.settimeout(PATIENCE)
        sent = most = 0
        with suppress(ConnectionError):  # it is reset, or its pipe is broken
            while True:
                sent += one.send(pings)
                most = max(most, line.transport.get_write_buffer_size())
        assert most < 1_000_000
        assert sent < 10_000_000
        until(lambda: not hasty.app.state.site.galleries.count)
        assert ann.look(table)["phase"] == "playing"
        one.close()
