"""Seed nodes: hybrid discovery in the documented shapes."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from ..core.errors import ModelError, SettingsError
from ..retrievers.seed_discovery.discovery import SeedDiscovery, SeedNode
from ..retrievers.seed_discovery.entities import NamedEntity, entities_of
from ..retrievers.seed_discovery.extraction import extract_entities
from .config import KGConfig
from .log import logger
from .session import Session


class SearchMode(StrEnum):
    """How names are looked up: by what they mean, by how they are written, or both."""

    hybrid = "hybrid"
    semantic = "semantic"
    keyword = "keyword"


def get_seed_nodes(
    query: str,
    n_results: int = 3,
    config: KGConfig | None = None,
    search_mode: SearchMode | str = SearchMode.hybrid,
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The nodes that a question names.

    Args:
        query: the question.
        n_results: the most nodes for each thing named.
        config: says where the graph is, and which models are used.
        search_mode: ``"hybrid"``, ``"keyword"`` or ``"semantic"``. Names are found by meaning only where the graph has
            vectors of its names; elsewhere all three look them up by how they are written.

    Returns:
        The seed nodes, for each thing named the best first, with ``entity_uri``, ``label``, ``source`` (``"keyword"``
        or ``"semantic"``), ``score`` (0 to 1), ``description``, ``entity_from`` and ``entity_types``; and the things
        named, with ``name`` and ``types``.

    Raises:
        OpenError: the graph is not reached.
        PlanError: an empty question.
        SettingsError: a mode that does not exist.
    """
    mode = mode_of(search_mode)
    session = Session(query, config or KGConfig.default())
    seeds, entities = find_seeds(session, n_results, mode)
    return [seed_as_dict(seed) for seed in seeds], [entity_as_dict(entity) for entity in entities]


def mode_of(name: SearchMode | str) -> SearchMode:
    """The mode of that name. Raises :class:`SettingsError` if there is none."""
    if name not in set(SearchMode):
        known = ", ".join(SearchMode)
        raise SettingsError(f"there is no search mode {name!r}", advice=f"There are: {known}.")
    return SearchMode(name)


def find_seeds(
    session: Session, limit: int, mode: SearchMode = SearchMode.hybrid
) -> tuple[list[SeedNode], list[NamedEntity]]:
    """The seeds of a session's question, and what it names."""
    entities = _entities(session)
    parts = session.parts
    by_meaning = parts.index.by_meaning(parts.embedder)
    if by_meaning is None and mode is SearchMode.semantic:
        session.note(
            "Names of this graph have no vectors, so they were looked up by how they are written; "
            "`askgraph index GRAPH --name-vectors` makes vectors."
        )
    semantic = None if by_meaning is None else by_meaning.search
    discovery = SeedDiscovery(parts.store, parts.schema, parts.index.names, semantic)
    with session.run.step("seeds") as step:
        seeds = discovery.discover(entities, limit=limit, mode=mode.value)
        step.note(seeds=[f"{seed.entity.name} -> {seed.node} ({seed.score:.2f})" for seed in seeds])
    for seed in seeds:
        logger.debug("seed for %r: %s %s (%.2f)", seed.entity.name, seed.node, seed.label, seed.score)
    return seeds, entities


def _entities(session: Session) -> list[NamedEntity]:
    """What the question names: by the model, else, and where it fails, by the words that names of the graph have."""
    question = session.linked()
    by_names = list(entities_of(question, session.parts.schema))
    if session.model is None:
        return by_names
    try:
        found = extract_entities(question, session.parts.schema_chooser, session.calls)
    except ModelError as error:
        session.note(f"The model named nothing, so names of the graph were looked for: {error.message}.")
        return by_names
    return list(found.entities) or by_names


def seed_as_dict(seed: SeedNode) -> dict[str, Any]:
    """A seed in the documented shape."""
    return {
        "entity_uri": seed.node,
        "label": seed.label,
        "source": seed.source,
        "score": round(seed.score, 4),
        "description": seed.description,
        "entity_from": seed.entity.name,
        "entity_types": list(seed.entity.guesses),
    }


def entity_as_dict(entity: NamedEntity) -> dict[str, Any]:
    """Something named, in the documented shape."""
    return {"name": entity.name, "types": list(entity.guesses)}
