"""How much of what a question of CK25 needs lies within the first facts around the nodes that its gold query names.

    python benchmarks/evidence.py [--facts 200]

No linking and no reading: paths are followed from the gold nodes as for any question, the best first, and each fact is
one triple (an edge on a path, or a property of a node that a path led to). Questions whose gold query names a node are
counted, by the share of the query's predicates that the facts have, and of its answers that they hold.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Iterator
from itertools import islice
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
from askgraph.retrievers.relevance import Relevance
from askgraph.retrievers.routes import Route, RouteFinder
from askgraph.retrievers.seeds import Seed

Fact = tuple[str, str, str]


def facts_around(graph: Graph, question: str, nodes: list[str], most: int) -> list[Fact]:
    """The first facts around some nodes, those of the best paths first."""
    schema = graph.schema()
    run = Run(question, graph="ck25", graph_version="")
    linked = graph._link(question, run, SILENT)
    relevance, _ = graph._strategy("reading", graph._open_index(run, SILENT))._relevance(linked)
    finder = RouteFinder(graph.store, schema, HopTable(schema), max_hops=3)
    asked = frozenset(schema.with_subtypes([link.id for link in linked.asked]))
    routes: list[Route] = []
    for node in graph.store.nodes(nodes):
        mentions = [link.mention for link in linked.things if link.id == node.id]
        mention = mentions[0] if mentions else Mention("", 0, 0)
        seed = Seed(mention, node.name, 1.0, (node.id,), node.types)
        routes += finder.from_seed(seed, relevance, asked, Budget())
    routes.sort(key=lambda route: (-route.score.total, repr(route.hops)))
    found: dict[Fact, None] = {}
    for fact in _facts(graph, routes, relevance):
        found[fact] = None
        if len(found) >= most:
            break
    return list(found)


def _facts(graph: Graph, routes: list[Route], relevance: Relevance) -> Iterator[Fact]:
    """Of each path its edges, with the property of its end that fits the question best; then all other properties."""
    for best_only in (True, False):
        for route in routes:
            for end in route.ends:
                path = route.path_to(end)
                here = path.start
                for hop in path.hops:
                    yield (here, hop.type, str(hop.target))
                    here = str(hop.target)
                yield from _properties(graph, end, relevance, best_only=best_only)


def _properties(graph: Graph, node: str, relevance: Relevance, *, best_only: bool) -> Iterator[Fact]:
    (found,) = graph.store.nodes([node])
    schema = graph.schema()
    keys = sorted(
        found.properties,
        key=lambda key: -float(relevance.matcher.explained(schema.label_of(key)).max(initial=0.0)),
    )
    for key in islice(keys, 1 if best_only else None):
        value = found.properties[key]
        for item in value if isinstance(value, list) else [value]:
            yield (node, key, display(item))


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
