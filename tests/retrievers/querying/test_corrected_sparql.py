"""SPARQL texts that language models wrote: none scores less when it is corrected, and many score more."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest
from tests.querying.sparql.recorded import CK25

from askgraph import Settings, open_graph

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"
pytestmark = [
    pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="the benchmarks are not in a source package"),
    pytest.mark.skipif(not CK25.is_dir(), reason="the recorded texts are not beside the conformance suites"),
]
_EVERY = 6


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return importlib.import_module("ck25_corrected")
    finally:
        sys.path.remove(str(BENCHMARKS))


def test_recorded_texts_score_more_when_corrected_and_none_less(
    benchmark: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = list(benchmark.recorded(CK25))
    assert len(texts) == 590
    monkeypatch.setattr(benchmark, "recorded", lambda data: texts[::_EVERY])
    settings = Settings.load(
        embedder="none", save_runs=False, cache_dir=tmp_path / "cache", data_dir=tmp_path / "data"
    )
    with open_graph(CK25 / "graph" / "prod-inst.ttl", settings=settings) as graph:
        figures = benchmark.measured(graph, CK25, None)
    pairs = [(before, after) for scored in figures.values() for before, after, _ in scored]
    assert [pair for pair in pairs if pair[1].f1 < pair[0].f1] == []
    assert sum(after.runs for _, after in pairs) > sum(before.runs for before, _ in pairs)
    gained = sum(after.f1 for _, after in pairs) - sum(before.f1 for before, _ in pairs)
    assert gained / len(pairs) >= 0.03
