"""The examples of the document on the multi-strategy engine, each as a function of a graph and a model.

What stands in them is the document's own code, but for imports, the graph and the model. They run on every kind of
graph: embedded (``test_byokg.py``) and on servers (``test_byokg_on_servers.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from askgraph.byokg import (
    AgenticRetriever,
    ByoKGQueryEngine,
    CypherKGLinker,
    EntityLinker,
    FuzzyStringIndex,
    GraphQueryRetriever,
    GTraversal,
    KGLinker,
    PathRetriever,
    PathVerbalizer,
    SemanticIndex,
    TripletGVerbalizer,
)
from askgraph.models.minilm import MiniLM
from askgraph.models.scripted import ScriptedModel

# --- a graph that the document's questions are about

DRUGS_CYPHER = (
    """
    CREATE (aspirin:Drug {name: 'Aspirin', approved: 1899}), (warfarin:Drug {name: 'Warfarin', approved: 1954}),
           (ibuprofen:Drug {name: 'Ibuprofen', approved: 1969}), (nausea:SideEffect {name: 'Nausea'}),
           (bleeding:SideEffect {name: 'Bleeding'}), (headache:Symptom {name: 'Headache'}),
           (migraine:Disease {name: 'Migraine'}), (dehydration:Disease {name: 'Dehydration'}),
           (aspirin)-[:HAS_SIDE_EFFECT]->(nausea), (aspirin)-[:HAS_SIDE_EFFECT]->(bleeding),
           (warfarin)-[:INTERACTS_WITH]->(aspirin), (aspirin)-[:INTERACTS_WITH]->(ibuprofen),
           (ibuprofen)-[:HAS_SIDE_EFFECT]->(nausea), (migraine)-[:CAUSES]->(headache),
           (dehydration)-[:CAUSES]->(headache), (aspirin)-[:TREATS]->(migraine)
    """,
    "CREATE FULLTEXT INDEX everything IF NOT EXISTS FOR (n:Drug|SideEffect|Symptom|Disease) ON EACH [n.name]",
    "CALL db.awaitIndexes(30)",
)

DRUGS_TURTLE = """
@prefix : <http://example.org/drugs/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Drug a rdfs:Class ; rdfs:label "Drug"@en . :SideEffect a rdfs:Class ; rdfs:label "Side effect"@en .
:Symptom a rdfs:Class ; rdfs:label "Symptom"@en . :Disease a rdfs:Class ; rdfs:label "Disease"@en .
:hasSideEffect rdfs:label "has side effect"@en . :interactsWith rdfs:label "interacts with"@en .
:causes rdfs:label "causes"@en . :treats rdfs:label "treats"@en . :approved rdfs:label "approved"@en .
:aspirin a :Drug ; rdfs:label "Aspirin" ; :approved 1899 ; :hasSideEffect :nausea, :bleeding ;
  :interactsWith :ibuprofen ; :treats :migraine .
:warfarin a :Drug ; rdfs:label "Warfarin" ; :approved 1954 ; :interactsWith :aspirin .
:ibuprofen a :Drug ; rdfs:label "Ibuprofen" ; :approved 1969 ; :hasSideEffect :nausea .
:nausea a :SideEffect ; rdfs:label "Nausea" . :bleeding a :SideEffect ; rdfs:label "Bleeding" .
:headache a :Symptom ; rdfs:label "Headache" .
:migraine a :Disease ; rdfs:label "Migraine" ; :causes :headache .
:dehydration a :Disease ; rdfs:label "Dehydration" ; :causes :headache .
"""


def drugs() -> Any:
    """The same as a networkx graph."""
    import networkx

    graph = networkx.MultiDiGraph()
    for kind, names in {
        "Drug": ("Aspirin", "Warfarin", "Ibuprofen"),
        "SideEffect": ("Nausea", "Bleeding"),
        "Symptom": ("Headache",),
        "Disease": ("Migraine", "Dehydration"),
    }.items():
        for name in names:
            graph.add_node(name.lower(), label=kind, name=name)
    for drug, year in (("aspirin", 1899), ("warfarin", 1954), ("ibuprofen", 1969)):
        graph.nodes[drug]["approved"] = year
    for source, type, target in (
        ("aspirin", "HAS_SIDE_EFFECT", "nausea"),
        ("aspirin", "HAS_SIDE_EFFECT", "bleeding"),
        ("warfarin", "INTERACTS_WITH", "aspirin"),
        ("aspirin", "INTERACTS_WITH", "ibuprofen"),
        ("ibuprofen", "HAS_SIDE_EFFECT", "nausea"),
        ("migraine", "CAUSES", "headache"),
        ("dehydration", "CAUSES", "headache"),
        ("aspirin", "TREATS", "migraine"),
    ):
        graph.add_edge(source, target, type=type)
    return graph


# --- what the model says

QUERIES: Mapping[str, Mapping[str, str]] = {
    "property": {
        "linking": "MATCH (d:Drug) WHERE toLower(d.name) CONTAINS 'aspirin' RETURN d LIMIT 5",
        "interactions": "MATCH (d:Drug)-[:INTERACTS_WITH]-(:Drug {name: 'Aspirin'}) RETURN d",
        "empty": "MATCH (d:Drug)-[:INTERACTS_WITH]-(:Drug {name: 'Water'}) RETURN d",
        "write": "MATCH (d:Drug) DETACH DELETE d",
    },
    "rdf": {
        "linking": "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> SELECT ?d { ?d rdfs:label ?l "
        'FILTER(CONTAINS(LCASE(?l), "aspirin")) } LIMIT 5',
        "interactions": "PREFIX : <http://example.org/drugs/> SELECT ?d { "
        "{ ?d :interactsWith :aspirin } UNION { :aspirin :interactsWith ?d } }",
        "empty": "PREFIX : <http://example.org/drugs/> SELECT ?d { ?d :interactsWith :water }",
        "write": "DELETE WHERE { ?s ?p ?o }",
    },
}
SIDE_EFFECTS = "<entities>aspirin</entities><paths>has side effect</paths>"
CAUSES = "<entities>headaches</entities><paths><- causes</paths>"


def interactions(kind: str) -> str:
    """What a model says that is asked for queries alone."""
    own = QUERIES[kind]
    return f"<opencypher-linking>{own['linking']}</opencypher-linking><opencypher>{own['interactions']}</opencypher>"


@dataclass
class Example:
    """What an example came to."""

    context: Any
    engine: ByoKGQueryEngine
    model: ScriptedModel


# --- the examples


def basic_usage(graph_store: Any) -> Example:
    llm_generator = ScriptedModel({"propose": SIDE_EFFECTS})
    # Initialize with graph store and LLM
    query_engine = ByoKGQueryEngine(graph_store=graph_store, llm_generator=llm_generator)

    # Process a question
    question = "What are the side effects of aspirin?"
    context = query_engine.query(question)

    print("Retrieved context:")
    for item in context:
        print(f"- {item}")
    return Example(context, query_engine, llm_generator)


def full_initialization(graph_store: Any) -> Example:
    custom_llm = ScriptedModel({"propose": SIDE_EFFECTS, "propose_query": "<opencypher></opencypher>"})
    string_index = FuzzyStringIndex()
    string_index.add(nodes_of(graph_store))
    custom_entity_linker = EntityLinker(string_index.as_entity_matcher())
    graph_traversal = GTraversal(graph_store)
    custom_triplet_retriever = AgenticRetriever(
        llm_generator=custom_llm, graph_traversal=graph_traversal, graph_verbalizer=TripletGVerbalizer()
    )
    custom_path_retriever = PathRetriever(graph_traversal=graph_traversal, path_verbalizer=PathVerbalizer())
    custom_query_executor = GraphQueryRetriever(graph_store)
    custom_kg_linker = KGLinker(custom_llm, graph_store)
    custom_cypher_linker = CypherKGLinker(custom_llm, graph_store)
    query_engine = ByoKGQueryEngine(
        graph_store=graph_store,
        entity_linker=custom_entity_linker,
        triplet_retriever=custom_triplet_retriever,
        path_retriever=custom_path_retriever,
        graph_query_executor=custom_query_executor,
        llm_generator=custom_llm,
        kg_linker=custom_kg_linker,
        cypher_kg_linker=custom_cypher_linker,
        direct_query_linking=False,
    )
    context = query_engine.query("What are the side effects of aspirin?", cypher_iterations=1)
    return Example(context, query_engine, custom_llm)


def default_entity_linker(graph_store: Any) -> list[str]:
    string_index = FuzzyStringIndex()
    string_index.add(nodes_of(graph_store))
    entity_retriever = string_index.as_entity_matcher()
    entity_linker = EntityLinker(entity_retriever)
    found = entity_linker.link(["asprin", "headache"], return_dict=False)
    assert isinstance(found, list)
    return found


def default_triplet_retriever(graph_store: Any) -> list[str]:
    llm_generator = ScriptedModel({"choose_relations": "<selected>1</selected>"})
    graph_traversal = GTraversal(graph_store)
    graph_verbalizer = TripletGVerbalizer()
    triplet_retriever = AgenticRetriever(
        llm_generator=llm_generator, graph_traversal=graph_traversal, graph_verbalizer=graph_verbalizer
    )
    return triplet_retriever.retrieve("What are the side effects of aspirin?", ["Aspirin"])


def default_path_retriever(graph_store: Any) -> list[str]:
    graph_traversal = GTraversal(graph_store)
    path_verbalizer = PathVerbalizer()
    path_retriever = PathRetriever(graph_traversal=graph_traversal, path_verbalizer=path_verbalizer)
    return path_retriever.retrieve(["Warfarin"], ["interacts with -> has side effect"], ["Headache"])


def cypher_focused_usage(graph_store: Any, kind: str) -> Example:
    llm_generator = ScriptedModel({"propose_query": interactions(kind)})
    # Initialize with Cypher support
    cypher_linker = CypherKGLinker(llm_generator, graph_store)
    query_engine = ByoKGQueryEngine(
        graph_store=graph_store, llm_generator=llm_generator, cypher_kg_linker=cypher_linker
    )

    # Process question with Cypher iterations
    question = "Find all drugs that interact with aspirin"
    context = query_engine.query(question, cypher_iterations=3)
    return Example(context, query_engine, llm_generator)


def multi_strategy_with_custom_components(graph_store: Any) -> Example:
    llm_generator = ScriptedModel(
        {"propose": "<entities>headaches</entities>", "propose_again": CAUSES, "choose_relations": "1"}
    )
    embedding_model = MiniLM()
    # Custom entity linker with semantic similarity
    semantic_index = SemanticIndex(embedding_model)
    semantic_index.add(nodes_of(graph_store))
    entity_linker = EntityLinker(semantic_index.as_entity_matcher())

    # Initialize with custom components
    query_engine = ByoKGQueryEngine(
        graph_store=graph_store,
        llm_generator=llm_generator,
        entity_linker=entity_linker,
        direct_query_linking=True,  # Enable semantic entity linking
    )

    # Process with multiple iterations
    question = "What causes headaches?"
    context = query_engine.query(question, iterations=3)
    return Example(context, query_engine, llm_generator)


def response_generation(graph_store: Any, answer: Any) -> tuple[Example, list[str], str]:
    llm_generator = ScriptedModel({"propose": CAUSES, "answer": answer})
    query_engine = ByoKGQueryEngine(graph_store=graph_store, llm_generator=llm_generator)
    # Generate final response from retrieved context
    question = "What causes headaches?"
    context = query_engine.query(question)

    # Generate answer using retrieved context
    answers, full_response = query_engine.generate_response(query=question, graph_context="\n".join(context))

    print("Generated answers:")
    for text in answers:
        print(f"- {text}")
    return Example(context, query_engine, llm_generator), answers, full_response


def combining_both_approaches(graph_store: Any, queries: str, kinds: Mapping[str, Any]) -> Example:
    llm_generator = ScriptedModel({"propose_query": queries, "propose_query_again": queries, **kinds})
    kg_linker = KGLinker(llm_generator, graph_store)
    cypher_linker = CypherKGLinker(llm_generator, graph_store)
    # Initialize with both KG Linker and Cypher KG Linker
    query_engine = ByoKGQueryEngine(
        graph_store=graph_store,
        llm_generator=llm_generator,
        kg_linker=kg_linker,
        cypher_kg_linker=cypher_linker,
    )

    # The engine will first try Cypher-based retrieval,
    # then fall back to multi-strategy retrieval
    context = query_engine.query("Find all drugs that interact with aspirin")
    return Example(context, query_engine, llm_generator)


def direct_query_linking(graph_store: Any) -> Example:
    llm_generator = ScriptedModel({"propose": "<paths>has side effect</paths>"})
    query_engine = ByoKGQueryEngine(
        graph_store=graph_store, llm_generator=llm_generator, direct_query_linking=True
    )
    return Example(query_engine.query("What are the side effects of aspirin?"), query_engine, llm_generator)


def iteration_control(graph_store: Any, kind: str) -> Example:
    nothing = "<entities>aspirin</entities>"
    empty = f"<opencypher>{QUERIES[kind]['empty']}</opencypher>"
    llm_generator = ScriptedModel(
        {
            "propose": nothing,
            "propose_again": nothing,
            "propose_query": empty,
            "propose_query_again": empty,
            "choose_relations": "1",
        }
    )
    query_engine = ByoKGQueryEngine(
        graph_store=graph_store,
        llm_generator=llm_generator,
        kg_linker=KGLinker(llm_generator, graph_store),
        cypher_kg_linker=CypherKGLinker(llm_generator, graph_store),
    )
    # Fine-tune iteration counts for different strategies
    context = query_engine.query(
        "Is there anything unusual?",
        iterations=2,  # Multi-strategy iterations
        cypher_iterations=2,  # Cypher retry iterations
    )
    return Example(context, query_engine, llm_generator)


def nodes_of(graph_store: Any) -> Any:
    """``graph_store.nodes()``: of an open graph that of its store."""
    return getattr(graph_store, "store", graph_store).nodes()


# --- what each must come to, wherever it runs

Check = Callable[[Any, str], None]


def check_basic_usage(graph_store: Any, kind: str) -> None:
    example = basic_usage(graph_store)
    assert sorted(example.context.answers) == ["Bleeding", "Nausea"]
    assert sorted(example.context) == ["Aspirin has side effect Bleeding", "Aspirin has side effect Nausea"]
    assert [call.purpose for call in example.context.run.calls] == ["propose"]


def check_full_initialization(graph_store: Any, kind: str) -> None:
    example = full_initialization(graph_store)
    assert sorted(example.context.answers) == ["Bleeding", "Nausea"]
    assert any("Aspirin -> has side effect" in item for item in example.context)


def check_components(graph_store: Any, kind: str) -> None:
    names = {node.id: node.name for node in nodes_of(graph_store)}
    assert [names[id] for id in default_entity_linker(graph_store)] == ["Aspirin", "Headache"]
    triples = default_triplet_retriever(graph_store)
    assert set(triples[:2]) == {
        "Aspirin -> has side effect -> Bleeding",
        "Aspirin -> has side effect -> Nausea",
    }
    paths = default_path_retriever(graph_store)
    assert (
        "Warfarin -> interacts with -> Aspirin -> has side effect -> Bleeding|Nausea" in paths
        or "Warfarin -> interacts with -> Aspirin -> has side effect -> Nausea|Bleeding" in paths
    )
    assert paths[-1].startswith("Warfarin -> interacts with -> Aspirin -> treats -> Migraine -> causes")


def check_cypher_focused_usage(graph_store: Any, kind: str) -> None:
    example = cypher_focused_usage(graph_store, kind)
    assert sorted(example.context.answers) == ["Ibuprofen", "Warfarin"]
    assert [call.purpose for call in example.context.run.calls] == ["propose_query"]


def check_multi_strategy(graph_store: Any, kind: str) -> None:
    example = multi_strategy_with_custom_components(graph_store)
    assert "Headache" in {link.name for link in example.context.links}
    assert sorted(example.context.answers) == ["Dehydration", "Migraine"]


def check_combining_both(graph_store: Any, kind: str) -> None:
    example = combining_both_approaches(graph_store, interactions(kind), {})
    assert [call.purpose for call in example.context.run.calls] == ["propose_query"]
    assert sorted(example.context.answers) == ["Ibuprofen", "Warfarin"]
    empty = f"<opencypher>{QUERIES[kind]['empty']}</opencypher>"
    paths = "<entities>aspirin</entities><paths>interacts with\n<- interacts with</paths>"
    example = combining_both_approaches(graph_store, empty, {"propose": paths})
    assert sorted(example.context.answers) == ["Ibuprofen", "Warfarin"]
    assert sorted(call.purpose for call in example.context.run.calls) == [
        "propose",
        "propose_query",
        "propose_query_again",
    ]


def check_direct_query_linking(graph_store: Any, kind: str) -> None:
    assert sorted(direct_query_linking(graph_store).context.answers) == ["Bleeding", "Nausea"]


def check_iteration_control(graph_store: Any, kind: str) -> None:
    example = iteration_control(graph_store, kind)
    purposes = [call.purpose for call in example.context.run.calls]
    assert sum(purpose.startswith("propose_query") for purpose in purposes) == 2
    assert sum(purpose in ("propose", "propose_again") for purpose in purposes) == 2


def check_response_generation(graph_store: Any, kind: str) -> None:
    reply = (
        "Migraine causes headache [1]. Dehydration causes headache [2].\nShort answer: Migraine; Dehydration"
    )
    example, answers, full_response = response_generation(graph_store, reply)
    assert sorted(answers) == ["Dehydration", "Migraine"]
    assert "Migraine causes headache" in full_response
    assert len(example.model.requests) == 2


CHECKS: Mapping[str, Check] = {
    "basic usage": check_basic_usage,
    "full initialization": check_full_initialization,
    "components": check_components,
    "Cypher-focused usage": check_cypher_focused_usage,
    "multi-strategy with custom components": check_multi_strategy,
    "combining both approaches": check_combining_both,
    "direct query linking": check_direct_query_linking,
    "iteration control": check_iteration_control,
    "response generation": check_response_generation,
}
