"""Misty with a box in which some drawings exist with either direction (MI-B2)."""

from collections import Counter
from random import Random

import pytest

import nevel
from nevel.bots.bot import Bot
from nevel.game import saving
from nevel.game.box import Box
from nevel.game.event import Teller
from nevel.game.game import Game
from nevel.game.registry import find
from nevel.games.misty.box import KINDS, drawing_of
from nevel.games.misty.rules.window import kinds_of
from nevel.games.misty.testing import conserved
from nevel.games.misty.words import MistyView
from nevel.languages import LANGUAGES, language

CARDS = {"truck": ("right", 4, 2), "rocket": ("up", 4, 4), "scooter": ("right", 4, 1)}


@pytest.fixture
def box() -> Box:
    cards = {kind: dict(card) for kind, card in Box.of("misty").content["cards"].items()}
    for drawing, (arrow, count, turned) in CARDS.items():
        cards[drawing] = {"count": count, "arrow": arrow, "turned": turned}
    return Box({"game": "misty", "cards": cards})


def view_of(game: Game, seat: int) -> MistyView:
    view = game.view(seat)
    assert isinstance(view, MistyView)
    return view


@pytest.mark.clause("MI-B2")
def test_all_cards_are_there_with_their_directions(box: Box) -> None:
    state = Game(find("misty"), 3, 5, box).state
    counts, arrows = dict(zip(KINDS, state.count, strict=True)), dict(zip(KINDS, state.arrow, strict=True))
    assert sum(counts.values()) == 54
    assert (counts["truck"], counts["truck-2"]) == (2, 2)
    assert (counts["rocket"], counts["rocket-2"]) == (0, 4)
    assert (counts["scooter"], counts["scooter-2"], counts["leaf-2"]) == (3, 1, 0)
    up, down, left, right = range(1, 5)
    assert (arrows["truck"], arrows["truck-2"], arrows["rocket-2"], arrows["rocket"]) == (right, left, down, up)


@pytest.mark.clause("MI-B2", "MI-A2")
@pytest.mark.parametrize("seats", [2, 4])
def test_turned_cards_move_the_opposite_way(box: Box, seats: int) -> None:
    """Whole games, saved and played again; every card moves where its arrow points, and none is lost."""
    game, dice, seen = Game(find("misty"), seats, seats, box), Random(seats), Counter[str]()
    whole = conserved(game.state)
    assert whole == box.numbers[: len(KINDS)].tolist()
    while not game.is_over:
        prompt = dice.choice(game.prompts())
        move = dice.choice(prompt.moves)
        view = view_of(game, prompt.seat)
        moved = next((card for card in view.players[prompt.seat].window.cards if move == f"move {card.space}"), None)
        if moved:
            seen[moved.card] += 1
            assert moved.arrow == view.arrows[moved.card]
        game.play(prompt.seat, move)
        if not game.is_over:
            assert conserved(game.state) == whole
    assert {"truck", "truck-2", "rocket-2", "scooter"} <= set(seen)
    assert not seen["rocket"]
    again = saving.load(saving.save(game))
    assert again.fingerprint() == game.fingerprint()
    assert again.log == game.log


def test_they_have_names_of_their_own(box: Box) -> None:
    game = Game(find("misty"), 2, 1, box)
    view = view_of(game, 0)
    assert (view.arrows["truck"], view.arrows["truck-2"]) == ("right", "left")
    assert "leaf-2" not in view.arrows
    words = game.vocabulary
    assert words.moves.parse("pick truck-2") != words.moves.parse("pick truck")
    for code in LANGUAGES:
        texts = {move.text for move in words.moves.all}
        assert len(texts) == len(words.moves.all)
        for move in words.moves.all:
            assert words.describe(move, Teller(language(code), []))


def test_without_them_nothing_is_as_if_there_were_any() -> None:
    game = nevel.new("misty", seats=2, seed=1)
    assert kinds_of(game.state) == 14
    assert list(view_of(game, 0).arrows) == [kind for kind in KINDS if drawing_of(kind) == kind]


@pytest.mark.parametrize("level", ["simple", "casual", "strong"])
def test_bots_play_them(box: Box, level: str) -> None:
    game, bot, picked = Game(find("misty"), 2, 3, box), Bot(level, 1), set[str]()
    while not game.is_over:
        seat = game.waiting_for[0]
        number = bot.move(game.knowledge(seat))
        assert number is not None
        move = game.vocabulary.moves.all[number]
        picked |= {move.text} if move.text.startswith("pick") else set[str]()
        game.play(seat, move)
    assert any(text.endswith("-2") for text in picked)
