"""A graph with something to hide, and queries that must give what they would give on a graph without it."""

from __future__ import annotations

from askgraph.core.hidden import Hidden
from askgraph.querying import GatePolicy

HIDDEN = Hidden(types=("Secret", "SPIES"), properties=("mail", "Person.pay"))
POLICY = GatePolicy(hidden=HIDDEN, rows=None, refuse_costly=False)
OPEN = GatePolicy(rows=None, refuse_costly=False)

Nodes = dict[str, tuple[str, dict[str, object]]]
NODES: Nodes = {
    "ann": ("Person", {"name": "Ann", "mail": "ann@x", "pay": 1}),
    "bob": ("Person:Artist", {"name": "Bob", "mail": "bob@x", "pay": 7}),
    "cat": ("Artist", {"name": "Cat", "pay": 5}),
    "sid": ("Person:Secret", {"name": "Sid", "mail": "sid@x", "pay": 99}),
    "eve": ("Secret", {"name": "Eve"}),
}
EDGES = (
    ("ann", "KNOWS", "bob"), ("ann", "KNOWS", "sid"), ("ann", "SPIES", "bob"), ("bob", "KNOWS", "cat"),
    ("cat", "KNOWS", "ann"), ("sid", "KNOWS", "cat"), ("sid", "KNOWS", "eve"), ("eve", "KNOWS", "ann"),
    ("bob", "LIKES", "ann"), ("eve", "LIKES", "cat"), ("cat", "SPIES", "sid"), ("bob", "LIKES", "bob"),
)  # fmt: skip


def creation(nodes: Nodes, edges: tuple[tuple[str, str, str], ...]) -> str:
    """The text that makes a graph, for a throw-away engine."""
    parts = [f"({key}:{labels} {_map(properties)})" for key, (labels, properties) in nodes.items()]
    parts += [f"({source})-[:{type}]->({target})" for source, type, target in edges]
    return "CREATE " + ", ".join(parts)


def _map(properties: dict[str, object]) -> str:
    return "{" + ", ".join(f"{key}: {value!r}" for key, value in properties.items()) + "}"


def visible_creation(nodes: Nodes, edges: tuple[tuple[str, str, str], ...]) -> str:
    """The text that makes the graph without what is hidden."""
    left = {key: item for key, item in nodes.items() if not set(item[0].split(":")) & set(HIDDEN.types)}
    shown = {
        key: (
            labels,
            {
                name: value
                for name, value in properties.items()
                if name != "mail" and (name != "pay" or "Person" not in labels.split(":"))
            },
        )
        for key, (labels, properties) in left.items()
    }
    kept = tuple(
        edge for edge in edges if edge[1] not in HIDDEN.types and edge[0] in left and edge[2] in left
    )
    return creation(shown, kept)


SAME = [
    "MATCH (n) RETURN count(*) AS c",
    "MATCH (n) RETURN n.name AS name ORDER BY name",
    "MATCH (n:Person) RETURN n.name AS name",
    "MATCH (n) RETURN labels(n) AS l, count(*) AS c",
    "MATCH ()-[r]->() RETURN type(r) AS t, count(*) AS c",
    "MATCH ()-[r]-() RETURN count(r) AS c",
    "MATCH ()-->() RETURN count(*) AS c",
    "MATCH (a)-[:KNOWS]->(b) RETURN a.name AS a, b.name AS b",
    "MATCH (a)-[:KNOWS|LIKES]->(b) RETURN a.name AS a, b.name AS b",
    "MATCH (a)-->()-->(b) RETURN a.name AS a, b.name AS b",
    "MATCH (a)-[:KNOWS*1..3]->(b) RETURN a.name AS a, b.name AS b",
    "MATCH (a)-[*1..2]->(b) RETURN a.name AS a, b.name AS b",
    "MATCH p = (a)-[*0..2]-(b) RETURN length(p) AS l, a.name AS a, b.name AS b",
    "MATCH (a:Person) OPTIONAL MATCH (a)-[:KNOWS]->(b:Person) RETURN a.name AS a, b.name AS b",
    "MATCH (a:Person) OPTIONAL MATCH (a)-[r]->(b) WHERE b.name <> 'Bob' RETURN a.name AS a, count(r) AS c",
    "MATCH (a) WHERE (a)-[:KNOWS]->(:Artist) RETURN a.name AS a",
    "MATCH (a) WHERE NOT (a)-->() RETURN a.name AS a",
    "MATCH (a) WHERE a.name = 'Ann' OR exists((a)<-[:KNOWS]-()) RETURN a.name AS a",
    "MATCH (a) WHERE EXISTS { (a)-->(b) WHERE b.name = 'Eve' } RETURN a.name AS a",
    "MATCH (a) WHERE EXISTS { MATCH (a)-->(b:Person) } RETURN a.name AS a",
    "MATCH (a) RETURN a.name AS a, COUNT { (a)-->() } AS c",
    "MATCH (a) RETURN a.name AS a, size([(a)-[]->(b) | b.name]) AS c",
    "MATCH (a:Person) RETURN a.name AS a, [(a)-[r]->(b) WHERE b.name <> 'x' | type(r)] AS l",
    "MATCH (a:Person), (b:Artist) WHERE a.name < b.name RETURN a.name AS a, b.name AS b",
    "MATCH (a) WITH a, count(*) AS c MATCH (a)--(b) RETURN a.name AS a, count(b) AS c",
    "MATCH (a) RETURN a.name AS name UNION MATCH (a)-->(b) RETURN b.name AS name",
    "MATCH (a) WHERE a.name IN ['Ann', 'Sid'] RETURN a.name AS a",
    "MATCH (a {name: 'Eve'}) RETURN count(a) AS c",
    "MATCH (a) CALL { WITH a MATCH (a)-->(b) RETURN count(b) AS c } RETURN a.name AS a, c",
    "MATCH (a) RETURN collect(a.name) AS names",
    "MATCH (a)-[r]->(a) RETURN a.name AS a",
    "MATCH (n) RETURN n.name AS name, n.pay AS pay",
    "MATCH (n:Artist) RETURN n.name AS name, (n).pay + 1 AS pay ORDER BY n.pay",
    "MATCH (n) WHERE n.pay > 2 OR n.pay IS NULL RETURN n.name AS name",
    "MATCH (n) RETURN sum(n.pay) AS total, count(n.pay) AS c, collect(n.pay) AS l",
    "MATCH (a)-[r:KNOWS]->(b) WHERE a.pay > 0 RETURN a.name AS z, b.pay AS x, r.pay AS y",
    "MATCH (a) OPTIONAL MATCH (a)-[:KNOWS]->(b:Artist) RETURN a.name AS a, b.pay AS x",
    "MATCH (a) WHERE EXISTS { (a)-->(b) WHERE b.pay > 2 } RETURN a.name AS a",
    "MATCH (a) RETURN a.name AS a, [(a)-->(b) WHERE b.pay > 0 | b.pay] AS l",
    "MATCH (n) RETURN max(n.pay) AS m, CASE WHEN n.pay > 6 THEN 1 ELSE 0 END AS c",
]  # fmt: skip

SAME_ON_NEO4J = [
    "MATCH (a)((x)-[:KNOWS]->(y)){1,2}(b) RETURN a.name AS a, b.name AS b, [n IN x | n.name] AS x",
    "MATCH (a)((x)-->(y) WHERE x.name <> 'Cat'){0,2}(b) RETURN a.name AS a, b.name AS b",
    "MATCH (a)-[:KNOWS]->{1,3}(b) RETURN a.name AS a, b.name AS b",
    "MATCH (a)-[:!LIKES]->+(b) RETURN a.name AS a, b.name AS b",
    "MATCH p = ALL (a)-->{1,2}(b) RETURN length(p) AS l, count(*) AS c",
    "MATCH (a) RETURN a.name AS a, COLLECT { MATCH (a)-->(b) RETURN b.name } AS l",
    "MATCH (n:%) RETURN n.name AS n",
    "MATCH (n:!Person) RETURN n.name AS n",
    "MATCH (n:$('Person')) RETURN n.name AS n",
    "MATCH (n:$any(['Secret', 'Artist'])) RETURN n.name AS n",
    "MATCH ()-[r:$('SPIES')]->() RETURN count(r) AS c",
    "MATCH (a WHERE (a)-->(:Artist))-[r WHERE r.x IS NULL]->(b) RETURN a.name AS a, b.name AS b",
    "MATCH (a) CALL (a) { MATCH (a)-->(b) RETURN count(b) AS c } RETURN a.name AS a, c",
    "MATCH (a)-[rs:KNOWS*2]->(b) RETURN size(rs) AS s, a.name AS a, b.name AS b",
    "MATCH (a) WHERE exists { (a)-[:KNOWS*2..3]->(:Artist) } RETURN a.name AS a",
    "MATCH (a) RETURN a.name AS a, [p = (a)-[*1..2]->(b) | length(p)] AS l",
]
