"""A line to a server that can be slow, die without a word, or swallow what is asked."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress

#: Bytes passed on at a time.
AT_ONCE = 1 << 16


class FarServer:
    """Passes bytes on between browsers and a server, as well as the network does at the moment."""

    def __init__(self, address: str) -> None:
        host, port = address.split(":")
        self._server = host, int(port)
        #: Seconds every piece is under way, each way.
        self.delay = 0.0
        #: Whether nothing arrives any more, on new lines and on those there are; nobody is told.
        self.is_dead = False
        #: Which requests are accepted and never answered, by their first bytes.
        self.swallows: Callable[[bytes], bool] = lambda _: False
        #: How many requests were swallowed.
        self.swallowed = 0
        self._connections = set[asyncio.Task[None] | None]()
        self._is_up = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._is_up.wait()

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        listening = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.address = f"127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        self._is_up.set()
        await self._over.wait()
        listening.close()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        self._connections.add(task)  # a loop alone doesn't keep its tasks
        with suppress(OSError, asyncio.CancelledError):  # at the end, all that is still open is cancelled
            there_reader, there_writer = await asyncio.open_connection(*self._server)
            ways = (self._pass_on(reader, there_writer, True), self._pass_on(there_reader, writer, False))
            try:
                await asyncio.gather(*ways)
            finally:
                writer.close()
                there_writer.close()
        self._connections.discard(task)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, is_asked: bool) -> None:
        waiting = asyncio.Queue[tuple[float, bytes]]()
        sending = asyncio.ensure_future(self._send(waiting, writer))
        has_lost = False  # what comes after something that was lost isn't heard either
        with suppress(OSError):
            while piece := await reader.read(AT_ONCE):
                if is_asked and self.swallows(piece):
                    self.swallowed += 1
                    has_lost = True
                has_lost = has_lost or self.is_dead
                if not has_lost:
                    waiting.put_nowait((self._loop.time() + self.delay, piece))
        if not has_lost:
            waiting.put_nowait((self._loop.time() + self.delay, b""))
        else:
            sending.cancel()
        with suppress(asyncio.CancelledError):
            await sending

    async def _send(self, waiting: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while True:
                due, piece = await waiting.get()
                await asyncio.sleep(max(0.0, due - self._loop.time()))
                if not piece:
                    break
                writer.write(piece)
                await writer.drain()
            writer.close()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(5)
