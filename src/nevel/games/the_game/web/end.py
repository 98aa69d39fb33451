"""The end of The Game on the page: how the piles went, and the cards nobody could play."""

from nevel.game.event import Teller
from nevel.games.the_game.events import PILES, pile_name
from nevel.games.the_game.rules.table import FIRST_FALLING
from nevel.web.rendering.fragment import Fragment, Values

FIRST_TOP, LAST_TOP = 1, 100
#: Cards in the game.
FULL = 98


class Journeys(Fragment, frozen=True):
    """How each pile went: its top after every card that was played."""

    template = "the-game/journeys.html"
    played: tuple[tuple[str, int], ...]

    def fill(self, teller: Teller) -> Values:
        return {"journeys": [self.draw(number, name, teller) for number, name in enumerate(PILES)]}

    def draw(self, number: int, name: str, teller: Teller) -> Values:
        is_rising = number < FIRST_FALLING
        first = FIRST_TOP if is_rising else LAST_TOP
        laid = [(at, card) for at, (pile, card) in enumerate(self.played, 1) if pile == name]
        # A pile stays as it is until the next card: a line of steps.
        steps = [f"M0 {LAST_TOP - first}", *(f"H{at}V{LAST_TOP - card}" for at, card in laid), f"H{FULL}"]
        return {"title": pile_name(name, teller), "is_rising": is_rising, "path": "".join(steps)}


class LeftOver(Fragment, frozen=True):
    """The cards nobody could play any more, by seat."""

    template = "the-game/left-over.html"
    hands: tuple[tuple[int, tuple[int, ...]], ...]

    def fill(self, teller: Teller) -> Values:
        return {"hands": [{"name": teller.name(seat), "cards": cards} for seat, cards in self.hands]}
