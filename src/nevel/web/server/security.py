"""Middleware in front of everything: security headers, protection from cross-site requests, and the request log."""

import time
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
        await (refusal or self.app)(scope, receive, finish)
        seconds = time.perf_counter() - began
        route = scope.get(ROUTE, "other")
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
    return origin is not None and urlsplit(origin).netloc.casefold() != headers.get("host", "").casefold()


def method_of(scope: Scope) -> str:
    """A known HTTP method, or a placeholder: clients can invent them, and metrics are kept for each."""
    return scope["method"] if scope["method"] in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS") else "other"
