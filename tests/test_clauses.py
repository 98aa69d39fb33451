"""Every clause is a number, a sentence and a test."""

import ast
from importlib import import_module
from pathlib import Path

import nevel
from nevel.languages import LANGUAGES
from tests.own_games import OWN_GAMES
from tests.rulebooks import CLAUSES

TESTS = Path(__file__).parent


def clauses_with_tests() -> set[str]:
    """The ids given to `@pytest.mark.clause(…)` anywhere in the tests."""
    named: set[str] = set()
    for source in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(source.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "clause":
                named |= {str(argument.value) for argument in node.args if isinstance(argument, ast.Constant)}
    return named


def test_every_clause_has_a_test_and_every_named_clause_exists() -> None:
    named = clauses_with_tests()
    assert named - set(CLAUSES) == set(), "tests name clauses that don't exist"
    assert set(CLAUSES) - named == set(), "clauses without a test"


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
