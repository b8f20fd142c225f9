"""The record of one question: every step, its time, what it found, what it cost.

One record serves progress display, tracing, replay, evaluation and debugging. Nothing secret enters it: a graph's
address is stored without its credentials.
"""

from __future__ import annotations

import datetime
import hashlib
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from .evidence import Answer
from .model_call import ModelCall, Usage
from .values import to_json_value

RUN_FORMAT_VERSION = 2

_CREDENTIALS = re.compile(r"(?<=://)[^/\s@]*@")
_SECRET_PARAMETER = re.compile(r"(?i)\b(password|passwd|secret|token|api[_-]?key|access[_-]?key)=[^&\s]+")


def without_credentials(address: str) -> str:
    """A path or URL without user, password, token or key."""
    return _SECRET_PARAMETER.sub(lambda match: f"{match[1]}=***", _CREDENTIALS.sub("", address))


@dataclass(slots=True)
class Step:
    """One step of a run. ``details`` is JSON data: what went in and what came out, in short."""

    name: str
    seconds: float = 0.0
    details: dict[str, Any] = field(default_factory=dict)
    error: str | None = None

    def note(self, **details: Any) -> None:
        """Add details. Values of the graph become strict JSON."""
        self.details.update({key: to_json_value(value) for key, value in details.items()})

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "name": self.name,
            "seconds": round(self.seconds, 6),
            "details": self.details,
            "error": self.error,
        }


class Run:
    """The record of one question while it is being answered, and after.

    Args:
        question: as asked.
        graph: the graph's path or address; credentials are removed.
        graph_version: the version of the graph's content.
        options: the settings that shaped the run, as JSON data.
        on_step: called with each step as it begins (``seconds`` 0) and as it ends: what a progress display watches.
        on_text: called with the pieces of an answer that is written while its reader waits.
    """

    def __init__(
        self,
        question: str,
        *,
        graph: str,
        graph_version: str,
        options: Mapping[str, Any] | None = None,
        on_step: Callable[[Step, bool], None] | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> None:
        self.question = question
        self.graph = without_credentials(graph)
        self.graph_version = graph_version
        self.options: dict[str, Any] = dict(options or {})
        self.started = datetime.datetime.now(datetime.UTC)
        self.seconds = 0.0
        self.steps: list[Step] = []
        self.calls: list[ModelCall] = []
        self.answer: dict[str, Any] | None = None
        self.error: str | None = None
        self.id = record_id(self.started)
        self._on_step = on_step
        self._on_text = on_text
        self._clock = time.perf_counter()

    @contextmanager
    def step(self, name: str) -> Iterator[Step]:
        """Record a step: ``with run.step("link") as step: … step.note(links=3)``. An exception is recorded too."""
        step = Step(name)
        self.steps.append(step)
        self._tell(step, finished=False)
        began = time.perf_counter()
        try:
            yield step
        except BaseException as error:
            step.error = without_credentials(f"{type(error).__name__}: {error}")
            raise
        finally:
            step.seconds = time.perf_counter() - began
            self._tell(step, finished=True)

    def say(self, piece: str) -> None:
        """Tell a piece of the answer's text as it is written."""
        if self._on_text is not None:
            self._on_text(piece)

    def _tell(self, step: Step, *, finished: bool) -> None:
        if self._on_step is not None:
            self._on_step(step, finished)

    @property
    def usage(self) -> Usage:
        """What the run's model calls took, all together."""
        return sum((call.usage for call in self.calls), Usage(cost=0.0))

    def finish(self, answer: Answer | None = None, error: BaseException | None = None) -> None:
        """Close the record with its answer, or with the error that ended it."""
        self.seconds = time.perf_counter() - self._clock
        self.answer = answer.to_dict() if answer is not None else None
        self.error = without_credentials(f"{type(error).__name__}: {error}") if error is not None else None

    def fingerprint(self) -> str:
        """A digest of everything but times and the id: equal for two runs that did the same."""
        import json

        data = self.to_dict()
        for key in ("id", "started", "seconds"):
            del data[key]
        if data["answer"] is not None:
            data["answer"] = {key: value for key, value in data["answer"].items() if key != "run"}
        data["steps"] = [
            {key: value for key, value in step.items() if key != "seconds"} for step in data["steps"]
        ]
        data["calls"] = [
            {key: value for key, value in call.items() if key != "seconds"} for call in data["calls"]
        ]
        text = json.dumps(data, sort_keys=True, ensure_ascii=False, allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """Strict JSON data."""
        return {
            "format": RUN_FORMAT_VERSION,
            "id": self.id,
            "question": self.question,
            "graph": self.graph,
            "graph_version": self.graph_version,
            "options": self.options,
            "started": self.started.isoformat(timespec="milliseconds"),
            "seconds": round(self.seconds, 6),
            "steps": [step.to_dict() for step in self.steps],
            "calls": [call.to_dict() for call in self.calls],
            "answer": self.answer,
            "error": self.error,
        }


def record_id(moment: datetime.datetime) -> str:
    """An id for what began then: ids sort by time, and two of the same millisecond stay apart."""
    return f"{moment:%Y%m%d-%H%M%S}-{moment.microsecond // 1000:03d}-{secrets.token_hex(3)}"
