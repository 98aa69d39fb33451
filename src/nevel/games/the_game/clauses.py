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
        "TG-S2": mark("Before the first card, the players agree who starts; anyone may take the first turn."),
        "TG-T1": mark("You play at least two cards per turn, one at a time."),
        "TG-T2": mark("A card must be higher than the top of a rising pile, or lower than the top of a falling one."),
        "TG-T3": mark(
            "The backwards trick needs a card exactly 10 lower on a rising pile, or 10 higher on a falling one."
        ),
        "TG-T4": mark(
            "At the end of a turn you draw back to the hand size you began it with; then play passes clockwise."
        ),
        "TG-T5": mark("When a turn begins with an empty draw pile, one card is enough."),
        "TG-T6": mark("A player without cards is skipped."),
        "TG-E1": mark("The game ends if a player can't play the minimum at the start of their turn."),
        "TG-E2": mark("The game also ends if a player plays a card and then can't reach the minimum."),
        "TG-E3": mark(
            "The game is over; it is won when all 98 cards are played, and ten or fewer left is a good result."
        ),
        "TG-V1": mark("Experts play at least three cards per turn, or with one card fewer in every hand."),
        "TG-V2": mark("With open tricks, players may say of a pile that they can jump back there."),
        "TG-H1": mark(
            "Nobody may ask for, tell or hint at the exact value of a card; “I can jump back here” would name one."
        ),
        "TG-H2": mark(
            "Hints ask to spare a pile or to take small steps only, or say how good one's start would be; "
            "a referee reads what is said besides, and names."
        ),
        "TG-H3": mark(
            "Nobody has to follow a hint; it stays until whoever gave it takes it back or ends their next turn."
        ),
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
            "A skull must be covered in the same turn; until then you can't end the "
            "turn or play a stop on another pile."
        ),
        "EX-L3": mark("A skull on top of a pile after the last card loses the game."),
        "EX-L4": mark("Three means exactly three cards in this turn: never a fourth, and a stop only as the third."),
        "EX-L5": mark("Playing a three without enough cards to make three loses the game."),
        "EX-L6": mark("A lightning command still on top in a later turn has no effect."),
        "EX-I1": mark(
            "Infinity commands apply to everyone while they are on top, and end as soon as they are covered."
        ),
        "EX-I2": mark("Silence: no chat, no hints, no signs."),
        "EX-I3": mark("No trick: no backwards trick on any pile, not even to cover this card."),
        "EX-I4": mark("One pile: every card goes on the pile of the card before it in the same turn."),
        "EX-I5": mark(
            "Draw one: you draw only one card at the end of a turn. Once it no longer holds, "
            "you fill your hand to its normal size again."
        ),
        "EX-E1": mark("The game is lost if, at the start of a turn, there is no legal way to finish it."),
        "EX-E2": mark(
            "A move that breaks a command is refused; the game is lost if a player can neither play nor end the turn."
        ),
    },
    base=RULEBOOK,
)
