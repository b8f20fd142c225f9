"""The estimate of tokens is above what real tokenizers count, and not by much where it matters."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import ROOT

from askgraph.models.estimates import estimated_tokens
from askgraph.models.minilm import TOKENIZER_FILE

TEXTS = {
    "prose": (ROOT / "README.md").read_text(encoding="utf-8")[:6_000],
    "code": (ROOT / "scripts" / "tasks.py").read_text(encoding="utf-8")[:6_000],
    "turtle": (ROOT / "examples" / "ck25" / "graph" / "prod-inst.ttl").read_text(encoding="utf-8")[:6_000],
    "table": (ROOT / "examples" / "hetionet" / "nodes.csv").read_text(encoding="utf-8")[:6_000],
    "queries": (ROOT / "examples" / "ck25" / "questions.yml").read_text(encoding="utf-8")[:6_000],
    "german": "Wie viele Mitarbeiter arbeiten in der Abteilung für Öffentlichkeitsarbeit und Kundenbetreuung? "
    * 20,
    "spanish": "¿Cuántos proyectos de investigación están relacionados con la enfermedad de Alzheimer? " * 20,
    "russian": "Какие лекарства лечат гипертонию и какие гены с ней связаны? " * 20,
    "chinese": "在这个知识图谱中，哪些药物可以治疗高血压和糖尿病？请列出所有相关的基因。" * 20,
    "arabic": "ما هي الأدوية التي تعالج ارتفاع ضغط الدم في هذا الرسم البياني؟ " * 20,
    "hindi": "इस ग्राफ में उच्च रक्तचाप का इलाज कौन सी दवाएं करती हैं? " * 20,
    "emoji": "😀🎉🚀👍🏽 " * 50,
    "numbers": " ".join(str(number * 7919 % 100_003) for number in range(500)),
    "ids": " ".join(format(number * 2654435761 % 2**64, "016x") for number in range(200)),
    "iris": " ".join(
        f"<http://example.org/resource/{number * 2654435761 % 2**32:08x}>" for number in range(100)
    ),
    "cypher": "MATCH (c:Compound)-[t:TREATS_CtD]->(d:Disease {name: $name}) RETURN c.name AS name LIMIT 10\n"
    * 20,
    "symbols of genes": "BRCA1 TP53 EGFR PIK3CA CDKN2A MTOR HLA-DRB1 rs334 CYP2D6 " * 40,
    "names of properties": "hasProductManager compatibleProduct isPartOfBillOfMaterial " * 40,
    "capitals": "THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG AGAIN " * 40,
    "json": '{"id": "n1", "labels": ["Person"], "properties": {"name": "Ada", "born": 1815}}\n' * 40,
    "quoted facts": "\n".join(
        f"| fact {n}: Ada Lovelace — worked with → Charles Babbage" for n in range(100)
    ),
    "terms": "acetylcholinesterase inhibitors, hydroxychloroquine, electroencephalography " * 20,
    "blank lines": "\n\n\n\t\t  x\n" * 50,
}
# What prompts are made of.
USUAL = ("prose", "turtle", "table", "cypher", "quoted facts", "iris", "json", "symbols of genes")


def check(name: str, counted: int) -> None:
    estimate = estimated_tokens(TEXTS[name])
    assert estimate >= 0.97 * counted
    if name in USUAL:
        assert estimate <= 1.6 * counted


@pytest.mark.parametrize("name", TEXTS)
def test_it_is_no_less_than_word_pieces(name):
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(TOKENIZER_FILE.read().decode("utf-8"))
    tokenizer.no_truncation()
    check(name, len(tokenizer.encode(TEXTS[name]).ids))


def test_it_is_no_less_than_byte_pairs(model_server):
    for name, text in TEXTS.items():
        check(name, model_server.count(text))


def test_nothing_is_nothing():
    assert estimated_tokens("") == 0


@given(st.text(max_size=60), st.text(max_size=60))
def test_more_text_is_not_fewer_tokens(first, second):
    assert (
        estimated_tokens(first + second) >= max(estimated_tokens(first), estimated_tokens(second)) * 0.8 - 2
    )
    assert estimated_tokens(first) <= 4 * len(first)


def test_a_megabyte_is_counted_in_a_second():
    began = time.process_time()
    estimated_tokens("word and 12 <more> " * 50_000)
    assert time.process_time() - began < 3
