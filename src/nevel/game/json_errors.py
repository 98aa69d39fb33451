"""Translatable messages for JSON that can't be read: the decoder's own are in English only."""

import re

from nevel.languages import SpokenError, mark

#: The types of JSON, by the names the decoder uses.
KINDS = {
    "int": mark("a whole number"),
    "float": mark("a number"),
    "str": mark("text in quotation marks"),
    "bool": mark("true or false"),
    "array": mark("a list in square brackets"),
    "object": mark("an object in braces"),
}

#: The decoder's messages, and ours. The groups of the one are the values of the other.
SENTENCES = (
    (r"Input data was truncated", mark("It ends too early.")),
    (r"Object missing required field `(?P<field>.*)`", mark("“{field}” is missing.")),
    (r"Object contains unknown field `(?P<field>.*)`", mark("“{field}” doesn't belong there.")),
    (r"Expected `.*` of length <= (?P<most>\d+)", mark("It is longer than {most}.")),
    (r"Expected `.*` of length >= (?P<least>\d+)", mark("It is shorter than {least}.")),
    (r"Expected `.*` of length (?P<length>\d+)", mark("Its length should be {length}.")),
    (r"Expected `.*` <= (?P<most>\S+)", mark("It is more than {most}.")),
    (r"Expected `.*` >= (?P<least>\S+)", mark("It is less than {least}.")),
    (r"Expected `(?P<kind>\w+).*`, got .*", mark("It should be {kind}.")),
)
MALFORMED = re.compile(r"JSON is malformed: .* \(byte (?P<byte>\d+)\)")
PLACE = re.compile(r"(?P<what>.*) - at `(?:key in )?\$\.?(?P<place>.*)`", re.DOTALL)


def explain_json_error(problem: Exception, text: str | bytes = b"") -> SpokenError:
    """Why `text` couldn't be read, from what the decoder raised."""
    if isinstance(problem, UnicodeError):
        return SpokenError(mark("It isn't text."))
    if isinstance(problem, RecursionError):
        return SpokenError(mark("The file is nested too deeply."))
    said = str(problem)
    if found := MALFORMED.fullmatch(said):
        return json_syntax_error(int(found["byte"]), text.encode(errors="replace") if isinstance(text, str) else text)
    if not (found := PLACE.fullmatch(said)):
        return translate(said)
    place, reason = found["place"], translate(found["what"])
    return SpokenError(mark("At “{place}”: {reason}"), place=place, reason=reason) if place else reason


def translate(said: str) -> SpokenError:
    """The decoder's message, without the place, as a translatable one."""
    for pattern, message in SENTENCES:
        if found := re.fullmatch(pattern, said, re.DOTALL):
            values: dict[str, object] = dict(found.groupdict())
            if "kind" in values:
                values["kind"] = SpokenError(KINDS.get(found["kind"], mark("something else")))
            return SpokenError(message, **values)
    return SpokenError(mark("This value isn't valid."))


def json_syntax_error(byte: int, text: bytes) -> SpokenError:
    """The line and column at which a text stops being JSON, counted from one."""
    before = text[:byte]
    line = before.count(b"\n") + 1
    column = len(before.rpartition(b"\n")[2].decode(errors="replace")) + 1
    return SpokenError(mark("Line {line}, character {column} can't be read as JSON."), line=line, column=column)
