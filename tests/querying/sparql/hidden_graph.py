"""An RDF graph with something to hide, and queries that must give what they would give on a graph without it."""

from __future__ import annotations

from askgraph.core.hidden import Hidden
from askgraph.querying import GatePolicy

E = "http://e/"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
PREFIXES = {"e": E, "rdfs": "http://www.w3.org/2000/01/rdf-schema#"}
HIDDEN = Hidden(types=(E + "Secret", E + "spies"), properties=(E + "mail", f"{E}Person.{E}pay"))
PROPERTIES = Hidden(properties=(E + "mail", E + "pay"))
POLICY = GatePolicy(hidden=HIDDEN, prefixes=PREFIXES, rows=None, refuse_costly=False, unbounded_paths="allow")
OPEN = POLICY.updated({"hidden": Hidden()})

GRAPH = """
@prefix e: <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:ann a e:Person ; e:name "Ann" ; e:mail "ann@x" ; e:pay 10 ; e:knows e:bob, e:sid ; e:spies e:bob .
e:bob a e:Person, e:Artist ; e:name "Bob" ; e:mail "bob@x" ; e:pay 20 ; e:knows e:cat .
e:cat a e:Artist ; e:name "Cat" ; e:pay 30 ; e:knows e:ann .
e:sid a e:Secret, e:Person ; e:name "Sid" ; e:mail "sid@x" ; e:pay 99 ; e:knows e:cat, e:eve .
e:eve a e:Secret ; e:name "Eve" ; e:knows e:ann .
e:Secret rdfs:label "secret" ; rdfs:subClassOf e:Person . e:mail rdfs:label "mail" . e:spies rdfs:label "spies" .
e:Person rdfs:label "person" . e:pay rdfs:label "pay" .
e:dan e:name "Dan" ; e:likes ("Ann" e:sid e:cat) ; e:knows [ e:name "nobody" ; e:mail "no@x" ] .
"""


SAME = [
    "SELECT * { ?s ?p ?o }",
    "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }",
    "SELECT DISTINCT ?p { ?s ?p ?o }",
    "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p",
    "SELECT DISTINCT ?t { ?s a ?t }",
    "SELECT ?s { ?s a e:Person }",
    "SELECT ?n { ?s e:name ?n }",
    "SELECT ?p ?o { e:sid ?p ?o }",
    "SELECT ?s ?p { ?s ?p e:sid }",
    "SELECT ?x { e:ann e:knows ?x }",
    "SELECT ?x { e:ann e:knows/e:knows ?x }",
    "SELECT ?x { e:ann e:knows/e:knows/e:name ?x }",
    "SELECT ?x ?y { ?x (e:knows|^e:knows) ?y }",
    "SELECT ?x ?y { ?x (e:knows/e:knows|e:pay) ?y }",
    "SELECT ?x ?y { ?x ^e:pay ?y }",
    "SELECT ?x ?v { ?x e:pay ?v }",
    "SELECT (SUM(?v) AS ?all) (MAX(?v) AS ?most) { ?x e:pay ?v }",
    "SELECT ?x ?y { ?x e:name ?n . ?x e:knows? ?y }",
    "SELECT ?x { ?x e:name ?n FILTER NOT EXISTS { ?x e:knows e:sid } }",
    "SELECT ?x { ?x e:name ?n FILTER EXISTS { ?x ?any e:bob } }",
    "SELECT ?x { ?x e:name ?n FILTER(EXISTS { ?y e:knows ?x } && ?n != 'x') }",
    "SELECT ?x ?y { ?x e:name ?n OPTIONAL { ?x e:knows ?y } }",
    "SELECT ?x ?y { ?x e:name ?n OPTIONAL { ?y e:knows ?x FILTER(?y != ?x) } }",
    "SELECT ?x { ?x e:name ?n MINUS { ?x e:knows ?y . ?y e:knows e:cat } }",
    "SELECT ?x ?v { { ?x e:name ?v } UNION { ?x e:pay ?v } }",
    "SELECT ?n { { SELECT (COUNT(*) AS ?n) { ?x a e:Person } } }",
    "SELECT ?t ?n { { SELECT ?t (COUNT(?x) AS ?n) { ?x a ?t } GROUP BY ?t } FILTER(?n > 1) }",
    "SELECT * { VALUES ?x { e:ann e:sid } ?x e:name ?n }",
    "SELECT ?l { ?c <http://www.w3.org/2000/01/rdf-schema#label> ?l }",
    "SELECT ?n { [] e:name ?n ; e:knows [ e:name ?m ] }",
    "SELECT ?n { _:a e:name ?n . _:b e:knows _:a }",
    "SELECT * { e:dan e:likes (?a ?b ?c) }",
    "SELECT * { e:dan e:knows [ ?p ?o ] }",
    "ASK { ?x e:knows e:sid }",
    "ASK { e:eve ?p ?o }",
    "ASK { ?x ?p 'sid@x' }",
    "ASK { ?x e:pay 10 }",
    "CONSTRUCT { ?x e:has ?o } { ?x ?p ?o FILTER(!isBLANK(?x) && !isBLANK(?o)) }",
    "CONSTRUCT WHERE { ?x e:pay ?v }",
    "SELECT ?x { ?x e:knows ?y BIND(EXISTS { ?y ?p 'Sid' } AS ?b) FILTER(?b) }",
    "SELECT ?x (EXISTS { ?x ?p 99 } AS ?rich) { ?x e:name ?n }",
    "SELECT ?x { ?x e:name ?n } ORDER BY (EXISTS { ?x e:knows e:sid }) ?n",
    "SELECT ?x ?c { ?x a/<http://www.w3.org/2000/01/rdf-schema#subClassOf>* ?c }",
    "SELECT * { ?x e:knows ?y . ?y e:knows ?z }",
    "SELECT * { ?x ?p ?y . ?y ?q ?x }",
]  # fmt: skip
