"""Properties that are called by codes get words from what their values look like, and only where that is plain."""

from __future__ import annotations

import pytest

from askgraph.core.schema import Property, Schema
from askgraph.core.values import LanguageText, Value
from askgraph.linking.guessed_labels import with_guessed_labels


def guessed(label: str, *samples: Value, other: tuple[str, ...] = ()) -> tuple[str, ...]:
    item = Property("key", label, "Thing", (), 3, 1.0, samples, other_labels=other)
    return with_guessed_labels(Schema("rdf", 3, 0, (), (), (item,))).properties[0].other_labels


@pytest.mark.parametrize(
    ("samples", "word"),
    [
        (("ada@moss.org", "t.lind@x.co.uk", "per+alm@alm.se"), "email"),
        (("+49-6200-33069465", "(00530) 5040048", "0673 525930320"), "phone"),
        (("https://a.org", "http://b.org/x?y=1", "www.c.de"), "website"),
        (
            ("Berliner Straße 428, 50920 Tann", "Esplanade 372, 63144 Löwenstein", "12 High St, Leeds LS1"),
            "address",
        ),
        (("EUR",), "currency"),
        (("France", "Poland", "Elbonia"), "country"),
        ((LanguageText("Frankreich", "de"), LanguageText("France", "en"), "Italy"), "country"),
    ],
)
@pytest.mark.parametrize("label", ["P23", "c_7", "x1", "12"])
def test_what_values_look_like_is_what_a_code_is_called_besides(
    label: str, samples: tuple[Value, ...], word: str
) -> None:
    assert word in guessed(label, *samples)


@pytest.mark.parametrize(
    "samples",
    [
        ("ada@moss.org", "n/a", "unknown"),
        ("ada@moss.org",),
        ("2019-01-01", "2020-05-07", "2021-12-31"),
        ("0058fc5e-e9e8-46eb", "3c5797ed-e2f6-47c2", "7f"),
        ("A145-1240844", "G420-6271055", "M721-8978045"),
        ("0001", "0002", "0003"),
        ("12.5", "13.25", "0.5"),
        ("EUR", "Lead", "Zinc"),
        (1, 2, 3),
        (),
    ],
)
def test_nothing_is_guessed_from_what_could_be_anything(samples: tuple[Value, ...]) -> None:
    assert guessed("P23", *samples) == ()


@pytest.mark.parametrize("label", ["contact", "phone", "P", "part of", "CO2 level", "e-mail 2 of three"])
def test_a_label_of_words_is_left_alone(label: str) -> None:
    assert guessed(label, "ada@moss.org", "t.lind@x.co.uk", "per@alm.se") == ()


def test_what_the_owner_says_is_not_guessed_over() -> None:
    assert guessed("P13", "a@b.org", "c@d.org", "e@f.org", other=("mailbox",)) == ("mailbox",)


def test_the_schema_says_what_was_guessed_and_is_the_same_without() -> None:
    item = Property("http://x.org/P13", "P13", "Thing", (), 3, 1.0, ("a@b.org", "c@d.org", "e@f.org"))
    schema = with_guessed_labels(Schema("rdf", 3, 0, (), (), (item,)))
    assert schema.notes == ("Guessed from the values of properties that are called by codes: P13 (email).",)
    plain = Schema("rdf", 3, 0, (), (), ())
    assert with_guessed_labels(plain) is plain
