"""The real `graphrag` reads our tables: its index and its searches run on them, models served by a scripted server.

It lives in an environment of its own, which `make servers` installs.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import duckdb
import pytest
import yaml
from scripts.servers import places
from tests.servers.fixtures import insist_on

from askgraph import Graph
from askgraph.retrievers.subgraph.communities import report_communities
from askgraph.retrievers.subgraph.exporting import export_selection
from askgraph.retrievers.subgraph.exporting.graphrag_tables import graphrag_tables
from askgraph.retrievers.subgraph.selection import SubgraphSelection

from .scripted_openai import DIMENSIONS, TEXT, scripted_openai

# With xdist all of them in one process, so that the index is made once.
pytestmark = [
    pytest.mark.server,
    pytest.mark.xdist_group("graphrag"),
    pytest.mark.timeout(600),
    pytest.mark.skipif(sys.version_info >= (3, 14), reason="GraphRAG takes no newer Python than 3.13"),
]


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    insist_on("GraphRAG", [places.GRAPHRAG])


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, list[str]]]:
    with scripted_openai() as found:
        yield found


@pytest.fixture(scope="module")
def selection(clinic_graph: Graph) -> SubgraphSelection:
    return clinic_graph.subgraph("glass bone disease")


def project(selection: SubgraphSelection, folder: Path, url: str, *, with_reports: bool) -> Path:
    """The exported project with its models pointed at the scripted server: all that a user changes."""
    reports = report_communities(selection) if with_reports else ()
    export_selection(selection, folder, "graphrag", reports=reports)
    file = folder / "settings.yaml"
    settings = yaml.safe_load(file.read_text(encoding="utf-8"))
    for models in ("completion_models", "embedding_models"):
        for model in settings[models].values():
            model["api_base"] = url
    settings["vector_store"] = {"type": "lancedb", "db_uri": "output/lancedb", "vector_size": DIMENSIONS}
    file.write_text(yaml.safe_dump(settings), encoding="utf-8")
    return folder


def graphrag(folder: Path, *words: str) -> str:
    environment = {
        key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "COVERAGE_PROCESS_START")
    }
    done = subprocess.run(
        [str(places.graphrag_python()), "-m", "graphrag", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=540,
        check=False,
        env={**environment, "GRAPHRAG_API_KEY": "scripted", "LITELLM_LOCAL_MODEL_COST_MAP": "True"},
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3_000:]
    return done.stdout


def column(folder: Path, table: str, name: str) -> list[object]:
    with duckdb.connect() as connection:
        rows = connection.execute(
            f"SELECT {name} FROM read_parquet('{folder}/output/{table}.parquet')"
        ).fetchall()
    return [row[0] for row in rows]


def flat(lists: Sequence[object]) -> set[str]:
    return {item for part in lists for item in part}  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def indexed(
    selection: SubgraphSelection, server: tuple[str, list[str]], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[str]]:
    """A project that its index was run on, and what the model was asked meanwhile."""
    url, asked = server
    begun = len(asked)
    folder = project(selection, tmp_path_factory.mktemp("graphrag") / "project", url, with_reports=False)
    graphrag(folder, "index", "--root", ".")
    return folder, asked[begun:]


def test_its_index_finds_every_node_and_edge(
    selection: SubgraphSelection, indexed: tuple[Path, list[str]]
) -> None:
    folder, asked = indexed
    tables = graphrag_tables(selection)
    ids = {row["id"] for row in tables["entities"]}
    assert set(column(folder, "entities", "id")) == ids
    assert set(column(folder, "relationships", "id")) == {row["id"] for row in tables["relationships"]}
    assert flat(column(folder, "communities", "entity_ids")) == ids
    prompts = "\n".join(asked)
    for row in tables["entities"]:
        assert row["title"] in prompts


@pytest.mark.parametrize("method", ["global", "local", "basic"])
def test_every_search_runs_on_what_it_indexed(
    indexed: tuple[Path, list[str]], server: tuple[str, list[str]], method: str
) -> None:
    folder, asked = indexed[0], server[1]
    begun = len(asked)
    answer = graphrag(folder, "query", "--root", ".", "--method", method, "What is glass bone disease?")
    assert TEXT in answer
    assert len(asked) > begun


def test_global_search_answers_from_our_reports_without_its_index(
    selection: SubgraphSelection, server: tuple[str, list[str]], tmp_path: Path
) -> None:
    url, asked = server
    folder = project(selection, tmp_path / "project", url, with_reports=True)
    begun = len(asked)
    answer = graphrag(folder, "query", "--root", ".", "--method", "global", "What is glass bone disease?")
    assert TEXT in answer
    prompts = "\n".join(asked[begun:])
    for report in report_communities(selection):
        assert report.title in prompts
    assert "Bones break easily." in prompts
