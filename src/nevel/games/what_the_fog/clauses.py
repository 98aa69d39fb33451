"""The clauses of What the Fog?! as sentences for players."""

from nevel.game.clause import Rulebook
from nevel.games.what_the_fog.rules import clauses as codes
from nevel.languages import mark

RULEBOOK = Rulebook(
    codes,
    {
        "FOG-B1": mark("What the Fog?! is for two to five players and lasts four rounds."),
        "FOG-B2": mark("There are 48 cards, eight of each of the six weathers."),
        "FOG-B3": mark("There are 45 tokens with a different weather on each side, three of every pair of weathers."),
        "FOG-B4": mark("There are seven days of four parts; some parts carry a symbol, swap or reveal."),
        "FOG-B5": mark("The barometer counts from 0 to 7, with an arrow for every player."),
        "FOG-S1": mark(
            "Only the days of this round are in play: four in round 1, and one more in every round after it."
        ),
        "FOG-S2": mark("A random token lies on the first part of every day in play, except day 7, which starts empty."),
        "FOG-S3": mark(
            "Three piles have ten tokens each, and only their top sides can be seen; the rest is the supply."
        ),
        "FOG-S4": mark("You play with the cards of your own hand: one more than there are days in play."),
        "FOG-S5": mark("Every arrow starts the round at 0."),
        "FOG-S6": mark("The first starting player is drawn at random; the sun passes to the left every round."),
        "FOG-S7": mark("In the long game no tokens are laid out: every day starts with four empty parts."),
        "FOG-T1": mark("Players take turns clockwise, from the starting player on."),
        "FOG-T2": mark("On your turn you lift the top token of a pile and then lay it on a day."),
        "FOG-T3": mark(
            "Once a token is lifted and the next one shows, the pile can't be changed: a lift is never taken back."
        ),
        "FOG-T4": mark("Nobody ever sees the hidden side of a token."),
        "FOG-T5": mark("A token goes on the leftmost empty part of a day; a full day can't be chosen."),
        "FOG-T6": mark(
            "Only when the three piles show the same weather may you put those tokens into the supply before lifting."
        ),
        "FOG-T7": mark("A pile that runs out is made anew from the supply; if that is empty, the pile stays empty."),
        "FOG-T8": mark("A token on a part with a symbol sets off its action at once; the action can't be skipped."),
        "FOG-A1": mark("Swap: only the active player discards a card face up and draws another."),
        "FOG-A2": mark("If the deck is empty, the open discards become a new one; without any, nothing is swapped."),
        "FOG-A3": mark(
            "Reveal: everyone secretly chooses one card, once; then all chosen cards are turned up together."
        ),
        "FOG-A4": mark("A revealed card stays open for the round; it can't be swapped, discarded or revealed again."),
        "FOG-A5": mark("A player without hidden cards skips swap, reveal and discard."),
        "FOG-P1": mark("Predictions are made only when a day has just been completed, after its action."),
        "FOG-P2": mark("Whoever completed the day predicts first, then the others clockwise: one up or pass, once."),
        "FOG-P3": mark(
            "After the predictions it is the turn of the player to the left of the one who completed the day."
        ),
        "FOG-P4": mark("Tokens are laid until all days are full."),
        "FOG-C1": mark(
            "When all days are full, everyone secretly discards one hidden card, once and at the same time."
        ),
        "FOG-C2": mark("Then all remaining cards are laid open and the predictions are noted."),
        "FOG-C3": mark("Your influence on a day counts, for each of its four tokens, your cards of that weather."),
        "FOG-C4": mark("The most influence claims the day, shared if tied, but never with less than 1."),
        "FOG-X1": mark("A prediction that comes true scores itself plus the number of the round."),
        "FOG-X2": mark("A wrong prediction costs the difference between prediction and claims."),
        "FOG-X3": mark("The score sheet has a row a round: predicted, claimed, scored."),
        "FOG-E1": mark("After rounds 1 to 3 everything is cleared and set up again with one more day."),
        "FOG-E2": mark(
            "The game ends after round 4: most points, then most days claimed in round 4, then most cards of one "
            "weather."
        ),
    },
)
