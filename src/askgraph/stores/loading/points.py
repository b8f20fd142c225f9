"""Points as people write them: neo4j-admin's maps, well-known text, and our own JSON."""

from __future__ import annotations

import json
import re
from typing import Final

from ...core.values import Point, from_json_value

_SRIDS: Final = {"wgs-84": 4326, "wgs-84-3d": 4979, "cartesian": 7203, "cartesian-3d": 9157}
_PAIR = re.compile(r"\s*[\"']?(?P<name>[A-Za-z]+)[\"']?\s*:\s*[\"']?(?P<value>[^\"',{}]+?)[\"']?\s*(?:,|$)")
_WKT = re.compile(r"(?:SRID=(?P<srid>\d+);)?POINT(?:\s?Z)?\s*\((?P<numbers>[^()]+)\)", re.IGNORECASE)


def read_point(text: str, crs: str = "") -> Point:
    """A point as neo4j-admin, WKT or our own JSON writes it. Raises :class:`ValueError` or :class:`BadValueError`."""
    text = text.strip()
    if '"$type"' in text:
        value = from_json_value(json.loads(text))
        if isinstance(value, Point):
            return value
    elif match := _WKT.fullmatch(text):
        numbers = [float(number) for number in match["numbers"].split()]
        return _point(
            numbers, int(match["srid"]) if match["srid"] else _SRIDS.get(crs.lower()), geographic=True
        )
    elif text.startswith("{") and text.endswith("}"):
        return _named_point(text[1:-1], crs)
    raise ValueError(text)


def _named_point(inside: str, crs: str) -> Point:
    pairs: dict[str, str] = {}
    position = 0
    while position < len(inside.rstrip()):
        match = _PAIR.match(inside, position)
        if match is None or match["name"].lower() in pairs:
            raise ValueError(inside)
        pairs[match["name"].lower()] = match["value"]
        position = match.end()
    crs = pairs.pop("crs", crs).lower()
    srid = int(pairs.pop("srid")) if "srid" in pairs else _SRIDS.get(crs) if crs else None
    if crs and srid is None:
        raise ValueError(inside)
    for axes, geographic in ((("longitude", "latitude", "height"), True), (("x", "y", "z"), False)):
        if set(axes[:2]) <= set(pairs) <= set(axes):
            return _point([float(pairs[axis]) for axis in axes if axis in pairs], srid, geographic=geographic)
    raise ValueError(inside)


def _point(numbers: list[float], srid: int | None, *, geographic: bool) -> Point:
    if len(numbers) not in (2, 3):
        raise ValueError(numbers)
    known = {(True, 2): 4326, (True, 3): 4979, (False, 2): 7203, (False, 3): 9157}
    return Point(
        numbers[0],
        numbers[1],
        numbers[2] if len(numbers) == 3 else None,
        srid or known[geographic, len(numbers)],
    )
