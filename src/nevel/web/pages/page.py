"""An endpoint for browsers: reads forms and answers with HTML or a redirect."""

from typing import Any
from urllib.parse import parse_qsl

import msgspec
from msgspec import Struct
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from nevel.languages import SpokenError
from nevel.web.rendering.templates import templates
from nevel.web.server.endpoint import Endpoint, Nothing, Visit, read_content, refuse_nul
from nevel.web.server.problems import NotUnderstoodError, describe, headers_for

THEMES = ("light", "dark")
THEME_COOKIE = "theme"


class Shown(Struct, frozen=True):
    """A page as a handler returns it: a template and its values."""

    template: str
    values: dict[str, Any]
    status: int = 200


class Go(Struct, frozen=True):
    """A redirect, as a handler of a form returns it."""

    address: str
    #: The newest row of the table then, where it is about one.
    seq: int = -1


class NoFields(Struct, frozen=True):
    """A form that is only a button."""


class Page(Endpoint, frozen=True):
    """An endpoint of the site for people: shows a page, or handles a form."""

    async def serve(self, request: Request) -> Response:
        response = await super().serve(request)
        response.headers.setdefault("cache-control", "no-store")
        return response

    async def read_body(self, request: Request, longest: int) -> Struct:
        assert self.body
        try:
            text = (await read_content(request, longest)).decode()
            fields = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=100))
            refuse_nul((*fields, *fields.values()))
            return msgspec.convert(group(fields), self.body, strict=False)
        except (msgspec.ValidationError, ValueError) as problem:
            raise NotUnderstoodError(problem) from problem

    def respond(self, visit: Visit, answer: Any) -> Response:
        if isinstance(answer, Go):
            if wants_json(visit.connection):
                return JSONResponse({"go": answer.address, "seq": answer.seq})
            return RedirectResponse(answer.address, 303)
        return show(visit, answer) if isinstance(answer, Shown) else super().respond(visit, answer)

    async def refuse(self, visit: Visit, request: Request, problem: SpokenError) -> Response:
        """Answer with a problem: as a page, or as a problem document where a page's script asked."""
        if wants_json(request):
            return await super().refuse(visit, request, problem)
        return show_problem(visit, problem)


def group(fields: dict[str, str]) -> dict[str, str | dict[str, str]]:
    """The fields of a form, without those left empty; those called `name.key` are one field `name`, with their keys."""
    given: dict[str, Any] = {name: value for name, value in fields.items() if value and "." not in name}
    for name, value in fields.items():
        first, dot, key = name.partition(".")
        if dot:
            if not isinstance(given.get(first), dict):
                given[first] = {}
            given[first][key] = value
    return given


def page(path: str, handle: Any, query: type[Struct] = Nothing) -> Page:
    """An endpoint that shows a page."""
    return Page("GET", path, handle, "", None, None, query)


def form(path: str, handle: Any, fields: type[Struct], query: type[Struct] = Nothing) -> Page:
    """An endpoint that handles a form."""
    return Page("POST", path, handle, "", None, fields, query)


def wants_json(connection: HTTPConnection) -> bool:
    return connection.headers.get("accept", "").startswith("application/json")


def where_to_return(connection: HTTPConnection) -> str:
    """The page to return to from a change of language or theme."""
    path, query = connection.scope["path"], connection.scope["query_string"].decode("latin-1")
    if connection.scope["method"] != "GET":
        parts = path.split("/")
        # A form of a table or for one stands on its page; any other on the page above it, or on the first.
        first = parts[1] if len(parts) > 1 else ""
        path = "/".join(parts[:3]) if first in ("tables", "new") else "/me" if first == "me" else "/"
    return f"{path}?{query}" if query else path


def show(visit: Visit, shown: Shown) -> Response:
    """Render a whole page, in the visitor's language and theme."""
    theme = visit.cookies.get(THEME_COOKIE)
    common = {
        "person": visit.person.name if visit.person else None,
        "theme": theme if theme in THEMES else "",
        "returning": where_to_return(visit.connection),
    }
    text = templates(visit.language.code).render(shown.template, **{**common, **shown.values})
    return HTMLResponse(text, shown.status, {"content-language": visit.language.code})


def show_problem(visit: Visit, problem: SpokenError) -> Response:
    """Render the page that says what went wrong."""
    document = describe(problem, visit.language)
    response = show(visit, Shown("problem.html", {"problem": document}, document.status))
    response.headers.update(headers_for(problem))
    return response
