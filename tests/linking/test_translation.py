"""Words of a question are put into the words of the graph."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from askgraph.core.schema import NodeType, Schema
from askgraph.core.words import normalize
from askgraph.linking.language import language
from askgraph.linking.translation import Translator
from askgraph.linking.vocabulary import label_texts
from askgraph.models.multilingual import MultilingualE5

EMBEDDER = MultilingualE5()


def schema_of(*labels: str) -> Schema:
    return Schema(
        kind="property",
        node_types=tuple(NodeType(label, label, 1, 1) for label in labels),
        edge_types=(),
        properties=(),
        node_count=len(labels),
        edge_count=0,
    )


def translated(code: str, text: str, labels: Sequence[str], *, by_meaning: bool = False) -> list[str]:
    schema = schema_of(*labels)
    texts = label_texts(schema)
    vectors = dict(zip(texts, EMBEDDER.embed(texts), strict=True)) if by_meaning else {}
    translate = Translator(language(code), schema, vectors, EMBEDDER if by_meaning else None)
    return [word.normal for word in translate(normalize(text).split()) if not word.is_filler]


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("de", "Welche Abteilungen haben Lieferanten?", ["department", "supplier"]),
        ("de", "die Telefonnummern der Mitarbeiterin", ["phone number", "employee"]),
        ("de", "Stückliste", ["bill of material"]),
        ("de", "Stueckliste", ["bill of material"]),
        ("de", "alle Laender", ["country"]),
        ("de", "Lieferantenadresse", ["supplier address"]),
        ("de", "Produktkategorien", ["product category"]),
        ("de", "Compensator", ["compensator"]),
        ("es", "los departamentos y sus proveedores", ["department", "supplier"]),
        ("es", "número de teléfono", ["phone number"]),
        ("es", "la lista de materiales", ["bill of material"]),
        ("es", "enfermedades", ["disease"]),
    ],
)
def test_a_word_is_read_by_the_glossary(code: str, text: str, expected: list[str]) -> None:
    assert translated(code, text, ["Something"]) == expected


def test_a_word_that_the_graph_uses_stays_as_it_is() -> None:
    assert translated("de", "Welche Abteilungen haben Lieferanten?", ["Abteilung"]) == [
        "abteilungen",
        "supplier",
    ]


def test_a_word_in_no_glossary_is_the_type_whose_meaning_is_nearest() -> None:
    labels = ["Guitar", "Invoice", "Volcano"]
    assert translated("de", "Welche Vulkane", labels) == ["vulkane"]
    assert translated("de", "Welche Vulkane", labels, by_meaning=True) == ["volcano"]
    assert translated("es", "qué guitarras", labels, by_meaning=True) == ["guitar"]


def test_a_name_is_no_type_however_near() -> None:
    assert translated("de", "Heinrich Toulouse", ["Guitar", "Volcano"], by_meaning=True) == [
        "heinrich",
        "toulouse",
    ]
