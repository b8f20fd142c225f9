"""Walking a graph from nodes: one hop, several, along metapaths, by shortest paths; both directions, within bounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from ..core.budget import Budget
from ..core.graph import Node, Path
from ..core.words import normalize
from ..engine import Graph
from ..retrievers.exploring.metapath_text import MetapathReader
from ..retrievers.exploring.metapaths import MetapathRetriever
from ..retrievers.exploring.shortest_paths import ShortestPathRetriever
from ..retrievers.walks import path_facts, path_of, read_hops
from .graphs import GraphLike, graph_of, ids_of
from .verbalizers import Triplet


class GTraversal:
    """Walks one graph. Nodes are given by id or by name.

    Args:
        graph_store: an open graph, or a store.
        max_neighbors: neighbours that are followed from one node.
    """

    def __init__(self, graph_store: GraphLike, max_neighbors: int = 1_000) -> None:
        self.graph_store = graph_store
        self.max_neighbors = max_neighbors

    @cached_property
    def graph(self) -> Graph:
        """The graph that is walked."""
        return graph_of(self.graph_store)

    def one_hop_expand(self, source_nodes: Iterable[str | Node]) -> list[Node]:
        """The nodes one hop away, each once; not the sources themselves."""
        graph = self.graph
        ids = ids_of(graph, source_nodes)
        read = read_hops(graph.store, ids, "both", None, self.max_neighbors, self._budget())
        reached = dict.fromkeys(item.target for item in read.crossings if item.target not in ids)
        return list(graph.store.nodes(list(reached)))

    def one_hop_triplets(self, source_nodes: Iterable[str | Node]) -> list[Triplet]:
        """The triples of these nodes, each once, in the direction of its edge."""
        return self.multi_hop_triplets(source_nodes, hop=1)

    def multi_hop_triplets(self, source_nodes: Iterable[str | Node], hop: int = 2) -> list[Triplet]:
        """The triples within so many hops of these nodes, the nearest first, each once."""
        graph, budget = self.graph, self._budget()
        frontier = ids_of(graph, source_nodes)
        seen = set(frontier)
        paths: dict[tuple[str, str, str], Path] = {}
        for _ in range(hop):
            budget.check("reading triples")
            read = read_hops(graph.store, frontier, "both", None, self.max_neighbors, budget)
            for crossing in read.crossings:
                ends = (crossing.origin, crossing.target)
                source, target = ends if crossing.forward else ends[::-1]
                paths.setdefault((source, crossing.type, target), path_of([crossing], graph.schema()))
            frontier = [id for id in dict.fromkeys(item.target for item in read.crossings) if id not in seen]
            seen.update(frontier)
        return [Triplet(path) for path in self._named(list(paths.values()))]

    def follow_paths(
        self, source_nodes: Iterable[str | Node], metapaths: Iterable[str | Sequence[str]]
    ) -> list[Path]:
        """The paths along metapaths: ``"HAS_MANAGER -> MEMBER_OF"``, or the relations as a list.

        Raises:
            PlanError: a metapath names what the schema does not have.
        """
        from ..core.errors import PlanError

        graph, budget = self.graph, self._budget()
        reader = MetapathReader(graph.schema())
        retriever = MetapathRetriever(graph.store, graph.schema(), max_facts=budget.rows)
        sources = ids_of(graph, source_nodes)
        found: list[Path] = []
        for metapath in metapaths:
            read = reader.read(metapath if isinstance(metapath, str) else " -> ".join(metapath))
            if read.problem:
                raise PlanError(read.problem)
            own = [id for id in sources if not read.starts or self._is_called(graph, id, read.starts)]
            if read.starts and not own:
                raise PlanError(reader.unknown(read.starts[0]))
            facts = retriever.follow(read, own, budget).evidence.facts
            found += [fact.path for fact in facts if fact.path is not None]
        return found

    def shortest_paths(
        self,
        source_nodes: Iterable[str | Node],
        target_nodes: Iterable[str | Node],
        max_distance: int | None = None,
    ) -> list[Path]:
        """One shortest path for each pair of a source and a target, the shortest first.

        ``max_distance``: edges that a path may have; the setting ``max_hops`` otherwise.
        """
        graph = self.graph
        retriever = ShortestPathRetriever(graph.store, graph.schema(), max_hops=graph.settings.max_hops)
        sources, targets = ids_of(graph, source_nodes), ids_of(graph, target_nodes)
        evidence = retriever.between(sources, targets, self._budget(), max_hops=max_distance)
        return [fact.path for fact in evidence.facts if fact.path is not None]

    def _named(self, paths: Sequence[Path]) -> list[Path]:
        facts = path_facts(self.graph.store, [(path, 1.0) for path in paths], retriever="traversal")
        return [fact.path for fact in facts if fact.path is not None]

    def _is_called(self, graph: Graph, id: str, names: Sequence[str]) -> bool:
        wanted = {normalize(name) for name in names}
        return any(normalize(name.text) in wanted for node in graph.store.nodes([id]) for name in node.names)

    def _budget(self) -> Budget:
        from dataclasses import replace

        return replace(self.graph.settings.budget(), fan_out=self.max_neighbors)
