"""How a game ended for one player, in a sentence about them."""

from nevel.game.event import Teller
from nevel.game.spec import GameSpec
from nevel.game.vocabulary import Outcome
from nevel.languages import mark

#: From the second place on.
PLACES = (mark("You came second"), mark("You came third"), mark("You came fourth"), mark("You came fifth"))


def say_standing(spec: GameSpec, outcome: Outcome, chair: int | None, teller: Teller) -> str:
    """Which place a player took and by how much; nothing where all win together, or for who didn't play."""
    if chair is None or spec.is_cooperative or len(outcome.points) < 2:
        return ""
    own, winners = outcome.points[chair], outcome.winners
    if chair in winners:
        if len(winners) > 1:
            return teller.say(mark("You share the victory."))
        ahead = own - max(points for seat, points in enumerate(outcome.points) if seat != chair)
        if ahead <= 0:
            return teller.say(mark("You win, as close as can be."))
        if spec.score == "rounds":
            return teller.say_count("You win by {count} round.", "You win by {count} rounds.", ahead)
        return teller.say_count("You win by {count} point.", "You win by {count} points.", ahead)
    better = sum([seat in winners or points > own for seat, points in enumerate(outcome.points) if seat != chair])
    place, behind = teller.say(PLACES[better - 1]), outcome.points[winners[0]] - own
    if behind <= 0:
        return f"{place}."
    if spec.score == "rounds":
        gap = teller.say_count(
            "{count} round behind {players}.",
            "{count} rounds behind {players}.",
            behind,
            players=teller.list_names(winners),
        )
    else:
        gap = teller.say_count(
            "{count} point behind {players}.",
            "{count} points behind {players}.",
            behind,
            players=teller.list_names(winners),
        )
    return teller.language.say_pair(place, gap)
