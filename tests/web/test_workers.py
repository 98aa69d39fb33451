"""Several workers at one port, on a real PostgreSQL: tables, talk, presence and figures are the same on each."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from websockets.sync.client import ClientConnection as Socket

from nevel.web.server.settings import SettingsError, read_settings
from tests.web.processes import ServerProcess
from tests.web.serving import Visitor, free_port, receive, send

#: Whole processes, or much work: not for `make quick`.
pytestmark = pytest.mark.slow

#: Seconds anything may take on a machine that has other things to do.
PATIENCE = 120
COMPILING = 900


class Processes(ServerProcess):
    """`nevel serve --workers 2` and its processes."""

    def __init__(self, database: str, folder: Path) -> None:
        super().__init__(database, folder, workers=2)

    def __enter__(self) -> "Processes":
        self.start()
        try:
            # Where nothing is compiled yet, the first worker does so before the second one starts.
            self.until(lambda: self.events().count("warm") == 2, COMPILING)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def events(self) -> list[str]:
        return [json.loads(line)["event"] for line in self.log.read_text("utf-8").splitlines()]

    def until(self, is_so: Callable[[], bool], patience: float = PATIENCE) -> None:
        end = time.monotonic() + patience
        while not is_so():
            assert self.process.poll() is None, self.log.read_text("utf-8")[-2000:]
            assert time.monotonic() < end, "it took too long"
            time.sleep(0.05)

    def listeners(self) -> list[int]:
        """The processes that serve."""
        children = psutil.Process(self.process.pid).children(recursive=True)
        return sorted(child.pid for child in children if ports(child, psutil.CONN_LISTEN))

    def worker_of(self, local: int) -> int:
        """Which process has the other end of a connection of ours."""
        for child in psutil.Process(self.process.pid).children(recursive=True):
            if any(one.raddr and one.raddr.port == local for one in child.net_connections("tcp")):
                return child.pid
        raise AssertionError("nobody has it")


def ports(process: psutil.Process, status: str) -> list[int]:
    return [one.laddr.port for one in process.net_connections("tcp") if one.status == status]


@pytest.fixture(scope="module")
def two(compiled: None, postgres_database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    with Processes(postgres_database, tmp_path_factory.mktemp("workers")) as one:
        yield one


def visitor_at(two: Processes, worker: int, stack: ExitStack) -> Visitor:
    """Somebody whose connection this worker has taken."""
    for _ in range(200):
        client = httpx.Client(base_url=f"http://{two.address}", trust_env=False, timeout=PATIENCE)
        with client.stream("GET", "/healthz") as response:
            local = response.extensions["network_stream"].get_extra_info("client_addr")[1]
            found = two.worker_of(local)
            response.read()
        if found == worker:
            stack.callback(client.close)
            return Visitor(two, client)
        client.close()
    raise AssertionError(f"no connection ever reached worker {worker}")


def socket_at(two: Processes, worker: int, visitor: Visitor, table: str, stack: ExitStack) -> Socket:
    """A socket this worker has taken."""
    for _ in range(200):
        with ExitStack() as attempt:
            one = attempt.enter_context(visitor.socket(table))
            if two.worker_of(one.local_address[1]) == worker:
                stack.enter_context(attempt.pop_all())
                return one
    raise AssertionError(f"no socket ever reached worker {worker}")


def test_two_workers_play_one_game(two: Processes) -> None:
    first, second = two.listeners()
    with ExitStack() as stack:
        ann, bob = visitor_at(two, first, stack), visitor_at(two, second, stack)
        table = ann.open("misty", 3)
        bob.ask(table, "sit", {}, key=ann.invitation(table))
        ann.ask(table, "seat-bot", {"level": "casual"})
        hers = socket_at(two, first, ann, table, stack)
        his = socket_at(two, second, bob, table, stack)
        assert send(hers, "start")["type"] == "done"
        with ThreadPoolExecutor(2) as threads:
            views = list(threads.map(play_on, (hers, his)))
        assert views[0]["outcome"] == views[1]["outcome"] is not None
        assert ann.get(f"/api/tables/{table}/export").content == bob.get(f"/api/tables/{table}/export").content
        # What is said on one is heard on the other, unless one doesn't want to hear it.
        assert send(hers, "say", text="Well played!")["type"] == "done"
        assert heard(his) == "Well played!"
        assert bob.post(f"/api/tables/{table}/mute", {"chair": 0}).status_code == 201
        assert send(hers, "say", text="Again?")["type"] == "done"
        assert send(his, "say", text="I don't hear you")["type"] == "done"
        assert heard(his) == "I don't hear you"


def play_on(socket: Socket) -> dict[str, Any]:
    """Answer every question until the game is over; gives the last view."""
    while True:
        frame: dict[str, Any] = json.loads(socket.recv(PATIENCE))
        if frame["type"] == "refused":
            assert frame["problem"]["status"] in (409, 422), frame  # a newer view is on its way
        elif frame["type"] == "view":
            view = frame["view"]
            if view["phase"] == "over":
                return view
            if view["prompt"]:
                move = {"command": "play", "move": view["prompt"]["moves"][0], "seq": view["seq"]}
                socket.send(json.dumps({"id": str(view["seq"]), "do": move}))


def heard(socket: Socket) -> str:
    """The next thing that is said."""
    while not (said := receive(socket)["said"]):
        pass
    return said[0]["text"]


def test_who_is_at_the_other_worker_is_present(two: Processes) -> None:
    first, second = two.listeners()
    with ExitStack() as stack:
        ann, bob = visitor_at(two, first, stack), visitor_at(two, second, stack)
        table = ann.open()
        bob.ask(table, "sit", {}, key=ann.invitation(table))
        ann.ask(table, "start")
        two.until(lambda: all(chair["is_present"] for chair in ann.look(table)["chairs"]))
        refused = ann.post(f"/api/tables/{table}/let-bot-play", {"chair": 1})
        assert refused.status_code == 403, refused.text
        # What one changes about oneself is known on the other.
        bob.client.put("/api/me", json={"name": "Robert"})
        two.until(lambda: ann.look(table)["chairs"][1]["name"] == "Robert")
        cookie = bob.cookie
        assert bob.client.delete("/api/me").status_code == 204
        two.until(lambda: ann.client.get("/api/me/export", headers=cookie).status_code == 401)


def test_figures_are_those_of_all_workers(two: Processes) -> None:
    first, second = two.listeners()
    with ExitStack() as stack:
        ann, bob = visitor_at(two, first, stack), visitor_at(two, second, stack)
        table = ann.open()
        before = figure(ann, "nevel_sockets")
        bob.ask(table, "sit", {}, key=ann.invitation(table))
        for worker, visitor in ((first, ann), (second, bob)):
            receive(socket_at(two, worker, visitor, table, stack))
        for visitor in (ann, bob):
            two.until(lambda visitor=visitor: figure(visitor, "nevel_sockets") == before + 2)


def figure(visitor: Visitor, name: str) -> float:
    (line,) = [line for line in visitor.get("/metrics").text.splitlines() if line.startswith(f"{name} ")]
    return float(line.split()[1])


def test_a_worker_that_is_killed_is_replaced_and_nothing_is_lost(two: Processes) -> None:
    first, second = two.listeners()
    with ExitStack() as stack:
        ann, bob = visitor_at(two, first, stack), visitor_at(two, second, stack)
        view = ann.post("/api/play-now", {"game": "misty", "chairs": 2}).json()["view"]
        key = ann.get(f"/api/tables/{view['table']}/links").json()["chair"]
        moved = ann.ask(view["table"], "move", {"move": view["prompt"]["moves"][0], "seq": view["seq"]})
        os.kill(first, signal.SIGKILL)
        # The other goes on with it, its bot's moves too, whoever thought about them.
        two.until(lambda: bob.look(view["table"], key=key)["prompt"] is not None)
        went_on = bob.look(view["table"], key=key)
        assert went_on["seq"] >= moved["seq"]  # equal, if the bot had chosen before her
        answer = {"move": went_on["prompt"]["moves"][0], "seq": went_on["seq"]}
        after = bob.ask(view["table"], "move", answer, key=key)
        two.until(lambda: bob.look(view["table"], key=key)["seq"] > after["seq"])
        two.until(lambda: len(set(two.listeners()) - {first, second}) == 1)
        # What the dead one held isn't counted any more.
        two.until(lambda: figure(bob, "nevel_sockets") == 0)


def test_all_stop_together(compiled: None, postgres_database: str, tmp_path: Path) -> None:
    with Processes(postgres_database, tmp_path) as two:
        children = psutil.Process(two.process.pid).children(recursive=True)
        two.process.terminate()
        assert two.process.wait(PATIENCE) == 0
    assert not psutil.wait_procs(children, PATIENCE)[1]
    assert two.events().count("stopped") == 2
    assert "trace" not in two.log.read_text("utf-8")


def test_workers_end_with_whoever_started_them(compiled: None, postgres_database: str, tmp_path: Path) -> None:
    with Processes(postgres_database, tmp_path) as two:
        workers = [psutil.Process(pid) for pid in two.listeners()]
        two.process.kill()
        two.process.wait(PATIENCE)
    assert not psutil.wait_procs(workers, PATIENCE)[1]


def test_workers_that_cant_start_arent_tried_for_ever(compiled: None, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "nevel.cli", "serve", "--port", str(free_port()), "--workers", "2"]
    nowhere = f"postgresql:///nevel?host={tmp_path}"
    done = subprocess.run(
        [*command, "--database", nowhere], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 3
    assert "can't be opened" in done.stderr


@pytest.mark.parametrize("database", ["nevel.db", "sqlite:///nevel.db"])
def test_a_file_is_for_one_worker(database: str) -> None:
    with pytest.raises(SettingsError, match="postgresql"):
        read_settings({"workers": 2, "database": database}, None, {})
    assert read_settings({"workers": 1, "database": database}, None, {}).workers == 1
    assert read_settings({"workers": 2, "database": "postgresql://db/nevel"}, None, {}).workers == 2
