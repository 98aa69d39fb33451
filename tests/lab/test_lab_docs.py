"""docs/lab.md: its Python runs, its tables are true, its examples learn, play and draw."""

import re
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from nevel.game.registry import find
from nevel.lab.observations import parts_of
from tests.commands import run_nevel
from tests.own_games import OWN_GAMES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "lab.md").read_text("utf-8")
EXAMPLES = ROOT / "docs" / "examples"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_the_python_of_the_page_runs(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(BLOCKS[number], f"docs/lab.md, block {number + 1}", "exec"), {})
    assert capsys.readouterr().out.strip()


def test_there_is_an_example_for_every_environment() -> None:
    for module in ("vector", "pettingzoo", "gymnasium", "openspiel"):
        assert any(f"nevel.lab.{module}" in block for block in BLOCKS)


def observations_table(name: str) -> str:
    """What a game's observations contain, as the page shows it."""
    spec = find(name)
    parts = parts_of(spec)
    lines = [f"**{spec.title}** ({sum(part.length for part in parts)} numbers)", ""]
    lines += ["| part | numbers | from | to | meaning |", "|---|---|---|---|---|"]
    for part in parts:
        lines.append(f"| `{part.name}` | {part.length} | {part.low} | {part.high} | {part.meaning} |")
    return "\n".join(lines)


@pytest.mark.parametrize("name", OWN_GAMES)
def test_the_page_tells_what_observations_contain(name: str) -> None:
    assert observations_table(name) in PAGE, f"docs/lab.md should have:\n\n{observations_table(name)}"


@pytest.fixture(scope="module")
def lessons() -> Any:
    """The example's own module."""
    from docs.examples import learn_the_game

    return learn_the_game


@pytest.fixture(scope="module")
def learnt(lessons: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a few seconds of learning lead to."""
    path = tmp_path_factory.mktemp("learnt") / "learnt.npz"
    lessons.train(seats=2, updates=25, count=64, length=32, seed=3, tell=lambda text: None).save(path)
    return path


@pytest.mark.slow
def test_what_is_learnt_is_better_than_chance(lessons: Any, learnt: Path) -> None:
    network = lessons.Network.load(learnt)
    assert lessons.cards_laid(256, 2, network) > 1.5 * lessons.cards_laid(256, 2)


def test_gradients_are_those_of_the_loss(lessons: Any) -> None:
    """Backward against small differences, in the logarithm of an action's chance and in the value."""
    games = lessons.VectorEnvironment("the-game", 2, count=5, seed=1)
    for _ in range(4):
        games.step(games.random_actions())
    network = lessons.Network(seed=2)
    dice = lessons.np.random.default_rng(1)
    network.weights = {name: dice.normal(0, 0.3, each.shape) for name, each in network.weights.items()}
    x, steps, mask = lessons.look(games)
    actions = mask.argmax(axis=1)
    rows = lessons.np.arange(5)

    def loss() -> float:
        chances, value, _ = network.forward(x, steps, mask)
        return float(lessons.np.log(chances[rows, actions]).sum() + (value**2).sum() / 2)

    chances, value, hidden = network.forward(x, steps, mask)
    by_logit = -chances
    by_logit[rows, actions] += 1
    slopes = network.backward(x, steps, hidden, by_logit, value)
    for name, weight in network.weights.items():
        for place in dice.integers(0, weight.size, 12):
            kept = weight.flat[place]
            weight.flat[place] = kept + 1e-4
            above = loss()
            weight.flat[place] = kept - 1e-4
            below = loss()
            weight.flat[place] = kept
            assert slopes[name].flat[place] == pytest.approx((above - below) / 2e-4, rel=1e-3, abs=1e-4), name


@pytest.mark.slow
def test_what_is_learnt_sits_at_a_table(learnt: Path) -> None:
    bot = f"program:{sys.executable} {EXAMPLES / 'learnt_bot.py'} {learnt}"
    command = ["simulate", "the-game", "--seats", "2", "--bots", bot, "--games", "2", "--json"]
    done = run_nevel(*command, timeout=300, NEVEL_LANGUAGE="en")
    assert done.returncode == 0, done.stderr
    assert '"games": 2' in done.stdout
    assert done.stderr == "", "the program lost a turn"


def test_the_study_of_win_rates_draws_its_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from docs.examples import win_rates

    win_rates.study(tmp_path / "rates.svg", seats=(2, 3), games=200)
    assert capsys.readouterr().out.count("players") == 4
    picture = ElementTree.parse(tmp_path / "rates.svg").getroot()
    assert len(picture.findall("{http://www.w3.org/2000/svg}circle")) == 4
