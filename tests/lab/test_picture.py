"""Pictures of a table: every drawing that a scene names is found, shared or a game's own."""

import pytest

from nevel.game import new
from nevel.game.registry import all_games
from nevel.lab.picture import drawing_of
from nevel.lab.scene import Block, scene


def drawings_in(blocks: list[Block]) -> set[str]:
    cells = {cell.drawing for block in blocks for row in block.rows for cell in row if cell.drawing}
    return cells | {block.drawing for block in blocks if block.drawing}


@pytest.mark.parametrize("game", list(all_games()))
def test_every_drawing_of_a_scene_is_found(game: str) -> None:
    table = new(game, seats=2, seed=1)
    for _ in range(6):
        for seat in range(2):
            named = drawings_in(scene(table.view(seat)))
            assert named
            assert {name for name in named if not drawing_of(name)} == set()
        seat = table.waiting_for[0]
        table.play(seat, table.legal_moves(seat)[0])


def test_a_drawing_nobody_has_is_nothing() -> None:
    assert drawing_of("no-such-drawing") == ""
