from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from askgraph.core.errors import EncodingError, LoadError, MalformedFileError, MissingFileError
from askgraph.linking.dictionaries import read_dictionary
from askgraph.linking.dictionaries.reading import layout_of

Named = list[tuple[str, str, str]]


def entries(path: Path, **options: tuple[str, ...]) -> Named:
    return [(entry.id, entry.name, entry.source) for entry in read_dictionary(path, **options)]


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


MRCONSO = """\
C0022336|ENG|P|L0022336|PF|S0053642|Y|A0|||D007562|MSH|MH|D007562|Creutzfeldt-Jakob Syndrome|0|N|256|
C0022336|ENG|S|L0022337|PF|S0053643|Y|A1||||SNOMEDCT_US|PT|792004|Creutzfeldt-Jakob disease|9|N|256|
C0022336|GER|P|L0022338|PF|S0053644|Y|A2||||MSHGER|MH|D007562|Creutzfeldt-Jakob-Syndrom|3|N||
C0022336|ENG|S|L0022339|PF|S0053645|Y|A3||||MSH|ET|D007562|CJD (old)|0|O||
"""


def test_umls_gives_the_names_of_the_wanted_languages_and_no_suppressed_ones(tmp_path: Path) -> None:
    file = written(tmp_path / "MRCONSO.RRF", MRCONSO)
    assert entries(file) == [
        ("UMLS:C0022336", "Creutzfeldt-Jakob Syndrome", "MSH"),
        ("UMLS:C0022336", "Creutzfeldt-Jakob disease", "SNOMEDCT_US"),
    ]
    assert entries(file, languages=("de",)) == [("UMLS:C0022336", "Creutzfeldt-Jakob-Syndrom", "MSHGER")]


def test_mesh_records_have_headings_and_entry_terms(tmp_path: Path) -> None:
    text = """\
*NEWRECORD
RECTYPE = D
MH = Creutzfeldt-Jakob Syndrome
PRINT ENTRY = CJD|T047|NON|EQV|NLM (1999)|980608|abbbcdef
ENTRY = Spongiform Encephalopathy, Subacute|T047
MN = C01.207.800
UI = D007562

*NEWRECORD
RECTYPE = C
NM = bevonium
SY = piribenzil|T109
UI = C000002
"""
    file = written(tmp_path / "d2026.bin", text)
    assert entries(file) == [
        ("MESH:D007562", "Creutzfeldt-Jakob Syndrome", "MeSH"),
        ("MESH:D007562", "CJD", "MeSH"),
        ("MESH:D007562", "Spongiform Encephalopathy, Subacute", "MeSH"),
        ("MESH:C000002", "bevonium", "MeSH"),
        ("MESH:C000002", "piribenzil", "MeSH"),
    ]
    assert [entry.line for entry in read_dictionary(file)] == [3, 4, 5, 11, 12]


def test_hgnc_gives_symbols_aliases_and_earlier_names_for_each_id(tmp_path: Path) -> None:
    header = (
        "hgnc_id\tsymbol\tname\talias_symbol\talias_name\tprev_symbol\tprev_name\tentrez_id\tensembl_gene_id"
    )
    row = 'HGNC:9449\tPRNP\tprion protein\tCD230|"PRP"\t\tPRIP\t\t5621\tENSG00000171867'
    file = written(tmp_path / "hgnc_complete_set.txt", f"{header}\n{row}\n")
    found = entries(file)
    for id in ("HGNC:9449", "NCBIGENE:5621", "ENSEMBL:ENSG00000171867"):
        assert [name for own, name, _ in found if own == id] == [
            "PRNP",
            "prion protein",
            "CD230",
            "PRP",
            "PRIP",
        ] or [name for own, name, _ in found if own == id] == [
            "PRNP",
            "prion protein",
            "CD230",
            '"PRP"',
            "PRIP",
        ]


def test_disgenet_tables_name_diseases_and_genes(tmp_path: Path) -> None:
    mappings = written(
        tmp_path / "disease_mappings.tsv",
        "diseaseId\tname\tvocabulary\tcode\tvocabularyName\n"
        "C0022336\tCreutzfeldt-Jakob disease\tMSH\tD007562\tCreutzfeldt-Jakob Syndrome\n",
    )
    assert entries(mappings) == [
        ("UMLS:C0022336", "Creutzfeldt-Jakob disease", "DisGeNET"),
        ("UMLS:C0022336", "Creutzfeldt-Jakob Syndrome", "MSH"),
    ]
    curated = written(
        tmp_path / "curated_gene_disease_associations.tsv",
        "geneId\tgeneSymbol\tdiseaseId\tdiseaseName\n5621\tPRNP\tC0022336\tCreutzfeldt-Jakob disease\n",
    )
    assert entries(curated) == [
        ("UMLS:C0022336", "Creutzfeldt-Jakob disease", "DisGeNET"),
        ("NCBIGENE:5621", "PRNP", "DisGeNET"),
    ]


def test_obo_gives_exact_synonyms_for_every_identifier_of_a_living_term(tmp_path: Path) -> None:
    text = """\
format-version: 1.2

[Term]
id: DOID:11949
name: Creutzfeldt-Jakob disease
alt_id: DOID:0050435
synonym: "subacute \\"spongiform\\" encephalopathy" EXACT [MTH:NOCODE]
synonym: "mad cow disease" NARROW []
xref: UMLS_CUI:C0022336
xref: MESH:D007562

[Term]
id: DOID:1
name: obsolete thing
is_obsolete: true

[Typedef]
id: part_of
name: part of
"""
    found = entries(written(tmp_path / "doid.obo", text))
    names = {"Creutzfeldt-Jakob disease", 'subacute "spongiform" encephalopathy'}
    assert {id for id, _, _ in found} == {"DOID:11949", "DOID:0050435", "UMLS:C0022336", "MESH:D007562"}
    assert {name for _, name, _ in found} == names
    assert len(found) == 8


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("plain.tsv", "D:1\tglass bones\tmine\nD:1\tbrittle bones\tmine\n"),
        ("headed.tsv", "id\tname\tsynonyms\tsource\nD:1\tglass bones\tbrittle bones\tmine\n"),
        ("headed.csv", "identifier,label,aliases,source\nD:1,glass bones,brittle bones,mine\n"),
        (
            "commented.tsv",
            "# made by hand\n\nD:1\tglass bones\tmine\n\nD:1\tbrittle  bones\tmine\nD:1\t\tmine\n",
        ),
        ("marked.tsv", "\ufeffid\tname\tsource\nD:1\tglass bones\tmine\nd:1\tbrittle bones\tmine\n"),
    ],
)
def test_plain_tables_with_and_without_a_header(tmp_path: Path, name: str, text: str) -> None:
    assert entries(written(tmp_path / name, text)) == [
        ("D:1", "glass bones", "mine"),
        ("D:1", "brittle bones", "mine"),
    ]


def test_a_packed_file_is_unpacked(tmp_path: Path) -> None:
    file = tmp_path / "names.tsv.gz"
    file.write_bytes(gzip.compress(b"D:1\tglass bones\n"))
    assert entries(file) == [("D:1", "glass bones", "")]
    file.write_bytes(gzip.compress(b"D:1\tglass bones\n" * 1000)[:40])
    with pytest.raises(MalformedFileError, match="gzip"):
        entries(file)


def test_bad_files_say_what_and_where(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError):
        entries(tmp_path / "none.tsv")
    with pytest.raises(MalformedFileError, match="no layout"):
        entries(written(tmp_path / "prose.txt", "once upon a time\n"))
    with pytest.raises(MalformedFileError, match="18 fields") as caught:
        entries(written(tmp_path / "MRCONSO.RRF", MRCONSO + "C1|ENG|\n"))
    assert caught.value.location is not None
    assert caught.value.location.line == 5
    with pytest.raises(MalformedFileError, match="one column"):
        entries(written(tmp_path / "one.tsv", "D:1\tname\nD:2\n"))
    with pytest.raises(MalformedFileError, match="names"):
        entries(written(tmp_path / "nameless.tsv", "id\tcolour\nD:1\tred\n"))
    latin = tmp_path / "latin.tsv"
    latin.write_bytes(b"D:1\tcaf\xe9\n")
    with pytest.raises(EncodingError):
        entries(latin)
    assert issubclass(EncodingError, LoadError)


def test_an_empty_file_has_no_entries(tmp_path: Path) -> None:
    assert entries(written(tmp_path / "empty.tsv", "")) == []


def test_layouts_are_told_by_the_first_lines() -> None:
    assert layout_of(Path("x.txt"), ["diseaseId\tdiseaseName"]) == "disgenet"
    assert layout_of(Path("x.txt"), ["a\tb"]) == "tsv"
    assert layout_of(Path("x.rrf.gz"), ["whatever"]) == "umls"
