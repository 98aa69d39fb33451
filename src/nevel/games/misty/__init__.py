"""Misty: two to four players draft cards, build a window each and set it in motion."""

from nevel.game.spec import GameSpec
from nevel.games.misty import rules
from nevel.games.misty.box import SECTIONS, read_box
from nevel.games.misty.clauses import RULEBOOK
from nevel.games.misty.words import Misty
from nevel.languages import mark

SPEC = GameSpec(
    name="misty",
    title="Misty",
    pitch=mark("Draw on a misted window, then watch your drawings move and wipe each other out."),
    credits="Florian Fay · Helvetiq",
    minutes=20,
    usual_seats=3,
    is_simultaneous=True,
    score="rounds",
    longest_game=1500,
    rules=rules,
    rulebook=RULEBOOK,
    vocabulary=Misty(),
    read_box=read_box,
    box_sections=SECTIONS,
    package=__name__,
    bots=f"{__name__}.bots:BOTS",
    terminal=f"{__name__}.terminal:draw",
    board=f"{__name__}.web.board:BOARD",
    lab=f"{__name__}.lab:LAB",
    study=f"{__name__}.study:STUDY",
    testing=f"{__name__}.testing:TESTING",
    list_position=4,
)
