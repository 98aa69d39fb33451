"""What the Fog?! with a box of somebody's own, by which all cards are revealed before anybody gives one up.

Then a round is counted at its last prediction, and nothing is asked in between.
"""

from collections.abc import Iterator

import nevel
from nevel.game.box import Box
from nevel.game.game import Game
from nevel.games.what_the_fog.rules.table import PARTS, PREDICTING


def revealing_game(seats: int) -> Game:
    content = Box.of("what-the-fog").content
    box = Box({**content, "days": {day: ["reveal"] * PARTS for day in content["days"]}})
    return nevel.new("what-the-fog", seats=seats, seed=1, box=box)


def last_predictions(game: Game) -> Iterator[int]:
    """Play first moves to the end; tells whoever is asked for the last prediction of a round, before it is made."""
    while not game.is_over:
        prompt, s = game.prompts()[0], game.state
        if s.phase == PREDICTING and (s.filled[: s.days] == PARTS).all():
            assert not s.held.any()
            yield prompt.seat
        game.play(prompt.seat, prompt.moves[0])
