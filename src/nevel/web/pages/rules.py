"""The rules of a game to read, clause by clause; which keys play them; and who made the games."""

from functools import cache
from typing import Annotated, Any

from msgspec import Meta, Struct

from nevel.game.boxes.sheet import sheet_of
from nevel.game.registry import all_games, find
from nevel.languages import LANGUAGES, language
from nevel.web.assets.assets import SHEET, assets
from nevel.web.help.boxes import draw_box
from nevel.web.help.figures import Figure
from nevel.web.help.handbook import Handbook, Item, handbook
from nevel.web.help.outline import spoken
from nevel.web.help.prose import to_html
from nevel.web.pages.page import Shown, page
from nevel.web.server.endpoint import Nothing, Visit
from nevel.web.services.boxes import LONGEST_CODE, read_link


class WhichBox(Struct, frozen=True):
    """The box whose numbers are wanted, as the text of its link; ours without one."""

    box: Annotated[str, Meta(max_length=LONGEST_CODE)] = ""


async def view(visit: Visit, query: WhichBox, _form: None) -> Shown:
    spec = find(visit.connection.path_params["game"])
    sheet, code = sheet_of(spec), visit.language.code
    box = await read_link(visit, spec, query.box) if query.box else None
    values = contents(spec.name, code) if box is None else list_contents(spec.name, code, sheet.texts(box.content))
    named = {"title": spec.title, "name": spec.name, "is_correctable": bool(sheet.fields)}
    return Shown("rules.html", {**named, "has_own_box": box is not None, "box": query.box, **values})


@cache
def contents(game: str, language_code: str) -> dict[str, Any]:
    """A handbook as the page needs it, with the numbers of our box."""
    return list_contents(game, language_code, {})


def list_contents(game: str, language_code: str, texts: dict[str, str]) -> dict[str, Any]:
    """A handbook as the page needs it, with the numbers of a box that says these texts."""
    book, drawn = handbook(game, language_code), draw_box(sheet_of(find(game)), texts, language(language_code))

    def show(item: Item) -> dict[str, Any]:
        return {**show_item(item, game), "numbers": [section for section in drawn if section["clause"] in item.clauses]}

    return {
        "introduction": to_html(book.introduction),
        "chapters": [
            {"name": chapter.name, "title": chapter.title, "items": [show(item) for item in chapter.items]}
            for chapter in book.chapters
        ],
        "glossary": list_terms(book),
    }


def list_terms(book: Handbook) -> dict[str, Any]:
    """The words of a game in all languages of its handbook, the reader's own first."""
    codes = sorted(spoken(book.game), key=lambda code: code != book.language)
    books = [handbook(book.game, code) for code in codes]
    return {
        "languages": [(code, LANGUAGES[code]) for code in codes],
        "terms": [[(one.language, one.glossary[name]) for one in books] for name in book.glossary],
    }


def show_item(item: Item, game: str) -> dict[str, Any]:
    return {
        "clauses": item.clauses,
        "title": item.title,
        "text": to_html(item.text),
        "figure": show_figure(item.figure, game) if item.figure else "",
        "examples": [
            {"text": to_html(example.text), "figure": show_figure(example.figure, game)} for example in item.examples
        ],
        "said": item.said,
        "unsaid": item.unsaid,
        "ruling": to_html(item.ruling) if item.ruling else "",
    }


def show_figure(figure: Figure, game: str) -> str:
    return figure.draw(game).replace('href="#', f'href="{assets().address(SHEET)}#')


async def about(_visit: Visit, _query: Nothing, _form: None) -> Shown:
    return Shown("about.html", {"credits": [(spec.title, spec.credits) for spec in all_games().values()]})


async def keys(_visit: Visit, _query: Nothing, _form: None) -> Shown:
    return Shown("keys.html", {})


PAGES = (page("/rules/{game}", view, WhichBox), page("/keys", keys), page("/about", about))
