"""Traces: a move makes the spans that tell where its time went, and nothing of people is in them."""

import gzip
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanContext

from nevel.tables.tracing import OFF, tracing
from tests.web.processes import ServerProcess
from tests.web.serving import Serving, Visitor, receive, send


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    """All spans that are made from now on."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracing.begin(provider)
    yield exporter
    tracing.end()


def begun(ann: Visitor, bob: Visitor) -> str:
    """A table at which two people play."""
    table = ann.open()
    bob.ask(table, "sit", key=ann.invitation(table))
    ann.ask(table, "start")
    return table


def a_move(visitor: Visitor, table: str) -> dict[str, object]:
    view = visitor.look(table)
    return {"move": view["prompt"]["moves"][0], "seq": view["seq"]}


def context_of(span: ReadableSpan) -> SpanContext:
    assert span.context
    return span.context


def find(exporter: InMemorySpanExporter, name: str, trace: int | None = None) -> ReadableSpan:
    """A span of this name, once it has ended; of this trace, if one is given."""
    until = time.monotonic() + 30
    while True:
        for span in exporter.get_finished_spans():
            if span.name == name and (trace is None or context_of(span).trace_id == trace):
                return span
        assert time.monotonic() < until, [span.name for span in exporter.get_finished_spans()]
        time.sleep(0.01)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_move_makes_the_spans_it_should(
    kind: str, compiled: None, request: pytest.FixtureRequest, spans: InMemorySpanExporter
) -> None:
    serving = Serving(request.getfixturevalue(f"{kind}_database"))
    serving.start()
    try:
        with serving.visitor() as ann, serving.visitor() as bob:
            table = begun(ann, bob)
            mover = next(one for one in (ann, bob) if one.look(table)["prompt"])
            spans.clear()
            answered = mover.post(f"/api/tables/{table}/play", a_move(mover, table))
            assert answered.status_code == 200, answered.text
            asked = find(spans, "POST /api/tables/{table}/play")
            assert asked.attributes
            assert asked.attributes["request"] == answered.headers["x-request-id"]
            assert asked.attributes["http.response.status_code"] == 200
            trace = context_of(asked).trace_id
            command = find(spans, "command play", trace)
            assert command.parent
            assert command.parent.span_id == context_of(asked).span_id
            steps = [find(spans, name, trace) for name in ("decide", "append", "notify")]
            for step in steps:
                assert step.parent
                assert step.parent.span_id == context_of(command).span_id
            ends = [step.end_time or 0 for step in steps]
            assert ends == sorted(ends)
            batch = find(spans, "storage batch")
            assert batch.attributes
            assert batch.attributes["jobs"] == 1
            told = " ".join(span.to_json() for span in spans.get_finished_spans())
            for secret in (table, ann.get("/api/me").json()["id"], bob.get("/api/me").json()["id"]):
                assert secret not in told
    finally:
        serving.stop()


def test_a_socket_and_a_bot_are_traced_too(serving: Serving, ann: Visitor, spans: InMemorySpanExporter) -> None:
    table = ann.post("/api/play-now", {"game": "misty", "chairs": 2}).json()["view"]["table"]
    thought = find(spans, "bot")
    assert thought.attributes
    assert dict(thought.attributes) == {"how": "glance", "level": "casual"}
    with ann.socket(table) as socket:
        view = receive(socket)["view"]
        while not view["prompt"]:
            view = receive(socket)["view"]
        spans.clear()
        answer = send(socket, "play", move=view["prompt"]["moves"][0], seq=view["seq"])
        assert answer["type"] in ("done", "refused")
        assert find(spans, "command play").parent is None


def test_off_it_costs_a_call_and_loads_nothing() -> None:
    assert not tracing.is_on
    assert tracing.span("request", request="1") is OFF
    with tracing.span("request") as span:
        span.update_name("another")
        span.set_attribute("status", 200)
    code = "import sys, nevel.web.server.server; print([name for name in sys.modules if 'opentelemetry' in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


class Collector(BaseHTTPRequestHandler):
    """Takes what a server sends it."""

    taken = b""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path == "/v1/traces":
            Collector.taken += gzip.decompress(body) if self.headers.get("content-encoding") == "gzip" else body
        self.send_response(200)
        self.end_headers()

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


@pytest.mark.slow
def test_a_server_sends_them_where_the_environment_says(
    compiled: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Collector) as collector:
        thread = threading.Thread(target=collector.serve_forever)
        thread.start()
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{collector.server_port}")
        server = ServerProcess(str(tmp_path / "nevel.db"), tmp_path, tracing=True)
        server.start()
        try:
            server.wait_until_ready()
            with server.visitor() as ann:
                ann.open()
        finally:
            server.stop()
            collector.shutdown()
            thread.join()
    assert b"POST /api/tables" in Collector.taken
    assert b"service.name" in Collector.taken
    assert b"nevel" in Collector.taken
