"""What happens in The Game and in Extreme, as events with a sentence each."""

from nevel.game.event import Event, Teller
from nevel.game.staging import Step
from nevel.games.the_game.clauses import EXTREME_RULEBOOK
from nevel.languages import mark

#: From how many numbers on a step looks and sounds like a long one.
LONG_STEP = 10

PILES = ("up1", "up2", "down1", "down2")
PILE_NAMES = (mark("rising pile 1"), mark("rising pile 2"), mark("falling pile 1"), mark("falling pile 2"))

PILE_HINTS = ("leave", "leave!", "small", "jump")
PILE_HINT_WORDS = {
    "leave": mark("please leave it"),
    "leave!": mark("please, really leave it"),
    "small": mark("small steps only"),
    "jump": mark("I can jump back here"),
}
START_HINT_WORDS = (
    mark("I could start"),
    mark("I'd like to start"),
    mark("I'd love to start"),
)

COMMAND_NAMES = {
    "stop": mark("stop"),
    "skull": mark("skull"),
    "three": mark("three"),
    "silence": mark("silence"),
    "no-trick": mark("no trick"),
    "one-pile": mark("one pile"),
    "draw-one": mark("draw one"),
}


#: The commands that hold for the active player alone, in this turn.
LIGHTNING = ("stop", "skull", "three")

#: The clause that says what a command asks.
COMMAND_CLAUSES = {
    "stop": "EX-L1",
    "skull": "EX-L2",
    "three": "EX-L4",
    "silence": "EX-I2",
    "no-trick": "EX-I3",
    "one-pile": "EX-I4",
    "draw-one": "EX-I5",
}


def say_command(command: str, teller: Teller) -> str:
    """What a command asks, in a sentence."""
    return EXTREME_RULEBOOK[COMMAND_CLAUSES[command]].sentence(teller.language)


def pile_name(pile: str, teller: Teller) -> str:
    """A pile as it is called in a sentence."""
    return teller.say(PILE_NAMES[PILES.index(pile)])


def list_cards(cards: list[int]) -> str:
    return ", ".join(str(card) for card in sorted(cards))


def fogged() -> Step:
    """The fog billows over the piles, together with the step before."""
    return Step("mark", on="piles", look="fogged", is_together=True)


class Dealt(Event, frozen=True):
    seats: int
    hand_size: int
    draw_pile: int

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("Everyone gets {cards} cards; {left} are left in the draw pile."),
            cards=self.hand_size,
            left=self.draw_pile,
        )


class Hand(Event, frozen=True):
    seat: int
    cards: list[int]

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("Your hand: {cards}."), cards=list_cards(self.cards))


class Started(Event, frozen=True):
    seat: int

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("{player} takes the first turn."), player=teller.name(self.seat))


class Played(Event, frozen=True):
    seat: int
    card: int
    pile: str
    covered: int
    is_trick: bool

    @property
    def sound(self) -> str:
        """A trick sounds like more than a card."""
        return "trick" if self.is_trick else ""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The card flies to its pile: a small step ticks, a long one thuds and costs fog, the jump back clears it."""
        top, source = f"top-{self.pile}", f"seat-{self.seat}"
        if self.is_trick:
            return (
                Step("move", on=top, source=source, sound="flourish"),
                Step("flash", on=top, tone="good"),
                Step("mark", on=f"place-{self.pile}", look="jumped", is_together=True),
                Step("mark", on="piles", look="cleared", is_together=True),
            )
        if abs(self.card - self.covered) < LONG_STEP:
            return (Step("move", on=top, source=source, weight="light", sound="tick"),)
        return (
            Step("move", on=top, source=source, sound="thud"),
            Step("shake", on=top, weight="light", tone="bad"),
            fogged(),
        )

    def tell(self, teller: Teller) -> str:
        message = (
            mark("{player} jumps back with {card} on {pile}.")
            if self.is_trick
            else mark("{player} plays {card} on {pile}.")
        )
        return teller.say(message, player=teller.name(self.seat), card=self.card, pile=pile_name(self.pile, teller))


class TurnEnded(Event, frozen=True):
    seat: int
    played: int

    def tell(self, teller: Teller) -> str:
        return teller.say_count(
            "{player} ends the turn after {count} card.",
            "{player} ends the turn after {count} cards.",
            self.played,
            player=teller.name(self.seat),
        )


class Drew(Event, frozen=True):
    seat: int
    count: int
    draw_pile: int

    def tell(self, teller: Teller) -> str:
        if self.count == 0:
            return teller.say(mark("{player} draws nothing."), player=teller.name(self.seat))
        return teller.say_count(
            "{player} draws {count} card; {left} left.",
            "{player} draws {count} cards; {left} left.",
            self.count,
            player=teller.name(self.seat),
            left=self.draw_pile,
        )


class DrewCards(Event, frozen=True):
    seat: int
    cards: list[int]

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("You draw {cards}."), cards=list_cards(self.cards))


class Skipped(Event, frozen=True):
    seat: int

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("{player} has no cards left and is skipped."), player=teller.name(self.seat))


class Ended(Event, frozen=True):
    clause: str
    cards_left: int

    def tell(self, teller: Teller) -> str:
        return f"{EXTREME_RULEBOOK[self.clause].sentence(teller.language)} ({self.clause})"


class PileHinted(Event, frozen=True):
    seat: int
    pile: str
    hint: str

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("{player} about {pile}: “{hint}”."),
            player=teller.name(self.seat),
            pile=pile_name(self.pile, teller),
            hint=teller.say(PILE_HINT_WORDS[self.hint]),
        )


class PileHintTakenBack(Event, frozen=True):
    seat: int
    pile: str

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("{player} withdraws the hint about {pile}."),
            player=teller.name(self.seat),
            pile=pile_name(self.pile, teller),
        )


class StartHinted(Event, frozen=True):
    seat: int
    strength: int

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("{player}: “{hint}”."),
            player=teller.name(self.seat),
            hint=teller.say(START_HINT_WORDS[self.strength - 1]),
        )


class StartHintTakenBack(Event, frozen=True):
    seat: int

    def tell(self, teller: Teller) -> str:
        return teller.say(mark("{player} no longer wants to start."), player=teller.name(self.seat))


class Commanded(Event, frozen=True):
    seat: int
    command: str
    pile: str

    @property
    def steps(self) -> tuple[Step, ...]:
        """The table reads the command out. Lightning strikes; silence comes with the fog."""
        top, drawing = f"top-{self.pile}", f"command-{self.command}"
        called = Step("mark", on=top, look="called", weight="heavy", is_together=True)
        if self.command == "silence":
            return Step("announce", drawing=drawing, weight="heavy", sound="fog"), called, fogged()
        read_out = Step("announce", drawing=drawing, weight="heavy", tone="bad", sound="milestone")
        if self.command in LIGHTNING:
            return read_out, called, Step("mark", on="piles", look="struck", is_together=True)
        return read_out, called

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("Command: {command}."),
            command=teller.say(COMMAND_NAMES[self.command]),
        )


class Lapsed(Event, frozen=True):
    command: str
    pile: str

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("Covered on {pile}: {command} no longer holds."),
            command=teller.say(COMMAND_NAMES[self.command]),
            pile=pile_name(self.pile, teller),
        )


class HoldHinted(Event, frozen=True):
    seat: int
    command: str

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("{player} says they hold this command: {command}."),
            player=teller.name(self.seat),
            command=teller.say(COMMAND_NAMES[self.command]),
        )


class HoldHintTakenBack(Event, frozen=True):
    seat: int
    command: str

    def tell(self, teller: Teller) -> str:
        return teller.say(
            mark("{player} withdraws the hint about this command: {command}."),
            player=teller.name(self.seat),
            command=teller.say(COMMAND_NAMES[self.command]),
        )
