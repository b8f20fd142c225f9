"""The words of a SPARQL query: short names for IRIs, names of variables, constants, comparisons."""

from __future__ import annotations

import base64
import datetime
import math
import re
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Final

from ...core.plan import Comparator
from ...core.values import Duration, LanguageText, Point, TypedLiteral, Value, ValueType
from ...core.words import local_name
from .literals import literal_to_ntriples, quoted
from .sparql_dialect import STANDARD, SparqlDialect
from .value_order import ValueClass, value_class
from .vocabulary import GEO, WELL_KNOWN_PREFIXES, XSD

FUNCTIONS: Final = "urn:askgraph:"
NODE_FUNCTION: Final = FUNCTIONS + "node"
"""A function of ours for what SPARQL cannot say: the blank node with an id."""
NOTHING: Final = "COALESCE()"
"""An expression that is an error, which is what SPARQL calls the unknown and the missing."""
ABSENT: Final = FUNCTIONS + "absent"
"""What stands for no value where an engine cannot group by none."""

_LOCAL: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_UNSAFE_IRI: Final = re.compile(r"[\x00-\x20<>\"{}|^`\\]")
_ABSOLUTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\]*")
_VARIABLE: Final = re.compile(r"[^A-Za-z0-9]+")

_TYPES_OF_CLASS: Final[dict[ValueClass, Collection[ValueType]]] = {
    ValueClass.NUMBER: (ValueType.INTEGER, ValueType.DECIMAL, ValueType.FLOAT),
    ValueClass.TEXT: (ValueType.TEXT,),
    ValueClass.BOOLEAN: (ValueType.BOOLEAN,),
    ValueClass.DATE: (ValueType.DATE,),
    ValueClass.DATETIME: (ValueType.DATETIME,),
    ValueClass.ZONED_DATETIME: (ValueType.DATETIME,),
    ValueClass.TIME: (ValueType.TIME,),
    ValueClass.DURATION: (ValueType.DURATION,),
}
_GUARDS: Final[dict[ValueClass, str]] = {
    ValueClass.NUMBER: "isNumeric({0})",
    ValueClass.TEXT: "DATATYPE({0}) IN (xsd:string, rdf:langString)",
    ValueClass.BOOLEAN: "DATATYPE({0}) = xsd:boolean",
    ValueClass.DATE: "DATATYPE({0}) = xsd:date",
    ValueClass.DATETIME: "DATATYPE({0}) = xsd:dateTime",
    ValueClass.ZONED_DATETIME: "DATATYPE({0}) = xsd:dateTime",
    ValueClass.TIME: "DATATYPE({0}) = xsd:time",
}
_FUNCTIONS_OF: Final[dict[Comparator, str]] = {
    "contains": "CONTAINS",
    "starts with": "STRSTARTS",
    "ends with": "STRENDS",
}


def is_iri(text: str) -> bool:
    """Whether a text can be an IRI of a graph: it has a scheme, and nothing that an IRI may not contain."""
    return _ABSOLUTE.fullmatch(text) is not None


class Names:
    """Gives IRIs their short forms and variables their names, and remembers which prefixes were used."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        self._namespaces: dict[str, str] = {}
        for prefix, namespace in (*WELL_KNOWN_PREFIXES.items(), *prefixes.items()):
            if _LOCAL.fullmatch(prefix) or prefix == "":
                self._namespaces[namespace] = prefix
        self._used: dict[str, str] = {}
        self._taken: set[str] = set()

    def iri(self, iri: str) -> str:
        """An IRI as a query writes it. What no IRI may contain is written as an escape, so that it can end nothing."""
        cut = max(iri.rfind("#"), iri.rfind("/"), iri.rfind(":")) + 1
        namespace, local = iri[:cut], iri[cut:]
        prefix = self._namespaces.get(namespace)
        if prefix is not None and _LOCAL.fullmatch(local):
            self._used[prefix] = namespace
            return f"{prefix}:{local}"
        return f"<{_UNSAFE_IRI.sub(lambda found: f'%{ord(found[0]):02X}', iri)}>"

    def ours(self, name: str) -> str:
        """A function of ours."""
        self._used["askgraph"] = FUNCTIONS
        return f"askgraph:{name}"

    def text(self, text: str) -> str:
        """A plain text as a query writes it."""
        return quoted(text)

    def declare(self, expression: str) -> str:
        """The expression, with the prefixes that it mentions declared."""
        for prefix in ("xsd", "rdf"):
            if f"{prefix}:" in expression:
                self._used[prefix] = WELL_KNOWN_PREFIXES[prefix]
        return expression

    def variable(self, wanted: str) -> str:
        """A new variable with a name like the one wanted, with its question mark."""
        base = _VARIABLE.sub("_", local_name(wanted)).strip("_") or "value"
        name, number = base, 2
        while name.lower() in self._taken:
            name, number = f"{base}_{number}", number + 1
        self._taken.add(name.lower())
        return f"?{name}"

    def prologue(self) -> list[str]:
        """The prefix declarations of all that was used."""
        return [f"PREFIX {prefix}: <{namespace}>" for prefix, namespace in sorted(self._used.items())]


def constant(value: Value, names: Names) -> str:
    """A constant as a query writes it."""
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case float() if math.isfinite(value):
            text = repr(value)
            return text if "e" in text else f"{text}e0"
        case float():
            special = "NaN" if math.isnan(value) else "INF" if value > 0 else "-INF"
            return names.declare(f'"{special}"^^xsd:double')
        case Decimal() if not value.is_finite():
            return constant(float(value), names)  # a decimal of SPARQL is always a number
        case Decimal():
            text = f"{value:f}"
            return text if "." in text else f"{text}.0"
        case str():
            return quoted(value)
        case LanguageText(text, language):
            return f"{quoted(text)}@{language}"
        case TypedLiteral(text, datatype):
            return literal_to_ntriples(text, datatype)
    return names.declare(_typed_constant(value))


def _typed_constant(value: Value) -> str:
    match value:
        case datetime.datetime():
            return f'"{value.isoformat()}"^^xsd:dateTime'
        case datetime.date():
            return f'"{value.isoformat()}"^^xsd:date'
        case datetime.time():
            return f'"{value.isoformat()}"^^xsd:time'
        case Duration():
            return f'"{value}"^^xsd:duration'
        case bytes():
            return f'"{base64.b64encode(value).decode()}"^^<{XSD}base64Binary>'
        case Point():
            return f"{quoted(str(value))}^^<{GEO}wktLiteral>"
    return quoted(str(value))


class Operand:
    """One side of a comparison: an expression, and the kinds of value that it can have.

    Attributes:
        text: the expression.
        types: the kinds of value; empty if they are not known.
        value: the constant, if it is one.
        is_constant: whether it is.
        has_language: whether its texts may carry a language tag.
    """

    def __init__(
        self,
        text: str,
        types: Collection[ValueType] = (),
        *,
        value: Value = None,
        is_constant: bool = False,
        has_language: bool = False,
    ) -> None:
        self.text = text
        self.types = frozenset(types)
        self.value = value
        self.is_constant = is_constant
        self.has_language = has_language

    def is_only(self, kind: ValueClass) -> bool:
        """Whether all its values are of one class."""
        return bool(self.types) and self.types <= frozenset(_TYPES_OF_CLASS.get(kind, ()))

    def as_text(self, dialect: SparqlDialect = STANDARD) -> str:
        """The expression without language tags, and, where it matters, without a datatype."""
        return f"STR({self.text})" if self.has_language or not dialect.compares_typed_texts else self.text


def comparison(
    left: Operand,
    comparator: Comparator,
    right: Operand,
    names: Names,
    *,
    negated: bool,
    dialect: SparqlDialect = STANDARD,
) -> str:
    """A comparison that is an error, as SPARQL calls the unknown, where the values cannot be compared."""
    if comparator in _FUNCTIONS_OF:
        return _comparison_of_parts(left, comparator, right, names, negated=negated)
    sides = [left, right]
    known = next((side for side in sides if side.is_constant), None)
    kind = value_class(known.value) if known is not None and known.value is not None else None
    guards = []
    if kind is ValueClass.TEXT:
        texts = [side.as_text(dialect) if not side.is_constant else quoted(str(side.value)) for side in sides]
    else:
        both_texts = all(side.is_only(ValueClass.TEXT) for side in sides)
        texts = [side.as_text(dialect) if both_texts else side.text for side in sides]
    if known is None and all(side.types for side in sides):
        shared = _shared_classes(*sides)
        if not shared and not left.types & right.types:
            return f"({NOTHING} = 0)"
        if shared and not all(side.is_only(shared[0]) for side in sides):
            guards = [_guard_alike(shared, sides)]
    if known is not None and kind is not None:
        guard = _GUARDS.get(kind) or _guard_by_datatype(known.value, names)
        guards = [
            guard.format(side.text) for side in sides if not side.is_constant and not side.is_only(kind)
        ]
    operator = "!=" if comparator == "<>" else comparator
    text = f"{texts[0]} {operator} {texts[1]}"
    if negated:
        text = f"!({text})"
    return names.declare(" && ".join([*guards, text]) if not guards else f"({' && '.join([*guards, text])})")


def _shared_classes(left: Operand, right: Operand) -> list[ValueClass]:
    """The classes in which values of both sides can be, as far as there is a guard for them."""
    return [
        kind
        for kind in _GUARDS
        if kind is not ValueClass.ZONED_DATETIME
        and all(side.types & frozenset(_TYPES_OF_CLASS[kind]) for side in (left, right))
    ]


def _guard_alike(kinds: Sequence[ValueClass], sides: Sequence[Operand]) -> str:
    """That two values of several classes are of the same one: only then a plan compares them."""
    alike = []
    for kind in kinds:
        tests = [_GUARDS[kind].format(side.text) for side in sides if not side.is_only(kind)]
        alike.append(" && ".join(tests) if len(tests) < 2 or len(kinds) == 1 else f"({' && '.join(tests)})")
    return alike[0] if len(alike) == 1 else f"({' || '.join(alike)})"


def _guard_by_datatype(value: Value, names: Names) -> str:
    """For values that only compare with their own kind: engines differ in what they make of two datatypes."""
    match value:
        case Duration():
            datatypes = ["xsd:duration", "xsd:dayTimeDuration", "xsd:yearMonthDuration"]
        case bytes():
            datatypes = ["xsd:base64Binary", "xsd:hexBinary"]
        case Point():
            datatypes = [names.iri(f"{GEO}wktLiteral")]
        case datetime.time():
            datatypes = ["xsd:time"]
        case TypedLiteral(_, datatype):
            datatypes = [names.iri(datatype)]
        case _:
            return "false"  # a list or a map is no literal
    return f"DATATYPE({{0}}) IN ({', '.join(datatypes)})"


def _comparison_of_parts(
    left: Operand, comparator: Comparator, right: Operand, names: Names, *, negated: bool
) -> str:
    """A text that contains, begins or ends with another. What may be no text is asked first: some engines take a number
    for a text here, some give up the whole query."""
    sides = (left, right)
    if any(side.is_constant and value_class(side.value) is not ValueClass.TEXT for side in sides):
        return f"({NOTHING} = 0)"
    unsure = [side for side in sides if not side.is_constant and not side.is_only(ValueClass.TEXT)]
    whole = left.text if left not in unsure else f"STR({left.text})"
    text = f"{'!' if negated else ''}{_FUNCTIONS_OF[comparator]}(LCASE({whole}), {_in_lower_case(right)})"
    guards = [_GUARDS[ValueClass.TEXT].format(side.text) for side in unsure]
    return names.declare(f"({' && '.join([*guards, text])})") if guards else text


def _in_lower_case(side: Operand) -> str:
    if side.is_constant and isinstance(side.value, str | LanguageText):
        return quoted(str(side.value).lower())
    return f"LCASE(STR({side.text}))"
