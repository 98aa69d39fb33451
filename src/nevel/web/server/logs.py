"""Logs: one line of JSON an event, without names, ids or keys."""

import logging
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import msgspec

log = logging.getLogger("nevel.web")
#: The id of the request that is being answered, or of the one that began a socket; it stands in every line about it.
request_id = ContextVar("request_id", default="")


class JsonFormatter(logging.Formatter):
    """A record as one line of JSON; what was passed as `extra={"fields": …}` is among it."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if name := request_id.get():
            line["request"] = name
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


def begin() -> None:
    """Configure this process to log JSON lines to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(handlers=[handler], level=logging.INFO, force=True)
    # It tells the addresses of sockets, and keys are part of them.
    logging.getLogger("uvicorn").setLevel(logging.WARNING)


@contextmanager
def about(name: str) -> Generator[None]:
    """What is logged within is about the request with this id."""
    before = request_id.set(name)
    try:
        yield
    finally:
        request_id.reset(before)


def note(event: str, **fields: object) -> None:
    log.info(event, extra={"fields": fields})
