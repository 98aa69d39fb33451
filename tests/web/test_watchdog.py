"""A server that can't do its work says so, and a worker whose event loop is stuck is replaced."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import msgspec
import psutil
import pytest

from nevel.web.server.settings import Settings
from tests.web.processes import ROOT, is_ready
from tests.web.serving import Serving, free_port

#: Seconds anything may take on a machine that has other things to do.
PATIENCE = 200
RUN_WORKERS = """
import sys, msgspec
from nevel.web.server.settings import Settings
from nevel.web.server.workers import run_workers
if __name__ == "__main__":
    run_workers(msgspec.json.decode(sys.argv[1], type=Settings))
"""


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)


def lag_counted(figures: str) -> float:
    return float(figures.partition("nevel_loop_lag_seconds_count ")[2].split("\n")[0])


def test_how_late_the_loop_is_is_told(serving: Serving) -> None:
    with serving.visitor() as one:
        before = lag_counted(one.get("/metrics").text)
        until(lambda: lag_counted(one.get("/metrics").text) > before)
        assert "nevel_loop_lag_seconds_bucket" in one.get("/metrics").text


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of four megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("only root may mount a file system")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_server_on_a_full_disk_is_not_ready(compiled: None, small_disk: Path) -> None:
    serving = Serving(str(small_disk / "nevel.db"))
    serving.start()
    try:
        with httpx.Client(base_url=f"http://{serving.address}", trust_env=False) as client:
            until(lambda: is_ready(client))
            with (small_disk / "rubbish").open("wb", buffering=0) as rubbish, suppress(OSError):
                while True:
                    rubbish.write(bytes(1024))
            until(lambda: not is_ready(client))
            assert client.get("/readyz").status_code == 503
            assert client.get("/healthz").status_code == 200
            (small_disk / "rubbish").unlink()
            until(lambda: is_ready(client))
    finally:
        serving.stop()


@pytest.mark.slow(20)
def test_a_worker_that_hangs_is_replaced(compiled: None, tmp_path: Path) -> None:
    settings = Settings(port=free_port(), database=str(tmp_path / "nevel.db"), hang_seconds=5)
    log = tmp_path / "log"
    (tmp_path / "serve.py").write_text(RUN_WORKERS)
    with log.open("w") as output:
        command = [sys.executable, str(tmp_path / "serve.py"), msgspec.json.encode(settings).decode()]
        parent = subprocess.Popen(command, stdout=output, stderr=output, cwd=ROOT)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{settings.port}", trust_env=False) as client:
            until(lambda: is_ready(client))
        hanging = worker_of(parent.pid, settings.port)
        assert hanging
        os.kill(hanging, signal.SIGSTOP)
        until(lambda: "a worker hangs" in log.read_text("utf-8"))
        until(lambda: worker_of(parent.pid, settings.port) not in (None, hanging))
        with httpx.Client(base_url=f"http://127.0.0.1:{settings.port}", trust_env=False, timeout=PATIENCE) as client:
            assert client.get("/healthz").text == "ok"
            figures = client.get("/metrics").text
            assert 'nevel_workers_replaced_total{why="hung"} 1.0' in figures
            assert 'nevel_workers_replaced_total{why="died"} 0.0' in figures
            assert "process_resident_memory_bytes " in figures
        assert parent.poll() is None
    finally:
        parent.terminate()
        try:
            parent.wait(PATIENCE)
        finally:
            parent.kill()


def worker_of(parent: int, port: int) -> int | None:
    """The process that serves there, if any does."""
    for child in psutil.Process(parent).children(recursive=True):
        with suppress(psutil.Error):
            if any(one.status == psutil.CONN_LISTEN and one.laddr.port == port for one in child.net_connections("tcp")):
                return child.pid
    return None
