"""The version of askgraph: what it writes into files that outlive it."""

__version__ = "0.1.0"
