"""Which file has nodes and which has edges, and what its columns mean, is read from its header."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.stores.loading.support import edges, load, nodes, properties, triples

from askgraph.core.errors import DanglingEdgeError, MalformedFileError, MissingColumnError, SettingsError
from askgraph.stores.loading import LoadOptions, load_files
from askgraph.stores.loading.declared import DeclaredType, Kind, parse_type
from askgraph.stores.loading.dialects import interpret_header, looks_like_triples
from askgraph.stores.loading.header_faults import HeaderContext
from askgraph.stores.loading.mapping import Column


def test_neo4j_admin_headers(tmp_path: Path) -> None:
    load(
        tmp_path,
        {
            "people.csv": "personId:ID,name,born:int,tags:string[],:LABEL,secret:IGNORE\n"
            'p1,Keanu,1964,"actor;producer",Person;Actor,x\n'
            "p2,Carrie,,,Person,y\n",
            "roles.csv": ":START_ID,role,:END_ID,:TYPE,since:date\np1,Neo,p2,KNOWS,1999-03-31\n",
        },
    )
    found = nodes(tmp_path)
    assert found["p1"].types == ("Person", "Actor")
    assert found["p1"].properties == {
        "personId": "p1",
        "name": "Keanu",
        "born": 1964,
        "tags": ["actor", "producer"],
    }
    assert found["p2"].properties == {"personId": "p2", "name": "Carrie"}
    (edge,) = edges(tmp_path)
    assert (edge.source, edge.type, edge.target) == ("p1", "KNOWS", "p2")
    assert edge.properties["role"] == "Neo"
    assert str(edge.properties["since"]) == "1999-03-31"


def test_untyped_columns_of_neo4j_headers_are_text_as_neo4j_has_it(tmp_path: Path) -> None:
    load(tmp_path, {"n.csv": ":ID,code\na,42\n"})
    assert properties(tmp_path, "a") == {"code": "42"}


def test_one_id_space_keeps_ids_and_several_are_told_apart(tmp_path: Path) -> None:
    one = tmp_path / "one"
    one.mkdir()
    load(
        one,
        {
            "p.csv": ":ID(Person),name\n1,Ann\n",
            "e.csv": ":START_ID(Person),:END_ID(Person),:TYPE\n1,1,SELF\n",
        },
    )
    assert triples(one) == [("1", "SELF", "1")]
    two = tmp_path / "two"
    two.mkdir()
    load(
        two,
        {
            "p.csv": ":ID(Person),name\n1,Ann\n",
            "m.csv": ":ID(Movie),name\n1,Heat\n",
            "e.csv": ":START_ID(Person),:END_ID(Movie),:TYPE\n1,1,SAW\n",
        },
    )
    assert triples(two) == [("Person::1", "SAW", "Movie::1")]
    assert nodes(two)["Movie::1"].name == "Heat"


def test_an_id_space_added_later_does_not_change_the_ids_that_are_there(tmp_path: Path) -> None:
    load(tmp_path, {"p.csv": ":ID(Person),name\n1,Ann\n"})
    load(
        tmp_path,
        {"m.csv": ":ID(Movie),name\n1,Heat\n", "e.csv": ":START_ID(Person),:END_ID(Movie),:TYPE\n1,1,SAW\n"},
    )
    assert triples(tmp_path) == [("1", "SAW", "Movie::1")]
    load(tmp_path, {"e.csv": ":START_ID(Person),:END_ID(Person),:TYPE\n1,1,SELF\n"})
    assert triples(tmp_path) == [("1", "SAW", "Movie::1"), ("1", "SELF", "1")]


def test_neptune_headers(tmp_path: Path) -> None:
    load(
        tmp_path,
        {
            "v.csv": "~id,~label,name:String,ages:Int[],nick:String(set),seen:Date\n"
            "v1,person;user,marko,28;29,a\\;b;c,2020-01-01\n"
            "v2,person,josh,,,2020-01-01T10:00:00Z\n",
            "e.csv": "~id,~from,~to,~label,weight:Double\ne1,v1,v2,knows,0.5\n",
        },
    )
    found = nodes(tmp_path)
    assert found["v1"].types == ("person", "user")
    assert found["v1"].properties["ages"] == [28, 29]
    assert found["v1"].properties["nick"] == ["a;b", "c"]
    assert str(found["v1"].properties["seen"]) == "2020-01-01"
    assert str(found["v2"].properties["seen"]) == "2020-01-01 10:00:00+00:00"
    (edge,) = edges(tmp_path)
    assert (edge.id, edge.source, edge.type, edge.target) == ("e1", "v1", "knows", "v2")
    assert edge.properties == {"weight": 0.5}


PRIMEKG_NODES = """node_index,node_id,node_type,node_name,node_source
0,9796,gene/protein,PHYHIP,NCBI
1,7918,gene/protein,GPANK1,NCBI
2,7918,disease,a disease,MONDO
"""
PRIMEKG_EDGES = """relation,display_relation,x_index,y_index
protein_protein,ppi,0,1
disease_protein,associated with,2,0
"""
PRIMEKG = """relation,display_relation,x_index,x_id,x_type,x_name,x_source,y_index,y_id,y_type,y_name,y_source
protein_protein,ppi,0,9796,gene/protein,PHYHIP,NCBI,1,7918,gene/protein,GPANK1,NCBI
disease_protein,associated with,2,7918,disease,a disease,MONDO,0,9796,gene/protein,PHYHIP,NCBI
"""


def test_both_layouts_of_primekg_give_the_same_graph(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    load(one, {"kg.csv": PRIMEKG})
    load(two, {"nodes.csv": PRIMEKG_NODES, "edges.csv": PRIMEKG_EDGES})
    assert nodes(one) == nodes(two)
    assert edges(one) == edges(two)
    assert nodes(one)["2"].types == ("disease",)
    assert nodes(one)["2"].name == "a disease"
    assert triples(one) == [("0", "protein_protein", "1"), ("2", "disease_protein", "0")]


def test_primekg_columns_without_an_index_are_told_by_their_ids(tmp_path: Path) -> None:
    load(
        tmp_path,
        {
            "kg.csv": "x_id,x_type,x_name,relation,y_id,y_type,y_name\nd1,drug,Aspirin,treats,s1,disease,Headache\n"
        },
    )
    assert triples(tmp_path) == [("d1", "treats", "s1")]
    assert nodes(tmp_path)["s1"].name == "Headache"


def test_the_excerpt_of_hetionet_loads_with_provenance_as_properties(
    tmp_path: Path, hetionet_nodes: Path, hetionet_edges: Path
) -> None:
    from askgraph.stores.loading import load_files

    report = load_files([hetionet_nodes, hetionet_edges], tmp_path / "g.graph")
    assert (report.nodes, report.edges) == (2330, 12840)
    node = nodes(tmp_path)["Disease::DOID:0050741"]
    assert node.name == "alcohol dependence"
    assert node.types == ("Disease",)
    assert node.properties["source"] == "Disease Ontology"
    assert node.properties["license"] == "CC BY 3.0"
    assert node.properties["url"] == "http://purl.obolibrary.org/obo/DOID_0050741"


def test_one_table_of_nodes_and_edges_as_apoc_exports_it(tmp_path: Path) -> None:
    load(
        tmp_path,
        {
            "all.csv": '"_id","_labels","name","_start","_end","_type","since"\n'
            '"0",":Person:Actor","Ann",,,,\n'
            '"1",":Person","Bob",,,,\n'
            ',,,"0","1","KNOWS","1999"\n'
        },
    )
    assert nodes(tmp_path)["0"].types == ("Person", "Actor")
    assert triples(tmp_path) == [("0", "KNOWS", "1")]
    assert edges(tmp_path)[0].properties == {"since": 1999}


@pytest.mark.parametrize(
    "header",
    [
        "source,type,target",
        "src,rel_type,dst",
        "from,relation,to",
        "subject,predicate,object",
        "head,relation,tail",
        "start,relationship,end",
        "x_id,relation,y_id",
        "Source ID,Type,Target ID",
        "sourceId,label,targetId",
        "_from,_type,_to",
        "from_node,edge_type,to_node",
    ],
)
def test_usual_names_of_the_ends_of_an_edge(header: str) -> None:
    names = header.split(",")
    edge = interpret_header(names, HeaderContext("e.csv")).edges
    assert edge is not None
    assert isinstance(edge.type, Column)
    assert [edge.source.header, edge.type.header, edge.target.header] == names
    assert edge.properties == ()


@pytest.mark.parametrize(
    "header", ["id,type", "_id,label,name", "node_id,labels", "Node ID,Category", "entity_id,class"]
)
def test_usual_names_of_ids_and_types(header: str) -> None:
    names = header.split(",")
    (node,) = interpret_header(names, HeaderContext("n.csv")).nodes
    assert [node.id.header, node.types[0].header] == names[:2]


def test_source_beside_an_id_is_where_a_node_comes_from(tmp_path: Path) -> None:
    load(tmp_path, {"n.csv": "id,name,source\na,Ann,register\n"})
    assert properties(tmp_path, "a") == {"name": "Ann", "source": "register"}


def test_source_beside_subject_and_object_is_where_an_edge_comes_from(tmp_path: Path) -> None:
    load(tmp_path, {"e.csv": "subject,predicate,object,source,publications\na,treats,b,trial,PMID:1\n"})
    assert triples(tmp_path) == [("a", "treats", "b")]
    assert edges(tmp_path)[0].properties == {"source": "trial", "publications": "PMID:1"}


def test_start_and_end_beside_a_relation_are_the_ends_even_with_an_id(tmp_path: Path) -> None:
    load(tmp_path, {"e.csv": "id,start,relation,end\ne1,a,knows,b\n"})
    assert [(edge.id, edge.source) for edge in edges(tmp_path)] == [("e1", "a")]


def test_bare_triples_without_a_header(tmp_path: Path) -> None:
    report = load(tmp_path, {"t.tsv": "/m/1\tborn in\t/m/2\n/m/2\tpart of\t/m/3\n"})
    assert triples(tmp_path) == [("/m/1", "born in", "/m/2"), ("/m/2", "part of", "/m/3")]
    assert any("bare triples, line 1 included" in note for note in report.notes)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["a,type,b"], True),
        (["a,KNOWS,b", "c,LIKES,d"], True),
        (["a,KNOWS,b", "c,KNOWS,d"], True),
        (["Ada,age,36", "Ada,city,Rome"], True),
        (["p,source,q"], False),
        (["who,how,whom", "a,KNOWS,b", "c,KNOWS,d"], False),
        (["person_id,name,age", "1,Ada,36"], False),
        (["a,,b"], False),
        (["a,b"], False),
        (["~id,~to,~label"], False),
    ],
)
def test_a_first_row_that_is_a_triple(rows: list[str], expected: bool) -> None:
    assert (
        looks_like_triples([row.split(",") if row != "a,,b" else ["a", None, "b"] for row in rows])
        is expected
    )


def test_an_unknown_header_of_three_columns_is_refused_with_both_ways_out(tmp_path: Path) -> None:
    with pytest.raises(
        MissingColumnError, match=r"--map e\.csv:.*put one above it: subject,predicate,object"
    ):
        load(tmp_path, {"e.csv": "who;whom;how\n1;1;knows\n1;2;knows\n"})


def test_start_and_end_beside_a_name_are_no_ends_without_asking(tmp_path: Path) -> None:
    with pytest.raises(MissingColumnError, match="properties of a node"):
        load(tmp_path, {"n.csv": "nr,name,start,end\n1,Expo,2020,2021\n"})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("semicolons.csv", "id;name\na;Ann, the first\n"),
        ("tabs.csv", "id\tname\na\tAnn, the first\n"),
        ("bars.csv", "id|name\na|Ann, the first\n"),
        ("commas.tsv", 'id,name\na,"Ann, the first"\n'),
    ],
)
def test_another_delimiter_is_seen_in_the_header(name: str, text: str, tmp_path: Path) -> None:
    load(tmp_path, {name: text})
    assert properties(tmp_path, "a") == {"name": "Ann, the first"}


def test_a_delimiter_can_be_given(tmp_path: Path) -> None:
    load(tmp_path, {"n.csv": "id:name\na:Ann\n"}, options=LoadOptions(delimiter=":"))
    assert properties(tmp_path, "a") == {"name": "Ann"}


def test_several_types_in_one_cell(tmp_path: Path) -> None:
    load(tmp_path, {"n.csv": 'id,labels\na,X; Y\nb,"[""p;q"",""r""]"\nc,\nd,:M:N\n'})
    assert {id: node.types for id, node in nodes(tmp_path).items()} == {
        "a": ("X", "Y"),
        "b": ("p;q", "r"),
        "c": (),
        "d": ("M", "N"),
    }


def test_a_lone_label_column_is_types_if_its_values_repeat_and_names_if_not(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    report = load(one, {"n.csv": "Id,Label\n1,Person\n2,Person\n3,City\n4,City\n"})
    assert nodes(one)["1"].types == ("Person",)
    assert any("taken as types" in note and "n.csv:Label=name" in note for note in report.notes)
    report = load(two, {"n.csv": "Id,Label\n1,Ann\n2,Bob\n3,Eve\n"})
    assert nodes(two)["1"].types == ()
    assert nodes(two)["1"].name == "Ann"
    assert any("taken as names" in note and "n.csv:Label=type" in note for note in report.notes)


def test_columns_without_a_name_are_left_out_and_it_is_said(tmp_path: Path) -> None:
    report = load(tmp_path, {"n.csv": ",id,name\n0,a,Ann\n1,b,Bob\n"})
    assert properties(tmp_path, "a") == {"name": "Ann"}
    assert any("column 1 has no name" in note for note in report.notes)


def test_names_that_differ_only_in_case_are_different_keys(tmp_path: Path) -> None:
    load(tmp_path, {"n.csv": "id,Size,size,SIZE\na,1,2,3\n"})
    assert properties(tmp_path, "a") == {"Size": 1, "size": 2, "SIZE": 3}


def test_edges_without_a_type_get_one_and_it_is_said(tmp_path: Path) -> None:
    report = load(tmp_path, {"e.csv": "source,target\na,b\n"})
    assert triples(tmp_path) == [("a", "related to", "b")]
    assert any("'related to'" in note and "--map" in note for note in report.notes)


# --- the user's map


def test_a_map_names_columns_for_every_file(tmp_path: Path) -> None:
    load(
        tmp_path,
        {"n.csv": "nr,kind_of,label_de\na,Person,Ann\nb,Person,Bea\n", "e.csv": "who,whom,how\na,b,knows\n"},
        column_map={
            "nr": "id",
            "kind_of": "type",
            "label_de": "name",
            "who": "source",
            "whom": "target",
            "how": "type",
        },
    )
    assert nodes(tmp_path)["a"].name == "Ann"
    assert nodes(tmp_path)["a"].types == ("Person",)
    assert triples(tmp_path) == [("a", "knows", "b")]


@pytest.mark.parametrize(
    "column_map",
    [{"n.csv": {"x_id": "id", "source": "property"}}, {"n.csv:x_id": "id", "n.csv:source": "property"}],
)
def test_a_map_for_one_file_leaves_the_others_alone(column_map: dict[str, object], tmp_path: Path) -> None:
    load(
        tmp_path,
        {"n.csv": "x_id,source\na,register\nb,register\n", "e.csv": "source,target\na,b\n"},
        column_map=column_map,
    )
    assert properties(tmp_path, "a") == {"source": "register"}
    assert triples(tmp_path) == [("a", "related to", "b")]


def test_a_map_settles_what_a_header_leaves_open(tmp_path: Path) -> None:
    load(
        tmp_path,
        {"n.csv": "id,name,start,end\na,Expo,2020-01-01,2020-02-01\n"},
        column_map={"start": "property", "end": "property"},
    )
    assert set(properties(tmp_path, "a")) == {"name", "start", "end"}


def test_a_map_gives_constant_types_new_keys_declared_types_and_leaves_out(tmp_path: Path) -> None:
    load(
        tmp_path,
        {
            "people.csv": "id,yr,zip,junk\na,1964,10115,x\n",
            "more.csv": "id,yr,zip,junk\nb,1970,20095,x\n",
            "e.csv": "source,target\na,b\n",
        },
        column_map={
            "people.csv": {"=Person": "type"},
            "e.csv": {"=knows": "type"},
            "yr": "born:int",
            "zip": ":string",
            "junk": "ignore",
        },
    )
    assert nodes(tmp_path)["a"].types == ("Person",)
    assert nodes(tmp_path)["b"].types == ()
    assert properties(tmp_path, "a") == {"born": 1964, "zip": "10115"}
    assert triples(tmp_path) == [("a", "knows", "b")]


@pytest.mark.parametrize(
    ("column_map", "says"),
    [
        ({"a": "colour"}, "no such role"),
        ({"a": "b:colour"}, "type 'colour'"),
        ({"a": 3}, "not a text"),
        ({"=Person": "id"}, "only be a type"),
        ({"q.csv": {"a": "id"}}, "no file has this name"),
    ],
)
def test_a_map_that_cannot_be_used_is_refused(
    column_map: dict[str, object], says: str, tmp_path: Path
) -> None:
    with pytest.raises(SettingsError, match=says):
        load(tmp_path, {"n.csv": "a,b\n1,2\n"}, column_map=column_map)


def test_types_of_nodes_and_edges_can_be_given_for_files_that_have_none(tmp_path: Path) -> None:
    load(
        tmp_path,
        {"n.csv": "id\na\nb\n", "m.csv": "id,type\nc,Other\n", "e.csv": "source,target\na,b\n"},
        options=LoadOptions(node_type="Thing", edge_type="next to"),
    )
    assert {id: node.types for id, node in nodes(tmp_path).items()} == {
        "a": ("Thing",),
        "b": ("Thing",),
        "c": ("Other",),
    }
    assert triples(tmp_path) == [("a", "next to", "b")]


# --- nodes that only edges mention


def test_edges_alone_make_their_nodes_and_more_of_them_later_do_too(tmp_path: Path) -> None:
    report = load(tmp_path, {"e.csv": "source,type,target\na,T,b\n"})
    assert any("the nodes are the ends of the edges" in note for note in report.notes)
    load(tmp_path, {"e.csv": "source,type,target\nb,T,c\n"})
    assert set(nodes(tmp_path)) == {"a", "b", "c"}


def test_edges_alone_do_not_make_nodes_in_a_graph_of_real_nodes(tmp_path: Path) -> None:
    load(tmp_path, {"n.csv": "id,name\na,Ann\nb,Bob\n"})
    load(tmp_path, {"e.csv": "source,type,target\na,T,b\n"})
    with pytest.raises(DanglingEdgeError):
        load(tmp_path, {"e.csv": "source,type,target\nb,T,c\n"})
    assert triples(tmp_path) == [("a", "T", "b")]


def test_missing_nodes_can_be_made_or_refused_whatever_the_graph(tmp_path: Path) -> None:
    files = {"n.csv": "id,name\na,Ann\n", "e.csv": "source,type,target\na,T,b\n"}
    load(tmp_path, files, options=LoadOptions(missing_nodes="create"))
    assert nodes(tmp_path)["a"].name == "Ann"
    assert nodes(tmp_path)["b"].properties == {}
    other = tmp_path / "other"
    other.mkdir()
    with pytest.raises(DanglingEdgeError):
        load(other, {"e.csv": "source,type,target\na,T,b\n"}, options=LoadOptions(missing_nodes="error"))


# --- single headers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int", DeclaredType(Kind.INTEGER)),
        ("String[]", DeclaredType(Kind.TEXT, is_list=True)),
        ("String(single)", DeclaredType(Kind.TEXT)),
        ("Int(set)", DeclaredType(Kind.INTEGER, is_list=True)),
        ("point{crs:WGS-84}", DeclaredType(Kind.POINT, options=(("crs", "WGS-84"),))),
        ("colour", None),
        ("", None),
    ],
)
def test_declared_types(text: str, expected: DeclaredType | None) -> None:
    assert parse_type(text) == expected


def test_a_colon_in_a_name_is_a_type_only_before_the_name_of_one() -> None:
    mapping = interpret_header(["id", "dc:title", "size:int", "a:b:date"], HeaderContext("f.csv"))
    assert [
        (column.key, column.declared and column.declared.kind) for column in mapping.nodes[0].properties
    ] == [
        ("dc:title", None),
        ("size", Kind.INTEGER),
        ("a:b", Kind.DATE),
    ]


def test_a_header_that_is_not_understood_is_not_taken_for_a_triple(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("person_id,name,age\n1,Ada,36\n", encoding="utf-8")
    with pytest.raises(MissingColumnError, match="person_id, name, age"):
        load_files([file], tmp_path / "people.graph")
    assert not (tmp_path / "people.graph").exists()


def test_a_wide_table_loads_and_one_too_wide_is_refused(tmp_path: Path) -> None:
    names = [f"c{number}" for number in range(250)]
    wide = tmp_path / "wide.csv"
    wide.write_text(f"id,type,{','.join(names)}\n1,T,{','.join(map(str, range(250)))}\n", encoding="utf-8")
    assert load_files([wide], tmp_path / "wide.graph").nodes == 1
    names = [f"c{number}" for number in range(5_000)]
    wide.write_text(f"id,type,{','.join(names)}\n1,T,{','.join(names)}\n", encoding="utf-8")
    with pytest.raises(MalformedFileError, match="5,002 columns"):
        load_files([wide], tmp_path / "wider.graph")
