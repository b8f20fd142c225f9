"""Messages over a pipe: a length of four bytes (big-endian), then that many bytes."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import IO, Final

_LENGTH: Final = struct.Struct(">I")

MOST_BYTES: Final = 2**32 - 1
"""What one frame can hold."""


def read_frame(stream: IO[bytes]) -> bytes | None:
    """The next frame; ``None`` at the end of the stream, also in the middle of a frame."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    content = stream.read(length)
    return content if len(content) == length else None


def write_frame(stream: IO[bytes], content: bytes) -> None:
    """Write a frame and see that it leaves."""
    stream.write(_LENGTH.pack(len(content)))
    stream.write(content)
    stream.flush()


def making_of(derived: Path, process_id: int) -> Path:
    """Where a worker makes what it derives from the graph, before it takes its place."""
    return derived.with_name(f"{derived.name}.making-{process_id}")
