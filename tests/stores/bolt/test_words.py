"""The words of queries: names, ids, tests of types, queries for full-text indexes. Nothing is sent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askgraph.core.errors import QueryFailedError, UnsupportedGraphError
from askgraph.stores.bolt.catalog import seconds
from askgraph.stores.bolt.engines import Engine, engine_of, product_of
from askgraph.stores.bolt.name_lookup import full_text_query

NEO4J = engine_of("Neo4j/5.26.30")
ARCADEDB = engine_of("Neo4j/5.26.0 compatible (ArcadeDB 26.10.2)")
MEMGRAPH = engine_of("Neo4j/v5.11.0 compatible graph database server - Memgraph")


@pytest.mark.parametrize(
    ("agent", "product", "version"),
    [
        ("Neo4j/5.26.30", "Neo4j", "5.26.30"),
        ("Neo4j/2026.08.1", "Neo4j", "2026.08.1"),
        ("Neo4j/5.26.0 compatible (ArcadeDB 26.10.2)", "ArcadeDB", "26.10.2"),
        ("Neo4j/v5.11.0 compatible graph database server - Memgraph", "Memgraph", ""),
        ("something", "something", ""),
    ],
)
def test_a_server_is_known_by_what_it_calls_itself(agent: str, product: str, version: str) -> None:
    assert product_of(agent) == (product, version)


def test_each_engine_has_the_dialect_of_the_gate_that_fits() -> None:
    assert [engine.dialect for engine in (NEO4J, ARCADEDB, MEMGRAPH)] == ["neo4j", "neo4j", "memgraph"]


@pytest.mark.parametrize(("version", "scoped"), [("5.4.0", False), ("5.23.0", True), ("2026.08.1", True)])
def test_a_subquery_is_written_as_the_version_takes_it(version: str, scoped: bool) -> None:
    subquery = engine_of(f"Neo4j/{version}").subquery("n", "RETURN 1")
    assert subquery == ("CALL (n) { RETURN 1 }" if scoped else "CALL { WITH n RETURN 1 }")


def test_an_engine_that_nobody_knows_is_asked_with_care_and_called_by_its_name() -> None:
    engine = engine_of("Something/1.2")
    assert engine.title == "Something 1.2"
    assert engine.subquery("n", "RETURN 1") == "CALL { WITH n RETURN 1 }"
    with pytest.raises(QueryFailedError, match="escape"):
        engine.name("a\\u0060")


def test_a_neo4j_without_element_ids_is_refused() -> None:
    with pytest.raises(UnsupportedGraphError, match="Neo4j 4"):
        engine_of("Neo4j/4.4.0")


# --- names


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Person", "Person"),
        ("worksAt2", "worksAt2"),
        ("first name", "`first name`"),
        ("MATCH", "`MATCH`"),
        ("null", "`null`"),
        ("a`b", "`a``b`"),
        ("`) DETACH DELETE (n", "```) DETACH DELETE (n`"),
        ("2fast", "`2fast`"),
        ("é", "`é`"),
        ("", "``"),
    ],
)
def test_names_are_written_so_that_they_stay_names(name: str, written: str) -> None:
    assert NEO4J.name(name) == written
    assert ARCADEDB.name(name) == written


def test_an_escape_in_a_name_closes_nothing() -> None:
    # Neo4j replaces escapes before it looks for back-ticks: written as it is, this name would end before DETACH.
    name = "a\\u0060) DETACH DELETE (n"
    assert NEO4J.name(name) == "`a\\u005cu0060) DETACH DELETE (n`"
    assert ARCADEDB.name(name) == f"`{name}`"
    with pytest.raises(QueryFailedError, match="escape"):
        MEMGRAPH.name(name)


def test_half_a_character_is_no_name() -> None:
    with pytest.raises(QueryFailedError, match="half of a character"):
        NEO4J.name("a\ud800")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_back_ticks_in_a_name_always_come_in_pairs(name: str) -> None:
    written = NEO4J.name(name)
    if written != name:
        inside = written[1:-1]
        assert written[0] == written[-1] == "`"
        assert inside.replace("``", "").count("`") == 0
        assert "\\u0060" not in inside


# --- ids


def test_ids_are_texts_on_every_engine() -> None:
    assert NEO4J.id_of("n") == "elementId(n)"
    assert MEMGRAPH.id_of("n") == "toString(id(n))"


@pytest.mark.parametrize("engine", [NEO4J, ARCADEDB, MEMGRAPH])
def test_an_edge_is_found_again_by_the_id_that_was_given_for_it(engine: Engine) -> None:
    public = engine.edge_id("#1:0", "#8:3")
    source, own = engine.parts_of_edge_id(public)
    assert own == "#8:3"
    assert source == ("" if engine.seeks_edge_ids else "#1:0")


def test_a_foreign_edge_id_is_just_unknown() -> None:
    assert ARCADEDB.parts_of_edge_id("nonsense") == ("", "nonsense")


# --- full-text queries


def test_a_full_text_query_wants_the_phrase_then_the_words_then_words_like_them() -> None:
    assert full_text_query("Tom Hanks", ()) == '"Tom Hanks"^8 tom^2 hanks^2 hanks~1'


def test_a_full_text_query_looks_in_the_fields_that_it_is_told() -> None:
    assert full_text_query("x", ("name", "full name")) == 'name:("x"^8 x^2) full\\ name:("x"^8 x^2)'


def test_long_words_may_differ_by_two_letters() -> None:
    assert full_text_query("metformine", ()).endswith("metformine~2")


@given(st.text(alphabet=st.sampled_from('ab "\\+-&|!(){}[]^~*?:/AND OR NOT\n'), min_size=1))
def test_nothing_that_somebody_writes_means_anything_to_lucene(text: str) -> None:
    query = full_text_query(text, ("name",))
    assert query.startswith('name:("')
    words = query.rpartition('"^8')[2].removesuffix(")")
    assert not set(words) & set('+-&|!(){}[]"\\*?:/')
    phrase = query[len('name:("') : query.rindex('"^8')]
    unescaped = phrase.replace("\\\\", "").replace('\\"', "")
    assert '"' not in unescaped
    assert "\\" not in unescaped


def test_very_long_texts_ask_for_their_first_words() -> None:
    assert full_text_query(" ".join(f"word{i}" for i in range(50)), ()).count("^2") == 12


@pytest.mark.parametrize(
    ("text", "span"), [("2s", 2), ("1m30s", 90), ("500ms", 0.5), ("1h", 3600), ("0s", None), ("", None)]
)
def test_spans_of_time_are_read_as_neo4j_writes_them(text: str, span: float | None) -> None:
    assert seconds(text) == span
