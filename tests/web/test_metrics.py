"""Who may read a server's figures, and whose they are."""

from collections.abc import Iterator

import pytest

from tests.web.serving import Serving
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
