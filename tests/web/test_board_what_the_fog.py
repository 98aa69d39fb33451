"""The board of What the Fog?! as it is written for one viewer: every move it offers, and nothing it may not show."""

import random
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from nevel.games.game import Game
from nevel.games.telling import Teller
from nevel.games.what_the_fog import WhatTheFogView
from nevel.languages import LANGUAGES, language
from nevel.rules import chance
from nevel.tables.commands import Asker, Play, Sit, Start, Undo
from nevel.tables.dealing import commitment
from nevel.tables.facts import Opened
from nevel.tables.pace import Pace
from nevel.tables.table import Table
from nevel.tables.view import Onlookers, Scene, Viewer, look
from nevel.web.boards import BOARDS
from nevel.web.boards.board import newest_first
from nevel.web.pages.frame import Frame

PEOPLE = ("ann", "bob", "cid", "dee", "eve")
ONLOOKERS = Onlookers({person: person.title() for person in PEOPLE}, lambda _: True)
BUTTON = re.compile(r'<button[^>]*\bname="move"[^>]*\bvalue="([^"]*)"[^>]*>(.*?)</button>', re.DOTALL)
ICON = re.compile(r"<svg.*?</svg>", re.DOTALL)


class Sitting:
    """A table of people at which somebody plays at random."""

    def __init__(self, seats: int, seed: object, **options: int) -> None:
        self.dice = random.Random(f"{seats}{seed}")
        secret = f"{self.dice.getrandbits(256):064x}"
        self.table = Table("table", secret)
        self.now = 0
        self._add(
            [Opened("what-the-fog", seats, {"long_game": 0, **options}, Pace(), "casual", "ann", commitment(secret))]
        )
        for person in PEOPLE[:seats]:
            self.ask(person, Sit(contribution=person))
        self.ask("ann", Start())

    def _add(self, facts: object) -> None:
        self.table.follow([(self.table.seq + 1 + i, self.now, fact) for i, fact in enumerate(facts)])  # pyright: ignore

    def ask(self, person: str, command: object) -> None:
        self._add(command.decide(self.table, Asker(person, lambda _: False)))  # pyright: ignore

    @property
    def game(self) -> Game:
        assert self.table.game
        return self.table.game

    @property
    def board(self) -> WhatTheFogView:
        view = self.game.view(None)
        assert isinstance(view, WhatTheFogView)
        return view

    def move(self) -> None:
        seat = self.dice.choice(self.game.waiting_for)
        prompt = self.game.prompt(seat)
        assert prompt
        self.ask(PEOPLE[seat], Play(self.dice.choice(prompt.moves), self.table.seq))

    def moments(self) -> Iterator[None]:
        """From the first question to the end of the game."""
        while self.table.phase == "playing":
            yield
            self.move()
        yield

    def frame(self, seat: int | None, code: str = "en") -> str:
        return draw(self.table, seat, code)


def viewer(seat: int | None) -> Viewer:
    return Viewer() if seat is None else Viewer("player", seat)


def draw(table: Table, seat: int | None, code: str = "en") -> str:
    return Frame(viewer(seat), language(code)).draw(Scene(table, ONLOOKERS), [], 0)


def board_of(frame: str) -> str:
    """The form in which one plays."""
    found = re.search(r'<form id="play".*?</form>', frame, re.DOTALL)
    assert found
    return found[0]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_legal_move_has_its_button_and_no_other(seats: int) -> None:
    asked = Counter[str]()
    for long_game in (0, 1):
        sitting = Sitting(seats, "moves", long_game=long_game)
        for _ in sitting.moments():
            seat = sitting.dice.randrange(seats)
            prompt = look(sitting.table, viewer(seat), ONLOOKERS).prompt
            code = sitting.dice.choice(list(LANGUAGES))
            offered = BUTTON.findall(board_of(sitting.frame(seat, code)))
            assert sorted(move for move, _ in offered) == sorted(prompt.moves if prompt else [])
            if prompt:
                asked[prompt.question] += 1
    assert set(asked) >= {"lift", "place", "swap", "reveal", "predict", "discard"}


def test_three_equal_tokens_can_be_put_back() -> None:
    for seed in range(30):
        sitting = Sitting(2, seed)
        for _ in sitting.moments():
            for seat in sitting.game.waiting_for:
                if "return" in sitting.game.prompt(seat).moves:  # pyright: ignore[reportOptionalMemberAccess]
                    assert 'value="return"' in sitting.frame(seat)
                    assert 'value="return"' not in sitting.frame(1 - seat)
                    return
    pytest.fail("three equal tokens never came up")


@pytest.mark.parametrize("code", LANGUAGES)
def test_everything_to_press_or_look_at_has_a_name(code: str) -> None:
    sitting = Sitting(4, "names")
    for _ in sitting.moments():
        seat = sitting.dice.choice([None, 0, 1, 2, 3])
        frame = sitting.frame(seat, code)
        for whole in re.findall(r"<button[^>]*>.*?</button>", board_of(frame), re.DOTALL):
            text = re.sub(r"<[^>]*>", "", ICON.sub("", whole)).strip()
            assert text or re.search(r'aria-label="[^"]+"', whole) or "hidden" in whole, whole
        ids = re.findall(r'\bid="([^"]*)"', frame)
        assert [name for name, count in Counter(ids).items() if count > 1] == []
        cards = re.findall(r'data-card="([^"]*)"', frame)
        assert len(cards) == len(set(cards))
        assert "style=" not in frame
        assert "{" not in ICON.sub("", board_of(frame)), "a text whose values weren't filled in"


def test_what_a_seat_cant_know_makes_no_difference_to_its_frame() -> None:
    """Everything hidden is imagined anew: hands, hidden sides, the order of piles and deck, others' choices."""
    differed = 0
    for seats in (2, 3, 5):
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
    assert differed > 300


def imagined(game: Game, seat: int | None, dice: random.Random) -> Game:
    twin = game.copy()
    place = -1 if seat is None else seat
    twin.vocabulary.rules.conceal(twin.state, place)
    chance.key(twin.state.chance, *(dice.getrandbits(32) for _ in range(4)))
    twin.vocabulary.rules.imagine(twin.state, place)
    return twin


def test_what_others_choose_in_secret_isnt_shown_before_all_have_chosen() -> None:
    """Two worlds in which somebody chooses another card are the same to everybody else."""
    compared = 0
    for seed in range(12):
        sitting = Sitting(3, f"secret{seed}")
        for _ in sitting.moments():
            waiting = sitting.game.waiting_for
            if len(waiting) < 2:
                continue
            chooser = waiting[0]
            prompt = sitting.game.prompt(chooser)
            assert prompt
            frames = list[list[str]]()
            for move in prompt.moves:
                world = sitting.game.copy()
                world.play(chooser, move)
                real, sitting.table.game = sitting.game, world
                frames.append([board_of(sitting.frame(seat)) for seat in (None, 0, 1, 2) if seat != chooser])
                sitting.table.game = real
            assert all(shown == frames[0] for shown in frames)
            compared += len(frames) > 1
    assert compared > 20


def test_ones_own_influence_is_explained_token_by_token() -> None:
    sitting = Sitting(3, "influence")
    board = BOARDS["what-the-fog"]
    for _ in sitting.moments():
        for seat in (None, 1):
            view = look(sitting.table, viewer(seat), ONLOOKERS)
            days = board.draw(view, Teller(language("en")), {})["days"]
            for day in days:
                if seat is None:
                    assert day["influence"] is None
                    assert all(part["yours"] is None for part in day["parts"])
                else:
                    assert day["influence"] == sum(part["yours"] or 0 for part in day["parts"])


def test_a_counted_round_is_shown_until_the_viewer_has_moved() -> None:
    sitting = Sitting(3, "count")
    news = Counter[int]()
    for _ in sitting.moments():
        board = sitting.board
        if board.is_over:
            break
        since = list[object]()
        for event in newest_first(sitting.game, None):
            since.append(event)
            if type(event).__name__ == "RoundBegan":
                break
        doing = ("Lifted", "Returned", "RevealChosen")
        moved = {event.seat for event in since if type(event).__name__ in doing}  # pyright: ignore
        for seat in (None, 0, 1, 2):
            is_news = board.round > 1 and (len(moved) < 3 if seat is None else seat not in moved)
            assert (f'id="count-{board.round - 1}"' in sitting.frame(seat)) == is_news
            news[board.round] += is_news
    assert all(news[number] for number in (2, 3, 4))


@pytest.mark.parametrize("seats", [2, 5])
def test_the_count_says_why(seats: int) -> None:
    """Influence is what a player's cards count for on the day's tokens; scores and claims are those of the sheets."""
    sitting = Sitting(seats, "why")
    for _ in sitting.moments():
        pass
    board = BOARDS["what-the-fog"]
    view = look(sitting.table, viewer(0), ONLOOKERS)
    assert isinstance(view.board, WhatTheFogView)
    rounds = board.look_back(view, newest_first(sitting.game, 0), Teller(language("en"), PEOPLE))["rounds"]
    assert [count["round"] for count in rounds] == [1, 2, 3, 4]
    for count in rounds:
        assert len(count["days"]) == count["round"] + 3
        claimed = Counter[int]()
        for day in count["days"]:
            most = max(row["influence"] for row in day["rows"])
            for row in day["rows"]:
                cards = {card["weather"]: card["count"] for card in count["scores"][row["seat"]]["cards"]}
                assert row["counts"] == [cards.get(token["weather"], 0) for token in day["tokens"]]
                assert row["influence"] == sum(row["counts"])
                assert row["is_claimed"] == (row["influence"] == most > 0)
                claimed[row["seat"]] += row["is_claimed"]
        for score, player in zip(count["scores"], view.board.players, strict=True):
            row = player.sheet[count["round"] - 1]
            assert (score["predicted"], score["claimed"]) == (row.predicted, row.claimed)
            assert score["claimed"] == claimed[score["seat"]]
            assert int(score["score"].replace("−", "-")) == row.score
    for code in LANGUAGES:
        frame = sitting.frame(0, code)
        assert all(f'id="count-{number}"' in frame for number in (1, 2, 3, 4))


def test_predictions_are_shown_in_their_order() -> None:
    sitting = Sitting(4, "order")
    board = BOARDS["what-the-fog"]
    seen = Counter[str]()
    for _ in sitting.moments():
        view = look(sitting.table, viewer(2), ONLOOKERS)
        assert isinstance(view.board, WhatTheFogView)
        past = board.look_back(view, newest_first(sitting.game, 2), Teller(language("en"), PEOPLE))
        if view.board.phase != "predict":
            assert not past.get("order")
            continue
        order = past["order"]["players"]
        assert [one["seat"] for one in order] == [(view.board.active + step) % 4 for step in range(4)]
        asked = [one["state"] for one in order].index("asked")
        assert order[asked]["seat"] == view.board.predictor
        assert all(one["state"] in ("raised", "passed") for one in order[:asked])
        assert all(one["state"] == "later" for one in order[asked + 1 :])
        seen.update(one["state"] for one in order)
    assert set(seen) == {"raised", "passed", "asked", "later"}


def test_a_lifted_token_comes_from_its_pile_also_after_taking_back() -> None:
    sitting = Sitting(2, "lifted")
    seat = sitting.board.active
    for pile in (2, 3):
        sitting.ask(PEOPLE[seat], Play(f"lift {pile}", sitting.table.seq))
        frame = sitting.frame(seat)
        assert f'data-card="lifted" data-from="pile-{pile}"' in frame
        sitting.ask(PEOPLE[seat], Undo())
        if sitting.table.undo_asked is not None:
            return  # others have to agree: what came up was seen by all
        assert 'data-card="lifted"' not in sitting.frame(seat)
