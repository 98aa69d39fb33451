"""The Game and The Game: Extreme: one to five players together against 98 cards and four piles."""

from dataclasses import replace

from nevel.game.spec import GameSpec
from nevel.games.the_game import rules
from nevel.games.the_game.box import EXTREME_SECTIONS, SECTIONS, read_box, read_extreme_box
from nevel.games.the_game.clauses import EXTREME_RULEBOOK, RULEBOOK
from nevel.games.the_game.extreme_words import Extreme
from nevel.games.the_game.rules import extreme, table
from nevel.games.the_game.talk import EXTREME_TALK, TALK
from nevel.games.the_game.words import TheGame
from nevel.languages import mark

SPEC = GameSpec(
    name="the-game",
    title="The Game",
    pitch=mark("Together against the deck: play all 98 cards onto four piles, without telling anyone what you hold."),
    credits="Steffen Benndorf · Nürnberger-Spielkarten-Verlag, White Goblin Games",
    minutes=20,
    usual_seats=2,
    is_cooperative=True,
    score="cards-left",
    score_scale=table.CARDS,
    longest_game=400,
    start_move=table.START,
    can_lose_at_once=True,
    talk=TALK,
    rules=rules,
    rulebook=RULEBOOK,
    vocabulary=TheGame(),
    read_box=read_box,
    box_sections=SECTIONS,
    package=__name__,
    bots=f"{__name__}.bots:BOTS",
    terminal=f"{__name__}.terminal:draw",
    board=f"{__name__}.web.board:BOARD",
    lab=f"{__name__}.lab:LAB",
    study=f"{__name__}.study:STUDY",
    testing=f"{__name__}.testing:TESTING",
    list_position=2,
)

EXTREME = replace(
    SPEC,
    name="extreme",
    title="The Game: Extreme",
    pitch=mark("The Game with commands on 28 cards: stop, skull, silence and more. For when you win too often."),
    credits="Steffen Benndorf, Reinhard Staupe · Nürnberger-Spielkarten-Verlag, White Goblin Games",
    talk=EXTREME_TALK,
    rules=extreme,
    rulebook=EXTREME_RULEBOOK,
    vocabulary=Extreme(),
    read_box=read_extreme_box,
    box_sections=EXTREME_SECTIONS,
    box_file="extreme_box.toml",
    bots=f"{__name__}.bots:EXTREME_BOTS",
    board=f"{__name__}.web.board:EXTREME_BOARD",
    lab=f"{__name__}.lab:EXTREME_LAB",
    study=f"{__name__}.study:EXTREME_STUDY",
    testing=f"{__name__}.testing:EXTREME_TESTING",
    list_position=3,
)
