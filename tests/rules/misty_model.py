"""A Misty window in plain Python, written from the rules: stacks of cards that move, cover, eat and score.

Nothing of `nevel` is used here. A window is a list of equally long strings as in `positions.PICTURED`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

STEPS = {"^": (-1, 0), "v": (1, 0), "<": (0, -1), ">": (0, 1)}
Cell = tuple[int, int]


@dataclass
class Card:
    sign: str
    home: Cell
    has_moved: bool = False


@dataclass
class Window:
    rows: list[str]
    stacks: dict[Cell, list[Card]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for row, line in enumerate(self.rows):
            for column, sign in enumerate(line):
                self.stacks[row, column] = [Card(sign, (row, column))] if sign != "." else []

    # ------------------------------------------------------------ activation

    def movable(self) -> list[Cell]:
        """Where the arrow cards lie that aren't covered and haven't moved."""
        return [
            cell for cell, stack in self.stacks.items() if stack and stack[-1].sign in STEPS and not stack[-1].has_moved
        ]

    def move(self, cell: Cell) -> Cell | None:
        """Move the top card of a space one step; gives where it went, None if it left the window."""
        card = self.stacks[cell].pop()
        card.has_moved = True
        row, column = cell[0] + STEPS[card.sign][0], cell[1] + STEPS[card.sign][1]
        if (row, column) not in self.stacks:
            return None
        self.stacks[row, column].append(card)
        return row, column

    def undo(self, cell: Cell, target: Cell | None, card: Card) -> None:
        if target is not None:
            assert self.stacks[target].pop() is card
        card.has_moved = False
        self.stacks[cell].append(card)

    def position(self) -> tuple[tuple[str, ...], ...]:
        """What lies where, as far as it can matter: the cards of each space and which of them have moved."""
        return tuple(
            tuple(sorted(f"{card.sign}{card.home}{card.has_moved}" for card in stack)) for stack in self.stacks.values()
        )

    # ------------------------------------------------------------ scoring

    def score(self) -> int:
        """Monsters eat, blurred spaces are cleared, the rest is counted."""
        table: dict[Cell, str] = {}
        blurred = {cell for cell, stack in self.stacks.items() if len(stack) > 1}
        for cell, stack in self.stacks.items():
            if stack:
                table[cell] = stack[-1].sign if cell not in blurred else "?"
        monsters = [cell for cell, sign in table.items() if sign == "m"]
        for monster in monsters:
            flowers = [cell for cell, sign in table.items() if sign == "f"]
            if flowers:
                meal = min(flowers, key=lambda cell: abs(cell[0] - monster[0]) + abs(cell[1] - monster[1]))
                del table[monster]
                table[meal] = "m"
        points = 0
        for sign in table.values():
            points += {"?": 0, "f": 2}.get(sign, 1)
        for row, line in enumerate(self.rows):
            column = 0
            while column < len(line) - 1:
                if table.get((row, column)) == table.get((row, column + 1)) == "s":
                    points += 1
                    column += 1
                column += 1
        return points


def all_results(window: Window) -> Iterator[int]:
    """The score of every order there is, one after the other."""
    cells = window.movable()
    if not cells:
        yield window.score()
    for cell in cells:
        card = window.stacks[cell][-1]
        target = window.move(cell)
        yield from all_results(window)
        window.undo(cell, target, card)


def best_result(window: Window, known: dict[object, int] | None = None) -> int:
    """The best score, trying every order, but the same position only once."""
    known = {} if known is None else known
    position = window.position()
    if position not in known:
        best = -1
        for cell in window.movable():
            card = window.stacks[cell][-1]
            target = window.move(cell)
            best = max(best, best_result(window, known))
            window.undo(cell, target, card)
        known[position] = window.score() if best < 0 else best
    return known[position]


def model_of(picture: str) -> Window:
    """The window of a picture: its rows, one after the other."""
    return Window(picture.split())
