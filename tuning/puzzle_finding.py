"""Finds positions that make puzzles, in games between bots."""

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import NamedTuple

from nevel.study.puzzle_kinds import points_within_reach

import nevel
from nevel.bots.bot import Bot
from nevel.bots.evaluation import Budget
from nevel.bots.playing_out import decide
from nevel.bots.policy import ALL_LEVELS, STRONG
from nevel.engine import dispatch
from nevel.game.game import Game
from nevel.games.misty.rules import window
from nevel.games.the_game import rules as the_game
from nevel.games.the_game.endgames import End, can_be_won
from nevel.games.the_game.rules.table import OVER
from nevel.study.puzzle_grading import grade, play_one
from nevel.study.puzzles import Puzzle, PuzzleEvidence
from nevel.study.review import EvaluatedOption

#: The largest share each grade may have of a kind. Levels from strong on activate a window without a mistake.
ROOM: dict[str, dict[str, float]] = {
    "misty-window": {"beginner": 0.15, "casual": 0.25, "strong": 1.0},
    "the-game-endgame": {"beginner": 0.25, "casual": 0.5, "strong": 0.4, "expert": 0.6, "hardest": 0.4},
    "fog-place": {"beginner": 0.2, "casual": 0.25, "strong": 0.3, "expert": 0.4, "hardest": 0.1},
    "fog-predict": {"beginner": 0.25, "casual": 0.25, "strong": 0.3, "expert": 0.4, "hardest": 0.1},
}

# Windows.
FEWEST_ARROWS = 7
MOST_LUCK_IN_WINDOW = 0.1
POINTS_AHEAD = 2  # of the casual level, where it doesn't find the best

# Endgames.
CARDS = range(6, 11)
LAST_DRAWS = 12  # cards in the draw pile from which a game is ended in several ways
ENDS = 8
MOST_LUCK_IN_ENDGAME = 0.03
MOST_KEEPING = 0.5  # of the first moves

# What the Fog?!
SCREENED = 10  # decisions of a game that are looked at
GLANCE = Budget(playouts=1000)
DEEP = Budget(playouts=10_000)  # twice
CLEARLY = 4.0  # standard errors the best is ahead
AHEAD = 0.03  # and chance to win
LIKELY_AHEAD = 0.05


class Candidate(NamedTuple):
    puzzle: Puzzle
    #: Two puzzles with the same mark are the same.
    mark: object


def write_up(kind: str, game: Game, seat: int, answer: tuple[str, ...], level: str, checked: PuzzleEvidence) -> Puzzle:
    return Puzzle(
        game=game.name,
        rules=game.vocabulary.rules.VERSION,
        seats=game.seats,
        seed=f"{game.seed:x}",
        moves=tuple(f"{entry.seat} {entry.move.text}" for entry in game.log),
        after=game.fingerprint(),
        seat=seat,
        answer=answer,
        grade=level,
        checked=checked,
    )


# ---------------------------------------------------------------- windows


def find_window(seed: int, wanted: set[str]) -> Iterator[Candidate]:
    """Windows as they are when activation begins: many orders, few of them best."""
    chance = Random(seed)
    game = nevel.new("misty", seats=2, seed=seed)
    levels = [chance.choice(("simple", "beginner", "casual", "strong")) for _ in range(2)]
    while game.position.phase < 2:
        for seat in game.waiting_for:
            play_one(game, seat, levels[seat], seed)
    for seat in game.waiting_for if len(game.waiting_for) == 2 else ():
        s = game.state
        arrows = int(window.movable(s, seat, 0)).bit_count()
        if arrows < FEWEST_ARROWS:
            continue
        best = points_within_reach(game, seat)
        luck = luck_in_window(game, seat, best)
        casual = make_points(game, seat, "casual")
        beginner = make_points(game, seat, "beginner")
        level = "beginner" if beginner == best else "casual" if casual == best else "strong"
        if level not in wanted or luck > MOST_LUCK_IN_WINDOW:
            continue
        if level == "strong" and best < max(casual, beginner) + POINTS_AHEAD:
            continue
        answer = best_order(game, seat)
        assert grade("misty-window", game, seat, best, answer) == level
        checked = PuzzleEvidence(luck=round(luck, 5), best=best, casual=casual, first_moves=arrows)
        cards = tuple(int(card) for card in s.window[seat].ravel())
        yield Candidate(write_up("misty-window", game, seat, answer, level, checked), cards)
        return


def make_points(game: Game, seat: int, level: str) -> int:
    """What a level makes of a window."""
    trial = game.copy()
    while seat in trial.waiting_for:
        play_one(trial, seat, level, 0)
    return points_within_reach(trial, seat)


def best_order(game: Game, seat: int) -> tuple[str, ...]:
    trial = game.copy()
    while seat in trial.waiting_for:
        play_one(trial, seat, "strong", 0)
    return tuple(entry.move.text for entry in trial.log[len(game.log) :])


def luck_in_window(game: Game, seat: int, best: int) -> float:
    """The chance that cards moved in any order make the most."""
    s = game.state

    @cache
    def chance_from(activated: int) -> float:
        spaces = int(window.movable(s, seat, activated))
        if spaces == 0:
            return float(window.score(s, seat, activated) == best)
        after = [chance_from(activated | 1 << space) for space in range(window.SPACES) if spaces >> space & 1]
        return sum(after) / len(after)

    return chance_from(0)


# ---------------------------------------------------------------- endgames


def find_endgame(seed: int, wanted: set[str]) -> Iterator[Candidate]:
    """A turn near the end of a game alone, in which everything is known and a win is hidden: the hardest to hit."""
    can_be_won.cache_clear()
    luck_in_endgame.cache_clear()
    game = game_near_its_end(seed)
    if game is None:
        return
    chance = Random(seed)
    found = [one for _ in range(ENDS) for one in hidden_wins(game.copy(), chance)]
    if not found:
        return
    luck, game = min(found, key=lambda one: one[0])
    answer = winning_line(game)
    level = grade("the-game-endgame", game, 0, 0, answer)
    if level not in wanted:
        return
    plays = End.of(game).plays
    keeping = sum(can_be_won(after) for _, _, after in plays)
    checked = PuzzleEvidence(luck=round(luck, 7), keeping=keeping, first_moves=len(plays))
    yield Candidate(write_up("the-game-endgame", game, 0, answer, level, checked), seed)


def game_near_its_end(seed: int) -> Game | None:
    """A game of the strong level up to its last draws, if it gets there: most don't, so they are played in numbers."""
    game = nevel.new("the-game", seats=1, seed=seed)
    states = dispatch.new_states(the_game)
    states[0] = game.state
    s = states[0]
    rng = Bot("strong", seed).rng(game.knowledge(0))
    moves = list[int]()
    while s.phase != OVER and s.left > LAST_DRAWS:
        moves.append(int(decide(s, 0, STRONG, rng, ALL_LEVELS)))
        the_game.apply(s, 0, moves[-1], None)
    if s.phase == OVER:
        return None
    for move in moves:
        game.play(0, game.vocabulary.moves[move])
    return game


def hidden_wins(game: Game, chance: Random) -> Iterator[tuple[float, Game]]:
    """Moments of one way the game could end that are worth asking about, each with the luck a win would take."""
    while not game.is_over:
        s = game.position
        if s.left <= 2 and s.played == 0 and s.left + s.held[0] in CARDS:
            end = End.of(game)
            plays = end.plays
            if 0 < sum(can_be_won(after) for _, _, after in plays) <= MOST_KEEPING * len(plays):
                luck = luck_in_endgame(end)
                if luck <= MOST_LUCK_IN_ENDGAME:
                    yield luck, game.copy()
            if s.left == 0:
                return
        play_one(game, 0, chance.choice(("beginner", "casual", "strong", "strong")), chance.getrandbits(32))


@cache
def luck_in_endgame(end: End) -> float:
    """The chance that cards laid at random, wherever they fit, win."""
    if end.is_won:
        return 1.0
    if end.is_hopeless:
        return 0.0
    after = [left for _, _, left in end.plays]
    if (drawn := end.drawn) is not None:
        after.append(drawn)
    return sum(map(luck_in_endgame, after)) / len(after) if after else 0.0


def winning_line(game: Game) -> tuple[str, ...]:
    """Moves that lay every card."""
    trial = game.copy()
    while not trial.is_over:
        for move in trial.legal_moves(0):
            if trial.vocabulary.is_hint(move):
                continue
            ahead = trial.copy()
            ahead.play(0, move)
            if ahead.outcome.winners if ahead.outcome else can_be_won(End.of(ahead)):
                trial = ahead
                break
        else:
            raise AssertionError("the rules and the study of endgames disagree")
    return tuple(entry.move.text for entry in trial.log[len(game.log) :])


# ---------------------------------------------------------------- What the Fog?!


def find_choice(kind: str, question: str, fewest: int, seed: int, wanted: set[str]) -> Iterator[Candidate]:
    """A decision one option of which a deep search finds clearly best."""
    chance = Random(seed)
    game = nevel.new("what-the-fog", seats=chance.choice((2, 3, 4)), seed=seed)
    moments = list[tuple[Game, int]]()
    while not game.is_over:
        seat = game.waiting_for[0]
        prompt = game.prompt(seat)
        if prompt and prompt.question == question and len(prompt.moves) >= fewest:
            moments.append((game.copy(), seat))
        play_one(game, seat, "strong", seed)
    for moment, seat in chance.sample(moments, min(SCREENED, len(moments))):
        first, second = weigh(moment, seat, 0, GLANCE)[:2]
        if first.chance - second.chance < LIKELY_AHEAD:
            continue
        level = grade(kind, moment, seat, 0, (first.move,))
        if level not in wanted:
            continue
        options = weigh_deeply(moment, seat)
        if options is None:
            continue
        if options[0].move != first.move:
            level = grade(kind, moment, seat, 0, (options[0].move,))
            if level not in wanted:
                continue
        checked = PuzzleEvidence(playouts=2 * (DEEP.playouts or 0), luck=round(1 / len(options), 3), options=options)
        yield Candidate(write_up(kind, moment, seat, (options[0].move,), level, checked), seed)
        return


def weigh(game: Game, seat: int, seed: int, budget: Budget) -> list[EvaluatedOption]:
    """What every option is worth to the expert, the best first."""
    choices = Bot("expert", seed, budget).evaluate(game.knowledge(seat)).choices
    options = [
        EvaluatedOption(game.vocabulary.moves[choice.move].text, choice.value, choice.error, choice.points)
        for choice in choices
    ]
    return sorted(options, key=lambda option: -option.chance)


def weigh_deeply(game: Game, seat: int) -> tuple[EvaluatedOption, ...] | None:
    """Two searches that know nothing of each other; None unless both find the same option clearly best."""
    searches = [weigh(game, seat, seed, DEEP) for seed in (101, 202)]
    if len({options[0].move for options in searches}) > 1:
        return None
    for first, second, *_ in searches:
        lead = first.chance - second.chance
        if lead < AHEAD or lead < CLEARLY * (first.error**2 + second.error**2) ** 0.5:
            return None
    others = {option.move: option for option in searches[1]}
    both = [
        EvaluatedOption(
            one.move,
            round((one.chance + others[one.move].chance) / 2, 4),
            round((one.error**2 + others[one.move].error ** 2) ** 0.5 / 2, 4),
            round((one.points + others[one.move].points) / 2, 2),
        )
        for one in searches[0]
    ]
    return tuple(sorted(both, key=lambda option: -option.chance))


def find_place(seed: int, wanted: set[str]) -> Iterator[Candidate]:
    return find_choice("fog-place", "place", 3, seed, wanted)


def find_prediction(seed: int, wanted: set[str]) -> Iterator[Candidate]:
    return find_choice("fog-predict", "predict", 2, seed, wanted)


FINDERS: dict[str, Callable[[int, set[str]], Iterator[Candidate]]] = {
    "misty-window": find_window,
    "the-game-endgame": find_endgame,
    "fog-place": find_place,
    "fog-predict": find_prediction,
}
