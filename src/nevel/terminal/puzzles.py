"""A puzzle in the terminal: the table as it stands, one's own moves, and what they came to."""

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from nevel.game.event import Teller
from nevel.game.registry import find
from nevel.languages import mark
from nevel.study.grades import GRADE_MEANINGS, GRADE_NAMES
from nevel.study.puzzle_kind import say_move, say_share
from nevel.study.puzzles import Puzzle
from nevel.terminal.drawing import draw
from nevel.terminal.table import LeftTableError, TerminalTable

#: Characters of a bar that stands for a certain win.
BAR = 40


class PuzzleTable(TerminalTable):
    """One puzzle at one screen: the answer is played as at any table, by one seat alone."""

    def __init__(self, puzzle: Puzzle, teller: Teller, console: Console) -> None:
        super().__init__(puzzle.position(), {}, teller, console)
        self.puzzle = puzzle
        self.at_screen = puzzle.seat

    @property
    def moves(self) -> tuple[str, ...]:
        """What was answered so far."""
        return tuple(entry.move.text for entry in self.game.log[len(self.puzzle.moves) :])

    def run(self) -> None:
        """Ask until it is solved, given up or left; Ctrl-C and the end of the input leave."""
        self.introduce()
        try:
            while self.try_once():
                self.game = self.puzzle.position()
        except (KeyboardInterrupt, EOFError, LeftTableError):
            self.console.print()

    def introduce(self) -> None:
        puzzle, language = self.puzzle, self.teller.language
        title = f"{find(puzzle.game).title} · {self.say(puzzle.of_kind.title)} {puzzle.number}"
        self.console.print(Rule(title))
        self.console.print(Text(self.say(puzzle.of_kind.task), style="bold"))
        if known := puzzle.of_kind.say_known(puzzle, language):
            self.console.print(Text(known))
        grade = self.say(GRADE_NAMES[puzzle.grade])
        self.console.print(Text(f"{grade}: {self.say(GRADE_MEANINGS[puzzle.grade])}", style="dim"))

    def try_once(self) -> bool:
        """One answer from the first move to the verdict; whether there is to be another."""
        puzzle = self.puzzle
        seat = puzzle.seat
        self.events_shown[seat] = len(self.game.story(seat))  # how the position came about is no news
        while not (verdict := puzzle.attempt(self.moves)).is_done:
            prompt = self.game.prompt(seat)
            assert prompt
            self.show(seat, prompt)
            move = self.ask(seat, prompt)
            if move is not None:
                self.game.play(seat, move)
        if len(self.moves) > 1:
            self.console.print(draw(self.game.view(seat), self.teller))
        said = puzzle.of_kind.say_verdict(puzzle, self.moves, verdict, self.teller.language)
        if verdict.is_solved:
            self.console.print(Text(" ".join((self.say(mark("Solved!")), *said)), style="bold green"))
            self.show_worths()
            return False
        self.console.print(Text(" ".join((self.say(mark("Not quite.")), *said)), style="bold yellow"))
        if self.agrees(mark("Try again?"), otherwise=True):
            return True
        if self.agrees(mark("Show the answer?"), otherwise=True):
            self.show_answer()
        return False

    def show_answer(self) -> None:
        for number, line in enumerate(self.puzzle.of_kind.say_answer(self.puzzle, self.teller.language), start=1):
            self.console.print(Text(f"{number:>4}  {line}"))
        self.show_worths()

    def show_worths(self) -> None:
        """The chances of every option as bars, where there are such, and how all this is known."""
        language = self.teller.language
        options = self.puzzle.checked.options
        names = [say_move(self.puzzle, option.move, language) for option in options]
        width = max(map(len, names), default=0)
        for name, option in zip(names, options, strict=True):
            bar = "█" * round(BAR * option.chance)
            self.console.print(Text(f"  {name:<{width}}  {bar:<{BAR}} {say_share(option.chance, language)}"))
        self.console.print(Text(self.puzzle.of_kind.say_checked(self.puzzle, language), style="dim"))
