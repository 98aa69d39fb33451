"""Fair dealing: nobody, the server included, can choose the cards, and everybody can check that afterwards.

Before anybody sits down the server draws a secret and shows its hash. What is arranged before the game is chained line
by line, each hash over the one before. Whoever sits down may promise a part of the shuffle, by its hash; once the
table is locked the parts are shown. The n-th draw of the game is made with a key of all of it and the number n, so that
a move which was taken back and is made again draws the same. When the game is over the secret is shown: whoever has it
and the chain can deal the game again (`nevel verify`, and the page itself).
"""

import hashlib
import secrets
from collections.abc import Iterable, Mapping

from nevel.languages import SpokenError, mark

#: The ways of dealing there are: keys by the row of a move, from what everybody added; and keys by the number of the
#: draw, from the chain and the parts. A table keeps the one it was opened with.
BY_ROW, CHAINED = 1, 2
#: Bytes of a secret and the most letters of a contribution.
SECRET = 32
LONGEST_CONTRIBUTION = 128
#: Hexadecimal digits of a hash, by which a part is promised.
HASH = 64
#: Bytes of a key, as the rules take it, and of a block of SHA-256.
KEY = 16
BLOCK = 64


class Dealing:
    """What a table's chance is drawn from.

    >>> dealing = Dealing("00" * 32, "table")
    >>> dealing.key(7) == Dealing("00" * 32, "table").key(7)
    True
    >>> dealing.key(7) == dealing.key(8)
    False
    """

    def __init__(self, secret: str, context: str) -> None:
        self.secret = bytes.fromhex(secret)
        # HMAC is two hashes. All but the number is the same for every event, and going on from there with the hashes
        # themselves takes half as long as with Python's HMAC.
        self._inner = hashlib.sha256(pad(self.secret, 0x36) + context.encode() + b"\n")
        self._outer = hashlib.sha256(pad(self.secret, 0x5C))

    def key(self, number: int) -> str:
        """The key for the event or draw with this number, as hexadecimal digits."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(b"%d" % number)
        outer.update(inner.digest())
        return outer.digest()[:KEY].hex()


def row_context(table: str, contributions: Mapping[int, str]) -> str:
    """What the keys of a table are bound to that draws by row: its name and what everybody added."""
    # Lengths make it impossible to move a letter from one contribution to the next unnoticed.
    return "\n".join([table, *(f"{chair}:{len(text)}:{text}" for chair, text in sorted(contributions.items()))])


def chain_context(head: str, parts: Mapping[int, str]) -> str:
    """What the keys of a table are bound to that draws by number: the end of its chain and the parts shown after it.

    The parts stand in the order of chairs, whenever they were shown: so nothing is left to choose after the lock.
    """
    return row_context(head, parts)


def chain_head(lines: Iterable[str]) -> str:
    """The last hash of a chain: every line is hashed with the hash before it.

    >>> chain_head(["a", "b"]) == chain_head(["ab"])
    False
    """
    head = ""
    for line in lines:
        head = digest(f"{head}\n{line}")
    return head


def digest(text: str) -> str:
    """The hash by which a part is promised, and of which the chain is made."""
    return hashlib.sha256(text.encode()).hexdigest()


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
        message = mark("What you add to the shuffle is one line of at most {longest} characters.")
        raise SpokenError(message, longest=LONGEST_CONTRIBUTION)
