"""What happens in liar's dice, as events that tell themselves."""

from nevel.game.event import Event, Teller
from nevel.languages import mark


class Rolled(Event, frozen=True):
    round: int
    seat: int

    def tell(self, teller: Teller) -> str:
        message = mark("Round {round}: everybody rolls, {player} begins.")
        return teller.say(message, round=self.round, player=teller.name(self.seat))


class Hand(Event, frozen=True):
    seat: int
    dice: list[int]

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("Under your cup: {dice}."), dice=" ".join(map(str, self.dice)))


class Bid(Event, frozen=True):
    seat: int
    count: int
    face: int

    def tell(self, teller: Teller) -> str:
        message = mark("{player} bids {count} × {face}.")
        return teller.say(message, player=teller.name(self.seat), count=self.count, face=self.face)


class Challenged(Event, frozen=True):
    seat: int
    bidder: int

    def tell(self, teller: Teller) -> str:
        message = mark("{player} calls {bidder} a liar.")
        return teller.say(message, player=teller.name(self.seat), bidder=teller.name(self.bidder))


class Shown(Event, frozen=True):
    seat: int
    dice: list[int]

    def tell(self, teller: Teller) -> str:
        message = mark("{player} shows {dice}.")
        return teller.say(message, player=teller.name(self.seat), dice=" ".join(map(str, self.dice)))


class Lost(Event, frozen=True):
    seat: int
    left: int
    found: int
    face: int

    def tell(self, teller: Teller) -> str:
        there = teller.say_count(
            "There is {count} die with {face}", "There are {count} dice with {face}", self.found, face=self.face
        )
        message = mark("{there}: {player} loses a die.") if self.left else mark("{there}: {player} loses the last die.")
        return teller.say(message, there=there, player=teller.name(self.seat))


class Ended(Event, frozen=True):
    clause: str

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("The game is over."))
