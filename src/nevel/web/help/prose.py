"""Converts the text of handbooks, as translators write it, to HTML."""

import re
from html import escape

NARROW_SPACE = "\u202f"


def typeset(text: str, language: str) -> str:
    """Paragraphs as single lines, round apostrophes, and the narrow spaces French asks for."""
    paragraphs = [" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text.strip())]
    text = "\n\n".join(paragraphs).replace("'", "’")
    if language == "fr":
        text = re.sub(r" ([:;?!»])", rf"{NARROW_SPACE}\1", text)
        text = text.replace("« ", f"«{NARROW_SPACE}")
    return text


def to_html(text: str) -> str:
    """Paragraphs; **strong** words; [AB-T3] becomes a link to that clause."""
    html = escape(text, quote=False)
    html = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", html)
    html = re.sub(r"\[([A-Z]+-[A-Z]\d+)\]", r'<a class="clause" href="#\1">\1</a>', html)
    return "".join(f"<p>{paragraph}</p>" for paragraph in html.split("\n\n"))
