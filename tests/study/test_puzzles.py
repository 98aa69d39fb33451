"""The puzzles that are shipped: their answers are what they claim to be, and everybody gets the same one a day."""

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from pathlib import Path

import pytest

import nevel
from nevel.game.move import MalformedMoveError
from nevel.games.misty.words import MistyView
from nevel.games.the_game.endgames import End, can_be_won, unseen_cards
from nevel.games.the_game.words import TheGameView
from nevel.languages import LANGUAGES, SpokenError, language
from nevel.study.puzzle_grading import GRADES, grade
from nevel.study.puzzle_kind import all_kinds
from nevel.study.puzzles import Puzzle, UnknownPuzzleError, collection, puzzle, puzzle_of_the_day

#: Every how many puzzles are checked when there is little time.
SAMPLE = 12


def few(kind: str) -> list[Puzzle]:
    return list(collection(kind)[::SAMPLE])


def ids(given: Puzzle) -> str:
    return f"{given.kind}-{given.number}"


# ---------------------------------------------------------------- windows, by brute force

DELTAS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
Place = tuple[int, int]


def best_of_window(view: MistyView, seat: int) -> int:
    """The most points of a window, from all orders there are: cards as anyone would move them on a table."""
    window = view.players[seat].window
    first, last = place(window.first), place(window.last)
    cards = [(card.card, place(card.space), card.arrow) for card in window.cards]

    def lands(number: int) -> Place:
        _, (column, row), arrow = cards[number]
        assert arrow
        return column + DELTAS[arrow][0], row + DELTAS[arrow][1]

    @cache
    def best(moved: frozenset[int]) -> int:
        covered = {lands(number) for number in moved}
        free = [
            number for number, (_, at, arrow) in enumerate(cards) if arrow and number not in moved and at not in covered
        ]
        return max((best(moved | {number}) for number in free), default=-1) if free else count(moved)

    def count(moved: frozenset[int]) -> int:
        spaces: dict[Place, list[str]] = {}
        for number, (card, at, _) in enumerate(cards):
            here = lands(number) if number in moved else at
            if first[0] <= here[0] <= last[0] and first[1] <= here[1] <= last[1]:
                spaces.setdefault(here, []).append(card)
        seen = {here: lying[0] for here, lying in spaces.items() if len(lying) == 1}
        meals = min(list(seen.values()).count("flower"), list(seen.values()).count("monster"))
        points = len(seen) + list(seen.values()).count("flower") - 2 * meals  # a monster stands where a flower was
        for row in range(first[1], last[1] + 1):
            run = 0
            for column in range(first[0], last[0] + 2):
                if seen.get((column, row)) == "smile":
                    run += 1
                else:
                    points += run // 2
                    run = 0
        return points

    return best(frozenset())


def place(space: str) -> Place:
    return ord(space[0]), int(space[1:])


def check_window(given: Puzzle) -> None:
    view = given.position().view(given.seat)
    assert isinstance(view, MistyView)
    assert best_of_window(view, given.seat) == given.checked.best
    verdict = given.attempt(given.answer)
    assert verdict.is_solved
    assert verdict.reached == given.checked.best
    assert given.checked.casual <= given.checked.best


@pytest.mark.parametrize("given", few("misty-window"), ids=ids)
def test_the_best_of_a_window_is_the_best_of_all_orders(given: Puzzle) -> None:
    check_window(given)


@pytest.mark.slow
def test_the_best_of_every_window_is_the_best_of_all_orders() -> None:
    for given in collection("misty-window"):
        check_window(given)


# ---------------------------------------------------------------- endgames, by brute force


def wins(tops: tuple[int, ...], hand: frozenset[int], pile: frozenset[int], needed: int) -> bool:
    """Whether all cards can be laid: two piles go up, two go down, ten back is allowed; nothing cleverer than that."""
    known: dict[object, bool] = {}

    def search(tops: tuple[int, ...], hand: frozenset[int], pile: frozenset[int], needed: int) -> bool:
        if not hand and not pile:
            return True
        key = (tops, hand, pile, needed)
        if key not in known:
            known[key] = any(
                search((*tops[:i], card, *tops[i + 1 :]), hand - {card}, pile, max(needed - 1, 0))
                for card in hand
                for i, top in enumerate(tops)
                if (card > top or card == top - 10 if i < 2 else card < top or card == top + 10)
            ) or (needed == 0 and bool(pile) and search(tops, hand | pile, frozenset(), 1))
        return known[key]

    return search(tops, hand, pile, needed)


def check_endgame(given: Puzzle) -> None:
    """The answer is played by the rules; that most first moves lose is worked out anew."""
    assert given.position(given.answer).outcome is not None
    assert given.attempt(given.answer).is_solved
    game = given.position()
    view = game.view(0)
    assert isinstance(view, TheGameView)
    assert len(unseen_cards(game)) == view.draw_pile <= 2
    keeping = first = 0
    for move in game.legal_moves(0):
        if game.vocabulary.is_hint(move):
            continue
        after = game.copy()
        after.play(0, move)
        seen = after.view(0)
        assert isinstance(seen, TheGameView)
        tops = tuple(pile.top for pile in seen.piles)
        hand, pile = frozenset(seen.hand or ()), frozenset(unseen_cards(after))
        is_lost = after.is_over and not (after.outcome and after.outcome.winners)
        is_kept = not is_lost and wins(tops, hand, pile, max(seen.needed - seen.played, 0))
        if not after.is_over:
            assert is_kept == can_be_won(End.of(after))
        first += 1
        keeping += is_kept
    assert 0 < keeping == given.checked.keeping
    assert first == given.checked.first_moves


@pytest.mark.parametrize("given", few("the-game-endgame"), ids=ids)
def test_an_endgame_can_be_won_and_most_ways_lose(given: Puzzle) -> None:
    check_endgame(given)


@pytest.mark.slow
def test_every_endgame_can_be_won_and_most_ways_lose() -> None:
    for given in collection("the-game-endgame"):
        check_endgame(given)


# ---------------------------------------------------------------- all of them


@pytest.mark.parametrize("kind", all_kinds())
def test_there_are_enough_and_no_two_are_the_same(kind: str) -> None:
    puzzles = collection(kind)
    assert len(puzzles) >= 100
    assert len({(given.seed, given.seat) for given in puzzles}) == len(puzzles)
    assert {given.grade for given in puzzles} <= set(GRADES)
    assert [given.number for given in puzzles] == list(range(1, len(puzzles) + 1))
    assert max(Counter(given.grade for given in puzzles).values()) < len(puzzles)


def test_they_take_little_room() -> None:
    assert sum(file.stat().st_size for file in Path(nevel.__file__).parent.rglob("puzzles/*.jsonl")) < 1_000_000


@pytest.mark.slow
@pytest.mark.parametrize("kind", all_kinds())
def test_every_answer_is_right(kind: str) -> None:
    for given in collection(kind):
        assert given.attempt(given.answer).is_solved, given.number
        assert not given.attempt(()).is_done


@pytest.mark.parametrize("kind", ["fog-place", "fog-predict"])
def test_the_best_choice_is_clearly_ahead(kind: str) -> None:
    for given in collection(kind):
        best, second, *_ = given.checked.options
        assert given.answer == (best.move,)
        assert best.chance - second.chance >= 0.03
        assert best.chance - second.chance >= 4 * (best.error**2 + second.error**2) ** 0.5
        assert given.checked.playouts >= 20_000
    for given in few(kind):
        prompt = given.position().prompt(given.seat)
        assert prompt
        assert {option.move for option in given.checked.options} == set(prompt.moves)
        wrong = given.checked.options[-1].move
        verdict = given.attempt((wrong,))
        assert verdict.is_done
        assert not verdict.is_solved


@pytest.mark.slow
@pytest.mark.parametrize("kind", all_kinds())
def test_grades_are_found_again(kind: str) -> None:
    for given in collection(kind)[5::29]:
        assert grade(kind, given.position(), given.seat, given.checked.best, given.answer) == given.grade, given.number


@pytest.mark.parametrize("kind", ["misty-window", "the-game-endgame"])
def test_a_wrong_answer_is_told_where_it_went_wrong(kind: str) -> None:
    """Always the first thing allowed, until something is lost."""
    slips = 0
    for given in few(kind):
        moves: tuple[str, ...] = ()
        while not (verdict := given.attempt(moves)).is_done:
            prompt = given.position(moves).prompt(given.seat)
            assert prompt
            moves = (*moves, prompt.moves[0])
        if verdict.is_solved:
            assert verdict.slip is None
            continue
        slips += 1
        assert verdict.slip is not None
        assert given.attempt(moves[: verdict.slip]).slip is None
        assert given.attempt(moves[: verdict.slip + 1]).slip == verdict.slip
        for code in LANGUAGES:
            assert len(given.of_kind.say_verdict(given, moves, verdict, language(code))) == 2
    assert slips


@pytest.mark.parametrize("kind", all_kinds())
def test_what_is_no_move_is_refused(kind: str) -> None:
    given = collection(kind)[0]
    with pytest.raises(MalformedMoveError):
        given.attempt(("dance",))
    with pytest.raises(SpokenError):
        given.attempt((*given.answer, *given.answer))


def test_what_there_is_no_puzzle_of() -> None:
    for number in (0, -1, 10**9):
        with pytest.raises(UnknownPuzzleError):
            puzzle("misty-window", number)
    with pytest.raises(UnknownPuzzleError):
        puzzle("../misty-window", 1)


def test_everything_is_said_in_every_language() -> None:
    for given in (puzzle(kind, 3) for kind in all_kinds()):
        for code in LANGUAGES:
            spoken = language(code)
            assert len(given.of_kind.say_answer(given, spoken)) == len(given.answer)
            assert given.of_kind.say_checked(given, spoken)
            assert given.of_kind.say_verdict(given, given.answer, given.attempt(given.answer), spoken)
            assert bool(given.of_kind.say_known(given, spoken)) == (given.kind == "the-game-endgame")


# ---------------------------------------------------------------- one a day


def days(count: int) -> Iterator[date]:
    start = date(2026, 11, 16)
    return (start + timedelta(days=number) for number in range(count))


def test_all_puzzles_come_round_before_any_comes_again() -> None:
    for kind in all_kinds():
        count = len(collection(kind))
        shown = [puzzle_of_the_day(day, kind).number for day in days(2 * count)]
        assert sorted(shown[:count]) == list(range(1, count + 1))
        assert shown[:count] == shown[count:]
    every = [
        puzzle_of_the_day(day) for day in days(len(all_kinds()) * max(len(collection(kind)) for kind in all_kinds()))
    ]
    assert {(given.kind, given.number) for given in every} == {
        (kind, given.number) for kind in all_kinds() for given in collection(kind)
    }
    assert {given.kind for given in every[: len(all_kinds())]} == set(all_kinds())


def test_the_puzzle_of_a_day_is_the_same_for_everyone() -> None:
    """Also for who asks in another process, or long before the first day."""
    shown = [(given.kind, given.number) for given in map(puzzle_of_the_day, days(4))]
    assert shown == [(given.kind, given.number) for given in map(puzzle_of_the_day, days(4))]
    assert puzzle_of_the_day(date(1900, 1, 1)).number
    assert puzzle_of_the_day(date.max).number
