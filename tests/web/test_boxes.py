"""Boxes that people correct: in the form of a new table, kept, shared by a link, and told to everybody at the table."""

import html
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from nevel.game.box import Box
from nevel.game.boxes.code import DamagedLinkError, decode_box, encode_box
from nevel.game.boxes.sheet import BoxSheet, BoxSheetError, sheet_of
from nevel.game.registry import all_games, find
from nevel.languages import LANGUAGES, language
from tests.own_games import OWN_GAMES
from tests.web.serving import Visitor
from tests.web.test_api import problem
from tests.web.test_forms import LOOKING, look, press, refused
from tests.web.test_records import own_box

GAMES = tuple(OWN_GAMES)
#: A correction of each game that can be: what is typed, and how the file says it.
CORRECTIONS: dict[str, dict[str, str]] = {
    "what-the-fog": {"cards.rain": "9", "cards.snow": "7", "days.1.2": "swap", "days.1.3": ""},
    "the-game": {"hands.1": "7"},
    "extreme": {"commands.stop.1": "4"},
    "misty": {
        "cards.rocket.count": "5",
        "cards.balloon.count": "3",
        "cards.truck.turned": "2",
        "cards.star.arrow": "left",
    },
}


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return request.param


def corrected(game: str) -> Box:
    return sheet_of(find(game)).read(CORRECTIONS[game])


def fields(game: str, **more: str) -> dict[str, str]:
    """What the form sends with a corrected box, every field of it."""
    texts = {**sheet_of(find(game)).texts(Box.of(game).content), **CORRECTIONS[game]}
    return {**{f"box.{key}": text for key, text in texts.items()}, **more}


def typed(page: str) -> dict[str, str]:
    """What stands in the fields of the box on a page."""
    found: dict[str, str] = {}
    for tag in re.findall(r'<input[^>]* name="box\.[^>]*>', page):
        name, value = re.search(r'name="box\.([^"]*)"', tag), re.search(r'value="([^"]*)"', tag)
        assert name
        assert value
        found[name[1]] = value[1]
    for name, options in re.findall(r'<select[^>]* name="box\.([^"]*)"[^>]*>(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', options)
        assert chosen
        found[name] = chosen[1]
    return found


def link_on(page: str) -> str:
    found = re.search(r'id="box-link" value="[^"]*(/boxes/[^"]*)"', page)
    assert found, page
    return found[1]


# ---------------------------------------------------------------- the sheet of a box


def sheets() -> Iterator[BoxSheet]:
    return (sheet_of(spec) for spec in all_games().values())


def test_our_boxes_are_what_their_sheets_say() -> None:
    for sheet in sheets():
        ours = sheet.texts(sheet.ours)
        assert sheet.read(ours).is_ours
        assert sheet.read({}).is_ours
        assert not sheet.changed(sheet.ours)
        assert decode_box(sheet, encode_box(sheet, sheet.ours)).is_ours


def test_every_fact_can_be_corrected(game: str) -> None:
    """A box with everything else corrected is the one of a file that says so, and goes into a link and back."""
    sheet, box = sheet_of(find(game)), corrected(game)
    assert not box.is_ours
    assert set(sheet.changed(box.content)) == set(CORRECTIONS[game])
    assert {key: sheet.texts(box.content)[key] for key in CORRECTIONS[game]} == CORRECTIONS[game]
    code = encode_box(sheet, box.content)
    assert len(code) < 100
    assert decode_box(sheet, code).content == box.content
    assert sheet.read({}).is_ours  # which is as it was


@pytest.mark.parametrize(
    ("game", "texts", "where"),
    [
        ("what-the-fog", {"cards.rain": "9"}, {"cards"}),
        ("what-the-fog", {"cards.rain": "49", "tokens.rain-snow": "-1"}, {"cards.rain", "tokens.rain-snow"}),
        ("what-the-fog", {"cards.rain": "9" * 5000}, {"cards.rain"}),
        ("what-the-fog", {"cards.rain": ""}, {"cards.rain"}),
        ("what-the-fog", {"cards.rain": "²"}, {"cards.rain"}),
        ("what-the-fog", {"days.1.1": "dance"}, {"days.1.1"}),
        ("the-game", {"hands.5": "9"}, {"hands.5"}),
        ("extreme", {"commands.stop.1": "7"}, {"commands.skull"}),
        ("misty", {"cards.rocket.count": "5"}, {"cards"}),
        ("misty", {"cards.rocket.arrow": "north"}, {"cards.rocket.arrow"}),
        ("misty", {"cards.rocket.turned": "5"}, {"cards.rocket.turned"}),
        ("misty", {"cards.star.turned": "1"}, {"cards.star.turned"}),
    ],
)
def test_what_cant_be_is_told_where_it_stands(game: str, texts: dict[str, str], where: set[str]) -> None:
    with pytest.raises(BoxSheetError) as raised:
        sheet_of(find(game)).read(texts)
    assert set(raised.value.wrong) == where
    for code in LANGUAGES:
        assert all(problem.sentence(language(code)) for problem in raised.value.wrong.values())


def test_a_damaged_link_is_none(game: str) -> None:
    sheet = sheet_of(find(game))
    code = encode_box(sheet, corrected(game).content)
    other = next(one for one in GAMES if one != game)
    for damaged in ("", "x", code[:-1], code + "A", code[:-4] + "////", "A" * len(code), "é", "A" * 1_000_000, "=" * 9):
        with pytest.raises(DamagedLinkError):
            decode_box(sheet, damaged)
    with pytest.raises(DamagedLinkError):
        decode_box(sheet_of(find(other)), code)


# ---------------------------------------------------------------- the form of a new table


def test_the_form_shows_ours(ann: Visitor, game: str) -> None:
    sheet = sheet_of(find(game))
    page = look(ann, f"/new/{game}")
    assert typed(page) == sheet.texts(sheet.ours)
    assert "as ours" in page
    is_reconstructed = any(section.is_reconstructed for section in sheet.sections)
    assert ('class="tag">reconstructed' in page) is is_reconstructed


def test_a_table_is_opened_with_a_corrected_box(ann: Visitor, bob: Visitor, game: str) -> None:
    answer = press(ann, f"/new/{game}", chairs="2", is_public="true", **fields(game))
    assert answer.status_code == 200
    table = answer.url.path.rpartition("/")[2]
    assert ann.look(table)["has_own_box"]
    assert ann.get(f"/api/tables/{table}/box").json()["box"] == corrected(game).content
    # Whoever comes is told, wherever they meet it, and can look at it.
    listed = [one for one in bob.get("/api/tables", game=game).json()["tables"] if one["table"] == table]
    assert listed[0]["has_own_box"]
    assert "own box" in look(bob, "/")
    page = look(bob, f"/tables/{table}")
    assert "This table uses the host's own box" in page
    address = re.search(rf'href="(/rules/{game}\?box=[^"]*)"[^>]*>What is in this box', page)
    assert address
    rules = look(bob, address[1].partition("#")[0])
    assert "another box than ours" in rules
    assert rules.count('class="is-changed"') == len(CORRECTIONS[game])
    # Ours isn't kept: only what is kept comes back.
    assert typed(look(ann, f"/new/{game}")) == sheet_of(find(game)).texts(Box.of(game).content)


def test_with_ours_it_is_a_table_like_any_other(ann: Visitor, game: str) -> None:
    ours = {f"box.{key}": text for key, text in sheet_of(find(game)).texts(Box.of(game).content).items()}
    table = press(ann, f"/new/{game}", chairs="2", **ours).url.path.rpartition("/")[2]
    assert not ann.look(table)["has_own_box"]


def test_nothing_that_was_typed_is_lost(ann: Visitor) -> None:
    """A box that can't be comes back with all that was chosen, and with what is wrong beside it."""
    chosen = {"chairs": "4", "is_public": "true", "is_practice": "true", "pace": "live", "seconds": "77"}
    sent = {**fields("what-the-fog", long_game="1", **chosen), "box.cards.sun": "many", "box.tokens.rain-snow": "46"}
    for code, says in (
        ("en", "Enter a whole number from 0 to 48."),
        ("fr", "de 0 à 48"),
        ("nl", "van 0 tot en met 48"),
    ):
        ann.client.put("/api/me", json={"language": code})
        answer = press(ann, "/new/what-the-fog", **sent)
        refused(answer, 422, says)
        page = html.unescape(answer.text)
        assert typed(page) == {key.removeprefix("box."): value for key, value in sent.items() if key.startswith("box.")}
        assert page.count('aria-invalid="true"') == 2
        for wanted in ('value="4" checked', 'name="is_practice" value="true" checked', 'value="live" checked', "77"):
            assert wanted in page
    assert ann.get("/api/me/tables").json()["tables"] == []


def test_sums_and_pairs_that_dont_fit_are_told(ann: Visitor) -> None:
    refused(
        press(ann, "/new/misty", **{"box.cards.rocket.count": "9"}), 422, "These are 59 in total; there must be 54."
    )
    refused(press(ann, "/new/extreme", **{"box.commands.stop.1": "7"}), 422, "card 7 already carries another command")


def test_a_box_is_kept_and_given_back(ann: Visitor, bob: Visitor, game: str) -> None:
    ours = sheet_of(find(game)).texts(Box.of(game).content)
    page = html.unescape(press(ann, f"/new/{game}", chairs="2", **fields(game, do="keep")).text)
    assert "this is now your box" in page
    assert typed(page) == {**ours, **CORRECTIONS[game]}
    assert typed(look(ann, f"/new/{game}")) == {**ours, **CORRECTIONS[game]}
    assert typed(look(bob, f"/new/{game}")) == ours
    # Play now offers it.
    assert "With your box" in look(ann, "/")
    assert "With your box" not in look(bob, "/")
    table = press(ann, f"/play/{game}", is_own_box="true").url.path.rpartition("/")[2]
    assert ann.look(table)["has_own_box"]
    assert not ann.look(press(ann, f"/play/{game}").url.path.rpartition("/")[2])["has_own_box"]
    # Ours for once, then mine again, then ours for good.
    page = html.unescape(press(ann, f"/new/{game}", **fields(game, do="ours")).text)
    assert typed(page) == ours
    assert "Back to mine" in page
    page = html.unescape(press(ann, f"/new/{game}", do="mine").text)
    assert typed(page) == {**ours, **CORRECTIONS[game]}
    assert "Back to mine" not in page
    assert ann.get("/api/me/export").json()["boxes"] == {game: corrected(game).content}
    press(ann, f"/new/{game}", do="keep")
    assert typed(look(ann, f"/new/{game}")) == ours
    assert ann.get("/api/me/export").json()["boxes"] == {}


def test_programs_keep_boxes_too(ann: Visitor, game: str) -> None:
    where, other = f"/api/me/boxes/{game}", next(one for one in GAMES if one != game)
    assert ann.get(where).json() == {"game": game, "is_ours": True, "box": Box.of(game).content}
    kept = ann.client.put(where, json={"box": own_box(game)}).json()
    assert not kept["is_ours"]
    assert kept["box"] == Box.parse(own_box(game)).printed
    assert ann.get(where).json() == kept
    assert typed(look(ann, f"/new/{game}")) == sheet_of(find(game)).texts(kept["box"])
    for wrong in (own_box(other), own_box(game) + "=", "x" * 20_000):
        problem(ann.client.put(where, json={"box": wrong}), 400, "malformed")
    ours = find(game).file(find(game).box_file).read_text("utf-8")
    assert ann.client.put(where, json={"box": ours}).json()["is_ours"]
    assert ann.get("/api/me/export").json()["boxes"] == {}


def test_who_leaves_leaves_no_box(ann: Visitor) -> None:
    press(ann, "/new/misty", **fields("misty", do="keep"))
    press(ann, "/me/leave")
    assert typed(look(ann, "/new/misty")) == sheet_of(find("misty")).texts(Box.of("misty").content)


def test_a_box_is_shared_by_a_link(ann: Visitor, stranger: Visitor, game: str) -> None:
    page = html.unescape(press(ann, f"/new/{game}", **fields(game, do="share")).text)
    link = link_on(page)
    seen = look(stranger, link)
    assert "Somebody shared this box with you" in seen
    assert typed(seen) == typed(page)
    assert '<details class="box-editor" open>' in seen
    damaged = stranger.client.get(link[:-2], headers=LOOKING)
    refused(damaged, 400, "This link is incomplete")
    refused(stranger.client.get(f"/rules/{game}", params={"box": "x"}, headers=LOOKING), 400, "This link is incomplete")


# ---------------------------------------------------------------- hostile forms


@pytest.mark.parametrize(
    "sent",
    [
        {"box": "x", "box.cards.rain": "8"},
        {"box.": "x"},
        {"box.nothing.at.all": "x"},
        {"box.cards.rain": "9" * 20_000},
        {"box.cards.rain": "\x00"},
        {f"box.{number}": "1" for number in range(99)},
        {f"box.{number}": "1" for number in range(200)},
        {"do": "dance"},
    ],
)
def test_no_form_is_a_mistake_of_ours(ann: Visitor, no_mistakes: None, sent: dict[str, Any]) -> None:
    answer: httpx.Response = press(ann, "/new/what-the-fog", **sent)
    assert answer.status_code in (200, 400, 413, 422), answer.text


# ---------------------------------------------------------------- variants


def test_variants_are_offered_at_once_and_told_to_everybody(ann: Visitor, bob: Visitor) -> None:
    home = look(ann, "/")
    for spec in all_games().values():
        for option in spec.vocabulary.options:
            assert f'id="{spec.name}-option-{option.name}"' in home
    table = press(ann, "/new/the-game", chairs="2", is_public="true", open_tricks="1", minimum="3").url.path
    assert ann.look(table.rpartition("/")[2])["options"]["open_tricks"] == 1
    told = "Variants: Cards to play per turn, at least: 3; Open tricks."
    assert told in look(bob, table)
    assert "Open tricks" in re.sub(r"(?s)<form.*?</form>", "", look(bob, "/"))
    played = press(ann, "/play/the-game", chairs="1", open_tricks="1", minimum="3").url.path
    assert ann.look(played.rpartition("/")[2])["options"]["minimum"] == 3
    assert told in look(ann, played)
    assert "Variants:" not in look(ann, press(ann, "/play/the-game", chairs="1").url.path)
