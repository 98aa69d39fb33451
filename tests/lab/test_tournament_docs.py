"""What docs/lab.md and docs/facts.md show is run."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from nevel.lab.tournaments.plan import GameSettings, PlayerSettings, TournamentSettings
from tests.commands import run_nevel
from tests.own_games import OWN_GAMES

ROOT = Path(__file__).parents[2]
LAB = (ROOT / "docs" / "lab.md").read_text("utf-8")
FACTS = ROOT / "docs" / "facts.md"


@pytest.mark.slow
def test_the_tournament_of_the_documentation_is_the_example_and_runs(tmp_path: Path) -> None:
    (shown,) = re.findall(r"```toml\n(.*?)```", LAB, re.DOTALL)
    assert shown == (ROOT / "docs" / "examples" / "tournament.toml").read_text("utf-8")
    plan = "docs/examples/tournament.toml"
    done = run_nevel("tournament", plan, "--out", str(tmp_path), cwd=ROOT, timeout=600, NEVEL_LANGUAGE="en")
    assert done.returncode == 0, done.stderr
    assert "the strong one" in done.stdout
    for end in re.findall(r"^\| `…(\.[\w.]+)` \|", LAB, re.MULTILINE):
        assert (tmp_path / f"tournament{end}").stat().st_size > 100


def test_every_key_of_a_tournament_is_told() -> None:
    keys = {name for each in (TournamentSettings, GameSettings, PlayerSettings) for name in each.__struct_fields__}
    (table,) = re.findall(r"^\| key \|.*?\n\n", LAB, re.MULTILINE | re.DOTALL)
    assert keys == set(re.findall(r"`(\w+)`", table)) - {"true", "false", "nevel"} - {"tournament", "player", "games"}


@pytest.mark.slow
def test_the_facts_can_be_found_again(tmp_path: Path) -> None:
    """With few games: the page has the same tables and pictures, and every picture is a drawing."""
    subprocess.run(
        [sys.executable, str(ROOT / "docs" / "facts.py"), "--games", "4", "--out", str(tmp_path)],
        check=True,
        capture_output=True,
        timeout=1200,
    )

    def outline(page: Path) -> list[str]:
        lines = page.read_text("utf-8").splitlines()
        return [line for line in lines if line.startswith(("#", "!", "|  |"))]

    assert outline(tmp_path / "facts.md") == outline(FACTS)
    for folder in (tmp_path, ROOT / "docs"):
        drawn = {path.stem for path in (folder / "pictures").glob("facts-*.svg")}
        assert drawn == {f"facts-{game}" for game in OWN_GAMES}
        for name in drawn:
            ElementTree.parse(folder / "pictures" / f"{name}.svg")
