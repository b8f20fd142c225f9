"""A folder that is there as long as somebody uses it."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path


class KeptFolder:
    """An empty folder of its own, deleted with this object."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="askgraph-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
