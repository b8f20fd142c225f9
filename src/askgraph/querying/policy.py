"""What an operator allows queries to do. A question, or the model that answers it, cannot change it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from ..core.errors import SettingsError

_LISTS = ("allow_procedures", "allow_functions", "allow_graphs", "allow_services")


@dataclass(frozen=True, slots=True)
class GatePolicy:
    """The operator's decisions. The default lets pass what reads the graph that was opened, and nothing else.

    Attributes:
        allow_procedures: procedures that may be called, by their exact names. ``"db.index.*"`` allows a namespace.
        allow_functions: functions beyond those of the language, in the same way.
        allow_graphs: further graphs (``USE``, ``FROM``, ``GRAPH``) that may be read.
        allow_services: endpoints that ``SERVICE`` may call.
        rows: rows that a query may give; its text asks for one more, so that a cut can be told. ``None``: no cap.
        longest_path: how many relationships a path without an end of its own may have.
        unbounded_paths: what becomes of a path that has no end, or one beyond ``longest_path``: it is given that end
            (``"clamp"``), refused, or allowed. Shortest paths are always allowed.
        refuse_costly: whether queries are refused whose cost has no bound: products of unconnected patterns, regular
            expressions that backtrack without end, lists that double at every step.
        longest_range: how many numbers ``range()`` may make, and how many steps loops over such lists may take in all.
        longest_text: bytes that a query may have, in UTF-8.
    """

    allow_procedures: tuple[str, ...] = ()
    allow_functions: tuple[str, ...] = ()
    allow_graphs: tuple[str, ...] = ()
    allow_services: tuple[str, ...] = ()
    rows: int | None = 1_000
    longest_path: int = 15
    unbounded_paths: Literal["clamp", "refuse", "allow"] = "clamp"
    refuse_costly: bool = True
    longest_range: int = 10_000_000
    longest_text: int = 64 * 1024

    def __post_init__(self) -> None:
        """Lists may be given in any form; numbers must make sense."""
        for name in _LISTS:
            value = getattr(self, name)
            if not isinstance(value, list | tuple | set | frozenset) or not all(
                isinstance(item, str) for item in value
            ):
                raise SettingsError(f"the gate's {name} must be a list of names, not {value!r}")
            object.__setattr__(self, name, tuple(value))
        for name in ("longest_path", "longest_range", "longest_text"):
            _check_positive(name, getattr(self, name))
        if self.rows is not None:
            _check_positive("rows", self.rows)
        if self.unbounded_paths not in ("clamp", "refuse", "allow"):
            raise SettingsError(
                f"unbounded_paths cannot be {self.unbounded_paths!r}", advice="clamp, refuse or allow"
            )

    def updated(self, settings: Mapping[str, Any]) -> GatePolicy:
        """The policy with other values for these settings. Raises :class:`SettingsError` for one that there is not."""
        known = {item.name for item in fields(self)}
        unknown = [name for name in settings if name not in known]
        if unknown:
            raise SettingsError(
                f"the gate has no setting {', '.join(map(repr, unknown))}",
                advice=f"It has: {', '.join(sorted(known))}.",
            )
        return replace(self, **settings)


def is_listed(name: str, allowed: Iterable[str]) -> bool:
    """Whether an allow-list has this name, or a ``namespace.*`` that holds it. Case matters."""
    return any(name == entry or (entry.endswith(".*") and name.startswith(entry[:-1])) for entry in allowed)


def _check_positive(name: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise SettingsError(f"the gate's {name} must be a number that is not negative, not {value!r}")
