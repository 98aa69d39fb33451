"""Liar's dice in words: clauses, moves, questions, views and events."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import msgspec
from nevel.game.clause import Rulebook
from nevel.game.event import Event, Teller, TraceRow
from nevel.game.move import Move, Moves
from nevel.game.position import LazyRecord, Position
from nevel.game.vocabulary import Option, Outcome, View, Vocabulary, group_rows
from nevel.languages import mark

from liars_dice import events as story
from liars_dice import rules

RULEBOOK = Rulebook(
    rules,
    {
        "LD-S1": mark("Two to five players have a cup and five dice each."),
        "LD-S2": mark("In every round all roll under their cups; you only see your own dice."),
        "LD-S3": mark("Who begins the first round is drawn by lot."),
        "LD-B1": mark("Only the player whose turn it is bids or doubts; then it is the next player's turn."),
        "LD-B2": mark("A bid says how many dice, of all, show a face at least; each has more dice or a higher face."),
        "LD-B3": mark("Nobody bids more dice than there are on the table."),
        "LD-V1": mark("Ones are wild: they count as every face and can't be bid, unless you play with plain ones."),
        "LD-C1": mark("Instead of bidding you may call the last bidder a liar; so the first in a round must bid."),
        "LD-C2": mark("All dice are shown: if the bid holds, who doubted it loses a die, otherwise the bidder does."),
        "LD-C3": mark("Who lost a die begins the next round; if it was the last one, the next player does."),
        "LD-X1": mark("Who has no dice left is out."),
        "LD-X2": mark("The last player with dice wins."),
    },
)


class BidView(msgspec.Struct, frozen=True):
    """So many dice show this face, says somebody."""

    seat: int
    count: int
    face: int


class PlayerView(msgspec.Struct, frozen=True):
    """A player as everybody sees them."""

    seat: int
    dice_left: int
    bid: BidView | None


class ChallengeView(msgspec.Struct, frozen=True):
    """The last time cups were lifted: for which bid, who doubted it, who lost a die, and every player's dice."""

    bid: BidView
    doubter: int
    loser: int
    dice: list[list[int]]


class LiarsDiceView(View, frozen=True, kw_only=True):
    """Liar's dice as one seat sees it."""

    round: int
    is_wild: bool
    players: list[PlayerView]
    bid: BidView | None
    challenge: ChallengeView | None
    dice: list[int] | None


def faces(counts: Sequence[int]) -> list[int]:
    """Dice that are counted by face, one by one."""
    return [face for face, count in enumerate(counts, 1) for _ in range(count)]


def bid_view(seat: int, move: int) -> BidView | None:
    return None if move == rules.NO_BID else BidView(seat, move // rules.FACES + 1, move % rules.FACES + 1)


LIAR, BID = mark("liar"), mark("bid")


def notation(number: int, word: Callable[[str], str]) -> str:
    """`bid 3x5` for three fives, and `liar`."""
    if number == rules.LIAR:
        return word(LIAR)
    return f"{word(BID)} {number // rules.FACES + 1}x{number % rules.FACES + 1}"


class LiarsDice(Vocabulary):
    """The words of liar's dice."""

    name = "liars-dice"
    rules = rules
    moves = Moves(name, rules.MOVES, notation)
    view_type = LiarsDiceView
    options = (Option("plain_ones", (0, 1), "LD-V1", mark("Plain ones: no wild dice")),)
    questions: ClassVar[dict[str, str]] = {
        "open": mark("Make the first bid."),
        "raise": mark("Raise the bid, or call the bidder a liar."),
    }

    def question(self, s: Position, seat: int) -> str:
        return "open" if s.bid == rules.NO_BID else "raise"

    def describe(self, move: Move, teller: Teller) -> str:
        if move.number == rules.LIAR:
            return teller.say(mark("Liar!"))
        count, face = divmod(move.number, rules.FACES)
        return teller.say(mark("Bid {count} × {face}"), count=count + 1, face=face + 1)

    def common_view(self, s: Position) -> dict[str, Any]:
        seats = range(s.seats)
        return {
            "game": self.name,
            "seats": s.seats,
            "waiting_for": s.waiting_for,
            "is_over": s.ended != 0,
            "round": s.round_number,
            "is_wild": bool(s.wild),
            "players": [PlayerView(seat, s.left[seat], bid_view(seat, s.said[seat])) for seat in seats],
            "bid": bid_view(s.bidder, s.bid),
            "challenge": self.challenge(s),
            "dice": None,
        }

    def challenge(self, s: Position) -> ChallengeView | None:
        bid = bid_view(s.doubted_bidder, s.doubted)
        return bid and ChallengeView(bid, s.doubter, s.loser, [faces(s.shown[seat]) for seat in range(s.seats)])

    def own_view(self, s: Position, seat: int, common: dict[str, Any]) -> dict[str, Any]:
        return {"dice": faces(s.dice[seat])}

    def events(self, rows: Sequence[TraceRow], before: LazyRecord) -> list[tuple[int, Event]]:
        groups = group_rows(rows, {rules.HAND: 1, rules.SHOWN: 1})
        return [(group[0].audience, self.event(group)) for group in groups]

    def event(self, group: list[TraceRow]) -> Event:
        kind = group[0].kind
        a, b, c, d, *_ = group[0].facts
        if kind in (rules.HAND, rules.SHOWN):
            dice = faces((*group[0].facts[1:5], *group[1].facts[1:3]))
            return (story.Hand if kind == rules.HAND else story.Shown)(a, dice)
        if kind == rules.ROLLED:
            return story.Rolled(a, b)
        if kind == rules.BID:
            return story.Bid(a, b, c)
        if kind == rules.CHALLENGED:
            return story.Challenged(a, b)
        if kind == rules.LOST:
            return story.Lost(a, b, c, d)
        return story.Ended(RULEBOOK.by_code[a].id)

    def tell_outcome(self, outcome: Outcome, teller: Teller) -> str:
        return teller.say(mark("{player} wins: nobody else has dice left."), player=teller.list_names(outcome.winners))
