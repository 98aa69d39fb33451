"""Saved games play again to the same position, or say where they don't."""

import json
import random
import tomllib
from pathlib import Path
from typing import Any

import pytest

import nevel
from nevel.game.box import Box
from nevel.game.registry import find
from nevel.languages import LANGUAGES, language

DATA = Path(__file__).parents[1] / "data"


def some_game(name: str, moves: int = 60, **options: Any) -> nevel.Game:
    game = nevel.new(name, seats=3, seed=21, names=["Anna", "Bram", "Chloé"], **options)
    chance = random.Random(21)
    while len(game.log) < moves and not game.is_over:
        prompt = chance.choice(game.prompts())
        game.play(prompt.seat, chance.choice(prompt.moves))
        if hints := game.hints(0) if not game.is_over else []:
            game.play(0, chance.choice(hints))
    return game


def test_a_save_is_json_people_can_read() -> None:
    text = nevel.save(some_game("the-game", moves=4, minimum=3))
    saved = json.loads(text)
    assert saved["game"] == "the-game"
    assert saved["options"] == {"minimum": 3, "fewer_cards": 0, "open_tricks": 0}
    assert saved["names"] == ["Anna", "Bram", "Chloé"]
    assert "Chloé" in text
    assert saved["moves"][0]["move"] == "start"
    assert len(text.splitlines()) == len(saved["moves"]) + 11


@pytest.mark.clause("TG-V2")
@pytest.mark.parametrize("name", ["the-game", "extreme"])
def test_games_saved_before_jumps_back_were_an_option_play_on_with_open_tricks(name: str) -> None:
    """They were saved by an earlier Nevel, with hints that tell a jump back and without the option in the file."""
    text = (DATA / f"{name.replace('-', '_')}_before_open_tricks.json").read_text("utf-8")
    saved = json.loads(text)
    assert "open_tricks" not in saved["options"]
    game = nevel.load(text)
    assert game.options["open_tricks"] == 1
    assert game.fingerprint() == saved["moves"][-1]["after"]
    assert sum(entry.move.text.endswith(" jump") for entry in game.log) == 3
    game.play(1, "hint down2 jump")
    again = nevel.load(nevel.save(game))
    assert (again.fingerprint(), again.options) == (game.fingerprint(), game.options)
    # The same moves without that hint are a different position where tricks aren't open.
    saved["options"]["open_tricks"] = 0
    with pytest.raises(nevel.LoadError, match=r"Move 1: .* a different position"):
        nevel.load(json.dumps(saved))


def test_keys_are_saved_with_their_moves() -> None:
    game = nevel.new("what-the-fog", seats=2, seed=9)
    game.play(game.waiting_for[0], "lift 1", key="0123456789abcdef" * 2)
    again = nevel.load(nevel.save(game))
    assert again.fingerprint() == game.fingerprint()
    assert again.log[0].key == "0123456789abcdef" * 2


def test_an_owners_box_is_saved_with_the_game() -> None:
    content = dict(Box.of("extreme").content)
    content["commands"] = {**content["commands"], "stop": [4, 42, 59, 98]}
    game = nevel.new("extreme", seats=2, seed=1, box=Box(content))
    again = nevel.load(nevel.save(game))
    assert again.box.content == content
    assert again.fingerprint() == game.fingerprint()
    assert "box" not in json.loads(nevel.save(nevel.new("extreme", seats=2, seed=1)))


def tampered(change: str, value: object, move: int | None = None) -> str:
    saved = json.loads(nevel.save(some_game("what-the-fog", moves=6)))
    (saved if move is None else saved["moves"][move])[change] = value
    return json.dumps(saved)


@pytest.mark.parametrize(
    ("text", "says", "move"),
    [
        ("", "not a saved game", None),
        ("[]", "not a saved game", None),
        ("{}", "“nevel” is missing", None),
        (tampered("nevel", 99), "format 99", None),
        (tampered("game", "chess"), "no game chess", None),
        (tampered("rules", 0), "version 0 of the rules", None),
        (tampered("seats", 9), "seats is 9", None),
        (tampered("seed", "xyz"), "hexadecimal", None),
        (tampered("seed", "1"), "Move 1:", 0),
        (tampered("options", {"long_game": 7}), "long_game is 7", None),
        (tampered("surprise", 1), "“surprise” doesn.t belong there", None),
        (tampered("move", "lift 9", move=2), "isn't a move", 2),
        (tampered("move", "raise", move=2), "FOG-P1", 2),
        (tampered("seat", 7, move=3), "There is no seat", 3),
        (tampered("after", "00000000", move=4), "a different position", 4),
        (tampered("key", "zz", move=1), "hexadecimal", 1),
    ],
)
def test_a_damaged_save_says_where_it_goes_wrong(text: str, says: str, move: int | None) -> None:
    with pytest.raises(nevel.LoadError, match=says) as refused:
        nevel.load(text)
    assert refused.value.move == move


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(nevel.LoadError, match="not a saved game"):
        nevel.load(b"\xff\xfe\x00")


def write(folder: Path, text: str) -> Path:
    file = folder / "box.toml"
    file.write_text(text, "utf-8")
    return file


def ours(game: str) -> str:

    return find(game).file(find(game).box_file).read_text("utf-8")


@pytest.mark.parametrize(
    ("game", "old", "new", "key"),
    [
        ("what-the-fog", "rain-snow = 3", "rain-snow = 4", "tokens"),
        ("what-the-fog", "rain = 8", "rain = 9", "cards"),
        ("what-the-fog", "rain = 8", 'rain = "eight"', "cards.rain"),
        ("what-the-fog", "thunder-sun = 3", "", "tokens.thunder-sun"),
        ("what-the-fog", '7 = ["", "swap", "", ""]', '7 = ["", "swap", ""]', "days.7"),
        ("what-the-fog", '7 = ["", "swap", "", ""]', '7 = ["", "jump", "", ""]', "days.7"),
        ("what-the-fog", "[days]", "[nights]", "days"),
        ("what-the-fog", 'game = "what-the-fog"', 'game = "chess"', "game"),
        ("extreme", "stop = [3, 42, 59, 98]", "stop = [3, 42, 59, 150]", "commands.stop"),
        ("extreme", "stop = [3, 42, 59, 98]", "stop = [3, 42, 59]", "commands.stop"),
        ("extreme", "stop = [3, 42, 59, 98]", "stop = [3, 42, 59, 7]", "commands.skull"),
        ("extreme", "hands = [8, 7, 6, 6, 6]", "hands = 8", "hands"),
        ("the-game", "hands = [8, 7, 6, 6, 6]", "hands = [8, 7, 6, 6, 60]", "hands.5"),
        ("misty", 'rocket = { count = 4, arrow = "up" }', 'rocket = { count = 5, arrow = "up" }', "cards"),
        (
            "misty",
            'rocket = { count = 4, arrow = "up" }',
            'rocket = { count = 4, arrow = "north" }',
            "cards.rocket.arrow",
        ),
        ("misty", 'smile = { count = 6, arrow = "" }', 'smile = { count = 6, arrow = "up" }', "cards.smile.arrow"),
        ("misty", 'star = { count = 2, arrow = "" }', "star = 2", "cards.star"),
        ("misty", 'star = { count = 2, arrow = "" }', 'star = { count = 2, arrow = "", up = 1 }', "cards.star"),
        (
            "misty",
            'star = { count = 2, arrow = "" }',
            'star = { count = 2, arrow = "", turned = 1 }',
            "cards.star.turned",
        ),
        (
            "misty",
            'leaf = { count = 4, arrow = "down" }',
            'leaf = { count = 4, arrow = "down", turned = 5 }',
            "cards.leaf.turned",
        ),
        ("misty", 'star = { count = 2, arrow = "" }', 'comet = { count = 2, arrow = "" }', "cards.comet"),
        ("misty", "[cards]", "[cards", "file"),
    ],
)
def test_a_wrong_box_is_refused_with_file_key_and_reason(
    tmp_path: Path, game: str, old: str, new: str, key: str
) -> None:
    text = ours(game)
    assert old in text
    file = write(tmp_path, text.replace(old, new))
    with pytest.raises(nevel.BoxError) as refused:
        Box.read(file)
    assert refused.value.file == str(file)
    assert refused.value.key == key
    assert refused.value.reason


def deep(levels: int) -> str:
    return "[" * levels + "]" * levels


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rain = 8", f"rain = {deep(300)}"),
        ("rain = 8", f"rain = {deep(5_000)}"),
        ("rain = 8", f"rain = 0x{'f' * 15_000}"),
        ("rain = 8", f"rain = 0o{'7' * 15_000}"),
        ("rain = 8", f"rain = {'9' * 15_000}"),
        ("rain = 8", f"rain = '{'x' * 15_000}'"),
        ("rain = 8", f"{'x' * 15_000} = 8"),
        ("rain = 8", f"rain{'.a' * 5_000} = 8"),
        ("rain = 8", f"rain = {{{'a.' * 5_000}a = 8}}"),
        ('game = "what-the-fog"', f"game = {deep(300)}"),
        ('game = "what-the-fog"', f"game = 0x{'f' * 15_000}"),
        ('game = "what-the-fog"', f"game = '{'x' * 15_000}'"),
        ('7 = ["", "swap", "", ""]', f"7 = ['', 0x{'f' * 15_000}, '', {deep(300)}]"),
        ("[days]", f"[days{'.a' * 5_000}]"),
        ("[days]", f"[[days{'.a' * 5_000}]]\n" + "x = 1\n" * 1_000),
    ],
)
def test_a_box_is_refused_briefly_however_deep_and_large_it_is(old: str, new: str) -> None:
    with pytest.raises(nevel.BoxError) as refused:
        Box.parse(ours("what-the-fog").replace(old, new, 1))
    for code in LANGUAGES:
        assert len(refused.value.sentence(language(code))) < 600


def test_dots_in_comments_and_names_are_no_keys() -> None:
    text = f"# {'.' * 1_000}\nowner = 'J. R. R. T.'\n" + ours("misty")
    assert Box.parse(text).is_ours


def test_a_box_that_isnt_there_or_isnt_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(nevel.BoxError, match="be read"):
        Box.read(tmp_path / "nowhere.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xff")
    with pytest.raises(nevel.BoxError, match="UTF-8"):
        Box.read(tmp_path / "bytes.toml")


def test_an_owner_plays_with_their_own_box(tmp_path: Path) -> None:
    text = ours("the-game").replace("[8, 7, 6, 6, 6]", "[8, 5, 6, 6, 6]")
    assert tomllib.loads(text)
    game = nevel.new("the-game", seats=2, seed=1, box=write(tmp_path, text))
    assert game.view(0).players[0].held == 5  # type: ignore[attr-defined]
    with pytest.raises(nevel.BoxError, match="is played"):
        nevel.new("misty", seats=2, box=write(tmp_path, text))
