"""Many queries through the gate: JSON lines in, JSON lines out. Nothing is executed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NoReturn

from ..core.errors import AskgraphError, QueryError, SettingsError
from ..core.hidden import Hidden
from .gate import CheckedQuery, check
from .policy import GatePolicy

_FIELDS = "id, lang, dialect, query, config"
_HIDDEN = ("types", "properties")


def check_lines(lines: Iterable[str], *, policy: GatePolicy | None = None) -> Iterator[str]:
    """The verdict on each line, as a line of JSON without its end.

    A line is an object with ``query`` and, all of them optional, ``id``, ``lang`` (``"cypher"`` or ``"sparql"``; else
    what the query looks like), ``dialect`` (of Cypher) and ``config``, which holds settings of :class:`GatePolicy` for
    this query alone, on top of ``policy``; ``hidden_types`` and ``hidden_properties`` (or ``hidden``, an object with
    ``types`` and ``properties``) are added to its deny-lists. Other fields are ignored, blank lines skipped. The answer
    has ``id``, ``verdict`` (``"allow"`` or ``"reject"``) and, for a rejected query, ``reason``, ``code``, ``line``,
    ``column`` and ``advice``; for an allowed one ``text``, what would be sent, and ``notes``, what the gate changed. A
    line that cannot be read, or whose settings make no sense, is rejected with the code ``"input"``.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield json.dumps(_verdict_on_line(line, number, policy or GatePolicy()), ensure_ascii=False)


def _verdict_on_line(line: str, number: int, policy: GatePolicy) -> dict[str, Any]:
    try:
        record = json.loads(line, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        return _rejected(None, f"line {number} of the input is not JSON: {error}", "input")
    if not isinstance(record, dict) or not _is_question(record):
        return _rejected(
            None, f"line {number} of the input is not an object with a query ({_FIELDS})", "input"
        )
    return verdict(record, policy=policy)


def _refuse_constant(name: str) -> NoReturn:
    """NaN and Infinity, which Python would read, and write again."""
    raise ValueError(f"{name} is no value of JSON")


def _is_question(record: Mapping[str, Any]) -> bool:
    choices = (record.get("lang"), record.get("dialect"))
    return isinstance(record.get("query"), str) and all(isinstance(item, str | None) for item in choices)


def verdict(record: Mapping[str, Any], *, policy: GatePolicy) -> dict[str, Any]:
    """The verdict on one query, given as an object with the fields of :func:`check_lines`."""
    identifier = record.get("id")
    language, dialect = record.get("lang") or None, record.get("dialect") or None
    try:
        checked = check(
            record["query"],
            language=language,
            dialect=None if language == "sparql" else dialect,
            policy=_with_config(policy, record.get("config")),
        )
    except QueryError as error:
        return _rejected(identifier, error.message, error.code) | {
            "line": error.line,
            "column": error.column,
            "advice": error.advice,
        }
    except AskgraphError as error:
        return _rejected(identifier, str(error), "input")
    return _allowed(identifier, checked)


def _with_config(policy: GatePolicy, config: object) -> GatePolicy:
    if not config:
        return policy
    if not isinstance(config, dict):
        raise SettingsError("config must be an object with settings of the gate")
    settings = dict(config)
    for name, hidden in _deny_lists(settings):
        policy = replace(policy, hidden=_with(policy.hidden, name, hidden))
    return policy.updated(settings)


def _deny_lists(settings: dict[str, Any]) -> list[tuple[str, object]]:
    """The deny-lists of a line, taken out of its settings: ``hidden_types`` and ``hidden_properties`` as an operator
    writes them, or both in one object, ``hidden``."""
    found = [(name, settings.pop(f"hidden_{name}")) for name in _HIDDEN if f"hidden_{name}" in settings]
    if "hidden" not in settings:
        return found
    both = settings.pop("hidden")
    if not isinstance(both, dict):
        raise SettingsError(
            f"hidden must be an object with types and properties, not {both!r}",
            advice='{"hidden": {"types": ["Salary"], "properties": ["email", "Person.birthday"]}}',
        )
    unknown = [name for name in both if name not in _HIDDEN]
    if unknown:
        raise SettingsError(
            f"hidden has no {', '.join(map(repr, unknown))}", advice=f"It has: {', '.join(_HIDDEN)}."
        )
    return found + [(name, both[name]) for name in _HIDDEN if name in both]


def _with(hidden: Hidden, name: str, more: object) -> Hidden:
    """What is hidden, and these names too: a line can take nothing off the lists of the operator."""
    if not isinstance(more, list) or not all(isinstance(item, str) for item in more):
        raise SettingsError(f"hidden {name} must be a list of names, not {more!r}")
    return replace(hidden, **{name: (*getattr(hidden, name), *more)})


def _rejected(identifier: object, reason: str, code: str) -> dict[str, Any]:
    return {
        "id": identifier,
        "verdict": "reject",
        "reason": reason,
        "code": code,
        "line": None,
        "column": None,
        "advice": None,
    }


def _allowed(identifier: object, checked: CheckedQuery) -> dict[str, Any]:
    return {
        "id": identifier,
        "verdict": "allow",
        "reason": None,
        "line": None,
        "column": None,
        "text": checked.text,
        "notes": list(checked.notes),
    }
