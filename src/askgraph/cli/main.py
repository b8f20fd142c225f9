"""The `askgraph` command: every way in which it can end becomes an exit code.

====  ==============================================================
0     done; an abstention is an answer too
1     an error, said on standard error with what to do about it
2     the command cannot be read
130   interrupted (Ctrl-C)
141   the reader of a pipe has gone
====  ==============================================================
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Final

INTERRUPTED: Final = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        arguments: the words after `askgraph`; those of the process if not given.

    Returns:
        The exit code. Nothing is raised, and the process is not ended.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    with _interruption_remembered() as interruption:
        try:
            # Imported here: Ctrl-C while modules load is an interruption like any other.
            from .dispatch import dispatch

            code = dispatch(words, was_interrupted=lambda: bool(interruption))
        except KeyboardInterrupt:
            code = INTERRUPTED
    if code == INTERRUPTED:
        sys.stderr.write("Interrupted.\n")
    return code


@contextmanager
def _interruption_remembered() -> Iterator[list[int]]:
    """A list that Ctrl-C adds to, beside raising KeyboardInterrupt: libraries may turn that into their own errors."""
    received: list[int] = []

    def remember(number: int, frame: FrameType | None) -> None:
        received.append(number)
        raise KeyboardInterrupt

    try:
        is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        previous = signal.signal(signal.SIGINT, remember) if is_usual else None
    except ValueError:  # not the main thread, which alone may do this
        previous = None
    try:
        yield received
    finally:
        if previous is not None:
            signal.signal(signal.SIGINT, previous)


if __name__ == "__main__":
    sys.exit(main())
