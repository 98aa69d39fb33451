"""The clauses of Misty as sentences for players."""

from nevel.game.clause import Rulebook
from nevel.games.misty.rules import clauses as codes
from nevel.languages import mark

RULEBOOK = Rulebook(
    codes,
    {
        "MI-B1": mark("Misty is for two to four players and has 54 cards."),
        "MI-B2": mark("Arrows point up, down, left or right, never diagonally."),
        "MI-S1": mark("You pick from your own hand: six cards nobody else sees. The rest of the deck is set aside."),
        "MI-T1": mark("Everyone secretly picks one card; when all have picked, the cards are turned up and placed."),
        "MI-T2": mark("The remaining hands pass to the left until every window has six cards."),
        "MI-T3": mark("Then everyone gets six new cards, and the hands pass to the right."),
        "MI-T4": mark("A card must touch one already there (diagonally counts) and can't go on top of another."),
        "MI-T5": mark("A window is three wide and four high, or four wide and three high."),
        "MI-T6": mark("Cards are placed upright; arrows can't be turned."),
        "MI-V1": mark("Beginners build three by three: three deals of three cards, passed left, right, then left."),
        "MI-A1": mark("When all windows are full, everyone activates their own at the same time."),
        "MI-A2": mark("In an order you choose, every arrow card that isn't covered moves one space, once."),
        "MI-A3": mark("A card that moves onto another covers it, and a covered card doesn't move any more."),
        "MI-A4": mark("A card that leaves the window is out of the game."),
        "MI-A5": mark("A card without an arrow doesn't move, but can be covered."),
        "MI-A6": mark("When all have moved, every uncovered monster eats an uncovered flower and takes its place."),
        "MI-A7": mark("A covered monster eats nothing, and a covered flower isn't eaten."),
        "MI-X1": mark("An empty space scores nothing; a space with several cards is blurred and wiped clean."),
        "MI-X2": mark("A flower scores 2, every other card 1, the monster too."),
        "MI-X3": mark("Every pair of smiles side by side scores 1 extra."),
        "MI-X4": mark(
            "The best window wins the round; tied players all win it. The first to win two rounds wins the game."
        ),
    },
)
