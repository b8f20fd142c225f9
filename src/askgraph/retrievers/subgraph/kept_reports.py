"""Reports that models wrote, kept in the cache: by what they were written from, so that they serve every question and
every version of a graph in which a community has the same nodes and edges."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from threading import Lock
from typing import Any, Final

from ...models.cache_file import CacheFile
from .communities import CommunityReport, Finding

_FORMAT: Final = 1
_FILE: Final = "reports.sqlite"
_MOST: Final = 200_000
_SAID: Final = ("title", "summary", "rating", "rating_explanation", "written_by", "notes")


class KeptReports:
    """Reports by what they were written from. Safe to use from several threads, and several processes."""

    def __init__(self, folder: Path) -> None:
        """``folder``: the cache folder; nothing is made before something is kept."""
        self._file = CacheFile(folder / _FILE, table="reports", column="report", row_limit=_MOST)
        self._lock = Lock()

    def read(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """What is kept under some keys."""
        with self._lock:
            return self._file.read(keys)

    def keep(self, key: bytes, report: CommunityReport) -> None:
        """Keep what a report says: at once and whole, or not at all."""
        data: dict[str, Any] = {name: getattr(report, name) for name in _SAID}
        data["findings"] = [asdict(finding) for finding in report.findings]
        value = json.dumps(data, ensure_ascii=True, allow_nan=False).encode("ascii")
        with self._lock:
            self._file.write({key: value})


def key_of(parts: Iterable[object], content: Sequence[Mapping[str, Any]]) -> bytes:
    """The key of a report: of ``parts`` (the model, the prompt …), and of all that the graph says of its nodes and
    edges, in any order."""
    lines = sorted(json.dumps(item, sort_keys=True, ensure_ascii=True) for item in content)
    text = json.dumps([_FORMAT, *map(str, parts), lines], ensure_ascii=True)
    return hashlib.blake2b(text.encode("ascii"), digest_size=20).digest()


def with_kept(report: CommunityReport, value: bytes) -> CommunityReport | None:
    """An extract with what a kept report says in its place; ``None`` where that cannot be read."""
    try:
        data = json.loads(value)
        findings = tuple(
            Finding(
                str(item["summary"]), str(item["explanation"]), tuple(item["nodes"]), tuple(item["edges"])
            )
            for item in data["findings"]
        )
        said = {name: data[name] for name in _SAID} | {"notes": tuple(data["notes"])}
    except (ValueError, KeyError, TypeError):
        return None
    return replace(report, findings=findings, **said)
