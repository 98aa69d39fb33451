"""Durations of commands are held back and counted together; a reader of the figures misses none."""

from nevel.web.server.metrics import MOST_HELD, Metrics


def counted(metrics: Metrics, name: str) -> float | None:
    return metrics.registry.get_sample_value(name, {"command": "play"} if "command" in name else {})


def test_who_reads_the_figures_misses_none() -> None:
    metrics = Metrics()
    durations = metrics.durations(metrics.commands.labels("play"), metrics.moves)
    for _ in range(3):
        durations.add(0.5)
    assert counted(metrics, "nevel_moves_total") == 0
    metrics.look()
    assert b"nevel_moves_total 3.0" in metrics.text()
    assert counted(metrics, "nevel_command_seconds_count") == 3
    assert counted(metrics, "nevel_command_seconds_sum") == 1.5
    metrics.look()
    assert b"nevel_moves_total 3.0" in metrics.text(), "each is counted once"


def test_no_more_are_held_back_than_some() -> None:
    metrics = Metrics()
    durations = metrics.durations(metrics.commands.labels("play"), metrics.moves)
    for _ in range(MOST_HELD + 1):
        durations.add(0.001)
    assert counted(metrics, "nevel_moves_total") == MOST_HELD
