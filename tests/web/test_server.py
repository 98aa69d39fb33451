"""The server as a process: its settings, its start and stop, and the client of the documentation."""

import asyncio
import gc
import json
import re
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import httpx
import pytest

from nevel.web.server import warming
from nevel.web.server.limits import CACHE_SIZE, Limit
from nevel.web.server.problems import TooOftenError
from nevel.web.server.server import MANY_OBJECTS, SWITCH_EVERY, collect_young, make_app
from nevel.web.server.settings import Settings, SettingsError, read_settings
from tests.commands import run_nevel
from tests.web.processes import ServerProcess
from tests.web.serving import Visitor, receive, send

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "docs" / "examples" / "table_client.py"


def test_flags_come_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "nevel.toml"
    file.write_text('port = 1\nhost = "one"\nbot_threads = 3\n', "utf-8")
    environment = {"NEVEL_PORT": "2", "NEVEL_HOST": "two", "NEVEL_LANGUAGE": "fr"}
    settings = read_settings({"port": 3, "host": None}, file, environment)
    assert (settings.port, settings.host, settings.bot_threads) == (3, "two", 3)
    assert read_settings({}, None, {}).database.endswith("nevel.db")


@pytest.mark.parametrize("text", ["port = -1", "prot = 1", "port = [", 'bot_threads = "many"'])
def test_settings_that_cant_be_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "nevel.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(SettingsError):
        read_settings({}, file, {})
    with pytest.raises(SettingsError):
        read_settings({}, tmp_path / "nothing.toml", {})


def test_operations_tell_of_every_setting() -> None:
    page = (ROOT / "docs" / "operations.md").read_text("utf-8")
    defaults = read_settings({}, None, {})
    (table,) = re.findall(r"\| setting \|.*?\n\|[-|]+\n(.*?)\n\n", page, re.DOTALL)
    told: dict[str, str] = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|", table, re.MULTILINE))
    assert list(told) == list(defaults.__struct_fields__)
    assert told.pop("database") == "a file in the user's data folder"
    for name, usual in told.items():
        value = getattr(defaults, name)
        assert usual == ("none" if value == "" else f"`{value}`"), name
    for name in ("nevel_tables", "nevel_sockets", "nevel_moves", "nevel_bot_queue", "nevel_command_seconds"):
        assert f"`{name}" in page


def test_a_limit_fills_again_and_forgets() -> None:
    now = 0.0
    limit = Limit(2, 4, lambda: now)
    assert [limit.try_acquire("ann") for _ in range(5)] == [True] * 4 + [False]
    assert limit.try_acquire("bob")
    with pytest.raises(TooOftenError) as refused:
        limit.check("ann")
    assert refused.value.seconds == 1
    now = 0.5
    assert limit.try_acquire("ann")
    assert not limit.try_acquire("ann")
    for number in range(CACHE_SIZE + 1):
        limit.try_acquire(str(number))
    assert len(limit._left) == CACHE_SIZE
    assert all(Limit(0, 0).try_acquire("ann") for _ in range(100))


@pytest.mark.slow
def test_the_command_serves_and_stops_without_losing_anything(compiled: None, tmp_path: Path) -> None:
    server = ServerProcess(str(tmp_path / "n.db"), tmp_path)
    server.start()
    try:
        server.wait_until_ready()
        with server.visitor() as ann:
            view = ann.post("/api/play-now", {"game": "misty", "chairs": 2}).json()["view"]
    finally:
        server.stop()
    log = server.log.read_text("utf-8")
    events = [json.loads(line)["event"] for line in log.splitlines()]
    assert events[0] == "started"
    assert "warm" in events
    assert events[-1] == "stopped"
    assert view["table"] not in log


def test_who_comes_while_rules_are_compiled_waits(compiled: None, tmp_path: Path) -> None:
    async def come() -> None:
        app = make_app(Settings(database=str(tmp_path / "nevel.db")), ("casual",))
        transport = httpx.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://here") as ann,
        ):
            under_way = app.state.warming
            assert (await ann.get("/readyz")).text == "warming up"
            assert (await ann.get("/healthz")).status_code == 200
            assert (await ann.get("/api/me")).status_code == 200
            assert not under_way.rules.is_set(), "nothing so far needs the rules"
            playing = asyncio.create_task(ann.post("/api/play-now", json={"game": "misty", "chairs": 2}))
            await asyncio.sleep(0)
            may_compile.set()
            assert (await playing).status_code == 201
            assert under_way.rules.is_set()
            await under_way.bots.wait()
            assert (await ann.get("/readyz")).status_code == 200

    may_compile = threading.Event()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(warming, "warm_rules", lambda _: may_compile.wait(60))
        asyncio.run(come())


def test_whoever_comes_to_rules_that_cant_be_compiled_is_answered(
    compiled: None, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def come() -> int:
        app = make_app(Settings(database=str(tmp_path / "nevel.db")), ("casual",))
        transport = httpx.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://here") as ann,
        ):
            playing = ann.post("/api/play-now", json={"game": "misty", "chairs": 2})
            return (await asyncio.wait_for(playing, 60)).status_code

    def fail(_: tuple[str, ...]) -> None:
        raise MemoryError

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(warming, "warm_rules", fail)
        assert asyncio.run(come()) == 201
    assert "warming up" in caplog.text


def test_without_its_database_the_command_fails(compiled: None, tmp_path: Path) -> None:
    (tmp_path / "n.db").write_text("this is no database, however long one reads it" * 100, "utf-8")
    done = run_nevel("serve", "--port", "0", "--database", str(tmp_path / "n.db"))
    assert done.returncode == 3
    assert "can't be opened" in done.stderr


def test_wrong_settings_stop_the_command(tmp_path: Path) -> None:
    done = run_nevel("serve", "--config", str(tmp_path / "nothing.toml"))
    assert done.returncode == 2
    assert "nothing.toml" in done.stderr.replace("\n", "")


def test_the_client_of_the_documentation_plays(ann: Visitor, bob: Visitor) -> None:
    assert len(CLIENT.read_text("utf-8").splitlines()) <= 60
    token = bob.post("/api/me/tokens", {"label": "example"}).json()["token"]
    table = ann.open("misty")
    arguments = [f"http://{ann.serving.address}", token, table, ann.invitation(table)]
    program = subprocess.Popen([sys.executable, str(CLIENT), *arguments], stdout=subprocess.PIPE, text=True)
    try:
        with ann.socket(table) as hers:
            view = receive(hers)["view"]
            while view["chairs"][1]["kind"] == "empty":
                view = receive(hers)["view"]
            assert send(hers, "start")["type"] == "done"
            while view["phase"] != "over":
                if view["prompt"]:
                    send(hers, "play", move=view["prompt"]["moves"][0], seq=view["seq"])
                view = ann.look(table)
        said, _ = program.communicate(timeout=20)
    finally:
        program.kill()
    assert "over: {'clause'" in said


def test_the_documentation_shows_the_client_that_is_tested() -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    assert "examples/table_client.py" in page


def test_garbage_is_collected_when_there_is_much_of_it() -> None:
    class Loop:
        def __init__(self) -> None:
            self.me = self

    gc.collect()
    gc.disable()
    try:
        first = weakref.ref(Loop())
        collect_young()
        is_left = [first() is not None]
        for _ in range(2 * MANY_OBJECTS):  # other threads free some meanwhile
            Loop()
        collect_young()
        is_left.append(first() is not None)
        assert is_left == [True, False], "a little may wait"
        assert gc.get_count()[0] < MANY_OBJECTS
    finally:
        gc.enable()


def test_threads_dont_keep_the_event_loop_waiting() -> None:
    """Whoever serves lets threads take turns ten times as often as Python would by itself."""
    code = """
import sys
from nevel.web.server import server
from nevel.web.server.settings import Settings

async def tell(*_):
    print(sys.getswitchinterval())

server.serve = tell
server.run(Settings(database=sys.argv[1]))
"""
    done = subprocess.run([sys.executable, "-c", code, "unused.db"], capture_output=True, text=True, check=True)
    assert float(done.stdout) == pytest.approx(SWITCH_EVERY)
    assert sys.getswitchinterval() / SWITCH_EVERY >= 10
