"""Names and types: a class name has one meaning, calls are short, and only compiled modules aren't strict."""

import ast
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "nevel"
#: With more, a call can't be read: a record has names.
MOST_POSITIONAL = 10
#: About ten a folder.
MOST_MODULES = 14
COMPILED = re.compile(r"^\s*@(compiled|compiled_holding_gil|helper|inlined|allocating|overload)\b", re.MULTILINE)
BASIC = "# pyright: basic"


def modules() -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE), ast.parse(path.read_text("utf-8"))


def within_game(path: Path) -> str:
    """The path of a module, the same for all games: `games/*/events.py`."""
    parts = path.parts
    return "/".join((parts[0], "*", *parts[2:]) if parts[0] == "games" else parts)


def test_a_class_name_has_one_meaning() -> None:
    """The same module of several games may name the same concept alike; anything else needs a name of its own."""
    found = defaultdict[str, list[Path]](list)
    for path, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(path)
    twice = {
        name: [str(path) for path in paths]
        for name, paths in found.items()
        if len(paths) > 1 and (len({within_game(path) for path in paths}) > 1 or len(set(paths)) < len(paths))
    }
    assert not twice


def test_calls_and_definitions_have_at_most_ten_positional_arguments() -> None:
    long = list[str]()
    for path, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
                if len(names) - (names[:1] in (["self"], ["cls"])) > MOST_POSITIONAL:
                    long.append(f"{path}:{node.lineno}: a definition with {len(names)}")
            elif isinstance(node, ast.Call) and len(node.args) > MOST_POSITIONAL:
                long.append(f"{path}:{node.lineno}: a call with {len(node.args)}")
    assert not long


def test_modules_are_short() -> None:
    lengths = {path: len((PACKAGE / path).read_text("utf-8").splitlines()) for path, _ in modules()}
    learnt = Path("games/misty/bots/learnt.py")  # data, written by a program
    long = {str(path) for path, length in lengths.items() if length > 400 and path != learnt}
    assert not long


def test_folders_are_small() -> None:
    """About ten modules can be taken in at a glance; more have a grouping that wants a name."""
    sizes = Counter(path.parent for path, _ in modules() if path.name != "__init__.py")
    assert not {str(folder): size for folder, size in sizes.items() if size > MOST_MODULES}


def test_only_modules_of_compiled_functions_are_checked_less_strictly() -> None:
    """A new plain module is strict by default: no folder of the package is left out of type checking."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["basedpyright"]
    assert settings["strict"] == ["src/nevel"]
    assert not [path for path in settings.get("ignore", []) if path.startswith("src")]
    for path, tree in modules():
        text = (PACKAGE / path).read_text("utf-8")
        if BASIC not in text:
            continue
        assert COMPILED.search(text), f"{path} compiles nothing: it has to be strict"
        records = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        plain = [node.name for node in records if ast.unparse(node.bases[0] if node.bases else node) != "NamedTuple"]
        assert not plain, f"{path} has plain classes, which belong into a strict module"


def test_every_module_and_class_is_documented() -> None:
    bare = [str(path) for path, tree in modules() if not ast.get_docstring(tree)]
    for path, tree in modules():
        if path.name == "events.py":
            continue  # each event's sentence says what it is
        bare += [
            f"{path}: {node.name}"
            for node in tree.body
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and not ast.get_docstring(node)
        ]
    assert not bare
