"""Addresses of graphs on servers, and that the credentials in them are seen nowhere."""

from __future__ import annotations

import pytest

from askgraph.core.errors import SettingsError
from askgraph.stores.address import Credentials, parse_address


def test_an_address_is_taken_apart():
    address = parse_address("neo4j+s://db.example.org:7688/movies?timeout=3")
    assert (address.scheme, address.host, address.port, address.path) == (
        "neo4j+s",
        "db.example.org",
        7688,
        "/movies",
    )
    assert address.options == {"timeout": "3"}
    assert not address.credentials


@pytest.mark.parametrize("text", ["bolt://[::1]:7687/db", "sparql+http://[fe80::1]/sparql"])
def test_numbers_of_the_sixth_version_keep_their_brackets_where_they_are_shown(text):
    assert parse_address(text).shown == text


def test_a_name_that_comes_again_keeps_all_its_values():
    address = parse_address("sparql+https://host/sparql?default-graph-uri=a&default-graph-uri=b")
    assert address.repeated["default-graph-uri"] == ("a", "b")
    assert address.options["default-graph-uri"] == "b"


def test_credentials_of_the_address_come_before_those_of_the_settings():
    given = Credentials("somebody", "else")
    assert parse_address("bolt://ada:s%40crt@host", given).credentials == Credentials("ada", "s@crt")
    assert parse_address("bolt://host", given).credentials == given


@pytest.mark.parametrize(
    "text", ["bolt://ada:s3cret@host:7687/db?key=s3cret", "http://ada:s3cret@host/sparql"]
)
def test_no_text_made_of_an_address_has_its_password(text):
    address = parse_address(text)
    assert "s3cret" not in address.shown
    assert "s3cret" not in repr(address.credentials)
    assert "s3cret" not in repr(Credentials("ada", "s3cret", "s3cret"))


@pytest.mark.parametrize(
    "text", ["bolt://:s3cret@/db", "neo4j://ada:s3cret@host:notaport", "bolt://ada:s3cret@[::1", "neo4j://"]
)
def test_what_is_no_address_is_refused_without_its_password(text):
    with pytest.raises(SettingsError) as caught:
        parse_address(text)
    assert "s3cret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.advice


def test_the_repr_of_an_address_has_no_secret_option():
    assert "s3cret" not in repr(parse_address("http://host/sparql?apikey=s3cret"))
