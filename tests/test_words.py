"""Everything a person reads is there in every language, and nothing else is."""

import re
import sqlite3
import string
from contextlib import closing
from pathlib import Path

import pytest

import nevel
from nevel import languages
from nevel.languages import DEFAULT, LANGUAGES, SpokenError, extraction, mark, mark_in, typeset
from nevel.web.help import prose

OTHERS = [code for code in LANGUAGES if code != DEFAULT]


def placeholders(message: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(message) if name}


def forms(text: object) -> list[str]:
    return list(text) if isinstance(text, list | tuple) else [str(text)]


@pytest.mark.parametrize("code", OTHERS)
def test_no_message_is_missing_or_unused(code: str) -> None:
    wanted = extraction.message_ids(extraction.template())
    there = extraction.message_ids(extraction.catalogue(code))
    assert wanted - there == set(), "not in the catalogue: run `make messages` and translate"
    assert there - wanted == set(), "no longer used: run `make messages`"


@pytest.mark.parametrize("code", OTHERS)
def test_every_message_is_translated_with_its_values(code: str) -> None:
    for message in extraction.catalogue(code):
        if not message.id:
            continue
        assert not message.fuzzy, message.id
        wanted = placeholders(forms(message.id)[-1])
        for form in forms(message.string):
            assert form, f"{code}: {message.id!r} is empty"
            # The form for one may leave the number out; nothing may ask for a value that isn't there.
            assert placeholders(form) <= wanted, f"{code}: {message.id!r}"
            assert placeholders(form) >= wanted - {"count"}, f"{code}: {message.id!r}"


def test_one_english_word_can_be_two_elsewhere() -> None:
    """The context tells them apart, and no language shows it."""
    home, token, won = mark_in("keyboard", "Home"), mark_in("program", "Token"), mark_in("after a name", "won")
    french, dutch = nevel.language("fr"), nevel.language("nl")
    assert [nevel.language("en").say(one) for one in (home, token, won)] == ["Home", "Token", "won"]
    assert [french.say(one) for one in (home, token, won)] == ["Origine", "Jeton d’accès", "a gagné"]
    assert french.say("won") == "gagnée"
    assert dutch.say_in("after a name", "won") == "heeft gewonnen"
    assert str(SpokenError(home)) == "Home"
    assert SpokenError(home).sentence(french) == "Origine"
    assert nevel.language("en").say(mark_in("nowhere", "{count} left"), count=3) == "3 left"


def test_the_form_of_the_plural_is_the_language_s_own() -> None:
    french, dutch = nevel.language("fr"), nevel.language("nl")
    one, many = "{player} draws {count} card; {left} left.", "{player} draws {count} cards; {left} left."
    assert french.say_count(one, many, 2, player="A", left=3) != french.say_count(one, many, 1, player="A", left=3)
    assert dutch.say_count(one, many, 2, player="A", left=3) != dutch.say_count(one, many, 1, player="A", left=3)


def test_numbers_are_written_as_in_the_language() -> None:
    assert nevel.language("en").say_number(1234.5) == "1,234.5"
    assert nevel.language("nl").say_number(1234.5) == "1.234,5"
    assert nevel.language("fr").say_number(1234.5).endswith("234,5")


def test_shares_colons_and_days_are_written_as_in_the_language() -> None:
    en, fr, nl = (nevel.language(code) for code in ("en", "fr", "nl"))
    assert [one.say_percent(17.5) for one in (en, fr, nl)] == ["17.5%", "17,5\N{NO-BREAK SPACE}%", "17,5%"]
    assert [one.say_pair("Ann", 3) for one in (en, fr, nl)] == ["Ann: 3", "Ann\N{NO-BREAK SPACE}: 3", "Ann: 3"]
    first = [one.say_day(1_777_593_600_000) for one in (en, fr, nl)]
    assert first == ["1 May 2026", "1er mai 2026", "1 mei 2026"]


def test_french_is_printed_as_french() -> None:
    """Whatever translators typed, no line breaks before a colon, and apostrophes are round; on help pages, too."""
    printed = "C’est l’heure~: «~oui~»_? 5~%_; non_!"
    printed = printed.replace("~", "\N{NO-BREAK SPACE}").replace("_", "\N{NARROW NO-BREAK SPACE}")
    typed = "C'est l'heure : « oui » ? 5 % ; non !"
    assert typeset(typed, "fr") == printed
    assert prose.typeset(typed, "fr") == printed
    for message in extraction.catalogue("fr"):
        for text in forms(message.string):
            assert not re.search(r" [:;?!»%]|« |\w'\w| …", typeset(text, "fr")), text


def test_what_the_system_says_is_explained(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    file.write_text("not a database, and long enough to be told from an empty one" * 20, "utf-8")
    with closing(sqlite3.connect(file)) as database, pytest.raises(sqlite3.DatabaseError) as damaged:
        database.execute("SELECT * FROM sqlite_schema")
    with pytest.raises(OSError, match="No such") as missing:
        (tmp_path / "missing").read_bytes()
    french, dutch = nevel.language("fr"), nevel.language("nl")
    assert french.explain(missing.value) == "ce fichier ou ce dossier n’existe pas"
    assert dutch.explain(damaged.value) == "het is geen database"
    assert dutch.explain(OSError(9999, "something rare")) == "something rare"
    assert dutch.explain(TimeoutError()) == "het duurde te lang"
    reading = mark("{file} can't be read: {reason}")
    assert SpokenError(reading, file="x", reason=missing.value).sentence(dutch) == (
        "x kan niet worden gelezen: dit bestand of deze map bestaat niet"
    )


def test_nothing_stands_before_an_ellipsis() -> None:
    for code in OTHERS:
        for message in extraction.catalogue(code):
            for text in [*forms(message.id), *forms(message.string)]:
                assert not re.search(r"\w …", text), text


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Anne", "d’Anne"),
        ("Émile", "d’Émile"),
        ("Œdipe", "d’Œdipe"),
        ("Yvonne", "d’Yvonne"),
        ("Max", "de Max"),
        ("Yoda", "de Yoda"),
        ("Hugo", "de Hugo"),
        ("8", "de 8"),
    ],
)
def test_french_elides_before_a_name(name: str, said: str) -> None:
    french = nevel.language("fr")
    whose = mark("All choices of {player}")
    assert french.say(whose, player=name) == f"Tous les choix {said}"
    assert nevel.language("nl").say(whose, player=name) == f"Alle keuzes van {name}"


def test_languages_are_found_by_code_and_region() -> None:
    assert nevel.language("fr-BE").code == "fr"
    assert nevel.language("nl_NL.UTF-8").code == "nl"
    with pytest.raises(ValueError, match="unknown language"):
        nevel.language("tlh")


def test_no_sentence_is_left_in_english() -> None:
    """A translation equal to its English message is a forgotten one, unless it is a short word or a symbol."""
    for code in OTHERS:
        for message in extraction.catalogue(code):
            for english, form in zip(forms(message.id), forms(message.string), strict=False):
                if len(re.findall(r"[A-Za-z]{2,}", re.sub(r"{\w+}", "", english))) > 2:
                    assert form != english, f"{code}: {english!r}"


def test_a_language_learns_what_a_game_says_that_is_found_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands choose their language before they look for games."""
    monkeypatch.setattr(languages, "_folders", [*languages._folders])
    french = nevel.language("fr")
    assert french.say("Nobody has said this before.") == "Nobody has said this before."
    (tmp_path / "fr.po").write_text('msgid "Nobody has said this before."\nmsgstr "Personne ne l\'a dit."\n', "utf-8")
    languages.add_catalogues(tmp_path)
    try:
        assert french.say("Nobody has said this before.") == "Personne ne l’a dit."
        assert nevel.language("fr-BE") is french
    finally:
        monkeypatch.undo()
        french.reload()
    assert french.say("Nobody has said this before.") == "Nobody has said this before."
