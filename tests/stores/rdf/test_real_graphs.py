"""Real graphs as the store sees them: the CK25 product graph and the ACME insurance graph."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from askgraph.core.plan import Aggregate, Column, Compare, Constant, NodePattern, Pattern, Plan, PropertyOf
from askgraph.core.schema import UNTYPED
from askgraph.core.values import ValueType
from askgraph.stores.rdf.loading import load_rdf
from askgraph.stores.rdf.store import RdfStore

ROOT = Path(__file__).resolve().parents[3]
CK25 = ROOT / "examples" / "ck25" / "graph" / "prod-inst.ttl"
ACME = Path(__file__).parent / "acme_insurance"
PV = "http://ld.company.org/prod-vocab/"
INSURANCE = "http://data.world/schema/insurance/"


@pytest.fixture(scope="module")
def ck25(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RdfStore]:
    folder = tmp_path_factory.mktemp("ck25") / "ck25.graph"
    load_rdf([CK25], folder)
    with RdfStore.open(folder) as store:
        yield store


@pytest.fixture(scope="module")
def acme() -> Iterator[RdfStore]:
    with RdfStore.from_files(ACME / "acme-data.nt", ACME / "insurance.ttl") as store:
        yield store


def how_many(store: RdfStore, type: str) -> int:
    plan = Plan(Pattern((NodePattern("x", (type,)),)), (Column("n", Aggregate("count")),))
    ((count,),) = store.run(plan).rows
    assert isinstance(count, int)
    return count


@pytest.mark.parametrize(
    ("type", "direct", "total"),
    [
        ("Product", 0, 1009),
        ("Hardware", 1000, 1000),
        ("Employee", 47, 53),
        ("Manager", 6, 6),
        ("Agent", 0, 53),
    ],
)
def test_a_class_of_ck25_counts_its_subclasses(ck25: RdfStore, type: str, direct: int, total: int) -> None:
    node_type = ck25.schema().node_type(PV + type)
    assert (node_type.count, node_type.total) == (direct, total)
    assert how_many(ck25, PV + type) == total


def test_classes_and_properties_are_no_nodes(ck25: RdfStore) -> None:
    ids = {node.id for node in ck25.nodes()}
    assert len(ids) == ck25.schema().node_count == 2641
    assert not any(id.startswith(PV) for id in ids)
    assert not any("iconify" in id for id in ids), "an icon of a class is no node either"
    # Asked for by its id, a class is there, with its words.
    (product,) = ck25.nodes([PV + "Product"])
    assert product.name == "Product"


def test_every_triple_of_the_file_comes_back(ck25: RdfStore) -> None:
    assert sum(1 for _ in ck25.ntriples()) == 26_903


def test_edge_types_say_what_they_join(ck25: RdfStore) -> None:
    manages = ck25.schema().edge_type(PV + "hasManager")
    assert [(ends.source, ends.target, ends.count) for ends in manages.ends] == [
        (PV + "Employee", PV + "Manager", 47)
    ]
    assert manages.label == "has manager"
    assert manages.description == "The manager of the employee."


def test_domain_and_range_speak_where_the_data_are_silent(ck25: RdfStore) -> None:
    reports = ck25.schema().edge_type(PV + "hasDirectReport")
    assert (reports.count, [(ends.source, ends.target, ends.count) for ends in reports.ends]) == (
        0,
        [(PV + "Manager", PV + "Employee", 0)],
    )
    country = ck25.schema().edge_type(PV + "country")
    assert [(ends.target, ends.count) for ends in country.ends] == [
        (UNTYPED, 227),
        ("http://dbpedia.org/ontology/Country", 0),
    ]
    assert ck25.schema().node_type("http://dbpedia.org/ontology/Country").total == 0


def test_properties_have_types_coverage_and_samples(ck25: RdfStore) -> None:
    by_key = {item.key: item for item in ck25.schema().properties_of(PV + "Hardware")}
    width = by_key[PV + "width_mm"]
    assert (width.value_types, width.count, width.coverage) == ((ValueType.INTEGER,), 1000, 1.0)
    assert by_key[PV + "reliabilityIndex"].coverage == pytest.approx(0.912)
    assert by_key[PV + "reliabilityIndex"].value_types == (ValueType.DECIMAL,)
    assert 2 <= len(set(width.samples)) <= 5
    # Of a superclass: of all that are products.
    products = {item.key: item for item in ck25.schema().properties_of(PV + "Product")}
    assert products[PV + "width_mm"].coverage == pytest.approx(1000 / 1009, abs=1e-4)


def test_a_product_is_found_by_a_value(ck25: RdfStore) -> None:
    plan = Plan(
        Pattern((NodePattern("x", (PV + "Product",)),)),
        (Column("name", PropertyOf("x", PV + "name")),),
        Compare(PropertyOf("x", PV + "id"), "=", Constant("E246-3200290")),
    )
    assert ck25.run(plan).rows == [("Field-effect Network Rheostat",)]
    assert ck25.run_as_sparql(plan).rows == [("Field-effect Network Rheostat",)]


def test_the_query_shown_uses_the_prefixes_of_the_file(ck25: RdfStore) -> None:
    plan = Plan(Pattern((NodePattern("product", (PV + "Product",)),)), (Column("n", Aggregate("count")),))
    text = ck25.to_sparql(plan)
    assert f"PREFIX pv: <{PV}>" in text
    assert "VALUES ?product_type { pv:Hardware pv:Service }" in text
    assert "# Product means: Hardware, Service." in text


def test_the_same_content_has_the_same_version(ck25: RdfStore, tmp_path: Path) -> None:
    renamed = tmp_path / "copy.ttl"
    shutil.copy(CK25, renamed)
    with RdfStore.from_files(renamed) as store:
        assert store.capabilities.version == ck25.capabilities.version
    renamed.write_text(
        renamed.read_text(encoding="utf-8") + "<http://e/a> <http://e/b> 1 .\n", encoding="utf-8"
    )
    with RdfStore.from_files(renamed) as store:
        assert store.capabilities.version != ck25.capabilities.version


def test_an_ontology_beside_the_data_names_it(acme: RdfStore) -> None:
    schema = acme.schema()
    assert (schema.node_count, schema.edge_count) == (51, 58)
    assert schema.node_type(INSURANCE + "PolicyCoverageDetail").label == "Policy Coverage Detail"
    assert schema.edge_type(INSURANCE + "soldByAgent").label == "sold by agent"
    assert not any(node.id.startswith(INSURANCE) for node in acme.nodes())


def test_a_property_called_after_its_class_gives_names(acme: RdfStore) -> None:
    names = {node.name for node in acme.nodes() if INSURANCE + "Catastrophe" in node.types}
    assert names == {"Fire", "Flood", "Hurricane", "Tornado"} or len(names) == 4
    assert "Hurricane" in names


def test_nodes_without_a_type_are_a_type_of_their_own(acme: RdfStore) -> None:
    untyped = acme.schema().node_type(UNTYPED)
    assert untyped.count == sum(1 for node in acme.nodes() if not node.types) == 10
    assert how_many(acme, UNTYPED) == 10


def test_without_labels_names_come_from_what_is_left(ck25: RdfStore, tmp_path: Path) -> None:
    """CK25 without its labels and names, its predicates renamed to codes."""
    lines = [
        line.replace(PV, "http://code.org/P")
        for line in ck25.ntriples()
        if "rdf-schema#label>" not in line and f"<{PV}name>" not in line
    ]
    file = tmp_path / "poor.nt"
    file.write_text("".join(lines), encoding="utf-8")
    with RdfStore.from_files(file) as poor:
        # One resource, a licence, had nothing but its label.
        assert poor.schema().node_count == ck25.schema().node_count - 1
        assert poor.schema().node_type("http://code.org/PProduct").total == 1009
        names = {node.id.rpartition("/")[2]: [name.text for name in node.names] for node in poor.nodes()}
    assert names["prod-cat-Breaker"] == ["prod-cat-Breaker"]
    assert names["empl-Franz.Kornhaeusel%40company.org"] == ["empl-Franz.Kornhaeusel@company.org"]
    assert sum(1 for found in names.values() if found) > 2_000
