"""The board of Misty."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from nevel.game.event import Event, Teller
from nevel.games.misty.box import KINDS
from nevel.games.misty.events import KIND_NAMES
from nevel.games.misty.rules.table import ROUNDS_TO_WIN
from nevel.games.misty.web.figures import Building, CardsWithArrows, Window
from nevel.games.misty.web.past import Recalled, look_back, most_points
from nevel.games.misty.web.window import Extent, Space, draw_card, draw_window, origin, reaches, say_card, shapes_of
from nevel.games.misty.words import CardView, MistyView, WindowView
from nevel.languages import Language, mark
from nevel.tables.views.view import TableView
from nevel.web.help.guide import COMMON_POINTS
from nevel.web.rendering.board import Board, MistLook, SeatFact, Values, fact
from nevel.web.rendering.pieces import Piece, together

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

    def draw(
        self,
        view: TableView,
        teller: Teller,
        doomed: Mapping[str, str],
        suffix: str = "",
        recalled: Recalled | None = None,
    ) -> Values:
        board = view.board
        assert isinstance(board, MistyView)
        language, you, players = teller.language, board.you, board.players
        moves = tuple(view.prompt.moves) if view.prompt else ()
        has_hand = board.hand is not None and board.phase in ("pick", "place")
        is_built = board.phase in BUILT
        # What was placed last is marked while windows are built.
        placed = recalled.placed if recalled and not is_built else NOTHING_PLACED
        return {
            "you": you,
            "phase": board.phase,
            "round": board.round,
            "going": draw_going(board, teller),
            "others": together(
                [
                    OTHER(
                        language,
                        seat,
                        players[seat].window,
                        players[seat].placing,
                        board.phase if players[seat].has_chosen else "",
                        board.round,
                        you is None,
                        placed.get(seat, ""),
                        shown=(teller.name(seat),),
                    )
                    for seat in others(board)
                ]
            ),
            "others_count": board.seats - (you is not None),
            "own": None
            if you is None
            else OWN(
                language,
                you,
                players[you].window,
                is_built,
                board.round,
                board.is_beginners,
                # What is picked from the hand makes no difference to the window.
                *((board.choice, moves) if board.phase != "pick" else (None, ())),
                placed.get(you, ""),
            ),
            "hand": draw_hand(board, moves, suffix, language) if has_hand and you is not None else "",
            "is_done": you is not None and board.phase == "activate" and players[you].has_chosen,
            "is_built": is_built,
            "scores": SCORES(
                language,
                you,
                tuple([player.wins for player in players]),
                shown=tuple(teller.names[: board.seats]),
            ),
        }

    def recall(self, told: Iterator[Event], is_over: bool) -> Recalled:
        return Recalled(told, is_over)

    def look_back(self, view: TableView, recalled: Recalled, teller: Teller) -> Values:
        assert isinstance(view.board, MistyView)
        return look_back(view.board, recalled, teller)

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


def draw_going(board: MistyView, teller: Teller) -> str:
    """Which round it is, which way the hands go, and to whom one's own."""
    receiver = ""
    if board.you is not None:
        receiver = teller.name((board.you + (1 if board.passes_left else -1)) % board.seats)
    deals = BEGINNERS_DEALS if board.is_beginners else DEALS
    deal = (board.deal, deals) if board.phase in ("pick", "place") else None
    return GOING(teller.language, board.round, deal, board.passes_left, shown=(receiver,))


def fill_going(
    teller: Teller, round_number: int, deal: tuple[int, int] | None, passes_left: bool, receiver: str
) -> Values:
    values: Values = {"title": teller.say(mark("Round {round}"), round=round_number), "passing": None}
    if deal is None:
        return values
    if not receiver:
        text = teller.say(mark("Hands pass to the left") if passes_left else mark("Hands pass to the right"))
    else:
        message = mark("Hands pass to the left, to {player}")
        if not passes_left:
            message = mark("Hands pass to the right, to {player}")
        text = teller.say(message, player=receiver)
    values["passing"] = {
        "way": "left" if passes_left else "right",
        "text": text,
        "deal": teller.say(mark("deal {deal} of {deals}"), deal=deal[0], deals=deal[1]),
    }
    return values


GOING = Piece("misty/going.html", fill_going)


def fill_other(
    teller: Teller,
    seat: int,
    window: WindowView,
    placing: str | None,
    chosen: str,
    round_number: int,
    is_open: bool,
    placed: str,
    name: str,
) -> Values:
    """Another's window, which stands still until all have finished. `chosen` is the phase in which they have."""
    return {
        "number": seat,
        "name": name,
        "round": round_number,
        "is_open": is_open,
        "window": draw_window(window, seat, teller, placed),
        "state": say_state(placing, chosen, teller),
        "placing": placing,
        "is_done": bool(chosen),
    }


OTHER = Piece("misty/other.html", fill_other)


def say_state(placing: str | None, chosen: str, teller: Teller) -> str:
    """What a player has done of what all do now."""
    if placing:
        return teller.say(mark("places: {card}"), card=teller.say(KIND_NAMES[placing]))
    if not chosen:
        return ""
    return teller.say(mark("has picked") if chosen == "pick" else mark("has finished"))


def fill_scores(teller: Teller, you: int | None, wins: tuple[int, ...], *names: str) -> Values:
    """Rounds won, as many as are needed to win."""
    return {
        "scores": [
            {
                "seat": seat,
                "name": name,
                "is_you": seat == you,
                "wins": [number < won for number in range(ROUNDS_TO_WIN)],
                "won": teller.say_count("{count} round won", "{count} rounds won", won),
            }
            for seat, (won, name) in enumerate(zip(wins, names, strict=True))
        ]
    }


SCORES = Piece("misty/scores.html", fill_scores)


# ---------------------------------------------------------------- one's own window


def draw_own(
    teller: Teller,
    seat: int,
    window: WindowView,
    is_built: bool,
    round_number: int,
    is_beginners: bool,
    choice: str | None,
    moves: tuple[str, ...],
    placed: str,
) -> Values:
    """The window with all it can become while it is built, and with what can still move while it is activated."""
    extent = Extent.of(window)
    grown = [extent] if is_built else reaches(extent, is_beginners)
    canvas = Extent.around(
        [Space(reach.left, reach.top) for reach in grown] + [Space(reach.right, reach.bottom) for reach in grown]
    )
    cards = sorted(window.cards, key=lambda card: card.has_moved)
    lying = {card.space: card for card in cards}
    return {
        "number": seat,
        "round": round_number,
        "size": f"cols-{canvas.width} rows-{canvas.height}",
        "fit": f"built-{canvas.width}" if is_built else f"units-{max(canvas.width, canvas.height)}",
        "is_empty": not cards,
        "sash": canvas.holding(extent),
        "reaches": [canvas.holding(reach) for reach in grown if reach != extent],
        "shapes": [] if is_built or is_beginners else draw_shapes(extent, is_beginners, teller),
        "spaces": [draw_space(move, canvas, choice, teller) for move in moves if move.startswith("place ")],
        "cards": [
            {**draw_card(card, canvas, seat, teller, placed), **draw_motion(card, extent, lying, moves, teller)}
            for card in cards
        ],
    }


OWN = Piece("misty/own.html", draw_own)


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


# ---------------------------------------------------------------- one's own hand


class Held(NamedTuple):
    """What is said of all cards of a hand alike: whose it is, and where and when it came."""

    seat: int
    suffix: str
    #: What its cards are called in motions: new hands have new names.
    name: str
    #: Where it came from: the neighbour who had it, or the middle of the table.
    source: str
    is_picking: bool


#: How the cards of a kind move, how many of them there are, and whether they may be picked.
HeldKind = tuple[str, str | None, int, bool]


def draw_hand(board: MistyView, moves: tuple[str, ...], suffix: str, language: Language) -> str:
    """The cards of the hand, by kind, and the card that was turned up and waits to be placed."""
    assert board.you is not None
    full = 3 if board.is_beginners else 6
    # The hand is one card smaller as soon as the picks are turned up, and the same until it is passed.
    size = board.held + (board.phase == "place")
    giver = (board.you - (1 if board.passes_left else -1)) % board.seats
    held = Held(
        board.you,
        suffix,
        f"hand-{board.you}-{board.round}-{board.deal}-{size}",
        "aside" if size == full else f"seat-{giver}",
        board.phase == "pick",
    )
    kinds = tuple(
        [(kind, board.arrows[kind], count, f"pick {kind}" in moves) for kind, count in (board.hand or {}).items()]
    )
    can_place = any(move.startswith("place ") for move in moves)
    return HAND(language, held, kinds, board.choice, board.arrows[board.choice] if board.choice else None, can_place)


def fill_hand(
    teller: Teller,
    held: Held,
    kinds: tuple[HeldKind, ...],
    choice: str | None,
    choice_arrow: str | None,
    can_place: bool,
) -> Values:
    drawn = list[Values]()
    for kind, arrow, count, may_pick in kinds:
        said = say_card(kind, arrow, teller.language)
        drawn.append(
            {
                "kind": kind,
                "title": teller.say(KIND_NAMES[kind]),
                "arrow": arrow,
                "count": count,
                "place": f"hand-{held.seat}-{kind}",
                "name": f"{held.name}-{kind}",
                "from": held.source,
                "says": f"{count} × {said}" if count > 1 else said,
                "move": f"pick {kind}" if may_pick else "",
                "label": teller.say(mark("Pick: {card}"), card=f"{said} ({count})" if count > 1 else said),
                "is_choice": held.is_picking and kind == choice,
            }
        )
    picked = None
    if choice and not held.is_picking:
        picked = {
            "kind": choice,
            "title": teller.say(KIND_NAMES[choice]),
            "arrow": choice_arrow,
            "says": say_card(choice, choice_arrow, teller.language),
            "name": f"picked-{held.seat}",
            "from": f"hand-{held.seat}-{choice}",
        }
    return {"suffix": held.suffix, "hand": drawn, "picked": picked, "can_place": can_place}


HAND = Piece("misty/cards.html", fill_hand)


BOARD = MistyBoard("misty")
