"""Metrics of a running server in Prometheus's format; those of several workers are added up."""

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

#: Seconds: from a quarter of a millisecond to five seconds.
BUCKETS = (0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
#: Seconds a bot takes: a glance takes milliseconds, a search what it may, and who waits for it notices a second more.
BOT_BUCKETS = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0)
#: What requests are counted by.
REQUEST_LABELS = ("method", "route", "status")
#: Where the library looks for the folder in which workers write down their figures; read when it is imported.
SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
#: How figures of several workers are put together: their sum, or the largest.
Together = Literal["livesum", "livemax"]
#: How many workers were replaced, by why.
Replaced = Callable[[], Mapping[str, int]]


class ReplacedWorkers(Collector):
    """What only the parent of the workers counts."""

    def __init__(self, replaced: Replaced) -> None:
        self.replaced = replaced

    def collect(self) -> Iterable[Metric]:
        family = CounterMetricFamily("nevel_workers_replaced", "Workers that were replaced, by why.", labels=["why"])
        for why, count in self.replaced().items():
            family.add_metric([why], count)
        yield family


#: Durations held back before they are counted.
MOST_HELD = 1000


class Durations:
    """Counts durations in a histogram, many at a time: one by one, between other work, takes twice as long."""

    def __init__(self, histogram: Histogram, counter: Counter | None = None) -> None:
        self._histogram = histogram
        #: Counts how many they are besides.
        self._counter = counter
        self._held: list[float] = []

    def add(self, seconds: float) -> None:
        """Hold a duration back, to be counted with others."""
        self._held.append(seconds)
        if len(self._held) >= MOST_HELD:
            self.count()

    def count(self) -> None:
        """Count what was held back."""
        held, self._held = self._held, []
        for seconds in held:
            self._histogram.observe(seconds)
        if self._counter:
            self._counter.inc(len(held))


class Metrics:
    """The figures of one server."""

    def __init__(self, replaced: Replaced = lambda: {"died": 0, "hung": 0}) -> None:
        self.registry = CollectorRegistry()
        self.folder = os.environ.get(SHARED_FOLDER)
        self._gauges: list[tuple[Gauge, Callable[[], float]]] = []
        self._durations: list[Durations] = []
        #: What isn't added up over the workers: their parent counts it, or it is of the process that answers.
        self._own = (ReplacedWorkers(replaced), ProcessCollector(registry=None))
        for collector in self._own:
            self.registry.register(collector)
        self.moves = self.counter("nevel_moves", "Moves and hints stored.")
        self.commands = self.histogram("nevel_command_seconds", "From a command to its answer, stored.", "command")
        self.loop_lag = self.histogram(
            "nevel_loop_lag_seconds",
            "How much later than promised the event loop came back to a task, measured four times a second.",
        )
        self.requests = self.histogram("nevel_request_seconds", "Requests by route and status.", *REQUEST_LABELS)
        self.storage = self.histogram(
            "nevel_storage_seconds", "From what is asked of the database to its answer.", "operation"
        )
        self.storage_errors = self.counter(
            "nevel_storage_errors", "What was asked of the database and failed.", "operation"
        )
        self.bots = self.histogram(
            "nevel_bot_seconds",
            "From the moment a bot is asked to its answer, its wait for a thread included.",
            "how",
            buckets=BOT_BUCKETS,
        )
        self.refused = self.counter("nevel_refused", "What limits refused, by the limit.", "limit")
        self._storage: dict[str, Durations] = {}
        for operation in ("append", "read", "commit"):  # they are there from the start, as 0
            self._storage[operation] = self.durations(self.storage.labels(operation))
            self.storage_errors.labels(operation)
        for how in ("search", "glance"):
            self.bots.labels(how)
        for limit in ("person", "address", "opening", "sockets", "connections", "queue"):
            self.refused.labels(limit)

    def counter(self, name: str, what: str, *labels: str) -> Counter:
        return Counter(name, what, labels, registry=self.registry)

    def histogram(self, name: str, what: str, *labels: str, buckets: tuple[float, ...] = BUCKETS) -> Histogram:
        return Histogram(name, what, labels, buckets=buckets, registry=self.registry)

    def gauge(self, name: str, what: str, value: Callable[[], float], together: Together = "livesum") -> None:
        """A figure that is asked for when somebody reads it."""
        self._gauges.append((Gauge(name, what, registry=self.registry, multiprocess_mode=together), value))

    def gauges(self, name: str, what: str, label: str, values: Mapping[str, Callable[[], float]]) -> None:
        """The same for several things of a kind."""
        family = Gauge(name, what, [label], registry=self.registry, multiprocess_mode="livesum")
        self._gauges += [(family.labels(kind), value) for kind, value in values.items()]

    def count_refusal(self, limit: str) -> None:
        self.refused.labels(limit).inc()

    def count_storage(self, operation: str, seconds: float, has_failed: bool) -> None:
        """Something was asked of the database."""
        self._storage[operation].add(seconds)
        if has_failed:
            self.storage_errors.labels(operation).inc()

    def durations(self, histogram: Histogram, counter: Counter | None = None) -> Durations:
        """Return where durations are added, for a histogram and perhaps for a counter of how many there are."""
        found = Durations(histogram, counter)
        self._durations.append(found)
        return found

    def look(self) -> None:
        """Compute all figures now, so that other workers can report them too."""
        for durations in self._durations:
            durations.count()
        for gauge, value in self._gauges:
            gauge.set(value())

    def text(self) -> bytes:
        """Everything in Prometheus's format; on any thread, after a look. There may be thousands of lines."""
        if self.folder is None:
            return generate_latest(self.registry)
        forget_the_dead(Path(self.folder))
        together = CollectorRegistry()
        MultiProcessCollector(together, self.folder)
        for collector in self._own:
            together.register(collector)
        return generate_latest(together)


def forget_the_dead(folder: Path) -> None:
    """Drop the gauges of dead workers; their counters stay in the sums."""
    for file in folder.glob("gauge_live*.db"):
        worker = int(file.stem.rpartition("_")[2])
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            file.unlink(missing_ok=True)
