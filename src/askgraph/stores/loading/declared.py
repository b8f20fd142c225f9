"""Types that the header of a file declares for its columns: ``born:int``, ``tags:string[]``, ``at:point{crs:WGS-84}``.

The names are those of neo4j-admin, of Neptune's loader, and of our own columns (``stores.property.layout``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """What the text of a cell stands for. One kind may need several column types: see :mod:`.conversion`."""

    BOOLEAN = "boolean"
    INTEGER = "integer"
    BIG_INTEGER = "integer of any size"
    DECIMAL = "decimal number"
    FLOAT = "number"
    TEXT = "text"
    DATE = "date (YYYY-MM-DD)"
    TIME = "time (HH:MM:SS)"
    DATETIME = "date and time (YYYY-MM-DDTHH:MM:SS, with or without a zone)"
    DATE_OR_DATETIME = "date or time of a day (YYYY-MM-DD, YYYY-MM-DDTHH:MM:SS)"
    DURATION = "duration (P1Y2M3DT4H5M6S)"
    POINT = "point ({latitude: 52.5, longitude: 13.4} or {x: 1, y: 2})"
    BYTES = "bytes in base64"
    JSON = "JSON value"


@dataclass(frozen=True, slots=True)
class DeclaredType:
    """The type of a column. ``options`` are those in braces (``crs`` of a point), with names in lower case."""

    kind: Kind
    is_list: bool = False
    options: tuple[tuple[str, str], ...] = ()

    def option(self, name: str) -> str | None:
        """One option, or ``None`` if the header does not give it."""
        return dict(self.options).get(name)


_KINDS: Final[dict[str, Kind]] = {
    "boolean": Kind.BOOLEAN,
    "bool": Kind.BOOLEAN,
    "int": Kind.INTEGER,
    "integer": Kind.INTEGER,
    "long": Kind.INTEGER,
    "short": Kind.INTEGER,
    "byte": Kind.INTEGER,
    "big_integer": Kind.BIG_INTEGER,
    "float": Kind.FLOAT,
    "double": Kind.FLOAT,
    "decimal": Kind.DECIMAL,
    "string": Kind.TEXT,
    "text": Kind.TEXT,
    "char": Kind.TEXT,
    "date": Kind.DATE,
    "time": Kind.TIME,
    "localtime": Kind.TIME,
    "datetime": Kind.DATETIME,
    "localdatetime": Kind.DATETIME,
    "zoned_datetime": Kind.DATETIME,
    "duration": Kind.DURATION,
    "point": Kind.POINT,
    "bytes": Kind.BYTES,
    "json": Kind.JSON,
}
# Neptune's loader has one type for days and for times of a day.
_NEPTUNE_KINDS: Final[dict[str, Kind]] = _KINDS | {
    "date": Kind.DATE_OR_DATETIME,
    "datetime": Kind.DATE_OR_DATETIME,
}

_TYPE = re.compile(
    r"(?P<name>[A-Za-z_]+)(?P<cardinality>\((?:single|set)\))?(?P<list>\[\])?(?P<options>\{[^}]*\})?",
    re.IGNORECASE,
)


def parse_type(text: str, *, neptune: bool = False) -> DeclaredType | None:
    """Read what stands after the colon of a header; ``None`` if it is no type.

    Args:
        text: for example ``int``, ``String[]``, ``String(set)``, ``point{crs:WGS-84}``.
        neptune: whether names mean what they mean to Neptune.
    """
    match = _TYPE.fullmatch(text.strip())
    kind = (_NEPTUNE_KINDS if neptune else _KINDS).get(match["name"].lower()) if match else None
    if match is None or kind is None:
        return None
    is_list = match["list"] is not None or (match["cardinality"] or "").lower() == "(set)"
    return DeclaredType(kind, is_list, _parse_options(match["options"] or ""))


def type_names() -> tuple[str, ...]:
    """The names that :func:`parse_type` knows, for messages."""
    return tuple(_KINDS)


def _parse_options(text: str) -> tuple[tuple[str, str], ...]:
    pairs = (part.partition(":") for part in text.strip("{}").split(",") if ":" in part)
    return tuple((name.strip().lower(), value.strip().strip("'\"")) for name, _, value in pairs)
