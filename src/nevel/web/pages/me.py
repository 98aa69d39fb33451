"""A person's own page: name, language, light, programs, whom they don't meet, what is known about them, and leaving."""

from contextlib import suppress
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from starlette.responses import RedirectResponse, Response

from nevel.languages import Language
from nevel.web.api import me
from nevel.web.api.me import TokenView
from nevel.web.pages.page import THEME_COOKIE, Go, Shown, form, page, wants_json
from nevel.web.people import silence
from nevel.web.people.people import COOKIE_AGE
from nevel.web.server.endpoint import SPEECH_COOKIE, Nothing, Visit
from nevel.web.server.problems import NotFoundError


class Where(Struct, frozen=True):
    """Where to go back to."""

    back: Annotated[str, Meta(max_length=2000)] = "/"


class PreferencesForm(Where, frozen=True, kw_only=True):
    """What somebody would rather have."""

    name: str | None = None
    language: Literal["en", "fr", "nl"] | None = None
    theme: Literal["light", "dark", "auto"] | None = None


class Label(Struct, frozen=True):
    """What a program is called."""

    label: str = ""


class Which(Struct, frozen=True):
    """One of a list of one's own."""

    id: Annotated[str, Meta(max_length=64)] = ""


async def view(visit: Visit, _query: Nothing, _form: None) -> Shown:
    return await show(visit)


async def show(visit: Visit, made: TokenView | None = None) -> Shown:
    """The page, with a token that was just made: its text is told once."""
    if visit.person is None:
        return Shown("me.html", {})
    tokens = await me.list_tokens(visit, Nothing(), None)
    values = {
        "tokens": [tell(token, visit.language) for token in tokens],
        "made": made,
        "blocked": await silence.list_blocked(visit, Nothing(), None),
    }
    return Shown("me.html", values)


def tell(token: TokenView, language: Language) -> dict[str, Any]:
    """A token in the list, with when it was made and used."""
    return {
        "id": token.id,
        "label": token.label,
        "created": language.say_day(token.created),
        "used": None if token.used is None else language.say_day(token.used),
    }


async def add_token(visit: Visit, _query: Nothing, form: Label) -> Shown:
    return await show(visit, await me.add_token(visit, Nothing(), me.TokenLabel(form.label)))


async def revoke_token(visit: Visit, _query: Nothing, form: Which) -> Go:
    # One that is gone already is what was wanted, too: a stale page, or a double click.
    await visit.site.storage.revoke(visit.known().id, form.id)
    return Go("/me#programs")


async def unblock(visit: Visit, _query: Nothing, form: Which) -> Go:
    with suppress(NotFoundError):
        await silence.unblock_alias(visit, visit.known().id, form.id)
    return Go("/me#blocked")


async def change(visit: Visit, _query: Nothing, choice: PreferencesForm) -> Response | Go:
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


PAGES = (
    page("/me", view),
    form("/me", change, PreferencesForm),
    form("/me/leave", leave, Where),
    form("/me/tokens", add_token, Label),
    form("/me/tokens/revoke", revoke_token, Which),
    form("/me/unblock", unblock, Which),
)
