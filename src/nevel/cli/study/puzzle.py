"""`nevel puzzle`: a position with a best answer, and who finds it."""

from collections import Counter
from datetime import UTC, date, datetime
from typing import Annotated

import typer
from rich.table import Table

from nevel.cli.common import LanguageOption, choose_language, console, stop, text
from nevel.languages import Language, SpokenError, mark


def puzzle(
    kind: Annotated[
        str | None, typer.Argument(help=text(mark("A kind of puzzle; `nevel puzzle --list` lists them")))
    ] = None,
    number: Annotated[int | None, typer.Option(help=text(mark("The number of the puzzle, counted from 1")))] = None,
    day: Annotated[
        str | None, typer.Option(help=text(mark("The puzzle of a day, as YYYY-MM-DD; today's by default")))
    ] = None,
    is_list: Annotated[
        bool, typer.Option("--list", help=text(mark("The kinds, and how many puzzles there are of each")))
    ] = False,
    language_code: LanguageOption = None,
) -> None:
    language = choose_language(language_code)
    if is_list:
        show_kinds(language)
        return
    if number is not None and (kind is None or day is not None):
        stop(language.say(mark("Give a number together with a kind, and without a day.")))
    with console.status(language.say(mark("Setting up the table; the very first time this takes a few seconds…"))):
        from nevel.game.event import Teller
        from nevel.study import puzzles
        from nevel.terminal.puzzles import PuzzleTable

        try:
            if kind is not None and number is not None:
                chosen = puzzles.puzzle(kind, number)
            else:
                chosen = puzzles.puzzle_of_the_day(read_day(day), kind)
            table = PuzzleTable(chosen, Teller(language), console)
        except SpokenError as problem:
            stop(problem.sentence(language))
    table.run()


def read_day(given: str | None) -> date:
    """The day everyone shares: that of Greenwich."""
    if given is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(given)
    except ValueError as problem:
        raise SpokenError(mark("“{day}” isn't a date. Write it as YYYY-MM-DD."), day=given) from problem


def show_kinds(language: Language) -> None:
    from nevel.game.registry import find
    from nevel.study.grades import GRADE_NAMES
    from nevel.study.puzzle_grading import GRADES
    from nevel.study.puzzle_kind import all_kinds
    from nevel.study.puzzles import collection

    table = Table()
    for heading in (mark("Kind"), mark("Game"), mark("Puzzles")):
        table.add_column(language.say(heading))
    for grade in GRADES:
        table.add_column(language.say(GRADE_NAMES[grade]), justify="right")
    for name, kind in all_kinds().items():
        grades = Counter(puzzle.grade for puzzle in collection(name))
        counts = [str(grades[grade] or "") for grade in GRADES]
        table.add_row(name, find(kind.game).title, language.say(kind.title), *counts)
    console.print(table)
