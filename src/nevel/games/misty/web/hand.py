"""A hand of Misty on the page: the cards one may pick, and the one picked."""

from nevel.game.event import Teller
from nevel.games.misty.box import drawing_of
from nevel.games.misty.events import KIND_NAMES
from nevel.games.misty.web.window import say_card
from nevel.games.misty.words import MistyView
from nevel.languages import mark
from nevel.web.rendering.fragment import Fragment, Values

#: A kind of card, which way it moves, how many there are, and whether they may be picked.
HeldKind = tuple[str, str | None, int, bool]


class DraftHand(Fragment, frozen=True):
    """The cards of the hand, by kind, and the card that was turned up and waits to be placed."""

    template = "misty/cards.html"
    suffix: str
    seat: int
    #: What its cards are called in motions: new hands have new names.
    name: str
    #: Where it came from: the neighbour who had it, or the middle of the table.
    source: str
    is_picking: bool
    kinds: tuple[HeldKind, ...]
    choice: str | None
    choice_arrow: str | None
    can_place: bool

    @property
    def id(self) -> str:
        return f"hand{self.suffix}"

    def fill(self, teller: Teller) -> Values:
        picked = None
        if self.choice and not self.is_picking:
            picked = {
                "kind": drawing_of(self.choice),
                "title": teller.say(KIND_NAMES[self.choice]),
                "arrow": self.choice_arrow,
                "says": say_card(self.choice, self.choice_arrow, teller.language),
                "name": f"picked-{self.seat}",
                "from": f"hand-{self.seat}-{self.choice}",
            }
        return {
            "suffix": self.suffix,
            "hand": [self.fill_kind(teller, *kind) for kind in self.kinds],
            "picked": picked,
            "can_place": self.can_place,
        }

    def fill_kind(self, teller: Teller, kind: str, arrow: str | None, count: int, may_pick: bool) -> Values:
        said = say_card(kind, arrow, teller.language)
        return {
            "id": kind,
            "kind": drawing_of(kind),
            "title": teller.say(KIND_NAMES[kind]),
            "arrow": arrow,
            "count": count,
            "place": f"hand-{self.seat}-{kind}",
            "name": f"{self.name}-{kind}",
            "from": self.source,
            "says": f"{count} × {said}" if count > 1 else said,
            "move": f"pick {kind}" if may_pick else "",
            "label": teller.say(mark("Pick: {card}"), card=f"{said} ({count})" if count > 1 else said),
            "is_choice": self.is_picking and kind == self.choice,
        }


def draw_hand(board: MistyView, moves: tuple[str, ...], suffix: str) -> DraftHand:
    assert board.you is not None
    held = board.hand or {}
    full = 3 if board.is_beginners else 6
    # The hand is one card smaller as soon as the picks are turned up, and the same until it is passed.
    size = board.held + (board.phase == "place")
    giver = (board.you - (1 if board.passes_left else -1)) % board.seats
    return DraftHand(
        suffix,
        board.you,
        f"hand-{board.you}-{board.round}-{board.deal}-{size}",
        "aside" if size == full else f"seat-{giver}",
        board.phase == "pick",
        tuple([(kind, board.arrows[kind], count, f"pick {kind}" in moves) for kind, count in held.items()]),
        board.choice,
        board.arrows[board.choice] if board.choice else None,
        any(move.startswith("place ") for move in moves),
    )
