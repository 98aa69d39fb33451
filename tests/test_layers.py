"""Imports only go down, by role; and nothing written for all games knows one of them."""

import ast
import json
import re
from collections import defaultdict
from pathlib import Path

import pytest

import nevel
from nevel.game.registry import all_games

PACKAGE = Path(nevel.__file__).parent

#: What each role may import of ours, besides itself. A game's folder has a part for each role: `games/*/rules` may
#: import what `rules` may, wherever it lies.
BELOW = {
    "languages": set[str](),
    "engine": set[str](),
    "rules": {"engine"},
    # A game's own words, clauses, events and box.
    "words": {"engine", "game", "rules", "languages"},
    "game": {"engine", "languages"},
    "bots": {"engine", "game", "rules"},
    "players": {"engine", "game", "bots", "languages"},
    "study": {"engine", "game", "bots", "rules", "words", "languages"},
    "tables": {"engine", "game", "bots", "players", "languages"},
    "web": {"engine", "game", "bots", "players", "tables", "study", "rules", "words", "languages"},
    # Clients know no more of a server than what goes over the network.
    "crowd": {"languages"},
    "lab": {"engine", "game", "bots", "players", "rules", "words", "languages"},
    "terminal": {"engine", "game", "bots", "players", "study", "words", "languages"},
    # The conformance kit looks at every part of a game.
    "testing": {
        *("engine", "game", "bots", "players", "study", "tables", "web", "lab", "terminal"),
        *("rules", "words", "languages", "crowd"),
    },
}
#: Above everything: the package's front and the command line.
TOP = {"__init__", "cli"}
#: The modules of a game's folder that have another role than its words.
ROLES_IN_A_GAME = {"rules", "bots", "web", "lab", "study", "terminal", "testing"}
#: What else a game has for studying it.
STUDY_MODULES = {"endgames", "forecasts"}

SHARED = sorted(path for path in PACKAGE.rglob("*") if path.relative_to(PACKAGE).parts[0] not in ("games", "languages"))


def role_of(parts: tuple[str, ...]) -> str:
    """The role of a module, by its path below the package."""
    if parts[0] != "games":
        return parts[0]
    inside = parts[2] if len(parts) > 2 else "__init__"
    if inside in STUDY_MODULES:
        return "study"
    return inside if inside in ROLES_IN_A_GAME else "words"


def imported(source: Path) -> set[tuple[str, ...]]:
    """The modules of ours a file imports, as paths below the package."""
    found: set[tuple[str, ...]] = set()
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source}: relative imports hide where things come from"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        found |= {tuple(name.split(".")[1:]) for name in names if name.startswith("nevel.")}
    return found


def test_every_module_imports_only_from_roles_below() -> None:
    checked = 0
    for source in sorted(PACKAGE.rglob("*.py")):
        parts = source.relative_to(PACKAGE).with_suffix("").parts
        if parts[0] in TOP:
            continue
        role = role_of(parts)
        upwards = {role_of(path) for path in imported(source)} - BELOW[role] - {role}
        assert not upwards, f"{source.relative_to(PACKAGE)} imports {upwards}"
        checked += 1
    assert checked > 100


def test_pages_and_sockets_dont_call_the_api() -> None:
    """What they share with it is in `web/services`: a page that makes up a request is checked and written twice."""
    for source in sorted(PACKAGE.glob("web/*/**/*.py")):
        if source.relative_to(PACKAGE / "web").parts[0] not in ("api", "server"):
            assert not [path for path in imported(source) if path[:2] == ("web", "api")], source


def test_a_game_imports_no_other_game() -> None:
    for source in sorted((PACKAGE / "games").rglob("*.py")):
        game = source.relative_to(PACKAGE / "games").parts[0]
        others = {path[1] for path in imported(source) if path[0] == "games"} - {game}
        assert not others, f"{source.relative_to(PACKAGE)} imports {others}"


def test_nothing_shared_imports_a_game() -> None:
    for source in (path for path in SHARED if path.suffix == ".py"):
        assert not [path for path in imported(source) if path[0] == "games"], source


def names_of_games() -> re.Pattern[str]:
    """Every way to name a game: its name, its title, its package, the prefix of its clauses, the type of its view."""
    found: set[str] = set()
    for spec in all_games().values():
        package = spec.package.rpartition(".")[2]
        prefixes = {name.split("-")[0] for name in spec.rulebook}
        found |= {re.escape(name) for name in (spec.name, package, spec.vocabulary.view_type.__name__)}
        # "the game" is a plain English word: as a title it has capitals.
        found |= {f"(?-i:{re.escape(spec.title)})", *(f"(?-i:{prefix}[-_][A-Z][0-9])" for prefix in prefixes)}
    return re.compile(rf"(?<!\w)(?:{'|'.join(sorted(found, key=len, reverse=True))})(?![\w-])", re.IGNORECASE)


@pytest.mark.parametrize("suffix", [".py", ".html", ".js", ".css", ".sql", ".svg"])
def test_nothing_shared_names_a_game(suffix: str) -> None:
    names = names_of_games()
    for source in (path for path in SHARED if path.suffix == suffix and "vendor" not in path.parts):
        for number, line in enumerate(source.read_text("utf-8").splitlines(), 1):
            # Examples in docstrings are documentation: they may play a game.
            found = None if line.lstrip().startswith(">>>") else names.search(line)
            assert not found, f"{source.relative_to(PACKAGE)}:{number} names {found[0]}"


def words_of_games() -> re.Pattern[str]:
    """What only a game's own folder says as data: the beginning of a move, the name of an option, event or drawing."""
    moves, names = set[str](), set[str]()
    for spec in all_games().values():
        moves |= {move.text.split()[0] for move in spec.vocabulary.moves.all if " " in move.text}
        names |= {option.name for option in spec.vocabulary.options}
        drawings = spec.file("web", "drawings")
        names |= {file.name.removesuffix(".svg") for file in drawings.iterdir() if "-" in file.name}
        tunes = spec.file("web", "sounds.json")
        names |= {event for event in json.loads(tunes.read_text("utf-8")) if "-" in event} if tunes.is_file() else set()
    quote = r"""["'`]"""
    return re.compile(rf"{quote}(?:(?:{'|'.join(sorted(moves))}) |(?:{'|'.join(sorted(names))}){quote})")


@pytest.mark.parametrize("suffix", [".py", ".html", ".js", ".css"])
def test_nothing_shared_speaks_the_notation_of_a_game(suffix: str) -> None:
    words = words_of_games()
    for source in (path for path in SHARED if path.suffix == suffix and "vendor" not in path.parts):
        text = source.read_text("utf-8")
        if suffix == ".py":  # what is written for people may play a game
            text = ast.unparse(without_documentation(ast.parse(text)))
        found = [line for line in text.splitlines() if words.search(line)]
        assert not found, f"{source.relative_to(PACKAGE)}: {found}"


def test_shared_styles_are_for_more_than_one_game() -> None:
    """A class that only one game's files write belongs into that game's style sheet."""
    written = {path: path.read_text("utf-8") for path in PACKAGE.rglob("*") if path.suffix in {".py", ".html", ".js"}}
    shared, games = set[str](), defaultdict[str, set[str]](set)
    for path, text in written.items():
        parts = path.relative_to(PACKAGE).parts
        (games[parts[1]] if parts[0] == "games" else shared).update(re.findall(r"[a-z][\w-]*", text))
    for sheet in (PACKAGE / "web" / "static").glob("*.css"):
        rules = re.sub(r"/\*.*?\*/|\{[^{}]*\}", " ", sheet.read_text("utf-8"), flags=re.DOTALL)
        for name in set(re.findall(r"\.([a-z][\w-]*)", rules)) - shared:
            stem = name.rpartition("-")[0] + "-"  # `shape-{{ seat }}`
            users = {game for game, words in games.items() if name in words}
            assert stem in shared or len(users) > 1, f"{sheet.name}: only {users or 'nobody'} writes .{name}"


def without_documentation(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(
            node
        ):
            node.body[0] = ast.Pass()
    return tree


def test_there_is_no_layer_without_a_place() -> None:
    folders = {folder.name for folder in PACKAGE.iterdir() if folder.is_dir() and (folder / "__init__.py").exists()}
    assert folders == set(BELOW) - {"rules", "words"} | {"cli", "games"}


def test_no_layer_hides_what_the_package_gives() -> None:
    """A package that is imported becomes an attribute: it would take the place of a function of its name."""
    assert not set(BELOW) & set(nevel.__all__)
