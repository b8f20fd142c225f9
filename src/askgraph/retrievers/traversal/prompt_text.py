"""Subgraphs as a model reads them that is to write a query: ids, and the patterns that they match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ..seed_discovery.discovery import SeedNode
from .subgraph import Subgraph

_SUBGRAPHS: Final = 8
_EXAMPLES: Final = 2
_SEEDS: Final = 10


def nearby_text(seeds: Iterable[SeedNode], subgraphs: Sequence[Subgraph], *, sparql: bool) -> str:
    """What was found around the seeds of a question, a line each: the seeds, then the paths of the most probable
    subgraphs with the pattern that finds them and a few of their instances. Empty where nothing was found."""
    lines = [f"{seed.entity.name!r} may be {_id(seed.node, sparql)} ({seed.description})" for seed in seeds]
    return "\n".join([*lines[:_SEEDS], *_paths(subgraphs, sparql)])


def _paths(subgraphs: Sequence[Subgraph], sparql: bool) -> Iterator[str]:
    for subgraph in subgraphs[:_SUBGRAPHS]:
        pattern = f": {_pattern(subgraph)}" if sparql else ""
        yield f"{subgraph.path}{pattern}"
        for instance in subgraph.instances[:_EXAMPLES]:
            yield "  for example " + "; ".join(triple.in_words() for triple in instance.triples)


def _pattern(subgraph: Subgraph) -> str:
    """The triple patterns of a path. Its property at the end, if one fits, is the last of them."""
    here = f"<{subgraph.seed[0]}>"
    parts = []
    for number, kind in enumerate(subgraph.kinds, start=1):
        there = f"?n{number}"
        subject, object = (here, there) if kind.forward else (there, here)
        parts.append(f"{subject} <{kind.type}> {object} .")
        here = there
    parts += [f"{here} <{key}> ?value ." for key in subgraph.end_properties[:1]]
    return " ".join(parts)


def _id(node: str, sparql: bool) -> str:
    return f"<{node}>" if sparql else node
