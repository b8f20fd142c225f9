from __future__ import annotations

import time
import tracemalloc
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from askgraph import Settings, open_graph
from askgraph.core.errors import MissingFileError
from askgraph.core.graph import Name, Node
from askgraph.linking.dictionaries import (
    DictionaryEntry,
    NodeDictionary,
    entries_with_name,
    read_dictionary,
)
from askgraph.linking.dictionaries.entries import full_identifier, identifiers_of


@pytest.mark.parametrize(
    ("node", "identifier"),
    [
        (Node("Disease::DOID:11949"), "DOID:11949"),
        (Node("http://purl.obolibrary.org/obo/DOID_11949"), "DOID:11949"),
        (Node("x", properties={"umls_cui": "C0022336"}), "UMLS:C0022336"),
        (Node("x", properties={"xrefs": ["mesh:d007562", "other"]}), "MESH:D007562"),
        (Node("x", properties={"identifier": 5621, "source": "Entrez Gene"}), "NCBIGENE:5621"),
        (Node("x", properties={"node_id": "9449", "node_source": "HGNC"}), "HGNC:9449"),
        (Node("x", properties={"entrez_id": 5621}), "NCBIGENE:5621"),
        (Node("D:1"), "D:1"),
    ],
)
def test_a_node_is_known_by_its_identifiers(node: Node, identifier: str) -> None:
    assert identifier in list(identifiers_of(node))


def test_bare_numbers_are_nobodys() -> None:
    node = Node("x", properties={"identifier": "9", "chromosome": "5", "weight": 7})
    assert not [key for key in identifiers_of(node) if ":" in key]
    assert "5" not in list(identifiers_of(node))


def test_identifiers_are_written_in_one_way() -> None:
    assert full_identifier("umls_cui:c0022336") == "UMLS:C0022336"
    assert full_identifier("D007562") == "MESH:D007562"
    assert full_identifier("9", "hgnc") == "HGNC:9"
    assert full_identifier("mine") == "MINE"


def graph() -> Any:
    import networkx

    made = networkx.DiGraph()
    made.add_node("n1", label="Disease", name="Creutzfeldt-Jakob disease", umls_cui="C0022336")
    made.add_node("Gene::5621", label="Gene", name="PRNP", source="Entrez Gene", identifier="5621")
    made.add_edge("n1", "Gene::5621", type="associates")
    return made


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    names = tmp_path / "names.tsv"
    names.write_text(
        "C0022336\tsubacute spongiform encephalopathy\tMTH\nNCBIGene:5621\tCD230\tHGNC\n", encoding="utf-8"
    )
    return Settings.load(
        save_runs=False,
        cache_dir=tmp_path / "cache",
        data_dir=tmp_path / "data",
        embedder="none",
        dictionaries=(names,),
    )


def test_a_question_may_use_the_names_of_a_dictionary_and_each_link_names_the_entry(
    settings: Settings,
) -> None:
    with open_graph(graph(), settings=settings) as opened:
        linked = opened.link("Is CD230 associated with Subacute Spongiform Encephalopathy?")
        found = {link.id: link for link in linked if link.kind == "node"}
        assert set(found) == {"n1", "Gene::5621"}
        assert found["n1"].entry == (
            "UMLS:C0022336 'subacute spongiform encephalopathy' of MTH (names.tsv, line 1)"
        )
        assert found["Gene::5621"].entry.startswith("NCBIGENE:5621 'CD230' of HGNC")
        assert found["n1"].method == "exact"
        assert found["n1"].to_dict()["entry"]
        # A name of the graph's own needs no entry.
        own = [link for link in opened.link("PRNP") if link.kind == "node"]
        assert [link.entry for link in own] == [""]
        assert "entry" not in own[0].to_dict()
        answer = opened.ask("Which genes are associated with subacute spongiform encephalopathy?")
        assert [item.text for item in answer.answers] == ["PRNP"]
        assert answer.links[0].entry or answer.links[-1].entry


@pytest.mark.parametrize(
    "asked",
    [
        "subacute spongiform encephalopathy",
        "SUBACUTE SPONGIFORM ENCEPHALOPATHY",
        "Encephalopathy, subacute spongiform",
        "encephalopathy; spongiform (subacute)",
        "Subacute-spongiform   encéphalopathy",
    ],
)
@pytest.mark.parametrize(
    "written", ["Encephalopathy, Subacute Spongiform", "subacute  SPONGIFORM-encephalopathy."]
)
def test_case_punctuation_accents_and_the_order_of_words_make_no_difference(
    settings: Settings, tmp_path: Path, asked: str, written: str
) -> None:
    (tmp_path / "names.tsv").write_text(f"C0022336\t{written}\tMSH\n", encoding="utf-8")
    with open_graph(graph(), settings=settings) as opened:
        links = [
            link for link in opened.link(f"Which genes are associated with {asked}?") if link.kind == "node"
        ]
        assert [link.id for link in links] == ["n1"]
        # The same words in another order are as good as the name itself, and are told from it.
        assert links[0].method in ("exact", "variant")
        assert links[0].score >= 0.97
        assert links[0].entry == f"UMLS:C0022336 {' '.join(written.split())!r} of MSH (names.tsv, line 1)"


def test_a_name_of_several_sources_names_each_of_them(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "names.tsv").write_text(
        "C0022336\tsubacute spongiform encephalopathy\tMTH\n"
        "C0022336\tsubacute spongiform encephalopathy\tMTH\n"
        "C0022336\tsubacute spongiform encephalopathy\tSNOMEDCT_US\n",
        encoding="utf-8",
    )
    second = tmp_path / "mesh.tsv"
    second.write_text(
        "id\tname\tsource\nUMLS:C0022336\tEncephalopathy, Subacute Spongiform\tMeSH\n"
        "UMLS:C0022336\tSpongiform Subacute Encephalopathy\tMeSH\n",
        encoding="utf-8",
    )
    both = settings.model_copy(update={"dictionaries": (*settings.dictionaries, second)})
    with open_graph(graph(), settings=both) as opened:
        links = [link for link in opened.link("Subacute spongiform encephalopathy") if link.kind == "node"]
        assert len(links) == 1
        entries = links[0].entry.split("; ")
        assert entries == [
            "UMLS:C0022336 'subacute spongiform encephalopathy' of MTH (names.tsv, line 1)",
            "UMLS:C0022336 'subacute spongiform encephalopathy' of SNOMEDCT_US (names.tsv, line 3)",
            "UMLS:C0022336 'Encephalopathy, Subacute Spongiform' of MeSH (mesh.tsv, line 2)",
            "1 more",
        ]
        answer = opened.ask("Which genes are associated with subacute spongiform encephalopathy?")
        assert [link.entry for link in answer.links if link.kind == "node"] == [links[0].entry]


def test_a_name_of_two_things_gives_both_each_with_its_entry(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "names.tsv").write_text(
        "C0022336\tprion thing\tMTH\nNCBIGene:5621\tPrion-Thing\tHGNC\n", encoding="utf-8"
    )
    with open_graph(graph(), settings=settings) as opened:
        links = {link.id: link.entry for link in opened.link("prion thing") if link.kind == "node"}
        assert links == {
            "n1": "UMLS:C0022336 'prion thing' of MTH (names.tsv, line 1)",
            "Gene::5621": "NCBIGENE:5621 'Prion-Thing' of HGNC (names.tsv, line 2)",
        }


def test_other_names_are_found_in_any_order_of_words() -> None:
    entries = [
        DictionaryEntry("X:1", "Encephalopathy, Spongiform", "a", "f", 1),
        DictionaryEntry("X:1", "CJD", "b", "f", 2),
        DictionaryEntry("X:2", "spongiform encephalopathy", "c", "f", 3),
    ]
    read: list[int] = []

    def reading() -> list[DictionaryEntry]:
        read.append(1)
        return entries

    known = NodeDictionary(reading)
    assert known.other_names("SPONGIFORM encephalopathy") == (
        "Encephalopathy, Spongiform",
        "CJD",
        "spongiform encephalopathy",
    )
    assert known.other_names("cjd") == ("Encephalopathy, Spongiform", "CJD")
    assert known.other_names("nothing") == ()
    assert entries_with_name(known.entries_of(Node("X:1")), "encephalopathy spongiform") == (entries[0],)
    assert entries_with_name(known.entries_of(Node("X:3")), "cjd") == ()
    assert len(read) == 1


def test_many_lines_are_read_in_time_and_room(tmp_path: Path) -> None:
    lines = 100_000
    file = tmp_path / "names.tsv"
    with file.open("w", encoding="utf-8") as written:
        for number in range(lines):
            written.write(f"C{number // 4:07d}\tDisorder of the kind {number}, chronic\tMSH\n")
    known = NodeDictionary(lambda: read_dictionary(file))
    # Under a measure of memory everything takes several times as long: each is measured by itself.
    began = time.process_time()
    found = known.names_of(Node("x", properties={"umls_cui": "C0000002"}))
    assert time.process_time() - began < 5  # 0.5 s where nothing else runs
    assert [name.split()[4] for name in found] == ["8,", "9,", "10,", "11,"]
    part = tmp_path / "part.tsv"
    with file.open(encoding="utf-8") as whole:
        part.write_text("".join(islice(whole, lines // 5)), encoding="utf-8")
    tracemalloc.start()
    try:
        smaller = NodeDictionary(lambda: read_dictionary(part))
        smaller.names_of(Node("x"))
        kept, highest = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept / (lines // 5) < 400
    assert highest / (lines // 5) < 800


def test_a_dictionary_that_changed_makes_the_index_stale(settings: Settings, tmp_path: Path) -> None:
    from askgraph import load_graph

    (tmp_path / "nodes.csv").write_text("id,type,name\nC0022336,Disease,CJD\n", encoding="utf-8")
    load_graph([tmp_path / "nodes.csv"], tmp_path / "g.graph")
    with open_graph(tmp_path / "g.graph", settings=settings) as opened:
        opened.build_index()
        assert opened.index_status().state == "current"
        assert [link.id for link in opened.link("subacute spongiform encephalopathy")] == ["C0022336"]
    (tmp_path / "names.tsv").write_text("C0022336\tmad cow syndrome\n", encoding="utf-8")
    with open_graph(tmp_path / "g.graph", settings=settings) as opened:
        assert opened.index_status().state == "stale"
        assert [link.id for link in opened.link("mad cow syndrome")] == ["C0022336"]


def test_a_missing_dictionary_is_said(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "names.tsv").unlink()
    with (
        open_graph(graph(), settings=settings) as opened,
        pytest.raises(MissingFileError, match=r"names\.tsv"),
    ):
        opened.link("CD230")


def test_nodes_have_their_names_from_every_identifier() -> None:
    node = Node("Disease::DOID:1", (Name("x"),), properties={"xref": ["UMLS:C0000001"]})
    assert {"DOID:1", "UMLS:C0000001"} <= set(identifiers_of(node))
