"""Fair dealing: nobody, the server included, can choose the cards, and everybody can check that afterwards.

Before anybody sits down the server draws a secret and shows its hash. Everyone who sits down adds randomness of their
own. The chance of every event is drawn with a key made of all of it and the event's number. When the game is over the
secret is shown: whoever has it and the contributions can deal the game again (`nevel verify`).
"""

import hashlib
import secrets
from collections.abc import Mapping

from nevel.languages import SpokenError, mark

#: Bytes of a secret and the most letters of a contribution.
SECRET = 32
LONGEST_CONTRIBUTION = 128
#: Bytes of a key, as the rules take it, and of a block of SHA-256.
KEY = 16
BLOCK = 64


class Dealing:
    """What a table's chance is drawn from.

    >>> dealing = Dealing("table", "00" * 32, {0: "a", 1: "b"})
    >>> dealing.key(7) == Dealing("table", "00" * 32, {1: "b", 0: "a"}).key(7)
    True
    >>> dealing.key(7) == dealing.key(8)
    False
    """

    def __init__(self, table: str, secret: str, contributions: Mapping[int, str]) -> None:
        self.table = table
        self.secret = bytes.fromhex(secret)
        # Lengths make it impossible to move a letter from one contribution to the next unnoticed.
        parts = [table, *(f"{chair}:{len(text)}:{text}" for chair, text in sorted(contributions.items()))]
        self.context = "\n".join(parts).encode()
        # HMAC is two hashes. All but the number is the same for every event, and going on from there with the hashes
        # themselves takes half as long as with Python's HMAC.
        self._inner = hashlib.sha256(pad(self.secret, 0x36) + self.context + b"\n")
        self._outer = hashlib.sha256(pad(self.secret, 0x5C))

    def key(self, seq: int) -> str:
        """The key for the event with this number, as hexadecimal digits."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(b"%d" % seq)
        outer.update(inner.digest())
        return outer.digest()[:KEY].hex()


def pad(secret: bytes, byte: int) -> bytes:
    """A secret as HMAC puts it before what is hashed: it fills a block, each byte XORed with a constant."""
    fitting = secret if len(secret) <= BLOCK else hashlib.sha256(secret).digest()
    return bytes([one ^ byte for one in fitting.ljust(BLOCK, b"\0")])


def fresh_secret() -> str:
    return secrets.token_hex(SECRET)


def commitment(secret: str) -> str:
    """What is shown of a secret before the game: its hash."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def check_contribution(text: str) -> None:
    if len(text) > LONGEST_CONTRIBUTION or not text.isprintable():
        message = mark("What you add to the shuffle is a line of at most {longest} letters.")
        raise SpokenError(message, longest=LONGEST_CONTRIBUTION)
