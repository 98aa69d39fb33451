"""WebSockets as uvicorn speaks them, with a short way for what is sent most: one whole text."""

from typing import TYPE_CHECKING

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

#: The first byte of a frame that is a whole text.
TEXT = 0x81
#: Lengths below these stand in the second byte, or in two more after 126, or in eight after 127.
SHORT = 126
MIDDLING = 1 << 16


def text_frame(text: str) -> bytes:
    """A text as it goes over the line, from a server without extensions."""
    content = text.encode()
    length = len(content)
    if length < SHORT:
        return bytes((TEXT, length)) + content
    if length < MIDDLING:
        return bytes((TEXT, 126)) + length.to_bytes(2, "big") + content
    return bytes((TEXT, 127)) + length.to_bytes(8, "big") + content


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """uvicorn's own protocol. A text changes nothing in the state of a socket, so it needn't go through all of it."""

    async def send(self, message: "ASGISendEvent") -> None:
        text = message.get("text")
        if text is None or self.conn.state is not State.OPEN or self.conn.extensions:
            await super().send(message)
            if message["type"] == "websocket.accept":
                # What was said to open the socket isn't needed any more, and there may be thousands.
                del self.request, self.response
            return
        if not self.writable.is_set():
            await self.writable.wait()
        if self.disconnected or self.close_sent or self.conn.state is not State.OPEN:
            await super().send(message)
        else:
            self.transport.write(text_frame(text))
