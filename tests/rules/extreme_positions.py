"""Crafted turns of The Game: Extreme."""

from nevel.games.the_game.rules import extreme
from tests.rules.positions import CHOOSING, START, act, card_on, piles


def table(*hands, **more):
    """A turn of Extreme is about to begin."""
    return piles(hands, game=extreme, **more)


def start(*hands, **more):
    """The first seat takes the first turn."""
    s = table(*hands, phase=CHOOSING, **more)
    act(s, 0, START)
    return s


def play(s, seat, *cards):
    """Play cards, each given with its pile; gives the events of the last."""
    events = []
    for card, pile in cards:
        events = act(s, seat, card_on(card, pile))
    return events
