"""What is there, what is stale, what a graph's back end can and cannot do, and what to do about it.

Of a graph on a server also who prevents what: the server itself, askgraph alone, or nobody.

Nothing is changed in the graph. (A bare file is first turned into a graph in the cache, as for every use of one.)
"""

from __future__ import annotations

from .examination import examine, shown
from .finding import Enforcer, Finding, Severity, Source

__all__ = ["Enforcer", "Finding", "Severity", "Source", "examine", "shown"]
