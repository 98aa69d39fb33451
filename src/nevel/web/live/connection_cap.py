"""How many connections there may be at once: in a process, and from one address."""

from collections.abc import Callable, Container
from http import HTTPStatus

from nevel.web.server.limits import network_of


class ConnectionCap:
    """Counts open connections, sockets among them; proxies have as many as they need. 0 is no limit.

    >>> cap = ConnectionCap(most=3, address_most=2)
    >>> [cap.hold("192.0.2.1") for _ in range(3)], cap.hold("192.0.2.2"), cap.hold("192.0.2.3").value
    ([None, None, <HTTPStatus.TOO_MANY_REQUESTS: 429>], None, 503)
    """

    def __init__(
        self,
        most: int,
        address_most: int,
        proxies: Container[str] = (),
        on_refused: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.most = most
        self.address_most = address_most
        self.proxies = proxies
        #: Told by which limit one is refused.
        self.on_refused = on_refused
        self._count = 0
        self._by_address: dict[str, int] = {}

    def hold(self, address: str) -> HTTPStatus | None:
        """Count one more connection from an address; or the status it is refused with, and isn't counted."""
        network = network_of(address)
        if self.most and self._count >= self.most:
            self.on_refused("connections")
            return HTTPStatus.SERVICE_UNAVAILABLE
        count = self._by_address.get(network, 0)
        if self.address_most and count >= self.address_most and address not in self.proxies:
            self.on_refused("connections")
            return HTTPStatus.TOO_MANY_REQUESTS
        self._count += 1
        self._by_address[network] = count + 1
        return None

    def release(self, address: str) -> None:
        """One from an address is closed."""
        network = network_of(address)
        self._count -= 1
        self._by_address[network] -= 1
        if not self._by_address[network]:
            del self._by_address[network]
