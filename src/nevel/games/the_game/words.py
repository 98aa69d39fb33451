"""The vocabulary of The Game: notation, questions, views for each seat and events."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, ClassVar

import msgspec

from nevel.game.event import Event, Teller, TraceRow
from nevel.game.move import Move, Moves
from nevel.game.position import LazyRecord, Position
from nevel.game.vocabulary import Option, Outcome, View, Vocabulary, group_rows
from nevel.games.the_game import events as story
from nevel.games.the_game import rules
from nevel.games.the_game.clauses import EXTREME_RULEBOOK
from nevel.games.the_game.events import PILE_HINT_WORDS, PILE_HINTS, PILES, START_HINT_WORDS, pile_name
from nevel.games.the_game.rules import table
from nevel.languages import mark

PHASES = ("choosing", "playing", "over")
GOOD_RESULT = 10
#: Entries of the cache of piles, for all tables together.
PILE_CACHE_SIZE = 4096


class PileHintView(msgspec.Struct, frozen=True, cache_hash=True):
    """What somebody says about a pile."""

    seat: int
    hint: str


class PileView(msgspec.Struct, frozen=True, cache_hash=True):
    """A pile: its name in the notation, which way it goes, what lies on top, what is said about it."""

    name: str
    is_rising: bool
    top: int
    hints: tuple[PileHintView, ...]


class PlayerView(msgspec.Struct, frozen=True):
    """A player as the others see them; the hand is open only when the game is over."""

    seat: int
    held: int
    start_hint: int
    hand: list[int] | None


class TheGameView(View, frozen=True, kw_only=True):
    """The Game as one seat sees it."""

    phase: str
    piles: list[PileView]
    draw_pile: int
    active: int | None
    played: int
    needed: int
    hand: list[int] | None
    players: list[PlayerView]
    cards_left: int


def notation(number: int, word: Callable[[str], str]) -> str:
    """`play 37 up1`, `end turn`, `start`, `hint up1 leave`, `hint start 3` and their withdrawals."""
    if number < table.END_TURN:
        card, pile = divmod(number, table.PILES)
        return f"{word('play')} {card + table.LOWEST} {word(PILES[pile])}"
    if number == table.END_TURN:
        return word("end turn")
    if number == table.START:
        return word("start")
    hint = word("hint")
    if number < table.PILE_HINTS_BACK:
        kind, pile = divmod(number - table.PILE_HINTS, table.PILES)
        return f"{hint} {word(PILES[pile])} {word(PILE_HINTS[kind])}"
    if number < table.START_HINTS:
        return f"{hint} {word(PILES[number - table.PILE_HINTS_BACK])} {word('none')}"
    if number < table.START_HINT_BACK:
        return f"{hint} {word('start')} {number - table.START_HINTS + 1}"
    return f"{hint} {word('start')} {word('none')}"


#: The words of the notation, for the catalogues: nothing finds them inside the texts above.
NOTATION_WORDS = (
    mark("play"),
    mark("end turn"),
    mark("start"),
    mark("hint"),
    mark("none"),
    mark("up1"),
    mark("up2"),
    mark("down1"),
    mark("down2"),
    mark("leave"),
    mark("leave!"),
    mark("small"),
    mark("jump"),
)


class TheGame(Vocabulary):
    """The Game's moves, questions, views and events."""

    name = "the-game"
    rules = rules
    moves = Moves(name, rules.MOVES, notation)
    view_type: ClassVar[type[View]] = TheGameView
    options = (
        Option("minimum", (2, 3), "TG-V1", mark("Cards to play per turn, at least")),
        Option("fewer_cards", (0, 1), "TG-V1", mark("One card fewer in every hand")),
        Option("open_tricks", (0, 1), "TG-V2", mark("Open tricks"), formerly=1, counts_apart=True),
    )
    later_fields = tuple(name for name, _ in table.LATER_FIELDS)
    questions: ClassVar[dict[str, str]] = {
        "start": mark("Who takes the first turn?"),
        "play": mark("Play a card."),
        "play-or-end": mark("Play another card or end your turn."),
    }

    def is_hint(self, move: Move) -> bool:
        return move.number >= table.PILE_HINTS

    def question(self, s: Position, seat: int) -> str:
        if s.phase == table.CHOOSING:
            return "start"
        return "play-or-end" if table.END_TURN in s.legal(seat) else "play"

    def wish_to_start(self, s: Position, seat: int) -> int:
        return s.start_hints[seat]

    def describe(self, move: Move, teller: Teller) -> str:
        number = move.number
        if number < table.END_TURN:
            card, pile = divmod(number, table.PILES)
            return teller.say(
                mark("Play {card} on {pile}"), card=card + table.LOWEST, pile=pile_name(PILES[pile], teller)
            )
        if number == table.END_TURN:
            return teller.say(mark("End your turn"))
        if number == table.START:
            return teller.say(mark("Take the first turn"))
        if number < table.PILE_HINTS_BACK:
            kind, pile = divmod(number - table.PILE_HINTS, table.PILES)
            return teller.say(
                mark("Hint about {pile}: “{hint}”"),
                pile=pile_name(PILES[pile], teller),
                hint=teller.say(PILE_HINT_WORDS[PILE_HINTS[kind]]),
            )
        if number < table.START_HINTS:
            pile = PILES[number - table.PILE_HINTS_BACK]
            return teller.say(mark("Withdraw your hint about {pile}"), pile=pile_name(pile, teller))
        if number < table.START_HINT_BACK:
            return teller.say(mark("Hint: “{hint}”"), hint=teller.say(START_HINT_WORDS[number - table.START_HINTS]))
        return teller.say(mark("Withdraw what you said about starting"))

    def common_view(self, s: Position) -> dict[str, Any]:
        is_over = s.phase == table.OVER
        everyone = range(s.seats)
        return {
            "game": self.name,
            "seats": s.seats,
            "waiting_for": s.waiting_for,
            "is_over": is_over,
            "phase": PHASES[int(s.phase)],
            "piles": [
                pile_view(*pile) for pile in zip(range(table.PILES), s.tops, zip(*s.hints, strict=True), strict=True)
            ],
            "draw_pile": s.left,
            "active": None if s.phase == table.CHOOSING else s.active,
            "played": s.played,
            "needed": s.need,
            "hand": None,
            "players": [
                PlayerView(seat, s.held[seat], s.start_hints[seat], hand_of(s, seat) if is_over else None)
                for seat in everyone
            ],
            "cards_left": s.left + sum(s.held[: s.seats]),
        }

    def own_view(self, s: Position, seat: int, common: dict[str, Any]) -> dict[str, Any]:
        return {"hand": hand_of(s, seat)}

    def events(self, rows: Sequence[TraceRow], before: LazyRecord) -> list[tuple[int, Event]]:
        groups = group_rows(rows, {table.HAND: 1, table.DRAWN_CARD: 1})
        return [(group[0].audience, self.event(group)) for group in groups]

    def event(self, group: list[TraceRow]) -> Event:
        kind = group[0].kind
        a, b, c, d, *_ = group[0].facts
        cards = [row.facts[1] for row in group]
        if kind == table.DEALT:
            return story.Dealt(a, b, c)
        if kind == table.HAND:
            return story.Hand(a, sorted(cards))
        if kind == table.STARTED:
            return story.Started(a)
        if kind == table.PLAYED:
            return story.Played(a, b, PILES[c], d, bool(rules.is_trick(d, c, b)))
        if kind == table.TURN_ENDED:
            return story.TurnEnded(a, b)
        if kind == table.DREW:
            return story.Drew(a, b, c)
        if kind == table.DRAWN_CARD:
            return story.DrewCards(a, sorted(cards))
        if kind == table.SKIPPED:
            return story.Skipped(a)
        if kind == table.PILE_HINTED:
            return story.PileHinted(a, PILES[b], PILE_HINTS[c - 1])
        if kind == table.PILE_HINT_TAKEN_BACK:
            return story.PileHintTakenBack(a, PILES[b])
        if kind == table.START_HINTED:
            return story.StartHinted(a, b)
        if kind == table.START_HINT_TAKEN_BACK:
            return story.StartHintTakenBack(a)
        return story.Ended(EXTREME_RULEBOOK.by_code[a].id, b)

    def tell_outcome(self, outcome: Outcome, teller: Teller) -> str:
        left = -outcome.points[0]
        if outcome.winners:
            return teller.say(mark("Won! All 98 cards are on the piles."))
        if left == 0:
            return teller.say(mark("Lost with the very last card: a command was not carried out."))
        if left <= GOOD_RESULT:
            return teller.say_count("{count} card left: a good result.", "{count} cards left: a good result.", left)
        return teller.say_count("Lost with {count} card left.", "Lost with {count} cards left.", left)


@lru_cache(PILE_CACHE_SIZE)
def pile_view(pile: int, top: int, hints: tuple[int, ...]) -> PileView:
    """A pile with what every seat says about it: most are the same after a move."""
    said = [PileHintView(giver, PILE_HINTS[hint - 1]) for giver, hint in enumerate(hints) if hint]
    return PileView(PILES[pile], pile < table.FIRST_FALLING, top, tuple(said))


def hand_of(s: Position, seat: int) -> list[int]:
    """A hand in order."""
    return sorted(s.hand[seat][: s.held[seat]])
