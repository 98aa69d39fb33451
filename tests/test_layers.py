"""Imports only go down."""

import ast
from pathlib import Path

import nevel

PACKAGE = Path(nevel.__file__).parent

#: What each layer may import of ours, besides itself.
BELOW = {
    "rules": set[str](),
    "languages": set[str](),
    "boxes": {"languages"},
    "games": {"rules", "boxes", "languages"},
    "bots": {"rules"},
    "players": {"rules", "boxes", "games", "bots", "languages"},
    "tables": {"rules", "boxes", "games", "bots", "players", "languages"},
    "study": {"rules", "boxes", "games", "bots", "languages"},
    "web": {"rules", "boxes", "games", "bots", "players", "tables", "study", "languages"},
    # Clients know no more of a server than what goes over the network.
    "crowd": {"languages"},
    "lab": {"rules", "boxes", "games", "bots", "players", "languages"},
    "terminal": {"rules", "boxes", "games", "bots", "players", "study", "languages"},
}
#: Above everything: the package's front and the command line.
TOP = {"__init__", "cli"}


def imported_layers(source: Path) -> set[str]:
    layers: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source}: relative imports hide where things come from"
            module = node.module or ""
            names = [f"nevel.{alias.name}" for alias in node.names] if module == "nevel" else [module]
        layers |= {name.split(".")[1] for name in names if name.startswith("nevel.")}
    return layers


def test_every_module_imports_only_from_layers_below() -> None:
    checked = 0
    for source in sorted(PACKAGE.rglob("*.py")):
        parts = source.relative_to(PACKAGE).with_suffix("").parts
        if parts[0] in TOP:
            continue
        upwards = imported_layers(source) - BELOW[parts[0]] - {parts[0]}
        assert not upwards, f"{source.relative_to(PACKAGE)} imports {upwards}"
        checked += 1
    assert checked > 20


def test_there_is_no_layer_without_a_place() -> None:
    folders = {folder.name for folder in PACKAGE.iterdir() if folder.is_dir() and (folder / "__init__.py").exists()}
    assert folders == set(BELOW) | {"cli"}


def test_no_layer_hides_what_the_package_gives() -> None:
    """A package that is imported becomes an attribute: it would take the place of a function of its name."""
    assert not set(BELOW) & set(nevel.__all__)
