from __future__ import annotations

import csv
import json
import xml.dom.minidom
from dataclasses import replace
from pathlib import Path

import duckdb
import networkx
import pytest
import yaml

from askgraph import Graph
from askgraph.core.errors import ExportError
from askgraph.core.graph import Name
from askgraph.retrievers.subgraph.communities import report_communities
from askgraph.retrievers.subgraph.exporting import EXPORT_FORMATS, export_selection
from askgraph.retrievers.subgraph.exporting.graphrag_tables import graphrag_tables, unique_titles
from askgraph.retrievers.subgraph.selection import SubgraphSelection


@pytest.fixture(scope="module")
def selection(hetionet: Graph) -> SubgraphSelection:
    return hetionet.subgraph("Which genes are associated with obesity?")


@pytest.fixture
def clinic_selection(clinic_graph: Graph) -> SubgraphSelection:
    return clinic_graph.subgraph("glass bone disease")


def table(folder: Path, name: str) -> list[dict[str, object]]:
    with duckdb.connect() as connection:
        rows = connection.execute(f"SELECT * FROM read_parquet('{folder}/output/{name}.parquet')")
        columns = [item[0] for item in rows.description]
        return [dict(zip(columns, row, strict=True)) for row in rows.fetchall()]


def test_graphml_is_read_by_networkx(selection: SubgraphSelection, tmp_path: Path) -> None:
    file = export_selection(selection, tmp_path / "graph.graphml", "graphml")
    graph = networkx.read_graphml(file, force_multigraph=True)
    assert set(graph.nodes) == set(selection.by_id)
    assert graph.number_of_edges() == len(selection.edges)
    for item in selection.nodes:
        data = graph.nodes[item.id]
        assert (data["name"], data["step"], data["rank"]) == (item.node.name, item.step, item.rank)
        assert data.get("p_value") == item.p_value
    assert {data["label"] for _, _, data in graph.edges(data=True)} == {
        item.label for item in selection.edges
    }


def test_csv_has_a_row_for_each_node_and_edge_with_its_provenance(
    clinic_selection: SubgraphSelection, tmp_path: Path
) -> None:
    folder = export_selection(clinic_selection, tmp_path / "tables", "csv")
    with (folder / "nodes.csv").open(encoding="utf-8", newline="") as file:
        nodes = list(csv.DictReader(file))
    with (folder / "edges.csv").open(encoding="utf-8", newline="") as file:
        edges = list(csv.DictReader(file))
    assert [row["id"] for row in nodes] == [item.id for item in clinic_selection.nodes]
    assert nodes[0]["definition"] == "Bones break easily."
    assert [row["id"] for row in edges] == [item.edge.id for item in clinic_selection.edges]
    # ``source`` is a property of edges too, and the column of that name is the edge's beginning.
    associated = next(row for row in edges if row["type"] == "associates")
    assert associated["source"] == "d"
    assert associated["property_source"] == "DisGeNET"
    assert associated["license"] == "CC BY-NC"


def test_json_is_the_selection(selection: SubgraphSelection, tmp_path: Path) -> None:
    file = export_selection(selection, tmp_path / "deep" / "graph.json", "json")
    assert json.loads(file.read_text(encoding="utf-8")) == selection.to_dict()


def test_cytoscape_elements_join(selection: SubgraphSelection, tmp_path: Path) -> None:
    file = export_selection(selection, tmp_path / "graph.cyjs", "cytoscape")
    elements = json.loads(file.read_text(encoding="utf-8"))["elements"]
    ids = {item["data"]["id"] for item in elements["nodes"]}
    assert ids == set(selection.by_id)
    assert all({item["data"]["source"], item["data"]["target"]} <= ids for item in elements["edges"])


def test_text_that_xml_cannot_hold_does_not_break_the_file(
    clinic_selection: SubgraphSelection, tmp_path: Path
) -> None:
    first = clinic_selection.nodes[0]
    odd = replace(
        first, node=replace(first.node, names=(Name('<&>"\x00\x0b ]]>'),), properties={"a<b": "\x01&"})
    )
    file = export_selection(
        replace(clinic_selection, nodes=(odd, *clinic_selection.nodes[1:])),
        tmp_path / "odd.graphml",
        "graphml",
    )
    xml.dom.minidom.parse(str(file))
    name = networkx.read_graphml(file).nodes["d"]["name"]
    assert name.startswith('<&>"')
    assert name.endswith(" ]]>")


# --- tables for GraphRAG


def test_graphrag_tables_have_every_column_and_join(selection: SubgraphSelection, tmp_path: Path) -> None:
    folder = export_selection(selection, tmp_path / "project", "graphrag")
    entities, relationships, units = (
        table(folder, name) for name in ("entities", "relationships", "text_units")
    )
    assert list(entities[0]) == [
        "id", "human_readable_id", "title", "type", "description", "text_unit_ids", "frequency", "degree",
    ]  # fmt: skip
    assert list(relationships[0]) == [
        "id", "human_readable_id", "source", "target", "description", "weight", "combined_degree", "text_unit_ids",
    ]  # fmt: skip
    titles = {row["title"]: row for row in entities}
    assert len(titles) == len(entities) == len(selection.nodes)
    unit_ids = {row["id"] for row in units}
    assert len(unit_ids) == len(units) == len(entities) + len(relationships)
    for row in (*entities, *relationships):
        assert row["text_unit_ids"]
        assert set(row["text_unit_ids"]) <= unit_ids  # type: ignore[call-overload]
    for row in relationships:
        ends = titles[row["source"]], titles[row["target"]]
        assert row["combined_degree"] == ends[0]["degree"] + ends[1]["degree"]  # type: ignore[operator]
    assert sum(int(row["degree"]) for row in entities) == 2 * sum(  # type: ignore[call-overload]
        row["source"] != row["target"] for row in relationships
    ) + sum(row["source"] == row["target"] for row in relationships)
    settings = yaml.safe_load((folder / "settings.yaml").read_text(encoding="utf-8"))
    assert settings["cluster_graph"]["use_lcc"] is False
    assert (folder / "input").is_dir()


def test_parallel_edges_are_one_relationship_that_says_them_all(hetionet: Graph) -> None:
    found = hetionet.subgraph("alcohol dependence")
    doubled = replace(
        found,
        edges=(
            *found.edges,
            replace(found.edges[0], edge=replace(found.edges[0].edge, id="again"), label="knows"),
        ),
    )
    tables = graphrag_tables(doubled)
    pairs = [frozenset((row["source"], row["target"])) for row in tables["relationships"]]
    assert len(set(pairs)) == len(pairs)
    first = tables["relationships"][0]
    assert first["weight"] == 2.0
    assert "knows" in first["description"]
    assert found.edges[0].label in first["description"]


def test_titles_are_unique_whatever_the_names(clinic_selection: SubgraphSelection) -> None:
    names = ["Straße", "STRASSE", "a &amp; b", " A  & B ", "", "\u00a0", "x", "x", "x"]
    base = clinic_selection.nodes[0]
    nodes = [
        replace(
            base,
            node=replace(base.node, id=f"n{place}", names=(Name(name),), types=("T",) if place < 8 else ()),
        )
        for place, name in enumerate(names)
    ]
    titles = unique_titles(nodes)
    assert len(set(titles.values())) == len(names)
    assert all(title == title.upper().strip() and title for title in titles.values())


def test_reports_of_ours_lie_in_its_layout(selection: SubgraphSelection, tmp_path: Path) -> None:
    reports = report_communities(selection)
    folder = export_selection(selection, tmp_path / "project", "graphrag", reports=reports)
    communities, written = table(folder, "communities"), table(folder, "community_reports")
    assert len(communities) == len(written) == len(reports)
    entity_ids = {row["id"] for row in table(folder, "entities")}
    relationship_ids = {row["id"] for row in table(folder, "relationships")}
    for row, report in zip(communities, reports, strict=True):
        assert set(row["entity_ids"]) == set(report.nodes) <= entity_ids  # type: ignore[call-overload]
        assert set(row["relationship_ids"]) <= relationship_ids  # type: ignore[call-overload]
        assert row["parent"] == report.parent
        assert row["size"] == len(report.nodes)
    for row in written:
        content = json.loads(str(row["full_content_json"]))
        assert content["title"] == row["title"]
        assert row["findings"] == content["findings"]
        assert "[Data: " in str(row["full_content"])


def test_the_same_selection_gives_the_same_rows(selection: SubgraphSelection, tmp_path: Path) -> None:
    reports = report_communities(selection)
    for name in ("one", "two"):
        export_selection(selection, tmp_path / name, "graphrag", reports=reports)
    for name in ("entities", "relationships", "text_units", "documents", "communities", "community_reports"):
        assert table(tmp_path / "one", name) == table(tmp_path / "two", name)


def test_a_subgraph_without_edges_is_written_too(clinic_graph: Graph, tmp_path: Path) -> None:
    alone = replace(clinic_graph.subgraph(nodes=["d"], nested="neighbours"), edges=())
    for format in EXPORT_FORMATS:
        export_selection(alone, tmp_path / format, format, reports=report_communities(alone, engine="python"))
    assert table(tmp_path / "graphrag", "relationships") == []


# --- nothing half-written


def test_what_is_there_is_not_written_over(selection: SubgraphSelection, tmp_path: Path) -> None:
    target = tmp_path / "there"
    target.write_text("mine", encoding="utf-8")
    with pytest.raises(ExportError, match="exists"):
        export_selection(selection, target, "json")
    assert target.read_text(encoding="utf-8") == "mine"


def test_a_failure_leaves_nothing(
    selection: SubgraphSelection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fail)
    for format in ("json", "graphrag", "graphml"):
        with pytest.raises(ExportError, match="No space left"):
            export_selection(selection, tmp_path / "out" / format, format)
    assert list((tmp_path / "out").iterdir()) == []


def test_an_unknown_format_is_said(selection: SubgraphSelection, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="no format"):
        export_selection(selection, tmp_path / "out", "dot")  # type: ignore[arg-type]
