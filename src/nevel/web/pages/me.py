"""A person's own page: name, language, light, what is known about them, and leaving."""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from starlette.responses import RedirectResponse, Response

from nevel.web import me
from nevel.web.endpoint import SPEECH_COOKIE, Nothing, Visit
from nevel.web.pages.page import THEME_COOKIE, Go, Shown, form, page, wants_json
from nevel.web.people import COOKIE_AGE


class Where(Struct, frozen=True):
    """Where to go back to."""

    back: Annotated[str, Meta(max_length=300)] = "/"


class Choice(Where, frozen=True, kw_only=True):
    """What somebody would rather have."""

    name: str | None = None
    language: Literal["en", "fr", "nl"] | None = None
    theme: Literal["light", "dark", "auto"] | None = None


async def view(visit: Visit, _query: Nothing, _form: None) -> Shown:
    tokens = await me.list_tokens(visit, Nothing(), None) if visit.person else []
    return Shown("me.html", {"tokens": tokens})


async def change(visit: Visit, _query: Nothing, choice: Choice) -> Response | Go:
    """Another name needs a person; language and light are remembered by the browser alone if there is none."""
    if choice.name is not None or (visit.person and choice.language):
        await me.change(visit, Nothing(), me.NewMe(choice.name, choice.language))
    address = choice.back if choice.back.startswith("/") and not choice.back.startswith(("//", "/\\")) else "/"
    if wants_json(visit.connection):
        return Go(address)
    response = RedirectResponse(address, 303)
    is_secure = visit.connection.url.scheme == "https"
    for cookie, value in ((SPEECH_COOKIE, choice.language), (THEME_COOKIE, choice.theme)):
        if value:
            response.set_cookie(cookie, value, COOKIE_AGE, path="/", secure=is_secure, httponly=True, samesite="lax")
    return response


async def leave(visit: Visit, _query: Nothing, _form: Struct) -> Response:
    response = await me.leave(visit, Nothing(), None)
    response.status_code = 303
    response.headers["location"] = "/"
    return response


PAGES = (page("/me", view), form("/me", change, Choice), form("/me/leave", leave, Where))
