from __future__ import annotations

import datetime
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from tests.made_answers import any_text, any_value

from askgraph.cli.page import Page
from askgraph.cli.views.schema import MOST_TYPES, find_type, show_schema, show_type
from askgraph.core.schema import EdgeEnds, EdgeType, NodeType, Property, Schema
from askgraph.core.values import ValueType

V = "http://example.org/vocabulary/"

COMPANY = Schema(
    kind="rdf",
    node_count=1_062,
    edge_count=3_000,
    node_types=(
        NodeType(f"{V}Hardware", "Hardware", 1000, 1000, (f"{V}Product",)),
        NodeType(f"{V}Employee", "Employee", 47, 53, description="Somebody who works here."),
        NodeType(f"{V}Service", "Service", 9, 9, (f"{V}Product",)),
        NodeType(f"{V}Manager", "Manager", 6, 6, (f"{V}Employee",), other_labels=("Boss",)),
        NodeType(f"{V}Product", "Product", 0, 1009),
        NodeType("", "", 12, 12),
    ),
    edge_types=(
        EdgeType(
            f"{V}compatibleProduct",
            "compatible product",
            2953,
            tuple(
                EdgeEnds(f"{V}Hardware", f"{V}{end}", 100)
                for end in ("Hardware", "Service", "Product", "Employee")
            ),
            symmetric=True,
        ),
        EdgeType(
            f"{V}hasManager",
            "has manager",
            47,
            (EdgeEnds(f"{V}Employee", f"{V}Manager", 47),),
            inverse=f"{V}manages",
        ),
    ),
    properties=(
        Property(
            f"{V}email",
            "email",
            f"{V}Employee",
            (ValueType.TEXT,),
            47,
            1.0,
            ("a@example.org", "b@example.org"),
        ),
        Property(
            f"{V}born", "born", f"{V}Employee", (ValueType.DATE,), 1, 1 / 470, (datetime.date(1970, 2, 1),)
        ),
        Property(
            f"{V}price", "price", f"{V}Hardware", (ValueType.DECIMAL, ValueType.TEXT), 999, 0.999, (1.5,)
        ),
        Property(f"{V}email", "email", f"{V}Manager", (ValueType.TEXT,), 6, 1.0, ("c@example.org",)),
        Property(f"{V}rank", "rank", f"{V}Manager", (ValueType.INTEGER,), 6, 1.0, (1,)),
        Property("since", "since", f"{V}hasManager", (ValueType.INTEGER,), 47, 1.0, (2001,), of_edges=True),
    ),
    notes=("Samples are from the first 1,000 nodes.",),
)


def overview(schema: Schema = COMPANY, width: int = 80, encoding: str = "utf-8") -> str:
    return "\n".join(line.plain for line in show_schema(schema, Page(width, encoding), title="company.ttl"))


def one(id: str) -> str:
    return "\n".join(line.plain for line in show_type(COMPANY, V + id, Page()))


def test_the_overview_shows_types_as_a_tree_edges_with_their_ends_and_properties_with_samples():
    assert (
        overview()
        == """\
company.ttl: RDF graph, 1,062 nodes, 3,000 edges

Node types    nodes  with subtypes
  Product         0          1,009
    Hardware  1,000
    Service       9
  Employee       47             53
    Manager       6
  (no type)      12

Edge types            edges  from and to
  compatible product  2,953  Hardware → Hardware, Hardware → Service, 2 more
  has manager            47  Employee → Manager

Properties of Hardware
  price  decimal/text  99%  1.5

Properties of Employee
  email  text  100%  a@example.org, b@example.org
  born   date   <1%  1970-02-01

Properties of Manager
  rank  integer  100%  1

Properties of the edge has manager
  since  integer  100%  2001

Notes
  • Samples are from the first 1,000 nodes."""
    )


def test_one_type_shows_what_is_above_and_below_it():
    text = one("Employee")
    assert text.startswith(
        "Employee: 47 nodes\n  http://example.org/vocabulary/Employee\n  Somebody who works here.\n"
        "  with subtypes  53\n  subtypes       Manager\n"
    )
    assert "has manager            47  Employee → Manager" in text
    assert "Properties of Employee" in text
    assert "Hardware → Hardware" not in text
    assert "subtype of     Employee" in one("Manager")
    assert "also called    Boss" in one("Manager")


def test_one_edge_type_shows_what_it_joins():
    text = one("hasManager")
    assert "joins          Employee → Manager (47)" in text
    assert "inverse        http://example.org/vocabulary/manages" in text
    assert "Properties of the edge has manager" in text
    assert "means the same in both directions" in one("compatibleProduct")


@pytest.mark.parametrize("word", ["Employee", "employee", f"{V}Employee", "EMPLOYEE "])
def test_a_type_is_found_by_id_label_or_last_part(word):
    assert find_type(COMPANY, word) == f"{V}Employee"


def test_a_type_is_found_by_its_other_names_and_edges_by_theirs():
    assert find_type(COMPANY, "boss") == f"{V}Manager"
    assert find_type(COMPANY, "hasManager") == f"{V}hasManager"
    assert find_type(COMPANY, "has manager") == f"{V}hasManager"
    assert find_type(COMPANY, "Zork") is None


def test_a_graph_with_very_many_types_is_cut_and_the_rest_counted():
    types = tuple(NodeType(f"T{number}", f"T{number}", 1, 1) for number in range(200))
    text = overview(Schema("property", 200, 0, types, (), ()))
    assert f"… {200 - MOST_TYPES} more node types: --json" in text


def test_types_in_a_circle_are_each_shown_once():
    types = (
        NodeType("A", "A", 1, 2, ("B",)),
        NodeType("B", "B", 1, 2, ("A",)),
        NodeType("C", "C", 1, 1, ("C",)),
    )
    lines = overview(Schema("rdf", 3, 0, types, (), ())).splitlines()
    assert sorted(line.split()[0] for line in lines[3:]) == ["A", "B", "C"]


def test_an_empty_graph_has_an_overview():
    assert overview(Schema("property", 0, 0, (), (), ())) == "company.ttl: property graph, 0 nodes, 0 edges"


any_schema = st.builds(
    lambda names, label, description, key, samples: Schema(
        "rdf",
        10**12,
        1,
        tuple(
            NodeType(
                f"{name}{n}",
                name,
                10**9,
                10**9,
                (f"{names[n - 1]}{n - 1}",) if n else (),
                description=description,
            )
            for n, name in enumerate(names)
        ),
        (EdgeType(label, label, 5, (EdgeEnds(f"{names[0]}0", "", 5),) * 3, description=description),),
        (Property(key, key, f"{names[0]}0", tuple(ValueType), 1, 0.5, tuple(samples)),),
        (description,),
    ),
    st.lists(any_text, min_size=1, max_size=30),
    any_text,
    any_text,
    any_text,
    st.lists(any_value, max_size=5),
)


@given(any_schema, st.sampled_from([40, 80]), st.sampled_from(["utf-8", "ascii"]))
def test_no_schema_breaks_the_page_or_steers_the_terminal(schema, width, encoding):
    page = Page(width, encoding)
    lines = show_schema(schema, page, title=schema.notes[0])
    for id in (schema.node_types[0].id, schema.edge_types[0].id):
        lines += show_type(schema, id, page)
    for line in lines:
        assert cell_len(line.plain) <= width
        assert not [c for c in line.plain if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
        line.plain.encode(encoding)
