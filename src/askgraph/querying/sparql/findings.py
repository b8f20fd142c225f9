"""Problems that were found in a part of a query, and what becomes of them where the part need not match."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..schema_check import ProblemCode, Severity
from ..source import Span


class Finding(NamedTuple):
    """A problem that may yet turn out to be one of several alternatives; the fields are those of a schema problem."""

    code: ProblemCode
    message: str
    span: Span
    advice: str | None
    suggestions: tuple[str, ...]
    severity: Severity


def as_warnings(found: Iterable[Finding]) -> list[Finding]:
    """The findings in a part without which there are rows all the same."""
    return [finding._replace(severity="warning") for finding in found]


def if_all(alternatives: Iterable[list[Finding]]) -> list[Finding]:
    """The findings in alternatives: none, if one of them is without."""
    lists = list(alternatives)
    return [finding for found in lists for finding in found] if all(lists) else []
