"""How much memory a process holds, as Linux tells it. Other systems tell it to nobody without a package of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_MEGABYTE = 1024 * 1024


def own_memory(process_id: int) -> int | None:
    """The bytes that a process holds for itself (files that it has mapped are not among them).

    ``None`` where the system does not tell, or there is no such process any more.
    """
    if sys.platform != "linux":
        return None
    try:
        pages = Path(f"/proc/{process_id}/statm").read_text(encoding="ascii").split()
        return (int(pages[1]) - int(pages[2])) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


def in_megabytes(size: int) -> str:
    """A size for people."""
    return f"{size / _MEGABYTE:,.0f} MB"
