"""Templates, one set a language: what never changes in them is translated once, when a template is first used.

`GAME/board.html` is a template of that game's own folder, any other name one of `web/templates`.
"""

import re
from functools import cache
from html import escape
from importlib import resources
from typing import Any

from minijinja import Environment, safe

from nevel.game.registry import all_games
from nevel.languages import LANGUAGES, Language, language
from nevel.web.assets.assets import SHEET, assets

#: `{{ say("…") }}`: a message with nothing to fill in. The same pattern finds it for the catalogues.
SAID = re.compile(r'\{\{-?\s*say\("([^"]*)"\)\s*-?\}\}')
#: What a template does and fills in; all else is text of the page.
FILLED = re.compile(r"(\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\})", re.DOTALL)
FOLDER = "templates"


def in_ascii(html: str) -> str:
    """HTML with every other character named by its number: Python encodes it more than ten times as fast."""
    return html if html.isascii() else html.encode("ascii", "xmlcharrefreplace").decode("ascii")


class Templates:
    """All templates in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.environment = Environment(self._load, trim_blocks=True, lstrip_blocks=True)
        self.environment.add_global("sheet", safe(assets().address(SHEET)))
        self.environment.add_global("language_code", language.code)
        self.environment.add_global("languages", list(LANGUAGES.items()))
        self.environment.add_global("say", language.say)
        self.environment.add_global("say_in", language.say_in)
        self.environment.add_global("pair", language.say_pair)
        self.environment.add_global("percent", language.say_percent)
        self.environment.add_global("asset", assets().address)

    @cache  # noqa: B019  (there is one of these a language, for good)
    def _load(self, name: str) -> str | None:
        """The text of a template. Kept, because what isn't there would be looked for with every frame."""
        game, slash, rest = name.partition("/")
        if slash and game in all_games():
            file = all_games()[game].file("web", FOLDER, rest)
        else:
            file = resources.files("nevel.web") / FOLDER / name
        if not file.is_file():
            return None
        said = SAID.sub(lambda found: escape(self.language.say(found[1])), file.read_text("utf-8"))
        parts = FILLED.split(said)
        parts[::2] = map(in_ascii, parts[::2])
        return "".join(parts)

    def render(self, template: str, **values: Any) -> str:
        return self.environment.render_template(template, **values)


@cache
def templates(code: str) -> Templates:
    """The templates in the language with this code."""
    return Templates(language(code))
