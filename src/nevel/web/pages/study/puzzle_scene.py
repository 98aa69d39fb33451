"""A puzzle as its board is drawn: the same board as at a table, with one chair that is asked and bots in the others."""

from minijinja import safe

from nevel.game.event import Teller
from nevel.game.game import Game
from nevel.game.registry import find
from nevel.languages import Language
from nevel.study.puzzles import Puzzle
from nevel.tables.domain.pace import Pace
from nevel.tables.domain.table import PLAYING
from nevel.tables.views.view import ChairView, PlayView, Question, TableView, Viewer
from nevel.web.rendering.board import Look, board_of, recall
from nevel.web.rendering.fragment import Values
from nevel.web.rendering.render import RenderContext, render_all
from nevel.web.rendering.surroundings import draw_chair, names_of


def draw_scene(puzzle: Puzzle, game: Game, is_asked: bool, name: str | None, language: Language) -> Values:
    """The board, as a puzzle shows it at one moment of an answer; nobody is asked anything once it is given."""
    view = look(puzzle, game, is_asked, name or Teller(language).name(puzzle.seat))
    teller = Teller(language, names_of(view, language))
    board, questions = board_of(puzzle.game), find(puzzle.game).vocabulary.questions
    play = PlayView(view.board, view.prompt, view.hints, view.undo)
    drawn = board.draw(Look(play, memory=recall(game), doomed=doomed(game, view, puzzle.seat, language)))
    place = RenderContext(language, teller.names)
    return {
        "board": safe(render_all(drawn.shared, place)) if "board" in board.puzzle_parts else "",
        "marks": " ".join(drawn.marks),
        "hand": safe(render_all(drawn.hand, place)),
        "side": safe(render_all(drawn.side, place)) if "side" in board.puzzle_parts else "",
        "chairs": [draw_chair(view, chair, teller) for chair in view.chairs],
        "prompt": teller.say(questions[view.prompt.question]) if view.prompt else "",
    }


def look(puzzle: Puzzle, game: Game, is_asked: bool, name: str) -> TableView:
    """What the seat that is to answer sees, as if it sat at a table."""
    prompt = game.prompt(puzzle.seat) if is_asked else None
    return TableView(
        table="",
        seq=len(game.log),
        phase=PLAYING,
        game=puzzle.game,
        options=game.options,
        pace=Pace(),
        stand_in="strong",
        is_public=True,
        has_own_box=False,
        brought=0,
        is_brought=False,
        is_practice=False,
        you=Viewer("player", puzzle.seat),
        chairs=[sit(seat, puzzle.seat, name) for seat in range(game.seats)],
        commitment="",
        shuffle=None,
        board=game.view(puzzle.seat),
        prompt=Question(prompt.question, list(prompt.moves)) if prompt else None,
        hints=[],
        undo=None,
        outcome=None,
        proof=None,
        rematch=None,
    )


def sit(seat: int, yours: int, name: str) -> ChairView:
    is_you = seat == yours
    return ChairView(
        chair=seat,
        kind="person" if is_you else "bot",
        name=name if is_you else None,
        level=None if is_you else "strong",
        is_you=is_you,
        is_host=False,
        is_present=True,
        is_reserved=False,
        clock=None,
    )


def doomed(game: Game, view: TableView, seat: int, language: Language) -> dict[str, str]:
    """Moves that lose on the spot, each with a sentence why: what every table says before they are made."""
    found = {move: game.why_lost(seat, move) for move in view.prompt.moves} if view.prompt else {}
    return {move: clause.sentence(language) for move, clause in found.items() if clause}
