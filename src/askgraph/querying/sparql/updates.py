"""The operations of SPARQL Update, and what to say when a text is one."""

from __future__ import annotations

from ..source import Span
from ..tokens import TokenStream, words

UPDATE_WORDS = frozenset(words("INSERT DELETE WITH LOAD CLEAR CREATE DROP COPY MOVE ADD"))
"""The first words of the eleven operations. No query begins with one of them."""

UPDATE = "update"
SECOND_UPDATE = "second-update"
"""The codes of a text that is an update, and of a query that one follows. Neither is a slip to be put right."""


def update_error(stream: TokenStream, *, code: str = UPDATE) -> Exception:
    """The error to raise for the update that comes next; its first word is in ``UPDATE_WORDS``."""
    first = end = stream.token
    named = [first.key]
    if first.key in ("INSERT", "DELETE") and stream.peek().key in ("DATA", "WHERE"):
        end = stream.peek()
        named.append(end.key)
    return stream.source.syntax_error(
        Span(first.start, end.end),
        f"{' '.join(named)} is an update: it would change the graph",
        code=code,
        advice="Only queries are read here: SELECT, CONSTRUCT, ASK or DESCRIBE.",
    )
