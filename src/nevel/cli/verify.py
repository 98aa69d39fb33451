"""`nevel verify`: whether a game was dealt fairly."""

import json
import sys
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Annotated
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import typer
from rich.text import Text

from nevel.cli.common import AsJson, LanguageOption, choose_language, console, errors, stop, text
from nevel.languages import Language, SpokenError, mark

#: A record has at most this many bytes, and comes within this many seconds.
LARGEST = 8 << 20
TIMEOUT_SECONDS = 20


def verify(
    source: Annotated[str, typer.Argument(metavar="FILE|URL", help=text(mark("The record of a finished game")))],
    as_json: AsJson = False,
    language_code: LanguageOption = None,
) -> None:
    from nevel.tables.domain import record

    language = choose_language(language_code)
    try:
        content = read(source, language)
    except (OSError, HTTPException, ValueError) as problem:
        stop(language.say(mark("{file} can't be read: {reason}"), file=source, reason=why(problem, language)))
    try:
        checked = record.verify(content)
    except SpokenError as problem:
        if as_json:
            event = problem.event if isinstance(problem, record.TamperedError) else None
            sys.stdout.write(json.dumps({"is_fair": False, "event": event, "reason": str(problem)}) + "\n")
        else:
            errors.print(Text(problem.sentence(language), style="bold red"))
        raise typer.Exit(1) from problem
    if as_json:
        sys.stdout.write(json.dumps({"is_fair": True} | checked._asdict()) + "\n")
        return
    message = mark("Dealt fairly: the secret is the promised one, and all {moves} moves match.")
    if checked.brought:
        message = mark(
            "All {moves} moves match. The first {brought} were played elsewhere; after that, "
            "the cards were dealt fairly."
        )
    elif checked.is_brought:
        message = mark("All {moves} moves match. The deal was imported: the host may know it.")
    console.print(language.say(message, moves=checked.moves, brought=checked.brought))
    if checked.has_own_box:
        console.print(language.say(mark("This game used the host's own box: the host may have chosen what is in it.")))
    if checked.is_practice:
        console.print(language.say(mark("This was a practice game: moves may have been taken back.")))


def read(source: str, language: Language) -> bytes:
    """Read a file, or fetch an address."""
    if source.startswith(("http://", "https://")):
        with urlopen(Request(source, headers={"Accept-Language": language.code}), timeout=TIMEOUT_SECONDS) as answer:
            return answer.read(LARGEST)
    return Path(source).read_bytes()


def why(problem: Exception, language: Language) -> object:
    """Why a fetch failed: the server's own words, where it sent a problem document."""
    match problem:
        case HTTPError():
            with suppress(OSError, ValueError, KeyError, TypeError):
                return json.loads(problem.read(LARGEST))["detail"]
            return problem.reason
        case URLError(reason=OSError() as reason):
            return language.explain(reason)
        case URLError():
            return problem.reason
        case _:
            return language.explain(problem)
