"""Decorators that compile functions with Numba, and the cache of compiled code on disk.

Numba only notices a change in the file that defines a function, not in the functions it calls. The cache therefore
lives in a folder named after the text of every module that may hold compiled code: edit one and all are compiled anew.
"""

# Compiled functions have no annotations: Numba infers their types from the records it is given.
# pyright: basic

import hashlib
import importlib
import importlib.util
import os
import shutil
import time
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

PACKAGE = Path(__file__).parents[1]
#: Folders of a game that nothing is compiled in.
HAS_NO_COMPILED_CODE = {"web"}
STALE_AFTER_SECONDS = 30 * 24 * 3600

#: A process compiles for the CPU or, with NEVEL_COMPILE_FOR=cuda, for kernels that play on a GPU.
#: With Numba's simulator of a GPU (NUMBA_ENABLE_CUDASIM=1) kernels run interpreted, and so do the rules they call.
IS_FOR_GPU = os.environ.get("NEVEL_COMPILE_FOR", "cpu") == "cuda" and os.environ.get("NUMBA_ENABLE_CUDASIM", "0") == "0"
#: Interpreted on demand (coverage, debugging) and where Numba isn't installed.
IS_COMPILED = (
    os.environ.get("NEVEL_COMPILE_FOR", "cpu") != "cuda"
    and os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
    and importlib.util.find_spec("numba") is not None
)


def compiled_folders() -> list[Path]:
    """The folders whose modules may hold compiled code: the engine, the bots, and the games that are installed."""
    folders = [PACKAGE / "engine", PACKAGE / "bots", PACKAGE / "games"]
    for package in sorted({entry.module.partition(".")[0] for entry in entry_points(group="nevel.games")} - {"nevel"}):
        found = importlib.util.find_spec(package)
        folders += [Path(folder) for folder in (found and found.submodule_search_locations) or ()]
    return folders


def fingerprint() -> str:
    """A hash of the source of everything that may be compiled, tuned numbers included."""
    digest = hashlib.blake2b(digest_size=8)
    for folder in compiled_folders():
        for source in sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".toml")):
            if not HAS_NO_COMPILED_CODE.intersection(source.relative_to(folder).parts[:-1]):
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


def as_written(function: Callable[..., Any]) -> Callable[..., Any]:
    """The Python function behind a compiled one."""
    return getattr(function, "py_func", function)


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

#: Numba's `overload` and `from_dtype`, for the CPU or for a GPU; there are none where everything is interpreted.
overload: Callable[..., Decorator]
from_dtype: Callable[[Any], Any]

if IS_COMPILED:
    import numba
    from numba import extending
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler
    from numba.extending import register_jitable

    overload, from_dtype = extending.overload, numba.from_dtype
    njit: Any = numba.njit

    try:
        numba.config.CACHE_DIR = str(cache_folder())  # type: ignore[attr-defined]
        CAN_CACHE = True
    except OSError:  # a read-only home: compile at every start rather than not at all
        CAN_CACHE = False

    # Compiled functions write into arrays they are given and make none. So Numba needn't count who uses an array:
    # doing so for every row that is looked at took up to a third of a step of a vector environment.

    def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
        """Compile an entry point for the CPU; it releases the global interpreter lock (GIL) while it runs."""
        return njit(cache=CAN_CACHE, nogil=True, error_model="numpy", _nrt=False)(function)

    def compiled_holding_gil(function: Callable[..., Any]) -> Callable[..., Any]:
        """Compile an entry point that holds the GIL: for calls shorter than getting the lock back would take."""
        return njit(cache=CAN_CACHE, error_model="numpy", _nrt=False)(function)

    # By itself Numba optimises every function together with all it calls and makes machine code of it, then does so
    # again for its caller, and for the caller's caller: with rules seven calls deep that is half of the compilation.
    # Helpers are therefore only linked; the machine code is made once, for the function that is called from outside.
    # What is bypassed is internal to Numba: where it isn't found as expected, helpers are compiled like the others.

    class NoEnvironment:
        """Stands in for the code generator when a helper's globals would be bound to its machine code: it has none."""

        def set_env(self, name: str, environment: Any) -> None:
            pass

    class LinkedLibrary(JITCodeLibrary):
        """The code of a helper as it was lowered, waiting to be linked into a caller's."""

        def _optimize_final_module(self) -> None:
            pass

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            return 0

        @property
        def codegen(self) -> NoEnvironment:
            return NoEnvironment()

    class LinkedCompiler(Compiler):
        """Numba's own pipeline, with a library that is only linked."""

        def define_pipelines(self) -> list[Any]:
            state = self.state
            state.library = LinkedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
            return super().define_pipelines()

    BYPASSED = ("_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals", "_ensure_finalized")
    CAN_LINK = all(hasattr(JITCodeLibrary, name) for name in BYPASSED)

    # Numba compiles a function again for callers with other options, so there are only these sets of them.
    HELPER_OPTIONS: dict[str, Any] = {
        "nogil": True,
        "error_model": "numpy",
        "_nrt": False,
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
        "forceinline": False,
        "pipeline_class": LinkedCompiler if CAN_LINK else None,
    }
    INLINED_OPTIONS = HELPER_OPTIONS | {"forceinline": True}

    #: For functions that only compiled functions call. They become part of their callers, without
    #: wrappers and cache files of their own, and without a version for every constant they are called with.
    helper: Decorator = register_jitable(**HELPER_OPTIONS)

    #: For the few helpers that do make an array of their own.
    allocating: Decorator = register_jitable(**HELPER_OPTIONS | {"_nrt": True})

    #: For the few helpers on the way of every move of a simulation: faster, but longer to compile.
    inlined: Decorator = register_jitable(**INLINED_OPTIONS)

elif IS_FOR_GPU:
    cuda: Any = importlib.import_module("numba.cuda")
    overload = importlib.import_module("numba.cuda.extending").overload
    from_dtype = importlib.import_module("numba.cuda.np.numpy_support").from_dtype

    #: Everything becomes part of the kernel that calls it.
    HELPER_OPTIONS = INLINED_OPTIONS = {"device": True}
    compiled = compiled_holding_gil = helper = inlined = allocating = cuda.jit(device=True)

    @inlined
    def small(number):  # pyright: ignore[reportRedeclaration]
        """A number that fits in 32 bits, and is counted with as such: a GPU takes twice as long for longer ones."""
        return np.int32(number)

    @inlined
    def natural(number):
        """A number from 0 up that fits in 32 bits: what is looked up with it needn't be counted from the end."""
        return np.uint32(number)

else:

    def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
        """Leave the function as it is: plain Python."""
        return function

    helper = inlined = allocating = compiled_holding_gil = compiled

if not IS_FOR_GPU:

    @inlined
    def small(number):
        """The number as it is: for a processor all are alike."""
        return number

    natural = small
