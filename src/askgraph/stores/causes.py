"""What an error came from: libraries wrap what the operating system said, some of them several times."""

from __future__ import annotations

from collections.abc import Iterator


def causes_of(error: BaseException) -> Iterator[BaseException]:
    """The error, and all that it came from, each once."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        current = waiting.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        waiting += [current.__cause__, current.__context__]
        if isinstance(current, BaseExceptionGroup):
            waiting += current.exceptions
