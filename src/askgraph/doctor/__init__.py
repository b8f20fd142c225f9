"""What is there, what is stale, what a graph's back end can and cannot do, and what to do about it.

Nothing is changed in the graph. (A bare file is first turned into a graph in the cache, as for every use of one.)
"""

from __future__ import annotations

from .examination import examine
from .finding import Enforcer, Finding, Severity, Source

__all__ = ["Enforcer", "Finding", "Severity", "Source", "examine"]
