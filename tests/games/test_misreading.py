"""What is said of JSON that can't be read: where it goes wrong, in the language of whoever brought it."""

import json
import re
from typing import Annotated

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

import nevel
from nevel.game.json_errors import explain_json_error
from nevel.languages import LANGUAGES, language

#: What the reader of JSON says; none of it is ours.
ITS_OWN = re.compile(r"Expected|Object |got `|malformed|truncated|Invalid|codec|out of range")


def told(text: str | bytes, code: str = "en") -> str:
    with pytest.raises(nevel.LoadError) as refused:
        nevel.load(text)
    return refused.value.sentence(language(code))


def saved() -> dict[str, object]:
    return json.loads(nevel.save(nevel.new("the-game", seats=2, seed=1)))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "It ends too early."),
        ('{"nevel": 1', "It ends too early."),
        ("[]", "It should be an object in braces."),
        ("{}", "“nevel” is missing."),
        ('{\n  "nevel": 1,\n  "été" 2\n}', "Line 3, character 9 can't be read as JSON."),
        (json.dumps(saved() | {"surprise": 1}), "“surprise” doesn't belong there."),
        (json.dumps(saved() | {"seats": "two"}), "At “seats”: It should be a whole number."),
        (
            json.dumps(saved() | {"moves": [{"seat": 0, "move": 3, "after": ""}]}),
            "At “moves[0].move”: It should be text",
        ),
        (json.dumps(saved() | {"moves": [{"seat": 0}]}), "At “moves[0]”: “move” is missing."),
        (json.dumps(saved() | {"options": {"cards": "many"}}), "At “options[...]”: It should be a whole number."),
        ('{"nevel": 1e999}', "At “nevel”: This value isn't valid."),
        ('{"game": "' + "\\ud800" * 2 + '"}', "This is not a saved game."),
        (b'{"game": "\xff"}', "It isn't text."),
        ('{"box": {"deck": ' + "[" * 100_000, "The file is nested too deeply."),
    ],
)
def test_where_it_goes_wrong(text: str | bytes, says: str) -> None:
    assert says in told(text)
    for code in LANGUAGES:
        assert not ITS_OWN.search(told(text, code))


def test_it_is_said_in_the_language_of_who_brought_it() -> None:
    text = json.dumps(saved() | {"seats": "two"})
    french = re.sub(r"[\u00a0\u202f]", " ", told(text, "fr"))
    assert french == "Ce n’est pas une partie sauvegardée. À « seats » : Ce devrait être un nombre entier."
    assert told(text, "nl") == "Dit is geen bewaarde partij. Bij “seats”: Het zou een geheel getal moeten zijn."


class Numbers(msgspec.Struct, forbid_unknown_fields=True):
    few: Annotated[int, Meta(ge=1, le=9)] = 1
    short: Annotated[str, Meta(min_length=1, max_length=3)] = "a"
    pair: tuple[int, int] = (1, 2)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"few": 0}', "At “few”: It is less than 1."),
        ('{"few": 10}', "At “few”: It is more than 9."),
        ('{"short": ""}', "At “short”: It is shorter than 1."),
        ('{"short": "long"}', "At “short”: It is longer than 3."),
        ('{"pair": [1]}', "At “pair”: Its length should be 2."),
    ],
)
def test_limits(text: str, says: str) -> None:
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.json.decode(text, type=Numbers)
    assert str(explain_json_error(refused.value)) == says


@given(st.data())
def test_whatever_is_damaged_is_told_without_the_words_of_others(data: st.DataObject) -> None:
    text = json.dumps(saved(), indent=1).encode()
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:at] + data.draw(st.binary(max_size=3)) + text[at + data.draw(st.integers(0, 3)) :]
    try:
        nevel.load(damaged)
    except nevel.LoadError as problem:
        said = [problem.sentence(language(code)) for code in LANGUAGES]
        assert not ITS_OWN.search("\n".join(said))
