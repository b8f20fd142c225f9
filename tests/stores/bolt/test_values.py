"""Values on their way from and to a server. Nothing is sent."""

from __future__ import annotations

import datetime
import json
import math
from decimal import Decimal
from typing import Any

import pytest
from neo4j import spatial, time
from neo4j.vector import Vector

from askgraph.core.errors import QueryFailedError
from askgraph.core.values import Duration, LanguageText, Point, TypedLiteral, from_json_value, to_json_value
from askgraph.stores.bolt.values import from_bolt, is_vector, to_bolt

_PLUS_TWO = datetime.timezone(datetime.timedelta(hours=2))


@pytest.mark.parametrize(
    ("sent", "value"),
    [
        (None, None),
        (True, True),
        (-(2**63), -(2**63)),
        (1.5, 1.5),
        ("é\x00", "é\x00"),
        (b"a\x00", b"a\x00"),
        (bytearray(b"ab"), b"ab"),
        ([1, [None, "x"]], [1, [None, "x"]]),
        ({"a": {"b": [1]}}, {"a": {"b": [1]}}),
        (time.Date(2020, 2, 29), datetime.date(2020, 2, 29)),
        (time.DateTime(2020, 1, 1, 12, 30, 5, 6_000), datetime.datetime(2020, 1, 1, 12, 30, 5, 6)),
        (time.Time(1, 2, 3, 4_000), datetime.time(1, 2, 3, 4)),
        (time.Duration(months=14, days=-3, seconds=2, nanoseconds=500_000_000), Duration(14, -3, 2_500_000)),
        (time.Duration(seconds=-1, nanoseconds=-500_000_000), Duration(0, 0, -1_500_000)),
        (spatial.WGS84Point((1.5, 2.5)), Point(1.5, 2.5, None, 4326)),
        (spatial.WGS84Point((1.5, 2.5, 3.0)), Point(1.5, 2.5, 3.0, 4979)),
        (spatial.CartesianPoint((1.0, 2.0)), Point(1.0, 2.0, None, 7203)),
        (Vector([1.0, 2.5], "f32"), [1.0, 2.5]),
    ],
)
def test_what_a_server_sends_becomes_a_value_of_ours(sent: Any, value: Any) -> None:
    found = from_bolt(sent)
    assert found == value
    assert type(found) is type(value)


def test_a_moment_keeps_its_offset() -> None:
    zone = time.DateTime.from_native(datetime.datetime(2020, 6, 1, 12, tzinfo=_PLUS_TWO))
    assert from_bolt(zone) == datetime.datetime(2020, 6, 1, 12, tzinfo=_PLUS_TWO)


@pytest.mark.parametrize(
    ("sent", "text", "datatype"),
    [
        (time.DateTime(2020, 1, 1, 0, 0, 0, 123_456_789), "2020-01-01T00:00:00.123456789", "dateTime"),
        (time.Time(10, 0, 0, 1), "10:00:00.000000001", "time"),
        (time.Duration(nanoseconds=1), "PT0.000000001S", "duration"),
    ],
)
def test_nanoseconds_are_kept_as_text(sent: Any, text: str, datatype: str) -> None:
    assert from_bolt(sent) == TypedLiteral(text, f"http://www.w3.org/2001/XMLSchema#{datatype}")


@pytest.mark.parametrize(
    "sent",
    [
        math.nan,
        math.inf,
        2**63 - 1,
        time.Duration(nanoseconds=1),
        time.DateTime(2020, 1, 1, 0, 0, 0, 5),
        spatial.WGS84Point((1.5, 2.5)),
        b"\x00\xff",
        [time.Date(2020, 1, 1), {"$type": "x"}],
    ],
)
def test_every_value_survives_strict_json(sent: Any) -> None:
    value = from_bolt(sent)
    text = json.dumps(to_json_value(value), allow_nan=False)
    back = from_json_value(json.loads(text))
    assert back == value or (back != back and value != value)


@pytest.mark.parametrize(
    "value", [Duration(1, -2, 3_000_001), Point(1.0, 2.0, 3.0, 4979), Point(1.0, 2.0, None, 7203)]
)
def test_a_value_that_is_sent_comes_back_as_it_was(value: Any) -> None:
    assert from_bolt(to_bolt(value)) == value


@pytest.mark.parametrize(
    "value",
    [None, False, 2**63 - 1, "x", b"x", [1, "a"], datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1, 1, 2, 3, 4),
     datetime.datetime(2020, 1, 1, tzinfo=_PLUS_TWO), datetime.time(1, 2, 3, 4)],
)  # fmt: skip
def test_what_the_driver_knows_is_sent_as_it_is(value: Any) -> None:
    assert to_bolt(value) == value


def test_a_time_of_day_with_a_zone_has_an_offset_without_a_date() -> None:
    sent = to_bolt(datetime.time(9, 30, tzinfo=_PLUS_TWO))
    assert sent.utc_offset() == datetime.timedelta(hours=2)
    assert from_bolt(sent) == datetime.time(9, 30, tzinfo=_PLUS_TWO)


@pytest.mark.parametrize(
    ("value", "sent"),
    [
        (Decimal("2"), 2),
        (Decimal("2.5"), 2.5),
        (Decimal("1E+30"), 1e30),
        (LanguageText("Oslo", "no"), "Oslo"),
        (TypedLiteral("7", "urn:x"), "7"),
        ((1, 2), [1, 2]),
    ],
)
def test_what_servers_do_not_have_is_sent_as_what_is_nearest(value: Any, sent: Any) -> None:
    found = to_bolt(value)
    assert found == sent
    assert type(found) is type(sent)


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, "\ud800", object(), [2**64], {"a": {1, 2}}])
def test_what_cannot_be_sent_is_refused_with_its_name(value: Any) -> None:
    with pytest.raises(QueryFailedError, match=r"\$limit"):
        to_bolt(value, "limit")


def test_a_long_list_of_numbers_is_a_vector() -> None:
    assert is_vector([0.1] * 65)
    assert not is_vector([0.1] * 64)
    assert not is_vector(["a"] * 100)
