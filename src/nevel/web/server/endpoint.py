"""An HTTP endpoint: reads a request, finds out who sent it, and writes the answer or the problem."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from nevel.languages import LANGUAGES, Language, SpokenError, language
from nevel.tables.domain.refusals import NoSuchTableError, StaleError
from nevel.tables.runtime.fair_queue import OwnQueueFullError
from nevel.tables.runtime.room import Room
from nevel.tables.storage.schema import Person
from nevel.tables.views.view import TableView
from nevel.web.people.links import Access
from nevel.web.people.people import COOKIE, COOKIE_AGE, HOST_COOKIE, Login, digest
from nevel.web.server import logs
from nevel.web.server.cookies import read_cookies
from nevel.web.server.limits import network_of
from nevel.web.server.problems import (
    MEDIA_TYPE,
    NotFoundError,
    NotUnderstoodError,
    OurFaultError,
    TooLargeError,
    UnknownPersonError,
    describe,
    encode,
    headers_for,
    negotiate,
)
from nevel.web.server.site import Site

#: The code of a language there is.
LanguageCode = Annotated[str, Meta(pattern=f"^({'|'.join(LANGUAGES)})$", extra_json_schema={"enum": list(LANGUAGES)})]
#: The language of a browser whose person is nobody yet.
LANGUAGE_COOKIE = "language"
#: Where the front reads which route was taken: its template, which has no ids in it.
ROUTE = "nevel.route"


#: Bytes of an answer that are sent at once.
LONGEST_PIECE = 128 << 10
#: The status in our figures of a request whose sender went before it was read.
CLIENT_GONE = 499


class Visit:
    """One request or socket: who comes, from where, and in which language to answer."""

    def __init__(self, connection: HTTPConnection) -> None:
        self.connection = connection
        self.site: Site = connection.app.state.site
        self.address = network_of(connection.client.host) if connection.client else ""
        self.cookies = read_cookies(connection)
        self.person: Person | None = None
        #: The digest of the token they showed, if they did.
        self.token = ""
        #: The language somebody chose here before they were anybody, or else the first their browser asks for.
        chosen = self.cookies.get(LANGUAGE_COOKIE, "")
        self.language: Language = negotiate(chosen or connection.headers.get("accept-language", ""))
        #: Whether the answer has to bring a cookie: they are somebody new, or their old one is worth nothing.
        self.needs_cookie = False

    async def identify(self) -> None:
        """Identify the visitor by token or else by cookie; raises when a token is nobody's."""
        if wait := self.site.limits.address.reserve(self.address):
            await asyncio.sleep(wait)
        scheme, _, token = self.connection.headers.get("authorization", "").partition(" ")
        if scheme.casefold() == "bearer":
            self.person = await self.site.people.by_token(token.strip())
            self.token = digest(token.strip())
        else:
            await self._identify_browser()
        if self.person:
            self.language = language(self.person.language)
            self.site.limits.person.check(self.person.id)

    async def _identify_browser(self) -> None:
        """Find out whose browser it is. Over HTTPS a cookie of the plain name is one from before: it is replaced."""
        cookies, is_secure = self.cookies, is_over_https(self.connection)
        if is_secure and (cookie := cookies.get(HOST_COOKIE)):
            self.person = await self.site.people.by_cookie(cookie)
        elif cookie := cookies.get(COOKIE):
            self.person = await self.site.people.by_cookie(cookie)
            self.needs_cookie = is_secure and self.person is not None

    async def somebody(self) -> Person:
        """The visitor's person, made if there is none yet."""
        if self.person is None:
            self.check_opening()
            self.person = await self.site.people.welcome(self.language.code)
            self.needs_cookie = True
        return self.person

    @property
    def login(self) -> Login | None:
        """How the visitor was identified: by a token or a cookie."""
        return Login(self.person.id, self.person.logged_out, self.token) if self.person else None

    def check_opening(self, cost: float = 1.0) -> None:
        """Refuse a visitor who has opened or started too many tables lately."""
        self.site.limits.check_opening(self.person.id if self.person else None, self.address, cost)

    def spend(self, cost: float) -> None:
        """Charge the visitor's rate limit for costly work, or refuse it."""
        self.site.limits.spend(self.person.id if self.person else None, self.address, cost)

    @property
    def payer(self) -> str:
        """On whose account work is done that takes its time: theirs, or while they are nobody, their address's."""
        return self.person.id if self.person else self.address

    def known(self) -> Person:
        if self.person is None:
            raise UnknownPersonError
        return self.person

    async def enter(self, key: str | None, chair: int | None = None) -> tuple[Room, Access]:
        """The room of the table in the address, and what the visitor may do there; refused to others."""
        person = self.person.id if self.person else None
        return await self.site.enter(self.connection.path_params["table"], person, key, chair)


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """The body or query of a request without values."""


class Endpoint(Struct, frozen=True):
    """A method and path with its handler, and the types it reads and answers."""

    method: str
    path: str
    handle: Callable[[Visit, Any, Any], Awaitable[Any]]
    summary: str
    answer: Any
    body: type[Struct] | None = None
    query: type[Struct] = Nothing
    status: int = 200
    #: The longest body in bytes, where it isn't that of all others.
    longest: int = 0
    #: What it is answered with, as 202, while it is being worked on.
    meanwhile: Any = None
    #: What else may go wrong, by status.
    problems: dict[int, str] = {}
    #: Whether it is there only for those who know it from before.
    is_deprecated: bool = False

    async def serve(self, request: Request) -> Response:
        request.scope[ROUTE] = self.path
        visit = Visit(request)
        try:
            await visit.identify()
            if "\0" in "".join(request.path_params.values()):  # no database keeps it: there is nothing of this name
                raise NoSuchTableError if "table" in request.path_params else NotFoundError
            query = self.read_query(request)
            body = await self.read_body(request, max(self.longest, visit.site.settings.longest)) if self.body else None
            response = self.respond(visit, await self.handle(visit, query, body))
        except SpokenError as problem:
            if isinstance(problem, OwnQueueFullError):
                visit.site.metrics.count_refusal("queue")
            response = await self.refuse(visit, request, problem)
        except ClientDisconnect:
            return Response(status_code=CLIENT_GONE)  # which nobody reads but whoever looks at the figures
        except Exception:
            logs.log.exception("a mistake of ours")
            response = await self.refuse(visit, request, OurFaultError())
        if visit.needs_cookie and visit.person:
            set_cookie(response, request, visit.site.people.cookie_for(visit.person))
        return response

    def respond(self, visit: Visit, answer: Any) -> Response:
        if isinstance(answer, Response):
            return answer
        content = encode(answer)
        if len(content) > LONGEST_PIECE:
            # What comes in pieces is compressed in pieces: others have their turn in between.
            return StreamingResponse(pieces(content), self.status, media_type="application/json")
        return Response(content, self.status, media_type="application/json")

    async def refuse(self, visit: Visit, request: Request, problem: SpokenError) -> Response:
        """Turn an error into a problem document, with the newest view where the visitor's was stale."""
        view = None
        if isinstance(problem, StaleError):
            key, chair = request.query_params.get("key"), request.query_params.get("chair", "")
            try:
                room, access = await visit.enter(key, int(chair) if chair.isdecimal() else None)
                view = visit.site.look(room, access.person, key, access.viewer.chair)
            except SpokenError as worse:
                problem = worse
        return refuse(problem, visit.language, view)

    def read_query(self, request: Request) -> Struct:
        refuse_nul(request.query_params.values())
        try:
            return msgspec.convert(dict(request.query_params), self.query, strict=False)
        except (msgspec.ValidationError, UnicodeError) as problem:
            raise NotUnderstoodError(problem) from problem

    async def read_body(self, request: Request, longest: int) -> Struct:
        assert self.body
        return read_json(await read_content(request, longest) or b"{}", self.body)


async def pieces(content: bytes) -> AsyncGenerator[bytes]:
    """Something long, a piece at a time."""
    for first in range(0, len(content), LONGEST_PIECE):
        yield content[first : first + LONGEST_PIECE]
        await asyncio.sleep(0)


async def read_content(request: Request, longest: int) -> bytes:
    """Read a request's body, unless it is too long."""
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > longest:
            raise TooLargeError(longest)
    return bytes(content)


def refuse_nul(texts: Iterable[str]) -> None:
    """Raise NotUnderstoodError for the character NUL, which no database keeps."""
    if any("\0" in text for text in texts):
        raise NotUnderstoodError("NUL")


def read_json(content: str | bytes, kind: Any) -> Any:
    """Decode a request's JSON body as this type."""
    # As in `refuse_nul`, before it is decoded.
    if ("\\u0000" if isinstance(content, str) else b"\\u0000") in content:  # pyright: ignore[reportOperatorIssue]
        raise NotUnderstoodError("NUL")
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
        raise NotUnderstoodError(problem) from problem


def refuse(problem: SpokenError, language: Language, view: TableView | None = None) -> Response:
    document = describe(problem, language, view)
    headers = {"content-language": language.code, **headers_for(problem)}
    return Response(encode(document), document.status, headers, MEDIA_TYPE)


def is_over_https(connection: HTTPConnection) -> bool:
    """Whether a browser asks over HTTPS, as far as a proxy that is believed says so."""
    return connection.scope["scheme"] in ("https", "wss")


def set_cookie(response: Response, request: HTTPConnection, value: str, age: int = COOKIE_AGE) -> None:
    """Set the cookie that identifies a browser; without an age, delete it."""
    is_secure = is_over_https(request)
    names = {HOST_COOKIE if is_secure else COOKIE: (value, age)}
    if is_secure and COOKIE in read_cookies(request):
        names[COOKIE] = ("", 0)
    for name, (text, seconds) in names.items():
        response.set_cookie(name, text, seconds, path="/", secure=is_secure, httponly=True, samesite="lax")


def routes(endpoints: Sequence[Endpoint]) -> list[Route]:
    """The routes of endpoints, one a path: another method is answered with 405 and those allowed."""
    by_path: dict[str, dict[str, Endpoint]] = {}
    for endpoint in endpoints:
        by_path.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    return [Route(path, dispatch(by_method), methods=list(by_method)) for path, by_method in by_path.items()]


def dispatch(by_method: dict[str, Endpoint]) -> Callable[[Request], Awaitable[Response]]:
    async def serve(request: Request) -> Response:
        return await by_method["GET" if request.method == "HEAD" else request.method].serve(request)

    return serve
