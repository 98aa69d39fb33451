"""Liar's dice, the traditional game of bids and bluffs, for two to five players: an example of a game for Nevel."""

from nevel.game.box import Box
from nevel.game.boxes.sheet import BoxField, BoxRow, BoxSection, Wording
from nevel.game.spec import GameSpec
from nevel.languages import mark

from liars_dice import rules
from liars_dice.words import RULEBOOK, LiarsDice


def read_box(box: Box) -> list[int]:
    """The box says how many dice everybody begins with."""
    return [box.whole_number("dice", box.content.get("dice"), 1, rules.MOST_DICE // rules.SEATS[1])]


SECTIONS = (
    BoxSection(
        key="dice",
        clause="LD-S1",
        title=mark("Dice in every cup"),
        source=mark("As most people play it."),
        columns=(Wording(mark("Dice")),),
        rows=(BoxRow(Wording(mark("Every player")), (BoxField("dice", 1, rules.MOST_DICE // rules.SEATS[1]),)),),
    ),
)

SPEC = GameSpec(
    name="liars-dice",
    title="Liar's Dice",
    pitch=mark("Bid on what lies under all cups, and call out the liar."),
    credits="traditional",
    minutes=10,
    usual_seats=3,
    # With n dice on the table there are at most 6 n bids before somebody has to doubt one.
    longest_game=sum(rules.FACES * dice + 1 for dice in range(2, rules.MOST_DICE + 1)),
    rules=rules,
    rulebook=RULEBOOK,
    vocabulary=LiarsDice(),
    read_box=read_box,
    box_sections=SECTIONS,
    package=__name__,
    bots=f"{__name__}.bots:BOTS",
    terminal=f"{__name__}.terminal:draw",
    board=f"{__name__}.web.board:BOARD",
    lab=f"{__name__}.lab:LAB",
)
