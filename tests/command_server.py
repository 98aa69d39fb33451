"""The fork server behind `tests.commands`: every command is a copy of this process, with rules and bots loaded.

`nevel.cli` is imported anew by every command: it chooses the language of its help when it is imported.
"""

import gc
import json
import os
import runpy
import sys
import traceback
from typing import Any, NoReturn

from nevel.web.server.warming import warm_bots, warm_rules
from tests.web.serving import LEVELS


def execute(given: dict[str, Any]) -> NoReturn:
    """Become `nevel`, as if it had just been started there."""
    for descriptor, file in enumerate([os.devnull, *given["files"]]):
        os.dup2(os.open(file, os.O_CREAT | os.O_RDWR, 0o600), descriptor)
    os.chdir(given["folder"])
    os.environ.clear()
    os.environ.update(given["environment"])
    sys.argv = ["nevel", *given["arguments"]]
    status: object = 1
    try:
        runpy.run_module("nevel.cli", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        status = end.code
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    # Not by the interpreter's own end: freeing all that was loaded would take longer than most commands.
    os._exit(status if isinstance(status, int) else 0)


def answer(word: object) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def main() -> None:
    warm_rules()
    warm_bots(LEVELS)
    for name in [name for name in sys.modules if name.startswith("nevel.cli")]:
        del sys.modules[name]
    gc.freeze()  # so that copies share what is loaded
    answer("ready")
    while line := sys.stdin.readline():
        pid = os.fork()
        if not pid:
            execute(json.loads(line))
        _, status = os.waitpid(pid, 0)
        answer(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
