"""A question tells by its words in which language it is asked."""

from __future__ import annotations

import pytest

from askgraph.linking.detection import detect_language


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Who is the manager of Heinrich Hoch?", "en"),
        ("supplier Bosch", "en"),
        ("How many employees does Ludwig van der Berg manage?", "en"),
        ("employees of Universidad de la Habana", "en"),
        ("products under 20 euro", "en"),
        ("Genes implicated in alzheimers", "en"),
        ("Which film did Werner Herzog direct in Peru?", "en"),
        ("Die Hard director", "en"),
        ("Los Angeles population", "en"),
        ("Wer leitet Ada Lovelace?", "de"),
        ("Wie viele Produkte gibt es?", "de"),
        ("Lieferanten in Frankreich", "de"),
        ("billigste Encoder", "de"),
        ("welche laender grenzen an Peru", "de"),
        ("¿Quién dirige a Ada Lovelace?", "es"),
        ("cuantos productos hay", "es"),
        ("proveedores de Francia", "es"),
        ("¿Qué libro es el más caro?", "es"),
        ("", "en"),
        ("!?", "en"),
        ("産品は何ですか", "en"),
    ],
)
def test_the_language_of_a_question(question: str, language: str) -> None:
    assert detect_language(question) == language
