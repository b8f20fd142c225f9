// Reading constructs of modern Cypher, one query a line; further below, wrong variants of them.
// Patterns
MATCH (n) RETURN n
MATCH () RETURN 1 AS one
MATCH (n:Person {name: 'Ann'}) RETURN n.name
MATCH (n:Person)-->(m) RETURN n, m
MATCH (n)<--(m) RETURN n, m
MATCH (n)--(m) RETURN n, m
MATCH (n)-[r:KNOWS]->(m) RETURN type(r)
MATCH (n)-[:KNOWS|LIKES]->(m) RETURN m
MATCH (n)-[:KNOWS|:LIKES]->(m) RETURN m
MATCH (n)-[r:KNOWS {since: 2000}]->(m) RETURN r
MATCH (n)-[*]->(m) RETURN m
MATCH (n)-[*2]->(m) RETURN m
MATCH (n)-[*1..3]->(m) RETURN m
MATCH (n)-[*..3]->(m) RETURN m
MATCH (n)-[*2..]->(m) RETURN m
MATCH (n)-[r:KNOWS*1..2 {since: 1}]->(m) RETURN r
MATCH p = (n)-[:KNOWS]->(m) RETURN nodes(p), relationships(p), length(p)
MATCH (a)-[:R]->(b), (b)-[:S]->(c) RETURN a, c
MATCH (n:Person WHERE n.age > 30) RETURN n
MATCH (n)-[r:KNOWS WHERE r.since < 2000]->(m) RETURN r
MATCH (n {name: $name}) RETURN n
MATCH (n:Person $props) RETURN n
MATCH (n:$($label)) RETURN n
MATCH (n)-[:$($type)]->(m) RETURN m
MATCH (n:$any($labels)) RETURN n
MATCH (n:$all(['A', 'B'])) RETURN n
OPTIONAL MATCH (n:Person) RETURN n
MATCH (n) OPTIONAL MATCH (n)-->(m) WHERE m.x = 1 RETURN n, m
MATCH REPEATABLE ELEMENTS (a)-[r]->{1,3}(b) RETURN b
MATCH DIFFERENT RELATIONSHIPS (a)-[r]->(b) RETURN b
// Label expressions
MATCH (n:A:B) RETURN n
MATCH (n:A&B) RETURN n
MATCH (n:A|B) RETURN n
MATCH (n:!A) RETURN n
MATCH (n:%) RETURN n
MATCH (n:(A|B)&!C) RETURN n
MATCH (n IS A) RETURN n
MATCH (n)-[r:!KNOWS]->() RETURN r
MATCH (n)-[r:%]->() RETURN r
MATCH (n)-[r IS KNOWS|LIKES]->() RETURN r
MATCH (n) WHERE n:A RETURN n
MATCH (n) WHERE n:A|B RETURN n
MATCH (n) WHERE n IS A RETURN n
MATCH (n) WHERE n IS :: STRING RETURN n
MATCH (n) WHERE n IS NOT LABELED RETURN n
MATCH (n)-[r]->() WHERE r:KNOWS RETURN r
MATCH (n:`Odd Name`) RETURN n.`odd key`
// Quantified paths
MATCH (a)-[:KNOWS]->+(b) RETURN b
MATCH (a)-[:KNOWS]->*(b) RETURN b
MATCH (a)-[:KNOWS]->{2}(b) RETURN b
MATCH (a)-[:KNOWS]->{1,3}(b) RETURN b
MATCH (a)-[:KNOWS]->{,3}(b) RETURN b
MATCH (a)-[:KNOWS]->{2,}(b) RETURN b
MATCH (a)-->+(b) RETURN b
MATCH (a)<-[:KNOWS]-+(b) RETURN b
MATCH (a)-[:KNOWS]-{1,2}(b) RETURN b
MATCH ((a)-[:KNOWS]->(b)){1,3} RETURN a, b
MATCH ((a)-[:KNOWS]->(b) WHERE a.x < b.x){1,3} RETURN a, b
MATCH (s) ((a)-[:KNOWS]->(b))+ (e) RETURN s, e
MATCH (s) ((a)-[r:KNOWS]->(b)-[q:LIKES]->(c)){2} (e) RETURN [x IN r | type(x)]
MATCH p = (s) ((a)-[:KNOWS]->(b))* (e) RETURN p
MATCH (s)-[r:KNOWS WHERE r.x > 1]->+(e) RETURN e
MATCH p = (s:A) (()-[:R]->(:B)){1,4} (e) RETURN length(p)
MATCH (a) ((x)-[:R]->(y)){0,2} (b)-[:S]->(c) RETURN c
// Shortest paths
MATCH p = shortestPath((a:A)-[*]-(b:B)) RETURN p
MATCH p = shortestPath((a:A)-[:R*..5]->(b:B)) RETURN p
MATCH p = allShortestPaths((a:A)-[*]-(b:B)) RETURN p
MATCH (a:A), (b:B) MATCH p = shortestPath((a)-[*..15]-(b)) WHERE length(p) > 1 RETURN p
MATCH (a:A), (b:B) RETURN shortestPath((a)-[*..15]-(b)) AS p
MATCH p = SHORTEST 1 (a:A)-[:R]->+(b:B) RETURN p
MATCH p = SHORTEST 3 (a:A)-[:R]->+(b:B) RETURN p
MATCH p = SHORTEST 2 PATHS (a:A)-[:R]->+(b:B) RETURN p
MATCH p = ALL SHORTEST (a:A)-[:R]->+(b:B) RETURN p
MATCH p = ANY SHORTEST (a:A)-[:R]->+(b:B) RETURN p
MATCH p = ANY (a:A)-[:R]->+(b:B) RETURN p
MATCH p = ANY 3 (a:A)-[:R]->+(b:B) RETURN p
MATCH p = SHORTEST 2 GROUPS (a:A)-[:R]->+(b:B) RETURN p
MATCH p = SHORTEST GROUP (a:A)-[:R]->+(b:B) RETURN p
MATCH p = ALL (a:A)-[:R]->(b:B) RETURN p
MATCH p = ANY SHORTEST ((a:A)-[:R]->+(b:B) WHERE a.x < b.x) RETURN p
MATCH p = SHORTEST $k (a:A)-[:R]->+(b:B) RETURN p
MATCH p = ACYCLIC (a)-[:R]->+(b) RETURN p
MATCH p = TRAIL (a)-[:R]->+(b) RETURN p
MATCH p = WALK (a)-[:R]->{1,3}(b) RETURN p
// Subqueries in expressions
MATCH (n) WHERE EXISTS { (n)-[:R]->() } RETURN n
MATCH (n) WHERE EXISTS { MATCH (n)-[:R]->(m) WHERE m.x = 1 } RETURN n
MATCH (n) WHERE EXISTS { MATCH (n)-[:R]->(m) RETURN m } RETURN n
MATCH (n) WHERE NOT EXISTS { (n)-->() } RETURN n
MATCH (n) WHERE EXISTS { MATCH (n)-->(m) RETURN m UNION MATCH (n)<--(m) RETURN m } RETURN n
MATCH (n) WHERE COUNT { (n)-->() } > 2 RETURN n
MATCH (n) RETURN COUNT { MATCH (n)-->(m) WHERE m.x > 1 } AS c
MATCH (n) RETURN COUNT { (n)-->() WHERE n.x > 1 } AS c
MATCH (n) RETURN COLLECT { MATCH (n)-->(m) RETURN m.name } AS names
MATCH (n) RETURN COLLECT { MATCH (n)-->(m) RETURN m.name ORDER BY m.name LIMIT 3 } AS names
MATCH (n) WHERE 'x' IN COLLECT { MATCH (n)-->(m) RETURN m.name } RETURN n
MATCH (n) WHERE EXISTS { WITH n MATCH (n)-->(m) RETURN m } RETURN n
MATCH (n) WHERE exists((n)-->()) RETURN n
MATCH (n) WHERE (n)-[:R]->() RETURN n
MATCH (n) WHERE NOT (n)-[:R]->(:A) RETURN n
// CALL subqueries
CALL { MATCH (n) RETURN n LIMIT 1 } RETURN n
MATCH (n) CALL { WITH n MATCH (n)-->(m) RETURN m } RETURN n, m
MATCH (n) CALL (n) { MATCH (n)-->(m) RETURN m } RETURN n, m
MATCH (n) CALL (*) { MATCH (n)-->(m) RETURN m } RETURN n, m
MATCH (n) CALL () { RETURN 1 AS one } RETURN n, one
MATCH (n) OPTIONAL CALL (n) { MATCH (n)-->(m) RETURN m } RETURN n, m
CALL { RETURN 1 AS x UNION RETURN 2 AS x } RETURN x
CALL { RETURN 1 AS x UNION ALL RETURN 2 AS x } RETURN x
MATCH (n) CALL (n) { WITH n WHERE n.x > 1 RETURN n.x AS y } RETURN y
// Procedures
CALL db.labels() YIELD label RETURN label
CALL db.labels()
CALL db.labels
CALL db.labels() YIELD *
CALL db.labels() YIELD label AS name WHERE name STARTS WITH 'A' RETURN count(*)
CALL db.propertyKeys() YIELD propertyKey RETURN propertyKey ORDER BY propertyKey LIMIT 5
CALL db.index.fulltext.queryNodes('names', 'ann') YIELD node, score RETURN node, score
OPTIONAL CALL db.labels() YIELD label RETURN label
// Projections
MATCH (n) RETURN *
MATCH (n) RETURN DISTINCT n.x AS x
MATCH (n) RETURN n.x AS x ORDER BY x DESC, n.y ASC SKIP 1 LIMIT 2
MATCH (n) RETURN n.x ORDER BY n.x ASCENDING
MATCH (n) RETURN n.x OFFSET 2 LIMIT 1
MATCH (n) RETURN n SKIP $s LIMIT $l
MATCH (n) RETURN n LIMIT 1 + 2
MATCH (n) WITH n.x AS x, count(*) AS c WHERE c > 1 RETURN x
MATCH (n) WITH * ORDER BY n.x LIMIT 3 RETURN n
MATCH (n) WITH DISTINCT n.x AS x RETURN collect(x)
UNWIND [1, 2, 3] AS x RETURN x
UNWIND $rows AS row MATCH (n {id: row.id}) RETURN n
MATCH (n) ORDER BY n.x LIMIT 3 RETURN n
MATCH (n) FILTER n.x > 1 RETURN n
LET x = 1 RETURN x
MATCH (n) LET y = n.x + 1, z = 2 RETURN y, z
FOR x IN [1, 2] RETURN x
MATCH (n) FINISH
FINISH
RETURN 1 AS x UNION RETURN 2 AS x
RETURN 1 AS x UNION ALL RETURN 2 AS x
RETURN 1 AS x UNION DISTINCT RETURN 2 AS x
RETURN 1 AS x NEXT RETURN x + 1 AS y
MATCH (n) RETURN n NEXT MATCH (n)-->(m) RETURN m
WHEN true THEN RETURN 1 AS x ELSE RETURN 2 AS x
WHEN $a > 1 THEN RETURN 1 AS x WHEN $a > 0 THEN RETURN 2 AS x ELSE RETURN 3 AS x
{ RETURN 1 AS x }
USE neo4j MATCH (n) RETURN n
// Search
MATCH (n:Doc) SEARCH n IN (VECTOR INDEX docs FOR $v LIMIT 5) RETURN n
MATCH (n:Doc) SEARCH n IN (VECTOR INDEX docs FOR $v LIMIT 5) SCORE AS s RETURN n, s
MATCH (n:Doc) SEARCH n IN (VECTOR INDEX docs FOR $v WHERE n.x > 1 LIMIT 5) SCORE AS s RETURN n, s
MATCH (n:Doc) SEARCH n IN (FULLTEXT INDEX names FOR 'ann' LIMIT 5) RETURN n
// Expressions
RETURN 1 + 2 * 3 - 4 / 5 % 6 ^ 7 AS x
RETURN 'a' + 'b' AS x
RETURN 'a' || 'b' AS x
RETURN [1] || [2] AS x
RETURN 1 < 2 <= 3 AS x
RETURN 1 <> 2 AND NOT 3 = 4 OR true XOR false AS x
RETURN 1 != 2 AS x
RETURN 'abc' STARTS WITH 'a' AND 'abc' ENDS WITH 'c' AND 'abc' CONTAINS 'b' AS x
RETURN 'abc' =~ 'a.*' AS x
RETURN null IS NULL AND 1 IS NOT NULL AS x
RETURN 1 IS :: INTEGER AS x
RETURN 1 IS NOT :: STRING AS x
RETURN 1 IS TYPED INTEGER NOT NULL AS x
RETURN [1] IS :: LIST<INTEGER> AS x
RETURN 1 IS :: INTEGER | STRING AS x
RETURN 1 :: INTEGER AS x
RETURN 'a' IS NORMALIZED AS x
RETURN 'a' IS NOT NFC NORMALIZED AS x
RETURN 1 IN [1, 2] AS x
RETURN [1, 2, 3][0] AS x, [1, 2, 3][0..2] AS y, [1, 2, 3][..2] AS z, [1, 2, 3][1..] AS w
RETURN {a: 1, b: [2]} AS x
RETURN {a: 1}.a AS x
RETURN {a: 1}['a'] AS x
RETURN [x IN [1, 2, 3] WHERE x > 1 | x * 2] AS x
RETURN [x IN [1, 2, 3]] AS x
MATCH (n) RETURN [(n)-->(m) | m.name] AS names
MATCH (n) RETURN [(n)-[:R]->(m) WHERE m.x > 1 | m.name] AS names
MATCH (n) RETURN [p = (n)-->(m) | length(p)] AS lengths
MATCH (n) RETURN n {.name, .age} AS x
MATCH (n) RETURN n {.*} AS x
MATCH (n) RETURN n {.name, x: 1, y: n.z} AS x
MATCH (n), (m) RETURN n {.*, m} AS x
RETURN all(x IN [1] WHERE x > 0) AND any(x IN [1] WHERE x > 0) AND none(x IN [1] WHERE x > 0) AND single(x IN [1] WHERE x > 0) AS x
RETURN reduce(s = 0, x IN [1, 2] | s + x) AS x
RETURN allReduce(s = 0, x IN [1, 2] | s + x, s < 5) AS x
RETURN CASE 1 WHEN 1 THEN 'a' WHEN 2, 3 THEN 'b' ELSE 'c' END AS x
RETURN CASE WHEN true THEN 1 END AS x
RETURN CASE 1 WHEN > 0 THEN 'a' WHEN IS NULL THEN 'b' ELSE 'c' END AS x
MATCH (n) RETURN count(*) AS a, count(DISTINCT n.x) AS b, collect(n.x)[0] AS c
MATCH (n) RETURN percentileCont(n.x, 0.5) AS p, stDev(n.x) AS s
RETURN date('2020-01-01') AS d, datetime().year AS y, duration('P1D') AS e
RETURN point({x: 1, y: 2}).x AS x
RETURN 0x1F AS h, 0o17 AS o, 1e3 AS e, .5 AS d, 1_000 AS u
RETURN 'it''s' AS x
RETURN 'it\'s' AS x, "a \"b\"" AS y, '\u00e9' AS z
RETURN $p AS x, $`odd name` AS y, $0 AS z
RETURN -1 AS a, +1 AS b, - 1 AS c, 2^-1 AS d
RETURN INF AS a, NaN AS b
RETURN n.x.y AS x LIMIT 1 UNION RETURN 1 AS x
MATCH (n) RETURN elementId(n), labels(n), properties(n), keys(n)
RETURN coalesce(null, 1) AS x, toInteger('1') AS y, trim(BOTH 'x' FROM 'xax') AS z
RETURN normalize('a', NFC) AS x
RETURN vector([1, 2, 3], 3, FLOAT32) AS v
EXPLAIN MATCH (n) RETURN n
MATCH (n) /* a comment */ RETURN n // the end
MATCH (n) RETURN n;
MATCH (n) USING INDEX n:A(x) WHERE n:A AND n.x = 1 RETURN n
MATCH (n:A) USING SCAN n:A RETURN n
MATCH (a:A)-->(b:B) USING JOIN ON a RETURN b
// Wrong
MATCH (n RETURN n
MATCH n RETURN n
MATCH (n) RETURN
MATCH (n) RETUN n
RETURN
MATCH (n)
MATCH (n)-[r-(m) RETURN n
MATCH (n)-[]>(m) RETURN n
MATCH (n)->(m) RETURN n
MATCH (n)=>(m) RETURN n
MATCH (n)<-[r]->(m) RETURN n
MATCH (n:) RETURN n
MATCH (n:A|) RETURN n
MATCH (n:A&) RETURN n
MATCH (n:A:B|C) RETURN n
MATCH (n:!) RETURN n
MATCH (n {a = 1}) RETURN n
MATCH (n {a: 1) RETURN n
MATCH (n WHERE) RETURN n
MATCH (n)-[*1...3]->(m) RETURN n
MATCH (n)-[*-1]->(m) RETURN n
MATCH (a)-[:R]->{3,1}(b) RETURN b
MATCH (a)-[:R]->{}(b) RETURN b
MATCH (a)-[:R]->{0}(b) RETURN b
MATCH (a)-[:R*]->+(b) RETURN b
MATCH (s) ((a)-[:R]->(b))++ (e) RETURN e
MATCH (s) ((a)-[:R]->(b)) (e) RETURN e
MATCH ((a)-->(b) RETURN a
MATCH p = shortestPath((a)) RETURN p
MATCH p = shortestPath((a)-->(b)-->(c)) RETURN p
MATCH p = SHORTEST (a)-->+(b) RETURN p
MATCH p = SHORTEST 0 (a)-->+(b) RETURN p
MATCH p = SHORTEST -1 (a)-->+(b) RETURN p
MATCH p = ALL ANY (a)-->+(b) RETURN p
MATCH (n) WHERE RETURN n
MATCH (n) WHERE n.x = RETURN n
MATCH (n) WHERE n.x == 1 RETURN n
MATCH (n) WHERE n.x LIKE 'a' RETURN n
MATCH (n) WHERE n.x NOT IN [1] RETURN n
MATCH (n) WHERE n.x IS 1 RETURN n
MATCH (n) WHERE EXISTS { RETURN n
MATCH (n) WHERE EXISTS {} RETURN n
MATCH (n) WHERE COUNT { } > 1 RETURN n
MATCH (n) RETURN COLLECT { (n)-->() } AS x
MATCH (n) RETURN COLLECT { MATCH (n)-->(m) RETURN m, n } AS x
CALL { MATCH (n) RETURN n
CALL (n) { RETURN 1 AS x } RETURN x
MATCH (n) CALL (n, ) { RETURN 1 AS x } RETURN x
CALL db.labels( YIELD label RETURN label
CALL db.labels() YIELD RETURN label
CALL db.labels() YIELD label
CALL db.labels() YIELD nothing RETURN nothing
CALL db.labels RETURN 1 AS x
MATCH (n) RETURN n ORDER n.x
MATCH (n) RETURN n LIMIT
MATCH (n) RETURN n LIMIT n.x
MATCH (n) RETURN n LIMIT -1
MATCH (n) RETURN n LIMIT 'a'
MATCH (n) RETURN n LIMIT 1 SKIP 2
MATCH (n) WITH n.x RETURN 1 AS x
MATCH (n) WITH n
UNWIND [1, 2] RETURN 1 AS x
RETURN 1 AS x UNION RETURN 2 AS y
RETURN 1 AS x UNION RETURN 2 AS x UNION ALL RETURN 3 AS x
RETURN 1 AS x, 2 AS x
RETURN [1, 2 AS x
RETURN {a: 1 AS x
RETURN {1: 2} AS x
RETURN [x IN [1] WHERE] AS x
RETURN CASE END AS x
RETURN CASE 1 THEN 2 END AS x
RETURN CASE WHEN 1 END AS x
RETURN 'abc AS x
RETURN "abc' AS x
RETURN 1 + AS x
RETURN * 1 AS x
RETURN 1 2 AS x
RETURN 0x AS x
RETURN 1__0 AS x
RETURN 1e AS x
RETURN foo(1) AS x
RETURN count(*, 1) AS x
RETURN count(count(*)) AS x
MATCH (n) WHERE count(n) > 1 RETURN n
RETURN m AS x
MATCH (n) RETURN n {name} AS x
MATCH (n) RETURN n {.name .age} AS x
RETURN reduce(s = 0, x IN [1]) AS x
RETURN all(x IN [1]) AS x
RETURN any(x IN [1] | x) AS x
MATCH (n) WITH n WHERE n.x RETURN n, AS y
MATCH (n) SEARCH n IN (VECTOR INDEX docs LIMIT 5) RETURN n
WHEN true THEN RETURN 1 AS x WHEN RETURN 2 AS x
WHEN true RETURN 1 AS x
RETURN 1 AS x NEXT
MATCH (a)-[r]->(b)-[r]->(c) RETURN r
MATCH (a), (a)-[a]->(b) RETURN a
OPTIONAL RETURN 1 AS x
WHERE 1 = 1 RETURN 1 AS x
RETURN 1 AS x MATCH (n) RETURN n
MATCH (n) RETURN n MATCH (m) RETURN m
RETURN $ AS x
RETURN `a AS x
RETURN 'a\u00g1' AS x
RETURN /* x
