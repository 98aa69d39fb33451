"""Tests about tests: each can fail, none is skipped for good, and our games are listed in one place."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.own_games import OWN_GAMES

ROOT = Path(__file__).parents[1]
FILES = sorted((*(ROOT / "tests").rglob("*.py"), *ROOT.glob("examples/*/tests/*.py")))
#: What raises when something isn't as expected, besides `assert`: of pytest and Playwright.
RAISING = {"raises", "warns", "fail", "expect"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(file: Path) -> Iterator[Function]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, Function):
            yield node


def names_in(function: Function) -> set[str]:
    """Everything a function calls or hands over, by its last name."""
    names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    return names | {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)}


def asserts(function: Function) -> bool:
    """Whether a function asserts by itself; also by raising an AssertionError."""
    return bool(names_in(function) & (RAISING | {"AssertionError"})) or any(
        isinstance(node, ast.Assert) for node in ast.walk(function)
    )


def test_every_test_asserts_something() -> None:
    by_name = defaultdict[str, list[Function]](list)
    for file in FILES:
        for function in functions(file):
            by_name[function.name].append(function)
    asserting = {name for name, found in by_name.items() if any(map(asserts, found))}
    while more := {
        name
        for name, found in by_name.items()
        if name not in asserting and any(names_in(function) & asserting for function in found)
    }:
        asserting |= more
    idle, checked = list[str](), 0
    for file in FILES:
        for function in functions(file):
            if file.name.startswith("test_") and function.name.startswith("test_"):
                checked += 1
                if not asserts(function) and not names_in(function) & (asserting - {function.name}):
                    idle.append(f"{file.relative_to(ROOT)}: {function.name}")
    assert not idle
    assert checked > 1000


def test_no_test_is_skipped_for_good() -> None:
    """A test that never runs says nothing; what is missing on a machine is asked for when it runs."""
    marks = {"skip", "xfail"}
    found = [
        f"{file.relative_to(ROOT)}: {function.name}"
        for file in FILES
        for function in functions(file)
        for decorator in function.decorator_list
        if marks & {node.attr for node in ast.walk(decorator) if isinstance(node, ast.Attribute)}
    ]
    assert not found


def test_our_games_are_listed_in_one_place() -> None:
    """`own_games` asks the registry; what differs from game to game is no list."""
    for folder in ("tests", "bench", "docs"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.List | ast.Tuple | ast.Set):
                    named = {one.value for one in node.elts if isinstance(one, ast.Constant)}
                    assert not named >= set(OWN_GAMES), f"{file.relative_to(ROOT)}:{node.lineno} lists our games"


def test_helpers_are_imported_by_their_full_names() -> None:
    """No test changes where Python looks for modules."""
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.path":
                raise AssertionError(f"{file.relative_to(ROOT)}:{node.lineno} changes sys.path")
