"""Pieces that are kept: what anybody is shown is what they would be shown if it were drawn for them alone."""

import random
from collections.abc import Hashable
from html import unescape

import pytest
from minijinja import safe

from nevel.languages import Language, language
from nevel.tables.domain.commands import Play
from nevel.tables.views.view import Onlookers, Scene, Viewer
from nevel.web.live.channel import SaidView
from nevel.web.rendering import pieces, skeleton
from nevel.web.rendering.frame import PageFrame
from nevel.web.rendering.pieces import Piece
from nevel.web.rendering.templates import templates
from tests.web.sitting import ONLOOKERS, PEOPLE, Sitting

LANGUAGES = ("en", "fr", "nl")
#: One isn't there.
AWAY = Onlookers({person: person.title() for person in PEOPLE}, lambda person: person != "bob")
SAID = [SaidView(1, 5, "Bob", 1, "<hi>"), SaidView(2, 6, None, None, "…")]


def draw_anew(piece: Piece, language: Language, *inputs: Hashable, shown: tuple[str, ...] = ()) -> str:
    return safe(piece.draw(language, *inputs, *shown))


def render_anew(language: str, template: str, values: dict[str, object]) -> str:
    return templates(language).render(template, **values)


@pytest.mark.parametrize(("game", "seats"), [("the-game", 3), ("extreme", 4), ("what-the-fog", 4), ("misty", 3)])
def test_what_is_kept_is_what_would_be_drawn(game: str, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole games, for every seat, for those who watch and for a shared screen, in three languages in turn."""
    kept, fill = Piece.__call__, skeleton.draw
    viewers = [Viewer("player", seat, seat == 0) for seat in range(seats)] + [Viewer(), Viewer("screen")]
    frames = {(viewer, code): PageFrame(viewer, language(code)) for viewer in viewers for code in LANGUAGES}
    dice = random.Random(game)
    skeleton.skeletons.clear()
    found_before = pieces.kept.cache_info().hits, pieces.around.cache_info().hits
    count = 0
    for seed in range(2):
        sitting = Sitting(game, seats, seed)
        if seed:
            frames = {key: PageFrame(key[0], language(key[1])) for key in frames}
        for moment, _ in enumerate(sitting.moments()):
            give_hint(sitting, dice)
            scene = Scene(sitting.table, AWAY if moment % 7 == 0 else ONLOOKERS)
            said, code = SAID[: moment % 3], LANGUAGES[moment % 3]
            for viewer in viewers:
                monkeypatch.setattr(Piece, "__call__", kept)
                monkeypatch.setattr(skeleton, "draw", fill)
                shown = frames[viewer, code].draw(scene, said, moment)
                monkeypatch.setattr(Piece, "__call__", draw_anew)
                monkeypatch.setattr(skeleton, "draw", render_anew)
                anew = PageFrame(viewer, language(code)).draw(Scene(sitting.table, scene.onlookers), said, moment)
                # Templates name some characters otherwise than we do.
                assert unescape(shown) == unescape(anew)
                count += 1
    assert pieces.kept.cache_info().hits - found_before[0] > 500
    assert pieces.around.cache_info().hits - found_before[1] > 500
    assert count - len(skeleton.skeletons) > 50


def give_hint(sitting: Sitting, dice: random.Random) -> None:
    """Now and then somebody says something, where the game allows it."""
    seat = dice.randrange(sitting.game.seats)
    if sitting.table.phase == "playing" and (hints := sitting.game.hints(seat)) and dice.random() < 0.3:
        sitting.ask(PEOPLE[seat], Play(dice.choice(hints).text, sitting.table.seq))


def test_pieces_are_kept_by_language_and_inputs() -> None:
    def fill(teller: object, seat: int, name: str) -> dict[str, object]:
        return {"given": seat, "class": name}

    asked = list[int]()
    piece = Piece("parts.html", lambda teller, *inputs: asked.append(1) or fill(teller, *inputs))
    for code in LANGUAGES:
        for inputs in ((1, "a"), (2, "a"), (1, "b"), (1, "a")):
            piece(language(code), *inputs)
    assert len(asked) == 3 * len(LANGUAGES)


def test_frames_of_one_shape_share_what_stands_between_their_pieces() -> None:
    def draw(title: str, text: str | None) -> str:
        passing = None if text is None else {"deal": safe("1 / 2"), "way": "left", "text": text}
        values: dict[str, object] = {"title": safe(title), "passing": passing}
        drawn = skeleton.draw("en", "misty/going.html", values)
        assert drawn == render_anew("en", "misty/going.html", values)
        return drawn

    def count() -> int:
        return len(skeleton.skeletons)

    before = count()
    assert "<b>one</b>" in draw("<b>one</b>", "to the left")
    assert "<b>two</b>" in draw("<b>two</b>", "to the left")
    assert count() == before + 1
    # What isn't a piece, and whether there is one, make another shape; and what isn't one is escaped.
    assert "&lt;i&gt;" in draw("<b>two</b>", "<i>")
    draw("", "to the left")
    draw("<b>two</b>", None)
    assert count() == before + 4


def test_what_is_drawn_around_texts_is_kept_for_all_texts() -> None:
    def fill(teller: object, title: str, text: str) -> dict[str, object]:
        asked.append(1)
        return {"title": title, "passing": {"deal": "", "way": "left", "text": text} if text else None}

    asked = list[int]()
    piece = Piece("misty/going.html", fill)
    drawn = [piece(language("en"), "a", shown=(text,)) for text in ("to Ann", "to <Bob>", "", "to Zoé")]
    for text, one in zip(("to Ann", "&lt;Bob&gt;", "<strong>a", "Zo&#233;"), drawn, strict=True):
        assert text in one
    assert "way-left" not in drawn[2]
    # Once with a text, once without.
    assert len(asked) == 2
