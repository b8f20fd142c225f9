"""A user's own words for a graph are laid over its schema."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from askgraph.core.descriptions import (
    Descriptions,
    describe,
    fingerprint,
    parse_descriptions,
    read_descriptions,
)
from askgraph.core.errors import SettingsError
from askgraph.core.schema import EdgeType, NodeType, Property, Schema

SCHEMA = Schema(
    "property",
    3,
    2,
    (NodeType("Person", "person", 2, 2, other_labels=("human",)), NodeType("Company", "company", 1, 1)),
    (EdgeType("WORKS_FOR", "works for", 2),),
    (
        Property("dob", "dob", "Person", (), 2, 1.0),
        Property("name", "name", "Person", (), 2, 1.0),
        Property("name", "name", "Company", (), 1, 1.0),
        Property("since", "since", "WORKS_FOR", (), 1, 0.5, of_edges=True),
    ),
)

TOML = """
[node_types.Person]
label = "employee"
synonyms = ["staff"]
description = "Somebody who is paid by us."
[node_types.Person.properties.name]
description = "As in the passport."
[edge_types.WORKS_FOR]
synonyms = ["is employed by"]
[edge_types.WORKS_FOR.properties.since]
label = "start of work"
[properties.dob]
label = "date of birth"
[properties.name]
synonyms = ["called"]
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_words_of_a_toml_file_go_over_those_of_the_graph(tmp_path: Path) -> None:
    described = describe(SCHEMA, read_descriptions(written(tmp_path, "words.toml", TOML)))
    person = described.node_type("Person")
    assert (person.label, person.other_labels) == ("employee", ("staff", "person", "human"))
    assert person.description == "Somebody who is paid by us."
    assert described.node_type("Company") == SCHEMA.node_type("Company")
    works = described.edge_type("WORKS_FOR")
    assert (works.label, works.other_labels) == ("works for", ("is employed by",))
    dob, name, company_name, since = described.properties
    assert (dob.label, dob.other_labels) == ("date of birth", ("dob",))
    assert (name.other_labels, name.description) == (("called",), "As in the passport.")
    assert (company_name.other_labels, company_name.description) == (("called",), "")
    assert (since.label, since.other_labels) == ("start of work", ("since",))


def test_json_says_the_same(tmp_path: Path) -> None:
    said = {"node_types": {"Person": {"label": "employee", "synonyms": ["staff"]}}}
    described = describe(SCHEMA, read_descriptions(written(tmp_path, "words.json", json.dumps(said))))
    assert described.node_type("Person").other_labels == ("staff", "person", "human")


def test_nothing_said_changes_nothing() -> None:
    assert describe(SCHEMA, Descriptions()) == SCHEMA


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"node_types": {"Persom": {}}}, r"no node type 'Persom'\nDid you mean 'Person'"),
        ({"edge_types": {"works_for": {}}}, r"no edge type 'works_for'\nDid you mean 'WORKS_FOR'"),
        ({"properties": {"nme": {}}}, r"no property 'nme'\nDid you mean 'name'"),
        (
            {"node_types": {"Company": {"properties": {"dob": {}}}}},
            r"node type 'Company' has no property 'dob'\n`askgraph schema`",
        ),
        ({"node_type": {}}, r"unknown entry 'node_type'\nDid you mean 'node_types'"),
        (
            {"node_types": {"Person": {"lable": "x"}}},
            r"node_types.Person: unknown entry 'lable'\nDid you mean 'label'",
        ),
        ({"node_types": {"Person": {"label": 3}}}, r"node_types.Person.label: a text was expected, not 3"),
        ({"node_types": {"Person": {"label": " "}}}, "a text was expected"),
        ({"node_types": {"Person": {"synonyms": "x"}}}, "a list of texts was expected, not 'x'"),
        ({"node_types": {"Person": "x"}}, "a table was expected, not 'x'"),
        ({"node_types": ["Person"]}, "a table of names was expected"),
        ({"properties": {"name": {"properties": {}}}}, "unknown entry 'properties'"),
        ([], "a table was expected"),
        ({"names": ["x"]}, "names: a table of names was expected"),
        ({"names": {"x": "y"}}, r"names\.x: a list of texts was expected, not 'y'"),
        ({"names": {"x": [" "]}}, r"names\.x: a list of texts was expected"),
    ],
)
def test_what_cannot_be_said_is_refused_with_advice(said: object, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        describe(SCHEMA, parse_descriptions(said))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("words.toml", b"[node_types", r"words.toml: .*Expected"),
        ("words.json", b'{"node_types": ', r"words.json: .*line 1"),
        ("words.toml", b"[node_types.\xff]", "is not UTF-8, from byte 12 on"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SettingsError, match=message):
        read_descriptions(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"words\.toml cannot be read"):
        read_descriptions(tmp_path / "words.toml")


def test_further_names_of_nodes_are_read_and_tell_one_dictionary_from_another(tmp_path: Path) -> None:
    text = '[names]\n"myocardial infarction" = ["heart attack", "MI"]\n'
    said = read_descriptions(written(tmp_path, "words.toml", text))
    assert said.names == {"myocardial infarction": ("heart attack", "MI")}
    assert describe(SCHEMA, said) == SCHEMA
    assert fingerprint(said) != fingerprint(parse_descriptions({}))
