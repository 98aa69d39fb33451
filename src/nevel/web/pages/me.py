"""A person's own page: name, language, theme, tokens, blocked players, export and deletion of their data."""

from contextlib import suppress
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from starlette.responses import RedirectResponse, Response

from nevel.languages import Language
from nevel.tables.storage.schema import Token
from nevel.web.pages.page import THEME_COOKIE, Go, NoFields, Shown, form, page, wants_json
from nevel.web.people.people import COOKIE_AGE
from nevel.web.server.endpoint import LANGUAGE_COOKIE, LanguageCode, Nothing, Visit, is_over_https, set_cookie
from nevel.web.server.problems import NotFoundError
from nevel.web.services import account, silence


class Where(Struct, frozen=True):
    """A form field: the page to return to."""

    back: Annotated[str, Meta(max_length=2000)] = "/"


class Preferences(Where, frozen=True, kw_only=True):
    """The fields of the form for name, language and theme."""

    name: str | None = None
    language: LanguageCode | None = None
    theme: Literal["light", "dark", "auto"] | None = None


class Label(Struct, frozen=True):
    """The field of the form for a token: its label."""

    label: str = ""


class Which(Struct, frozen=True):
    """A form field that names an entry of one's own lists: a token, or somebody muted or blocked."""

    id: Annotated[str, Meta(max_length=64)] = ""


class DoneBefore(Struct, frozen=True):
    """The confirmation to show on the page after one of its forms was sent."""

    done: Annotated[str, Meta(max_length=64)] = ""


async def view(visit: Visit, query: DoneBefore, _form: None) -> Shown:
    return await show(visit, done=query.done)


async def show(visit: Visit, made: str | None = None, done: str = "") -> Shown:
    """Render the page, with the text of a token that was just made, which is shown only once."""
    if visit.person is None:
        return Shown("me.html", {})
    tokens = await visit.site.storage.tokens_of(visit.person.id)
    values = {
        "tokens": [tell(token, visit.language) for token in tokens],
        "made": made,
        "done": done,
        "blocked": await silence.list_blocked(visit.site, visit.person.id),
    }
    return Shown("me.html", values)


def tell(token: Token, language: Language) -> dict[str, Any]:
    """A token's row in the list: its label, and when it was made and used."""
    return {
        "id": token.id,
        "label": token.label,
        "created": language.say_day(token.created),
        "used": None if token.used is None else language.say_day(token.used),
    }


async def add_token(visit: Visit, _query: Nothing, form: Label) -> Shown:
    _, text = await visit.site.people.add_token((await visit.somebody()).id, form.label)
    return await show(visit, text)


async def revoke_token(visit: Visit, _query: Nothing, form: Which) -> Go:
    # One that is gone already is what was wanted, too: a stale page, or a double click.
    await visit.site.people.revoke(visit.known().id, form.id)
    return Go("/me#programs")


async def unblock(visit: Visit, _query: Nothing, form: Which) -> Go:
    with suppress(NotFoundError):
        await silence.unblock_alias(visit.site, visit.known().id, form.id)
    return Go("/me#blocked")


async def change(visit: Visit, _query: Nothing, choice: Preferences) -> Response | Go:
    """Change name, language and theme; without a known person, language and theme in cookies alone."""
    if choice.name is not None or (visit.person and choice.language):
        await account.change(visit, choice.name, choice.language)
    address = choice.back if choice.back.startswith("/") and not choice.back.startswith(("//", "/\\")) else "/"
    if wants_json(visit.connection):
        return Go(address)
    response = RedirectResponse(address, 303)
    is_secure = is_over_https(visit.connection)
    for cookie, value in ((LANGUAGE_COOKIE, choice.language), (THEME_COOKIE, choice.theme)):
        if value:
            response.set_cookie(cookie, value, COOKIE_AGE, path="/", secure=is_secure, httponly=True, samesite="lax")
    return response


async def log_out(visit: Visit, _query: Nothing, _form: Struct) -> Go:
    await account.log_out(visit)
    return Go("/me?done=log-out#log-out")


async def leave(visit: Visit, _query: Nothing, _form: Struct) -> Response:
    await account.leave(visit.site, visit.known().id)
    response = RedirectResponse("/", 303)
    visit.needs_cookie = False
    set_cookie(response, visit.connection, "", 0)
    return response


PAGES = (
    page("/me", view, DoneBefore),
    form("/me", change, Preferences),
    form("/me/log-out", log_out, NoFields),
    form("/me/leave", leave, Where),
    form("/me/tokens", add_token, Label),
    form("/me/tokens/revoke", revoke_token, Which),
    form("/me/unblock", unblock, Which),
)
