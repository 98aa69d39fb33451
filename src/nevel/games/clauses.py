"""Every clause of the rules as a sentence for players."""

from msgspec import Struct

from nevel.languages import Language, mark
from nevel.rules import clauses as codes

SENTENCES = {
    # What the Fog?!
    "FOG-B1": mark("What the Fog?! is for two to five players and lasts four rounds."),
    "FOG-B2": mark("There are 48 cards, eight of each of the six weathers."),
    "FOG-B3": mark("There are 45 tokens with a different weather on each side, three of every pair of weathers."),
    "FOG-B4": mark("There are seven days of four parts; some parts carry a symbol, swap or reveal."),
    "FOG-B5": mark("The barometer counts from 0 to 7, with an arrow for every player."),
    "FOG-S1": mark("Only the days of this round are in play: four in round 1, and one more in every round after it."),
    "FOG-S2": mark("A random token lies on the first part of every day in play, except day 7, which starts empty."),
    "FOG-S3": mark("Three piles have ten tokens each, and only their top sides can be seen; the rest is the supply."),
    "FOG-S4": mark("You play with the cards of your own hand: one more than there are days in play."),
    "FOG-S5": mark("Every arrow starts the round at 0."),
    "FOG-S6": mark("The first starting player is drawn at random; the sun passes to the left every round."),
    "FOG-S7": mark("In the long game no tokens are laid out: every day starts with four empty parts."),
    "FOG-T1": mark("Players take turns clockwise, from the starting player on."),
    "FOG-T2": mark("On your turn you lift the top token of a pile and then lay it on a day."),
    "FOG-T3": mark("Once a token is lifted and the next one shows, the pile can't be changed any more."),
    "FOG-T4": mark("Nobody ever sees the hidden side of a token."),
    "FOG-T5": mark("A token goes on the leftmost empty part of a day; a full day can't be chosen."),
    "FOG-T6": mark(
        "Only when the three piles show the same weather may you put those tokens into the supply before lifting."
    ),
    "FOG-T7": mark("A pile that runs out is made anew from the supply; if that is empty, the pile stays empty."),
    "FOG-T8": mark("A token on a part with a symbol sets off its action at once; the action can't be skipped."),
    "FOG-A1": mark("Swap: only the active player discards a card face up and draws another."),
    "FOG-A2": mark("If the deck is empty, the open discards become a new one; without any, nothing is swapped."),
    "FOG-A3": mark("Reveal: everyone secretly chooses one card, once; then all chosen cards are turned up together."),
    "FOG-A4": mark("A revealed card stays open for the round; it can't be swapped, discarded or revealed again."),
    "FOG-A5": mark("A player without hidden cards skips swap, reveal and discard."),
    "FOG-P1": mark("Predictions are made only when a day has just been completed, after its action."),
    "FOG-P2": mark("Whoever completed the day predicts first, then the others clockwise: one up or pass, once."),
    "FOG-P3": mark("After the predictions it is the turn of the player to the left of the one who completed the day."),
    "FOG-P4": mark("Tokens are laid until all days are full."),
    "FOG-C1": mark("When all days are full, everyone secretly discards one hidden card, once and at the same time."),
    "FOG-C2": mark("Then all remaining cards are laid open and the predictions are noted."),
    "FOG-C3": mark("Your influence on a day counts, for each of its four tokens, your cards of that weather."),
    "FOG-C4": mark("The most influence claims the day, shared if tied, but never with less than 1."),
    "FOG-X1": mark("A prediction that comes true scores itself plus the number of the round."),
    "FOG-X2": mark("A wrong prediction costs the difference between prediction and claims."),
    "FOG-X3": mark("The score sheet has a row a round: predicted, claimed, scored."),
    "FOG-E1": mark("After rounds 1 to 3 everything is cleared and set up again with one more day."),
    "FOG-E2": mark(
        "The game ends after round 4: most points, then most days claimed in round 4, then most cards of one weather."
    ),
    # The Game
    "TG-B1": mark("One to five players together face 98 cards, 2 to 99, two rising piles and two falling ones."),
    "TG-B2": mark("A hand has eight cards alone, seven with two players, six with three to five."),
    "TG-S1": mark("You play the cards of your own hand; nobody else sees them."),
    "TG-S2": mark("Before the first card the players settle who starts; any player may take the first turn, once."),
    "TG-T1": mark("You play at least two cards a turn, one at a time."),
    "TG-T2": mark("A card must be higher than the top of a rising pile, or lower than the top of a falling one."),
    "TG-T3": mark("The backwards trick needs a card exactly 10 lower on a rising pile, or 10 higher on a falling one."),
    "TG-T4": mark("A turn ends with drawing back to the hand it began with; then the next player's begins, clockwise."),
    "TG-T5": mark("When a turn begins with an empty draw pile, one card is enough."),
    "TG-T6": mark("A player without cards is skipped."),
    "TG-E1": mark("A player who can't play the minimum when their turn begins ends the game."),
    "TG-E2": mark("A player who plays a card and then can't reach the minimum ends the game."),
    "TG-E3": mark("The game is over; it is won when all 98 cards are played, and ten or fewer left is a good result."),
    "TG-V1": mark("Experts play at least three cards a turn, or with one card fewer in every hand."),
    "TG-H1": mark("Nobody may ask for, tell or hint at the exact value of a card."),
    "TG-H2": mark("Hints ask to spare a pile, announce a jump back, or say how good one's start would be."),
    "TG-H3": mark("A hint binds nobody; it stands until its giver takes it back or ends their next turn."),
    # The Game: Extreme
    "EX-B1": mark("Of the 98 cards, 28 carry one of seven commands, four cards each."),
    "EX-B2": mark("Hand sizes and the minimum are those of The Game."),
    "EX-T1": mark("A command on a played card must be carried out in full; all commands of a turn hold together."),
    "EX-H1": mark("You may say which commands you hold, never the value of the card."),
    "EX-L1": mark("Stop ends the turn with this card, even if it is the first."),
    "EX-L2": mark("A skull must be covered in the same turn; until then the turn can't end, nor a stop lie elsewhere."),
    "EX-L3": mark("A skull on top of a pile after the last card loses the game."),
    "EX-L4": mark("Three means exactly three cards in this turn: never a fourth, and a stop only as the third."),
    "EX-L5": mark("Whoever plays a three without enough cards to make three loses the game."),
    "EX-L6": mark("Lightning commands still on top in later turns mean nothing."),
    "EX-I1": mark("Infinity commands hold for everybody while they lie on top, and lapse as soon as they are covered."),
    "EX-I2": mark("Silence: no chat, no hints, no signs."),
    "EX-I3": mark("No trick: no backwards trick on any pile, not even to cover this card."),
    "EX-I4": mark("One pile: every card goes on the pile of the card before it in the same turn."),
    "EX-I5": mark("Draw one: a turn draws a single card; without it, the hand is filled up to its normal size."),
    "EX-E1": mark("A player who has no way to play their turn to a proper end when it begins loses the game."),
    "EX-E2": mark("What breaks a command is refused; a player who can neither play nor end the turn loses the game."),
    # Misty
    "MI-B1": mark("Misty is for two to four players and has 54 cards."),
    "MI-B2": mark("Arrows point up, down, left or right, never diagonally."),
    "MI-S1": mark("You pick from your own hand: six cards nobody else sees; the rest of the pack is put aside."),
    "MI-T1": mark("Everyone secretly picks one card; when all have picked, the cards are turned up and placed."),
    "MI-T2": mark("The remaining hands pass to the left until they are used up and six cards lie in every window."),
    "MI-T3": mark("Then everyone gets six new cards, and the hands pass to the right."),
    "MI-T4": mark("A card must touch one already there, also diagonally, and never lies on another."),
    "MI-T5": mark("A window is three wide and four high, or four wide and three high."),
    "MI-T6": mark("All cards lie upright, with their arrows as printed."),
    "MI-V1": mark("Beginners build three by three, from three deals of three cards passed left, right, left."),
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
    "MI-X4": mark("The best window wins the round, ties included; two rounds won win the game."),
}


class Clause(Struct, frozen=True):
    """One numbered rule."""

    id: str
    code: int

    def sentence(self, language: Language) -> str:
        """The rule in a player's words."""
        return language.say(SENTENCES[self.id])


CLAUSES = {name: Clause(name, getattr(codes, name.replace("-", "_"))) for name in SENTENCES}
BY_CODE = {clause.code: clause for clause in CLAUSES.values()}

#: The clauses that are a game's rulebook. Extreme's begins with The Game's.
RULEBOOKS = {
    "what-the-fog": ("FOG-",),
    "the-game": ("TG-",),
    "extreme": ("TG-", "EX-"),
    "misty": ("MI-",),
}


def rulebook(game: str) -> list[Clause]:
    """A game's clauses in order."""
    return [clause for clause in CLAUSES.values() if clause.id.startswith(RULEBOOKS[game])]
