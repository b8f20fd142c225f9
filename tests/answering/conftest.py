"""What answers are written from in tests: a small company, and questions linked to it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.engine.conftest import company

from askgraph import Graph, Settings, load_graph, open_graph
from askgraph.core.budget import Budget
from askgraph.core.progress import SILENT
from askgraph.core.run import Run
from askgraph.linking.linker import LinkedQuestion
from askgraph.models.calls import ModelCalls
from askgraph.models.prompts.prompts import Prompts
from askgraph.models.scripted import Script, ScriptedModel

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

LinkQuestion = Callable[[str], LinkedQuestion]
MakeCalls = Callable[..., ModelCalls]


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings that keep nothing, and no embedder."""
    folder = tmp_path_factory.mktemp("askgraph")
    return Settings.load(
        save_runs=False, cache_dir=folder / "cache", data_dir=folder / "data", embedder="none"
    )


@pytest.fixture(scope="session")
def company_graph(settings: Settings) -> Iterator[Graph]:
    """The company, open."""
    with open_graph(company(), settings=settings) as graph:
        yield graph


@pytest.fixture(scope="session")
def hetionet(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    """The excerpt of Hetionet, open."""
    folder = tmp_path_factory.mktemp("hetionet") / "graph"
    examples = ROOT / "examples" / "hetionet"
    load_graph([examples / "nodes.csv", examples / "edges.csv"], folder)
    with open_graph(folder, settings=settings) as graph:
        yield graph


@pytest.fixture(scope="session")
def ck25(settings: Settings, ck25_turtle: Path) -> Iterator[Graph]:
    """CK25, open."""
    with open_graph(ck25_turtle, settings=settings) as graph:
        yield graph


@pytest.fixture(scope="session")
def linked(company_graph: Graph) -> LinkQuestion:
    """Links a question to the company."""

    def link(question: str) -> LinkedQuestion:
        run = Run(question, graph="company", graph_version="1")
        return company_graph._link(question, run, SILENT)

    return link


@pytest.fixture
def calls() -> MakeCalls:
    """Makes the calls of a run to a scripted model."""

    def make(script: Script, *, budget: Budget | None = None, context_window: int = 128_000) -> ModelCalls:
        run = Run("?", graph="company", graph_version="1")
        model = ScriptedModel(script, context_window=context_window)
        return ModelCalls(model, budget or Budget(), run, Prompts())

    return make
