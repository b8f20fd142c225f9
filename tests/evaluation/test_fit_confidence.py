"""The weights of the confidence are measured: the script that does it finds what there is to find."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
pytestmark = pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="the benchmarks are not in a source package")


@pytest.fixture(scope="module")
def fitting() -> ModuleType:
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return importlib.import_module("fit_confidence")
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.fixture(scope="module")
def answers(fitting: ModuleType) -> Any:
    """Answers that are wrong by one feature, and not by another."""
    draw = np.random.default_rng(3)
    bad, harmless = draw.uniform(0, 1, 600), draw.uniform(0, 1, 600)
    right = draw.uniform(0, 1, 600) < 1 / (1 + np.exp(-(3 - 6 * bad)))
    return fitting.Data(
        [
            fitting.Row(f"graph {place % 3}", "made", "?", {"bad": a, "harmless": b}, float(is_right), True)
            for place, (a, b, is_right) in enumerate(
                zip(bad.tolist(), harmless.tolist(), right.tolist(), strict=True)
            )
        ]
    )


def test_what_makes_answers_wrong_weighs_and_what_does_not_weighs_little(answers: Any) -> None:
    fit = answers.fit()
    weights = dict(zip(answers.names, fit.by_feature.tolist(), strict=True))
    assert -8 < weights["bad"] < -3.5
    assert -1 < weights["harmless"] <= 0
    assert 1.5 < fit.intercept < 4


def test_the_confidence_is_how_often_answers_are_right(answers: Any) -> None:
    confidence = answers.cross_validated()
    for low in (0.0, 0.25, 0.5, 0.75):
        band = (confidence >= low) & (confidence < low + 0.25)
        assert abs(confidence[band].mean() - answers.right[band].mean()) < 0.15


def test_the_same_answers_give_the_same_weights(answers: Any) -> None:
    assert answers.fit().by_feature.tolist() == answers.fit().by_feature.tolist()


def test_what_is_written_is_what_askgraph_reads(fitting: ModuleType, answers: Any, tmp_path: Path) -> None:
    import tomllib

    fit = answers.fit()
    fitting.write(answers, fit, tmp_path / "confidence.toml")
    data = tomllib.loads((tmp_path / "confidence.toml").read_text(encoding="utf-8"))
    assert data["intercept"] == pytest.approx(fit.intercept, abs=1e-4)
    assert data["weights"]["bad"] == pytest.approx(fit.by_feature[answers.names.index("bad")], abs=1e-4)


def test_a_copy_of_a_graph_lacks_what_it_should_and_nothing_else(fitting: ModuleType, tmp_path: Path) -> None:
    # The fixture has put it among the modules.
    confidence_rows = importlib.import_module("confidence_rows")
    nodes, edges, triples = tmp_path / "nodes.csv", tmp_path / "edges.csv", tmp_path / "graph.ttl"
    nodes.write_text("id,type,name,age\n1,Person,Ada,36\n", encoding="utf-8")
    edges.write_text("source,type,target\n1,KNOWS,2\n1,OWNS,3\n", encoding="utf-8")
    triples.write_text(
        '@prefix e: <http://e.org/> . e:a e:knows e:b ; e:age 36 . e:knows e:label "knows" .',
        encoding="utf-8",
    )
    copies = confidence_rows._without([nodes, edges], frozenset({"age", "KNOWS"}), tmp_path / "tables")
    assert [copy.read_text(encoding="utf-8").split() for copy in copies] == [
        ["id,type,name", "1,Person,Ada"],
        ["source,type,target", "1,OWNS,3"],
    ]
    (copy,) = confidence_rows._without([triples], frozenset({"http://e.org/knows"}), tmp_path / "triples")
    assert copy.read_text(encoding="utf-8").count("http://e.org/") == 2
