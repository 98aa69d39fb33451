"""`make licences`: writes `docs/licences.md`, whose licences all have that a server is made of."""

import re
from email.message import Message
from importlib.metadata import Distribution
from pathlib import Path
from typing import cast

from deploy.distributions import needed_by

ROOT = Path(__file__).parents[1]
FILE = ROOT / "docs" / "licences.md"

HEADING = """\
# Licences

Nevel itself is under the [MIT licence](../LICENSE). What a server runs besides, as `make licences` finds it in what is
installed; each keeps its own licence, whose text comes with it.

| distribution | version | licence |
|---|---|---|
"""
ENDING = """
num2words is the only one under the LGPL: the referee reads numbers in words with it. It is used as it comes, unchanged,
and installed beside Nevel, where anybody can put another version in its place; nothing of it is copied into this
repository.

In the browser: [idiomorph](https://github.com/bigskysoftware/idiomorph), under the Zero-Clause BSD licence, in
`src/nevel/web/static/vendor`.
"""

#: What texts and classifiers call a licence, by its identifier.
KNOWN = {
    "MIT License": "MIT",
    "MIT": "MIT",
    "BSD License": "BSD",
    "BSD": "BSD",
    "Apache Software License": "Apache-2.0",
    "GNU Library or Lesser General Public License (LGPL)": "LGPL-2.1",
    "ISC License (ISCL)": "ISC",
}


def licence_of(found: Distribution) -> str:
    """The licence of a distribution: what it says by identifier, or by classifier, or in a word."""
    said = cast(Message, found.metadata)
    if expression := said.get("License-Expression"):
        return expression
    classifiers = [text for text in said.get_all("Classifier", []) if text.startswith("License ::")]
    names = [text.rpartition(":: ")[2] for text in classifiers if not text.endswith("OSI Approved")]
    if names:
        return ", ".join(sorted(KNOWN.get(name, name) for name in names))
    first = (said.get("License") or "").strip().partition("\n")[0]
    assert first, f"{said['Name']} doesn't say which licence it has"
    return KNOWN.get(first, first)


def text() -> str:
    """The page."""
    pinned = re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text("utf-8"), re.MULTILINE)
    versions = {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in pinned}
    lines = [f"| {name} | {versions[name]} | {licence_of(found)} |\n" for name, found in needed_by("nevel").items()]
    return HEADING + "".join(lines) + ENDING


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
