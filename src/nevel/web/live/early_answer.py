"""Answers to what never becomes a request the application sees: too slow, too long, malformed, or one too many."""

import secrets
from http import HTTPStatus

from nevel.languages import LANGUAGES, language, mark
from nevel.web.server import logs

#: What is said, in every language, since nobody knows theirs yet.
SENTENCES = {
    HTTPStatus.BAD_REQUEST: mark("The server doesn't understand this request."),
    HTTPStatus.REQUEST_TIMEOUT: mark("The request took too long to arrive. Try again."),
    HTTPStatus.TOO_MANY_REQUESTS: mark(
        "There are too many connections from your network. Close other pages of this site and try again."
    ),
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: mark(
        "The header of this request is too long. Delete this site's cookies and try again."
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: mark("Too many people are connected right now. Try again in a minute."),
}
#: Seconds after which it is worth trying again.
RETRY_AFTER = {HTTPStatus.TOO_MANY_REQUESTS: 10, HTTPStatus.SERVICE_UNAVAILABLE: 60}


def early_answer(status: HTTPStatus) -> bytes:
    """The whole answer, after which the connection ends; with an id that the log has too."""
    name = secrets.token_hex(8)
    with logs.about(name):
        logs.note("answered early", status=status)
    text = "".join(f"{language(code).say(SENTENCES[status])}\n" for code in LANGUAGES).encode()
    head = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        "content-type: text/plain; charset=utf-8",
        f"content-length: {len(text)}",
        "cache-control: no-store",
        "x-content-type-options: nosniff",
        f"x-request-id: {name}",
        *([f"retry-after: {RETRY_AFTER[status]}"] if status in RETRY_AFTER else []),
        "connection: close",
    ]
    return "\r\n".join([*head, "", ""]).encode() + text
