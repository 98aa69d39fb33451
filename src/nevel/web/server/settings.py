"""Settings of a server: from flags, the environment, or a TOML file, in this order."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from nevel.languages import SpokenError, mark
from nevel.tables.storage.storage import default_database, is_shared

#: `port` is set by NEVEL_PORT, and so on.
PREFIX = "NEVEL_"

Amount = Annotated[float, Meta(ge=0)]


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """How a server runs. The comments are what `docs/operations.md` says of them."""

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8000
    #: Processes that serve; several need PostgreSQL.
    workers: Annotated[int, Meta(ge=1, le=64)] = 1
    #: Where tables and people are kept: the path of a file, sqlite:///… or postgresql://…
    database: str = msgspec.field(default_factory=default_database)
    #: Requests a second for one person and for one address; five times as many at once. 0 is no limit.
    person_rate: Amount = 40.0
    address_rate: Amount = 200.0
    #: New people and tables a second from one address; sixty at once.
    opening_rate: Amount = 1.0
    #: Open sockets of one person and of one address, on all nodes together. 0 is no limit.
    person_sockets: Annotated[int, Meta(ge=0)] = 50
    address_sockets: Annotated[int, Meta(ge=0)] = 1_000
    #: Connections at once in one process, and from one address there, sockets included. 0 is no limit.
    connections: Annotated[int, Meta(ge=0)] = 20_000
    address_connections: Annotated[int, Meta(ge=0)] = 1_200
    #: The longest request or frame, in bytes.
    longest: Annotated[int, Meta(ge=1024)] = 65_536
    #: Threads for bots, the seconds they may think about a move, and a pause before each so that people can follow.
    bot_threads: Annotated[int, Meta(ge=1)] = 1
    bot_seconds: Amount = 1.0
    bot_pause: Amount = 0.6
    #: Play-outs behind every look of a review: more are truer and take longer.
    review_playouts: Annotated[int, Meta(ge=1)] = 128
    #: Addresses of proxies that may say for whom they ask.
    proxies: str = "127.0.0.1"
    #: What has to be shown to read /metrics; without one, only this machine reads it.
    metrics_token: str = ""
    #: Whether traces are sent by OpenTelemetry, to where the environment's OTEL_… says; needs nevel[tracing].
    tracing: bool = False
    #: Seconds without a sign of life after which one of several workers is replaced; 0 waits for ever.
    hang_seconds: Amount = 30.0
    #: Where backups are made by themselves, and nowhere if it is empty; how many hours apart, and how many are kept.
    backup_folder: str = ""
    backup_hours: Annotated[float, Meta(gt=0)] = 24.0
    backup_keep: Annotated[int, Meta(ge=1)] = 7
    #: Days after which tables nobody has played at, and people nobody has seen, are deleted; 0 keeps for ever.
    keep_tables_days: Amount = 0.0
    keep_people_days: Amount = 0.0
    #: Seconds to finish what is under way when the server stops.
    grace: Annotated[int, Meta(ge=0)] = 10


class SettingsError(SpokenError):
    """A setting with a value that isn't valid."""


def read_settings(
    flags: Mapping[str, Any], file: Path | None = None, environment: Mapping[str, str] = os.environ
) -> Settings:
    """The settings: flags that are given come before the environment, the environment before the file."""
    found = read_file(file) if file else {}
    for name in Settings.__struct_fields__:
        if (value := environment.get(PREFIX + name.upper())) is not None:
            found[name] = value
    found |= {name: value for name, value in flags.items() if value is not None}
    try:
        settings = msgspec.convert(found, Settings, strict=False)
    except msgspec.ValidationError as problem:
        raise SettingsError(mark("The settings aren't right: {reason}"), reason=problem) from problem
    if settings.workers > 1 and not is_shared(settings.database):
        raise SettingsError(mark("Several workers need a database they can share: postgresql://…"))
    return settings


def read_file(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as problem:
        raise SettingsError(mark("{file} can't be read: {reason}"), file=file, reason=problem) from problem
