"""`make hashes`: writes down the hashes of all that goes into the image, and of what it is built with.

Asked is whichever registry pip is set up for; no address of one is written down. The hashes are those of the files the
image is built from, for each kind of processor; elsewhere other files may be right, so that nothing else asks for them.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

from deploy.distributions import needed_by

ROOT = Path(__file__).parents[1]
#: What runs, and what is installed before to build it.
RUN_FILE, BUILD_FILE = ROOT / "hashes.txt", ROOT / "hashes-build.txt"
#: What the package itself is built with, and what comes without a wheel. It isn't in the image in the end.
#: Not in constraints.txt: pip would hold every build of every package to it.
BUILDERS = {
    "hatchling": "1.33.0",
    "packaging": "26.3",
    "pathspec": "1.1.1",
    "pluggy": "1.7.0",
    "setuptools": "84.2.1",
    "trove-classifiers": "2026.9.21.13",
}
#: The Python of the image, and the processors it is built for, from the newest C library to the oldest.
PYTHON = "3.11"
PROCESSORS = ("x86_64", "aarch64")
LIBRARIES = ("2_28", "2_27", "2_24", "2_17", "2_12", "2_5")

HEADING = """\
# {what}, with the hashes of its files for each kind of processor: `make hashes` writes this.
# pip refuses what has another hash. Outside of the image nothing asks for hashes: a wheel that was built on a machine,
# or for another platform, has one of its own, and constraints.txt pins its version all the same.
"""


def pins() -> dict[str, str]:
    """The versions of all that runs in the image."""
    lines = re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text("utf-8"), re.MULTILINE)
    known = {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in lines}
    return {name: known[name] for name in needed_by("nevel")}


def hashes_of(pinned: dict[str, str], processor: str) -> dict[str, str]:
    """The hash of the file pip takes of each, for a kind of processor."""
    platforms = [f"--platform=manylinux_{library}_{processor}" for library in LIBRARIES]
    command = [
        *(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--dry-run", "--report=-"),
        *("--ignore-installed", "--no-deps", "--target=nowhere", "--implementation=cp", f"--python-version={PYTHON}"),
        *platforms,
        *(f"{name}=={version}" for name, version in pinned.items()),
    ]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return {
        re.sub(r"[-_.]+", "-", one["metadata"]["name"]).lower(): one["download_info"]["archive_info"]["hashes"][
            "sha256"
        ]
        for one in report["install"]
    }


def text(what: str, pinned: dict[str, str]) -> str:
    found = [hashes_of(pinned, processor) for processor in PROCESSORS]
    lines = list[str]()
    for name, version in sorted(pinned.items()):
        hashes = dict.fromkeys(one[name] for one in found)
        lines.append(" \\\n    ".join([f"{name}=={version}", *(f"--hash=sha256:{one}" for one in hashes)]))
    return HEADING.format(what=what) + "\n".join(lines) + "\n"


if __name__ == "__main__":
    RUN_FILE.write_text(text("All that goes into the image", pins()), "utf-8")
    BUILD_FILE.write_text(text("What the image is built with", BUILDERS), "utf-8")
