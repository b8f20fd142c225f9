"""Names to nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.errors import SettingsError
from ..core.evidence import Link, Mention
from ..linking.named_by_model import LinkedNames
from .indexing import EntityMatcher


class EntityLinker:
    """Links names to nodes by a matcher: that of a :class:`FuzzyStringIndex`, a :class:`SemanticIndex`, or any object
    with ``retrieve(queries, topk)``.

    Args:
        retriever: the matcher.
        topk: nodes for one name.
    """

    def __init__(self, retriever: EntityMatcher | None = None, topk: int = 3) -> None:
        self.retriever = retriever
        self.topk = topk

    def link(
        self,
        query_extracted_entities: Sequence[str],
        retriever: EntityMatcher | None = None,
        topk: int | None = None,
        id_selector: Sequence[str] | None = None,
        return_dict: bool = True,
    ) -> dict[str, list[dict[str, Any]]] | list[str]:
        """Link names.

        Args:
            query_extracted_entities: the names; one that comes twice counts once.
            retriever: the matcher for this time.
            topk: nodes for one name, for this time.
            id_selector: only these nodes.
            return_dict: whether hits with their scores are given, under ``hits``; else only ids.

        Raises:
            SettingsError: there is no matcher.
        """
        links = self.links(query_extracted_entities, retriever, topk, id_selector).links
        if not return_dict:
            return list(dict.fromkeys(link.id for link in links))
        return {
            "hits": [
                {
                    "entity": link.mention.text,
                    "document": link.name,
                    "document_id": link.id,
                    "match_score": round(link.score, 4),
                }
                for link in links
            ]
        }

    def links(
        self,
        names: Sequence[str],
        retriever: EntityMatcher | None = None,
        topk: int | None = None,
        id_selector: Sequence[str] | None = None,
    ) -> LinkedNames:
        """The same as links: those of the first name first, of each name the best first."""
        matcher = retriever or self.retriever
        if matcher is None:
            raise SettingsError(
                "there is nothing to match names by", advice="EntityLinker(index.as_entity_matcher())"
            )
        wanted = list(dict.fromkeys(name.strip() for name in names if name.strip()))
        if not wanted:
            return LinkedNames()
        only = None if id_selector is None else frozenset(id_selector)
        most = self.topk if topk is None else topk
        # Of those that are asked for there may be few among the best.
        found = matcher.retrieve(wanted, most if only is None else max(most, len(only)))
        links: list[Link] = []
        unlinked: dict[str, tuple[str, ...]] = {}
        for name, hits in zip(wanted, found, strict=True):
            kept = [hit for hit in hits if only is None or hit["document_id"] in only][:most]
            if not kept:
                unlinked[name] = ()
            links += [
                Link(
                    Mention(name, 0, len(name)),
                    "node",
                    str(hit["document_id"]),
                    str(hit["document"]),
                    float(hit.get("match_score", 1.0)),
                    "matched",
                )
                for hit in kept
            ]
        return LinkedNames(tuple(links), unlinked)
