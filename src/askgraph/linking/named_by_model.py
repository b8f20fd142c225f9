"""Names that a model gives, looked up among the names of the graph: what is like none is linked to nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..core.evidence import Link, Mention
from ..indexes.names import NameMatch
from .name_meanings import NamesByMeaning
from .names import Names

LEAST_LIKENESS = 0.75
"""Of names that a graph does not have at most 1 in 40 reached this; see :class:`~askgraph.indexes.names.NameMatch`."""


@dataclass(frozen=True)
class LinkedNames:
    """What some names were resolved to.

    Attributes:
        links: the links, those of the first name first and of each name the best first; no node twice for one name.
        unlinked: the names that are like none in the graph, with the nearest ones.
    """

    links: tuple[Link, ...] = ()
    unlinked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def ids(self) -> tuple[str, ...]:
        """The nodes, each once."""
        return tuple(dict.fromkeys(link.id for link in self.links))


def link_names(
    texts: Sequence[str],
    names: Names,
    *,
    limit: int = 3,
    least: float = LEAST_LIKENESS,
    by_meaning: NamesByMeaning | None = None,
) -> LinkedNames:
    """Link names to nodes.

    Args:
        texts: what the model calls them; a name that comes twice counts once.
        names: the names of the graph.
        limit: nodes for one name. All that tie with the best one, up to four times as many, are kept beyond it: nothing
            tells them apart.
        least: how like a name must be.
        by_meaning: finds what is called otherwise, where names have vectors.
    """
    wanted = list(dict.fromkeys(text.strip() for text in texts if text.strip()))
    if not wanted:
        return LinkedNames()
    found = names.search(wanted, limit=4 * limit)
    links: list[Link] = []
    unlinked: dict[str, tuple[str, ...]] = {}
    for text, matches in zip(wanted, found, strict=True):
        kept = _kept(matches, limit, least)
        if not kept and by_meaning is not None:
            kept = [
                NameMatch(node.id, node.name, node.score, "meaning", node.types)
                for node in by_meaning.clearly_meant([text])[0]
            ]
        if not kept:
            unlinked[text] = tuple(match.name for match in matches[:3])
        links += [_link(text, match, matches.total) for match in kept]
    return LinkedNames(tuple(links), unlinked)


def _kept(matches: Sequence[NameMatch], limit: int, least: float) -> list[NameMatch]:
    good = [match for match in matches if match.score >= least]
    if good and good[0].score >= _MEANT:
        # It is written so: what is merely like it was not meant.
        return [match for match in good if match.score >= good[0].score]
    return good[:limit]


# From here on the name is the same but for case, accents, spacing and the like.
_MEANT = 0.97


def _link(text: str, match: NameMatch, total: int) -> Link:
    mention = Mention(text, 0, len(text))
    return Link(
        mention, "node", match.id, match.name, match.score, match.kind, match.types, max(0, total - 1)
    )
