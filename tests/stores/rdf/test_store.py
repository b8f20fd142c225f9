"""What the embedded RDF graph keeps and gives back."""

from __future__ import annotations

import datetime
import gzip
import io
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import pyoxigraph
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.stores.rdf.rdf_text import quoted

from askgraph.core.budget import Budget
from askgraph.core.errors import DeadlineExceededError, OpenError, UnsupportedGraphError
from askgraph.core.graph import Name, edge_id
from askgraph.core.schema import UNTYPED, Schema
from askgraph.core.values import Duration, LanguageText, Point, TypedLiteral, ValueType
from askgraph.stores.folder import GraphFolder
from askgraph.stores.rdf.loading import load_rdf
from askgraph.stores.rdf.names import LabelSettings
from askgraph.stores.rdf.store import RdfStore

PREFIXES = """
@prefix : <http://e/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix schema: <http://schema.org/> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix geo: <http://www.opengis.net/ont/geosparql#> .
"""

Open = Callable[..., RdfStore]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    stores: list[RdfStore] = []

    def open_text(text: str, suffix: str = "ttl", **options: object) -> RdfStore:
        file = tmp_path / f"graph{len(stores)}.{suffix}"
        file.write_text((PREFIXES if suffix in ("ttl", "trig") else "") + text, encoding="utf-8")
        stores.append(RdfStore.from_files(file, **options))  # type: ignore[arg-type]
        return stores[-1]

    yield open_text
    for store in stores:
        store.close()


def e(name: str) -> str:
    return f"http://e/{name}"


# --- literals


def test_literals_become_values(opened: Open) -> None:
    store = opened("""
        :x :int 7 ; :dec 2.50 ; :dbl 1.5e3 ; :flt "1.5"^^xsd:float ; :yes true ; :text "a\\"b\\nc" ;
           :tagged "Haus"@de-at ;
           :date "2020-02-03"^^xsd:date ; :at "2020-02-03T04:05:06.5Z"^^xsd:dateTime ; :time "04:05:06"^^xsd:time ;
           :year "1999"^^xsd:gYear ; :span "P1DT2H"^^xsd:duration ; :raw "aGk="^^xsd:base64Binary ; :int2 "5"^^xsd:int ;
           :here "POINT(1.5 2)"^^geo:wktLiteral ; :uri "http://x"^^xsd:anyURI ; :odd "q"^^:mine ;
           :bad "nope"^^xsd:integer ;
           :wrong "300"^^xsd:byte ; :feb "2021-02-30"^^xsd:date ; :inf "INF"^^xsd:double ;
           :big 123456789012345678901234567890 ;
           :several 1, 2, 01, "1" .""")
    (node,) = store.nodes([e("x")])
    properties = {key.removeprefix("http://e/"): value for key, value in node.properties.items()}
    assert properties == {
        "int": 7, "dec": Decimal("2.50"), "dbl": 1500.0, "flt": 1.5, "yes": True, "text": 'a"b\nc',
        "tagged": LanguageText("Haus", "de-AT"), "date": datetime.date(2020, 2, 3),
        "at": datetime.datetime(2020, 2, 3, 4, 5, 6, 500_000, tzinfo=datetime.UTC), "time": datetime.time(4, 5, 6),
        "year": 1999, "span": Duration(0, 1, 7_200_000_000), "raw": b"hi", "int2": 5, "here": Point(1.5, 2.0),
        "uri": "http://x", "odd": TypedLiteral("q", e("mine")),
        "bad": TypedLiteral("nope", "http://www.w3.org/2001/XMLSchema#integer"),
        "wrong": TypedLiteral("300", "http://www.w3.org/2001/XMLSchema#byte"),
        "feb": TypedLiteral("2021-02-30", "http://www.w3.org/2001/XMLSchema#date"),
        "big": 123456789012345678901234567890, "inf": float("inf"), "several": [1, 2, "1"],
    }  # fmt: skip
    assert isinstance(properties["dec"], Decimal)


def test_ill_typed_literals_are_kept_and_noted(tmp_path: Path) -> None:
    file = tmp_path / "a.ttl"
    file.write_text(f'{PREFIXES} :x :p "nope"^^xsd:integer, "x"^^xsd:date .', encoding="utf-8")
    report = load_rdf([file], tmp_path / "out.graph")
    (note,) = report.notes
    assert note.startswith("2 literals are not written as the datatype asks")


def test_literals_are_exported_as_they_were_written(opened: Open) -> None:
    lines = [
        '<http://e/x> <http://e/p> "007"^^<http://www.w3.org/2001/XMLSchema#int> .',
        '<http://e/x> <http://e/p> "2.50"^^<http://www.w3.org/2001/XMLSchema#decimal> .',
        '<http://e/x> <http://e/p> "\\u0001\\t\\"\\\\é𝒳\\n\\r" .',
        '<http://e/x> <http://e/p> "مرحبا"@ar--rtl .',
        '<http://e/x> <http://e/q> "x"@en .',
        '<http://e/x> <http://e/q> "x"@en <http://e/g> .',
        "<http://e/x> <http://e/q> _:b <http://e/g> .",
    ]
    store = opened("\n".join(lines), "nq")
    out = io.StringIO()
    assert store.write_ntriples(out) == len(lines)
    found = out.getvalue()
    assert {str(quad) for quad in parse(found)} == {
        str(quad).replace("_:b", "_:" + blank_prefix(found) + "_b") for quad in parse("\n".join(lines))
    }
    for line in lines[:6]:
        assert line in found.splitlines()
    assert store.has_named_graphs


def parse(text: str) -> Iterator[pyoxigraph.Quad]:
    return iter(pyoxigraph.parse(text, pyoxigraph.RdfFormat.N_QUADS))


def blank_prefix(text: str) -> str:
    return text.partition("_:")[2][:12]


# --- names


def test_names_come_from_label_properties_in_their_order(opened: Open) -> None:
    store = opened("""
        :a schema:name "third" ; skos:prefLabel "second" ; rdfs:label "first" ; skos:altLabel "last" ; :title "fourth" .
        :b skos:altLabel "Bee" .
        :c :name "Cee" ; :synonym "Sea" .
        :Karl_Marx :knows :a . :RosaLuxemburg :knows :a . :Q42 :knows :a . :b%C3%A4r :knows :a .
        <urn:uuid:0058fc5e-e9e8-46eb-ac6d-673e436a5d7a> :knows :a .""")
    names = {node.id: [name.text for name in node.names] for node in store.nodes()}
    assert names == {
        e("a"): ["first", "second", "third", "fourth", "last"],
        e("b"): ["Bee"],
        e("c"): ["Cee", "Sea"],
        e("Karl_Marx"): ["Karl Marx"],
        e("RosaLuxemburg"): ["Rosa Luxemburg", "RosaLuxemburg"],
        e("Q42"): [],
        e("b%C3%A4r"): ["bär"],
        "urn:uuid:0058fc5e-e9e8-46eb-ac6d-673e436a5d7a": [],
    }


def test_the_preferred_language_comes_first(opened: Open) -> None:
    text = ':h rdfs:label "Haus"@de, "house"@en-GB, "maison"@fr, "H" .'
    assert [name.text for name in next(opened(text).nodes()).names] == ["house", "H", "Haus", "maison"]
    german = opened(text, labels=LabelSettings(languages=("fr", "de")))
    assert next(german.nodes()).names[:2] == (
        Name("maison", "http://www.w3.org/2000/01/rdf-schema#label", "fr"),
        Name("Haus", "http://www.w3.org/2000/01/rdf-schema#label", "de"),
    )


def test_the_property_that_names_can_be_chosen(opened: Open) -> None:
    store = opened(':x rdfs:label "label" ; :code "Z9" .', labels=LabelSettings(properties=(e("code"),)))
    assert [name.text for name in next(store.nodes()).names] == ["Z9", "label"]


def test_labels_of_the_schema_follow_the_language_too(opened: Open) -> None:
    text = ':Haus a owl:Class ; rdfs:label "house"@en, "Haus"@de ; rdfs:comment "Ein Haus."@de . :x a :Haus .'
    assert opened(text).schema().node_type(e("Haus")).label == "house"
    german = opened(text, labels=LabelSettings(languages=("de",))).schema().node_type(e("Haus"))
    assert (german.label, german.other_labels, german.description) == ("Haus", ("house",), "Ein Haus.")


# --- blank nodes


BLANK = ":x :p [ :q 1 ; :r [ :q 2 ] ], _:named . _:named :q 3 . :x :list (1 2) ."


def test_blank_nodes_have_the_same_ids_whenever_a_file_is_loaded(opened: Open) -> None:
    one, other = opened(BLANK), opened(BLANK)
    ids = [node.id for node in one.nodes()]
    assert ids == [node.id for node in other.nodes()]
    assert sum(id.startswith("_:") for id in ids) == 5
    named = next(id for id in ids if id.endswith("_named"))
    assert next(one.nodes([named])).properties == {e("q"): 3}


def test_blank_nodes_of_two_files_stay_apart(tmp_path: Path) -> None:
    files = [tmp_path / "a.nt", tmp_path / "b.nt"]
    for number, file in enumerate(files):
        file.write_text(f'_:b0 <http://e/p> "{number}" .\n', encoding="utf-8")
    with RdfStore.from_files(*files) as store:
        assert [node.properties for node in store.nodes()] in (
            [{e("p"): "0"}, {e("p"): "1"}],
            [{e("p"): "1"}, {e("p"): "0"}],
        )


def test_a_file_loaded_again_adds_nothing(tmp_path: Path) -> None:
    file, into = tmp_path / "a.ttl", tmp_path / "out.graph"
    file.write_text(PREFIXES + BLANK, encoding="utf-8")
    first = load_rdf([file], into)
    with RdfStore.open(into) as store:
        version = store.capabilities.version
    again = load_rdf([file], into)
    assert (first.nodes, first.edges, again.nodes, again.edges) == (7, 6, 0, 0)
    assert "was loaded before" in again.notes[0]
    with RdfStore.open(into) as store:
        assert store.capabilities.version == version


# --- named graphs and annotations


def test_named_graphs_are_one_graph_and_stay_with_the_edge(opened: Open) -> None:
    store = opened(":g1 { :a :p :b . :a :q 1 } :g2 { :a :p :b . :b :p :c } :c :p :a .", "trig")
    assert [edge.properties for edge in store.edges()] == [
        {"graph": [e("g1"), e("g2")]},
        {"graph": e("g2")},
        {},
    ]
    assert store.schema().edge_count == 3
    (of_edges,) = [item for item in store.schema().properties if item.of_edges]
    assert (of_edges.key, of_edges.owner, of_edges.count) == ("graph", e("p"), 2)
    assert sorted(line.rpartition(" .")[0] for line in store.ntriples()) == sorted(
        [
            "<http://e/a> <http://e/p> <http://e/b> <http://e/g1>",
            "<http://e/a> <http://e/p> <http://e/b> <http://e/g2>",
            '<http://e/a> <http://e/q> "1"^^<http://www.w3.org/2001/XMLSchema#integer> <http://e/g1>',
            "<http://e/b> <http://e/p> <http://e/c> <http://e/g2>",
            "<http://e/c> <http://e/p> <http://e/a>",
        ]
    )


def test_annotations_become_properties_of_the_edge(opened: Open) -> None:
    store = opened(':a :p :b {| :source "a book" ; :since 1999 ; :by :c |} . :a :p :d .')
    edges = {edge.target: edge.properties for edge in store.edges() if edge.type == e("p")}
    assert edges == {e("b"): {e("source"): "a book", e("since"): 1999, e("by"): e("c")}, e("d"): {}}
    assert any("<<( <http://e/a> <http://e/p> <http://e/b> )>>" in line for line in store.ntriples())


# --- schemas


def test_a_graph_without_types_has_one_untyped_type(opened: Open) -> None:
    schema = opened(':a :p :b . :b :q "x", 1 . :a :q 2.5 .').schema()
    (untyped,) = schema.node_types
    assert (untyped.id, untyped.count, untyped.total) == (UNTYPED, 2, 2)
    (edge_type,) = schema.edge_types
    assert [(ends.source, ends.target, ends.count) for ends in edge_type.ends] == [(UNTYPED, UNTYPED, 1)]
    (item,) = schema.properties
    assert (item.key, item.count, item.coverage, item.distinct) == (e("q"), 2, 1.0, 3)
    assert item.value_types == (ValueType.INTEGER, ValueType.DECIMAL, ValueType.TEXT)
    assert (item.samples, item.label) == ((1, Decimal("2.5"), "x"), "q")


def test_properties_know_the_languages_of_their_texts(opened: Open) -> None:
    many = ", ".join(f'"x"@{first}{second}' for first in "abcdefgh" for second in "abcdef")
    schema = opened(f""":a a :A ; :p "x"@en, "y"@EN, "z"@de-at ; :q "x", "x"@fr, 1 ; :r 1 .
        :b a :B ; :p "x" ; :m {many} .""").schema()
    languages = {(item.key, item.owner): item.languages for item in schema.properties}
    assert languages[e("p"), e("A")] == ("en", "de-AT")
    assert languages[e("p"), e("B")] == ("",)
    assert languages[e("q"), e("A")] == ("", "fr")
    assert languages[e("r"), e("A")] == ()
    # Too many to list.
    assert languages[e("m"), e("B")] is None
    assert type(schema).from_dict(schema.to_dict()) == schema


def test_what_the_graph_says_of_itself_is_used(opened: Open) -> None:
    schema = opened("""
        :A a owl:Class . :B rdfs:subClassOf :A . :C rdfs:subClassOf :B . :D owl:equivalentClass :C .
        :likes rdfs:subPropertyOf :knows ; owl:inverseOf :likedBy . :knows a owl:SymmetricProperty .
        :x a :C ; :likes :y ; :knows :z . :y a :D ; :likedBy :x . :z a :A, owl:NamedIndividual .""").schema()
    totals = {node_type.id: (node_type.count, node_type.total) for node_type in schema.node_types}
    assert totals == {e("A"): (1, 3), e("B"): (0, 2), e("C"): (1, 2), e("D"): (1, 2)}
    assert schema.node_type(e("C")).parents == (e("B"),)
    assert set(schema.subtypes(e("A"))) == {e("A"), e("B"), e("C"), e("D")}
    likes = schema.edge_type(e("likes"))
    assert (likes.parents, likes.inverse, likes.symmetric) == ((e("knows"),), e("likedBy"), False)
    assert schema.edge_type(e("knows")).symmetric
    assert schema.edge_type(e("likedBy")).inverse == e("likes")


def test_a_predicate_can_be_property_and_edge_type(opened: Open) -> None:
    store = opened(':a :p :b, "text" .')
    assert store.schema().has_edge_type(e("p"))
    assert [item.key for item in store.schema().properties] == [e("p")]


def test_a_class_that_the_data_speak_of_is_a_node(opened: Open) -> None:
    store = opened("""
        :Cat a owl:Class ; rdfs:subClassOf :Animal . :Dog a owl:Class ; rdfs:label "dog" .
        :book :about :Cat . :rex a :Dog .""")
    assert [node.id for node in store.nodes()] == [e("Animal"), e("Cat"), e("book"), e("rex")]


def test_restrictions_and_lists_of_an_ontology_are_no_nodes(opened: Open) -> None:
    store = opened("""
        :A a owl:Class ; rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :B ] ;
           owl:equivalentClass [ owl:unionOf (:B :C) ] .
        [] a owl:AllDisjointClasses ; owl:members (:B :C) .
        :x a :A ; :parts ( :y ) .""")
    ids = [node.id for node in store.nodes()]
    assert [id for id in ids if not id.startswith("_:")] == [
        e("x"),
        e("y"),
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#nil",
    ]
    assert len(ids) == 4, "and the list that belongs to a node"


def test_a_graph_of_classes_is_about_its_classes(opened: Open) -> None:
    classes = " ".join(f":c{i} a owl:Class ; rdfs:subClassOf :c{i // 2} ." for i in range(1, 30))
    schema = opened(classes).schema()
    assert schema.node_count == 30
    assert schema.edge_type("http://www.w3.org/2000/01/rdf-schema#subClassOf").count == 28 + 1


def test_the_schema_survives_its_file(tmp_path: Path) -> None:
    file = tmp_path / "a.ttl"
    file.write_text(f"{PREFIXES} :a a :T ; :p :b ; :q 1, 'x', \"y\"@en . :b a :T .", encoding="utf-8")
    load_rdf([file], tmp_path / "out.graph")
    with RdfStore.open(tmp_path / "out.graph") as stored, RdfStore.from_files(file) as fresh:
        assert stored.schema() == fresh.schema()
        assert Schema.from_dict(stored.schema().to_dict()) == stored.schema()


# --- neighbours


def test_hops_are_ordered_and_capped(opened: Open) -> None:
    links = " ".join(f":hub :p :n{i:03} . :m{i:03} :a :hub ." for i in range(50))
    store = opened(f"{links} :hub :p :hub . :hub :b :n000 .")
    hops = store.neighbors([e("nobody"), e("hub"), e("n000")], limit_per_node=60)
    assert hops.cut == {e("hub"): 102}
    rows = list(
        zip(hops.origins.tolist(), hops.forward.tolist(), hops.edge_types.tolist(), hops.nodes, strict=True)
    )
    assert len(rows) == 62
    named = [(origin, forward, hops.type_names[type], end) for origin, forward, type, end in rows]
    assert named[0] == (1, True, e("b"), e("n000"))
    assert named[1] == (1, True, e("p"), e("hub"))
    assert named[51] == (1, True, e("p"), e("n049"))
    assert named[52] == (1, False, e("a"), e("m000"))
    assert named[60:] == [(2, False, e("b"), e("hub")), (2, False, e("p"), e("hub"))]
    assert hops.edges[1] == edge_id(e("hub"), e("p"), e("hub"))
    only = store.neighbors([e("hub")], "out", types=[e("b"), e("unknown")])
    assert list(only.nodes) == [e("n000")]
    assert len(store.neighbors([e("hub")], types=[])) == 0
    assert [(item.type, item.forward, item.count) for item in store.relations([e("hub")])] == [
        (e("p"), True, 51), (e("a"), False, 50), (e("b"), True, 1), (e("p"), False, 1),
    ]  # fmt: skip


def test_edges_are_found_by_their_ids(opened: Open) -> None:
    store = opened(":a :p :b . <http://e/a%7Cb> :p <http://e/100%25> . :a :q :b .")
    edges = list(store.edges())
    wanted = [edges[2].id, edges[0].id, "no|such|edge", "nonsense"]
    assert list(store.edges(wanted)) == [edges[2], edges[0]]
    assert [edge.id for edge in edges] == [edge_id(edge.source, edge.type, edge.target) for edge in edges]


# --- folders


def test_more_files_join_a_graph_later(tmp_path: Path) -> None:
    one, two, into = tmp_path / "1.ttl", tmp_path / "2.nq", tmp_path / "out.graph"
    one.write_text(
        f"{PREFIXES} :a a :T ; :p :b ; :q 'x'@en, 01, 'z'^^:t . << :a :p :b >> :by 'me' .", encoding="utf-8"
    )
    two.write_text(
        "<http://e/a> <http://e/p> <http://e/b> <http://e/g> .\n<http://e/0> <http://e/p> _:x .\n",
        encoding="utf-8",
    )
    load_rdf([one], into)
    with RdfStore.open(into) as before:
        report = load_rdf([two], into)
        assert (report.nodes, report.edges) == (2, 1)
        assert before.schema().edge_count == 1, "a reader keeps its version"
        with RdfStore.open(into) as after, RdfStore.from_files(one, two) as together:
            assert list(after.ntriples()) == list(together.ntriples())
            assert after.schema() == together.schema()
            assert after.capabilities.version == together.capabilities.version


def test_loading_leaves_the_last_version_to_its_readers(tmp_path: Path) -> None:
    into = tmp_path / "out.graph"
    for number in range(3):
        file = tmp_path / f"{number}.nt"
        file.write_text(f"<http://e/{number}> <http://e/p> <http://e/x> .\n", encoding="utf-8")
        load_rdf([file], into)
    assert [entry.name for entry in (into / "versions").iterdir()] == ["3"]


def test_a_property_graph_is_refused(tmp_path: Path) -> None:
    with GraphFolder.writing(tmp_path / "p.graph", kind="property") as version:
        version.seal("0")
    with pytest.raises(UnsupportedGraphError, match="property"):
        RdfStore.open(tmp_path / "p.graph")
    file = tmp_path / "a.nt"
    file.write_text("<http://e/a> <http://e/p> <http://e/b> .\n", encoding="utf-8")
    with pytest.raises(UnsupportedGraphError):
        load_rdf([file], tmp_path / "p.graph")


def test_a_damaged_array_is_noticed(tmp_path: Path) -> None:
    file, into = tmp_path / "a.nt", tmp_path / "out.graph"
    file.write_text("<http://e/a> <http://e/p> <http://e/b> .\n", encoding="utf-8")
    load_rdf([file], into)
    array = into / "versions" / "1" / "columns" / "typed_sources.npy"
    array.write_bytes(array.read_bytes()[:-1])
    with pytest.raises(OpenError, match="typed_sources"):
        RdfStore.open(into)


def test_a_closed_store_says_so(opened: Open) -> None:
    store = opened(":a :p :b .")
    store.close()
    store.close()
    with pytest.raises(OpenError, match="closed"):
        store.nodes()


def test_every_syntax_gives_the_same_graph(tmp_path: Path) -> None:
    triples = '<http://e/a> <http://e/p> <http://e/b> .\n<http://e/a> <http://e/q> "x"@en .\n'
    quads = list(pyoxigraph.parse(triples, pyoxigraph.RdfFormat.N_QUADS))
    formats = {
        "nt": pyoxigraph.RdfFormat.N_TRIPLES, "nq": pyoxigraph.RdfFormat.N_QUADS, "ttl": pyoxigraph.RdfFormat.TURTLE,
        "trig": pyoxigraph.RdfFormat.TRIG, "rdf": pyoxigraph.RdfFormat.RDF_XML, "owl": pyoxigraph.RdfFormat.TURTLE,
        "jsonld": pyoxigraph.RdfFormat.JSON_LD, "n3": pyoxigraph.RdfFormat.N3,
    }  # fmt: skip
    for suffix, format in formats.items():
        content = pyoxigraph.serialize(
            quads if format.supports_datasets else [quad.triple for quad in quads], format=format
        )
        assert content is not None
        for name, written in ((f"g.{suffix}", content), (f"g.{suffix}.gz", gzip.compress(content))):
            file = tmp_path / name
            file.write_bytes(b"\xef\xbb\xbf" + written if name == "g.ttl" else written)
            with RdfStore.from_files(file) as store:
                assert "".join(store.ntriples()) == triples, name


def test_xml_in_another_encoding_is_read_by_its_declaration(tmp_path: Path) -> None:
    text = """<?xml version="1.0" encoding="{0}"?>
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">
        <rdf:Description rdf:about="http://e/a"><e:p>Zürich</e:p></rdf:Description></rdf:RDF>"""
    for encoding in ("ISO-8859-1", "UTF-8", "UTF-16"):
        file = tmp_path / f"{encoding}.rdf"
        file.write_bytes(text.format(encoding).encode(encoding))
        with RdfStore.from_files(file) as store:
            assert next(store.nodes()).properties == {e("p"): "Zürich"}


# --- determinism, threads, round trips


def test_the_same_under_any_hash_seed(tmp_path: Path) -> None:
    file = tmp_path / "a.ttl"
    file.write_text(
        PREFIXES
        + BLANK
        + ' :x a :T, :U ; rdfs:label "b"@de, "a"@en, "c" . :y a :U ; :p :x ; :q 1, 1.0, 1e0, "1" .',
        encoding="utf-8",
    )
    program = (
        "import sys, json\nfrom askgraph.stores.rdf.store import RdfStore\n"
        "store = RdfStore.from_files(sys.argv[1])\n"
        "print(json.dumps(store.schema().to_dict()), store.capabilities.version)\n"
        "print([node.to_dict() | {'names': repr(node.names)} for node in store.nodes()], list(store.ntriples()))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program, str(file)],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(outputs) == 1


def test_threads_share_a_store(opened: Open) -> None:
    store = opened(" ".join(f":n{i} a :T ; :p :n{i + 1} ; :q {i} ." for i in range(300)))
    wanted = [node.to_dict() for node in store.nodes()]
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(5):
                assert [node.to_dict() for node in store.nodes()] == wanted
                assert len(store.neighbors([e("n7")])) == 2
                assert store.schema().node_count == 301
        except BaseException as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_a_deadline_that_is_up_is_noticed(opened: Open) -> None:
    store = opened(":a :p :b .")
    with pytest.raises(DeadlineExceededError):
        store.neighbors([e("a")], budget=Budget(seconds=0))


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
IRIS = st.sampled_from(
    ["http://e/a", "http://e/b", "urn:x:1", "http://e/%C3%A9", "http://e/é", "http://e/a?b=c&d#e"]
)
SUBJECTS = IRIS.map(lambda iri: f"<{iri}>") | st.sampled_from(["_:b0", "_:b1", "_:x.y-z"])
LITERALS = st.one_of(
    TEXT.map(quoted),
    st.builds("{}@{}".format, TEXT.map(quoted), st.sampled_from(["en", "de-AT", "zh-Hant"])),
    st.builds(
        "{}^^<http://www.w3.org/2001/XMLSchema#{}>".format,
        (TEXT | st.sampled_from(["1", "01", "1.0", "true", "2020-01-01", "P1D", "NaN"])).map(quoted),
        st.sampled_from(
            ["integer", "decimal", "double", "boolean", "date", "duration", "byte", "nothing", "anyURI"]
        ),
    ),
)


@given(
    st.lists(
        st.tuples(SUBJECTS, IRIS, SUBJECTS | LITERALS, st.just("") | IRIS.map(lambda iri: f"<{iri}>")),
        max_size=12,
    )
)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_triples_come_back(
    tmp_path_factory: pytest.TempPathFactory, quads: list[tuple[str, str, str, str]]
) -> None:
    lines = [f"{subject} <{predicate}> {object} {graph} ." for subject, predicate, object, graph in quads]
    file = tmp_path_factory.mktemp("any") / "graph.nq"
    file.write_text("\n".join(["# any", *lines]), encoding="utf-8")
    with RdfStore.from_files(file) as store:
        text = "".join(store.ntriples())
        prefix = blank_prefix(text)
        wanted = {str(quad) for quad in parse("\n".join(lines))}
        found = {str(quad).replace(f"_:{prefix}_", "_:") for quad in parse(text)}
        assert found == wanted
        ids = {node.id for node in store.nodes()}
        edges = list(store.edges())
        assert all(edge.source in ids and edge.target in ids for edge in edges)
        assert len({edge.id for edge in edges}) == len(edges) == store.schema().edge_count
        hops = store.neighbors(sorted(ids), "out")
        assert sorted(hops.edges) == sorted(edge.id for edge in edges)
