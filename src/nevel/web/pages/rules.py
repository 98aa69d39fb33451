"""The rules of a game to read, clause by clause; which keys play them; and who made the games."""

from functools import cache
from typing import Any

from nevel.game.registry import all_games, find
from nevel.web.help.figures import Figure
from nevel.web.help.handbook import Item, handbook
from nevel.web.help.prose import to_html
from nevel.web.pages.page import Shown, page
from nevel.web.rendering.assets import SHEET, assets
from nevel.web.server.endpoint import Nothing, Visit


async def view(visit: Visit, _query: Nothing, _form: None) -> Shown:
    spec = find(visit.connection.path_params["game"])
    return Shown("rules.html", {"title": spec.title, "name": spec.name, **contents(spec.name, visit.language.code)})


@cache
def contents(game: str, language: str) -> dict[str, Any]:
    """A handbook as the page needs it."""
    book = handbook(game, language)
    return {
        "introduction": to_html(book.introduction),
        "chapters": [
            {"name": chapter.name, "title": chapter.title, "items": [show_item(item, game) for item in chapter.items]}
            for chapter in book.chapters
        ],
        "glossary": [{"en": term.en, "fr": term.fr, "nl": term.nl} for term in book.glossary],
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


PAGES = (page("/rules/{game}", view), page("/keys", keys), page("/about", about))
