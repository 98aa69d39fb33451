"""The page on which a table is opened, with the box it is played with: ours, one's own, or that of somebody's link."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from nevel.game.box import Box
from nevel.game.boxes.code import encode_box
from nevel.game.boxes.sheet import BoxSheetError, sheet_of
from nevel.game.registry import find
from nevel.game.spec import GameSpec
from nevel.languages import SpokenError, mark
from nevel.web.help.boxes import draw_box
from nevel.web.pages.home import introduce
from nevel.web.pages.page import Go, Shown, form, page
from nevel.web.pages.terms import Terms, offer_terms, read_options, read_pace, with_options
from nevel.web.server.endpoint import Nothing, Visit
from nevel.web.services import boxes, opening
from nevel.web.services.opening import TableToOpen

SHARED = mark("Somebody shared this box with you. Look at what differs; then play with it, or keep it as yours.")
SAVED = mark("Saved: this is now your box.")
NONE_KEPT = mark("Done: your box is now the same as ours.")


class Fields(Terms, frozen=True, kw_only=True):
    """The fields of the form that opens a table, and which of its buttons was pressed."""

    chairs: Annotated[int, Meta(ge=1, le=5)] | None = None
    is_public: bool = False
    is_practice: bool = False
    #: What stands in the box, by the keys of its fields.
    box: dict[str, str] = field(default_factory=dict)
    do: Literal["open", "share", "keep", "ours", "mine"] = "open"


FormFields = with_options(Fields)


async def new(visit: Visit, _query: Nothing, _form: None) -> Shown:
    spec = find(visit.connection.path_params["game"])
    kept = await boxes.kept_box(visit, spec)
    return await show(visit, spec, texts_of(spec, kept))


async def open_link(visit: Visit, _query: Nothing, _form: None) -> Shown:
    """The same page with the box of somebody's link."""
    spec = find(visit.connection.path_params["game"])
    box = await boxes.read_link(visit, spec, visit.connection.path_params["code"])
    return await show(visit, spec, texts_of(spec, box), said=SHARED, is_open=True)


async def submit(visit: Visit, _query: Nothing, fields: Fields) -> Shown | Go:
    """What the pressed button asks; whatever it is, nothing that was typed is lost."""
    spec = find(visit.connection.path_params["game"])
    if fields.do in ("ours", "mine"):
        box = await boxes.kept_box(visit, spec) if fields.do == "mine" else None
        return await show(visit, spec, texts_of(spec, box), fields, is_open=True)
    try:
        box = await boxes.read_form(visit, spec, fields.box)
    except BoxSheetError as problem:
        return await show(visit, spec, fields.box, fields, problem=problem, is_open=True)
    if fields.do == "open":
        return await open_table(visit, spec, fields, box)
    said = ""
    if fields.do == "keep":
        await boxes.keep_box(visit, box)
        said = NONE_KEPT if box.is_ours else SAVED
    return await show(visit, spec, texts_of(spec, box), fields, box, said, is_open=True)


async def open_table(visit: Visit, spec: GameSpec, fields: Fields, box: Box) -> Go:
    new = TableToOpen(
        game=spec.name,
        chairs=fields.chairs or spec.usual_seats,
        options=read_options(fields, spec.name),
        pace=read_pace(fields),
        stand_in=fields.stand_in,
        is_public=fields.is_public,
        is_practice=fields.is_practice,
    )
    room = await opening.open_table(visit, new, box)
    return Go(f"/tables/{room.table.name}")


def texts_of(spec: GameSpec, box: Box | None) -> Mapping[str, str]:
    """What a box says as it is typed; ours, if there is none."""
    sheet = sheet_of(spec)
    return sheet.texts(sheet.ours if box is None else box.content)


async def show(
    visit: Visit,
    spec: GameSpec,
    texts: Mapping[str, str],
    fields: Fields | None = None,
    shared: Box | None = None,
    said: str = "",
    *,
    problem: BoxSheetError | None = None,
    is_open: bool = False,
) -> Shown:
    """The page, with all that was chosen on it so far, and the link to a box that is to be shared."""
    fields, language = fields or FormFields(), visit.language
    values = {
        "game": introduce(spec, language),
        "terms": offer_terms(spec.name, language, read_options(fields, spec.name), read_pace(fields), fields.stand_in),
        "chosen": {
            "chairs": fields.chairs or spec.usual_seats,
            "is_public": fields.is_public,
            "is_practice": fields.is_practice,
        },
        "box": {
            **await describe_box(visit, spec, texts, problem),
            "is_open": is_open,
            "said": language.say(said),
            "link": link_to(visit, spec, shared) if shared else "",
        },
    }
    return Shown("new.html", values, 422 if problem else 200)


async def describe_box(
    visit: Visit, spec: GameSpec, texts: Mapping[str, str], problem: BoxSheetError | None
) -> dict[str, Any]:
    """The box as the form shows it."""
    wrong: Mapping[str, SpokenError] = problem.wrong if problem else {}
    sections = draw_box(sheet_of(spec), texts, visit.language, wrong)
    kept = await boxes.kept_box(visit, spec)
    return {
        "sections": sections,
        "changes": sum(section["changes"] for section in sections),
        "is_reconstructed": any(section["is_reconstructed"] for section in sections),
        "has_mine": kept is not None and dict(texts) != texts_of(spec, kept),
        "problem": problem.sentence(visit.language) if problem else "",
    }


def link_to(visit: Visit, spec: GameSpec, box: Box) -> str:
    return f"{visit.connection.base_url}boxes/{spec.name}/{encode_box(sheet_of(spec), box.content)}"


PAGES = (
    page("/new/{game}", new),
    form("/new/{game}", submit, FormFields),
    page("/boxes/{game}/{code}", open_link),
)
