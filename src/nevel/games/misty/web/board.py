"""The board of Misty."""

from collections.abc import Iterator, Mapping, Sequence

from nevel.game.event import Event, Teller
from nevel.games.misty.box import KINDS
from nevel.games.misty.events import KIND_NAMES
from nevel.games.misty.rules.table import ROUNDS_TO_WIN
from nevel.games.misty.web.figures import Building, CardsWithArrows, Window
from nevel.games.misty.web.hand import DraftHand, draw_hand
from nevel.games.misty.web.past import Count, CountedRound, Recalled, Rounds, RoundsTable, arrow_numbers, most_points
from nevel.games.misty.web.window import Extent, Space, draw_card, draw_window, origin, reaches, shapes_of
from nevel.games.misty.words import CardView, MistyView, WindowView
from nevel.languages import mark
from nevel.tables.domain.table import OVER, PLAYING
from nevel.tables.views.view import TableView
from nevel.web.help.guide import COMMON_POINTS
from nevel.web.rendering.board import Board, BoardParts, Look, MistLook, SeatFact, fact
from nevel.web.rendering.fragment import Fragment, Values

#: When a window is as large as it gets.
BUILT = ("activate", "over")
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
    mist = MistLook(deck=mark("Put aside"), icons="misty", names=KIND_NAMES)
    puzzle_parts = frozenset[str]()

    def warm(self) -> None:
        most_points((), (0,) * len(KINDS))

    def draw(self, look: Look) -> BoardParts:
        view, board = look.view, look.view.board
        assert isinstance(board, MistyView)
        you, players = board.you, board.players
        recalled: Recalled | None = look.recalled
        is_built = board.phase in BUILT
        # What was placed last is marked while windows are built.
        placed = recalled.placed if recalled and not is_built else NOTHING_PLACED
        count = last_count(board, recalled)
        shared, side = list[Fragment](), list[Fragment]()
        if count and count.is_news and view.phase == PLAYING:
            shared.append(count)
        if view.phase != OVER or look.is_replay:
            shared.append(draw_going(board))
            if you is not None or not look.is_replay:
                windows = tuple([draw_other(board, seat, placed) for seat in others(board)])
                shared.append(Others(len(windows), you is None, windows))
        if view.phase == PLAYING:
            scores = Scores(you, tuple([player.wins for player in players]))
            side.append(RoundNotes(scores, None if count is None or count.is_news else count))
        if board.is_over and recalled:
            arrows = arrow_numbers(board)
            counts = tuple([CountedRound(events, arrows, board.seats, you) for events in recalled.rounds])
            return BoardParts(
                tuple(shared), draw_own(look, placed), tuple(side), (RoundsTable(counts),), (Rounds(counts),)
            )
        return BoardParts(tuple(shared), draw_own(look, placed), tuple(side))

    def recall(self, told: Iterator[Event], is_over: bool) -> Recalled:
        return Recalled(told, is_over)

    def seat_facts(self, view: TableView, seat: int, teller: Teller) -> list[SeatFact]:
        board = view.board
        assert isinstance(board, MistyView)
        wins = board.players[seat].wins
        return [fact("trophy", wins, teller.say_count("{count} round won", "{count} rounds won", wins))]


def others(board: MistyView) -> list[int]:
    """The other players from the viewer's left on; all of them for those who watch."""
    if board.you is None:
        return list(range(board.seats))
    return [(board.you + step) % board.seats for step in range(1, board.seats)]


def last_count(board: MistyView, recalled: Recalled | None) -> Count | None:
    """How the round before was counted; news before all else until the viewer has picked in this one."""
    if board.is_over or recalled is None or not recalled.last_round:
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
            "deal": teller.say(mark("deal {deal} of {deals}"), deal=self.deal[0], deals=self.deal[1]),
        }
        return values


def draw_going(board: MistyView) -> Going:
    receiver = None if board.you is None else (board.you + (1 if board.passes_left else -1)) % board.seats
    deals = BEGINNERS_DEALS if board.is_beginners else DEALS
    deal = (board.deal, deals) if board.phase in ("pick", "place") else None
    return Going(board.round, deal, board.passes_left, receiver)


class OtherGlass(Fragment, frozen=True):
    """What another's window looks like, which stands still until all have finished."""

    template = "misty/glass.html"
    seat: int
    round: int
    window: WindowView
    placed: str

    @property
    def id(self) -> str:
        return f"glass-{self.seat}-{self.round}"

    def fill(self, teller: Teller) -> Values:
        return {"name": f"{self.seat}-{self.round}", "window": draw_window(self.window, self.seat, teller, self.placed)}


class OtherWindow(Fragment, frozen=True):
    """Another's window, and what they have done. `chosen` is the phase in which they have chosen."""

    template = "misty/other.html"
    seat: int
    placing: str | None
    chosen: str
    is_open: bool
    glass: OtherGlass

    @property
    def id(self) -> str:
        return f"other-{self.seat}"

    def fill(self, teller: Teller) -> Values:
        return {
            "number": self.seat,
            "name": teller.name(self.seat),
            "is_open": self.is_open,
            "glass": self.glass,
            "state": say_state(self.placing, self.chosen, teller),
            "placing": self.placing,
            "is_done": bool(self.chosen),
        }


def draw_other(board: MistyView, seat: int, placed: Mapping[int, str]) -> OtherWindow:
    player = board.players[seat]
    chosen = board.phase if player.has_chosen else ""
    glass = OtherGlass(seat, board.round, player.window, placed.get(seat, ""))
    return OtherWindow(seat, player.placing, chosen, board.you is None, glass)


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
    return teller.say(mark("has picked") if chosen == "pick" else mark("has finished"))


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


# ---------------------------------------------------------------- one's own window


class OwnWindow(Fragment, frozen=True):
    """The window with all it can become while it is built, and with what can still move while it is activated."""

    template = "misty/own.html"
    suffix: str
    seat: int
    window: WindowView
    is_built: bool
    round: int
    is_beginners: bool
    choice: str | None
    moves: tuple[str, ...]
    placed: str
    #: While it is activated: whether the last move may be taken back, and whether all has come to rest.
    activating: tuple[bool, bool] | None

    @property
    def id(self) -> str:
        return f"window{self.suffix}"

    def fill(self, teller: Teller) -> Values:
        seat, is_built = self.seat, self.is_built
        extent = Extent.of(self.window)
        grown = [extent] if is_built else reaches(extent, self.is_beginners)
        canvas = Extent.around(
            [Space(reach.left, reach.top) for reach in grown] + [Space(reach.right, reach.bottom) for reach in grown]
        )
        cards = sorted(self.window.cards, key=lambda card: card.has_moved)
        lying = {card.space: card for card in cards}
        return {
            "number": seat,
            "round": self.round,
            "is_built": is_built,
            "size": f"cols-{canvas.width} rows-{canvas.height}",
            "fit": f"built-{canvas.width}" if is_built else f"units-{max(canvas.width, canvas.height)}",
            "is_empty": not cards,
            "sash": canvas.holding(extent),
            "reaches": [canvas.holding(reach) for reach in grown if reach != extent],
            "shapes": [] if is_built or self.is_beginners else draw_shapes(extent, self.is_beginners, teller),
            "spaces": [
                draw_space(move, canvas, self.choice, teller) for move in self.moves if move.startswith("place ")
            ],
            "cards": [
                {
                    **draw_card(card, canvas, seat, teller, self.placed),
                    **draw_motion(card, extent, lying, self.moves, teller),
                }
                for card in cards
            ],
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
    view, board = look.view, look.view.board
    assert isinstance(board, MistyView)
    if board.you is None or (view.phase == OVER and not look.suffix):
        return ()
    player, moves = board.players[board.you], tuple(view.prompt.moves) if view.prompt else ()
    # What is picked from the hand makes no difference to the window.
    choice, choices = (board.choice, moves) if board.phase != "pick" else (None, ())
    activating = None
    if board.phase == "activate" and not look.suffix:
        activating = view.undo is not None and view.undo.may_ask, player.has_chosen
    window = OwnWindow(
        look.suffix,
        board.you,
        player.window,
        board.phase in BUILT,
        board.round,
        board.is_beginners,
        choice,
        choices,
        placed.get(board.you, ""),
        activating,
    )
    has_hand = board.hand is not None and board.phase in ("pick", "place")
    return (Desk(look.suffix, window, draw_hand(board, moves, look.suffix) if has_hand else None),)


def draw_shapes(extent: Extent, is_beginners: bool, teller: Teller) -> list[Values]:
    """The shapes a window can have, and whether it still can."""
    drawn = list[Values]()
    for width, height in shapes_of(is_beginners):
        is_possible = extent.fits((width, height))
        message = mark("It can still become {width} wide and {height} high.")
        if not is_possible:
            message = mark("It can't become {width} wide and {height} high any more.")
        text = teller.say(message, width=width, height=height)
        drawn.append({"width": width, "height": height, "is_possible": is_possible, "text": text})
    return drawn


def draw_space(move: str, canvas: Extent, choice: str | None, teller: Teller) -> Values:
    name = move.removeprefix("place ")
    return {
        "look": canvas.at(Space.read(name)),
        "space": name,
        "move": move,
        "label": teller.say(mark("Place it on {space}"), space=name),
        "ghost": choice,
    }


def draw_motion(
    card: CardView, extent: Extent, lying: Mapping[str, CardView], moves: Sequence[str], teller: Teller
) -> Values:
    """What tapping a card does."""
    move = f"move {card.space}"
    if move not in moves or card.has_moved or not card.arrow:
        return {}
    end = origin(card).towards(card.arrow)
    start, name = card.space, teller.say(KIND_NAMES[card.card])
    if not extent.has(end):
        label = teller.say(mark("{start}: {card} moves out"), start=start, card=name)
        return {"move": move, "leaves": card.arrow, "label": label}
    below = lying.get(str(end))
    if below is None:
        return {
            "move": move,
            "label": teller.say(mark("{start}: {card} moves to {end}"), start=start, card=name, end=end),
        }
    covered = teller.say(KIND_NAMES[below.card])
    message = mark("{start}: {card} moves to {end} and covers: {covered}")
    return {"move": move, "label": teller.say(message, start=start, card=name, end=end, covered=covered)}


BOARD = MistyBoard("misty")
