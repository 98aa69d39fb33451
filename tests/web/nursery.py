"""A process that servers are copies of, so that each starts at once: Python is up and everything compiled is loaded.

Each line it reads is the settings of a server and the file for its log; it answers with the server's process id.
"""

import os
import signal
import sys

import msgspec

from nevel.web.server.server import run
from nevel.web.server.settings import Settings
from nevel.web.server.warming import warm_bots, warm_rules, warm_study
from tests.web.serving import LEVELS

servers: set[int] = set()


def bury(*_: object) -> None:
    """A server has ended: nobody else takes notice."""
    for pid in tuple(servers):
        if os.waitpid(pid, os.WNOHANG)[0]:
            servers.discard(pid)


def serve(settings: Settings, log: str) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for descriptor, file in enumerate([os.devnull, log, log]):
        os.dup2(os.open(file, os.O_CREAT | os.O_APPEND | os.O_RDWR, 0o600), descriptor)
    code = 1
    try:
        run(settings, LEVELS)
        code = 0
    finally:
        os._exit(code)


def main() -> None:
    warm_rules()
    warm_bots(LEVELS)
    warm_study()
    signal.signal(signal.SIGCHLD, bury)
    try:
        for line in sys.stdin:
            settings, log = msgspec.json.decode(line, type=tuple[Settings, str])
            pid = os.fork()
            if not pid:
                serve(settings, log)
            servers.add(pid)
            sys.stdout.write(f"{pid}\n")
            sys.stdout.flush()
    finally:
        for pid in tuple(servers):
            os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
