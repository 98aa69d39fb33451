"""A position of What the Fog?! with a box of somebody's own, in which tokens are so scarce that guessing fails.

Each of the weathers that are seen has a single kind of token left for it, and is guessed to have another one nearly
always: one guess in 10^11 fits.
"""

import nevel
from nevel.game.box import Box
from nevel.game.game import Game
from nevel.games.what_the_fog.box import WEATHERS as NAMES
from nevel.games.what_the_fog.rules.table import DAYS, PAIR_OF, PARTS, PILES, PLACING, ROUNDS

RAIN, SNOW, FOG, CLOUDS, THUNDER, SUN = range(len(NAMES))
#: Which tokens are seen, with their backs; all of each pair.
SEEN = [(RAIN, CLOUDS)] * 10 + [(SNOW, RAIN)] * 11 + [(FOG, SNOW)] * 10
#: The rest, which can have nothing to do with them.
UNSEEN = (THUNDER, SUN)


def scarce_box() -> Box:
    content = Box.of("what-the-fog").content
    tokens = dict.fromkeys(content["tokens"], 0)
    for one, other in [*SEEN, *[UNSEEN] * (45 - len(SEEN))]:
        tokens[f"{NAMES[min(one, other)]}-{NAMES[max(one, other)]}"] += 1
    days = {day: [""] * PARTS for day in content["days"]}
    return Box({**content, "tokens": tokens, "days": days})


def scarce_game(seats: int = 2) -> Game:
    """The last round: the seat that is asked holds one of the last tokens and can lay it on the last day."""
    game = nevel.new("what-the-fog", seats=seats, seed=1, box=scarce_box(), long_game=1)
    s = game.state
    s.round_number, s.days, s.phase = ROUNDS, DAYS, PLACING
    tokens = [(face + 1, back + 1) for face, back in SEEN]
    laid, up, lifted = tokens[: -PILES - 1], tokens[-PILES - 1 : -1], tokens[-1]
    for i, (face, back) in enumerate(laid):
        day, part = divmod(i, PARTS)
        s.day[day, part], s.day_back[day, part] = face, back
        s.filled[day] += 1
    s.under[:], s.supply[:], s.supply_size = 0, 0, 0
    for pile, (face, back) in enumerate(up):
        s.top[pile], s.top_back[pile], s.pile_size[pile] = face, back, 3
        s.under[pile, PAIR_OF[UNSEEN]] = 2
    s.supply[PAIR_OF[UNSEEN]] = s.supply_size = s.pair_count[PAIR_OF[UNSEEN]] - 2 * PILES
    s.lifted, s.lifted_back = lifted
    return game
