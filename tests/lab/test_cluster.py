"""A tournament on a real Ray cluster, with two processors on this machine, comes out as on one core."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nevel.lab.tournaments.cluster import Order, OtherVersionError, play_on_node
from nevel.lab.tournaments.plan import Plan
from nevel.lab.tournaments.tournament import Tournament

CUP = """
[tournament]
seed = 11
deals = 3
playouts = 5

[[game]]
game = "misty"
seats = 2

[[game]]
game = "the-game"
seats = 3

[[player]]
level = "simple"

[[player]]
level = "casual"

[[player]]
name = "thinker"
level = "expert"
"""
#: What a cluster on this machine keeps in memory of what it passes round.
STORE = 80 << 20


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Where a cluster of one node is that ends with the test."""
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    from ray.cluster_utils import Cluster

    cluster = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 2, "include_dashboard": False, "object_store_memory": STORE},
    )
    assert cluster.address
    yield cluster.address
    cluster.shutdown()


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    # A fresh process: Ray hasn't been tried in one that is forked by tests.commands.
    return subprocess.run(
        [sys.executable, "-m", "nevel.cli", "tournament", *arguments],
        env={**os.environ, "NEVEL_LANGUAGE": "en"},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


@pytest.mark.slow(25)
def test_one_core_many_and_a_cluster_give_the_same(address: str, tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(CUP, "utf-8")
    for name, how in {"one": ["--cores", "1"], "many": ["--cores", "3"], "ray": ["--cluster", address]}.items():
        done = run(str(file), "--out", str(tmp_path / name), *how)
        assert done.returncode == 0, done.stderr
    for name in ("cup.results.json", "cup.results.parquet", "cup.report.html"):
        one, many, ray = ((tmp_path / folder / name).read_bytes() for folder in ("one", "many", "ray"))
        assert one == many
        assert one == ray
    # Every game was kept as it came in; only the order may differ.
    lines = [sorted((tmp_path / folder / "cup.results.jsonl").read_text().split()) for folder in ("one", "many", "ray")]
    assert lines[0] == lines[1] == lines[2]
    assert len(lines[0]) == 1 + 3 * 3 * 2 + 3 * 3


def test_a_node_with_another_version_refuses() -> None:
    plan = Plan.parse(CUP)
    jobs = Tournament(plan).ladders[0].jobs()[:1]
    assert len(play_on_node(Order(plan, plan.fingerprint()), 0, jobs)) == 1
    with pytest.raises(OtherVersionError):
        play_on_node(Order(plan, "another"), 0, jobs)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["127.0.0.1:1", "ray://127.0.0.1:1", "nowhere:port"])
def test_a_cluster_that_is_not_there_is_named(where: str, tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(CUP, "utf-8")
    done = run(str(file), "--cluster", where)
    assert done.returncode == 2
    assert where in done.stderr
    assert "Traceback" not in done.stderr
