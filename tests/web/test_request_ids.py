"""Every request has an id: it is in the answer, in the log, and on the page that says that something went wrong."""

import json
import re
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest

from nevel.languages import LANGUAGES
from nevel.web.server.logs import JsonFormatter
from nevel.web.server.problems import OurFaultError
from tests.web.serving import Serving, Visitor, send

MADE = re.compile(r"[0-9a-f]{16}")
GIVEN = "0af7651916cd43dd8448eb211c80319c"


@pytest.fixture(scope="module")
def distant(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server that believes no proxy at this machine."""
    one = Serving(str(tmp_path_factory.mktemp("database") / "nevel.db"), proxies="192.0.2.1")
    one.start()
    yield one
    one.stop()


def lines_of(caplog: pytest.LogCaptureFixture, request_id: str) -> list[dict[str, Any]]:
    """The lines of the log about a request, once there are any."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        lines = [getattr(record, "line", "") for record in caplog.records]
        found = [line for line in map(json.loads, filter(None, lines)) if line.get("request") == request_id]
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError("nothing is logged about it")


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """The log, as it is written: lines are formatted where they arise, since an id belongs to a task."""
    formatter = JsonFormatter()

    def keep(record: Any) -> bool:
        record.line = formatter.format(record)
        return True

    caplog.handler.addFilter(keep)
    with caplog.at_level("INFO", "nevel.web"):
        yield caplog
    caplog.handler.removeFilter(keep)


def test_every_answer_has_an_id_of_its_own(ann: Visitor) -> None:
    ways = ("/", "/api/me", "/healthz", "/metrics", "/nowhere", "/static/1/nowhere.css", "/api/nowhere", "/readyz")
    ids = [ann.get(way).headers["x-request-id"] for way in ways]
    assert all(map(MADE.fullmatch, ids))
    assert len(set(ids)) == len(ids)
    with ann.socket(ann.open()) as socket:
        assert socket.response
        assert MADE.fullmatch(socket.response.headers["x-request-id"])


def test_a_proxys_id_is_kept_if_it_is_one(serving: Serving, distant: Serving) -> None:
    with serving.visitor(**{"X-Request-Id": GIVEN}) as one:
        assert one.get("/healthz").headers["x-request-id"] == GIVEN
    for wrong in ("short", "a" * 129, "two words", 'quo"ted."', "a,b,c,d,e,f"):
        with serving.visitor(**{"X-Request-Id": wrong}) as one:
            assert MADE.fullmatch(one.get("/healthz").headers["x-request-id"])
    with serving.visitor() as one:
        twice = one.client.get("/healthz", headers=[("x-request-id", GIVEN), ("x-request-id", GIVEN)])
        assert MADE.fullmatch(twice.headers["x-request-id"])
    with distant.visitor(**{"X-Request-Id": GIVEN}) as one:
        assert MADE.fullmatch(one.get("/healthz").headers["x-request-id"])


def test_every_line_about_a_request_has_its_id(
    serving: Serving, ann: Visitor, log: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = ann.get("/api/me")
    (line,) = lines_of(log, answered.headers["x-request-id"])
    assert (line["event"], line["route"]) == ("request", "/api/me")

    async def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(serving.app.state.site.people, "change", fail)
    broken = ann.client.put("/api/me", json={"name": "Ann"})
    assert broken.status_code == 500
    name = broken.headers["x-request-id"]
    assert broken.json()["request_id"] == name
    until = time.monotonic() + 30
    while len(lines_of(log, name)) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    assert [line["event"] for line in lines_of(log, name)] == ["a mistake of ours", "request"]
    refused = ann.get("/api/tables/nowhere").json()
    assert refused["status"] == 404
    assert "request_id" not in refused


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_a_mistake_shows_the_id(serving: Serving, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(serving.app.state.site.storage, "open_tables", fail)
    with serving.visitor(**{"Accept-Language": language}) as one:
        broken = one.get("/")
        assert broken.status_code == OurFaultError.status
        assert f"<code>{broken.headers['x-request-id']}</code>" in broken.text
        missing = one.get("/nowhere")
        assert "<code>" not in missing.text


def test_what_goes_wrong_at_a_socket_is_logged_with_the_id_it_was_opened_with(
    serving: Serving, ann: Visitor, log: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = ann.open()
    with ann.socket(table) as socket:
        assert socket.response
        name = socket.response.headers["x-request-id"]

        async def fail(*_: object) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(serving.app.state.site.commands, "run", fail)
        answer = send(socket, "sit", chair=0)
        assert answer["problem"]["request_id"] == name
    assert "a mistake of ours" in [line["event"] for line in lines_of(log, name)]


@pytest.mark.parametrize(
    ("bad", "status"),
    [(b"nonsense\r\n\r\n", 400), (b"GET / HTTP/1.1\r\nx: " + b"a" * 70_000 + b"\r\n\r\n", 431)],
    ids=["nonsense", "long"],
)
def test_what_never_becomes_a_request_has_an_id_too(
    serving: Serving, log: pytest.LogCaptureFixture, bad: bytes, status: int
) -> None:
    with socket.create_connection(("127.0.0.1", serving.settings.port), 20) as one:
        one.sendall(bad)
        said = b""
        while more := one.recv(4096):
            said += more
    assert said.startswith(b"HTTP/1.1 %d " % status)
    head, _, text = said.decode().partition("\r\n\r\n")
    (name,) = re.findall(r"x-request-id: ([0-9a-f]{16})", head)
    assert len(text.splitlines()) == len(LANGUAGES), "in every language"
    (line,) = lines_of(log, name)
    assert (line["event"], line["status"]) == ("answered early", status)
