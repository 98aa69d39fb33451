"""Finds puzzles in games between bots, checks and grades them.

    python -m tuning.puzzles misty-window --count 120 --seed 1

writes src/nevel/study/collection/misty-window.jsonl. The same kind, count and seed give the same puzzles. What makes a
position worth asking about is in `tuning/puzzle_finding.py`; docs/puzzles.md tells it in words.
"""

import argparse
from random import Random

import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from nevel.study.puzzle_grading import GRADES
from nevel.study.puzzles import FOLDER, Puzzle
from tuning.puzzle_finding import FINDERS, ROOM


def find(kind: str, count: int, seed: int) -> list[Puzzle]:
    """As many puzzles of a kind, the easiest first."""
    chance = Random(f"{kind} {seed}")
    rooms = {grade: round(ROOM[kind].get(grade, 0.0) * count) for grade in GRADES}
    found = list[Puzzle]()
    known = set[object]()
    columns = (
        TextColumn(kind),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[on]}"),
    )
    with Progress(*columns) as progress:
        task = progress.add_task(kind, total=count, on="")
        tried = 0
        while len(found) < count:
            tried += 1
            wanted = {grade for grade, room in rooms.items() if room > 0}
            for candidate in FINDERS[kind](chance.getrandbits(64), wanted):
                if candidate.mark not in known:
                    known.add(candidate.mark)
                    found.append(candidate.puzzle)
                    rooms[candidate.puzzle.grade] -= 1
                    found.sort(key=lambda puzzle: (GRADES.index(puzzle.grade), -puzzle.checked.luck, puzzle.seed))
                    write(kind, found)
            progress.update(task, completed=len(found), description=f"{kind}, {tried} games")
    return found


def write(kind: str, puzzles: list[Puzzle]) -> None:
    lines = [msgspec.json.encode(puzzle) + b"\n" for puzzle in puzzles]
    (FOLDER / f"{kind}.jsonl").write_bytes(b"".join(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=sorted(FINDERS))
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    write(given.kind, find(given.kind, given.count, given.seed))


if __name__ == "__main__":
    main()
