"""Subgraphs around a seed, in the documented shapes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..core.errors import ModelError
from ..core.evidence import Mention
from ..core.values import display
from ..linking.detection import detect_language
from ..linking.language import language
from ..linking.question import Question
from ..retrievers.seeds import Seed
from ..retrievers.traversal.model_template import ModelTemplates
from ..retrievers.traversal.retriever import MAX_HOPS
from ..retrievers.traversal.subgraph import Subgraph
from ..retrievers.traversal.template import Template, template_of_question
from ..retrievers.traversal.traversal import PathTraversal, Traversed
from .config import KGConfig
from .log import logger
from .session import Session

SeedLike = str | Mapping[str, Any]
"""A seed: the id of a node, or what :func:`~askgraph.kgnode.get_seed_nodes` gives."""


def get_subgraphs(
    seed_node: SeedLike,
    query: str,
    config: KGConfig | None = None,
    max_hops: int | None = None,
    seed_nodes: Sequence[SeedLike] | None = None,
) -> tuple[list[dict[str, Any]], str]:
    """The subgraphs around one seed that fit a question best.

    Args:
        seed_node: the id of the node where paths begin.
        query: the question.
        config: says where the graph is, which models are used, and when it is enough.
        max_hops: the longest path; what the configuration says otherwise, or four.
        seed_nodes: the other seeds: a path that meets one of them is the more probable.

    Returns:
        The subgraphs, the most probable first, and the template that they were compared with. Each subgraph has its
        ``probability``, its ``path`` in words, its ``path_depth``, its ``nodes``, its edges as ``triplet_uris``
        (source, relation and target) and in words as ``triples``, its ``literals`` (node, property, value), and
        ``path_with_label``: one instance of the path as (id, label, type, whether it is a node).

    Raises:
        OpenError: the graph is not reached.
        DeadlineExceededError: the time was up before anything was found.
    """
    session = Session(query, config or KGConfig.default())
    traversed = find_subgraphs(session, seed_node, seed_nodes or (), max_hops)
    return [subgraph_as_dict(item, session) for item in traversed.subgraphs], traversed.template.text


def find_subgraphs(
    session: Session,
    seed_node: SeedLike,
    others: Iterable[SeedLike] = (),
    max_hops: int | None = None,
    template: Template | None = None,
) -> Traversed:
    """What a traversal from one seed finds: the most probable first, of equals those that go with the words."""
    parts, config = session.parts, session.config
    seeds = seeds_of_nodes(session, [seed_node, *others])
    own = [seed for seed in seeds if seed.nodes[0] == id_of(seed_node)]
    traversal = PathTraversal(parts.store, parts.schema, parts.embedder)
    with session.run.step("paths") as step:
        found = traversal.subgraphs(
            own,
            template or template_of(session, seeds),
            session.budget,
            stopping=config.stopping,
            max_hops=max_hops or config.max_hops or MAX_HOPS,
            others=[seed for seed in seeds if seed not in own],
        )
        step.note(subgraphs=len(found.subgraphs), round_trips=found.round_trips, hops=found.hops)
    text, code = session.run.question, session.graph.settings.language
    rules = language(detect_language(text) if code == "auto" else code)
    said = traversal.said_paths(Question.parse(text, rules), rules, own)
    found = replace(found, subgraphs=said.equals_ordered(found.subgraphs))
    logger.debug(
        "%d subgraphs from %s in %d round trips", len(found.subgraphs), id_of(seed_node), found.round_trips
    )
    return found


def template_of(session: Session, seeds: Sequence[Seed]) -> Template:
    """What paths are compared with: a path that the model thinks up, else, and where it fails, the question."""
    if session.model is None:
        return template_of_question(session.run.question)
    maker = ModelTemplates(session.parts.schema_chooser, lambda budget, run: session.calls)
    try:
        return maker(session.linked(), seeds, session.budget, session.run)
    except ModelError as error:
        session.note(
            f"The model made no template, so paths were compared with the question: {error.message}."
        )
        return template_of_question(session.run.question)


def seeds_of_nodes(session: Session, nodes: Iterable[SeedLike]) -> list[Seed]:
    """Seeds of the nodes that the graph has, each once; named where the question has their names as they are."""
    text = session.run.question
    ids = list(dict.fromkeys(map(id_of, nodes)))
    return [
        Seed(_mention_of(node.name, text), node.name, 1.0, (node.id,), node.types)
        for node in session.parts.store.nodes(ids)
    ]


def _mention_of(name: str, text: str) -> Mention:
    """Where a question has a name; nowhere, if it is written in another way."""
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)
    return Mention(found[0], *found.span()) if found else Mention("", 0, 0)


def id_of(seed: SeedLike) -> str:
    """The id of a seed."""
    return seed if isinstance(seed, str) else str(seed["entity_uri"])


def subgraph_as_dict(subgraph: Subgraph, session: Session) -> dict[str, Any]:
    """A subgraph in the documented shape."""
    edges = [triple for triple in subgraph.triples if triple.target is not None]
    nodes = dict.fromkeys(
        [*subgraph.seed, *(end for item in edges for end in (item.source, item.target or ""))]
    )
    return {
        "probability": subgraph.probability,
        "path": subgraph.path,
        "path_depth": subgraph.depth,
        "nodes": list(nodes),
        "triplet_uris": [(item.source, item.relation, item.target) for item in edges],
        "triples": [item.in_words() for item in subgraph.triples],
        "literals": [
            (item.source, item.relation, display(item.value))
            for item in subgraph.triples
            if item.target is None
        ],
        "path_with_label": _labelled(subgraph, session),
    }


def _labelled(subgraph: Subgraph, session: Session) -> list[tuple[str, str, str, bool]]:
    if not subgraph.instances:
        return [(node, node, "", True) for node in subgraph.seed]
    path = subgraph.instances[0].path()
    types = [None, *(kind.end for kind in subgraph.kinds)]
    start = subgraph.kinds[0].start
    labels = [session.parts.schema.label_of(kind) if kind else "" for kind in [start, *types[1:]]]
    found = [(path.start, path.start_name, labels[0], True)]
    for hop, label in zip(path.hops, labels[1:], strict=True):
        found.append((hop.type, hop.label, "", False))
        found.append((hop.target or "", hop.target_name, label, True))
    return found
