"""A hand of Misty on the page: the cards one may pick, and the one picked."""

from nevel.game.event import Teller
from nevel.games.misty.box import drawing_of
from nevel.games.misty.events import KIND_NAMES
from nevel.games.misty.web.window import say_card
from nevel.games.misty.words import MistyView
from nevel.languages import mark
from nevel.web.rendering.fragment import Fragment, Text, Values


class HeldKind(Fragment, frozen=True):
    """The cards of a kind in the hand."""

    template = "misty/held.html"
    suffix: str
    kind: str
    arrow: str | None
    count: int
    may_pick: bool
    is_choice: bool
    place: Text
    #: What it is called in motions: new hands have new names.
    name: Text
    #: Where it came from: the neighbour who had it, or the middle of the table.
    source: Text

    @property
    def id(self) -> str:
        return f"held-{self.kind}{self.suffix}"

    def fill(self, teller: Teller) -> Values:
        said, count = say_card(self.kind, self.arrow, teller.language), self.count
        return super().fill(teller) | {
            "card": {"kind": drawing_of(self.kind), "arrow": self.arrow},
            "title": teller.say(KIND_NAMES[self.kind]),
            "from": self.source,
            "says": f"{count} × {said}" if count > 1 else said,
            "move": f"pick {self.kind}" if self.may_pick else "",
            "label": teller.say(mark("Pick: {card}"), card=f"{said} ({count})" if count > 1 else said),
        }


class PickedCard(Fragment, frozen=True):
    """The card that was turned up and waits to be placed."""

    template = "misty/picked.html"
    kind: str
    arrow: str | None
    can_place: bool
    name: Text
    source: Text

    def fill(self, teller: Teller) -> Values:
        return super().fill(teller) | {
            "card": {"kind": drawing_of(self.kind), "arrow": self.arrow},
            "title": teller.say(KIND_NAMES[self.kind]),
            "from": self.source,
            "says": say_card(self.kind, self.arrow, teller.language),
        }


class DraftHand(Fragment, frozen=True):
    """The cards of the hand, by kind, and the card that was turned up and waits to be placed."""

    template = "misty/cards.html"
    suffix: str
    kinds: tuple[HeldKind, ...]
    picked: PickedCard | None

    @property
    def id(self) -> str:
        return f"hand{self.suffix}"


def draw_hand(board: MistyView, moves: tuple[str, ...], suffix: str) -> DraftHand:
    assert board.you is not None
    you, choice, arrows, is_picking = board.you, board.choice, board.arrows, board.phase == "pick"
    full = 3 if board.is_beginners else 6
    # The hand is one card smaller as soon as the picks are turned up, and the same until it is passed.
    size = board.held + (board.phase == "place")
    giver = (you - (1 if board.passes_left else -1)) % board.seats
    name = f"hand-{you}-{board.round}-{board.deal}-{size}"
    source = Text("aside" if size == full else f"seat-{giver}")
    kinds = [
        HeldKind(
            suffix,
            kind,
            arrows[kind],
            count,
            f"pick {kind}" in moves,
            is_picking and kind == choice,
            Text(f"hand-{you}-{kind}"),
            Text(f"{name}-{kind}"),
            source,
        )
        for kind, count in (board.hand or {}).items()
    ]
    picked = None
    if choice and not is_picking:
        can_place = any(move.startswith("place ") for move in moves)
        picked = PickedCard(choice, arrows[choice], can_place, Text(f"picked-{you}"), Text(f"hand-{you}-{choice}"))
    return DraftHand(suffix, tuple(kinds), picked)
