"""What happens in What the Fog?!, as events with a sentence each."""

from nevel.game.event import ChosenInSecret, Event, Teller
from nevel.game.staging import Step
from nevel.games.what_the_fog import staged
from nevel.games.what_the_fog.clauses import RULEBOOK
from nevel.languages import mark

WEATHER_NAMES = {
    "rain": mark("rain"),
    "snow": mark("snow"),
    "fog": mark("fog"),
    "clouds": mark("clouds"),
    "thunder": mark("thunder"),
    "sun": mark("sun"),
}
CARD_NAMES = {
    "rain": mark("rain card"),
    "snow": mark("snow card"),
    "fog": mark("fog card"),
    "clouds": mark("clouds card"),
    "thunder": mark("thunder card"),
    "sun": mark("sun card"),
}
TOKEN_NAMES = {
    "rain": mark("rain token"),
    "snow": mark("snow token"),
    "fog": mark("fog token"),
    "clouds": mark("clouds token"),
    "thunder": mark("thunder token"),
    "sun": mark("sun token"),
}


def list_cards(cards: dict[str, int], teller: Teller) -> str:
    """Cards by weather: 2 rain, 1 sun."""
    return ", ".join(f"{count} {teller.say(WEATHER_NAMES[weather])}" for weather, count in cards.items())


class RoundBegan(Event, frozen=True):
    round: int
    days: int
    starter: int

    @property
    def steps(self) -> tuple[Step, ...]:
        return staged.begin_round(self.round)

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("Round {round} begins with {days} days. {player} has the sun and starts."),
            round=self.round,
            days=self.days,
            player=teller.name(self.starter),
        )


class LaidOut(Event, frozen=True):
    """A token laid out on part 1 of a day before anyone plays."""

    day: int
    weather: str

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("Day {day} starts with a {token}."), day=self.day, token=teller.say(TOKEN_NAMES[self.weather])
        )


class CameUp(Event, frozen=True):
    pile: int
    weather: str | None
    size: int

    @property
    def steps(self) -> tuple[Step, ...]:
        return staged.come_up(self.pile)

    def tell(self, teller: Teller) -> str:
        if self.weather is None:
            return teller.say(mark("Pile {pile} is empty."), pile=self.pile)
        return teller.say(
            mark("Pile {pile} shows a {token}."), pile=self.pile, token=teller.say(TOKEN_NAMES[self.weather])
        )


class Hand(Event, frozen=True):
    seat: int
    cards: dict[str, int]

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("Your hand: {cards}."), cards=list_cards(self.cards, teller))


class Lifted(Event, frozen=True):
    seat: int
    pile: int
    weather: str

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("{player} lifts the {token} of pile {pile}."),
            player=teller.name(self.seat),
            token=teller.say(TOKEN_NAMES[self.weather]),
            pile=self.pile,
        )


class Returned(Event, frozen=True):
    seat: int
    weather: str

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("{player} returns the three matching tokens ({weather}) to the supply."),
            player=teller.name(self.seat),
            weather=teller.say(WEATHER_NAMES[self.weather]),
        )


class PileRenewed(Event, frozen=True):
    pile: int
    size: int
    supply: int

    def tell(self, teller: Teller) -> str:
        return teller.say_count(
            "Pile {pile} is refilled with {count} token from the supply.",
            "Pile {pile} is refilled with {count} tokens from the supply.",
            self.size,
            pile=self.pile,
        )


class Placed(Event, frozen=True):
    seat: int
    day: int
    part: int
    weather: str

    @property
    def steps(self) -> tuple[Step, ...]:
        return staged.place(self.day, self.part)

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("{player} lays the {token} on day {day}, part {part}."),
            player=teller.name(self.seat),
            token=teller.say(TOKEN_NAMES[self.weather]),
            day=self.day,
            part=self.part,
        )


class Swapped(Event, frozen=True):
    seat: int
    weather: str
    deck: int

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("{player} discards a {card} and draws another card."),
            player=teller.name(self.seat),
            card=teller.say(CARD_NAMES[self.weather]),
        )


class SwapDrawn(Event, frozen=True):
    seat: int
    weather: str

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("You draw a {card}."), card=teller.say(CARD_NAMES[self.weather]))


class SwapSkipped(Event, frozen=True):
    seat: int

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("{player} has nothing to swap."), player=teller.name(self.seat))


class DeckRenewed(Event, frozen=True):
    deck: int

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("The face-up discards become the new deck."))


class RevealCalled(Event, frozen=True):
    seat: int

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("Everyone chooses a card to reveal."))


class RevealChosen(ChosenInSecret, frozen=True):
    def tell(self, teller: Teller) -> str:
        return teller.say(mark("{player} has chosen."), player=teller.name(self.seat))


class RevealReady(Event, frozen=True):
    seat: int
    weather: str

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("You will reveal a {card}."), card=teller.say(CARD_NAMES[self.weather]))


class Revealed(Event, frozen=True):
    seat: int
    weather: str

    @property
    def steps(self) -> tuple[Step, ...]:
        return staged.reveal(self.seat, self.weather)

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("{player} reveals a {card}."),
            player=teller.name(self.seat),
            card=teller.say(CARD_NAMES[self.weather]),
        )


class DayCompleted(Event, frozen=True):
    day: int
    seat: int

    @property
    def steps(self) -> tuple[Step, ...]:
        return staged.complete(self.day)

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("Day {day} is complete. {player} takes the cloud and predicts first."),
            day=self.day,
            player=teller.name(self.seat),
        )


class Predicted(Event, frozen=True):
    seat: int
    prediction: int
    is_raise: bool

    @property
    def steps(self) -> tuple[Step, ...]:
        return staged.predict(self.seat, self.prediction, self.is_raise)

    def tell(self, teller: Teller) -> str:
        message = (
            mark("{player} raises the prediction to {prediction}.")
            if self.is_raise
            else mark("{player} passes and stays at {prediction}.")
        )
        return teller.say(message, player=teller.name(self.seat), prediction=self.prediction)


class DiscardCalled(Event, frozen=True):
    @property
    def steps(self) -> tuple[Step, ...]:
        return staged.CALL_FOR_DISCARDS

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("All days are full. Everyone discards one hidden card, face down."))


class DiscardChosen(ChosenInSecret, frozen=True):
    def tell(self, teller: Teller) -> str:
        return teller.say(mark("{player} has discarded."), player=teller.name(self.seat))


class DiscardReady(Event, frozen=True):
    seat: int
    weather: str

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("You discard a {card}."), card=teller.say(CARD_NAMES[self.weather]))


class LaidOpen(Event, frozen=True):
    seat: int
    cards: dict[str, int]

    @property
    def steps(self) -> tuple[Step, ...]:
        return staged.lay_open(self.seat)

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("{player} turns face up: {cards}."),
            player=teller.name(self.seat),
            cards=list_cards(self.cards, teller),
        )


class DayCounted(Event, frozen=True):
    """Everybody's influence on a day, seat by seat, and its four tokens."""

    day: int
    tokens: list[str]
    influence: list[int]

    @property
    def steps(self) -> tuple[Step, ...]:
        return staged.count(self.day, self.influence)

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("Day {day} ({tokens}): {influence}."),
            day=self.day,
            tokens=", ".join(teller.say(WEATHER_NAMES[weather]) for weather in self.tokens),
            influence=", ".join(f"{teller.name(seat)} {points}" for seat, points in enumerate(self.influence)),
        )


class DayClaimed(Event, frozen=True):
    day: int
    seats: list[int]
    influence: int

    @property
    def steps(self) -> tuple[Step, ...]:
        return staged.claim(self.day, self.seats)

    def tell(self, teller: Teller) -> str:
        return teller.say_count(
            "{players} claims day {day} with {influence}.",
            "{players} claim day {day} together with {influence} each.",
            len(self.seats),
            players=teller.list_names(self.seats),
            day=self.day,
            influence=self.influence,
        )


class Scored(Event, frozen=True):
    seat: int
    round: int
    predicted: int
    claimed: int
    score: int

    @property
    def steps(self) -> tuple[Step, ...]:
        return staged.score(self.seat, self.predicted, self.claimed, self.score)

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("{player} predicted {predicted}, claimed {claimed}: {score}."),
            player=teller.name(self.seat),
            predicted=self.predicted,
            claimed=self.claimed,
            score=f"{self.score:+d}".replace("-", "\N{MINUS SIGN}"),
        )


class Ended(Event, frozen=True):
    clause: str

    def tell(self, teller: Teller) -> str:
        return f"{RULEBOOK[self.clause].sentence(teller.language)} ({self.clause})"
