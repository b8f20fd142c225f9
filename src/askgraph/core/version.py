"""The version of askgraph: what it writes into files that outlive it; and those of the packages that it stands on."""

from __future__ import annotations

from functools import cache

__version__ = "0.1.0"


@cache
def version_of(package: str) -> str:
    """The version of an installed package. Looked up once: that reads files, and stores say it for every question."""
    from importlib import metadata

    return metadata.version(package)
