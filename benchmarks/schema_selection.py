"""How much of what a question needs is in the part of a schema that is chosen for it, by the tokens it may have.

    python benchmarks/schema_selection.py [--types 1500] [--seed 1]

Gold are the types, edge types and properties that the question's gold query names. Sets: CK25 and the biomedical
excerpt with their own schemas, and both with 1,500 types, of which all but their own are made. "All": questions of
which nothing is missing. Without vectors: words are compared by their letters alone.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from answers import CK25, HETIONET, QUESTIONS
from wide_schema import wide_schema

from askgraph import Graph, Settings, load_graph, open_graph
from askgraph.core.progress import SILENT
from askgraph.core.run import Run
from askgraph.core.schema import Schema
from askgraph.evaluation import read_questions
from askgraph.evaluation.gold import GoldQuestion
from askgraph.evaluation.plan_content import content_of_plan
from askgraph.evaluation.sparql_content import content_of_sparql
from askgraph.linking.language import language
from askgraph.linking.linker import Linker
from askgraph.linking.schema_relevance import SchemaRelevance
from askgraph.linking.schema_selection import select_schema
from askgraph.linking.schema_text import schema_text
from askgraph.linking.vocabulary import label_texts
from askgraph.models.estimates import estimated_tokens

BUDGETS = (500, 1_000, 2_000, 4_000)


def main() -> None:
    """Print the table."""
    arguments = _arguments()
    print(f"{'set':<28}{'types':>6}{'budget':>8}{'tokens':>8}{'terms':>8}{'all':>7}{'cpu ms':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name, graph, questions, spelling in _sets(Path(folder)):
            with graph:
                schemas = {
                    "": graph.schema(),
                    " wide": wide_schema(graph.schema(), arguments.types, arguments.seed),
                }
                for suffix, schema in schemas.items():
                    for vectors in arguments.vectors:
                        _measure(
                            f"{name}{suffix} {vectors}",
                            graph,
                            schema,
                            questions,
                            spelling,
                            vectors,
                            arguments,
                        )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--types", type=int, default=1_500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vectors", nargs="*", default=["minilm", "none"])
    parser.add_argument("--misses", action="store_true", help="show what was missing at 2,000 tokens")
    return parser.parse_args()


def _sets(folder: Path) -> Iterator[tuple[str, Graph, tuple[GoldQuestion, ...], str]]:
    settings = Settings.load(save_runs=False)
    ck25 = open_graph(CK25 / "graph" / "prod-inst.ttl", settings=settings)
    yield "CK25", ck25, read_questions(CK25 / "questions.yml").questions, "sparql"
    load_graph([HETIONET / "nodes.csv", HETIONET / "edges.csv"], folder / "hetionet.graph")
    hetionet = open_graph(folder / "hetionet.graph", settings=settings)
    yield "Hetionet", hetionet, read_questions(QUESTIONS / "hetionet.jsonl").questions, "cypher"


def _measure(
    name: str,
    graph: Graph,
    schema: Schema,
    questions: tuple[GoldQuestion, ...],
    spelling: str,
    vectors: str,
    arguments: argparse.Namespace,
) -> None:
    rules = language("en")
    embedder = graph._ready_embedder() if vectors == "minilm" else None
    texts = label_texts(schema)
    known = dict(zip(texts, embedder.embed(texts), strict=True)) if embedder is not None else {}
    relevance = SchemaRelevance(schema, rules, known, embedder)
    index = graph._open_index(Run("", graph=name, graph_version=""), SILENT)
    linker = Linker(index.names, index.values, schema, rules, None, index.edge_values)
    asked = [(question, linker.link(question.text), _gold(question, schema)) for question in questions]
    asked = [item for item in asked if item[2]]
    for budget in BUDGETS:
        found = wanted = whole = tokens = 0
        began = time.process_time()
        for question, linked, gold in asked:
            chosen = select_schema(
                schema, linked, relevance, schema_text(spelling), budget=budget, tokens=estimated_tokens
            )
            there = {item.id for item in (*chosen.schema.node_types, *chosen.schema.edge_types)}
            there |= {item.key for item in chosen.schema.properties}
            found, wanted = found + len(gold & there), wanted + len(gold)
            whole += gold <= there
            tokens += chosen.tokens
            if arguments.misses and budget == 2_000 and not gold <= there:
                print("   missing:", question.text, sorted(gold - there))
        cpu = 1_000 * (time.process_time() - began) / len(asked)
        row = f"{name:<28}{len(schema.node_types):>6}{budget:>8}{tokens // len(asked):>8}"
        print(f"{row}{found / wanted:>8.1%}{whole / len(asked):>7.0%}{cpu:>8.0f}", flush=True)


def _gold(question: GoldQuestion, schema: Schema) -> set[str]:
    query = question.query
    if query is None:
        return set()
    content: Any = (
        content_of_sparql(query.text, schema) if query.plan is None else content_of_plan(query.plan)
    )
    terms = {*content.types, *content.relations}
    return {term for term in terms if schema.label_of(term) != term or schema.has_node_type(term)} | {
        term for term in terms if schema.has_edge_type(term)
    }


if __name__ == "__main__":
    main()
