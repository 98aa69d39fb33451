"""`nevel serve`: tables for everyone who can reach this machine."""

import logging
import socket
import threading
import time
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from nevel.cli.common import choose_language, console, stop, text
from nevel.languages import SpokenError, mark


def serve(
    host: Annotated[str | None, typer.Option(help=text(mark("The address to listen on; 127.0.0.1 by default")))] = None,
    port: Annotated[int | None, typer.Option(help=text(mark("The port to listen on; 8000 by default")))] = None,
    database: Annotated[
        str | None, typer.Option(help=text(mark("A file, or postgresql://…; a file of your own by default")))
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help=text(mark("How many processes serve; several need PostgreSQL")))
    ] = None,
    config: Annotated[Path | None, typer.Option(help=text(mark("A TOML file with settings")))] = None,
    browser: Annotated[
        bool, typer.Option("--browser", help=text(mark("Open the home page in your browser, and log less")))
    ] = False,
) -> None:
    language = choose_language(None)
    with console.status(language.say(mark("Setting up the table; the very first time this takes a few seconds…"))):
        from nevel.web.server.server import run
        from nevel.web.server.settings import read_settings
        from nevel.web.server.workers import run_workers

        try:
            flags = {"host": host, "port": port, "database": database, "workers": workers}
            settings = read_settings(flags, config)
        except SpokenError as problem:
            stop(problem.sentence(language))
    if browser:
        # Who plays at home doesn't want to read about every request.
        logging.disable(logging.INFO)
        address = f"http://{settings.host}:{settings.port}/"
        console.print(language.say(mark("Nevel is at {address}. Press Ctrl+C to stop it."), address=address))
        threading.Thread(target=show, args=[settings.host, settings.port, address], daemon=True).start()
    try:
        run(settings) if settings.workers == 1 else run_workers(settings)
    except SpokenError as problem:
        stop(problem.sentence(language))


def show(host: str, port: int, address: str) -> None:
    """Open the first page in the browser as soon as the server answers."""
    while True:
        try:
            socket.create_connection((host, port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            webbrowser.open(address)
            return
