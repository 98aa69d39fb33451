"""Middleware in front of everything: request ids, security headers, protection from cross-site requests, the log."""

import re
import secrets
import time
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from nevel.tables.tracing import tracing
from nevel.web.server import logs
from nevel.web.server.endpoint import ROUTE, refuse
from nevel.web.server.metrics import Metrics
from nevel.web.server.problems import CrossSiteError, TooLargeError, negotiate

SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; media-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
#: A browser that came over HTTPS once does so for two years.
TRANSPORT = "max-age=63072000"
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}

#: The header that has a request's id.
REQUEST_ID = b"x-request-id"
#: What an id of a proxy's may be: anything else could be taken for something else in a log.
WELL_FORMED = re.compile(rb"[A-Za-z0-9._:+=@-]{8,128}")
#: The messages that begin an answer.
STARTS = ("http.response.start", "websocket.accept", "websocket.http.response.start")


class RequestIds(ProxyHeadersMiddleware):
    """Stands before everything: believes proxies what they say of whom they ask for, and how they call a request."""

    def __init__(self, app: ASGIApp, proxies: str) -> None:
        super().__init__(app, proxies)  # pyright: ignore[reportArgumentType]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)  # pyright: ignore[reportArgumentType]
            return
        client = scope.get("client")
        is_proxy = client is not None and client[0] in self.trusted_hosts
        name = (given(scope) if is_proxy else b"") or secrets.token_hex(8).encode()
        # Not taken back: this request has a task, or a line, of its own.
        logs.request_id.set(name.decode())

        async def send_named(message: Message) -> None:
            if message["type"] in STARTS:
                message["headers"] = [*message.get("headers", ()), (REQUEST_ID, name)]
            await send(message)

        await super().__call__(scope, receive, send_named)  # pyright: ignore[reportArgumentType]


def given(scope: Scope) -> bytes:
    """The id a request comes with, if it is one.

    >>> given({"headers": [(b"x-request-id", b"0af7651916cd43dd")]}), given({"headers": [(b"x-request-id", b"a b")]})
    (b'0af7651916cd43dd', b'')
    """
    found = [value for key, value in scope["headers"] if key == REQUEST_ID]
    return found[0] if len(found) == 1 and WELL_FORMED.fullmatch(found[0]) else b""


class Front:
    """Wraps the whole application: checks each request before it, and logs it after."""

    def __init__(self, app: ASGIApp, longest: int, metrics: Metrics) -> None:
        self.app = app
        self.longest = longest
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            if is_cross_site(scope):
                await receive()
                await send({"type": "websocket.close", "code": 1008})
            else:
                await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await self.answer(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        status = 0

        async def finish(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if scope["scheme"] == "https":
                    headers["strict-transport-security"] = TRANSPORT
                if scope["path"].startswith("/api/"):
                    headers["cache-control"] = "no-store"
            await send(message)

        refusal = self.refuse(scope)
        with tracing.span("request", request=logs.request_id.get()) as span:
            await (refusal or self.app)(scope, receive, finish)
            route = scope.get(ROUTE, "other")
            span.update_name(f"{method_of(scope)} {route}")
            span.set_attribute("http.response.status_code", status)
        seconds = time.perf_counter() - began
        self.metrics.requests.labels(method_of(scope), route, status).observe(seconds)
        logs.note("request", method=method_of(scope), route=route, status=status, ms=round(seconds * 1000, 2))

    def refuse(self, scope: Scope) -> ASGIApp | None:
        """Refuse a request before its body is read: cross-site ones, and those that are too large."""
        headers = Headers(scope=scope)
        language = negotiate(headers.get("accept-language", ""))
        if scope["method"] not in SAFE and is_cross_site(scope):
            return refuse(CrossSiteError(), language)
        if not scope["path"].startswith("/api/"):
            return None  # pages say it on a page, when they read
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self.longest:
            return refuse(TooLargeError(self.longest), language)
        return None


def is_cross_site(scope: Scope) -> bool:
    """Whether another site's page makes a browser ask this in the name of its user.

    Who shows a token isn't a browser acting on its own. What sends neither header is no browser.
    """
    headers = Headers(scope=scope)
    if headers.get("authorization", "").casefold().startswith("bearer "):
        return False
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    try:
        return origin is not None and urlsplit(origin).netloc.casefold() != headers.get("host", "").casefold()
    except ValueError:
        return True  # no site at all


def method_of(scope: Scope) -> str:
    """A known HTTP method, or a placeholder: clients can invent them, and metrics are kept for each."""
    return scope["method"] if scope["method"] in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS") else "other"
