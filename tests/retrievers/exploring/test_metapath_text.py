"""Metapaths as models write them, in every notation, with every slip that can be understood."""

from __future__ import annotations

import pytest

from askgraph.retrievers.exploring.metapath_text import Metapath, MetapathReader, short_name


@pytest.fixture(scope="module")
def reader(company_store):
    return MetapathReader(company_store.schema())


def shape(metapath: Metapath) -> list[tuple[str, bool]]:
    assert not metapath.problem, metapath.problem
    return [((step.edge_types or step.properties)[0], step.backward) for step in metapath.steps]


@pytest.mark.parametrize(
    "text",
    [
        "HAS_MANAGER -> MEMBER_OF",
        "HAS_MANAGER → MEMBER_OF",
        "HAS_MANAGER->MEMBER_OF",
        "HAS_MANAGER --> MEMBER_OF",
        "has manager -> member of",
        "hasManager -> memberOf",
        "[HAS_MANAGER] -> [MEMBER_OF]",
        "`HAS_MANAGER` > `MEMBER_OF`",
        "x:HAS_MANAGER -> x:MEMBER_OF",
        "Employee -> HAS_MANAGER -> Employee -> MEMBER_OF -> Department",
        "(a:Employee)-[:HAS_MANAGER]->(b)-[r:MEMBER_OF]->(d:Department)",
        "?x -> HAS_MANAGER -> ?y -> MEMBER_OF -> ?z",
    ],
)
def test_one_path_in_many_notations(reader, text):
    assert shape(reader.read(text)) == [("HAS_MANAGER", False), ("MEMBER_OF", False)]


@pytest.mark.parametrize(
    "text",
    [
        "<- MEMBER_OF",
        "^MEMBER_OF",
        "inverse of MEMBER_OF",
        "Department <- MEMBER_OF <- Employee",
        "(d:Department)<-[:MEMBER_OF]-(e)",
        "← MEMBER_OF",
    ],
)
def test_a_relation_against_its_direction(reader, text):
    assert shape(reader.read(text)) == [("MEMBER_OF", True)]


def test_a_path_may_say_where_it_begins(reader):
    metapath = reader.read("Ada Lovelace -> HAS_MANAGER")
    assert metapath.starts == ("Ada Lovelace",)
    assert shape(metapath) == [("HAS_MANAGER", False)]


def test_types_between_relations_say_where_these_lead(reader):
    metapath = reader.read("HAS_MANAGER -> Employee -> MEMBER_OF -> Department")
    assert [step.end_types for step in metapath.steps] == [("Employee",), ("Department",)]


def test_a_path_may_end_in_a_property_and_nowhere_else_pass_one(reader):
    assert shape(reader.read("HAS_MANAGER -> phone")) == [("HAS_MANAGER", False), ("phone", False)]
    assert "can only end there" in reader.read("phone -> MEMBER_OF").problem


def test_a_relation_that_the_graph_does_not_have_is_named_with_the_nearest(reader):
    problem = reader.read("MEMBER_OF -> HAS_MANGERS").problem
    assert problem == "the graph has no relation 'HAS_MANGERS'; like it: HAS_MANAGER"
    assert reader.unknown("MANAGED_BY").startswith(
        "the graph has no relation 'MANAGED_BY'; like it: HAS_MANAGER"
    )


@pytest.mark.parametrize("text", ["", "   ", "->", "Ada Lovelace", "Employee -> Department"])
def test_what_names_no_relation_is_no_path(reader, text):
    assert reader.read(text).problem


def test_a_path_of_too_many_steps_is_refused(reader):
    assert "at most 6" in reader.read(" -> ".join(["HAS_MANAGER"] * 7)).problem


def test_relations_of_rdf_are_named_by_iri_or_by_its_end():
    assert short_name("http://example.org/vocabulary#memberOf") == "memberOf"
    assert short_name("MEMBER_OF") == "MEMBER_OF"
