"""One rulebook, several speeds: interpreted and compiled rules play the same games."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import nevel

LOGS = Path(__file__).parent / "modes" / "logs.py"
PACKAGE = Path(nevel.__file__).parent
FOLDERS = [PACKAGE / "engine", *sorted((PACKAGE / "games").glob("*/rules"))]
#: Where the compiler is told what to do: nothing an interpreted run goes through.
COMPILER_ONLY = "if IS_COMPILED or IS_FOR_GPU:"


@pytest.mark.slow(45)
def test_interpreted_rules_play_the_same_games_and_every_line_of_them(tmp_path: Path) -> None:
    settings = tmp_path / "coverage.ini"
    settings.write_text(
        "[run]\n"
        f"include = {','.join(f'{folder}/*' for folder in FOLDERS)}\n"
        f"omit = {PACKAGE}/engine/compiling.py\n"
        f"data_file = {tmp_path / 'data'}\n"
        f"[report]\nexclude_also = {COMPILER_ONLY}\n",
        "utf-8",
    )
    told = tmp_path / "interpreted"
    with told.open("w") as file:  # not a pipe: it would be full long before the compiled run is over
        interpreted = subprocess.Popen(
            [sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", str(LOGS)],
            env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
            stdout=file,
        )
    try:
        compiled = subprocess.run([sys.executable, str(LOGS)], capture_output=True, text=True, check=True)
        assert interpreted.wait() == 0
    finally:
        interpreted.kill()
    lines = told.read_text("utf-8").splitlines()
    assert len(lines) > 5000
    for number, (ours, theirs) in enumerate(zip(compiled.stdout.splitlines(), lines, strict=True)):
        assert ours == theirs, f"line {number}"
    report = tmp_path / "coverage.json"
    subprocess.run(
        [sys.executable, "-m", "coverage", "json", f"--rcfile={settings}", "-q", "-o", str(report)], check=True
    )
    files = json.loads(report.read_text("utf-8"))["files"]
    missing = {file: data["missing_lines"] for file, data in files.items() if data["missing_lines"]}
    assert missing == {}
    assert len(files) >= sum(len(list(folder.glob("*.py"))) for folder in FOLDERS) - 2
