"""Every board as one viewer gets it: every move and no other, nothing it may not show, a name for everything."""

import html
import re
from collections import Counter

import pytest

from nevel.crowd.page import read_page
from nevel.game.registry import find
from nevel.languages import LANGUAGES, language
from nevel.tables.domain.commands import Play
from tests.own_games import OWN_GAMES
from tests.rulebooks import CLAUSES
from tests.web.sitting import PEOPLE, Sitting, board_part_of, imagined

BUTTON = re.compile(r'<button[^>]*\bname="move"[^>]*\bvalue="([^"]*)"')
ICON = re.compile(r"<svg.*?</svg>", re.DOTALL)
#: Tables of every size, and variants; how many positions differ at least in what a seat can't know.
TABLES = {
    "what-the-fog": ([(2, {}), (3, {"long_game": 1}), (4, {}), (5, {"long_game": 1})], 300),
    "the-game": ([(1, {}), (2, {}), (3, {"minimum": 3}), (5, {})], 40),
    "extreme": ([(1, {}), (2, {"random_commands": 1}), (4, {}), (5, {})], 40),
    "misty": ([(2, {}), (3, {}), (4, {}), (3, {"beginners": 1})], 200),
}


@pytest.mark.slow
@pytest.mark.parametrize("game", OWN_GAMES)
def test_every_legal_move_is_offered_and_no_other(game: str) -> None:
    asked = Counter[str]()
    for seats, options in TABLES[game][0]:
        sitting = Sitting(game, seats, "moves", **options)
        for _ in sitting.moments():
            seat = sitting.dice.randrange(seats)
            view = sitting.look(seat)
            frame = sitting.frame(seat, sitting.dice.choice(list(LANGUAGES)))
            _, phase, offered = read_page(frame.encode())
            assert phase == view.phase
            assert sorted(offered or []) == sorted(view.prompt.moves if view.prompt else [])
            hints = [move for move in BUTTON.findall(board_part_of(frame)) if move.startswith("hint ")]
            assert sorted(hints) == sorted(view.hints)
            assert not BUTTON.findall(sitting.frame(None))
            if view.prompt:
                asked[view.prompt.question] += 1
    assert set(find(game).vocabulary.questions) - set(asked) <= {"lift-or-return"}  # three equal tokens are rare


def test_of_those_who_could_start_equally_well_the_first_is_told_that_the_others_wait() -> None:
    sitting = Sitting("the-game", 3, "tie")

    def told() -> list[bool]:
        return ["The others wait for you" in sitting.frame(seat) for seat in range(3)]

    for seat, strength in enumerate((1, 2)):
        sitting.ask(PEOPLE[seat], Play(f"hint start {strength}", sitting.table.seq))
        assert told() == [False, False, False]
    sitting.ask(PEOPLE[2], Play("hint start 2", sitting.table.seq))
    assert told() == [False, True, False]
    sitting.ask(PEOPLE[0], Play("hint start 2", sitting.table.seq))
    assert told() == [True, False, False]
    sitting.ask(PEOPLE[0], Play("start", sitting.table.seq))
    assert told() == [False, False, False]


def test_a_warning_is_told_whole() -> None:
    """Whatever signs are in its sentence: each card has its warnings, a line a pile."""
    spoken = language("fr")
    sentences = {clause.sentence(spoken) for clause in CLAUSES.values()}
    told = Counter[str]()
    for seed in range(12):
        sitting = Sitting("extreme", 2, seed)
        for _ in sitting.moments():
            for seat in range(2):
                for dooms in re.findall(r'data-dooms="([^"]*)"', sitting.frame(seat, "fr")):
                    told.update(line.partition(":")[2] for line in html.unescape(dooms).splitlines())
    assert set(told) <= sentences
    assert any(";" in sentence for sentence in told)


@pytest.mark.slow
@pytest.mark.parametrize("game", OWN_GAMES)
@pytest.mark.parametrize("code", LANGUAGES)
def test_everything_to_press_or_look_at_has_a_name(game: str, code: str) -> None:
    sitting = Sitting(game, 4, "names")
    for _ in sitting.moments():
        frame = sitting.frame(sitting.dice.choice([None, 0, 1, 2, 3]), code)
        for whole in re.findall(r"<button[^>]*>.*?</button>", board_part_of(frame), re.DOTALL):
            text = re.sub(r"<[^>]*>", "", ICON.sub("", whole)).strip()
            assert text or re.search(r'aria-label="[^"]+"', whole) or "hidden" in whole, whole
        names = Counter(re.findall(r'\bid="([^"]*)"', frame))
        assert [name for name, count in names.items() if count > 1] == []
        cards = re.findall(r'data-card="([^"]*)"', frame)
        assert len(cards) == len(set(cards))
        assert "style=" not in frame
        assert "{" not in ICON.sub("", board_part_of(frame)), "a text whose values weren't filled in"


@pytest.mark.slow
@pytest.mark.parametrize("game", OWN_GAMES)
def test_what_a_seat_cant_know_makes_no_difference_to_its_frame(game: str) -> None:
    """Everything hidden is imagined anew: hands, decks, tokens, what others have chosen, how far they have moved."""
    differed = 0
    for seats, options in TABLES[game][0]:
        sitting = Sitting(game, seats, "hidden", **options)
        for _ in sitting.moments():
            if sitting.table.phase != "playing":
                break
            seat = sitting.dice.choice([None, *range(seats)])
            code = sitting.dice.choice(list(LANGUAGES))
            shown = sitting.frame(seat, code)
            real = sitting.game
            twin = imagined(real, seat, sitting.dice)
            differed += twin.state.tobytes() != real.state.tobytes()
            sitting.table.game = twin
            assert sitting.frame(seat, code) == shown
            sitting.table.game = real
    assert differed > TABLES[game][1]
