"""SPARQL texts that language models wrote for a benchmark (CK25), where they lie."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.querying.tck import CONFORMANCE

CK25 = CONFORMANCE.parent / "ck25"
_QUERY = re.compile(r"\b(SELECT|ASK|CONSTRUCT|DESCRIBE)\b.*\{", re.IGNORECASE | re.DOTALL)


def recorded_predictions() -> list[str]:
    """What three configurations of one system gave for fifty questions each; the few that they left out are missing."""
    texts = []
    for path in _files("recorded_predictions/*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if text := json.loads(line)["sparql"]:
                texts.append(text)
    return texts


def challenge_answers() -> dict[str, list[str]]:
    """What each team of the challenge gave, by the name of its file; many of the texts are not SPARQL."""
    found = {}
    for path in _files("challenge2025_cc_by_sa/answers_*.json"):
        found[path.stem] = list(_queries(json.loads(path.read_text(encoding="utf-8"))))
    return found


def _files(pattern: str) -> list[Any]:
    if not CK25.is_dir():
        pytest.skip(f"the recorded texts are not in {CK25}; ASKGRAPH_CONFORMANCE names the folder beside it")
    return sorted(CK25.glob(pattern))


def _queries(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if _QUERY.search(value):
            yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _queries(item)
