"""The messages in the code, for the catalogues: `python -m nevel.languages.extraction` (or `make messages`)."""

import re
from pathlib import Path
from typing import cast

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from nevel.languages import DEFAULT, LANGUAGES
from nevel.languages.typography import header

PACKAGE = Path(__file__).parents[1]
#: Messages stand in `mark("…")` where they are written; those about a number in `say_count("…", "…", …)`; those whose
#: words mean something else elsewhere in `mark_in("context", "…")`.
KEYWORDS = {"mark": None, "say_count": (1, 2), "mark_in": ((1, "c"), 2)}

#: In templates they stand in `say("…")` and `say_in("context", "…")`.
SAID = re.compile(r'\bsay(?:_in\("([^"]+)", |\()"([^"]+)"')

#: What programs need to know of a catalogue. Dates and names would only differ from one update to the next.
HEADER = r"""msgid ""
msgstr ""
"Language: {language}\n"
"Plural-Forms: {plurals}\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=utf-8\n"
"Content-Transfer-Encoding: 8bit\n"
{fields}
"""

#: The words, or those for one and for many; with the context that tells them apart, if there is one.
MessageId = tuple[str | tuple[str, str], str | None]


def template(package: Path = PACKAGE) -> Catalog:
    """Every message of the code, of ours or of another package."""
    catalogue = Catalog(project=package.name, fuzzy=False)
    for file, line, message, comments, context in extract_from_dir(package, keywords=KEYWORDS):
        catalogue.add(message, None, [(file, line)], auto_comments=comments, context=context)
    for file in sorted(package.rglob("templates/*.html")):
        for context, message in SAID.findall(file.read_text("utf-8")):
            catalogue.add(message, context=context or None)
    return catalogue


def catalogue(code: str) -> Catalog:
    """A language's catalogue as it is on file."""
    with (PACKAGE / "languages" / f"{code}.po").open("rb") as file:
        return read_po(file, locale=code)


def message_id(message: Message) -> MessageId:
    """What a message is known by."""
    return cast(MessageId, (tuple(message.id) if isinstance(message.id, list) else message.id, message.context))


def message_ids(messages: Catalog) -> set[MessageId]:
    """The ids of a catalogue, without its header."""
    return {message_id(message) for message in messages if message.id}


def update(code: str) -> None:
    """Add new messages to a catalogue, empty, and drop those no longer used."""
    messages = catalogue(code)
    messages.update(template(), no_fuzzy_matching=True)
    messages.obsolete.clear()
    fields = "".join(f'"X-{name}: {value}\\n"\n' for name, value in header(code).items())
    with (PACKAGE / "languages" / f"{code}.po").open("wb") as file:
        file.write(HEADER.format(language=code, plurals=messages.plural_forms, fields=fields).encode())
        write_po(file, messages, width=0, sort_output=True, no_location=True, omit_header=True)


if __name__ == "__main__":
    for other in LANGUAGES:
        if other != DEFAULT:
            update(other)
