"""Labelled queries for the gate, read where they lie: one JSON object a line."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from askgraph.querying import GatePolicy

ROOT = Path(__file__).resolve().parents[2]
CASES = Path(os.environ.get("ASKGRAPH_GATE_CASES", ROOT.parent / "shared" / "data" / "gate" / "cases.jsonl"))


def gate_cases(language: str) -> list[dict[str, Any]]:
    """The cases of a language; skips the test, and says so, where the file is not there."""
    if not CASES.is_file():
        pytest.skip(f"the labelled gate cases are not in {CASES}; set ASKGRAPH_GATE_CASES to the file")
    lines = CASES.read_text(encoding="utf-8").split("\n")
    return [case for line in lines if line and (case := json.loads(line))["lang"] == language]


def policy_of(case: dict[str, Any]) -> GatePolicy:
    """What the operator of a case allows."""
    return GatePolicy().updated(case.get("config", {}))
