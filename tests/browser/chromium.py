"""Where a Chromium for the tests is: named, on the path, or installed from Debian's packages when we may."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from nevel.testing import browser as testing

ARGUMENTS = testing.CHROMIUM_ARGUMENTS

MISSING = (
    "The browser tests need Chromium. Install it (Debian: apt-get install chromium-headless-shell) "
    "or say where it is: NEVEL_CHROMIUM=/path/to/chromium"
)


def find_chromium() -> str:
    """The path of a Chromium; says precisely what to do where there is none."""
    if found := testing.find_chromium():
        return found
    if os.geteuid() == 0 and shutil.which("apt-get"):
        # Test processes start at the same moment, and apt-get works for one at a time.
        with (Path(tempfile.gettempdir()) / "nevel-chromium.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not testing.find_chromium():
                apt("update", "-qq")
                apt("install", "-y", "-qq", "--no-install-recommends", "chromium-headless-shell")
            if not testing.find_chromium():  # an older Debian, or Ubuntu
                apt("install", "-y", "-qq", "--no-install-recommends", "chromium")
    if found := testing.find_chromium():
        return found
    raise RuntimeError(MISSING)


def apt(*arguments: str) -> None:
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", *arguments], env=environment, capture_output=True, timeout=600, check=False)
