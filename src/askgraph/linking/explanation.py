"""Why words were linked as they were: for each mention what else is called so or nearly so, and why not that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ..core.evidence import Link, Mention
from ..core.linked_text import LinkCandidate, LinkedMention, LinkedText
from .linker import LinkedQuestion
from .names import Names

MOST_CANDIDATES: Final = 5


def explain_links(
    linked: LinkedQuestion, names: Names, values: Names, *, limit: int = MOST_CANDIDATES
) -> LinkedText:
    """A linked question with what came into question for each mention.

    Args:
        linked: the question and its links.
        names, values: the indexes that it was linked with.
        limit: how many candidates are shown for a mention, the chosen ones apart.
    """
    named = (*linked.things, *linked.edge_values)
    things = {link.mention: [other for other in named if other.mention == link.mention] for link in named}
    unlinked = {item.mention: item.reason for item in linked.unlinked}
    wanted = [*things, *unlinked, *_open_words(linked, [*things, *unlinked])]
    candidates = dict(zip(wanted, _candidates(wanted, names, values, limit), strict=True))
    mentions = [
        LinkedMention(mention, tuple(links), _with_chosen(links, candidates[mention], limit))
        for mention, links in things.items()
    ]
    mentions += [
        LinkedMention(mention, (), candidates[mention], unlinked.get(mention) or _reason(candidates[mention]))
        for mention in wanted
        if mention not in things
    ]
    mentions += _schema_mentions(linked.terms)
    return LinkedText(
        linked.question.text,
        tuple(sorted(mentions, key=lambda item: (item.mention.start, -item.mention.end, not item.links))),
    )


def _open_words(linked: LinkedQuestion, taken: Sequence[Mention]) -> list[Mention]:
    """The content words that no mention covers, each for itself."""
    covered = [*taken, *(link.mention for link in linked.terms)]
    found = []
    for place in linked.places:
        mention = linked.question.mention(place, place + 1)
        if not any(mention.overlaps(other) for other in covered):
            found.append(mention)
    return found


def _candidates(
    mentions: Sequence[Mention], names: Names, values: Names, limit: int
) -> list[tuple[LinkCandidate, ...]]:
    texts = [mention.text for mention in mentions]
    found = zip(names.search(texts, limit=limit), values.search(texts, limit=limit), strict=True)
    return [
        tuple(
            sorted(
                [
                    *(LinkCandidate("node", item.id, item.name, item.score, item.types) for item in nodes),
                    *(LinkCandidate("value", item.id, item.name, item.score) for item in texts_of_values),
                ],
                key=lambda item: -item.score,
            )[:limit]
        )
        for nodes, texts_of_values in found
    ]


def _with_chosen(
    links: Sequence[Link], candidates: Iterable[LinkCandidate], limit: int
) -> tuple[LinkCandidate, ...]:
    """What was chosen, then what was not."""
    chosen = [
        LinkCandidate(link.kind, link.id, link.name, link.score, link.types, chosen=True)
        for link in links[:limit]
    ]
    taken = {(link.kind, link.id) for link in links}
    return (*chosen, *(item for item in candidates if (item.kind, item.id) not in taken))


def _reason(candidates: Sequence[LinkCandidate]) -> str:
    """Why not, for a word that does not look like a name: what it says of relations is weighed when paths are."""
    if not candidates:
        return "nothing in the graph is called so; it may still speak of a relation or property"
    nearest = f"the nearest name, {candidates[0].name!r}, is not near enough for a word in small letters"
    return f"{nearest}; it may still speak of a relation"


def _schema_mentions(terms: Sequence[Link]) -> list[LinkedMention]:
    mentions = dict.fromkeys(link.mention for link in terms)
    return [
        LinkedMention(mention, tuple(link for link in terms if link.mention == mention))
        for mention in mentions
    ]
