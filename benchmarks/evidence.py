"""How much of what a question of CK25 needs lies within the first facts around the nodes that its gold query names.

    python benchmarks/evidence.py [--facts 200]

No linking and no reading: paths are followed from the gold nodes as for any question, and each fact is one triple: an
edge on a path, or a property of a node that a path led to (``askgraph.retrievers.reading.route_facts``). Questions
whose gold query names a node are counted, by the share of the query's predicates that the facts have, and of its
answers that they hold.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path

from answers import CK25

from askgraph import Graph, Settings, load_graph, open_graph
from askgraph.core.budget import Budget
from askgraph.core.evidence import Mention
from askgraph.core.progress import SILENT
from askgraph.core.run import Run
from askgraph.core.values import display
from askgraph.evaluation import read_questions
from askgraph.evaluation.gold import GoldQuestion
from askgraph.evaluation.gold_answers import gold_of
from askgraph.evaluation.sparql_content import content_of_sparql
from askgraph.retrievers.hop_table import HopTable
from askgraph.retrievers.reading.route_facts import Triple, facts_of_routes
from askgraph.retrievers.reading.routes import Route, RouteFinder
from askgraph.retrievers.seeds import Seed
from askgraph.strategies.base import Parts
from askgraph.strategies.relevances import Relevances


def facts_around(graph: Graph, question: str, nodes: list[str], most: int) -> list[Triple]:
    """The first facts around some nodes, those of the best paths first."""
    schema = graph.schema()
    run = Run(question, graph="ck25", graph_version="")
    linked = graph._link(question, run, SILENT)
    parts = Parts(
        graph.store,
        schema,
        graph._open_index(run, SILENT),
        graph._ready_embedder(),
        graph.settings,
        graph._queries,
    )
    relevance, _ = Relevances(parts).of(linked)
    finder = RouteFinder(graph.store, schema, HopTable(schema), max_hops=3)
    asked = frozenset(schema.with_subtypes([link.id for link in linked.asked]))
    routes: list[Route] = []
    for node in graph.store.nodes(nodes):
        mentions = [link.mention for link in linked.things if link.id == node.id]
        mention = mentions[0] if mentions else Mention("", 0, 0)
        seed = Seed(mention, node.name, 1.0, (node.id,), node.types)
        routes += finder.from_seed(seed, relevance, asked, Budget())
    superlative = linked.form.superlative
    extreme = superlative.extreme if superlative is not None else None
    return facts_of_routes(graph.store, schema, routes, relevance, most, extreme=extreme)


def shares(graph: Graph, gold: GoldQuestion, most: int) -> tuple[float, float | None] | None:
    """The shares of predicates and of answers; ``None`` where the query names no node."""
    assert gold.query is not None
    content = content_of_sparql(gold.query.text, graph.schema())
    if not content.things:
        return None
    facts = facts_around(graph, gold.text, list(content.things), most)
    predicates = set(content.relations)
    reached = len(predicates & {fact[1] for fact in facts}) / len(predicates) if predicates else 1.0
    ends = {end for fact in facts for end in (fact[0], fact[2])}
    # A count or a truth is in no graph.
    is_made = content.forms & {"count", "yes/no", "figure"}
    answers = [] if is_made else list(gold_of(gold, graph.store, 60.0).items)
    held = [bool(ends.intersection((item.node or "", *map(display, item.forms)))) for item in answers]
    return reached, (sum(held) / len(held) if held else None)


def main() -> None:
    """Print the two shares."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--facts", type=int, default=200)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="askgraph-benchmark-") as scratch:
        folder = Path(scratch)
        load_graph([CK25 / "graph" / "prod-inst.ttl"], folder / "ck25.graph")
        settings = Settings.load(save_runs=False, cache_dir=folder / "cache")
        with open_graph(folder / "ck25.graph", settings=settings) as graph:
            questions = read_questions(CK25 / "questions.yml").questions
            found = [share for gold in questions if (share := shares(graph, gold, arguments.facts))]
    answers = [share for _, share in found if share is not None]
    print(f"{len(found)} questions, {len(answers)} with answers, {arguments.facts} facts")
    print(
        f"predicates {statistics.fmean(share for share, _ in found):.2f}  answers {statistics.fmean(answers):.2f}"
    )


if __name__ == "__main__":
    main()
