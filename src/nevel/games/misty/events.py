"""What happens in Misty, as events with a sentence each."""

from nevel.game.event import ChosenInSecret, Event, Teller
from nevel.game.staging import Step
from nevel.games.misty.clauses import RULEBOOK
from nevel.languages import mark

KIND_NAMES = {
    "rocket": mark("rocket"),
    "balloon": mark("balloon"),
    "leaf": mark("leaf"),
    "raindrop": mark("raindrop"),
    "truck": mark("truck"),
    "scooter": mark("scooter"),
    "tractor": mark("tractor"),
    "unicycle": mark("unicycle"),
    "heart": mark("heart"),
    "star": mark("star"),
    "house": mark("house"),
    "smile": mark("smile"),
    "flower": mark("flower"),
    "monster": mark("monster"),
    "rocket-2": mark("rocket (turned)"),
    "balloon-2": mark("balloon (turned)"),
    "leaf-2": mark("leaf (turned)"),
    "raindrop-2": mark("raindrop (turned)"),
    "truck-2": mark("truck (turned)"),
    "scooter-2": mark("scooter (turned)"),
    "tractor-2": mark("tractor (turned)"),
    "unicycle-2": mark("unicycle (turned)"),
    "heart-2": mark("heart (turned)"),
    "star-2": mark("star (turned)"),
    "house-2": mark("house (turned)"),
}


def scene_of(seat: int) -> str:
    """The place on which this player's window is played when a round is counted."""
    return f"play-{seat}"


def actor(seat: int, space: str) -> str:
    """The card that was built on a space, where its window is played."""
    return f"actor-{seat}-{space}"


def list_cards(cards: dict[str, int], teller: Teller) -> str:
    """Cards by kind: rocket, 2 × smile."""
    names = {kind: teller.say(KIND_NAMES[kind]) for kind in cards}
    return ", ".join(names[kind] if count == 1 else f"{count} × {names[kind]}" for kind, count in cards.items())


class RoundBegan(Event, frozen=True):
    round: int

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("Round {round} begins."), round=self.round)


class HandsDealt(Event, frozen=True):
    deal: int
    cards: int
    passes_left: bool

    def tell(self, teller: Teller) -> str:
        message = (
            mark("Everyone gets {cards} cards; hands pass to the left.")
            if self.passes_left
            else mark("Everyone gets {cards} cards; hands pass to the right.")
        )
        return teller.say(message, cards=self.cards)


class Hand(Event, frozen=True):
    seat: int
    cards: dict[str, int]

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("Your hand: {cards}."), cards=list_cards(self.cards, teller))


class PickChosen(ChosenInSecret, frozen=True):
    def tell(self, teller: Teller) -> str:
        return teller.say(mark("{player} has picked."), player=teller.name(self.seat))


class PickReady(Event, frozen=True):
    seat: int
    card: str

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("You pick: {card}."), card=teller.say(KIND_NAMES[self.card]))


class Picked(Event, frozen=True):
    seat: int
    card: str

    @property
    def steps(self) -> tuple[Step, ...]:
        """All turn over together: one's own above the hand, the others' at their windows."""
        own, others = f"picked-{self.seat}", f"state-{self.seat}"
        return (
            Step("turn", on=own, sound="turn-over", is_together=True),
            Step("turn", on=others, is_together=True),
        )

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("{player} turns up: {card}."), player=teller.name(self.seat), card=teller.say(KIND_NAMES[self.card])
        )


class Placed(Event, frozen=True):
    seat: int
    card: str
    space: str

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("{player} places {space}: {card}."),
            player=teller.name(self.seat),
            card=teller.say(KIND_NAMES[self.card]),
            space=self.space,
        )


class HandsPassed(Event, frozen=True):
    passes_left: bool

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("Hands pass to the left.") if self.passes_left else mark("Hands pass to the right."))


class ActivationCalled(Event, frozen=True):
    def tell(self, teller: Teller) -> str:
        return teller.say(mark("All windows are full. Everyone activates their own."))


class MoveReady(Event, frozen=True):
    """One's own activation, before the others see it."""

    seat: int
    card: str
    start: str
    end: str | None

    def tell(self, teller: Teller) -> str:
        card = teller.say(KIND_NAMES[self.card])
        if self.end is None:
            return teller.say(mark("In your window, out from {start}: {card}."), start=self.start, card=card)
        return teller.say(
            mark("In your window, from {start} to {end}: {card}."), start=self.start, end=self.end, card=card
        )


class ActivationDone(Event, frozen=True):
    seat: int

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("{player} has finished."), player=teller.name(self.seat))


class Moved(Event, frozen=True):
    seat: int
    card: str
    start: str
    end: str | None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The card goes where its arrow points, or out of the window."""
        look, tune = ("moved", "tick") if self.end else ("gone", "step")
        place = actor(self.seat, self.start)
        return (Step("mark", on=place, look=look, weight="light", sound=tune, scene=scene_of(self.seat)),)

    def tell(self, teller: Teller) -> str:
        card = teller.say(KIND_NAMES[self.card])
        player = teller.name(self.seat)
        if self.end is None:
            return teller.say(mark("{player}, out from {start}: {card}."), player=player, start=self.start, card=card)
        return teller.say(
            mark("{player}, from {start} to {end}: {card}."), player=player, start=self.start, end=self.end, card=card
        )


class Eaten(Event, frozen=True):
    seat: int
    monster: str
    flower: str

    @property
    def steps(self) -> tuple[Step, ...]:
        """The monster goes to the flower, which is gone then."""
        scene, monster = scene_of(self.seat), actor(self.seat, self.monster)
        right, down = (ord(self.flower[i]) - ord(self.monster[i]) for i in (0, 1))
        return (
            Step("mark", on=actor(self.seat, self.flower), look="eaten", sound="eat", scene=scene),
            Step("mark", on=monster, look=f"right-{right}", scene=scene, is_together=True),
            Step("mark", on=monster, look=f"down-{down}", scene=scene, is_together=True),
        )

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("{player}: the monster on {monster} eats the flower on {flower}."),
            player=teller.name(self.seat),
            monster=self.monster,
            flower=self.flower,
        )


class Blurred(Event, frozen=True):
    seat: int
    space: str

    @property
    def steps(self) -> tuple[Step, ...]:
        """What lies on the space is wiped over."""
        spot = f"spot-{self.seat}-{self.space}"
        return (Step("mark", on=spot, look="wiped", weight="light", sound="fog", scene=scene_of(self.seat)),)

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("{player}: {space} is blurred."), player=teller.name(self.seat), space=self.space)


class Scored(Event, frozen=True):
    seat: int
    score: int

    @property
    def steps(self) -> tuple[Step, ...]:
        """What every space is worth, one after the other; their sum; and the order that would have been best."""
        scene = scene_of(self.seat)
        return (
            Step("mark", on=scene, look="worth", weight="heavy", sound="rise", scene=scene),
            Step("mark", on=scene, look="sum", weight="heavy", scene=scene),
        )

    def tell(self, teller: Teller) -> str:
        return teller.say_count(
            "{player}'s window is worth {count} point.",
            "{player}'s window is worth {count} points.",
            self.score,
            player=teller.name(self.seat),
        )


class RoundWon(Event, frozen=True):
    seat: int
    round: int
    wins: int

    @property
    def steps(self) -> tuple[Step, ...]:
        return (Step("announce", drawing="trophy", weight="heavy", tone="good", sound="milestone"),)

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("{player} wins round {round}."), player=teller.name(self.seat), round=self.round)


class Ended(Event, frozen=True):
    clause: str

    def tell(self, teller: Teller) -> str:
        return f"{RULEBOOK[self.clause].sentence(teller.language)} ({self.clause})"
