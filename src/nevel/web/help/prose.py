"""Converts the text of handbooks, as translators write it, to HTML."""

import re
from html import escape

from nevel import languages


def typeset(text: str, language: str) -> str:
    """Paragraphs as single lines, with the apostrophes and spaces of the language."""
    paragraphs = [" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text.strip())]
    return languages.typeset("\n\n".join(paragraphs).replace("'", "’"), language)


def to_html(text: str) -> str:
    """Paragraphs; **strong** words; [AB-T3] becomes a link to that clause."""
    html = escape(text, quote=False)
    html = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", html)
    html = re.sub(r"\[([A-Z]+-[A-Z]\d+)\]", r'<a class="clause" href="#\1">\1</a>', html)
    return "".join(f"<p>{paragraph}</p>" for paragraph in html.split("\n\n"))
