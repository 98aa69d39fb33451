"""Who may read a server's figures, and whose they are."""

import asyncio
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from nevel.web.live.socket import TOO_OFTEN
from tests.web.serving import Serving, closing_code
from tests.web.test_api import problem


@pytest.fixture(scope="module")
def guarded(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    one = Serving(str(tmp_path_factory.mktemp("database") / "nevel.db"), metrics_token="open sesame")
    one.start()
    yield one
    one.stop()


def test_without_a_token_only_this_machine_reads_them(serving: Serving) -> None:
    with serving.visitor() as here:
        assert "nevel_tables" in here.get("/metrics").text
    # What a proxy of ours says of whom it asks for is believed.
    with serving.visitor(**{"X-Forwarded-For": "203.0.113.9", "Accept-Language": "nl"}) as elsewhere:
        refused = elsewhere.get("/metrics")
        problem(refused, 403, "not-allowed")
        assert refused.headers["content-language"] == "nl"
        assert elsewhere.get("/healthz").status_code == 200


def test_with_a_token_whoever_shows_it_reads_them(guarded: Serving) -> None:
    for given in ("", "Bearer", "Bearer open", "open sesame", "Basic open sesame", "Bearer é"):
        with guarded.visitor() as somebody:
            problem(somebody.client.get("/metrics", headers=[(b"authorization", given.encode())]), 403, "not-allowed")
    with guarded.visitor(**{"X-Forwarded-For": "203.0.113.9", "Authorization": "Bearer open sesame"}) as prometheus:
        assert "nevel_tables" in prometheus.get("/metrics").text


def test_the_token_isnt_in_the_log(guarded: Serving, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO"), guarded.visitor(Authorization="Bearer open sesame") as prometheus:
        assert prometheus.get("/metrics").status_code == 200
    assert "sesame" not in caplog.text
    assert "/metrics" in str([getattr(record, "fields", {}) for record in caplog.records])


def figure(text: str, line: str) -> float:
    """The value of a line of figures."""
    (value,) = re.findall(rf"^{re.escape(line)} (\S+)$", text, re.MULTILINE)
    return float(value)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_they_tell_of_the_database(kind: str, compiled: None, request: pytest.FixtureRequest) -> None:
    one = Serving(request.getfixturevalue(f"{kind}_database"))
    one.start()
    try:
        with one.visitor() as ann:
            before = ann.get("/metrics").text
            assert figure(before, 'nevel_pool{what="size"}') >= 1
            assert figure(before, 'nevel_pool{what="waiting"}') == 0
            assert figure(before, 'nevel_storage_errors_total{operation="append"}') == 0
            ann.open()
            after = ann.get("/metrics").text
            assert figure(after, 'nevel_storage_seconds_count{operation="append"}') >= 1
            assert figure(after, 'nevel_storage_seconds_count{operation="commit"}') >= 1
            reads = figure(after, 'nevel_storage_seconds_count{operation="read"}')
            ann.get("/api/tables/nowhere")
            assert figure(ann.get("/metrics").text, 'nevel_storage_seconds_count{operation="read"}') > reads
            asyncio.run_coroutine_threadsafe(one.app.state.site.storage.close(), one.server.servers[0].get_loop())
            until = time.monotonic() + 30
            while ann.get("/readyz").status_code == 200 or ann.get("/api/tables/elsewhere").status_code != 503:
                assert time.monotonic() < until
            assert figure(ann.get("/metrics").text, 'nevel_storage_errors_total{operation="read"}') >= 1
    finally:
        one.stop()


def test_they_tell_what_waits_and_how_long_bots_took(serving: Serving) -> None:
    with serving.visitor() as ann:
        ann.post("/api/play-now", {"game": "misty", "chairs": 2})
        kinds = ("search", "glance", "review", "import", "command", "log", "box", "study")
        figures = ann.get("/metrics").text
        assert all(figure(figures, f'nevel_queue{{kind="{kind}"}}') >= 0 for kind in kinds)
        assert figure(figures, "nevel_bot_search_seconds") == 0
        until = time.monotonic() + 30
        while 'nevel_bot_seconds_count{how="glance"}' not in ann.get("/metrics").text:
            assert time.monotonic() < until


def test_they_tell_what_limits_refused(compiled: None, tmp_path: Path) -> None:
    one = Serving(str(tmp_path / "nevel.db"), person_rate=1, opening_rate=0.001, person_sockets=1)
    one.start()
    try:
        with one.visitor() as ann, one.visitor() as other:
            table = ann.open()
            with ann.socket(table), ann.socket(table) as second:
                assert closing_code(second) == TOO_OFTEN
            while ann.get("/api/me").status_code != 429:
                pass
            while other.post("/api/tables", {"game": "misty", "chairs": 2}).status_code != 429:
                other.client.cookies.clear()  # somebody new every time
            figures = other.client.get("/metrics").text
            for limit in ("person", "opening", "sockets"):
                assert figure(figures, f'nevel_refused_total{{limit="{limit}"}}') >= 1, limit
            assert figure(figures, 'nevel_refused_total{limit="address"}') == 0
    finally:
        one.stop()
