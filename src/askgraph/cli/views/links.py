"""What the words of a text name, on a page."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rich.text import Text

from ...core.evidence import Link, LinkKind
from ...core.linked_text import LinkCandidate, LinkedMention, LinkedText
from ...core.words import local_name, quantity
from ..page import Page

_MOST_LINKS = 10


def show_linked_text(linked: LinkedText, page: Page) -> list[Text]:
    """Each mention with what it was linked to, the score and the name that matched; then what was not, and why."""
    if not linked.mentions:
        return page.paragraph("No word of the text may name anything in the graph.")
    lines: list[Text] = []
    for mention in linked.mentions:
        if mention.links:
            lines += [*_heading(mention, page, "bold"), *_linked(mention, page)]
        else:
            lines += [*_heading(mention, page, "yellow"), *_unlinked(mention, page)]
    return lines


def _heading(mention: LinkedMention, page: Page, style: str) -> list[Text]:
    return page.paragraph(mention.mention.text, style=style)


def _linked(mention: LinkedMention, page: Page) -> list[Text]:
    lines = [line for link in mention.links[:_MOST_LINKS] for line in _link(link, page)]
    same = max(link.alternatives for link in mention.links)
    left = max(len(mention.links), same + 1) - min(len(mention.links), _MOST_LINKS)
    if left > 0:
        more = f"{page.glyphs.ellipsis} {quantity(left, 'more')} of that name"
        lines += page.paragraph(more, indent=4, style="dim")
    others = [candidate for candidate in mention.candidates if not candidate.chosen]
    return lines + _candidates("also like it", others, page)


def _link(link: Link, page: Page) -> list[Text]:
    head = Text(f"{link.score:.2f}  ", "cyan").append_text(
        page.text(_described(link.kind, link.id, link.name))
    )
    for said in (_types(link.types), link.method):
        if said:
            head.append(" ").append_text(page.text(said, "dim"))
    return [
        *page.paragraph(head, indent=2, hanging=6),
        *page.paragraph(_shown_id(link.kind, link.id), indent=8, style="dim"),
        *(page.paragraph(f"by the entry {link.entry}", indent=8, style="dim") if link.entry else ()),
    ]


def _unlinked(mention: LinkedMention, page: Page) -> list[Text]:
    lines = page.paragraph(f"not linked: {mention.reason}", indent=2, hanging=4)
    return lines + _candidates("nearest", mention.candidates, page)


def _candidates(heading: str, candidates: Sequence[LinkCandidate], page: Page) -> list[Text]:
    if not candidates:
        return []
    lines = page.paragraph(f"{heading}:", indent=4, style="dim")
    for candidate in candidates:
        said = f"{_described(candidate.kind, candidate.id, candidate.name)} {_types(candidate.types)}"
        line = Text(f"{candidate.score:.2f}  ", "dim").append_text(page.text(said, "dim"))
        lines += page.paragraph(line, indent=6, hanging=6)
    return lines


def _described(kind: LinkKind, id: str, name: str) -> str:
    if kind == "value":
        return f"the value {name!r} of {local_name(_key_of_value(id))}"
    return f"the {kind} {name}"


def _types(types: Sequence[str]) -> str:
    return f"({', '.join(local_name(type) for type in types)})" if types else ""


def _shown_id(kind: LinkKind, id: str) -> str:
    return _key_of_value(id) if kind == "value" else id


def _key_of_value(id: str) -> str:
    """The property of a value; its id is the key and the text, as a JSON list."""
    return str(json.loads(id)[0])
