"""The clauses of What the Fog?! as sentences for players."""

from nevel.game.clause import Rulebook
from nevel.games.what_the_fog.rules import clauses as codes
from nevel.languages import mark

RULEBOOK = Rulebook(
    codes,
    {
        "FOG-B1": mark("What the Fog?! is for two to five players and lasts four rounds."),
        "FOG-B2": mark("There are 48 cards, eight of each of the six weather types."),
        "FOG-B3": mark("There are 45 tokens with a different weather type on each side, three of every pair."),
        "FOG-B4": mark("There are seven days of four parts; some parts have an action symbol: swap or reveal."),
        "FOG-B5": mark("The barometer counts from 0 to 7, with an arrow for every player."),
        "FOG-S1": mark("Only the days of this round are in play: four in round 1, and one more each round."),
        "FOG-S2": mark(
            "A random token is placed on the first part of every day in play, except day 7, which starts empty."
        ),
        "FOG-S3": mark(
            "Three piles have ten tokens each, and only their top sides can be seen; the rest is the supply."
        ),
        "FOG-S4": mark("You play with the cards of your own hand: one more than there are days in play."),
        "FOG-S5": mark("Every arrow starts the round at 0."),
        "FOG-S6": mark("The first starting player is drawn at random; the sun passes to the left every round."),
        "FOG-S7": mark("In the long game no tokens are laid out: every day starts with four empty parts."),
        "FOG-T1": mark("Players take turns clockwise, from the starting player on."),
        "FOG-T2": mark("On your turn you lift the top token of a pile, then place it on a day."),
        "FOG-T3": mark(
            "Once you have lifted a token and seen the next one, you can't choose another pile or take the lift back."
        ),
        "FOG-T4": mark("Nobody ever sees the hidden side of a token."),
        "FOG-T5": mark("A token goes on the leftmost empty part of a day; a full day can't be chosen."),
        "FOG-T6": mark(
            "You may return the three tokens to the supply before lifting only if all "
            "three piles show the same weather."
        ),
        "FOG-T7": mark(
            "A pile that runs out is refilled from the supply; if the supply is empty, the pile stays empty."
        ),
        "FOG-T8": mark("A token placed on a symbol triggers its action immediately; the action is mandatory."),
        "FOG-A1": mark("Swap: only the active player discards a card face up and draws another."),
        "FOG-A2": mark(
            "If the deck is empty, the face-up discards form a new one; if there are none, nothing is swapped."
        ),
        "FOG-A3": mark(
            "Reveal: everyone secretly chooses one card, once; then all chosen cards are turned up together."
        ),
        "FOG-A4": mark(
            "A revealed card stays face up for the rest of the round; it can't be swapped, discarded or revealed again."
        ),
        "FOG-A5": mark("A player without hidden cards skips swap, reveal and discard."),
        "FOG-P1": mark("Predictions are made only when a day has just been completed, after its action."),
        "FOG-P2": mark(
            "Whoever completed the day predicts first, then the others clockwise: raise by one or pass, once each."
        ),
        "FOG-P3": mark("After the predictions, play passes to the left of whoever completed the day."),
        "FOG-P4": mark("Tokens are placed until all days are full."),
        "FOG-C1": mark(
            "When all days are full, everyone secretly discards one hidden card, once and at the same time."
        ),
        "FOG-C2": mark("Then all remaining cards are placed face up and the predictions are noted."),
        "FOG-C3": mark("Your influence on a day counts, for each of its four tokens, your cards of that weather."),
        "FOG-C4": mark("Whoever has the most influence (at least 1) claims the day; tied players all claim it."),
        "FOG-X1": mark("A correct prediction scores its value plus the round number."),
        "FOG-X2": mark("A wrong prediction costs the difference between prediction and claims."),
        "FOG-X3": mark("The score sheet has a row per round: predicted, claimed, scored."),
        "FOG-E1": mark("After rounds 1 to 3 everything is cleared and set up again with one more day."),
        "FOG-E2": mark(
            "The game ends after round 4: most points, then most days claimed in round 4, then most cards of one "
            "weather."
        ),
    },
)
