"""Casts to integer types of XML Schema that Oxigraph does not have: ``xsd:int("12")``. People and models write them.

SPARQL 1.1 asks for the cast to ``xsd:integer`` alone (§17.1); engines in use have the others too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import pyoxigraph

_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
# The least and the greatest value of each; see https://www.w3.org/TR/xmlschema11-2/#built-in-derived.
RANGES: Final[Mapping[str, tuple[int | None, int | None]]] = {
    "byte": (-(2**7), 2**7 - 1),
    "short": (-(2**15), 2**15 - 1),
    "int": (-(2**31), 2**31 - 1),
    "long": (-(2**63), 2**63 - 1),
    "unsignedByte": (0, 2**8 - 1),
    "unsignedShort": (0, 2**16 - 1),
    "unsignedInt": (0, 2**32 - 1),
    "unsignedLong": (0, 2**64 - 1),
    "positiveInteger": (1, None),
    "nonNegativeInteger": (0, None),
    "negativeInteger": (None, -1),
    "nonPositiveInteger": (None, 0),
}
_INTEGER: Final = re.compile(r"[+-]?\d+")
_DECIMAL: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)")
_FLOATING: Final = frozenset({f"{_XSD}double", f"{_XSD}float"})
_TRUTHS: Final = {"true": 1, "1": 1, "false": 0, "0": 0}


def integer_casts() -> dict[pyoxigraph.NamedNode, Callable[..., Any]]:
    """The functions by their IRIs, as Oxigraph takes them. What cannot be cast is an error: it binds nothing."""
    from pyoxigraph import NamedNode

    return {NamedNode(_XSD + name): partial(_cast, bounds=bounds) for name, bounds in RANGES.items()}


def _cast(term: Any, *, bounds: tuple[int | None, int | None]) -> Any:
    from pyoxigraph import Literal, NamedNode

    value = _whole(term) if isinstance(term, Literal) else None
    least, greatest = bounds
    if value is None or (least is not None and value < least) or (greatest is not None and value > greatest):
        return None
    # As an integer: that is what sums and comparisons are made of.
    return Literal(str(value), datatype=NamedNode(f"{_XSD}integer"))


def _whole(literal: pyoxigraph.Literal) -> int | None:
    """A literal as an integer: text that is one, a truth value, a number without its fraction."""
    text, kind = literal.value.strip(), literal.datatype.value
    if kind == f"{_XSD}boolean":
        return _TRUTHS.get(text)
    if kind == f"{_XSD}decimal":
        return int(Decimal(text)) if _DECIMAL.fullmatch(text) else None
    if kind in _FLOATING:
        with suppress(ValueError, OverflowError):  # no number at all, not a number, without end
            return int(float(text))
        return None
    return int(text) if _INTEGER.fullmatch(text) else None
