"""Kernels play the games the CPU plays: with Numba's simulator everywhere, and on a GPU where there is one."""

import importlib.util
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from nevel.bots.policy import POLICIES, RANDOM, SIMPLE
from nevel.engine import narrow
from nevel.game.box import Box
from nevel.game.game import Game
from nevel.game.registry import find
from nevel.lab.simulation import Simulation
from tests.compiling_ahead import play_many
from tests.own_games import OWN_GAMES

SCRIPT = Path(__file__).with_name("gpu_games.py")
NO_GPU = 3


def on_cpu(game: str, bots: list[str], games: int) -> Simulation:
    words = find(game).vocabulary
    options = words.option_numbers(words.read_options({}))
    policies = [POLICIES[bot] for bot in bots]
    simulation = Simulation(words.rules, len(bots), Box.of(game).numbers, options, policies, seed=5)
    list(simulation.run(games, cores=1))
    return simulation


def with_kernels(
    target: Path, game: str, bots: list[str], games: int, launch: int, memory: str, threads: int, is_simulated: bool
) -> dict[str, np.ndarray]:
    arguments = [game, ",".join(bots), str(games), str(launch), memory, str(threads), str(target)]
    environment = {**os.environ, "NEVEL_COMPILE_FOR": "cuda", "NUMBA_ENABLE_CUDASIM": str(int(is_simulated))}
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )
    if done.returncode == NO_GPU:
        pytest.skip("there is no NVIDIA GPU here")
    assert done.returncode == 0, done.stderr
    return dict(np.load(target))


def compare(kernels: dict[str, np.ndarray], cpu: Simulation) -> None:
    """Game by game: the points, the winners, the length."""
    assert np.array_equal(kernels["points"], np.concatenate(cpu.points)[:, : cpu.seats])
    assert np.array_equal(kernels["wins"], np.concatenate(cpu.wins)[:, : cpu.seats])
    assert np.array_equal(kernels["lengths"], np.concatenate(cpu.lengths))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "bots", "games", "memory"),
    [
        ("the-game", ["simple"] * 3, 8, "local"),
        ("the-game", ["simple", "random"], 10, "shared"),
        ("extreme", ["simple"] * 2, 8, "shared"),
        ("misty", ["random", "simple", "random"], 3, "local"),
        ("what-the-fog", ["random"] * 2, 2, "shared"),
    ],
)
def test_kernels_play_the_same_games_in_the_simulator(
    game: str, bots: list[str], games: int, memory: str, tmp_path: Path
) -> None:
    played = with_kernels(tmp_path / "games.npz", game, bots, games, 1000, memory, 4, is_simulated=True)
    compare(played, on_cpu(game, bots, games))


@pytest.mark.skipif(importlib.util.find_spec("numba_cuda") is None, reason="numba-cuda isn't installed: nevel[gpu]")
@pytest.mark.parametrize("memory", ["local", "shared"])
@pytest.mark.parametrize("bots", [["simple"] * 3, ["simple", "random", "random"]])
@pytest.mark.parametrize("game", OWN_GAMES)
def test_a_gpu_plays_the_same_games(game: str, bots: list[str], memory: str, tmp_path: Path) -> None:
    played = with_kernels(tmp_path / "games.npz", game, bots, 4500, 2000, memory, 64, is_simulated=False)
    assert played["done"].tolist() == [2000, 4000, 4500]
    compare(played, on_cpu(game, bots, 4500))


@pytest.mark.slow
@pytest.mark.parametrize("game", OWN_GAMES)
def test_no_number_is_too_large_for_a_narrow_record(game: str) -> None:
    """Random games of all numbers of players: after every move, what each field holds."""
    words = find(game).vocabulary
    record = narrow.narrowed(words.rules.STATE, words.rules.WIDER_FIELDS)
    assert record.itemsize * 5 < words.rules.STATE.itemsize
    dice = random.Random(3)
    for seats in range(words.rules.SEATS[0], words.rules.SEATS[1] + 1):
        options = {option.name: dice.choice(option.values) for option in words.options}
        played = Game(find(game), seats, seed=seats, options=options)
        while not played.is_over:
            seat = dice.choice(played.waiting_for)
            played.play(seat, dice.choice(played.legal_moves(seat)))
            for name in record.names or ():
                limits = np.iinfo(record[name].base)
                values = np.asarray(played.state[name])
                assert limits.min <= values.min() <= values.max() <= limits.max, name


@pytest.mark.slow
@pytest.mark.parametrize("game", OWN_GAMES)
def test_compiled_rules_play_the_same_games_on_a_narrow_record(game: str) -> None:
    words = find(game).vocabulary
    seats, games = 3, 200
    options = words.option_numbers(words.read_options({}))
    found = [
        play_many(record, seats, Box.of(game).numbers, options, [SIMPLE, RANDOM, SIMPLE], games)
        for record in (words.rules.STATE, narrow.narrowed(words.rules.STATE, words.rules.WIDER_FIELDS))
    ]
    for wide, slim in zip(*found, strict=True):
        assert np.array_equal(wide, slim)
    assert found[0][2].min() > 0


def simulate(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "nevel.cli", "simulate", *arguments],
        env={**os.environ, "NEVEL_LANGUAGE": "en", **environment},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.mark.slow
def test_the_command_plays_on_a_gpu_and_says_on_which() -> None:
    arguments = ("the-game", "--games", "6", "--seed", "5", "--json")
    kernels = simulate(*arguments, "--gpu", NUMBA_ENABLE_CUDASIM="1")
    assert kernels.returncode == 0, kernels.stderr
    figures, expected = json.loads(kernels.stdout), json.loads(simulate(*arguments).stdout)
    assert figures.pop("gpu") == "simulator"
    assert expected.pop("cores") > 0
    for name in ("seconds", "games_per_second"):
        assert figures.pop(name) > 0
        assert expected.pop(name) > 0
    assert figures == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [["--bots", "casual"], ["--bots", "expert"], ["--rotate"], ["--bots", "program:true"]]
)
def test_other_bots_are_refused_on_a_gpu(arguments: list[str]) -> None:
    refused = simulate("misty", "--gpu", *arguments, NUMBA_ENABLE_CUDASIM="1")
    assert refused.returncode == 2
    assert "random and simple" in refused.stderr


def test_what_is_missing_for_a_gpu_is_named() -> None:
    refused = simulate("misty", "--gpu", "--games", "1", NUMBA_ENABLE_CUDASIM="0")
    if refused.returncode == 0:
        pytest.skip("nothing is missing: there is a GPU")
    assert refused.returncode == 2
    assert "nevel[gpu]" in refused.stderr or "No GPU was found" in refused.stderr
