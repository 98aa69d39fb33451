"""Every clause is a number, a sentence and a test."""

from importlib import import_module
from pathlib import Path

import nevel
from nevel.languages import LANGUAGES
from nevel.testing.suite.words import clauses_named_in
from tests.own_games import OWN_GAMES
from tests.rulebooks import CLAUSES

TESTS = Path(__file__).parent


def test_tests_name_clauses_that_exist() -> None:
    """That every clause is named by one is checked by `nevel.testing`."""
    assert clauses_named_in(TESTS) - set(CLAUSES) == set()


def test_numbers_and_sentences_are_the_same_clauses() -> None:
    for spec in OWN_GAMES.values():
        codes = import_module(f"{spec.package}.rules.clauses")
        numbered = {name.replace("_", "-") for name in vars(codes) if name.isupper()}
        assert set(spec.rulebook) <= numbered
        assert len(spec.rulebook.by_code) == len(spec.rulebook)
    every = {name for spec in OWN_GAMES.values() for name in spec.rulebook}
    assert every == set(CLAUSES)


def test_every_clause_has_its_own_sentence_in_every_language() -> None:
    for code in LANGUAGES:
        sentences = [clause.sentence(nevel.language(code)) for clause in CLAUSES.values()]
        assert len(set(sentences)) == len(CLAUSES)
        assert all(sentence.endswith(".") for sentence in sentences)
