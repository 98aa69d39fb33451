"""The ASGI application: puts all parts of the server together, starts them, and stops them without losing anything."""

import asyncio
import gc
import hmac
import os
import socket
import sys
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from multiprocessing import parent_process
from typing import cast

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute

from nevel.bots.levels import LADDER
from nevel.languages import SpokenError, mark
from nevel.tables.domain.refusals import NotAllowedError, TableError
from nevel.tables.runtime.off_loop import run_off_loop
from nevel.tables.tracing import tracing
from nevel.web.api import chat, commands, me, records, reviews, silence, statistics, tables
from nevel.web.api.description import describe_api
from nevel.web.live.connection_cap import ConnectionCap
from nevel.web.live.door import Door
from nevel.web.live.frames import Line
from nevel.web.live.socket import serve_socket
from nevel.web.pages import files, home, new_table, rules, somebody
from nevel.web.pages import me as me_page
from nevel.web.pages import records as records_page
from nevel.web.pages import table as table_page
from nevel.web.pages.page import show_problem
from nevel.web.pages.study import puzzles, replay, review
from nevel.web.pages.study import statistics as statistics_page
from nevel.web.server import logs
from nevel.web.server.endpoint import ROUTE, Visit, refuse, routes
from nevel.web.server.metrics import Metrics, Replaced
from nevel.web.server.problems import NotFoundError, NotUnderstoodError, WrongMethodError
from nevel.web.server.security import Front, RequestIds
from nevel.web.server.settings import Settings
from nevel.web.server.site import Site
from nevel.web.server.warming import ALL, Warming
from nevel.web.server.watchdog import Watchdog
from nevel.web.services.records import LARGEST

ENDPOINTS = (
    *me.ENDPOINTS,
    *tables.ENDPOINTS,
    *chat.ENDPOINTS,
    *records.ENDPOINTS,
    *reviews.ENDPOINTS,
    *silence.ENDPOINTS,
    *statistics.ENDPOINTS,
    *commands.ENDPOINTS,
)
PAGES = (
    *home.PAGES,
    *new_table.PAGES,
    *table_page.PAGES,
    *replay.PAGES,
    *review.PAGES,
    *puzzles.PAGES,
    *rules.PAGES,
    *me_page.PAGES,
    *records_page.PAGES,
    *somebody.PAGES,
    *statistics_page.PAGES,
)
#: Seconds between pings on a socket, and how long an answer may take.
PING_EVERY = 10.0
PONG_WITHIN = 20.0
#: Seconds between two garbage collections, if the server is busy and if it isn't.
COLLECT_BUSY = 120.0
COLLECT_IDLE = 10.0
#: With more new objects than this, garbage is looked for among them.
MANY_OBJECTS = 50_000
#: The status of a server that couldn't even start.
NOT_STARTED = 3
#: Seconds after which putting all figures together is given up.
LONGEST_TELLING = 20.0
#: Seconds after which a thread that runs Python lets another one: bots, reviews and the storage have threads, and with
#: Python's own five milliseconds the event loop waits for each of them in turn whenever it wakes.
SWITCH_EVERY = 0.0005
#: This machine's own address.
HERE = ("127.0.0.1", "::1")


def make_app(
    settings: Settings,
    levels: tuple[str, ...] = LADDER,
    games: tuple[str, ...] = ALL,
    beat: Callable[[], None] = lambda: None,
    replaced: Replaced | None = None,
) -> Starlette:
    """The application: opens its house when the server starts, closes it when the server stops.

    These games, with bots of these levels, are compiled before it is ready, others when they are first asked.
    `beat` is called again and again, as long as the event loop isn't stuck; `replaced` tells of other workers.
    """
    metrics = Metrics(replaced) if replaced else Metrics()
    warming = Warming(levels, games)
    description = describe_api(ENDPOINTS)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None, None]:
        site = app.state.site = await Site.open(settings, metrics, warming)
        watching = asyncio.create_task(Watchdog(metrics, beat).run())
        warming.start()
        logs.note("started", host=settings.host, port=settings.port)
        try:
            yield
        finally:
            watching.cancel()
            metrics.look()  # others tell them when this worker is gone
            await site.close()
            await asyncio.to_thread(tracing.end)
            logs.note("stopped")

    async def show_description(request: Request) -> Response:
        request.scope[ROUTE] = "/api/openapi.json"
        return Response(description, media_type="application/json")

    app = Starlette(
        routes=[
            *routes(ENDPOINTS),
            *routes(PAGES),
            Route("/static/{version}/{name:path}", files.serve_asset),
            Route("/manifest.webmanifest", files.manifest),
            Route("/worker.js", files.worker),
            Route("/offline", files.offline),
            Route("/api/openapi.json", show_description),
            WebSocketRoute("/api/tables/{table}/socket", serve_socket),
            Route("/healthz", healthz),
            Route("/readyz", readyz),
            Route("/metrics", show_metrics),
        ],
        middleware=[
            Middleware(Front, longest=max(settings.longest, LARGEST), metrics=metrics),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
        ],
        exception_handlers={HTTPException: refuse_request},
        lifespan=lifespan,
    )
    app.state.warming = warming
    return app


async def healthz(request: Request) -> Response:
    """The liveness check: answers as long as the event loop runs."""
    request.scope[ROUTE] = "/healthz"
    return PlainTextResponse("ok")


async def readyz(request: Request) -> Response:
    """The readiness check: everything is compiled, and the database can be read and written."""
    request.scope[ROUTE] = "/readyz"
    site: Site = request.app.state.site
    if not site.warming.is_over:
        return PlainTextResponse("warming up", 503)
    is_ready = await site.readiness.check()
    return PlainTextResponse("ready" if is_ready else "the database is away", 200 if is_ready else 503)


async def show_metrics(request: Request) -> Response:
    """Serve the metrics to whoever has the token; without one set, to this machine alone."""
    request.scope[ROUTE] = "/metrics"
    site: Site = request.app.state.site
    token, given = site.settings.metrics_token, request.headers.get("authorization", "")
    is_here = request.client is not None and request.client.host in HERE
    if not (hmac.compare_digest(given.encode(), f"Bearer {token}".encode()) if token else is_here):
        problem = NotAllowedError(mark("The metrics are only for this server's operator."))
        return refuse(problem, Visit(request).language)
    site.metrics.look()
    text = await run_off_loop("metrics", site.metrics.text, LONGEST_TELLING)
    return Response(text, media_type="text/plain; version=0.0.4")


async def refuse_request(request: Request, problem: Exception) -> Response:
    """Answer a request that no route takes: with a page for people, a problem document for programs."""
    assert isinstance(problem, HTTPException)
    known: dict[int, Callable[[], TableError]] = {404: NotFoundError, 405: WrongMethodError}
    named = known.get(problem.status_code, lambda: NotUnderstoodError(problem.detail))()
    is_page = "text/html" in request.headers.get("accept", "") and not request.scope["path"].startswith("/api/")
    visit = Visit(request)
    if is_page:
        with suppress(SpokenError):  # a page says who one is, if that can be found out
            await visit.identify()
    response = show_problem(visit, named) if is_page else refuse(named, visit.language)
    response.headers.update(problem.headers or {})
    return response


def configure(settings: Settings, app: Starlette) -> uvicorn.Config:
    named = RequestIds(app, settings.proxies)

    def count_refusal(limit: str) -> None:
        app.state.site.metrics.count_refusal(limit)

    cap = ConnectionCap(settings.connections, settings.address_connections, named.trusted_hosts, count_refusal)
    return uvicorn.Config(
        named,
        host=settings.host,
        port=settings.port,
        http=cast("type[Door]", partial(Door, cap=cap)),
        ws=Line,
        ws_max_size=settings.longest,
        ws_ping_interval=PING_EVERY,
        ws_ping_timeout=PONG_WITHIN,
        # A third of the speed and three times the memory, for views of two kilobytes.
        ws_per_message_deflate=False,
        proxy_headers=False,  # they are read already
        server_header=False,
        access_log=False,
        log_config=None,
        timeout_graceful_shutdown=settings.grace,
    )


def run(
    settings: Settings,
    levels: tuple[str, ...] = LADDER,
    sockets: list[socket.socket] | None = None,
    warmed: Callable[[], None] = lambda: None,
    beat: Callable[[], None] = lambda: None,
    replaced: Replaced | None = None,
) -> None:
    """Serve in this process until told to stop, at the address of the settings unless there are sockets already."""
    logs.begin()
    sys.setswitchinterval(SWITCH_EVERY)
    if settings.tracing:
        tracing.begin()
    app = make_app(settings, levels, beat=beat, replaced=replaced)
    config = configure(settings, app)
    try:
        with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
            runner.run(serve(uvicorn.Server(config), app, sockets, warmed))
    finally:
        if app.state.warming.is_under_way:
            # All is stored and closed; only the compiler is still at it, and it can't be told to stop.
            os._exit(1)


async def serve(
    server: uvicorn.Server, app: Starlette, sockets: list[socket.socket] | None, warmed: Callable[[], None]
) -> None:
    tasks = (asyncio.create_task(look_after(server, app)), asyncio.create_task(wait_until_warm(app, warmed)))
    await server.serve(sockets)
    for task in tasks:
        task.cancel()
    if not server.started:
        raise SystemExit(NOT_STARTED)  # why is in the log


async def wait_until_warm(app: Starlette, warmed: Callable[[], None]) -> None:
    await app.state.warming.bots.wait()
    warmed()


async def look_after(server: uvicorn.Server, app: Starlette) -> None:
    """Collect garbage: with thousands of sockets Python's own collector stops all for 0.3 s; ours waits for quiet.

    A worker also writes down its figures, since others may be asked for them, and ends with whoever started it.
    """
    while not server.started:
        await asyncio.sleep(0.05)
    gc.collect()
    gc.freeze()
    gc.disable()
    last, before = time.monotonic(), 0
    while True:
        await asyncio.sleep(1.0)
        if parent := parent_process():
            app.state.site.metrics.look()
            server.should_exit |= not parent.is_alive()
        done = server.server_state.total_requests + app.state.site.commands.count
        is_idle, before = done == before, done
        if time.monotonic() - last > (COLLECT_IDLE if is_idle else COLLECT_BUSY):
            gc.collect()
            last = time.monotonic()
        else:
            collect_young()


def collect_young() -> None:
    """Collect garbage among new objects if there are many, which takes milliseconds.

    Refused commands and closed sockets leave some that refers to itself: gigabytes, where somebody wants that.
    """
    if gc.get_count()[0] > MANY_OBJECTS:
        gc.collect(0)
