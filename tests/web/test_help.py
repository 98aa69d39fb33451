"""The handbooks and the first-game guides: whole, alike in all languages, and true to the table."""

import doctest
import re
from random import Random

import msgspec
import pytest

import nevel
from nevel.game.event import Teller
from nevel.game.registry import find
from nevel.languages import LANGUAGES, language
from nevel.tables.referee.referee import ChatRefusedError, check
from nevel.web.help import handbook as handbook_module
from nevel.web.help.handbook import Handbook, handbook, list_clauses
from nevel.web.help.outline import HandbookError, Words, check_words, read, read_outline
from nevel.web.help.prose import to_html, typeset
from nevel.web.rendering.board import board_of
from tests.own_games import OWN_GAMES

#: The quotation marks of each language that has others than English.
QUOTES = {"de": "„“", "fr": "«»"}
BOOKS = [(game, code) for game in OWN_GAMES for code in LANGUAGES]


def texts(book: Handbook) -> list[str]:
    """Everything there is to read in a handbook, titles included."""
    found = [book.introduction, *(chapter.title for chapter in book.chapters), *(step.text for step in book.guide)]
    for item in book.items:
        found += [item.title, item.text, *item.said, *item.unsaid, *(example.text for example in item.examples)]
        found += [item.ruling] if item.ruling else []
    return found


def shape(book: Handbook) -> object:
    """A handbook without its words."""
    return (
        [chapter.name for chapter in book.chapters],
        [
            (
                item.clauses,
                item.figure,
                [example.figure for example in item.examples],
                len(item.said),
                len(item.unsaid),
                bool(item.ruling),
                item.text.count("**"),
                item.text.count("\n\n"),
                re.findall(r"\[[A-Z]+-\w+\]", item.text),
            )
            for item in book.items
        ],
        [(step.name, step.when, step.point) for step in book.guide],
    )


# ---------------------------------------------------------------- whole


@pytest.mark.parametrize(("game", "code"), BOOKS)
def test_every_clause_is_explained_once(game: str, code: str) -> None:
    explained = [clause for item in handbook(game, code).items for clause in item.clauses]
    assert sorted(explained) == sorted(clause.id for clause in list(find(game).rulebook.values()))


@pytest.mark.parametrize(("game", "code"), BOOKS)
def test_all_languages_have_the_same_shape(game: str, code: str) -> None:
    assert shape(handbook(game, code)) == shape(handbook(game, "en"))


@pytest.mark.parametrize(("game", "code"), BOOKS)
def test_examples_have_the_same_numbers_in_all_languages(game: str, code: str) -> None:
    for item, english in zip(handbook(game, code).items, handbook(game, "en").items, strict=True):
        for example, original in zip(item.examples, english.examples, strict=True):
            wanted = sorted(re.findall(r"[a-g]?\d+", original.text))
            assert sorted(re.findall(r"\b[a-g]?\d+", example.text)) == wanted, f"{game}.{code}, {item.name}"


@pytest.mark.parametrize("game", OWN_GAMES)
def test_no_text_is_left_in_another_language(game: str) -> None:
    said = {code: texts(handbook(game, code)) for code in LANGUAGES}
    for same in zip(*said.values(), strict=True):
        if len(same[0].split()) > 2:
            assert len(set(same)) == len(LANGUAGES), same


@pytest.mark.parametrize("game", OWN_GAMES)
def test_the_introduction_is_the_idea_in_three_sentences(game: str) -> None:
    for code in LANGUAGES:
        assert len(re.findall(r"[.!?](?: |$)", handbook(game, code).introduction)) == 3


@pytest.mark.parametrize(("game", "code"), BOOKS)
def test_links_lead_to_clauses_of_the_same_page(game: str, code: str) -> None:
    book = handbook(game, code)
    for text in texts(book):
        for clause in re.findall(r"\[([A-Z]+-\w+)\]", text):
            assert clause in book.item(clause).clauses


def test_words_that_do_not_fit_their_outline_are_refused() -> None:
    outline, words = read_outline("the-game"), read("the-game", "the-game.en.toml", Words)
    items = dict(words.items)
    check_words("the-game.en.toml", outline, words)
    with pytest.raises(HandbookError, match="items are"):
        check_words("file", outline, msgspec.structs.replace(words, items=dict(list(items.items())[1:])))
    with pytest.raises(HandbookError, match="glossary are"):
        check_words("file", outline, msgspec.structs.replace(words, glossary={"hand": "hand"}))
    with pytest.raises(HandbookError, match="guide are"):
        check_words("file", outline, msgspec.structs.replace(words, guide=words.guide | {"more": "…"}))
    less = msgspec.structs.replace(items["TG-T3"], examples=("one",))
    with pytest.raises(HandbookError, match="TG-T3 has 1 examples, not 3"):
        check_words("file", outline, msgspec.structs.replace(words, items=items | {"TG-T3": less}))
    with pytest.raises(HandbookError, match=r"the-game\.toml: .*glossary"):
        read("the-game", "the-game.toml", Words)


def test_the_example_in_the_module_is_true() -> None:
    results = doctest.testmod(handbook_module)
    assert results.attempted == 2
    assert results.failed == 0


def test_a_game_s_decisions_are_found_together() -> None:
    rulings = [item.name for item in handbook("misty", "en").rulings]
    assert rulings == ["MI-B2", "MI-A6", "MI-X3", "MI-X4", "MI-V1"]


# ---------------------------------------------------------------- written well


@pytest.mark.parametrize(("game", "code"), BOOKS)
def test_texts_are_typeset_as_the_language_asks(game: str, code: str) -> None:
    for text in texts(handbook(game, code)):
        assert text.strip() == text != ""
        assert not re.search(r"['\"<>{}]|  |,,|\.\.", text), text
        assert text.count("**") % 2 == 0, text
        opening, closing = QUOTES.get(code, "“”")
        assert text.count(opening) == text.count(closing), text
        assert not set(text) & set("„“”«»") - {opening, closing}, text
        if code == "fr":
            assert not re.search(r" [:;?!»]|« ", text), text
            # ** and What the Fog?! apart, no such mark stands without its space.
            bare = text.replace("What the Fog?!", "").replace("**?**", "").replace("**!**", "")
            assert not re.search("[^\u202f][;?!]|[^\xa0][:»]|«[^\xa0]", bare), text
        else:
            assert not re.search("[«»\xa0\u202f]| [:;?!]", text), text


@pytest.mark.parametrize(("game", "code"), BOOKS)
def test_sentences_end(game: str, code: str) -> None:
    book = handbook(game, code)
    for text in [book.introduction, *(item.text for item in book.items), *(step.text for step in book.guide)]:
        assert text[-1] in ".!?", text
    for item in book.items:
        assert item.title[-1] not in ".:;", item.title
        assert all(example.text[-1] in ".!?" for example in item.examples)
        assert not item.ruling or item.ruling[-1] == "."


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_hints_are_quoted_as_the_table_says_them(code: str) -> None:
    teller = Teller(language(code))
    game = find("the-game").vocabulary
    hints = " ".join(game.describe(move, teller) for move in game.moves.all if game.is_hint(move))
    known = typeset(re.sub("[\xa0\u202f]", " ", hints), code).casefold()
    book = handbook("the-game", code)
    quoting = [book.item("TG-H2").text, book.item("TG-V2").text, *(step.text for step in book.guide)]
    opening, closing = QUOTES.get(code, "“”")
    quoted = [quote.strip(" \xa0") for text in quoting for quote in re.findall(f"{opening}(.+?){closing}", text)]
    assert len(quoted) == 9
    for quote in quoted:
        assert quote.casefold() in known, quote


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_referee_agrees_about_what_may_be_said(code: str) -> None:
    talk = find("the-game").talk
    assert talk is not None
    for item in handbook("the-game", code).items:
        for line in item.said:
            check(line, talk, None)
        for line in item.unsaid:
            with pytest.raises(ChatRefusedError):
                check(line, talk, None)


@pytest.mark.parametrize("game", OWN_GAMES)
def test_the_glossary_s_words_are_used(game: str) -> None:
    english = handbook(game, "en").glossary
    assert len(set(english.values())) == len(english) >= 5
    for code in LANGUAGES:
        everything = " ".join(texts(handbook(game, code))).casefold()
        glossary = handbook(game, code).glossary
        assert list(glossary) == list(english)
        for word in glossary.values():
            assert word.casefold().split()[-1][:5] in everything, f"{code}: {word}"


# ---------------------------------------------------------------- the guide


@pytest.mark.parametrize("game", OWN_GAMES)
def test_a_guide_points_at_parts_of_the_table(game: str) -> None:
    steps = handbook(game, "en").guide
    assert 8 <= len(steps) <= 14
    assert {step.point for step in steps} <= set(board_of(game).guide_points)
    assert len({step.name for step in steps}) == len(steps)


@pytest.mark.parametrize("game", OWN_GAMES)
def test_every_step_of_a_guide_has_its_moment(game: str) -> None:
    """Somebody who plays at random comes across all of them, and the first one at once."""
    wanted = {step.when for step in handbook(game, "en").guide}
    random = Random(1)
    for seed in range(20):
        played = nevel.new(game, seats=3, seed=seed)
        assert handbook(game, "en").guide[0].when in {moment_of(event) for event in played.story(0)}
        while not played.is_over and wanted:
            if prompt := played.prompt(0):
                wanted.discard(f"question:{prompt.question}")
            seat = random.choice(played.waiting_for)
            move = random.choice(played.legal_moves(seat))
            played.play(seat, move)
        wanted -= {moment_of(event) for event in played.story(0)}
        if not wanted:
            break
    assert wanted == set()


def moment_of(event: nevel.Event) -> str:
    return f"event:{msgspec.to_builtins(event)['event']}"


# ---------------------------------------------------------------- prose


def test_french_gets_its_narrow_spaces() -> None:
    assert typeset("Qui a dit : « J'ai » ?", "fr") == "Qui a dit\xa0: «\xa0J’ai\xa0»\u202f?"
    assert typeset("Who said: “it's”?", "en") == "Who said: “it’s”?"


def test_lines_become_paragraphs() -> None:
    assert typeset("\nOne\nline.\n\nAnother.\n", "en") == "One line.\n\nAnother."


def test_html_is_escaped_and_clauses_are_links() -> None:
    html = to_html("**Exactly** 10 < 11 [TG-T3].\n\nMore.")
    assert html == ('<p><strong>Exactly</strong> 10 &lt; 11 <a class="clause" href="#TG-T3">TG-T3</a>.</p><p>More.</p>')


# ---------------------------------------------------------------- games without files of help


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_game_without_files_of_help_has_its_clauses_to_read(code: str) -> None:
    spec = find("misty")
    book = list_clauses(spec, code)
    assert [item.clauses for item in book.items] == [(name,) for name in spec.rulebook]
    assert [item.text for item in book.items] == [
        typeset(clause.sentence(language(code)), code) for clause in spec.rulebook.values()
    ]
    assert book.introduction == typeset(language(code).say(spec.pitch), code)
    assert book.chapters[0].title != ""
    assert book.guide == ()
