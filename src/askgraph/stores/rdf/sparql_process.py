"""Runs SPARQL in a process of its own, which is killed when the time is up."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ...core.budget import Budget
from ...core.errors import AskgraphError, CapExceededError, DeadlineExceededError, OpenError
from .worker import making_of, read_frame, write_frame

INDEX_FOLDER: Final = "oxigraph"

_LINES_AT_ONCE: Final = 20_000
_DOING: Final = "running SPARQL"
_SHARE_OF_MEMORY: Final = 0.5


@dataclass(frozen=True, slots=True)
class Solutions:
    """What a SELECT query gave.

    Attributes:
        columns: names of variables.
        rows: for each variable ``None``, ``["node", id]`` or ``["literal", text, datatype, language]``.
        truncated: whether there were more rows than the budget allows.
    """

    columns: tuple[str, ...]
    rows: list[list[Any]]
    truncated: bool


class SparqlProcess:
    """One worker process for one version of a graph: started when needed, used again and again, killed at a deadline
    and started anew. Safe to use from several threads, which take turns."""

    def __init__(self, lines: Callable[[], Iterable[str]], folder: Path | None) -> None:
        """Nothing is started yet.

        Args:
            lines: gives the graph as lines of N-Quads, for the index.
            folder: where the index is kept, or is to be kept; ``None``: in the worker's memory.
        """
        self._lines = lines
        self._index = None if folder is None else folder / INDEX_FOLDER
        self._lock = threading.Lock()
        self._worker: _Worker | None = None
        self._closed = False

    def select(self, query: str, budget: Budget) -> Solutions:
        """Run a SELECT query.

        Raises:
            DeadlineExceededError: the time is up. The worker was killed, unless it was still making its index.
            CapExceededError: the worker was ended from outside, for want of memory as a rule.
            OpenError: the store was closed, or the index cannot be read.
            AskgraphError: the query is no SPARQL.
        """
        if not self._lock.acquire(timeout=budget.remaining):
            budget.check(f"waiting for another query, before {_DOING}")
        try:
            worker = self._ready_worker(budget)
            worker.send({"query": query, "rows": budget.rows, "bytes": budget.bytes})
            reply = worker.receive(budget.remaining)
        except queue.Empty:
            self._kill()
            raise DeadlineExceededError(
                f"the time of {budget.seconds:g} s was up while {_DOING}",
                advice="Allow more with --timeout or Budget(seconds=…), or ask something narrower.",
            ) from None
        except (BrokenPipeError, EOFError):
            code = self._kill()
            raise CapExceededError(
                f"the process that runs SPARQL ended while it worked (exit code {code}): as a rule for want of memory",
                advice="Ask something narrower.",
            ) from None
        finally:
            self._lock.release()
        if "error" in reply:
            raise AskgraphError(f"the query cannot be run: {reply['error']}")
        return Solutions(tuple(reply["columns"]), reply["rows"], reply["truncated"])

    def close(self) -> None:
        """End the worker. Closing twice is allowed."""
        self._closed = True
        self._kill()

    @property
    def process_id(self) -> int | None:
        """Of the worker, if one runs."""
        return self._worker.process_id if self._worker is not None and self._worker.is_alive else None

    def _ready_worker(self, budget: Budget) -> _Worker:
        if self._closed:
            raise OpenError("the graph was closed")
        if self._worker is not None and not self._worker.is_alive:
            self._kill()  # somebody ended it while it was idle
        if self._worker is None:
            self._worker = self._start()
        worker = self._worker
        if not worker.is_ready:
            try:
                reply = worker.receive(budget.remaining)
            except queue.Empty:
                # It goes on: the next query may find it ready.
                raise DeadlineExceededError(
                    f"the time of {budget.seconds:g} s was up while the index for SPARQL was made",
                    advice="Try again: it is being made in the background.",
                ) from None
            if "error" in reply:
                self._kill()
                raise OpenError(f"the index for SPARQL cannot be used: {reply['error']}")
            worker.is_ready = True
        return worker

    def _start(self) -> _Worker:
        most_memory = _most_memory()
        if self._index is None:
            return _Worker({"memory": True, "most_memory": most_memory}, _frames(self._lines()))
        if self._index.exists():
            return _Worker({"store": str(self._index), "most_memory": most_memory}, ())
        return _Worker({"build": str(self._index), "most_memory": most_memory}, _frames(self._lines()))

    def _kill(self) -> int | None:
        worker, self._worker = self._worker, None
        if worker is None:
            return None
        code = worker.kill()
        if self._index is not None:
            shutil.rmtree(making_of(self._index, worker.process_id), ignore_errors=True)
        return code


class _Worker:
    """A running process, and a thread that reads what it says."""

    def __init__(self, task: dict[str, Any], frames: Iterable[bytes]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "askgraph.stores.rdf.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        self._replies: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.is_ready = False
        self.send(task)
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._hand_over, args=(frames,), daemon=True).start()

    @property
    def process_id(self) -> int:
        """The operating system's number of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def send(self, message: dict[str, Any]) -> None:
        """Send a request. Raises :class:`BrokenPipeError` if the process is gone."""
        assert self._process.stdin is not None
        write_frame(self._process.stdin, json.dumps(message).encode())

    def receive(self, seconds: float) -> dict[str, Any]:
        """The next reply. Raises :class:`queue.Empty` if none comes in time, :class:`EOFError` if none will."""
        content = self._replies.get(timeout=seconds)
        if content is None:
            raise EOFError
        reply: dict[str, Any] = json.loads(content)
        return reply

    def kill(self) -> int:
        """End the process at once. Its exit code."""
        self._process.kill()
        code = self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            with contextlib.suppress(OSError):
                stream.close()
        return code

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while (frame := read_frame(self._process.stdout)) is not None:
                self._replies.put(frame)
        self._replies.put(None)

    def _hand_over(self, frames: Iterable[bytes]) -> None:
        """Send the graph; a query is only sent when the worker has said that it is ready."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            for frame in frames:
                write_frame(self._process.stdin, frame)


def _frames(lines: Iterable[str]) -> Iterator[bytes]:
    iterator = iter(lines)
    while part := "".join(itertools.islice(iterator, _LINES_AT_ONCE)):
        yield part.encode()
    yield b""


def _most_memory() -> int | None:
    """Half of the machine's memory, if the system tells."""
    try:
        return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * _SHARE_OF_MEMORY)
    except (AttributeError, ValueError, OSError):
        return None
