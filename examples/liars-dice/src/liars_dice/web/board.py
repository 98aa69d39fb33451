"""The board of liar's dice: everybody's cup, what was shown last, one's own dice, and the bids to choose from."""

from nevel.game.event import Teller
from nevel.game.vocabulary import View
from nevel.languages import mark
from nevel.web.rendering.board import Board, BoardParts, Look, SeatFact, fact
from nevel.web.rendering.fragment import Fragment, Values

from liars_dice.words import BidView, LiarsDiceView

#: So many numbers of dice are offered at first; who wants to bid more looks further.
ROWS_AT_FIRST = 3


class Cup(Fragment, frozen=True):
    """A player's cup: how many dice are under it, and what the player bid last."""

    template = "liars-dice/cup.html"
    seat: int
    dice_left: int
    bid: BidView | None
    is_standing: bool

    @property
    def id(self) -> str:
        return f"cup-{self.seat}"

    def fill(self, teller: Teller) -> Values:
        left = teller.say_count("{count} die left", "{count} dice left", self.dice_left)
        return super().fill(teller) | {"name": teller.name(self.seat), "left": left}


class Cups(Fragment, frozen=True):
    """All cups, in the round they are in."""

    template = "liars-dice/cups.html"
    element = "cups"
    round: int
    is_wild: bool
    cups: tuple[Cup, ...]

    def fill(self, teller: Teller) -> Values:
        return super().fill(teller) | {"title": teller.say(mark("Round {round}"), round=self.round)}


class Shown(Fragment, frozen=True):
    """What lay under the cups when they were lifted last."""

    template = "liars-dice/shown.html"
    element = "shown"
    bid: BidView
    doubter: int
    loser: int
    is_wild: bool
    dice: tuple[tuple[int, ...], ...]

    def fill(self, teller: Teller) -> Values:
        counting = {self.bid.face, 1} if self.is_wild else {self.bid.face}
        found = sum(face in counting for dice in self.dice for face in dice)
        message = mark("{doubter} doubted {bidder}'s {count} × {face}. There were {found}: {loser} lost a die.")
        names = {"doubter": self.doubter, "bidder": self.bid.seat, "loser": self.loser}
        said = {role: teller.name(seat) for role, seat in names.items()}
        return {
            "text": teller.say(message, **said, count=self.bid.count, face=self.bid.face, found=found),
            "rows": [
                {"seat": seat, "name": teller.name(seat), "dice": [(face, face in counting) for face in dice]}
                for seat, dice in enumerate(self.dice)
                if dice
            ],
        }


class OwnDice(Fragment, frozen=True):
    """The dice under the viewer's own cup."""

    template = "liars-dice/dice.html"
    suffix: str
    dice: tuple[int, ...]

    @property
    def id(self) -> str:
        return f"dice{self.suffix}"


class Bids(Fragment, frozen=True):
    """What the viewer may say: bids by number of dice, and “liar”."""

    template = "liars-dice/bids.html"
    element = "bids"
    bids: tuple[tuple[int, tuple[int, ...]], ...]
    can_doubt: bool

    def fill(self, teller: Teller) -> Values:
        message = mark("Bid {count} × {face}")
        rows = [
            [(f"bid {count}x{face}", teller.say(message, count=count, face=face), count, face) for face in faces]
            for count, faces in self.bids
        ]
        return {"rows": rows[:ROWS_AT_FIRST], "further": rows[ROWS_AT_FIRST:], "can_doubt": self.can_doubt}


class LiarsDiceBoard(Board):
    """Cups, dice and bids."""

    def draw(self, look: Look) -> BoardParts:
        board = look.board
        assert isinstance(board, LiarsDiceView)
        standing = board.bid.seat if board.bid else None
        cups = [Cup(one.seat, one.dice_left, one.bid, one.seat == standing) for one in board.players]
        shared: list[Fragment] = [Cups(board.round, board.is_wild, tuple(cups))]
        if last := board.challenge:
            shared.append(Shown(last.bid, last.doubter, last.loser, board.is_wild, tuple(map(tuple, last.dice))))
        hand: list[Fragment] = [OwnDice(look.suffix, tuple(board.dice))] if board.dice else []
        if look.moves:
            hand.append(draw_bids(look.moves))
        return BoardParts(tuple(shared), tuple(hand))

    def seat_facts(self, board: View, seat: int, teller: Teller) -> list[SeatFact]:
        assert isinstance(board, LiarsDiceView)
        left = board.players[seat].dice_left
        return [fact("die-5", left, teller.say_count("{count} die left", "{count} dice left", left))]


def draw_bids(moves: frozenset[str]) -> Bids:
    """The bids among the moves, by their number of dice."""
    faces: dict[int, list[int]] = {}
    for move in moves:
        if move.startswith("bid "):
            count, face = map(int, move.removeprefix("bid ").split("x"))
            faces.setdefault(count, []).append(face)
    return Bids(tuple((count, tuple(sorted(faces[count]))) for count in sorted(faces)), "liar" in moves)


BOARD = LiarsDiceBoard("liars-dice")
