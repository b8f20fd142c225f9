"""The child's side: a loop that answers requests, in a process that can do nothing else.

The first frame says what to prepare, and frames of the graph may follow it, up to an empty one. The answer is
``{"ready": true}`` or ``{"error": …}``. Then each request, a JSON object, is answered by one. The end of the input ends
the process.

Once it is ready the process shuts itself in: it can open no file and no socket any more. Queries have passed the gate
before they come here; this is the wall behind it, for what the gate might have missed.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Final

from .frames import making_of, read_frame, write_frame

# What is allowed beyond the parent's deadline, which as a rule ends this process before.
_GRACE: Final = 5.0

# Audit events of Python code that opens, calls out, or starts something.
_FORBIDDEN: Final = ("open", "socket.", "subprocess.", "os.", "ctypes.", "shutil.", "urllib.", "tempfile.")

Answer = Callable[[dict[str, Any]], dict[str, Any]]
Prepare = Callable[[dict[str, Any], IO[bytes]], Answer]


def serve(prepare: Prepare, failures: tuple[type[Exception], ...]) -> None:
    """Serve until the input ends.

    Args:
        prepare: makes ready, from the first frame and the frames after it, and gives what answers requests.
        failures: what ``prepare`` may raise, beside its own faults; the parent is told.
    """
    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    first = read_frame(requests)
    if first is None:
        return
    task = json.loads(first)
    _limit_memory(task.get("most_memory"))
    try:
        answer = prepare(task, requests)
    except failures as error:
        write_frame(replies, json.dumps({"error": str(error)}).encode())
        return
    _shut_in()
    write_frame(replies, b'{"ready": true}')
    while (content := read_frame(requests)) is not None:
        request = json.loads(content)
        _end_after(request.get("seconds"))
        reply = json.dumps(answer(request)).encode()
        _end_after(None)
        write_frame(replies, reply)


def handed_over(requests: IO[bytes]) -> Iterator[bytes]:
    """The frames of the graph, up to the empty one that ends them.

    Raises:
        OSError: the parent went before the last.
    """
    while content := read_frame(requests):
        yield content
    if content is None:
        raise OSError("the graph was not handed over to its end")


def made_in_place(derived: Path, make: Callable[[Path], None]) -> None:
    """Make a folder of derived things so that it is there whole or not at all.

    ``make`` makes it at the path that it is given. Where another process was faster, its folder stays.
    """
    making = making_of(derived, os.getpid())
    try:
        make(making)
        if not derived.exists():
            making.rename(derived)
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _limit_memory(most: int | None) -> None:
    """Let a query that eats memory end this process and not the machine."""
    if most is None or sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _shut_in() -> None:
    """Give up the right to open anything. Where the system has no such limits (Windows), only Python code is held."""
    if sys.platform != "win32":
        import resource

        # No new descriptor: no file, no socket, no pipe, whichever code asks for it. Those that are open stay open.
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event.startswith(_FORBIDDEN):
        raise PermissionError(f"a query may not do this: {event}")


def _end_after(seconds: float | None) -> None:
    """Let the system end this process a little after its deadline, should its parent be gone by then."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, 0 if seconds is None else seconds + _GRACE)
