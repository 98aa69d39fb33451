"""What tests of commands share: a terminal that is wide enough."""

import pytest

from nevel.cli import common

WIDTH = 160


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that is looked for is wrapped, whatever terminal the tests are run from and wherever files lie."""
    for console in (common.console, common.errors):
        monkeypatch.setattr(console, "_width", WIDTH)
