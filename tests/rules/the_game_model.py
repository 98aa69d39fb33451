"""A turn of The Game and of Extreme in plain Python, slow and written from the rules: what compiled turns must equal.

Nothing of `nevel` is used here. A clause is its id, a command its English name.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

EXTREME = {
    card: command
    for command, cards in {
        "stop": (3, 42, 59, 98),
        "skull": (7, 45, 56, 94),
        "three": (10, 49, 52, 91),
        "silence": (14, 28, 73, 87),
        "no-trick": (17, 31, 70, 84),
        "one-pile": (21, 35, 66, 80),
        "draw-one": (24, 38, 63, 77),
    }.items()
    for card in cards
}
NO_COMMANDS: dict[int, str] = {}


@dataclass(frozen=True)
class Turn:
    """What matters in one turn: four tops (two rise, two fall), the hand, what was played before in this turn."""

    tops: tuple[int, ...]
    hand: frozenset[int]
    need: int
    commands: Mapping[int, str]
    played: tuple[tuple[int, int], ...] = ()

    # ------------------------------------------------------------ what is so

    def shows(self, command: str) -> bool:
        return any(self.commands.get(top) == command for top in self.tops)

    def open_skulls(self) -> list[int]:
        """Piles on which a skull played in this turn lies on top."""
        mine = {card for card, _ in self.played if self.commands.get(card) == "skull"}
        return [pile for pile in range(4) if self.tops[pile] in mine]

    def is_three(self) -> bool:
        return any(self.commands.get(card) == "three" for card, _ in self.played)

    def is_stopped(self) -> bool:
        return bool(self.played) and self.commands.get(self.played[-1][0]) == "stop"

    # ------------------------------------------------------------ what may be done

    def against(self, card: int, pile: int) -> set[str]:
        """The clauses that forbid a card on a pile."""
        top, command, position = self.tops[pile], self.commands.get(card), len(self.played) + 1
        is_forwards = card > top if pile < 2 else card < top
        is_trick = card == top - 10 if pile < 2 else card == top + 10
        clauses: set[str] = set()
        if not is_forwards and not is_trick:
            clauses |= {"TG-T2", "TG-T3"}
        if is_trick and self.shows("no-trick"):
            clauses.add("EX-I3")
        if self.played and self.shows("one-pile") and pile != self.played[-1][1]:
            clauses.add("EX-I4")
        if position >= 4 and (self.is_three() or command == "three"):
            clauses.add("EX-L4")
        if command == "stop" and self.is_three() and position != 3:
            clauses.add("EX-L4")
        if command == "stop" and any(other != pile for other in self.open_skulls()):
            clauses.add("EX-L2")
        return clauses

    def against_ending(self) -> set[str]:
        clauses: set[str] = set()
        if self.open_skulls():
            clauses.add("EX-L2")
        if self.is_three() and len(self.played) != 3:
            clauses.add("EX-L4")
        if len(self.played) < self.need:
            clauses.add({1: "TG-T5", 2: "TG-T1", 3: "TG-V1"}[self.need])
        return clauses

    def legal_cards(self) -> Iterator[tuple[int, int]]:
        for card in sorted(self.hand):
            for pile in range(4):
                if not self.against(card, pile):
                    yield card, pile

    def after(self, card: int, pile: int) -> "Turn":
        tops = tuple(card if other == pile else top for other, top in enumerate(self.tops))
        return replace(self, tops=tops, hand=self.hand - {card}, played=(*self.played, (card, pile)))

    # ------------------------------------------------------------ where it can lead

    def can_end_properly(self, known: "dict[object, bool] | None" = None) -> bool:
        """Try everything: is there any way to a proper end of this turn?"""
        if self.is_stopped() or not self.against_ending():
            return True
        known = {} if known is None else known
        last = self.played[-1][1] if self.played else None
        position = (self.tops, self.hand, len(self.played), self.is_three(), tuple(self.open_skulls()), last)
        if position not in known:
            known[position] = any(self.after(card, pile).can_end_properly(known) for card, pile in self.legal_cards())
        return known[position]

    def is_stuck(self) -> bool:
        return bool(self.against_ending()) and not any(True for _ in self.legal_cards())


def can_play(tops: tuple[int, ...], hand: frozenset[int], count: int) -> bool:
    """Whether `count` cards can be laid one after the other: nothing but a walk through all sequences."""
    if count == 0:
        return True
    for card in hand:
        for pile, top in enumerate(tops):
            up = pile < 2
            if (up and (card > top or top - card == 10)) or (not up and (card < top or card - top == 10)):
                after = (*tops[:pile], card, *tops[pile + 1 :])
                if can_play(after, hand - {card}, count - 1):
                    return True
    return False
