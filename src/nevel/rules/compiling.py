"""How rules become machine code: one decorator, one cache.

Numba only notices a change in the file that defines a function, not in the functions it calls. The cache therefore
lives in a folder named after the text of every module that may hold compiled code: edit one and all are compiled anew.
"""

import hashlib
import importlib.util
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import platformdirs

PACKAGE = Path(__file__).parents[1]
COMPILED_LAYERS = ("rules", "bots", "lab")
STALE_AFTER_SECONDS = 30 * 24 * 3600

#: Interpreted on demand (coverage, debugging) and where Numba isn't installed.
IS_COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0" and importlib.util.find_spec("numba") is not None


def fingerprint() -> str:
    """A short name for the present text of everything that may be compiled."""
    digest = hashlib.blake2b(digest_size=8)
    for layer in COMPILED_LAYERS:
        for source in sorted((PACKAGE / layer).rglob("*.py")):
            digest.update(source.name.encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()


def cache_folder() -> Path:
    """The folder for this version's machine code; folders of versions long unused are removed."""
    root = Path(os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_path("nevel") / "compiled")
    folder = root / fingerprint()
    if not folder.exists():
        folder.mkdir(parents=True, exist_ok=True)
        for other in root.iterdir():
            if other.is_dir() and time.time() - other.stat().st_mtime > STALE_AFTER_SECONDS:
                shutil.rmtree(other, ignore_errors=True)
    else:
        os.utime(folder)
    return folder


if IS_COMPILED:
    import numba
    from numba.extending import register_jitable

    try:
        numba.config.CACHE_DIR = str(cache_folder())  # type: ignore[attr-defined]
        CAN_CACHE = True
    except OSError:  # a read-only home: compile at every start rather than not at all
        CAN_CACHE = False

    def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
        """Compile for the CPU, without holding the interpreter's lock: for what is called from outside."""
        return numba.njit(cache=CAN_CACHE, nogil=True, error_model="numpy")(function)

    #: For what only compiled functions call. It becomes part of them, without wrappers and cache files of its own, and
    #: without a version for every constant it is called with: that halves the time the first compilation takes.
    helper: Callable[[Callable[..., Any]], Callable[..., Any]] = register_jitable(
        nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
    )

else:

    def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
        """Leave the function as it is: plain Python."""
        return function

    helper = compiled
