"""Traces of what takes its time, for OpenTelemetry: spans around requests, commands, bots and batches of the storage.

Off, which it is unless `begin` was called, a span is one shared object that does nothing.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Protocol

from nevel.languages import SpokenError, mark

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider


class Span(Protocol):
    """What can be said of a span while it lasts."""

    def update_name(self, name: str) -> None: ...

    def set_attribute(self, key: str, value: str | float) -> None: ...


class UntracedSpan:
    """The span of a trace nobody keeps."""

    def update_name(self, name: str) -> None:
        pass

    def set_attribute(self, key: str, value: str | float) -> None:
        pass


class MissingError(SpokenError):
    """What traces need isn't installed."""

    def __init__(self) -> None:
        super().__init__(mark("Traces need OpenTelemetry: pip install 'nevel[tracing]'."))


OFF: AbstractContextManager[Span] = nullcontext(UntracedSpan())


class Tracing:
    """Makes the spans of this process, as long as somebody keeps them."""

    def __init__(self) -> None:
        self._provider: TracerProvider | None = None

    @property
    def is_on(self) -> bool:
        return self._provider is not None

    def begin(self, provider: "TracerProvider | None" = None) -> None:
        """Keep spans from now on, by this provider or by one that sends them where OTEL_… says."""
        self._provider = provider or make_provider()

    def end(self) -> None:
        """Send what was kept, and keep no more. It may take seconds."""
        provider, self._provider = self._provider, None
        if provider:
            provider.shutdown()

    def span(self, name: str, **attributes: str | float) -> AbstractContextManager[Span]:
        """Something that takes its time, within what is under way."""
        if self._provider is None:
            return OFF
        tracer = self._provider.get_tracer("nevel")
        # What is refused is no error of the server's.
        return tracer.start_as_current_span(name, attributes=attributes, set_status_on_exception=False)


def make_provider() -> "TracerProvider":
    """A provider that sends spans over HTTP, as the environment variables of OpenTelemetry say."""
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import SERVICE_NAME, OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as problem:
        raise MissingError from problem
    resource = Resource({SERVICE_NAME: "nevel"}).merge(OTELResourceDetector().detect())
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


#: One for each process.
tracing = Tracing()
