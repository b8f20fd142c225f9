"""The same question, seed and replies: the same subgraphs, reports and answer, byte for byte, in any process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from askgraph import load_graph

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "Which genes are associated with alcohol dependence?"

# The model's words depend on all that it is shown, to the letter: what comes in another order is answered otherwise.
PROGRAM = """
import hashlib, json, re, sys
from pathlib import Path

from askgraph import Settings, open_graph
from askgraph.answering import report_mapping
from askgraph.core.run import Run
from askgraph.models.scripted import ScriptedModel
from askgraph.retrievers.subgraph import written_reports

folder, cache, question, threads = sys.argv[1], Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
report_mapping._AT_ONCE = written_reports._AT_ONCE = threads

def number(text):
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)

def said(request):
    text = request.messages[1].text
    if request.purpose == "extract_entities":
        return {"entities": [{"name": "alcohol dependence", "types": ["Disease"]}], "relations": []}
    if request.purpose == "community_report":
        edges = len(re.findall(r"^\\| E[0-9]+: ", text, re.MULTILINE))
        findings = [
            {"summary": f"Of {n}", "explanation": f"It says {number(text + str(n))}.", "references": [f"E{n}", "N1"]}
            for n in range(1, min(edges, 4) + 1)
        ]
        return {"title": f"Report {number(text)}", "summary": "So it is.", "rating": number(text) % 11,
                "rating_explanation": "Counted.", "findings": findings}
    if request.purpose == "map_reports":
        numbers = [int(n) for n in re.findall(r"^\\| Report ([0-9]+): ", text, re.MULTILINE)]
        return {"points": [{"description": f"Point {number(text + str(n))}", "score": number(text + str(n)) % 101,
                            "reports": [n]} for n in numbers]}
    return f"Alcohol dependence associates DRD2 [1]. It associates CYP2E1 [{number(text) % 5}]. {number(text)} [1]."

settings = Settings.load(save_runs=False, cache_dir=cache, data_dir=cache, embedder="none")
records = []

class Recorded(Run):
    def __init__(self, *given, **named):
        super().__init__(*given, **named)
        records.append(self)

import askgraph.engine.graph
askgraph.engine.graph.Run = Recorded
with open_graph(folder, settings=settings, model=ScriptedModel(said)) as graph:
    answers = graph.ask_nested(question)
    selection = graph.subgraph(question)
    nested = [selection.within(name).to_dict() for name in answers]
    reports = [item.to_dict() for item in graph.communities(question, with_model=True)]
run = next(item for item in records if item.options.get("nested") == "all").to_dict()
for key in ("id", "started", "seconds", "graph"):
    del run[key]
for part in (*run["steps"], *run["calls"]):
    del part["seconds"]
run["steps"] = [step for step in run["steps"] if step["name"] != "index"]
sys.stdout.write(json.dumps({"answers": answers.to_dict(), "run": run, "nested": nested, "reports": reports}))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hetionet") / "hetionet.graph"
    files = ROOT / "examples" / "hetionet"
    load_graph([files / "nodes.csv", files / "edges.csv"], folder)
    return folder


@pytest.fixture(scope="module")
def outputs(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What two processes print, that share nothing but the graph."""
    return [
        _output(folder, tmp_path_factory.mktemp("cache"), seed, threads) for seed, threads in ((1, 1), (2, 2))
    ]


def _output(folder: Path, cache: Path, hash_seed: int, threads: int) -> str:
    count = str(threads)
    environment = {
        **os.environ,
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
        **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), count),
    }
    command = [sys.executable, "-c", PROGRAM, str(folder), str(cache), QUESTION, count]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_two_processes_with_other_hash_seeds_and_threads_say_the_same(outputs: list[str]) -> None:
    first, second = map(json.loads, outputs)
    # By parts first, so that a difference is told where it is.
    for part in ("nested", "reports", "answers", "run"):
        assert first[part] == second[part], part
    assert outputs[0] == outputs[1]


def test_there_was_something_to_differ(outputs: list[str]) -> None:
    found = json.loads(outputs[0])
    assert sum(bool(report["written_by"]) for report in found["reports"]) > 5
    purposes = [call["purpose"] for call in found["run"]["calls"]]
    assert purposes.count("community_report") > 5
    assert purposes.count("reduce_points") == 4
    assert any(item["answer"]["facts"] for item in found["answers"]["nested"].values())


def test_each_nested_subgraph_holds_the_one_before_it(outputs: list[str]) -> None:
    nested: list[dict[str, Any]] = json.loads(outputs[0])["nested"]
    for kind in ("nodes", "edges"):
        ids = [{item["id"] for item in part[kind]} for part in nested]
        assert ids[0] <= ids[1] <= ids[2] <= ids[3]
    assert len(nested[0]["nodes"]) < len(nested[1]["nodes"]) < len(nested[3]["nodes"])
