"""What all tests share: the `clause` marker."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "clause(*ids): the rules this test is about, e.g. clause('FOG-T5')")
