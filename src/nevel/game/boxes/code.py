"""A box as a short text that fits into a link: the number of every fact, in order."""

import binascii
import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any

from nevel.game.box import Box
from nevel.game.boxes.sheet import BoxField, BoxSheet, BoxSheetError
from nevel.languages import SpokenError, mark

#: Bytes by which a link is known to be of this game and its fields, and whole.
SEAL_BYTES = 3


class DamagedLinkError(SpokenError):
    """A text that isn't a box of this game."""

    def __init__(self) -> None:
        super().__init__(mark("This link is incomplete. Ask for it again, or correct our box by hand."))


def encode_box(sheet: BoxSheet, content: Mapping[str, Any]) -> str:
    """The text for a box: two letters for about every three facts."""
    body = b"".join(to_bytes(field, sheet.value(content, field)) for field in sheet.fields.values())
    return urlsafe_b64encode(seal(sheet, body) + body).decode().rstrip("=")


def decode_box(sheet: BoxSheet, text: str) -> Box:
    """The box of such a text, checked as if somebody had typed it. Raises DamagedLinkError."""
    size = SEAL_BYTES + sum(width(field) for field in sheet.fields.values())
    if len(text) > 2 * size:
        raise DamagedLinkError
    try:
        content = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except (UnicodeEncodeError, binascii.Error) as problem:
        raise DamagedLinkError from problem
    body = content[SEAL_BYTES:]
    if len(content) != size or content[:SEAL_BYTES] != seal(sheet, body):
        raise DamagedLinkError
    texts, at = dict[str, str](), 0
    for key, field in sheet.fields.items():
        number = int.from_bytes(body[at : at + width(field)], "big")
        at += width(field)
        texts[key] = field.choices[number][0] if number < len(field.choices) else str(number)
    try:
        return sheet.read(texts)
    except BoxSheetError as problem:
        raise DamagedLinkError from problem


def width(field: BoxField) -> int:
    """How many bytes its number takes."""
    return (max(field.high, len(field.choices) - 1).bit_length() + 7) // 8 or 1


def to_bytes(field: BoxField, value: int | str) -> bytes:
    number = [choice for choice, _ in field.choices].index(str(value)) if field.choices else int(value)
    return number.to_bytes(width(field), "big")


def seal(sheet: BoxSheet, body: bytes) -> bytes:
    """A checksum over which fields there are and what they say: the fields of another version are others."""
    names = "\n".join([sheet.spec.name, *sheet.fields]).encode()
    return hashlib.sha256(names + b"\n" + body).digest()[:SEAL_BYTES]
