"""Threads for callers that must not block: as many questions at a time, however many callers there are."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

_MOST_QUESTIONS_AT_ONCE = 4
_pool: ThreadPoolExecutor | None = None
_lock = threading.Lock()


def shared_pool() -> ThreadPoolExecutor:
    """The one pool of this process."""
    global _pool
    with _lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(_MOST_QUESTIONS_AT_ONCE, thread_name_prefix="askgraph")
        return _pool
