"""The page about the API tells of everything that can be asked, and its commands do what it says."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from nevel.web.server.server import ENDPOINTS
from tests.web.serving import Serving

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")


@pytest.mark.parametrize("path", sorted({endpoint.path for endpoint in ENDPOINTS}))
def test_every_address_is_on_the_page(path: str) -> None:
    at_table = path.removeprefix("/api/tables/{table}")
    names = [path, re.sub(r"/{\w+}$", "", path)]
    if at_table != path:
        # What belongs to a table is written as …/name, or as the name alone where commands are listed.
        below = at_table.removeprefix("/")
        names = [f"…/{below}", f"`{below}`", f"…/{re.sub(r'/{.*', '', below)}", f"`{path}`"]
    assert any(name in PAGE for name in names), names


@pytest.fixture
def unhurried(compiled: None, tmp_path: Path) -> Iterator[Serving]:
    """A server whose bots let people go first, as people who type do need."""
    one = Serving(str(tmp_path / "nevel.db"), bot_pause=3600)
    one.start()
    yield one
    one.stop()


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
def test_the_commands_of_the_page_play(unhurried: Serving, tmp_path: Path) -> None:
    commands = re.findall(r"^curl .*$", PAGE, re.MULTILINE)
    assert len(commands) == 5
    table, answers = "", list[dict[str, object]]()
    for command in commands:
        line = command.replace("127.0.0.1:8000", unhurried.address).replace("TABLE", table)
        done = subprocess.run(
            ["bash", "-c", f"{line} --silent --fail-with-body --noproxy '*'"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, (line, done.stdout)
        answers.append(json.loads(done.stdout))
        view = answers[-1].get("view")
        table = view["table"] if isinstance(view, dict) else table
    assert answers[3]["question"] == "start"
