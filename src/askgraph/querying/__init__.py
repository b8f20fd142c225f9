"""Query languages: parsers, and the gate that every query text must pass."""

from .gate import CheckedQuery, check
from .policy import GatePolicy

__all__ = ["CheckedQuery", "GatePolicy", "check"]
