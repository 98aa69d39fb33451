"""The result of a game review, as plain data: decisions with their cost, and an account per seat."""

import msgspec


class EvaluatedOption(msgspec.Struct, frozen=True):
    """Something a player could have done, as an expert in their place saw it."""

    #: In the game's notation.
    move: str
    #: The chance to win after it, from 0 to 1, and its standard error.
    chance: float
    error: float
    #: The points to expect after it, as the game counts its result (cards left are below zero).
    points: float


class Decision(msgspec.Struct, frozen=True):
    """One choice of one player."""

    #: How many moves had been made before it: the moment of the replay at which it is to be seen.
    at: int
    seat: int
    #: What was played.
    move: str
    #: Everything that could have been, the best first; hints aren't among them.
    options: tuple[EvaluatedOption, ...]
    #: What the choice cost beside the best, in chance to win and in points; 0 for the best.
    cost: float
    points_cost: float

    @property
    def best(self) -> EvaluatedOption:
        return self.options[0]

    @property
    def chosen(self) -> EvaluatedOption:
        return next(option for option in self.options if option.move == self.move)


class Swing(msgspec.Struct, frozen=True):
    """What one move did to the chances of one seat, and by whom: the three parts make up the whole."""

    you: float
    others: float
    deal: float

    @property
    def whole(self) -> float:
        return self.you + self.others + self.deal


class Account(msgspec.Struct, frozen=True):
    """A game from one seat: its chances over time and what changed them."""

    #: The chance to win at every moment, from before the first move to after the last, as far as this seat could tell;
    #: the last is the result.
    chances: tuple[float, ...]
    #: The chance anybody would have before anything is dealt.
    prior: float
    #: What the first hand made of it; belongs to the deal.
    dealt: float
    #: What every move did.
    swings: tuple[Swing, ...]
    #: From 0 to 100; None for a seat that had nothing to choose.
    accuracy: float | None
    #: Moments worth looking at, the most telling first.
    key_moments: tuple[int, ...]

    @property
    def totals(self) -> Swing:
        """What everyone's choices and the cards did in all: with the prior they make up the result."""
        return Swing(
            sum(swing.you for swing in self.swings),
            sum(swing.others for swing in self.swings),
            self.dealt + sum(swing.deal for swing in self.swings),
        )


class Review(msgspec.Struct, frozen=True):
    """The review of a game for every seat. The same game and number of play-outs give the same review."""

    game: str
    #: How many play-outs stood behind every look.
    playouts: int
    decisions: tuple[Decision, ...]
    #: One for every seat.
    accounts: tuple[Account, ...]
