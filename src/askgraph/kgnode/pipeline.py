"""The whole way: question, seeds, subgraphs, SPARQL, answer."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ..core.errors import DeadlineExceededError
from ..retrievers.seed_discovery.discovery import SeedNode
from ..retrievers.seeds import Seed
from ..retrievers.traversal.subgraph import Subgraph
from .answers import Finding, answer_of, find
from .config import KGConfig
from .log import logger
from .seeds import SearchMode, find_seeds, mode_of, seed_as_dict
from .session import Session
from .subgraphs import find_subgraphs, seeds_of_nodes, subgraph_as_dict, template_of

# Decimals by which probabilities of equal paths agree; such paths keep the order in which they were found.
_SAME = 6


class GeneratedAnswer(dict[str, Any]):
    """An answer with what it rests on: ``answer``, ``citations`` (ids of nodes), ``facts``, ``confidence`` (0 to 1),
    ``sparql_used``, ``notes`` and ``raw_results``, which is what :func:`kg_retrieve` gave. Printed, it is the answer
    and its facts."""

    def __str__(self) -> str:
        """The answer, and the facts that it rests on."""
        facts = [f"[{number}] {fact}" for number, fact in enumerate(self["facts"], start=1)]
        return "\n".join([self["answer"], *facts])


@dataclass
class _Retrieval:
    """What was found so far."""

    session: Session
    timing: dict[str, float] = field(default_factory=dict)
    seeds: list[SeedNode] = field(default_factory=list)
    subgraphs: list[Subgraph] = field(default_factory=list)
    template: str = ""
    finding: Finding | None = None
    stage: str = "seed_finding"

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        self.stage = stage
        began = time.perf_counter()
        try:
            yield
        finally:
            self.timing[stage] = time.perf_counter() - began
            logger.info("%s: %.0f ms", stage, 1000 * self.timing[stage])


def kg_retrieve(
    query: str,
    config: KGConfig | None = None,
    n_seed_results: int = 3,
    max_hops: int | None = None,
    search_mode: SearchMode | str = SearchMode.hybrid,
) -> dict[str, Any]:
    """Seeds, subgraphs, and the rows of the SPARQL query that a question comes to.

    Args:
        query: the question.
        config: says where the graph is, which models are used, and when a traversal has enough.
        n_seed_results: the most seeds for each thing named.
        max_hops: the longest path.
        search_mode: how names are looked up; see :func:`~askgraph.kgnode.get_seed_nodes`.

    Returns:
        ``success``, ``sparql``, ``results`` (rows as mappings), ``subgraphs`` and ``seed_nodes`` in the shapes of the
        functions that find them, ``template``, ``timing`` (seconds for each stage and in ``total``), ``notes``, and
        ``failure_stage``. Without success ``failure_reason`` says why, and what was found until then is there.

    Raises:
        OpenError: the graph is not reached.
        PlanError: an empty question.
        UnsafeSparqlError: the model wrote a query that the gate refuses.
    """
    return _as_dict(
        _retrieved(Session(query, config or KGConfig.default()), n_seed_results, max_hops, search_mode)
    )


def generate_answer(
    query: str,
    config: KGConfig | None = None,
    n_seed_results: int = 3,
    max_hops: int | None = None,
    search_mode: SearchMode | str = SearchMode.hybrid,
) -> GeneratedAnswer:
    """The answer to a question, with its citations. Where the graph does not tell, the answer says so.

    Takes and raises what :func:`kg_retrieve` does; :class:`ModelError` too, where the model fails that is to write the
    answer.
    """
    session = Session(query, config or KGConfig.default())
    found = _retrieved(session, n_seed_results, max_hops, search_mode)
    raw = _as_dict(found)
    answer = answer_of(session, found.finding, found.subgraphs)
    return GeneratedAnswer(
        answer=answer.text,
        citations=list(
            dict.fromkeys(
                element
                for fact in answer.facts
                for element in (fact.path.node_ids if fact.path is not None else fact.elements)
            )
        ),
        facts=[fact.text for fact in answer.facts],
        confidence=answer.confidence,
        sparql_used=raw["sparql"] or "",
        notes=list(dict.fromkeys([*raw["notes"], *answer.notes])),
        raw_results=raw,
    )


def _retrieved(
    session: Session, n_seed_results: int, max_hops: int | None, search_mode: SearchMode | str
) -> _Retrieval:
    mode = mode_of(search_mode)
    found = _Retrieval(session)
    with found.timed("seed_finding"):
        found.seeds, _ = find_seeds(session, n_seed_results, mode)
    with found.timed("subgraph_extraction"):
        _extract(found, max_hops)
    with found.timed("sparql_generation"):
        found.finding = find(session, found.seeds, found.subgraphs)
    return found


def _extract(found: _Retrieval, max_hops: int | None) -> None:
    session = found.session
    ids = list(dict.fromkeys(seed.node for seed in found.seeds))
    seeds: Sequence[Seed] = seeds_of_nodes(session, ids)
    if not seeds:
        return
    template = template_of(session, seeds)
    found.template = template.text
    for node in ids:
        try:
            traversed = find_subgraphs(session, node, ids, max_hops, template)
        except DeadlineExceededError as error:
            session.note(f"Not all seeds were followed: {error.message}.")
            break
        found.subgraphs += traversed.subgraphs
        for note in traversed.notes:
            session.note(note)
    found.subgraphs.sort(key=lambda item: -round(item.probability, _SAME))


def _as_dict(found: _Retrieval) -> dict[str, Any]:
    finding = found.finding
    rows = finding.rows if finding is not None else []
    reason = _failure(found)
    return {
        "success": not reason,
        "sparql": finding.sparql if finding is not None else None,
        "results": rows,
        "subgraphs": [subgraph_as_dict(item, found.session) for item in found.subgraphs],
        "seed_nodes": [seed_as_dict(seed) for seed in found.seeds],
        "template": found.template,
        "timing": {**found.timing, "total": sum(found.timing.values())},
        "notes": list(dict.fromkeys(found.session.notes)),
        "failure_stage": reason[0] if reason else None,
        "failure_reason": reason[1] if reason else None,
    }


def _failure(found: _Retrieval) -> tuple[str, str] | None:
    """At which stage it ended without a result, and why; ``None`` where there is one."""
    if found.finding is not None and found.finding.rows:
        return None
    if not found.seeds:
        return "seed_finding", "The question names nothing that the graph has."
    if not found.subgraphs:
        return "subgraph_extraction", "No path leads on from what the question names."
    reason = found.finding.reason if found.finding is not None else ""
    return "sparql_execution", reason or "No query found anything."
