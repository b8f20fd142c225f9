"""Questions in German and Spanish, on graphs whose labels are in English, and on one whose labels are in German."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.engine.test_question_forms import library

from askgraph import Answer, Graph, Settings, open_graph
from askgraph.core.errors import SettingsError


def bakery() -> Any:
    """A bakery that describes itself in German."""
    import networkx

    graph = networkx.MultiDiGraph()
    graph.add_node("a1", label="Abteilung", name="Backstube")
    graph.add_node("a2", label="Abteilung", name="Laden")
    for id, name, email in (("m1", "Jörg Müller", "jm@example.org"), ("m2", "Änne Groß", "ag@example.org")):
        graph.add_node(id, label="Mitarbeiter", name=name, email=email)
    for id, name, price, weight in (("k1", "Zwiebelkuchen", 12.5, 900), ("k2", "Mohnschnecke", 2.2, 120)):
        graph.add_node(id, label="Gebäck", name=name, preis=price, gewicht=weight)
    graph.add_edge("m1", "a1", type="ARBEITET_IN")
    graph.add_edge("m2", "a2", type="ARBEITET_IN")
    graph.add_edge("a1", "m1", type="LEITER")
    for cake in ("k1", "k2"):
        graph.add_edge("a1", cake, type="VERANTWORTLICH_FÜR")
    return graph


def world() -> Any:
    """Rivers and seas, a film and its music, an enzyme and its gene: labels in English."""
    import networkx

    graph = networkx.MultiDiGraph()
    for id, kind, name, more in (
        ("elbe", "River", "Elbe", {"length": 1094}),
        ("rhine", "River", "Rhine", {"length": 1233}),
        ("north", "Sea", "North Sea", {"temperature": 11.5}),
        ("metropolis", "Film", "Metropolis", {}),
        ("huppertz", "Composer", "Gottfried Huppertz", {"salary": 900}),
        ("harbou", "Writer", "Thea von Harbou", {}),
        ("ace", "Gene", "ACE", {}),
        ("angiotensin", "Enzyme", "Angiotensin converter", {}),
    ):
        graph.add_node(id, label=kind, name=name, **more)
    for river in ("elbe", "rhine"):
        graph.add_edge(river, "north", type="FLOWS_INTO")
    graph.add_edge("huppertz", "metropolis", type="COMPOSED")
    graph.add_edge("harbou", "metropolis", type="WROTE_SCREENPLAY_OF")
    graph.add_edge("ace", "angiotensin", type="ENCODES")
    return graph


@pytest.fixture(scope="module")
def small_world() -> Iterator[Graph]:
    with open_graph(world(), settings=Settings.load(save_runs=False, embedder="none")) as graph:
        yield graph


@pytest.fixture(scope="module")
def books(settings: Settings) -> Iterator[Graph]:
    with open_graph(library(), settings=settings) as graph:
        yield graph


@pytest.fixture(scope="module")
def german_bakery(settings: Settings) -> Iterator[Graph]:
    with open_graph(bakery(), settings=settings) as graph:
        yield graph


def texts(answer: Answer) -> set[str]:
    return {item.text for item in answer.answers}


def check(graph: Graph, question: str, expected: set[str]) -> None:
    answer = graph.ask(question)
    assert not answer.abstained, answer
    assert texts(answer) == expected, answer.interpretation


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Wer ist der Chef von Ada Lovelace?", {"Charles Babbage"}),
        ("Wie viele Mitarbeiter gibt es?", {"3"}),
        ("Welche Produkte kosten weniger als 100,50 Euro?", {"Punch Card", "Compiler"}),
        ("Was ist das teuerste Produkt?", {"Difference Engine"}),
        ("billigstes Produkt", {"Punch Card"}),
        ("Welche Abteilung ist für die Difference Engine verantwortlich?", {"Engines"}),
        ("Telefonnummer von Grace Hopper", {"+1 3"}),
        ("Welche Mitarbeiter haben keinen Chef?", {"Charles Babbage", "Grace Hopper"}),
        ("Gehört Ada Lovelace zu Engines?", {"Yes"}),
        ("Gehoert Grace Hopper zu Engines?", {"No"}),
        ("Welche Produkte sind teurer als 50 Euro?", {"Difference Engine", "Compiler"}),
        ("Welche Abteilung hat die meisten Mitarbeiter?", {"Engines"}),
        ("durchschnittlicher Preis der Produkte", {"67.5"}),
        ("¿Quién es el jefe de Ada Lovelace?", {"Charles Babbage"}),
        ("¿Cuántos empleados hay?", {"3"}),
        ("¿Qué productos cuestan menos de 100,50 euros?", {"Punch Card", "Compiler"}),
        ("¿Cuál es el producto más caro?", {"Difference Engine"}),
        ("producto mas barato", {"Punch Card"}),
        ("¿Qué departamento es responsable de Difference Engine?", {"Engines"}),
        ("teléfono de Grace Hopper", {"+1 3"}),
        ("¿Qué empleados no tienen jefe?", {"Charles Babbage", "Grace Hopper"}),
        ("¿Pertenece Ada Lovelace a Engines?", {"Yes"}),
        ("¿Qué productos son más caros que 50 euros?", {"Difference Engine", "Compiler"}),
        ("¿Qué departamento tiene más empleados?", {"Engines"}),
        ("precio medio de los productos", {"67.5"}),
    ],
)
def test_a_company_is_asked_in_other_languages(
    company_graph: Graph, question: str, expected: set[str]
) -> None:
    check(company_graph, question, expected)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Wer hat The Glass Ferry geschrieben?", {"Rosa Lindqvist"}),
        ("Welche Bücher hat Rosa Lindqvist geschrieben?", {"The Glass Ferry", "A Winter Almanac"}),
        ("Wann ist Salt Roads erschienen?", {"2010-11-20"}),
        ("Welche Bücher sind nach 2012 erschienen?", {"A Winter Almanac", "Small Machines"}),
        ("Welche Autoren kommen aus Schweden?", {"Rosa Lindqvist", "Ines Duarte"}),
        ("Welche Mitglieder haben nie ein Buch ausgeliehen?", {"Leo Berg"}),
        ("Was ist das älteste Buch?", {"The Glass Ferry"}),
        ("Welche Buecher kosten zwischen 5 und 15 Euro?", {"The Glass Ferry", "Salt Roads"}),
        ("Welche Bücher kosten zehn Euro oder mehr?", {"The Glass Ferry", "A Winter Almanac"}),
        ("Welche Bücher sind nach März 2015 erschienen?", {"A Winter Almanac", "Small Machines"}),
        ("die zwei billigsten Bücher", {"Salt Roads", "The Glass Ferry"}),
        ("Welche Bücher sind teurer als Salt Roads?", {"The Glass Ferry", "A Winter Almanac"}),
        ("Welche Autoren haben mehr als ein Buch geschrieben?", {"Rosa Lindqvist"}),
        ("Stimmt es, dass Rosa Lindqvist The Glass Ferry geschrieben hat?", {"Yes"}),
        ("¿Quién escribió The Glass Ferry?", {"Rosa Lindqvist"}),
        ("¿Qué libros escribió Rosa Lindqvist?", {"The Glass Ferry", "A Winter Almanac"}),
        ("¿Cuándo se publicó Salt Roads?", {"2010-11-20"}),
        ("¿Qué libros se publicaron después de 2012?", {"A Winter Almanac", "Small Machines"}),
        ("¿Qué autores son de Suecia?", {"Rosa Lindqvist", "Ines Duarte"}),
        ("¿Cuál es el libro más antiguo?", {"The Glass Ferry"}),
        ("¿Qué libros cuestan entre 5 y 15 euros?", {"The Glass Ferry", "Salt Roads"}),
        ("¿Qué libros cuestan diez euros o más?", {"The Glass Ferry", "A Winter Almanac"}),
        ("¿Qué libros se publicaron después de marzo de 2015?", {"A Winter Almanac", "Small Machines"}),
        ("¿Qué libros se publicaron el 20 de noviembre de 2010?", {"Salt Roads"}),
        ("los dos libros más baratos", {"Salt Roads", "The Glass Ferry"}),
        ("¿Qué libros son más caros que Salt Roads?", {"The Glass Ferry", "A Winter Almanac"}),
        ("¿Qué autores escribieron más de un libro?", {"Rosa Lindqvist"}),
    ],
)
def test_a_library_is_asked_in_other_languages(books: Graph, question: str, expected: set[str]) -> None:
    check(books, question, expected)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Wie viele Mitarbeiter gibt es?", {"2"}),
        ("Welche Abteilungen gibt es?", {"Backstube", "Laden"}),
        ("Wer arbeitet in der Backstube?", {"Jörg Müller"}),
        ("Was ist das teuerste Gebäck?", {"Zwiebelkuchen"}),
        ("Welches Gebäck ist leichter als 500 g?", {"Mohnschnecke"}),
        ("Preis der Mohnschnecke", {"2.2"}),
        ("Wie lautet die E-Mail von Joerg Mueller?", {"jm@example.org"}),
        ("Welche Abteilung ist für Zwiebelkuchen verantwortlich?", {"Backstube"}),
        ("Wer ist der Leiter der Abteilung Backstube?", {"Jörg Müller"}),
    ],
)
def test_a_graph_in_german_is_asked_in_its_own_words(
    german_bakery: Graph, question: str, expected: set[str]
) -> None:
    check(german_bakery, question, expected)


@pytest.mark.parametrize(
    "question",
    [
        "Wer ist der Chef von Napoleon Bonaparte?",
        "Welche Krankheiten hat Ada Lovelace?",
        "¿Quién es el jefe de Napoleón Bonaparte?",
        "¿Qué enfermedades tiene Ada Lovelace?",
    ],
)
def test_what_the_graph_cannot_tell_is_not_answered(company_graph: Graph, question: str) -> None:
    assert company_graph.ask(question).abstained


def test_the_answer_says_as_what_language_a_question_was_read(company_graph: Graph) -> None:
    assert "The question was read as German." in company_graph.ask("Wie viele Produkte gibt es?").notes
    assert "The question was read as Spanish." in company_graph.ask("¿Cuántos productos hay?").notes
    assert not company_graph.ask("How many products are there?").notes


def test_the_language_can_be_set(settings: Settings) -> None:
    german = settings.model_copy(update={"language": "de"})
    with open_graph(bakery(), settings=german) as graph:
        answer = graph.ask("Preis Mohnschnecke")
        assert texts(answer) == {"2.2"}
        assert not answer.notes
    with (
        open_graph(bakery(), settings=settings.model_copy(update={"language": "xx"})) as graph,
        pytest.raises(SettingsError, match="'xx'") as caught,
    ):
        graph.ask("Preis Mohnschnecke")
    assert "de" in str(caught.value.advice)


def test_with_the_multilingual_embedder_a_type_is_found_by_its_meaning(settings: Settings) -> None:
    import networkx

    graph = networkx.MultiDiGraph()
    graph.add_node("v1", label="Volcano", name="Etna")
    graph.add_node("v2", label="Volcano", name="Teide")
    graph.add_node("w1", label="Wine", name="Nerello")
    with open_graph(graph, settings=settings.model_copy(update={"embedder": "multilingual"})) as opened:
        assert texts(opened.ask("Welche Vulkane gibt es?")) == {"Etna", "Teide"}
        assert texts(opened.ask("¿Cuántos volcanes hay?")) == {"2"}
        assert texts(opened.ask("Wie viele Weine gibt es?")) == {"1"}


def test_an_embedder_that_does_not_exist_is_a_setting_that_cannot_be_used(settings: Settings) -> None:
    with (
        open_graph(bakery(), settings=settings.model_copy(update={"embedder": "word2vec"})) as graph,
        pytest.raises(SettingsError, match="word2vec") as caught,
    ):
        graph.ask("Preis Mohnschnecke")
    assert "multilingual" in str(caught.value.advice)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Welche Flüsse fließen in die North Sea?", {"Elbe", "Rhine"}),
        ("Welcher Fluss, der in die North Sea fliesst, ist der längste?", {"Rhine"}),
        ("Welche Temperatur hat die North Sea?", {"11.5"}),
        ("Wer komponierte Metropolis?", {"Gottfried Huppertz"}),
        ("Welche Enzyme werden von ACE kodiert?", {"Angiotensin converter"}),
        ("Welches Gehalt hat Gottfried Huppertz?", {"900"}),
        ("¿Qué ríos desembocan en North Sea?", {"Elbe", "Rhine"}),
        ("¿Quién compuso Metropolis?", {"Gottfried Huppertz"}),
        ("¿Qué enzimas codifica ACE?", {"Angiotensin converter"}),
        ("¿Cuál es el sueldo de Gottfried Huppertz?", {"900"}),
    ],
)
def test_what_flows_is_composed_and_is_encoded_is_found_by_the_glossary_alone(
    small_world, question, expected
):
    check(small_world, question, expected)
