"""The gate that every query text must pass before a store takes it.

It lets through what reads the graph that was opened, and refuses everything else, what it does not understand included.
What comes out is a :class:`CheckedQuery`, which nothing but this module can make; its text is printed from the tree
that was checked, so an engine never sees a comment, an escape or a trick that the gate has not.

The gate is the first wall, not the only one: a store adds a read-only session, a time-out of the server and a cap on
bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol

from ..core import checked_query as core_checked_query
from ..core.errors import QueryRefusedError
from .examined import Examined
from .languages import guess_language
from .policy import GatePolicy
from .source import SourceText, Span
from .tree import SyntaxNode

_LANGUAGES = {"cypher": "neo4j", "sparql": ""}
"""The languages that the gate knows, and for each the dialect that is meant where none is named."""


class CheckedQuery(core_checked_query.CheckedQuery):
    """A query that has passed the gate, with the tree that it was printed from.

    Attributes:
        source: what was given to the gate; the tree's spans count in it.
        tree: the tree of ``shown``.
    """

    __slots__ = ("source", "tree")

    source: SourceText
    tree: SyntaxNode


class _Language(Protocol):
    """What a language brings to the gate, in a module ``examination`` of its package."""

    def examine(
        self, text: str, dialect_name: str, policy: GatePolicy, parameters: Mapping[str, Any]
    ) -> Examined:
        """What the gate learns of a query. Raises :class:`QueryError` if it may not run."""


def check(
    text: str,
    *,
    language: str | None = None,
    dialect: str | None = None,
    policy: GatePolicy | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> CheckedQuery:
    """Let a query through the gate, or raise.

    Args:
        text: the query, as a user or a model wrote it.
        language: ``"cypher"`` or ``"sparql"``; where none is given, Cypher if a dialect is, else the one that
            the first words of the text belong to.
        dialect: the engine that will run it: ``"neo4j"`` (the default), ``"memgraph"``, ``"neptune"``, ``"falkordb"``,
            ``"kglite"`` (the embedded engine), ``"ladybug"``, ``"age"``. SPARQL has no dialects.
        policy: what the operator allows; the default allows reading the graph that was opened.
        parameters: values of parameters, where they are known: a LIMIT or a regular expression among them is looked at.

    Raises:
        QuerySyntaxError: the text is not a query of its language.
        QueryRefusedError: it is one that may not run; ``code`` says for which reason: ``"write"``, ``"schema"``,
            ``"administration"``, ``"outside-data"``, ``"other-graph"``, ``"transaction"``, ``"several-statements"``,
            ``"profile"``, ``"procedure"``, ``"function"``, ``"definition"``, ``"option"``, ``"unsupported"``,
            ``"hidden"``, ``"escape"``, ``"cost"``, ``"too-long"``, ``"too-deep"``, ``"language"``.
        SettingsError: there is no such dialect.
    """
    policy = policy or GatePolicy()
    if language is None:
        language = guess_language(text) if dialect is None else "cypher"
    if language not in _LANGUAGES:
        raise _refusal(f"the gate does not know the language {language!r}", "language")
    _check_size(text, policy)
    if dialect is None:
        dialect = _LANGUAGES[language]
    rules: _Language = import_module(f".{language}.examination", __package__)
    try:
        examined = rules.examine(text, dialect, policy, parameters or {})
    except RecursionError as error:
        raise _refusal("the query is nested too deeply to be looked at from here", "too-deep") from error
    return CheckedQuery(
        core_checked_query.SEAL,
        text=examined.text,
        shown=examined.shown,
        source=examined.source,
        tree=examined.tree,
        language=language,
        dialect=dialect,
        parameters=examined.parameters,
        columns=examined.columns,
        row_cap=policy.rows,
        capped_in_text=examined.capped_in_text,
        explain=examined.explain,
        notes=examined.notes,
    )


def _check_size(text: str, policy: GatePolicy) -> None:
    """A text that is too long, or that cannot be sent because it holds half a character, is not even read."""
    try:
        size = len(text) if len(text) > policy.longest_text else len(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        place = Span(error.start, error.end)
        raise SourceText(text).syntax_error(
            place, "this is half of a character (a lone surrogate)"
        ) from error
    if size > policy.longest_text:
        raise _refusal(
            f"the query is too long: {size:,} bytes, of which {policy.longest_text:,} are allowed", "too-long"
        )


def _refusal(message: str, code: str) -> QueryRefusedError:
    return QueryRefusedError(message, code=code)
