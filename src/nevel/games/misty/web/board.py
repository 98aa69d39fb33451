"""The board of Misty."""

from collections.abc import Mapping

from nevel.game.event import Teller
from nevel.game.vocabulary import View
from nevel.games.misty.box import DRAWINGS, KINDS, drawing_of
from nevel.games.misty.events import KIND_NAMES
from nevel.games.misty.rules.table import ROUNDS_TO_WIN
from nevel.games.misty.web.figures import Building, CardsWithArrows, Window
from nevel.games.misty.web.own import BUILT, draw_own
from nevel.games.misty.web.past import Count, CountedRound, Recalled, Rounds, RoundsTable, arrow_numbers, find_best
from nevel.games.misty.web.window import Extent, Glass
from nevel.games.misty.words import MistyView, WindowView
from nevel.languages import mark
from nevel.web.help.guide import COMMON_POINTS
from nevel.web.rendering.board import Board, BoardParts, Look, MistLook, SeatFact, fact
from nevel.web.rendering.fragment import Fragment, Inner, Parts, Text, Values

#: How often new hands are dealt in a round.
DEALS, BEGINNERS_DEALS = 2, 3
NOTHING_PLACED: dict[int, str] = {}


class MistyBoard(Board):
    """Windows, hands that go round, and how a round was counted."""

    figures = Window | Building | CardsWithArrows
    guide_points = COMMON_POINTS | {
        "window": "the player's own window",
        "others": "the other players' windows",
        "pass": "the arrow that shows which way the hands are passed",
        "score": "rounds won and points",
    }
    mist = MistLook(
        deck=mark("Set aside"),
        icons="misty",
        names=KIND_NAMES,
        drawings={kind: f"misty-{drawing_of(kind)}" for kind in KINDS if kind not in DRAWINGS},
    )
    puzzle_parts = frozenset[str]()

    def warm(self) -> None:
        find_best((), (0,) * len(KINDS))

    def draw(self, look: Look) -> BoardParts:
        board, recalled = look.board, look.memory
        assert isinstance(board, MistyView)
        assert isinstance(recalled, Recalled)
        you, players = board.you, board.players
        is_built = board.phase in BUILT
        # What was placed last is marked while windows are built.
        placed = NOTHING_PLACED if is_built else recalled.placed
        count = last_count(board, recalled)
        shared, side = list[Fragment](), list[Fragment]()
        if count and count.is_news and look.is_playing:
            shared.append(count)
        if not look.is_over or look.is_replay:
            shared.append(draw_going(board))
            if you is not None or not look.is_replay:
                windows = tuple([draw_other(board, seat, placed) for seat in others(board)])
                shared.append(Others(len(windows), you is None, windows))
        if look.is_playing:
            scores = Scores(you, tuple([player.wins for player in players]))
            side.append(RoundNotes(scores, None if count is None or count.is_news else count))
        if board.is_over:
            arrows = arrow_numbers(board)
            counts = tuple([CountedRound(events, arrows, board.seats, you) for events in recalled.rounds])
            return BoardParts(
                tuple(shared), draw_own(look, placed), tuple(side), (RoundsTable(counts),), (Rounds(counts),)
            )
        return BoardParts(tuple(shared), draw_own(look, placed), tuple(side))

    def remember(self) -> Recalled:
        return Recalled()

    def seat_facts(self, board: View, seat: int, teller: Teller) -> list[SeatFact]:
        assert isinstance(board, MistyView)
        wins = board.players[seat].wins
        return [fact("trophy", wins, teller.say_count("{count} round won", "{count} rounds won", wins))]


def others(board: MistyView) -> list[int]:
    """The other players from the viewer's left on; all of them for those who watch."""
    if board.you is None:
        return list(range(board.seats))
    return [(board.you + step) % board.seats for step in range(1, board.seats)]


def last_count(board: MistyView, recalled: Recalled) -> Count | None:
    """How the round before was counted; news before all else until the viewer has picked in this one."""
    if board.is_over or not recalled.last_round:
        return None
    is_news = not recalled.have_all_acted and board.you not in recalled.acted
    return Count(CountedRound(recalled.last_round, arrow_numbers(board), board.seats, board.you), is_news)


class Going(Fragment, frozen=True):
    """Which round it is, which way the hands go, and to whom one's own."""

    template = "misty/going.html"
    element = "going"
    round: int
    #: Which deal it is, of how many; None while no hands are passed.
    deal: tuple[int, int] | None
    passes_left: bool
    receiver: int | None

    def fill(self, teller: Teller) -> Values:
        values: Values = {"title": teller.say(mark("Round {round}"), round=self.round), "passing": None}
        if self.deal is None:
            return values
        if self.receiver is None:
            text = teller.say(mark("Hands pass to the left") if self.passes_left else mark("Hands pass to the right"))
        else:
            message = mark("Hands pass to the left, to {player}")
            if not self.passes_left:
                message = mark("Hands pass to the right, to {player}")
            text = teller.say(message, player=teller.name(self.receiver))
        values["passing"] = {
            "way": "left" if self.passes_left else "right",
            "text": text,
            "receiver": None if self.receiver is None else teller.name(self.receiver),
            "deal": teller.say(mark("deal {deal} of {deals}"), deal=self.deal[0], deals=self.deal[1]),
        }
        return values


def draw_going(board: MistyView) -> Going:
    receiver = None if board.you is None else (board.you + (1 if board.passes_left else -1)) % board.seats
    deals = BEGINNERS_DEALS if board.is_beginners else DEALS
    deal = (board.deal, deals) if board.phase in ("pick", "place") else None
    return Going(board.round, deal, board.passes_left, receiver)


class OtherState(Fragment, frozen=True):
    """What another player has done of what all do now. `chosen` is the phase in which they have chosen."""

    template = "misty/state.html"
    seat: int
    placing: str | None
    chosen: str

    @property
    def id(self) -> str:
        return f"state-{self.seat}"

    def fill(self, teller: Teller) -> Values:
        return {"placing": drawing_of(self.placing or ""), "state": say_state(self.placing, self.chosen, teller)}


class OtherStateText(OtherState, frozen=True):
    """The same in words, for where there is room."""

    template = "misty/state-text.html"

    @property
    def id(self) -> str:
        return f"state-text-{self.seat}"


class OtherWindow(Fragment, frozen=True):
    """Another's window, which stands still until all have finished, and what they have done."""

    template = "misty/other.html"
    seat: int
    is_open: bool
    placing: Inner[str | None]
    chosen: Inner[str]
    round: Inner[int]
    window: Inner[WindowView]
    placed: Inner[str]

    @property
    def id(self) -> str:
        return f"other-{self.seat}"

    def parts(self) -> Parts:
        return {
            "state": OtherState(self.seat, self.placing, self.chosen),
            "state_text": OtherStateText(self.seat, self.placing, self.chosen),
            "glass": Glass(
                Text(f"{self.seat}-{self.round}"), Extent.of(self.window), self.seat, self.window, self.placed
            ),
        }

    def fill(self, teller: Teller) -> Values:
        return {"number": self.seat, "name": teller.name(self.seat), "is_open": self.is_open}


def draw_other(board: MistyView, seat: int, placed: Mapping[int, str]) -> OtherWindow:
    player = board.players[seat]
    chosen = board.phase if player.has_chosen else ""
    is_open = board.you is None
    return OtherWindow(seat, is_open, player.placing, chosen, board.round, player.window, placed.get(seat, ""))


class Others(Fragment, frozen=True):
    """The windows of the other players."""

    template = "misty/others.html"
    element = "others"
    count: int
    is_all: bool
    windows: tuple[OtherWindow, ...]


def say_state(placing: str | None, chosen: str, teller: Teller) -> str:
    """What a player has done of what all do now."""
    if placing:
        return teller.say(mark("places: {card}"), card=teller.say(KIND_NAMES[placing]))
    if not chosen:
        return ""
    return teller.say(mark("card picked") if chosen == "pick" else mark("finished"))


class Scores(Fragment, frozen=True):
    """Rounds won, as many as are needed to win."""

    template = "misty/scores.html"
    element = "scores"
    you: int | None
    wins: tuple[int, ...]

    def fill(self, teller: Teller) -> Values:
        return {
            "scores": [
                {
                    "seat": seat,
                    "name": teller.name(seat),
                    "is_you": seat == self.you,
                    "wins": [number < won for number in range(ROUNDS_TO_WIN)],
                    "won": teller.say_count("{count} round won", "{count} rounds won", won),
                }
                for seat, won in enumerate(self.wins)
            ]
        }


class RoundNotes(Fragment, frozen=True):
    """Rounds won, and how the last one was counted."""

    template = "misty/notes.html"
    element = "notes"
    scores: Scores
    count: Count | None


BOARD = MistyBoard("misty")
