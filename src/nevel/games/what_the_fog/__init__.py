"""What the Fog?!: two to five players lay the weather of a week and predict how many days they will claim."""

from nevel.game.spec import GameSpec
from nevel.games.what_the_fog import rules
from nevel.games.what_the_fog.box import SECTIONS, read_box
from nevel.games.what_the_fog.clauses import RULEBOOK
from nevel.games.what_the_fog.words import WhatTheFog
from nevel.languages import mark

SPEC = GameSpec(
    name="what-the-fog",
    title="What the Fog?!",
    pitch=mark("Make the weather of the week, and predict how many days will be yours."),
    credits="Leo Colovini · 999 Games",
    minutes=45,
    usual_seats=3,
    is_simultaneous=True,
    longest_game=1200,
    rules=rules,
    rulebook=RULEBOOK,
    vocabulary=WhatTheFog(),
    read_box=read_box,
    box_sections=SECTIONS,
    package=__name__,
    bots=f"{__name__}.bots:BOTS",
    terminal=f"{__name__}.terminal:draw",
    board=f"{__name__}.web.board:BOARD",
    lab=f"{__name__}.lab:LAB",
    study=f"{__name__}.study:STUDY",
    testing=f"{__name__}.testing:TESTING",
    list_position=1,
)
