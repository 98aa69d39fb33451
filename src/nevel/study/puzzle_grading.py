"""How hard a puzzle is: the weakest level that solves it."""

from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.bots.levels import LADDER
from nevel.game.game import Game
from nevel.study.puzzle_kind import all_kinds

#: Who solves a puzzle at least, weakest first; the last is for those no level solves.
GRADES = (*LADDER, "hardest")
#: How a level's answer is found: with these seeds, and this much thinking where it thinks.
SEEDS = range(5)
THINKING = Budget(playouts=800)


def grade(kind: str, game: Game, seat: int, best: int, answer: tuple[str, ...]) -> str:
    """The weakest level that solves it with most seeds."""
    for level in LADDER:
        solved = sum(solves(kind, game, seat, best, answer, level, seed) for seed in SEEDS)
        if 2 * solved > len(SEEDS):
            return level
    return GRADES[-1]


def solves(kind: str, game: Game, seat: int, best: int, answer: tuple[str, ...], level: str, seed: int) -> bool:
    """Whether a level's bot, asked for one move after the other, gives a right answer."""
    trial = game.copy()
    while True:
        moves = tuple(entry.move.text for entry in trial.log[len(game.log) :])
        verdict = all_kinds()[kind].judge(game.copy(), seat, moves, best, answer)
        if verdict.is_done or verdict.slip is not None:
            return verdict.is_solved
        play_one(trial, seat, level, seed)


def play_one(game: Game, seat: int, level: str, seed: int) -> None:
    """One move of a bot that is asked for one."""
    number = Bot(level, seed, THINKING).move(game.knowledge(seat))
    assert number is not None
    game.play(seat, game.vocabulary.moves[number])
