"""Liar's dice does what every game of Nevel has to do."""

from nevel.testing import Conformance


class TestLiarsDice(Conformance):
    game = "liars-dice"
