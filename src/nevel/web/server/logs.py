"""Logs: one line of JSON an event, without names, ids or keys."""

import logging
import sys
import time
from typing import Any

import msgspec

log = logging.getLogger("nevel.web")


class JsonFormatter(logging.Formatter):
    """A record as one line of JSON; what was passed as `extra={"fields": …}` is among it."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
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


def note(event: str, **fields: object) -> None:
    log.info(event, extra={"fields": fields})
