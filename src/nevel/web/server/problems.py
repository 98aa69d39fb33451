"""What went wrong, as programs and people read it: a problem document (RFC 9457) in the reader's language."""

import math

import msgspec
from msgspec import Struct

from nevel.game.json_errors import explain_json_error
from nevel.languages import DEFAULT, LANGUAGES, Language, SpokenError, language, mark
from nevel.tables.domain.refusals import TableError
from nevel.tables.referee.referee import ChatRefusedError
from nevel.tables.storage.database import StorageError
from nevel.tables.views.view import TableView
from nevel.web.server import logs

MEDIA_TYPE = "application/problem+json"
#: Seconds after which it is worth trying again when the database is away.
RETRY_AFTER_SECONDS = 1
#: From this status on it isn't the fault of who asked.
OUR_FAULT = 500


class Problem(Struct, frozen=True, omit_defaults=True):
    """Why something couldn't be done. `clause` is the rule that forbids it; `view` what there is to see now.

    A mistake of ours comes with the id under which it is found in the log.
    """

    type: str
    title: str
    status: int
    detail: str
    clause: str | None = None
    view: TableView | None = None
    request_id: str = ""


class NotFoundError(TableError):
    """404: there is nothing at this address."""

    name = "not-found"
    status = 404

    def __init__(self) -> None:
        super().__init__(mark("Page not found."))


class WrongMethodError(TableError):
    """405: the address exists, but not with this method."""

    name = "wrong-method"
    status = 405

    def __init__(self) -> None:
        super().__init__(mark("That can't be done here."))


class TooLargeError(TableError):
    """413: the request body is too large."""

    name = "too-large"
    status = 413

    def __init__(self, longest: int) -> None:
        super().__init__(mark("This is too long; at most {longest} bytes are read."), longest=longest)


class NotUnderstoodError(TableError):
    """400: the request can't be parsed."""

    name = "malformed"
    status = 400

    def __init__(self, reason: object) -> None:
        is_of_json = isinstance(reason, msgspec.DecodeError | UnicodeError | RecursionError)
        super().__init__(
            mark("This request isn't valid: {reason}"), reason=explain_json_error(reason) if is_of_json else reason
        )


class UnknownPersonError(TableError):
    """401: the request needs a known person, and has no cookie or a revoked token."""

    name = "unknown-person"
    status = 401

    def __init__(self) -> None:
        super().__init__(mark("We don't know who you are. Your token may have been revoked."))


class CrossSiteError(TableError):
    """403: a cross-site request."""

    name = "cross-site"
    status = 403

    def __init__(self) -> None:
        super().__init__(mark("This request came from another site."))


class TooOftenError(TableError):
    """429: the rate limit is exceeded."""

    name = "too-often"
    status = 429

    def __init__(self, seconds: float) -> None:
        self.seconds = math.ceil(seconds)
        super().__init__(mark("Too many requests at once. Wait a moment and try again."))


class OurFaultError(TableError):
    """500: an error in the server, which is in its log."""

    name = "our-fault"
    status = 500

    def __init__(self) -> None:
        super().__init__(mark("Something went wrong on our side. Try again."))


def describe(problem: SpokenError, language: Language, view: TableView | None = None) -> Problem:
    """Describe an error as a problem document in the visitor's language."""
    match problem:
        case ChatRefusedError():
            name, status, clause = "chat-refused", 422, problem.clause
        case TableError():
            name, status, clause = problem.name, problem.status, problem.clause
        case StorageError():
            name, status, clause = "storage", 503, None
        case _:
            name, status, clause = "malformed", 400, None
    return Problem(
        type=f"/problems/{name}",
        title=name.replace("-", " ").capitalize(),
        status=status,
        detail=sentence(problem, language),
        clause=clause.id if clause else None,
        view=view,
        request_id=logs.request_id.get() if status >= OUR_FAULT else "",
    )


def sentence(problem: SpokenError, language: Language) -> str:
    # What a move was refused with is the clause's own sentence: it helps more than that it was refused.
    if isinstance(problem, TableError) and problem.clause:
        return f"{problem.clause.sentence(language)} ({problem.clause.id})"
    return problem.sentence(language)


def headers_for(problem: SpokenError) -> dict[str, str]:
    """The headers of a problem: Retry-After or WWW-Authenticate."""
    if isinstance(problem, TooOftenError):
        return {"retry-after": str(problem.seconds)}
    if isinstance(problem, StorageError) or (isinstance(problem, TableError) and problem.status in (429, 503)):
        return {"retry-after": str(RETRY_AFTER_SECONDS)}
    return {"www-authenticate": "Bearer"} if isinstance(problem, UnknownPersonError) else {}


def negotiate(accepted: str) -> Language:
    """The first supported language in an `Accept-Language` header."""
    wishes: list[tuple[float, str]] = []
    for part in accepted.split(",")[:20]:
        code, _, quality = part.strip().partition(";")
        try:
            weight = float(quality.strip().removeprefix("q=") or 1)
        except ValueError:
            weight = 0.0
        if code.split("-")[0].casefold() in LANGUAGES and weight > 0:
            wishes.append((-weight, code))
    return language(min(wishes, key=lambda wish: wish[0])[1] if wishes else DEFAULT)


encode = msgspec.json.Encoder().encode
