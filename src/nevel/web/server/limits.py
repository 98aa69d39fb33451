"""Rate limits by what things cost: a token bucket for each person and address, shared with other nodes."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import partial
from ipaddress import IPv6Address, ip_address, ip_network

from nevel.web.server.problems import TooOftenError

#: Buckets kept; the longest unused is dropped first, and is full by then.
CACHE_SIZE = 50_000
#: What somebody has to have spent here before other nodes are told.
TELL_FROM = 5.0
#: How many times a rate may be asked for at once.
BURST = 5
OPENING_BURST = 60
#: One person may open this share of what their address may.
OWN_SHARE = 1 / 3
#: The longest anything waits for its address's turn, in seconds; beyond, it is refused.
LONGEST_WAIT = 1.0
#: What sockets are counted by.
PERSON, ADDRESS = "person ", "address "
#: Other nodes are told of whoever has this part of the sockets they may have.
SHARE_TOLD = 10
#: Seconds between two times at which they are told all, and for which it is believed.
TELL_ALL_EVERY, BELIEVED_FOR = 5.0, 20.0
#: How many leading bits of an IPv6 address count: a household is given so many addresses as the others allow.
NETWORK_BITS = 64


def ignore(_kind: str) -> None:
    """Do nothing: stands in where nobody counts refusals."""


class Limit:
    """A token bucket for each name: so many a second, and a burst at once.

    >>> now = 0.0
    >>> limit = Limit(rate=1, burst=2, clock=lambda: now)
    >>> [limit.try_acquire("ann") for _ in range(3)]
    [True, True, False]
    """

    def __init__(
        self,
        rate: float,
        burst: float,
        clock: Callable[[], float] = time.monotonic,
        on_refused: Callable[[], None] = lambda: None,
    ) -> None:
        #: Told whenever somebody is refused.
        self.on_refused = on_refused
        self.rate = rate
        self.burst = burst
        self.clock = clock
        #: What is left for each name, and when that was so.
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        #: What was spent here and other nodes don't know of yet.
        self._untold: dict[str, float] = {}

    def try_acquire(self, name: str, cost: float = 1.0) -> bool:
        """Whether something of this cost is allowed now; if so, it is counted."""
        if not self.rate:
            return True
        left = self._now(name)
        # What costs more than there ever is waits until there is as much as can be.
        is_allowed = left >= min(cost, self.burst)
        self._set(name, left - cost if is_allowed else left)
        if is_allowed:
            self._untold[name] = self._untold.get(name, 0.0) + cost
        else:
            self.on_refused()
        return is_allowed

    def check(self, name: str, cost: float = 1.0) -> None:
        if not self.try_acquire(name, cost):
            raise TooOftenError((min(cost, self.burst) - self._left[name][0]) / self.rate)

    def reserve(self, name: str, cost: float = 1.0, longest: float = LONGEST_WAIT) -> float:
        """Charge something of this cost now; returns after how many seconds it may be done.

        Who shares an address with others waits for them, instead of being refused for what they did; only what would
        have to wait longer than this is refused.
        """
        if not self.rate:
            return 0.0
        left = self._now(name) - cost
        wait = max(-left, 0.0) / self.rate
        if wait > longest:
            self.on_refused()
            raise TooOftenError(wait)
        self._set(name, left)
        self._untold[name] = self._untold.get(name, 0.0) + cost
        return wait

    def take(self, name: str, cost: float) -> None:
        """Charge what was spent on another node."""
        if self.rate:
            self._set(name, max(self._now(name) - cost, -self.burst))

    def take_untold(self) -> list[tuple[str, int]]:
        """What was spent here since the last call, by those who spent enough to matter to other nodes."""
        untold, self._untold = self._untold, {}
        return [(name, round(cost)) for name, cost in untold.items() if cost >= TELL_FROM]

    def _set(self, name: str, left: float) -> None:
        self._left[name] = (left, self.clock())
        self._left.move_to_end(name)
        if len(self._left) > CACHE_SIZE:
            self._left.popitem(last=False)

    def _now(self, name: str) -> float:
        left, since = self._left.get(name, (self.burst, 0.0))
        return min(self.burst, left + (self.clock() - since) * self.rate)


class Limits:
    """All limits of a server: what a person and an address may ask, and how much they may open."""

    def __init__(
        self,
        person_rate: float,
        address_rate: float,
        opening_rate: float,
        on_refused: Callable[[str], None] = ignore,
    ) -> None:
        def limit(kind: str, rate: float, burst: float) -> Limit:
            return Limit(rate, burst, on_refused=partial(on_refused, kind))

        self.person = limit("person", person_rate, person_rate * BURST)
        self.address = limit("address", address_rate, address_rate * BURST)
        self.opening = limit("opening", opening_rate, OPENING_BURST)
        self.own_opening = limit("opening", opening_rate * OWN_SHARE, OPENING_BURST * OWN_SHARE)
        self._by_letter = {"p": self.person, "a": self.address, "o": self.opening, "w": self.own_opening}

    def spend(self, person: str | None, address: str, cost: float) -> None:
        """Charge a person or address for costly work, or refuse it."""
        if person:
            self.person.check(person, cost)
        self.address.check(address, cost)

    def check_opening(self, person: str | None, address: str, cost: float = 1.0) -> None:
        """Refuse a person or address that has opened or started too many tables lately."""
        if person:
            self.own_opening.check(person, cost)
        self.opening.check(address, cost)

    def news(self) -> list[tuple[str, int]]:
        """What was spent here since the last time, to tell other nodes."""
        return [
            (letter + name, cost) for letter, limit in self._by_letter.items() for name, cost in limit.take_untold()
        ]

    def charge_elsewhere(self, name: str, cost: int) -> None:
        """Charge what another node reports as spent there."""
        if limit := self._by_letter.get(name[:1]):
            limit.take(name[1:], float(cost))


class SocketCap:
    """Counts open sockets by person and by address, on all nodes, and refuses more than so many; 0 is no limit."""

    def __init__(
        self,
        person_most: int,
        address_most: int,
        clock: Callable[[], float] = time.monotonic,
        on_refused: Callable[[str], None] = ignore,
    ) -> None:
        self.on_refused = on_refused
        self.person_most = person_most
        self.address_most = address_most
        self.clock = clock
        self._counts: dict[str, int] = {}
        #: What other nodes were told, and when they were told everything.
        self._told: dict[str, int] = {}
        self._told_at = 0.0
        #: What each of them has told, and when.
        self._elsewhere: dict[str, dict[str, tuple[int, float]]] = {}

    def hold(self, person: str | None, address: str) -> None:
        """Count one more open socket, or refuse it."""
        for name, most in self._names(person, address):
            if most and self._counts.get(name, 0) + self._count_elsewhere(name) >= most:
                self.on_refused("sockets")
                raise TooOftenError(LONGEST_WAIT)
        for name, _ in self._names(person, address):
            self._counts[name] = self._counts.get(name, 0) + 1

    def release(self, person: str | None, address: str) -> None:
        for name, _ in self._names(person, address):
            self._counts[name] -= 1
            if not self._counts[name]:
                del self._counts[name]

    def news(self) -> list[tuple[str, int]]:
        """How many those have here who have many, to tell other nodes: what has changed, or now and then all."""
        many = {name: count for name, count in self._counts.items() if SHARE_TOLD * count >= self._most(name)}
        news = {name: count for name, count in many.items() if self._told.get(name) != count}
        if self.clock() - self._told_at > TELL_ALL_EVERY:
            news, self._told_at = many, self.clock()
            self._forget_the_silent()
        news = {**dict.fromkeys(self._told.keys() - many.keys(), 0), **news}
        self._told = many
        return list(news.items())

    def on_count(self, node: str, name: str, count: int) -> None:
        """Another node tells how many there are."""
        self._elsewhere.setdefault(name, {})[node] = (count, self.clock())

    def _count_elsewhere(self, name: str) -> int:
        oldest = self.clock() - BELIEVED_FOR
        return sum(count for count, at in self._elsewhere.get(name, {}).values() if at >= oldest)

    def _forget_the_silent(self) -> None:
        """Drop what nodes have told that say nothing more, as they do without sockets, or when they are gone."""
        oldest = self.clock() - BELIEVED_FOR
        for name, told in tuple(self._elsewhere.items()):
            left = {node: (count, at) for node, (count, at) in told.items() if count and at >= oldest}
            if left:
                self._elsewhere[name] = left
            else:
                del self._elsewhere[name]

    def _most(self, name: str) -> int:
        return self.person_most if name.startswith(PERSON) else self.address_most

    def _names(self, person: str | None, address: str) -> Iterator[tuple[str, int]]:
        if person:
            yield PERSON + person, self.person_most
        yield ADDRESS + address, self.address_most


def network_of(address: str) -> str:
    """What limits count an address as: an IPv6 address as its network, one that holds an IPv4 address as that.

    >>> network_of("2001:db8:1:2:3:4:5:6"), network_of("::ffff:192.0.2.1"), network_of("192.0.2.1")
    ('2001:db8:1:2::', '192.0.2.1', '192.0.2.1')
    """
    if ":" not in address:
        return address
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ip_network((found, NETWORK_BITS), strict=False).network_address)
