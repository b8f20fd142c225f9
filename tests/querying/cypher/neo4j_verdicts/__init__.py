"""What real Neo4j servers said of queries: recorded by ``scripts/record_neo4j_verdicts.py``, read by tests.

The verdicts of a text are three: of 5.26, of 2026.08 asked for Cypher 5, and of 2026.08 asked for Cypher 25. Each is
``"r"``, ``"w"`` or ``"rw"`` for a valid query that reads, writes or does both, or the server's error, cut short. The
texts themselves are kept where they came from; here are their digests.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

_FOLDER = Path(__file__).parent
_VALID = ("r", "w", "rw", "s")
_FIRST_WORD = re.compile(r"(?:\s|//[^\n]*\n|/\*.*?\*/)*(\w+)", re.DOTALL)


def constructs() -> list[str]:
    """The queries of ``constructs.cypher``."""
    lines = (_FOLDER / "constructs.cypher").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("//") and can_be_planned(line)]


def can_be_planned(text: str) -> bool:
    """Whether EXPLAIN may be put before a text: not where it begins with a word of that kind itself."""
    first = _FIRST_WORD.match(text)
    return first is None or first[1].upper() not in ("EXPLAIN", "PROFILE", "CYPHER")


def digest(text: str) -> str:
    """By what a text is kept."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write(source: str, verdicts: Mapping[str, Sequence[str]]) -> None:
    """Keeps the verdicts on the texts of a source; three that are the same as one."""
    lines = []
    for text, said in verdicts.items():
        kept = said[0] if len(set(said)) == 1 else said
        lines.append(f"  {json.dumps(digest(text))}: {json.dumps(kept, ensure_ascii=False)}")
    body = ",\n".join(sorted(lines))
    (_FOLDER / f"{source}.json").write_text(f"{{\n{body}\n}}\n", encoding="utf-8")


def read(source: str) -> dict[str, tuple[str, str, str]]:
    """The verdicts of a source by digest."""
    kept = json.loads((_FOLDER / f"{source}.json").read_text(encoding="utf-8"))
    return {key: (said, said, said) if isinstance(said, str) else tuple(said) for key, said in kept.items()}


def is_valid(verdict: str) -> bool:
    """Whether the server took the text."""
    return verdict in _VALID
