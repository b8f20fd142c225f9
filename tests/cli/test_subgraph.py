from __future__ import annotations

from pathlib import Path

import pytest

from askgraph import load_graph

from .conftest import Askgraph


@pytest.fixture(scope="module")
def hetionet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = Path(__file__).resolve().parents[2] / "examples" / "hetionet"
    folder = tmp_path_factory.mktemp("hetionet") / "hetionet.graph"
    load_graph([root / "nodes.csv", root / "edges.csv"], folder)
    return folder


def test_nodes_are_shown_by_the_step_that_added_them(askgraph: Askgraph, hetionet: Path):
    done = askgraph("subgraph", hetionet, "Which genes are associated with obesity?")
    assert done.code == 0
    headings = [line for line in done.out.splitlines() if not line.startswith(" ")]
    assert headings[:5] == [
        "named (1)",
        "neighbours (137)",
        "added by DIAMOnD (50)",
        "added by C3 (16)",
        "added by the random walk (20)",
    ]
    assert "  LRP2 Gene  p = 7.5e-07" in done.out
    assert "more" in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines())


def test_options_reach_the_selection(askgraph: Askgraph, hetionet: Path):
    done = askgraph(
        "subgraph",
        hetionet,
        "obesity",
        "--nested",
        "diamond",
        "--diamond-steps",
        7,
        "--most-neighbours",
        9,
        "--json",
    )
    assert done.json["nested"] == "diamond"
    assert done.json["counts"] == {"seed": 1, "neighbours": 9, "diamond": 7}
    assert done.json["notes"]
    given = askgraph("subgraph", hetionet, "--node", "Disease::DOID:9970", "--nested", "neighbours", "--json")
    assert given.json["nodes"][0]["name"] == "obesity"


@pytest.mark.parametrize("format", ["graphml", "json", "csv", "cytoscape", "graphrag"])
def test_it_is_exported(askgraph: Askgraph, hetionet: Path, tmp_path: Path, format: str):
    target = tmp_path / "out"
    words = ("subgraph", hetionet, "obesity", "--export", format, target, "--reports")
    done = askgraph(*words)
    assert done.code == 0
    assert f"Written:{target}" in "".join(done.err.split())
    assert target.exists()
    again = askgraph(*words)
    assert again.code == 1
    assert "exists already" in " ".join(again.err.split())


def test_an_unknown_format_is_said_before_anything_is_done(
    askgraph: Askgraph, hetionet: Path, tmp_path: Path
):
    done = askgraph("subgraph", hetionet, "obesity", "--export", "dot", tmp_path / "out")
    assert done.code == 1
    assert "There are: graphrag, graphml, json, csv, cytoscape." in done.err


def test_nothing_named_is_an_error_with_advice(askgraph: Askgraph, hetionet: Path):
    done = askgraph("subgraph", hetionet, "what is it")
    assert done.code == 1
    assert "askgraph link" in done.err


def test_a_calibration_is_shown_and_kept(askgraph: Askgraph, hetionet: Path):
    done = askgraph("subgraph", hetionet, "--calibrate", "--samples", 2)
    assert done.code == 0
    assert "Disease > Gene: " in done.out
    assert "hidden seeds that come back" in done.out
    data = askgraph("subgraph", hetionet, "--calibrate", "--samples", 2, "--json").json
    steps = {(pair["origin"], pair["layer"]): pair["steps"] for pair in data["pairs"]}
    own = askgraph("subgraph", hetionet, "obesity", "--json").json
    assert own["options"]["diamond_steps_by_types"]["Disease > Gene"] == steps["Disease", "Gene"]


def test_a_graph_too_small_to_calibrate_is_not_said_to_have_no_edges_within_a_type(
    askgraph: Askgraph, tmp_path: Path
):
    people = "".join(f"p{n},Person {n},Person\n" for n in range(4))
    (tmp_path / "people.csv").write_text(f"id,name,type\n{people}", encoding="utf-8")
    (tmp_path / "friends.csv").write_text(
        "source,target,type\np0,p1,friend\np1,p2,friend\n", encoding="utf-8"
    )
    load_graph([tmp_path / "people.csv", tmp_path / "friends.csv"], tmp_path / "small.graph")
    done = askgraph("subgraph", tmp_path / "small.graph", "--calibrate")
    assert done.code == 0
    assert "Nothing was measured: that takes nodes with at least 10 neighbours" in " ".join(done.out.split())


@pytest.mark.parametrize("samples", [0, -3])
def test_a_calibration_without_samples_is_refused(askgraph: Askgraph, hetionet: Path, samples: int):
    done = askgraph("subgraph", hetionet, "--calibrate", "--samples", samples)
    assert done.code == 1
    assert f"samples is 1 or more, not {samples}" in done.err


def test_a_level_that_there_is_not_is_said(askgraph: Askgraph, hetionet: Path):
    done = askgraph("communities", hetionet, "alcohol dependence", "--level", 9)
    assert "There is no level 9: the levels go from 0 to " in done.out
    assert (
        "There is no level -1" in askgraph("communities", hetionet, "alcohol dependence", "--level", -1).out
    )


def test_communities_of_a_question_and_of_the_whole_graph(askgraph: Askgraph, hetionet: Path):
    own = askgraph("communities", hetionet, "alcohol dependence")
    assert own.code == 0
    assert "alcohol dependence is named by the question" in own.out
    whole = askgraph("communities", hetionet, "--json").json
    assert sum(len(report["nodes"]) for report in whole if report["level"] == 0) == 2_330
    shown = askgraph("communities", hetionet, "--level", 0)
    assert f"shown of {len(whole)} in" in shown.out


def test_types_are_shown_by_their_labels(askgraph: Askgraph, tmp_path: Path):
    rivers = tmp_path / "rivers.ttl"
    rivers.write_text(
        "@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ':River rdfs:label "river" . :neckar a :River ; rdfs:label "Neckar" ; :flowsInto :rhine .\n'
        ':rhine a :River ; rdfs:label "Rhine" .\n',
        encoding="utf-8",
    )
    shown = askgraph("subgraph", str(rivers), "Rhine").out
    assert "  Rhine river\n" in shown
    assert "  Neckar river\n" in shown
