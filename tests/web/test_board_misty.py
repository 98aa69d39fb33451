"""The board of Misty as one viewer gets it: every move it offers, nothing it may not show, every point explained."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from nevel.bots.misty_activation import solve
from nevel.games.game import Game
from nevel.games.misty import MistyView
from nevel.games.telling import Teller
from nevel.languages import LANGUAGES, language
from nevel.rules import chance
from nevel.tables.commands import Asker, Command, Play, Sit, Start, Undo
from nevel.tables.dealing import commitment
from nevel.tables.facts import AnyFact, Opened
from nevel.tables.pace import Pace
from nevel.tables.table import Table
from nevel.tables.view import Onlookers, Scene, Viewer, look
from nevel.web.boards import BOARDS
from nevel.web.boards.board import Values, newest_first
from nevel.web.boards.misty_window import Extent, Space, reaches
from nevel.web.pages.frame import Frame

PEOPLE = ("ann", "bob", "cid", "dee")
ONLOOKERS = Onlookers({person: person.title() for person in PEOPLE}, lambda _: True)
TELLER = Teller(language("en"), PEOPLE)
BUTTON = re.compile(r'<button[^>]*\bname="move"[^>]*\bvalue="([^"]*)"[^>]*>', re.DOTALL)
ICON = re.compile(r"<svg.*?</svg>", re.DOTALL)


class Sitting:
    """A table of people who play at random."""

    def __init__(self, seats: int, seed: object, beginners: int = 0) -> None:
        self.dice = random.Random(f"{seats}{seed}{beginners}")
        secret = f"{self.dice.getrandbits(256):064x}"
        self.table = Table("table", secret)
        opened = Opened("misty", seats, {"beginners": beginners}, Pace(), "casual", "ann", commitment(secret))
        self._add([opened])
        for person in PEOPLE[:seats]:
            self.ask(person, Sit(contribution=person))
        self.ask("ann", Start())

    def _add(self, facts: Sequence[AnyFact]) -> None:
        self.table.follow([(self.table.seq + 1 + i, 0, fact) for i, fact in enumerate(facts)])

    def ask(self, person: str, command: Command) -> None:
        self._add(command.decide(self.table, Asker(person)))

    @property
    def game(self) -> Game:
        assert self.table.game
        return self.table.game

    @property
    def board(self) -> MistyView:
        view = self.game.view(None)
        assert isinstance(view, MistyView)
        return view

    def play(self, seat: int) -> None:
        prompt = self.game.prompt(seat)
        assert prompt
        self.ask(PEOPLE[seat], Play(self.dice.choice(prompt.moves), self.table.seq))

    def moments(self) -> Iterator[None]:
        """From the first question to the end of the game."""
        while self.table.phase == "playing":
            yield
            self.play(self.dice.choice(self.game.waiting_for))
        yield

    def frame(self, seat: int | None, code: str = "en") -> str:
        return Frame(viewer(seat), language(code)).draw(Scene(self.table, ONLOOKERS), [], 0)

    def drawn(self, seat: int | None) -> Values:
        return BOARDS["misty"].draw(look(self.table, viewer(seat), ONLOOKERS), TELLER, {})

    def past(self, seat: int | None) -> Values:
        view = look(self.table, viewer(seat), ONLOOKERS)
        return BOARDS["misty"].look_back(view, newest_first(self.game, seat), TELLER)


def viewer(seat: int | None) -> Viewer:
    return Viewer() if seat is None else Viewer("player", seat)


def board_of(frame: str) -> str:
    """The form in which one plays."""
    found = re.search(r'<form id="play".*?</form>', frame, re.DOTALL)
    assert found
    return found[0]


@pytest.mark.parametrize(("seats", "beginners"), [(2, 0), (3, 0), (4, 0), (3, 1)])
def test_every_legal_move_has_its_button_and_no_other(seats: int, beginners: int) -> None:
    asked = Counter[str]()
    sitting = Sitting(seats, "moves", beginners)
    for _ in sitting.moments():
        seat = sitting.dice.randrange(seats)
        prompt = look(sitting.table, viewer(seat), ONLOOKERS).prompt
        frame = sitting.frame(seat, sitting.dice.choice(list(LANGUAGES)))
        assert sorted(BUTTON.findall(board_of(frame))) == sorted(prompt.moves if prompt else [])
        assert not BUTTON.findall(sitting.frame(None))
        if prompt:
            asked[prompt.question] += 1
    assert set(asked) == {"pick", "place", "activate"}


@pytest.mark.parametrize("code", LANGUAGES)
def test_everything_to_press_or_look_at_has_a_name(code: str) -> None:
    sitting = Sitting(4, "names")
    for _ in sitting.moments():
        frame = sitting.frame(sitting.dice.choice([None, 0, 1, 2, 3]), code)
        for whole in re.findall(r"<button[^>]*>.*?</button>", board_of(frame), re.DOTALL):
            text = re.sub(r"<[^>]*>", "", ICON.sub("", whole)).strip()
            assert text or re.search(r'aria-label="[^"]+"', whole) or "hidden" in whole, whole
        names = Counter(re.findall(r'\bid="([^"]*)"', frame))
        assert [name for name, count in names.items() if count > 1] == []
        cards = re.findall(r'data-card="([^"]*)"', frame)
        assert len(cards) == len(set(cards))
        assert "style=" not in frame
        assert "{" not in ICON.sub("", board_of(frame)), "a text whose values weren't filled in"


def test_what_a_seat_cant_know_makes_no_difference_to_its_frame() -> None:
    """Everything hidden is imagined anew: hands, picks, what was put aside, how far others' windows have moved."""
    differed = 0
    for seats in (2, 3, 4):
        sitting = Sitting(seats, "hidden")
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
    assert differed > 200


def imagined(game: Game, seat: int | None, dice: random.Random) -> Game:
    twin = game.copy()
    place = -1 if seat is None else seat
    twin.vocabulary.rules.conceal(twin.state, place)
    chance.key(twin.state.chance, *(dice.getrandbits(32) for _ in range(4)))
    twin.vocabulary.rules.imagine(twin.state, place)
    return twin


def test_what_others_pick_and_move_isnt_shown_before_all_have() -> None:
    """Worlds in which somebody picks or moves another card are the same to everybody else."""
    compared = Counter[str]()
    for seed in range(4):
        sitting = Sitting(3, f"secret{seed}")
        for _ in sitting.moments():
            waiting, phase = sitting.game.waiting_for, sitting.board.phase
            if len(waiting) < 2 or phase == "place":
                continue
            chooser = waiting[0]
            prompt = sitting.game.prompt(chooser)
            assert prompt
            frames = list[list[str]]()
            real = sitting.game
            for move in prompt.moves:
                world = real.copy()
                world.play(chooser, move)
                if any(type(event).__name__ == "ActivationDone" for _, event in world.log[-1].events):
                    continue  # that somebody has finished is told
                sitting.table.game = world
                frames.append([board_of(sitting.frame(seat)) for seat in (None, 0, 1, 2) if seat != chooser])
            sitting.table.game = real
            assert all(shown == frames[0] for shown in frames)
            compared[phase] += len(frames) > 1
    assert compared["pick"] > 20
    assert compared["activate"] > 10


@pytest.mark.parametrize("beginners", [0, 1])
def test_open_spaces_lie_within_what_the_window_can_become(beginners: int) -> None:
    sitting = Sitting(2, "reach", beginners)
    widths = set[int]()
    for _ in sitting.moments():
        view = sitting.game.view(0)
        assert isinstance(view, MistyView)
        if view.phase != "place":
            continue
        grown = reaches(Extent.of(view.players[0].window), view.is_beginners)
        widths |= {reach.width for reach in grown}
        for name in view.open_spaces:
            assert any(reach.has(Space.read(name)) for reach in grown)
        own = sitting.drawn(0)["own"]
        columns, rows = map(int, re.findall(r"\d", own["size"]))
        for thing in [*own["spaces"], *own["cards"]]:
            column, row = map(int, re.findall(r"\d", thing["look"]))
            assert 1 <= column <= columns
            assert 1 <= row <= rows
        for reach in own["reaches"]:
            column, row, width, height = map(int, re.findall(r"\d", reach))
            assert column + width - 1 <= columns
            assert row + height - 1 <= rows
    assert max(widths) == (5 if beginners else 7)
    assert min(widths) == 3


def test_a_tapped_card_is_where_its_label_said() -> None:
    """A card keeps its name while it moves, what leaves is gone, what is covered is drawn so."""
    sitting = Sitting(2, "labels")
    seen = Counter[str]()
    for _ in sitting.moments():
        for seat in sitting.game.waiting_for:
            prompt = sitting.game.prompt(seat)
            assert prompt
            if prompt.question != "activate":
                continue
            before = {card["name"]: card for card in sitting.drawn(seat)["own"]["cards"]}
            movable = {card["move"]: card for card in before.values() if card.get("move")}
            assert set(movable) == set(prompt.moves)
            for move, card in movable.items():
                world = sitting.game.copy()
                world.play(seat, move)
                if world.waiting_for != sitting.game.waiting_for:
                    continue  # that was the last
                real, sitting.table.game = sitting.game, world
                after = {one["name"]: one for one in sitting.drawn(seat)["own"]["cards"]}
                sitting.table.game = real
                if card.get("leaves"):
                    assert card["name"] not in after
                    seen["left"] += 1
                    continue
                moved = after[card["name"]]
                assert moved["look"] != card["look"]
                assert moved["is_covered"] == ("covers" in card["label"])
                seen["covered" if moved["is_covered"] else "moved"] += 1
    assert min(seen["left"], seen["covered"], seen["moved"]) > 3


def test_a_counted_round_is_news_until_the_viewer_has_picked() -> None:
    sitting = Sitting(3, "news")
    news = Counter[int]()
    for _ in sitting.moments():
        board = sitting.board
        if board.is_over:
            break
        for seat in (None, 0, 1, 2):
            frame = sitting.frame(seat)
            laid = any(player.window.cards for player in board.players)
            has_picked = laid or board.phase != "pick" or (seat is not None and board.players[seat].has_chosen)
            assert (f'id="news-{board.round - 1}"' in frame) == (board.round > 1 and not has_picked)
            # After that it is still there to be opened.
            assert (f'id="count-{board.round - 1}"' in frame) == (board.round > 1 and has_picked)
            news[board.round] += board.round > 1 and not has_picked
    assert news[2]


@pytest.mark.parametrize(("seats", "beginners"), [(2, 0), (4, 0), (3, 1)])
def test_the_count_says_why_and_what_was_possible(seats: int, beginners: int) -> None:
    """Spaces and pairs add up to the score; the best possible is what a bot finds in the window as it was built."""
    reasons = Counter[str]()
    for seed in range(6):
        sitting = Sitting(seats, f"why{seed}", beginners)
        best = dict[tuple[int, int], int]()
        for _ in sitting.moments():
            board = sitting.board
            if board.phase == "activate" and (board.round, 0) not in best:
                state = sitting.game.state
                best |= {(board.round, seat): int(solve(state, seat)[0]) for seat in range(seats)}
        assert sitting.game.is_over
        rounds = sitting.past(1)["rounds"]
        assert [count["round"] for count in rounds] == list(range(1, sitting.board.round + 1))
        for count in rounds:
            assert [player["seat"] for player in count["players"]] == [*range(1, seats), 0]
            most = max(player["score"] for player in count["players"])
            for player in count["players"]:
                after, score = player["after"], player["score"]
                worth = sum(card.get("points", 0) for card in after["cards"])
                assert worth + len(after["pairs"]) == score
                assert sum(line["points"] for line in player["sum"]) == score
                assert player["is_won"] == (score == most)
                possible = best[count["round"], player["seat"]]
                assert score <= possible
                assert player["is_best"] == (score == possible)
                assert player["is_best"] or f": {possible} point" in player["best"]
                reasons.update(line["icon"] for line in player["sum"])
        for code in LANGUAGES:
            frame = sitting.frame(0, code)
            assert all(f'id="count-{count["round"]}"' in frame for count in rounds)
    assert {"misty-star", "misty-flower", "misty-monster", "misty-blurred"} <= set(reasons)
    if not beginners:
        assert reasons["misty-smile"]


def test_taking_back_is_offered_beside_the_window_while_one_activates() -> None:
    sitting = Sitting(2, "undo")
    for _ in sitting.moments():
        if sitting.board.phase == "activate" and sitting.game.waiting_for == [0, 1]:
            break
    before = sitting.frame(0)

    sitting.play(0)
    sitting.play(1)
    frame = sitting.frame(0)
    assert 'form="take-back"' in board_of(frame)
    assert 'id="take-back"' in frame
    sitting.ask("ann", Undo())
    assert board_of(sitting.frame(0)).count("is-target") == board_of(before).count("is-target")
