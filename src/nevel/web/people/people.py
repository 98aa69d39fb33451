"""Identifies people by a signed cookie or a token: there are no accounts, passwords or e-mail addresses."""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress

import msgspec
from msgspec import Struct

from nevel.languages import LANGUAGES, SpokenError, mark
from nevel.tables.domain.refusals import MalformedError
from nevel.tables.referee import referee
from nevel.tables.storage.database import CHANGED, PERSON, StorageError
from nevel.tables.storage.schema import Person, Token
from nevel.tables.storage.storage import Storage
from nevel.web.server.problems import UnknownPersonError

COOKIE = "nevel"
#: Its name over HTTPS: browsers take one of such a name from this very host alone, and only when it is marked secure.
HOST_COOKIE = "__Host-nevel"
#: Seconds a browser keeps the cookie: a year, from the last visit on which it was set.
COOKIE_AGE = 365 * 86_400
#: What tokens begin with, so that people and scanners recognise one that lies about.
TOKEN_PREFIX = "nvl_"
MOST_TOKENS = 20
LONGEST_NAME = 32
LONGEST_LABEL = 64

HOUR = 3_600_000
DAY = 24 * HOUR
#: How many people are kept in memory, and for how many milliseconds what is known of them is believed.
CACHE_SIZE = 20_000
FRESH = 60_000

#: Winds and clouds: what people are called until they choose a name, in every language.
NAMES = (
    *("Alizé", "Aurora", "Bise", "Bora", "Boreas", "Brisa", "Cirrus", "Cumulus", "Etesia", "Föhn", "Galerna", "Halo"),
    *("Iris", "Levant", "Marin", "Mistral", "Monsun", "Nebula", "Nimbus", "Notos", "Passat", "Scirocco", "Solano"),
    *("Stratus", "Tramontana", "Zephyr", "Zonda"),
)


class Login(Struct, frozen=True):
    """How somebody showed who they are: by a token with this digest, or by a cookie from after a moment."""

    person: str
    #: When they had logged out everywhere last.
    logged_out: int
    token: str = ""


class People:
    """The people this node has met lately, and how they show who they are."""

    def __init__(self, storage: Storage, signing_key: str, clock: Callable[[], int]) -> None:
        self.storage = storage
        self.signing_key = signing_key.encode()
        self.clock = clock
        #: Each with the moment it was read; None for somebody who isn't there any more.
        self._known: OrderedDict[str, tuple[Person | None, int]] = OrderedDict()
        #: How often somebody was found to be another than before: new, renamed, gone.
        self.changes = 0
        #: Called with somebody about whom something has changed on this node, once it is stored.
        self.on_changed: Callable[[str], None] = lambda _: None

    # ------------------------------------------------------------ showing who one is

    def cookie_for(self, person: Person) -> str:
        """What a browser of theirs shows: their id, when they logged out everywhere last if they have, a signature."""
        said = f"{person.id}.{person.logged_out}" if person.logged_out else person.id
        return f"{said}.{self._signature(said)}"

    async def by_cookie(self, cookie: str) -> Person | None:
        """The person of a cookie; None if its signature is wrong or its person has left or logged out since."""
        said, _, signature = cookie.rpartition(".")
        if not hmac.compare_digest(signature.encode(errors="replace"), self._signature(said).encode()):
            return None
        name, _, logged_out = said.partition(".")
        person = await self.find(name)
        if person is None or str(person.logged_out) != (logged_out or "0"):
            return None
        return await self._seen(person)

    async def by_token(self, text: str) -> Person:
        """The person of a token."""
        token = await self.storage.token(digest(text)) if text.startswith(TOKEN_PREFIX) and text.isascii() else None
        person = await self.find(token.person) if token else None
        if token is None or person is None:
            raise UnknownPersonError
        now = self.clock()
        if token.used is None or now - token.used > HOUR:
            with suppress(StorageError):  # as below
                await self.storage.token_used(token.digest, now)
        return await self._seen(person) or person

    def _signature(self, person: str) -> str:
        signature = hmac.digest(self.signing_key, b"person\n" + person.encode(errors="replace"), "sha256")
        return urlsafe_b64encode(signature[:24]).decode()

    async def _seen(self, person: Person | None) -> Person | None:
        if person and self.clock() - person.seen > DAY:
            with suppress(StorageError):  # when nothing can be stored, people may look all the same
                await self.storage.person_seen(person.id, self.clock())
                person = msgspec.structs.replace(person, seen=self.clock())
                self._keep(person.id, person)
        return person

    async def is_valid(self, login: Login) -> bool:
        """Whether somebody still is who they showed they are."""
        person = await self.find(login.person)
        if person is None:
            return False
        if login.token:
            return await self.storage.token(login.token) is not None
        return person.logged_out == login.logged_out

    # ------------------------------------------------------------ knowing them

    async def find(self, person: str) -> Person | None:
        await self.meet([person])
        return self._known[person][0]

    async def meet(self, people: Iterable[str]) -> None:
        """Read these people from the database, unless that was done a moment ago."""
        stale = [one for one in dict.fromkeys(people) if self.clock() - self._known.get(one, (None, 0))[1] > FRESH]
        if stale:
            found = await self.storage.people(stale)
            for one in stale:
                self._keep(one, found.get(one))

    def names_of(self, people: Iterable[str]) -> dict[str, str] | None:
        """What people are called, without those who have left; None when some haven't been met yet."""
        names = dict[str, str]()
        for one in people:
            if one not in self._known:
                return None
            if person := self._known[one][0]:
                names[one] = person.name
        return names

    def logged_out(self, one: str) -> int:
        """When somebody logged out everywhere last; a moment nothing is valid of for whom hasn't been met."""
        person = self._known.get(one, (None, 0))[0]
        return person.logged_out if person else -1

    def drop(self, one: str) -> None:
        """Drop somebody from the cache: another node has changed them."""
        if one in self._known:
            self._known[one] = (self._known[one][0], 0)

    def drop_all(self) -> None:
        """Drop everybody from the cache: a change may have been missed."""
        for one in self._known:
            self.drop(one)

    def _keep(self, one: str, person: Person | None) -> None:
        if self._known.get(one, (None, 0))[0] != person:
            self.changes += 1
        self._known[one] = (person, self.clock())
        self._known.move_to_end(one)
        if len(self._known) > CACHE_SIZE:
            self._known.popitem(last=False)

    # ------------------------------------------------------------ coming, changing, leaving

    async def welcome(self, language_code: str) -> Person:
        """Make a new person."""
        now = self.clock()
        name = f"{secrets.choice(NAMES)} {secrets.randbelow(90) + 10}"
        person = Person(secrets.token_urlsafe(16), name, language_code, now, now)
        await self.storage.save_person(person)
        self._keep(person.id, person)
        return person

    async def change(self, person: Person, name: str | None, language_code: str | None) -> Person:
        """Change somebody's name or language."""
        if language_code is not None and language_code not in LANGUAGES:
            message = mark("Unknown language {code}; there are {known}.")
            raise MalformedError(message, code=language_code, known=", ".join(LANGUAGES))
        name = person.name if name is None else clean_name(name)
        code = language_code or person.language
        if not await self.storage.change_person(person.id, name, code):
            await self._has_changed(person.id)
            raise UnknownPersonError
        changed = msgspec.structs.replace(person, name=name, language=code)
        self._keep(person.id, changed)
        await self.storage.tell_nodes([(PERSON + person.id, CHANGED)])
        return changed

    async def forget(self, person: str) -> None:
        """Delete somebody for good."""
        await self.storage.forget(person)
        self._keep(person, None)
        await self._has_changed(person)

    async def log_out(self, person: Person, token: str = "") -> Person:
        """Log somebody out everywhere: their cookies, tokens and links until now are worth nothing.

        The token with the digest `token` stays, for a program that asks this. Gives the person to make a cookie for.
        """
        logged_out = await self.storage.log_out(person.id, self.clock(), token)
        person = msgspec.structs.replace(person, logged_out=logged_out)
        self._keep(person.id, person)
        await self._has_changed(person.id)
        return person

    async def _has_changed(self, person: str) -> None:
        """Tell all nodes that what they have cached about somebody is stale."""
        self.drop(person)
        self.on_changed(person)
        await self.storage.tell_nodes([(PERSON + person, CHANGED)])

    # ------------------------------------------------------------ tokens

    async def add_token(self, person: str, label: str) -> tuple[Token, str]:
        """Make a token; returns it and its text, which is stored nowhere."""
        if len(await self.storage.tokens_of(person)) >= MOST_TOKENS:
            raise MalformedError(mark("You have {most} tokens. Revoke one first."), most=MOST_TOKENS)
        text = TOKEN_PREFIX + secrets.token_urlsafe(24)
        label = clean_name(label, LONGEST_LABEL)
        token = Token(digest(text), person, label, self.clock(), None, secrets.token_urlsafe(9))
        await self.storage.add_token(token)
        return token, text

    async def revoke(self, person: str, token_id: str) -> bool:
        """Take a token back: the program is shut out at once. False when there is no such token of theirs."""
        is_found = await self.storage.revoke(person, token_id)
        if is_found:
            await self._has_changed(person)
        return is_found


def digest(token: str) -> str:
    # Tokens are chance, not words people choose: a plain hash is enough.
    return hashlib.sha256(token.encode()).hexdigest()


def clean_name(text: str, longest: int = LONGEST_NAME) -> str:
    """A name as it is shown; refuses one that can't be."""
    try:
        name = referee.clean(text)
    except SpokenError:
        name = ""
    if not 1 <= len(name) <= longest:
        raise MalformedError(mark("A name needs 1 to {longest} visible characters."), longest=longest)
    return name
