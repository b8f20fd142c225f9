"""The parent's side: one worker process, started when it is needed, killed when the time is up."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ...core.budget import Budget
from ...core.errors import AskgraphError, CapExceededError, DeadlineExceededError, OpenError
from ...core.progress import SILENT, Progress
from .frames import making_of, read_frame, write_frame
from .memory import in_megabytes, own_memory

_SHARE_OF_MEMORY: Final = 0.5
_BETWEEN_LOOKS: Final = 0.1
# Engines were seen to take a little more than a megabyte in a millisecond.
_BETWEEN_LOOKS_AT_MEMORY: Final = 0.01
# The share of the memory allowed that a process may still hold of earlier queries before it is to blame for a failure.
_MUCH: Final = 0.1

# A worker needs no secret, and nothing that changes how its engine behaves.
_NOT_FOR_WORKERS: Final = ("ASKGRAPH_", "NEO4J_", "KGLITE_", "AWS_")
_SECRETS: Final = ("PASSWORD", "SECRET", "TOKEN", "API_KEY")


@dataclass(frozen=True, slots=True)
class Handed:
    """A piece of the graph for the worker, and how many of the units that progress counts are in it."""

    content: bytes
    amount: int


@dataclass(frozen=True, slots=True)
class Workplace:
    """What kind of worker it is.

    Attributes:
        module: run by ``python -m``; its side is :mod:`askgraph.stores.workers.serving`.
        language: of the queries, for messages: ``"SPARQL"``.
        hand_over: gives the graph, for what the worker derives from it. Called and read in a thread of its own.
        size: units of ``hand_over`` in all, for progress.
        derived: the folder where what is derived is kept, or is to be kept; ``None``: in the worker's memory.
    """

    module: str
    language: str
    hand_over: Callable[[], Generator[Handed]]
    size: int
    derived: Path | None


class WorkerProcess:
    """One worker for one version of a graph: used again and again, killed at a deadline and started anew.

    Safe to use from several threads, which take turns.
    """

    def __init__(self, place: Workplace) -> None:
        """Nothing is started yet."""
        self._place = place
        self._lock = threading.Lock()
        self._worker: _Worker | None = None
        self._closed = False

    def ask(self, request: dict[str, Any], budget: Budget) -> dict[str, Any]:
        """Send a request and wait for its reply, which has ``error`` where the engine gave one.

        Raises:
            DeadlineExceededError: the time is up. The worker was killed, unless it was still preparing itself.
            CapExceededError: the query wants more memory than the budget has, or the worker was ended from outside,
                for want of memory as a rule.
            OpenError: the store was closed, or what is derived from it cannot be used.
        """
        with self._turn(budget, f"running {self._place.language}"):
            worker = self._ready_worker(budget)
            held = worker.added_memory()
            try:
                return self._answer(worker, request, budget)
            except CapExceededError:
                # What earlier queries needed is not all given back: then one that needs less goes on in a new process.
                if held < _MUCH * budget.memory or self._worker is not None:
                    raise
            return self._answer(self._ready_worker(budget), request, budget)

    def prepare(self, progress: Progress = SILENT) -> None:
        """Start the worker if none runs, and wait until it can answer, however long that takes.

        Raises:
            CapExceededError, OpenError: as :meth:`ask`.
        """
        with self._lock:
            if self._started_worker().is_ready:
                return
            told = 0
            progress.start(f"Preparing {self._place.language}", self._place.size or None)
            try:
                while not self._is_ready(time.monotonic() + _BETWEEN_LOOKS):
                    handed = self._started_worker().handed
                    progress.advance(max(0, handed - told))
                    told = max(told, handed)
            except BaseException:
                self._kill()
                raise
            finally:
                progress.finish()

    def close(self) -> None:
        """End the worker. Closing twice is allowed."""
        self._closed = True
        self._kill()

    @property
    def process_id(self) -> int | None:
        """Of the worker, if one runs."""
        worker = self._worker
        return worker.process_id if worker is not None and worker.is_alive else None

    def _answer(self, worker: _Worker, request: dict[str, Any], budget: Budget) -> dict[str, Any]:
        """The reply of a worker, which is no more where there is none. Raises as :meth:`ask`."""
        try:
            worker.send(request | {"seconds": budget.remaining})
            return self._reply(worker, budget)
        except queue.Empty:
            self._kill()
            raise DeadlineExceededError(
                f"{budget.stated_time} was up while running {self._place.language}",
                advice="Allow more with --timeout or Budget(seconds=…), or ask something narrower.",
            ) from None
        except (BrokenPipeError, EOFError):
            raise self._ended("worked", "Ask something narrower.") from None
        except BaseException:
            self._kill()  # interrupted: nobody may take this reply for that of the next request
            raise

    def _reply(self, worker: _Worker, budget: Budget) -> dict[str, Any]:
        """The reply to a request, as long as what the query needs stays within the budget.

        Raises:
            queue.Empty: the time is up.
            CapExceededError: so is the memory.
        """
        while True:
            left = budget.remaining
            with contextlib.suppress(queue.Empty):
                return worker.receive(min(left, _BETWEEN_LOOKS_AT_MEMORY))
            if worker.added_memory() > budget.memory:
                raise CapExceededError(
                    f"the query needs more than {in_megabytes(budget.memory)} of memory to run {self._place.language}",
                    advice="Ask something narrower: filter earlier, write a LIMIT behind ORDER BY, group by less; or"
                    " allow more with the setting query_memory (megabytes).",
                )
            if not left:
                raise queue.Empty

    @contextlib.contextmanager
    def _turn(self, budget: Budget, doing: str) -> Iterator[None]:
        if not self._lock.acquire(timeout=budget.remaining):
            budget.check(f"waiting for another query, before {doing}")
            raise DeadlineExceededError(f"{budget.stated_time} was up before {doing}")
        try:
            yield
        finally:
            self._lock.release()

    def _ready_worker(self, budget: Budget) -> _Worker:
        if not self._is_ready(budget.deadline):
            # It goes on: the next query may find it ready.
            raise DeadlineExceededError(
                f"{budget.stated_time} was up while the index for {self._place.language} was made",
                advice="Try again: it is being made in the background.",
            )
        return self._started_worker()

    def _started_worker(self) -> _Worker:
        if self._closed:
            raise OpenError("the graph was closed")
        if self._worker is not None and not self._worker.is_alive:
            self._kill()  # somebody ended it while it was idle
        if self._worker is None:
            self._worker = self._start()
        return self._worker

    def _is_ready(self, until: float) -> bool:
        """Whether the worker says so before a moment of :func:`time.monotonic`.

        What was derived before and turns out to be damaged is derived again, once.
        """
        worker = self._started_worker()
        if worker.is_ready:
            return True
        try:
            reply = worker.receive(max(0.0, until - time.monotonic()))
        except queue.Empty:
            return False
        except (BrokenPipeError, EOFError):
            raise self._ended("prepared itself", "The graph may be too big for this machine.") from None
        if "error" not in reply:
            worker.note_ready()
            return True
        self._kill()
        if worker.has_opened and self._discard():
            return self._is_ready(until)
        raise OpenError(f"the index for {self._place.language} cannot be used: {reply['error']}")

    def _discard(self) -> bool:
        """Remove what was derived. Whether it is gone."""
        derived = self._place.derived
        assert derived is not None
        shutil.rmtree(derived, ignore_errors=True)
        return not derived.exists()

    def _start(self) -> _Worker:
        try:
            return self._started()
        except OSError as error:
            raise OpenError(
                f"the process that runs {self._place.language} cannot be started: {error}"
            ) from error

    def _started(self) -> _Worker:
        task: dict[str, Any] = {"most_memory": _most_memory()}
        derived = self._place.derived
        if derived is not None and derived.exists():
            return _Worker(self._place.module, task | {"open": str(derived)})
        if derived is None or not os.access(derived.parent, os.W_OK):
            return _Worker(self._place.module, task | {"memory": True}, self._place.hand_over())
        _sweep(derived)
        return _Worker(self._place.module, task | {"build": str(derived)}, self._place.hand_over())

    def _ended(self, when: str, advice: str) -> AskgraphError:
        """What to raise for a worker that is gone."""
        worker = self._worker
        failure = worker.failure if worker is not None else None
        code = self._kill()
        if isinstance(failure, AskgraphError):
            return failure
        if self._closed:
            return OpenError("the graph was closed")
        language = self._place.language
        if failure is not None:
            return OpenError(f"the graph cannot be prepared for {language}: {failure}")
        return CapExceededError(
            f"the process that runs {language} ended while it {when} (exit code {code}): as a rule for want of memory",
            advice=advice,
        )

    def _kill(self) -> int | None:
        worker, self._worker = self._worker, None
        if worker is None:
            return None
        code = worker.kill()
        if self._place.derived is not None:
            shutil.rmtree(making_of(self._place.derived, worker.process_id), ignore_errors=True)
        return code


class _Worker:
    """A running process, and threads that read what it says and hand it the graph."""

    def __init__(self, module: str, task: dict[str, Any], graph: Generator[Handed] | None = None) -> None:
        self._process = subprocess.Popen(
            # -P: what lies in the current folder is not a module.
            [sys.executable, "-P", "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )
        self._replies: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.has_opened = "open" in task
        self.is_ready = False
        self._memory_at_rest: int | None = None
        self.handed = 0
        self.failure: BaseException | None = None
        self.send(task)
        threading.Thread(target=self._read, daemon=True).start()
        self._handing_over: threading.Thread | None = None
        if graph is not None:
            self._handing_over = threading.Thread(target=self._hand_over, args=(graph,), daemon=True)
            self._handing_over.start()

    @property
    def process_id(self) -> int:
        """The operating system's number of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def note_ready(self) -> None:
        """It can answer from now on, and holds the graph and nothing else."""
        self.is_ready = True
        self._memory_at_rest = own_memory(self.process_id)

    def added_memory(self) -> int:
        """The bytes that it holds beyond those with which it became ready; 0 where the system does not tell."""
        now = own_memory(self.process_id)
        return 0 if now is None or self._memory_at_rest is None else now - self._memory_at_rest

    def send(self, message: dict[str, Any]) -> None:
        """Send a request. Raises :class:`BrokenPipeError` if the process is gone."""
        assert self._process.stdin is not None
        try:
            write_frame(self._process.stdin, json.dumps(message).encode())
        except ValueError:  # another thread has closed the pipe
            raise BrokenPipeError from None

    def receive(self, seconds: float) -> dict[str, Any]:
        """The next reply. Raises :class:`queue.Empty` if none comes in time, :class:`EOFError` if none will."""
        content = self._replies.get(timeout=seconds)
        if content is None:
            raise EOFError
        reply: dict[str, Any] = json.loads(content)
        return reply

    def kill(self) -> int:
        """End the process at once, and let go of the graph that was being handed over. Its exit code."""
        self._process.kill()
        code = self._process.wait()
        if self._handing_over is not None:
            self._handing_over.join()
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

    def _hand_over(self, graph: Generator[Handed]) -> None:
        """Send the graph; a request is only sent when the worker has said that it is ready."""
        assert self._process.stdin is not None
        try:
            with contextlib.closing(graph):
                for piece in graph:
                    write_frame(self._process.stdin, piece.content)
                    self.handed += piece.amount
            write_frame(self._process.stdin, b"")
        except (OSError, ValueError):
            self._process.kill()  # as a rule it is gone already
        except Exception as error:  # noqa: BLE001 - whatever it was, the thread that waits must learn of it
            self.failure = error
            self._process.kill()


def _environment() -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(_NOT_FOR_WORKERS) and not any(word in name.upper() for word in _SECRETS)
    }
    return kept | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def _most_memory() -> int | None:
    """A share of the machine's memory, if the system tells."""
    try:
        return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * _SHARE_OF_MEMORY)
    except (AttributeError, ValueError, OSError):
        return None


def _sweep(derived: Path) -> None:
    """Remove what workers left half made whose parent was killed with them."""
    for entry in derived.parent.glob(f"{derived.name}.making-*"):
        number = entry.name.rpartition("-")[2]
        if number.isdecimal() and not _is_running(int(number)):
            shutil.rmtree(entry, ignore_errors=True)


def _is_running(process_id: int) -> bool:
    if os.name == "nt":
        return True  # asking there would end it
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
