"""Links to a table and what they allow. Their keys are derived from a secret and not stored.

What is stored is when they were taken back: a key depends on the row in which its link was renewed last, and that of a
chair on when its person logged out everywhere.
"""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import get_args

from msgspec import Struct

from nevel.tables.domain.facts import LinkPurpose
from nevel.tables.domain.table import Table
from nevel.tables.views.view import Viewer

PURPOSES: tuple[LinkPurpose, ...] = get_args(LinkPurpose)
#: Bytes of a key: nobody guesses one.
KEY = 16


class Access(Struct, frozen=True):
    """What somebody may see of a table, and for whom they act there."""

    viewer: Viewer
    #: None while nobody knows who they are, and at a shared screen, where nobody acts.
    person: str | None


class Links:
    """Makes links and reads them. `logged_out` tells when a person logged out everywhere last; 0 is never."""

    def __init__(self, signing_key: str, logged_out: Callable[[str], int] = lambda _: 0) -> None:
        self.signing_key = signing_key.encode()
        self.logged_out = logged_out

    def key(self, table: Table, purpose: LinkPurpose) -> str:
        renewed = table.links_renewed_at.get(purpose)
        return self._derive(table.name, purpose, *([] if renewed is None else [str(renewed)]))

    def chair_key(self, table: Table, chair: int) -> str:
        """The private link of whoever sits there now: it dies when the chair changes hands."""
        logged_out = self.logged_out(table.chairs[chair].person or "")
        since = [str(logged_out)] if logged_out else []
        return self._derive(table.name, "chair", str(chair), str(table.chairs[chair].link_at), *since)

    def keys_for(self, table: Table, viewer: Viewer) -> dict[str, str]:
        """The keys somebody may know, by their purpose: of their own chair, and for the host those to hand out."""
        if viewer.is_by_link:
            return {}
        keys = {} if viewer.chair is None else {"chair": self.chair_key(table, viewer.chair)}
        return keys | {purpose: self.key(table, purpose) for purpose in PURPOSES} if viewer.is_host else keys

    def alias(self, person: str, other: str) -> str:
        """An alias by which one person is told of another, different for everybody and unlike the id."""
        return self._derive("alias", person, other)

    def _derive(self, *parts: str) -> str:
        message = "\n".join(("link", *parts)).encode()
        return urlsafe_b64encode(hmac.digest(self.signing_key, message, "sha256")[:KEY]).decode().rstrip("=")

    def access(self, table: Table, person: str | None, key: str | None, chair: int | None = None) -> Access | None:
        """What somebody with this key may do at a table; None when there is no table for them.

        A key that opens a chair or a screen is meant: it comes before the chairs that are one's own anyway.
        """
        purpose = self._read(table, key) if key else None
        if isinstance(purpose, int):
            owner = table.chairs[purpose].person
            if owner != person:
                return Access(Viewer("player", purpose, is_by_link=True), owner)
            chair = purpose
        if purpose == "screen":
            return Access(Viewer("screen"), None)
        is_host = person is not None and person == table.host
        # Who was removed comes back by the invitation there is now, which they have to be given.
        is_kicked = person in table.kicked and purpose != "invitation"
        own = table.chairs_of(person) if person else []
        if own:
            seat = chair if chair in own else own[0]
            return Access(Viewer("player", seat, is_host, not table.opened.is_public), person)
        is_expected = person is not None and person in table.opened.reserved.values()
        is_welcome = table.opened.is_public or is_host or is_expected or purpose == "invitation"
        may_sit = is_welcome and not is_kicked
        if may_sit or table.opened.is_public or purpose == "spectator":
            return Access(Viewer("spectator", None, is_host, may_sit), person)
        return None

    def _read(self, table: Table, key: str) -> LinkPurpose | int | None:
        """What a key opens: a purpose, or a chair."""
        given = key.encode(errors="replace")
        for purpose in PURPOSES:
            if hmac.compare_digest(given, self.key(table, purpose).encode()):
                return purpose
        for i, chair in enumerate(table.chairs):
            if chair.person and hmac.compare_digest(given, self.chair_key(table, i).encode()):
                return i
        return None
