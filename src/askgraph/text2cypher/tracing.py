"""The steps of a retrieval as spans of a tracer."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from types import TracebackType
from typing import Any, Protocol, Self

from ..core.run import Step


class Tracer(Protocol):
    """Opens spans: an OpenTelemetry tracer, or anything of its shape."""

    def start_as_current_span(self, name: str) -> AbstractContextManager[Any]:
        """A span that ends with the block."""


class Spans:
    """One span for a retrieval, and in it one for each of its steps, with what is short enough among their details.

    A context manager. Without a tracer it does nothing.
    """

    def __init__(self, tracer: Tracer | None, name: str, question: str) -> None:
        self._tracer = tracer
        self._name = name
        self._question = question
        self._whole = ExitStack()
        self._open: list[tuple[ExitStack, Any]] = []

    def __enter__(self) -> Self:
        if self._tracer is not None:
            span = self._whole.enter_context(self._tracer.start_as_current_span(f"{self._name}.retrieve"))
            _tell(span, "askgraph.question", self._question)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while self._open:
            self._open.pop()[0].__exit__(kind, error, trace)
        self._whole.__exit__(kind, error, trace)

    def step(self, step: Step, finished: bool) -> None:
        """A step of the run begins or ends."""
        if self._tracer is None:
            return
        if not finished:
            stack = ExitStack()
            name = f"{self._name}.{step.name.replace(' ', '_')}"
            span = stack.enter_context(self._tracer.start_as_current_span(name))
            self._open.append((stack, span))
        elif self._open:
            stack, span = self._open.pop()
            for key, value in step.details.items():
                _tell(span, f"askgraph.{key}", value)
            if step.error:
                _tell(span, "askgraph.error", step.error)
            stack.close()


def _tell(span: Any, key: str, value: Any) -> None:
    """An attribute, where the value is one that spans hold."""
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        value = tuple(value)
    if hasattr(span, "set_attribute") and isinstance(value, str | bool | int | float | tuple):
        span.set_attribute(key, value)
