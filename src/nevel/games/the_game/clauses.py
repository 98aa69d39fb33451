"""The clauses of The Game and of The Game: Extreme as sentences for players."""

from nevel.game.clause import Rulebook
from nevel.games.the_game.rules import clauses as codes
from nevel.languages import mark

RULEBOOK = Rulebook(
    codes,
    {
        "TG-B1": mark("One to five players together face 98 cards, 2 to 99, two rising piles and two falling ones."),
        "TG-B2": mark("A hand has eight cards alone, seven with two players, six with three to five."),
        "TG-S1": mark("You play the cards of your own hand; nobody else sees them."),
        "TG-S2": mark("Before the first card the players settle who starts; any player may take the first turn, once."),
        "TG-T1": mark("You play at least two cards a turn, one at a time."),
        "TG-T2": mark("A card must be higher than the top of a rising pile, or lower than the top of a falling one."),
        "TG-T3": mark(
            "The backwards trick needs a card exactly 10 lower on a rising pile, or 10 higher on a falling one."
        ),
        "TG-T4": mark(
            "A turn ends with drawing back to the hand it began with; then the next player's begins, clockwise."
        ),
        "TG-T5": mark("When a turn begins with an empty draw pile, one card is enough."),
        "TG-T6": mark("A player without cards is skipped."),
        "TG-E1": mark("A player who can't play the minimum when their turn begins ends the game."),
        "TG-E2": mark("A player who plays a card and then can't reach the minimum ends the game."),
        "TG-E3": mark(
            "The game is over; it is won when all 98 cards are played, and ten or fewer left is a good result."
        ),
        "TG-V1": mark("Experts play at least three cards a turn, or with one card fewer in every hand."),
        "TG-V2": mark("With open tricks, players may say of a pile that they can jump back there."),
        "TG-H1": mark(
            "Nobody may ask for, tell or hint at the exact value of a card; “I can jump back here” would name one."
        ),
        "TG-H2": mark("Hints ask to spare a pile or to take small steps only, or say how good one's start would be."),
        "TG-H3": mark("A hint binds nobody; it stands until its giver takes it back or ends their next turn."),
    },
)

EXTREME_RULEBOOK = Rulebook(
    codes,
    {
        "EX-B1": mark("Of the 98 cards, 28 carry one of seven commands, four cards each."),
        "EX-B2": mark("Hand sizes and the minimum are those of The Game."),
        "EX-T1": mark("A command on a played card must be carried out in full; all commands of a turn hold together."),
        "EX-H1": mark("You may say which commands you hold, never the value of the card."),
        "EX-L1": mark("Stop ends the turn with this card, even if it is the first."),
        "EX-L2": mark(
            "A skull must be covered in the same turn; until then the turn can't end, nor a stop lie elsewhere."
        ),
        "EX-L3": mark("A skull on top of a pile after the last card loses the game."),
        "EX-L4": mark("Three means exactly three cards in this turn: never a fourth, and a stop only as the third."),
        "EX-L5": mark("Whoever plays a three without enough cards to make three loses the game."),
        "EX-L6": mark("Lightning commands still on top in later turns mean nothing."),
        "EX-I1": mark(
            "Infinity commands hold for everybody while they lie on top, and lapse as soon as they are covered."
        ),
        "EX-I2": mark("Silence: no chat, no hints, no signs."),
        "EX-I3": mark("No trick: no backwards trick on any pile, not even to cover this card."),
        "EX-I4": mark("One pile: every card goes on the pile of the card before it in the same turn."),
        "EX-I5": mark("Draw one: a turn draws a single card; without it, the hand is filled up to its normal size."),
        "EX-E1": mark("A player who has no way to play their turn to a proper end when it begins loses the game."),
        "EX-E2": mark(
            "What breaks a command is refused; a player who can neither play nor end the turn loses the game."
        ),
    },
    base=RULEBOOK,
)
