"""Puzzles to look through and to solve. Nothing is kept on the way: the moves made so far stand in the address."""

from collections import Counter
from datetime import UTC, datetime
from functools import partial
from typing import Annotated
from urllib.parse import urlencode

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from nevel.game.registry import find
from nevel.languages import Language, SpokenError, mark
from nevel.study import puzzles
from nevel.study.grades import GRADE_MEANINGS, GRADE_NAMES
from nevel.study.puzzle_grading import GRADES
from nevel.study.puzzle_kind import ChoiceKind, Verdict, all_kinds, say_move, say_share
from nevel.study.puzzles import Puzzle, UnknownPuzzleError
from nevel.tables.runtime.off_loop import run_off_loop
from nevel.tables.storage.schema import Solved
from nevel.web.assets.assets import style_of
from nevel.web.pages.moves import MoveFields, compose_move
from nevel.web.pages.page import Go, Page, Shown, page, show, wants_json
from nevel.web.pages.study.puzzle_scene import draw_scene
from nevel.web.rendering.fragment import Values
from nevel.web.server.endpoint import Nothing, Visit
from nevel.web.server.problems import NotFoundError, Problem, describe

#: Between two moves in an address.
COMMA = ","
#: Seconds after which judging an answer is given up; where nothing is compiled yet, the first takes some.
LONGEST_ATTEMPT = 60.0
#: Tries that are told apart.
MOST_TRIES = 999


class PuzzleAnswer(Struct, frozen=True):
    """How far an answer has come: the moves made, at which try; or how much of the right one to show."""

    moves: Annotated[str, Meta(max_length=1000)] = ""
    tries: Annotated[int, Meta(ge=1, le=MOST_TRIES)] = 1
    answer: Annotated[int, Meta(ge=0, le=100)] | None = None

    @property
    def made(self) -> tuple[str, ...]:
        return tuple(self.moves.split(COMMA)) if self.moves else ()


# ---------------------------------------------------------------- all of them


async def overview(visit: Visit, _query: Nothing, _form: None) -> Shown:
    solved = await solved_by(visit)
    today = todays_puzzle()
    return Shown(
        "puzzles.html",
        {
            "today": introduce(today, visit.language),
            "is_solved": (today.kind, today.number) in solved,
            "kinds": [introduce_kind(kind, solved, visit.language) for kind in all_kinds()],
        },
    )


async def solved_by(visit: Visit) -> set[tuple[str, int]]:
    """The puzzles the visitor has solved, by kind and number."""
    if visit.person is None:
        return set()
    return {(solved.kind, solved.number) for solved in await visit.site.storage.solved_by(visit.person.id)}


def introduce_kind(name: str, solved: set[tuple[str, int]], language: Language) -> Values:
    kind, collected = all_kinds()[name], puzzles.collection(name)
    done = {number for one, number in solved if one == name and number <= len(collected)}
    ahead = next((puzzle.number for puzzle in collected if puzzle.number not in done), 1)
    counts = Counter(puzzle.grade for puzzle in collected)
    return {
        "name": name,
        "icon": kind.icon,
        "game": kind.game,
        "game_title": find(kind.game).title,
        "title": language.say(kind.title),
        "task": language.say(kind.task),
        "count": len(collected),
        "solved": len(done),
        "progress": language.say(mark("{solved} of {count} solved"), solved=len(done), count=len(collected)),
        "next": ahead,
        "grades": [
            {
                **draw_grade(grade, language),
                "numbers": [(puzzle.number, puzzle.number in done) for puzzle in collected if puzzle.grade == grade],
            }
            for grade in GRADES
            if counts[grade]
        ],
    }


def introduce(puzzle: Puzzle, language: Language) -> Values:
    kind = puzzle.of_kind
    return {
        "address": address_of(puzzle),
        "kind": puzzle.kind,
        "number": puzzle.number,
        "game": puzzle.game,
        "game_title": find(puzzle.game).title,
        "title": language.say(kind.title),
        "task": language.say(kind.task),
        "grade": draw_grade(puzzle.grade, language),
    }


def draw_grade(grade: str, language: Language) -> Values:
    return {
        "name": language.say(GRADE_NAMES[grade]),
        "meaning": language.say(GRADE_MEANINGS[grade]),
        "icon": "trophy" if grade == GRADES[-1] else f"level-{grade}",
    }


async def go_to_today(visit: Visit, _query: Nothing, _form: None) -> Go:
    return Go(address_of(todays_puzzle()))


def todays_puzzle() -> Puzzle:
    return puzzles.puzzle_of_the_day(datetime.now(UTC).date())


# ---------------------------------------------------------------- one of them


class PuzzlePage(Page, frozen=True):
    """A move in a puzzle: what is refused is told beside the position it was refused in."""

    async def refuse(self, visit: Visit, request: Request, problem: SpokenError) -> Response:
        if not wants_json(request):
            try:
                query = msgspec.convert(dict(request.query_params), PuzzleAnswer, strict=False)
                return show(visit, await draw(visit, query, describe(problem, visit.language)))
            except (SpokenError, msgspec.ValidationError):
                pass  # there is no position to tell it in
        return await super().refuse(visit, request, problem)


async def view(visit: Visit, query: PuzzleAnswer, _form: None) -> Shown:
    return await draw(visit, query)


async def move(visit: Visit, query: PuzzleAnswer, fields: MoveFields) -> Go:
    text = compose_move(fields)
    puzzle = await asked(visit)
    words = find(puzzle.game).vocabulary
    made = (*query.made, words.moves.parse(text).text)
    verdict = await run_off_loop(visit.payer, partial(puzzle.attempt, made), LONGEST_ATTEMPT)
    if verdict.is_solved:
        person = await visit.somebody()
        solved = Solved(puzzle.kind, puzzle.number, visit.site.house.clock(), query.tries)
        await visit.site.storage.add_solved(person.id, solved)
    return Go(address_of(puzzle, PuzzleAnswer(COMMA.join(made), query.tries)))


async def asked(visit: Visit) -> Puzzle:
    """The puzzle of this address, once the rules can be played by."""
    kind, number = (visit.connection.path_params[name] for name in ("kind", "number"))
    try:
        puzzle = puzzles.puzzle(kind, int(number) if number.isdecimal() and len(number) < 10 else 0)
    except UnknownPuzzleError as problem:
        raise NotFoundError from problem
    await visit.site.warming.rules.wait()
    return puzzle


async def draw(visit: Visit, query: PuzzleAnswer, problem: Problem | None = None) -> Shown:
    puzzle = await asked(visit)
    is_shown = query.answer is not None
    made = puzzle.answer[: query.answer] if is_shown else query.made
    verdict = await run_off_loop(visit.payer, partial(puzzle.attempt, made), LONGEST_ATTEMPT)
    language, name = visit.language, visit.person.name if visit.person else None
    is_asked = not verdict.is_done and not is_shown
    scene = draw_scene(puzzle, puzzle.position(made), is_asked, name, language)
    retry = PuzzleAnswer(tries=min(query.tries + (verdict.is_done and not is_shown), MOST_TRIES))
    values: Values = {
        **introduce(puzzle, language),
        **scene,
        "style": style_of(find(puzzle.game)),
        "here": address_of(puzzle, query),
        "known": puzzle.of_kind.say_known(puzzle, language),
        "is_asked": is_asked,
        "back": address_of(puzzle, PuzzleAnswer(COMMA.join(made[:-1]), query.tries)) if made and is_asked else "",
        "again": address_of(puzzle, retry),
        "show": address_of(puzzle, PuzzleAnswer(tries=retry.tries, answer=0 if len(puzzle.answer) > 1 else 1)),
        "next": next_address(puzzle),
        "verdict": draw_verdict(puzzle, made, verdict, language) if verdict.is_done and not is_shown else None,
        "steps": draw_steps(puzzle, query, language) if is_shown else None,
        "worths": draw_worths(puzzle, made, language) if verdict.is_done or is_shown else [],
        "checked": puzzle.of_kind.say_checked(puzzle, language),
        "problem": problem,
    }
    return Shown("puzzle.html", values, problem.status if problem else 200)


def draw_verdict(puzzle: Puzzle, made: tuple[str, ...], verdict: Verdict, language: Language) -> Values:
    return {
        "is_solved": verdict.is_solved,
        "title": language.say(mark("Solved!") if verdict.is_solved else mark("Not quite.")),
        "lines": puzzle.of_kind.say_verdict(puzzle, made, verdict, language),
    }


def draw_steps(puzzle: Puzzle, query: PuzzleAnswer, language: Language) -> Values:
    """The answer step by step: every move with a link to the moment after it."""
    said = puzzle.of_kind.say_answer(puzzle, language)
    at = min(query.answer or 0, len(said))

    def address(step: int) -> str:
        return address_of(puzzle, PuzzleAnswer(tries=query.tries, answer=step))

    return {
        "at": at,
        "count": len(said),
        "previous": address(max(at - 1, 0)),
        "next": address(min(at + 1, len(said))),
        "lines": [{"text": text, "address": address(step), "at": step} for step, text in enumerate(said, start=1)],
    }


def draw_worths(puzzle: Puzzle, made: tuple[str, ...], language: Language) -> list[Values]:
    """The chances of every option, as bars; of interest only where there is no certain answer."""
    if not isinstance(puzzle.of_kind, ChoiceKind):
        return []
    return [
        {
            "text": say_move(puzzle, option.move, language),
            "chance": option.chance,
            "percent": say_share(option.chance, language),
            "is_best": option is puzzle.checked.options[0],
            "is_yours": option.move in made,
        }
        for option in puzzle.checked.options
    ]


def address_of(puzzle: Puzzle, answer: PuzzleAnswer | None = None) -> str:
    fields = msgspec.structs.asdict(answer or PuzzleAnswer())
    given = {name: value for name, value in fields.items() if value not in ("", None)}
    if given.get("tries") == 1:
        del given["tries"]
    return f"/puzzles/{puzzle.kind}/{puzzle.number}{'?' if given else ''}{urlencode(given)}"


def next_address(puzzle: Puzzle) -> str:
    """The address of the next puzzle; the first comes after the last."""
    number = puzzle.number % len(puzzles.collection(puzzle.kind)) + 1
    return f"/puzzles/{puzzle.kind}/{number}"


PAGES = (
    page("/puzzles", overview),
    page("/puzzles/today", go_to_today),
    page("/puzzles/{kind}/{number}", view, PuzzleAnswer),
    PuzzlePage("POST", "/puzzles/{kind}/{number}", move, "", None, MoveFields, PuzzleAnswer),
)
