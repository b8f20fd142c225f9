"""Path-aware traversal as a retriever: links in, facts out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ...core.budget import Budget
from ...core.evidence import Evidence, Fact
from ...core.graph import Edge
from ...core.run import Run
from ...core.schema import Schema
from ...linking.language import language
from ...linking.linked_question import LinkedQuestion
from ...models.base import Embedder
from ...stores.base import GraphStore
from ..provenance import provenance_of
from ..seeds import Seed, seeds_of
from .said_paths import SaidPaths
from .stopping import BALANCED, AdaptiveStopping
from .subgraph import Instance, Subgraph
from .template import Template, template_of_question
from .traversal import PathTraversal, Traversed
from .wording import SubgraphWords

MAX_HOPS: Final = 4
"""Steps of the longest path, unless the caller says otherwise."""
# Nodes of which the record of a run keeps the ids.
_MOST_RECORDED: Final = 500

TemplateMaker = Callable[[LinkedQuestion, Sequence[Seed], Budget, Run], Template]
"""Makes the template of a question that was linked to seeds."""


def question_as_template(
    question: LinkedQuestion, seeds: Sequence[Seed], budget: Budget, run: Run
) -> Template:
    """The template where there is no language model: the question itself."""
    return template_of_question(question.question.text)


class PathRetriever:
    """Finds the paths around what a question names that are most like it.

    Args:
        store: the graph.
        schema: its schema.
        embedder: tells what relations mean; ``None`` compares words alone.
        max_facts: facts given, at least one of each subgraph.
        stopping: when the traversal has enough.
        max_hops: the longest path, in steps.
        template: makes what paths are compared with.
    """

    name = "paths"

    def __init__(
        self,
        store: GraphStore,
        schema: Schema,
        embedder: Embedder | None,
        *,
        max_facts: int = 50,
        stopping: AdaptiveStopping = BALANCED,
        max_hops: int = MAX_HOPS,
        template: TemplateMaker = question_as_template,
    ) -> None:
        self._store = store
        self._max_facts = max_facts
        self._stopping = stopping
        self._template = template
        self._traversal = PathTraversal(store, schema, embedder, max_hops=max_hops)

    def retrieve(self, question: LinkedQuestion, budget: Budget, run: Run) -> Evidence:
        """See :class:`~askgraph.retrievers.base.Retriever`."""
        seeds = seeds_of(question, self._store, budget)
        if not seeds:
            return Evidence((), ("The question names nothing of the graph from which paths could begin.",))
        found = self.traverse(question, seeds, budget, run)
        return Evidence(tuple(self.facts(found.subgraphs)), found.notes)

    def traverse(
        self,
        question: LinkedQuestion,
        seeds: Sequence[Seed],
        budget: Budget,
        run: Run,
        template: Template | None = None,
    ) -> Traversed:
        """The subgraphs around some seeds that are most like ``template``, or the one made of the question; those first
        that go with its words besides, see :mod:`~askgraph.retrievers.traversal.said_paths`.

        Raises:
            DeadlineExceededError: nothing was found in time.
        """
        template = template or self._template(question, seeds, budget, run)
        with run.step("paths") as step:
            found = self._traversal.subgraphs(seeds, template, budget, stopping=self._stopping)
            found = replace(found, subgraphs=self.said_paths(question, seeds).ordered(found.subgraphs))
            step.note(
                template=template.text,
                relations=list(template.relations),
                seeds=[seed.name for seed in seeds],
                subgraphs=[
                    {
                        "path": item.path,
                        "probability": round(item.probability, 4),
                        "triples": len(item.triples),
                    }
                    for item in found.subgraphs
                ],
                round_trips=found.round_trips,
                hops=found.hops,
                reached_relations=list(
                    dict.fromkeys(triple.relation for item in found.subgraphs for triple in item.triples)
                ),
                reached_nodes=_nodes_in(found.subgraphs)[:_MOST_RECORDED],
            )
        return found

    def said_paths(self, question: LinkedQuestion, seeds: Sequence[Seed]) -> SaidPaths:
        """What the words of a question say of the subgraphs around its seeds."""
        return self._traversal.said_paths(question.question, language(question.language), seeds)

    def facts(self, subgraphs: Sequence[Subgraph]) -> list[Fact]:
        """The instances of subgraphs as facts, those of the most probable first: of each a few, then of the first as
        many more as there may be."""
        own_share = max(1, self._max_facts // max(1, len(subgraphs)))
        shares = [min(own_share, max(1, len(item.instances))) for item in subgraphs]
        for row, item in enumerate(subgraphs):
            left = self._max_facts - sum(shares)
            shares[row] += max(0, min(left, len(item.instances) - shares[row]))
        shown = [item.instances[:share] for item, share in zip(subgraphs, shares, strict=True)]
        edges = self._edges([instance for instances in shown for instance in instances])
        return [
            fact
            for item, instances in zip(subgraphs, shown, strict=True)
            for fact in self._facts_of(item, instances, edges)
        ][: self._max_facts]

    def _edges(self, instances: Sequence[Instance]) -> Mapping[str, Edge]:
        """What the graph says of the edges: qualifiers and provenance. Most endpoints say nothing of a triple."""
        if not self._store.capabilities.edge_properties:
            return {}
        ids = dict.fromkeys(
            triple.edge for instance in instances for triple in instance.triples if triple.edge is not None
        )
        return {edge.id: edge for edge in self._store.edges(list(ids))}

    def _facts_of(
        self, subgraph: Subgraph, instances: Sequence[Instance], edges: Mapping[str, Edge]
    ) -> Iterator[Fact]:
        words = SubgraphWords(subgraph, edges)
        for instance in instances:
            ids = [triple.edge for triple in instance.triples if triple.edge is not None]
            own_edges = [edges[id] for id in ids if id in edges]
            yield Fact(
                text=words.of_instance(instance),
                kind="path",
                score=subgraph.probability,
                retriever=self.name,
                step=subgraph.path,
                path=instance.path(words.values(instance.end)),
                elements=(*instance.nodes, *ids),
                provenance=provenance_of(own_edges),
            )
        if not subgraph.instances:
            yield from self._facts_of_seed(subgraph)

    def _facts_of_seed(self, subgraph: Subgraph) -> Iterator[Fact]:
        """What was read of the seed itself."""
        for node in dict.fromkeys(triple.source for triple in subgraph.triples):
            own = [triple for triple in subgraph.triples if triple.source == node]
            yield Fact(
                text="; ".join(triple.in_words() for triple in own),
                kind="row",
                score=subgraph.probability,
                retriever=self.name,
                step=subgraph.path,
                elements=(node,),
                row={triple.relation_name: triple.value for triple in own},
            )


def _nodes_in(subgraphs: Sequence[Subgraph]) -> list[str]:
    """The ids of the nodes of some subgraphs, those of the most probable first."""
    return list(
        dict.fromkeys(
            id
            for item in subgraphs
            for triple in item.triples
            for id in (triple.source, triple.target)
            if id is not None
        )
    )
