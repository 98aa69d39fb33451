"""The board of Misty."""

from collections.abc import Iterator, Mapping

from nevel.games.misty import CardView, MistyView, PlayerView
from nevel.games.misty_story import KIND_NAMES
from nevel.games.telling import Event, Teller
from nevel.languages import mark
from nevel.rules.misty_table import ROUNDS_TO_WIN
from nevel.tables.view import TableView
from nevel.web.boards.board import Board, Values, fact
from nevel.web.boards.misty_past import look_back
from nevel.web.boards.misty_window import (
    Extent,
    Space,
    draw_card,
    draw_window,
    origin,
    reaches,
    say_card,
    shapes_of,
)

#: How often new hands are dealt in a round.
DEALS, BEGINNERS_DEALS = 2, 3


class MistyBoard(Board):
    """Windows, hands that go round, and how a round was counted."""

    def draw(self, view: TableView, teller: Teller, doomed: Mapping[str, str]) -> Values:
        board = view.board
        assert isinstance(board, MistyView)
        moves = view.prompt.moves if view.prompt else []
        return {
            "you": board.you,
            "phase": board.phase,
            "round": board.round,
            "title": teller.say(mark("Round {round}"), round=board.round),
            "passing": draw_passing(board, teller),
            "others": [draw_other(board.players[seat], board, teller) for seat in others(board)],
            "own": None if board.you is None else draw_own(board.players[board.you], board, moves, teller),
            "hand": draw_hand(board, moves, teller),
            "has_hand": board.hand is not None and board.phase in ("pick", "place"),
            "picked": draw_picked(board, teller),
            "scores": draw_scores(board, teller),
        }

    def look_back(self, view: TableView, told: Iterator[Event], teller: Teller) -> Values:
        assert isinstance(view.board, MistyView)
        return look_back(view.board, told, teller)

    def seat_facts(self, view: TableView, seat: int, teller: Teller) -> list[Values]:
        board = view.board
        assert isinstance(board, MistyView)
        wins = board.players[seat].wins
        return [fact("trophy", wins, teller.say_count("{count} round won", "{count} rounds won", wins))]


def others(board: MistyView) -> list[int]:
    """The other players from the viewer's left on; all of them for those who watch."""
    if board.you is None:
        return list(range(board.seats))
    return [(board.you + step) % board.seats for step in range(1, board.seats)]


def draw_passing(board: MistyView, teller: Teller) -> Values | None:
    """Which way the hands go, and to whom one's own."""
    if board.phase not in ("pick", "place"):
        return None
    deals = BEGINNERS_DEALS if board.is_beginners else DEALS
    if board.you is None:
        text = teller.say(mark("Hands pass to the left") if board.passes_left else mark("Hands pass to the right"))
    else:
        next_seat = (board.you + (1 if board.passes_left else -1)) % board.seats
        message = mark("Hands pass to the left, to {player}")
        if not board.passes_left:
            message = mark("Hands pass to the right, to {player}")
        text = teller.say(message, player=teller.name(next_seat))
    return {
        "way": "left" if board.passes_left else "right",
        "text": text,
        "deal": teller.say(mark("deal {deal} of {deals}"), deal=board.deal, deals=deals),
    }


def draw_other(player: PlayerView, board: MistyView, teller: Teller) -> Values:
    return {
        "seat": player.seat,
        "name": teller.name(player.seat),
        "window": draw_window(player.window, player.seat, teller),
        "state": say_state(player, board, teller),
        "placing": player.placing,
        "is_done": player.has_chosen,
    }


def say_state(player: PlayerView, board: MistyView, teller: Teller) -> str:
    """What a player has done of what all do now."""
    if player.placing:
        return teller.say(mark("places: {card}"), card=teller.say(KIND_NAMES[player.placing]))
    if not player.has_chosen:
        return ""
    return teller.say(mark("has picked") if board.phase == "pick" else mark("has finished"))


def draw_scores(board: MistyView, teller: Teller) -> list[Values]:
    """Rounds won, as many as are needed to win, and the points of the last round."""
    return [
        {
            "seat": player.seat,
            "name": teller.name(player.seat),
            "is_you": player.seat == board.you,
            "wins": [number < player.wins for number in range(ROUNDS_TO_WIN)],
            "won": teller.say_count("{count} round won", "{count} rounds won", player.wins),
            "points": player.score,
        }
        for player in board.players
    ]


# ---------------------------------------------------------------- one's own window


def draw_own(player: PlayerView, board: MistyView, moves: list[str], teller: Teller) -> Values:
    """The window with all it can become while it is built, and with what can still move while it is activated."""
    extent = Extent.of(player.window)
    is_built = board.phase in ("activate", "over")
    grown = [extent] if is_built else reaches(extent, board.is_beginners)
    canvas = Extent.around(
        [Space(reach.left, reach.top) for reach in grown] + [Space(reach.right, reach.bottom) for reach in grown]
    )
    cards = sorted(player.window.cards, key=lambda card: card.has_moved)
    lying = {card.space: card for card in cards}
    return {
        "seat": player.seat,
        "size": f"cols-{canvas.width} rows-{canvas.height}",
        "fit": f"built-{canvas.width}" if is_built else f"units-{max(canvas.width, canvas.height)}",
        "is_built": is_built,
        "is_empty": not cards,
        "sash": canvas.holding(extent),
        "reaches": [canvas.holding(reach) for reach in grown if reach != extent],
        "shapes": [] if is_built or board.is_beginners else draw_shapes(extent, board, teller),
        "spaces": [draw_space(move, canvas, board, teller) for move in moves if move.startswith("place ")],
        "cards": [
            {**draw_card(card, canvas, player.seat, teller), **draw_motion(card, extent, lying, moves, teller)}
            for card in cards
        ],
        "is_done": board.phase == "activate" and player.has_chosen,
    }


def draw_shapes(extent: Extent, board: MistyView, teller: Teller) -> list[Values]:
    """The shapes a window can have, and whether it still can."""
    drawn = list[Values]()
    for width, height in shapes_of(board.is_beginners):
        is_possible = extent.fits((width, height))
        message = mark("It can still become {width} wide and {height} high.")
        if not is_possible:
            message = mark("It can't become {width} wide and {height} high any more.")
        text = teller.say(message, width=width, height=height)
        drawn.append({"width": width, "height": height, "is_possible": is_possible, "text": text})
    return drawn


def draw_space(move: str, canvas: Extent, board: MistyView, teller: Teller) -> Values:
    name = move.removeprefix("place ")
    return {
        "look": canvas.at(Space.read(name)),
        "space": name,
        "move": move,
        "label": teller.say(mark("Place it on {space}"), space=name),
        "ghost": board.choice,
    }


def draw_motion(
    card: CardView, extent: Extent, lying: Mapping[str, CardView], moves: list[str], teller: Teller
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


def draw_hand(board: MistyView, moves: list[str], teller: Teller) -> list[Values]:
    """The cards of the hand, by kind. A hand that was passed on comes from the neighbour who had it."""
    if board.you is None or not board.hand:
        return []
    full = 3 if board.is_beginners else 6
    # The hand is one card smaller as soon as the picks are turned up, and the same until it is passed.
    size = board.held + (board.phase == "place")
    giver = (board.you - (1 if board.passes_left else -1)) % board.seats
    drawn = list[Values]()
    for kind, count in board.hand.items():
        said = say_card(kind, board.arrows[kind], teller.language)
        move = f"pick {kind}"
        is_choice = board.phase == "pick" and kind == board.choice
        drawn.append(
            {
                "kind": kind,
                "title": teller.say(KIND_NAMES[kind]),
                "arrow": board.arrows[kind],
                "count": count,
                "place": f"hand-{board.you}-{kind}",
                "name": f"hand-{board.you}-{board.round}-{board.deal}-{size}-{kind}",
                "from": "aside" if size == full else f"seat-{giver}",
                "says": f"{count} × {said}" if count > 1 else said,
                "move": move if move in moves else "",
                "label": teller.say(mark("Pick: {card}"), card=f"{said} ({count})" if count > 1 else said),
                "is_choice": is_choice,
            }
        )
    return drawn


def draw_picked(board: MistyView, teller: Teller) -> Values | None:
    """The card that was turned up and waits to be placed."""
    if board.you is None or board.phase != "place" or board.choice is None:
        return None
    return {
        "kind": board.choice,
        "title": teller.say(KIND_NAMES[board.choice]),
        "arrow": board.arrows[board.choice],
        "says": say_card(board.choice, board.arrows[board.choice], teller.language),
        "name": f"picked-{board.you}",
        "from": f"hand-{board.you}-{board.choice}",
    }
