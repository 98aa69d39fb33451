"""One's own window of Misty on the page, with all it can become, and the hand while there is one."""

from collections.abc import Mapping

from nevel.game.event import Teller
from nevel.games.misty.box import drawing_of
from nevel.games.misty.events import KIND_NAMES
from nevel.games.misty.web.hand import DraftHand, draw_hand
from nevel.games.misty.web.window import Extent, Pane, Space, in_layers, look_of, name_of, origin, reaches, shapes_of
from nevel.games.misty.words import CardView, MistyView, WindowView
from nevel.languages import mark
from nevel.web.rendering.board import Look
from nevel.web.rendering.fragment import Fragment, Inner, Parts, Text, Values

#: When a window is as large as it gets.
BUILT = ("activate", "over")


class OpenSpace(Fragment, frozen=True):
    """A space where the card that was picked may be placed."""

    template = "misty/space.html"
    space: Text
    look: Text
    ghost: str | None

    @property
    def id(self) -> str:
        return f"space-{self.space}"

    def fill(self, teller: Teller) -> Values:
        label = teller.say(mark("Place it on {space}"), space=self.space)
        return {"look": self.look, "move": f"place {self.space}", "label": label, "ghost": drawing_of(self.ghost or "")}


class MovableCard(Fragment, frozen=True):
    """A card that can be moved: where it comes to lie, if it stays in the window, and what it covers there."""

    template = "misty/movable.html"
    kind: str
    arrow: str
    covered: str | None
    space: Text
    look: Text
    name: Text
    end: Text

    @property
    def id(self) -> str:
        return f"card-{self.name}"

    def fill(self, teller: Teller) -> Values:
        return {
            "look": self.look,
            "name": self.name,
            "move": f"move {self.space}",
            "leaves": None if self.end else self.arrow,
            "label": self.say(teller),
            "card": {"kind": drawing_of(self.kind), "arrow": self.arrow},
        }

    def say(self, teller: Teller) -> str:
        """What moving it does."""
        start, name = self.space, teller.say(KIND_NAMES[self.kind])
        if not self.end:
            return teller.say(mark("{start}: {card} moves out"), start=start, card=name)
        if not self.covered:
            return teller.say(mark("{start}: {card} moves to {end}"), start=start, card=name, end=self.end)
        message = mark("{start}: {card} moves to {end} and covers: {covered}")
        return teller.say(message, start=start, card=name, end=self.end, covered=teller.say(KIND_NAMES[self.covered]))


class OwnWindow(Fragment, frozen=True):
    """The window with all it can become next while it is built, and with what can still move while it is activated."""

    template = "misty/own.html"
    suffix: str
    #: Whose it is, and in which round.
    name: Text
    seat: Inner[int]
    is_built: bool
    is_empty: bool
    is_beginners: bool
    extent: Extent
    #: While it is activated: whether the last move may be taken back, and whether all has come to rest.
    activating: tuple[bool, bool] | None
    window: Inner[WindowView]
    choice: Inner[str | None]
    moves: Inner[tuple[str, ...]]
    placed: Inner[str]

    @property
    def id(self) -> str:
        return f"window{self.suffix}"

    def reaches(self) -> list[Extent]:
        """How far it can still grow."""
        return [self.extent] if self.is_built else reaches(self.extent, self.is_beginners)

    def canvas(self) -> Extent:
        """The rectangle that is drawn: the window and, while it is built, all that its next card can make of it."""
        grown = [reach.within(self.extent.wider()) for reach in self.reaches()]
        return Extent.around(
            [Space(reach.left, reach.top) for reach in grown] + [Space(reach.right, reach.bottom) for reach in grown]
        )

    def outlines(self) -> list[Extent]:
        """Where the next card may come to lie, once lying and once standing; one where both are the same."""
        grown = {reach.within(self.extent.wider()) for reach in self.reaches()}
        return sorted(reach for reach in grown if reach != self.extent)

    def parts(self) -> Parts:
        canvas = self.canvas()
        lying = {card.space: card for card in self.window.cards if not card.has_moved}
        lying |= {card.space: card for card in self.window.cards if card.has_moved}
        names = [move.removeprefix("place ") for move in self.moves if move.startswith("place ")]
        return {
            "spaces": tuple([OpenSpace(Text(name), Text(canvas.at(Space.read(name))), self.choice) for name in names]),
            "cards": tuple([self._draw_card(card, canvas, lying) for card in in_layers(self.window)]),
        }

    def _draw_card(self, card: CardView, canvas: Extent, lying: Mapping[str, CardView]) -> Fragment:
        look, name = look_of(card, canvas, self.placed), name_of(card, self.seat)
        if f"move {card.space}" not in self.moves or card.has_moved or not card.arrow:
            return Pane.of(card, look, name, f"picked-{self.seat}", card.space == self.placed)
        end = origin(card).towards(card.arrow)
        below = lying.get(str(end)) if self.extent.has(end) else None
        ending = Text(str(end) if self.extent.has(end) else "")
        covered = below.card if below else None
        return MovableCard(card.card, card.arrow, covered, Text(card.space), Text(look), Text(name), ending)

    def fill(self, teller: Teller) -> Values:
        extent, is_built, canvas = self.extent, self.is_built, self.canvas()
        return {
            "name": self.name,
            "is_built": is_built,
            "size": f"cols-{canvas.width} rows-{canvas.height}",
            "is_empty": self.is_empty,
            "sash": canvas.holding(extent),
            "reaches": [canvas.holding(reach) for reach in self.outlines()],
            "shapes": [] if is_built or self.is_beginners else draw_shapes(extent, self.is_beginners, teller),
            "activating": self.activating and {"may_take_back": self.activating[0], "is_done": self.activating[1]},
        }


class Desk(Fragment, frozen=True):
    """What is the viewer's own: the window, and the hand while there is one."""

    template = "misty/desk.html"
    suffix: str
    window: OwnWindow
    hand: DraftHand | None

    @property
    def id(self) -> str:
        return f"desk{self.suffix}"


def draw_own(look: Look, placed: Mapping[int, str]) -> tuple[Desk, ...]:
    board = look.board
    assert isinstance(board, MistyView)
    if board.you is None or (look.is_over and not look.suffix):
        return ()
    player, moves = board.players[board.you], tuple(look.prompt.moves) if look.prompt else ()
    # What is picked from the hand makes no difference to the window.
    choice, choices = (board.choice, moves) if board.phase != "pick" else (None, ())
    activating = None
    if board.phase == "activate" and not look.suffix:
        activating = look.undo is not None and look.undo.may_ask, player.has_chosen
    window = OwnWindow(
        suffix=look.suffix,
        name=Text(f"{board.you}-{board.round}"),
        seat=board.you,
        is_built=board.phase in BUILT,
        is_empty=not player.window.cards,
        is_beginners=board.is_beginners,
        extent=Extent.of(player.window),
        activating=activating,
        window=player.window,
        choice=choice,
        moves=choices,
        placed=placed.get(board.you, ""),
    )
    has_hand = board.hand is not None and board.phase in ("pick", "place")
    return (Desk(look.suffix, window, draw_hand(board, moves, look.suffix) if has_hand else None),)


def draw_shapes(extent: Extent, is_beginners: bool, teller: Teller) -> list[Values]:
    """The shapes a window can have, and whether it still can."""
    drawn = list[Values]()
    for width, height in shapes_of(is_beginners):
        is_possible = extent.fits((width, height))
        message = mark("It can still be {width} wide and {height} high.")
        if not is_possible:
            message = mark("It can no longer be {width} wide and {height} high.")
        text = teller.say(message, width=width, height=height)
        drawn.append({"width": width, "height": height, "is_possible": is_possible, "text": text})
    return drawn
