"""Translation: English is written in the code, other languages are the gettext catalogues beside this file.

A language is there because its catalogue is: nothing else lists them.
"""

import errno
import io
import os
import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime
from gettext import GNUTranslations, NullTranslations
from importlib.resources.abc import Traversable

from babel.dates import format_date
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from nevel.languages.typography import FILES, Eliding, Typography, header

DEFAULT = "en"
#: Every language by its code, and its name for itself, which its catalogue tells; English first.
LANGUAGES = {DEFAULT: "English"} | {
    code: header(code)["Language-Name"]
    for code in sorted(file.name.removesuffix(".po") for file in FILES.iterdir() if file.name.endswith(".po"))
}

#: What gettext writes between a context and its message.
CONTEXT = "\x04"


def mark(message: str) -> str:
    """Mark a message for translation where it is written; `Language.say` translates it."""
    return message


def mark_in(context: str, message: str) -> str:
    """Mark a message whose English words mean something else elsewhere: Home is a key, and a page."""
    return f"{context}{CONTEXT}{message}"


def without_context(message: str) -> str:
    """The English words of a marked message."""
    return message.rpartition(CONTEXT)[2]


class Language:
    """One language: translates messages and fills in their {values}."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.typography = Typography(code)
        #: The compiled catalogues, once something was to be translated.
        self._translations: NullTranslations | None = None
        #: A cache of translations: the same few hundred messages are needed all the time.
        self._known: dict[str, str] = {}

    @property
    def translations(self) -> NullTranslations:
        """All catalogues of this language, compiled."""
        if self._translations is None:
            self._translations = compile_catalogues(self.code)
        return self._translations

    def reload(self) -> None:
        """Read the catalogues anew when they are needed next: there are more of them."""
        self._translations = None
        self._known.clear()

    @property
    def name(self) -> str:
        """The language's name for itself."""
        return LANGUAGES[self.code]

    def say(self, message: str, /, **values: object) -> str:
        """A message in this language."""
        if message not in self._known:
            self._known[message] = without_context(self.translations.gettext(message)) if message else ""
        return self._fill(self._known[message], values) if values else self._known[message]

    def say_in(self, context: str, message: str) -> str:
        """A message that means something else elsewhere, in this language."""
        return self.say(mark_in(context, message))

    def say_count(self, one: str, many: str, count: int, /, **values: object) -> str:
        """A message about `count` things, in the form the number asks for."""
        return self._fill(self.translations.ngettext(one, many, count), {"count": count, **values})

    def _fill(self, text: str, values: dict[str, object]) -> str:
        return text.format_map(Eliding(values)) if self.typography.elided else text.format(**values)

    def explain(self, problem: Exception) -> str:
        """Why something failed: a reason everybody understands where there is one, else what the system says of it."""
        match problem:
            case SpokenError():
                return problem.sentence(self)
            case TimeoutError(errno=None):
                return self.say(REASONS[errno.ETIMEDOUT])
            case OSError() if problem.errno in REASONS:
                return self.say(REASONS[problem.errno])
            # An extended code has the plain one in its low byte.
            case sqlite3.Error(sqlite_errorcode=int(code)) if code & 255 in DATABASE_REASONS:
                return self.say(DATABASE_REASONS[code & 255])
            case OSError(strerror=str(said)):
                return said
            case _:
                return str(problem)

    def say_number(self, number: float) -> str:
        """A number as it is written in this language, with a true minus sign: 1,234.5 or −1.234,5."""
        return format_decimal(number, locale=self.code).replace("-", "\N{MINUS SIGN}")

    def say_percent(self, number: float) -> str:
        """A number of hundredths: 17.5% or 17,5 %."""
        return self.say(mark("{number}%"), number=self.say_number(number))

    def say_pair(self, what: object, detail: object) -> str:
        """Something and what is said of it, as this language sets its colon."""
        return self.say(mark("{what}: {detail}"), what=what, detail=detail)

    def say_day(self, milliseconds: int) -> str:
        """The day of a moment since 1970, as it is written in this language: 5 March 2026."""
        day = datetime.fromtimestamp(milliseconds / 1000, UTC)
        first, usual = mark_in("the first day of a month", "d MMMM y"), mark_in("a day", "d MMMM y")
        return format_date(day, self.say(first if day.day == 1 else usual), locale=self.code)

    def say_list(self, items: Iterable[str]) -> str:
        """Several things as people say them: a, b and c."""
        words = list(items)
        if len(words) < 2:
            return "".join(words)
        return self.say(mark("{some} and {last}"), some=", ".join(words[:-1]), last=words[-1])


#: Why the operating system can't do something, by the number of its error.
REASONS = {
    errno.ENOENT: mark("there is no such file or folder"),
    errno.EACCES: mark("permission is missing"),
    errno.EPERM: mark("permission is missing"),
    errno.EISDIR: mark("it is a folder"),
    errno.ENOTDIR: mark("part of its path isn't a folder"),
    errno.EEXIST: mark("it already exists"),
    errno.ENOSPC: mark("the disk is full"),
    errno.EDQUOT: mark("the disk is full"),
    errno.EROFS: mark("the disk can only be read"),
    errno.EIO: mark("the disk doesn't work properly"),
    errno.EMFILE: mark("too many files are open"),
    errno.ENAMETOOLONG: mark("its name is too long"),
    errno.ENOEXEC: mark("it isn't a program"),
    errno.EADDRINUSE: mark("another program already listens there"),
    errno.EADDRNOTAVAIL: mark("this machine doesn't have that address"),
    errno.ECONNREFUSED: mark("nothing answers there"),
    errno.ECONNRESET: mark("the connection was closed"),
    errno.EPIPE: mark("the connection was closed"),
    errno.EHOSTUNREACH: mark("the network doesn't lead there"),
    errno.ENETUNREACH: mark("the network doesn't lead there"),
    errno.ETIMEDOUT: mark("it took too long"),
}
#: The same of SQLite.
DATABASE_REASONS = {
    sqlite3.SQLITE_BUSY: mark("another program uses it"),
    sqlite3.SQLITE_LOCKED: mark("another program uses it"),
    sqlite3.SQLITE_FULL: mark("the disk is full"),
    sqlite3.SQLITE_READONLY: mark("the disk can only be read"),
    sqlite3.SQLITE_IOERR: mark("the disk doesn't work properly"),
    sqlite3.SQLITE_CANTOPEN: mark("its file can't be opened"),
    sqlite3.SQLITE_NOTADB: mark("it isn't a database"),
    sqlite3.SQLITE_CORRUPT: mark("its file is damaged"),
}


class SpokenError(ValueError):
    """An error caused by a person, with a message in every language."""

    def __init__(self, message: str, /, **values: object) -> None:
        super().__init__(without_context(message).format(**values))
        self.message = message
        self.values = values

    def sentence(self, language: Language) -> str:
        """What is wrong, for the person who did it."""
        values = {
            name: language.explain(value) if isinstance(value, Exception) else value
            for name, value in self.values.items()
        }
        return language.say(self.message, **values)


_folders: list[Traversable] = [FILES]


def add_catalogues(folder: Traversable) -> None:
    """Look for messages in the catalogues of this folder, too: what an installed game says in other languages."""
    if folder.is_dir() and folder not in _folders:
        _folders.append(folder)
        for one in _languages.values():
            one.reload()


def read_catalogues(code: str) -> Catalog:
    """What is translated into a language, by us and by installed games, as translators typed it."""
    messages = Catalog(locale=code)
    for folder in _folders:
        if (file := folder / f"{code}.po").is_file():
            for message in read_po(io.BytesIO(file.read_bytes()), locale=code):
                if message.id and messages.get(message.id, message.context) is None:
                    messages[message.id] = message
    return messages


def compile_catalogues(code: str) -> NullTranslations:
    """The catalogues of a language, compiled when asked for: they are small, and what isn't kept can't be stale."""
    if code == DEFAULT:
        return NullTranslations()
    messages, typography = read_catalogues(code), Typography(code)
    for message in messages:
        if isinstance(message.string, str):
            message.string = typography.prepare(message.string)
        elif message.string:
            message.string = tuple(map(typography.prepare, message.string))
    compiled = io.BytesIO()
    write_mo(compiled, messages)
    compiled.seek(0)
    return GNUTranslations(compiled)


#: One object a language, which whoever has it can keep: it learns of catalogues that are added later.
_languages = {code: Language(code) for code in LANGUAGES}


def language(code: str) -> Language:
    """The language with this code; a region is ignored (`fr-BE` is `fr`)."""
    short = code.replace("_", "-").split("-")[0].casefold()
    if short not in _languages:
        raise ValueError(f"unknown language {code!r}; known are {', '.join(LANGUAGES)}")
    return _languages[short]


def typeset(text: str, code: str) -> str:
    """What translators type, as it is printed."""
    return language(code).typography.typeset(text)


def guess_language() -> Language:
    """The language of the person at this terminal."""
    for variable in ("NEVEL_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        try:
            return language(os.environ.get(variable, ""))
        except ValueError:
            continue
    return language(DEFAULT)
