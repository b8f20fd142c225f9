"""What an operator allows queries to do. A question, or the model that answers it, cannot change it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from ..core.errors import SettingsError
from ..core.hidden import NOTHING_HIDDEN, Hidden

_LISTS = ("allow_procedures", "allow_functions", "allow_graphs", "allow_services")
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\]*")
_WHOLE_NAMESPACE = (".*", "/*", "#*", ":*")


@dataclass(frozen=True, slots=True)
class GatePolicy:
    """The operator's decisions. The default lets pass what reads the graph that was opened, and nothing else.

    Attributes:
        allow_procedures: procedures that may be called, by their exact names. ``"db.index.*"`` allows a namespace.
        allow_functions: functions beyond those of the language, in the same way. For SPARQL they are IRIs, and
            ``"http://example.org/f#*"`` allows a namespace; predicates that run code of the engine (full-text search)
            are functions too.
        allow_graphs: further graphs (``USE``, ``FROM``) that may be read.
        allow_services: endpoints that ``SERVICE`` may call, by their exact IRIs.
        prefixes: prefixes that SPARQL queries may use without declaring them, and their IRIs.
        hidden: deny-lists. What they name can neither be asked for nor counted. A function on ``allow_functions`` is
            trusted with it.
        rows: rows that a query may give; its text asks for one more, so that a cut can be told. ``None``: no cap.
        longest_path: how many relationships a path without an end of its own may have.
        unbounded_paths: what becomes of a path that has no end, or one beyond ``longest_path``: it is given that end
            (``"clamp"``), refused, or allowed. Shortest paths are always allowed. SPARQL cannot bound its paths: there
            ``"clamp"`` lets pass those that begin or end at nodes that something else finds.
        refuse_costly: whether queries are refused whose cost has no bound: products of unconnected patterns, regular
            expressions that backtrack without end, lists that double at every step.
        longest_range: how many numbers ``range()`` may make, how many steps loops over such lists may take in all, how
            many rows blocks of ``VALUES`` may make together, and how long a text may grow that a query puts together.
        longest_text: bytes that a query may have, in UTF-8.
    """

    allow_procedures: tuple[str, ...] = ()
    allow_functions: tuple[str, ...] = ()
    allow_graphs: tuple[str, ...] = ()
    allow_services: tuple[str, ...] = ()
    prefixes: Mapping[str, str] = field(default_factory=dict)
    hidden: Hidden = NOTHING_HIDDEN
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
        self._check_prefixes()
        if not isinstance(self.hidden, Hidden):
            raise SettingsError(
                "hidden is not a setting of the gate",
                advice="Set hidden_types and hidden_properties, beside [gate] and not in it.",
            )
        for name in ("longest_path", "longest_range", "longest_text"):
            _check_positive(name, getattr(self, name))
        if self.rows is not None:
            _check_positive("rows", self.rows)
        if self.unbounded_paths not in ("clamp", "refuse", "allow"):
            raise SettingsError(
                f"unbounded_paths cannot be {self.unbounded_paths!r}", advice="clamp, refuse or allow"
            )

    def _check_prefixes(self) -> None:
        given: Any = self.prefixes
        if not isinstance(given, Mapping) or not all(
            isinstance(text, str) for pair in given.items() for text in pair
        ):
            raise SettingsError(f"the gate's prefixes must be a table of names and IRIs, not {given!r}")
        faulty = next((iri for iri in given.values() if not _IRI.fullmatch(iri)), None)
        if faulty is not None:
            raise SettingsError(f"the gate's prefixes stand for IRIs, and {faulty!r} is none")

    def updated(self, settings: Mapping[str, Any]) -> GatePolicy:
        """The policy with other values for these settings. Raises :class:`SettingsError` for one that there is not."""
        known = {item.name for item in fields(self)}
        unknown = [name for name in settings if name not in known]
        if any(name in ("hidden_types", "hidden_properties") for name in unknown):
            raise SettingsError(
                f"{' and '.join(unknown)} cannot be set in [gate]", advice="It stands beside [gate]."
            )
        if unknown:
            raise SettingsError(
                f"the gate has no setting {', '.join(map(repr, unknown))}",
                advice=f"It has: {', '.join(sorted(known - {'hidden'}))}.",
            )
        return replace(self, **settings)


def is_listed(name: str, allowed: Iterable[str]) -> bool:
    """Whether an allow-list has this name, or a ``namespace.*`` (``…/*``, ``…#*``) that holds it. Case matters."""
    return any(
        name == entry or (entry.endswith(_WHOLE_NAMESPACE) and name.startswith(entry[:-1]))
        for entry in allowed
    )


def _check_positive(name: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise SettingsError(f"the gate's {name} must be a number that is not negative, not {value!r}")
