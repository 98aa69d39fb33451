"""The board of The Game and Extreme: fog that follows from lost numbers, piles as thick as their cards, its moments."""

from nevel.games.the_game.box import COMMANDS
from nevel.games.the_game.events import LIGHTNING, Commanded, Played
from nevel.games.the_game.web.board import PileFragment
from tests.web.sitting import Sitting


def test_the_fog_never_gets_thinner_but_by_a_jump_back() -> None:
    sitting = Sitting("the-game", 3, "fog")
    before = -1
    for _ in sitting.moments():
        marks = sitting.parts(None).marks
        (fog,) = [int(mark[-1]) for mark in marks if mark.startswith("fog-")]
        last = sitting.game.log[-1].events if sitting.game.log else ()
        assert fog >= before or any(isinstance(event, Played) and event.is_trick for _, event in last)
        before = fog
    assert before > 0
    assert "is-lost" in sitting.parts(None).marks


def test_a_pile_is_as_high_as_its_number_and_as_thick_as_its_cards() -> None:
    sitting = Sitting("the-game", 2, "piles")
    for _ in sitting.moments():
        piles = sitting.fragments(None, PileFragment)
        assert [int(pile.height) for pile in piles] == [pile.top for pile in sitting.board.piles]
        assert sum(int(pile.cards) for pile in piles) == 98 - sitting.board.cards_left


def test_a_long_step_costs_fog_and_a_jump_back_clears_it() -> None:
    looks = {
        card: [step.look for step in Played(0, card, "up1", 40, is_trick=card == 30).steps if step.look]
        for card in (42, 75, 30)
    }
    assert looks == {42: [], 75: ["fogged"], 30: ["jumped", "cleared"]}
    assert [Played(0, card, "up1", 40, card == 30).steps[0].sound for card in looks] == ["tick", "thud", "flourish"]


def test_every_command_is_read_out_and_lightning_strikes() -> None:
    for command in COMMANDS:
        first, *rest = Commanded(1, command, "down2").steps
        assert (first.do, first.drawing) == ("announce", f"command-{command}")
        assert any(step.look == "called" and step.on == "top-down2" for step in rest)
        assert any(step.look == "struck" for step in rest) == (command in LIGHTNING)
