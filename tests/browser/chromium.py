"""Where a Chromium for the tests is: named, on the path, or installed from Debian's packages when we may."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

#: The first is the same engine without the windows and menus around it, which take a third of the time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = (
    "The browser tests need Chromium. Install it (Debian: apt-get install chromium-headless-shell) "
    "or say where it is: NEVEL_CHROMIUM=/path/to/chromium"
)
#: As root in a container there is no sandbox; and nothing here asks the network for anything.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def find_chromium() -> str:
    """The path of a Chromium; says precisely what to do where there is none."""
    if found := os.environ.get("NEVEL_CHROMIUM") or on_path():
        return found
    if os.geteuid() == 0 and shutil.which("apt-get"):
        # Test processes start at the same moment, and apt-get works for one at a time.
        with (Path(tempfile.gettempdir()) / "nevel-chromium.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not on_path():
                apt("update", "-qq")
                apt("install", "-y", "-qq", "--no-install-recommends", "chromium-headless-shell")
            if not on_path():  # an older Debian, or Ubuntu
                apt("install", "-y", "-qq", "--no-install-recommends", "chromium")
    if found := on_path():
        return found
    raise RuntimeError(MISSING)


def apt(*arguments: str) -> None:
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", *arguments], env=environment, capture_output=True, timeout=600, check=False)


def on_path() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)
