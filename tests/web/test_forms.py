"""What pages' forms do, as a browser without a script sends them; the games themselves are in tests/browser."""

from typing import Any

import httpx
import pytest
from serving import Visitor
from test_records import played, unfinished

import nevel
from nevel.web.records import LARGEST

#: What a browser without a script asks for.
LOOKING = {"accept": "text/html"}


def press(visitor: Visitor, path: str, **fields: Any) -> httpx.Response:
    """Send a form; gives the page one comes to."""
    return visitor.client.post(path, data=fields, headers=LOOKING, follow_redirects=True)


def refused(response: httpx.Response, status: int, words: str) -> None:
    assert response.status_code == status, response.text
    assert response.headers["content-type"].startswith("text/html")
    assert words in response.text


def bring(visitor: Visitor, content: bytes) -> httpx.Response:
    files = {"file": ("game.json", content, "application/json")}
    return visitor.client.post("/open", files=files, headers=LOOKING, follow_redirects=True)


# ---------------------------------------------------------------- files


def test_a_record_is_opened_from_a_file(ann: Visitor, bob: Visitor) -> None:
    table = played(ann, bob)
    record = ann.get(f"/api/tables/{table}/export").content
    page = bring(bob, record)
    assert page.status_code == 200
    assert str(page.url.path).startswith("/tables/")
    assert 'data-phase="over"' in page.text
    # Half of it can be gone on with.
    half = nevel.games.save(unfinished())
    page = bring(bob, half.encode())
    assert 'data-phase="open"' in page.text


def test_what_is_no_game_is_refused_on_a_page(ann: Visitor) -> None:
    refused(bring(ann, b"GIF89a\xff\xfe\x00"), 400, "This is not a saved game")
    refused(bring(ann, b"\xff\xfe{}"), 400, "This is not a saved game")
    refused(bring(ann, b'{"box": ' + b"[" * 100_000), 400, "This is not a saved game")
    refused(bring(ann, b'{"names": ["\\u0000"]}'), 400, "This can&#x27;t be understood")
    refused(bring(ann, b""), 400, "Choose a file first")
    refused(press(ann, "/open", file="game.json"), 400, "Choose a file first")
    for kind in ("multipart/form-data", "multipart/form-data; boundary=é", "text/plain; charset=utf-64", "", "é"):
        headers = {**LOOKING, "content-type": kind.encode()}
        response = ann.client.post("/open", content=b"--\r\n\r\nboundary", headers=headers)
        refused(response, 400, "Choose a file first")


@pytest.mark.parametrize("size", [LARGEST, 5_000_000])
def test_a_file_that_is_too_large_is_refused_on_a_page(ann: Visitor, size: int) -> None:
    refused(bring(ann, b" " * (size + 5000)), 413, f"at most {LARGEST} bytes")
