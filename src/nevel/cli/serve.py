"""`nevel serve`: tables for everyone who can reach this machine."""

from pathlib import Path
from typing import Annotated

import typer

from nevel.cli.common import console, stop, text, tongue
from nevel.languages import SpokenError, mark


def serve(
    host: Annotated[str | None, typer.Option(help=text(mark("The address to listen at; 127.0.0.1 by default")))] = None,
    port: Annotated[int | None, typer.Option(help=text(mark("The port to listen at; 8000 by default")))] = None,
    database: Annotated[
        str | None, typer.Option(help=text(mark("A file, or postgresql://…; a file of your own by default")))
    ] = None,
    config: Annotated[Path | None, typer.Option(help=text(mark("A TOML file with settings")))] = None,
) -> None:
    speech = tongue(None)
    with console.status(speech.say(mark("Laying out the table; the very first time this takes some seconds …"))):
        from nevel.web.server import run
        from nevel.web.settings import read_settings

        try:
            settings = read_settings({"host": host, "port": port, "database": database}, config)
        except SpokenError as problem:
            stop(problem.sentence(speech))
    run(settings)
