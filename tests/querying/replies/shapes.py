"""Replies of language models, and what each of them means.

Each shape is one that models send, or that a page or a chat window makes of what they send. ``query``: what must come
out, word for word; ``outcome``: what the reply comes to where no query is meant; ``state``: whether the query reads.
"""

from __future__ import annotations

from dataclasses import dataclass

C = 'MATCH (p:Person {name: "Tom Hanks"})-[:ACTED_IN]->(m:Movie)\nRETURN m.title AS title\nORDER BY title\nLIMIT 10'
C1 = "MATCH (p:Person)-[:ACTED_IN]->(m:Movie) WHERE m.released > 1990 RETURN p.name"
OTHER = "MATCH (m:Movie) RETURN count(m) AS movies"
S = (
    "PREFIX pv: <http://ld.company.org/prod-vocab/>\n"
    "SELECT ?name WHERE {\n  ?person a pv:Employee ;\n    pv:name ?name .\n  FILTER(?age > 30)\n}\n"
    "ORDER BY ?name\nLIMIT 10"
)
S1 = "SELECT ?x WHERE { ?x a <http://example.org/Person> } LIMIT 5"
OTHER_S = "ASK { <http://example.org/a> <http://example.org/b> ?c }"


@dataclass(frozen=True)
class Shape:
    """One reply."""

    name: str
    reply: str
    query: str | None = None
    outcome: str = "query"
    state: str = "whole"
    language: str = "cypher"


def _json(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _quoted(text: str, prefix: str) -> str:
    return "\n".join(prefix + line for line in text.split("\n"))


SHAPES: tuple[Shape, ...] = (
    # --- nothing round it
    Shape("alone", C, C),
    Shape("alone with blanks round it", f"\n\n  {C}\n\n", C),
    Shape("alone with a semicolon", f"{C};", f"{C};"),
    Shape("alone in SPARQL", S, S, language="sparql"),
    Shape("a semicolon after SPARQL", f"{S};", S, language="sparql"),
    Shape("line ends of Windows", C.replace("\n", "\r\n"), C.replace("\n", "\r\n")),
    Shape("small letters", "match (n:Movie) return n.title", "match (n:Movie) return n.title"),
    Shape("a comment before it", f"// the films\n{C1}", f"// the films\n{C1}"),
    Shape(
        "a comment within", "MATCH (m) // all\nRETURN m /* them */", "MATCH (m) // all\nRETURN m /* them */"
    ),
    Shape("a comment before SPARQL", f"# people\n{S1}", f"# people\n{S1}", language="sparql"),
    Shape("EXPLAIN before it", f"EXPLAIN {C}", C),
    Shape("PROFILE before it, in a fence", f"```cypher\nPROFILE {C}\n```", C),
    Shape("a version before it", "CYPHER 25 MATCH (n) RETURN n", "CYPHER 25 MATCH (n) RETURN n"),
    Shape("a query without a graph", "RETURN 1 AS one", "RETURN 1 AS one"),
    Shape("a call", "CALL db.labels() YIELD label RETURN label", "CALL db.labels() YIELD label RETURN label"),
    # --- fences
    Shape("fence", f"```\n{C}\n```", C),
    Shape("fence with its language", f"```cypher\n{C}\n```", C),
    Shape("fence with its language in capitals", f"```CYPHER\n{C}\n```", C),
    Shape("fence with another language", f"```sql\n{C}\n```", C),
    Shape("fence with an unknown language", f"```neo4j-cypher\n{C}\n```", C),
    Shape("fence in the way of Pandoc", f"```{{.cypher}}\n{C}\n```", C),
    Shape("fence of waves", f"~~~cypher\n{C}\n~~~", C),
    Shape("fence of five", f"`````cypher\n{C}\n`````", C),
    Shape("fence within a line", f"Use ```{C1}``` for that.", C1),
    Shape("fence within a line with its language", f"Use ```cypher {C1}``` for that.", C1),
    Shape("fence that opens within a line", f"Here it is: ```cypher\n{C}\n```", C),
    Shape("fence that is never closed", f"Here it is:\n```cypher\n{C}", C),
    Shape("fence that is never closed, and prose", f"```cypher\n{C}\n\nThis query finds the films.", C),
    Shape("fence that is only closed", f"{C}\n```", C),
    Shape(
        "fence with prose before and after",
        f"Sure! Here it is:\n\n```cypher\n{C}\n```\n\nIt's the films of Tom.",
        C,
    ),
    Shape("fence in a list", f"1. The query:\n   ```cypher\n   {C1}\n   ```", C1),
    Shape("fence in a quotation", _quoted(f"```cypher\n{C1}\n```", "> "), C1),
    Shape("fence in a fence", f"````markdown\n```cypher\n{C}\n```\n````", C),
    Shape("fence in a fence as long", f"```\n```cypher\n{C}\n```\n```", C),
    Shape("fence opened twice", f"```cypher\n```cypher\n{C}\n```", C),
    Shape("two fences, the first never closed", f"```cypher\n{OTHER}\n\nCorrected:\n```cypher\n{C}\n```", C),
    Shape("fence with a label inside", f"```\nCypher query:\n{C}\n```", C),
    Shape(
        "fence with back-ticked names",
        "```cypher\nMATCH (n:`My Type`) RETURN n.`a b`\n```",
        "MATCH (n:`My Type`) RETURN n.`a b`",
    ),
    Shape("fence of SPARQL", f"```sparql\n{S}\n```", S, language="sparql"),
    Shape("fence and its output", f"```cypher\n{C}\n```\nOutput:\n```\n| title |\n| Cast Away |\n```", C),
    Shape("fence of Python", f'```python\nquery = """\n{C}\n"""\ndriver.execute_query(query)\n```', C),
    Shape("fence of JavaScript", f"```js\nawait session.run('{C1}')\n```", C1),
    Shape("fence in HTML", f"<pre><code>{C1.replace('>', '&gt;')}</code></pre>", C1),
    # --- running text
    Shape("a label before it", f"Cypher: {C1}", C1),
    Shape("a bold label before it", f"**Cypher Query:** {C1}", C1),
    Shape("a heading before it", f"### Query\n\n{C}", C),
    Shape("a label without a graph", "Query: RETURN 1 AS one", "RETURN 1 AS one"),
    Shape("a sentence before it", f"To find them, run the following query.\n\n{C}", C),
    Shape("a paragraph after it", f"{C}\n\nThis query matches Tom Hanks, and returns what he's in.", C),
    Shape("a line after it", f"{C}\nThis query returns the films.", C),
    Shape("a line after it that begins like a clause", f"{C1}\nReturn value: the names.", C1),
    Shape(
        "a sentence that begins with Limit",
        "MATCH (n) RETURN n.name\nLimit the results to ten if you like.",
        "MATCH (n) RETURN n.name",
    ),
    Shape("a sentence that begins with With", f"{C1}\nWith this query you get the names.", C1),
    Shape("a sentence that begins with Set", f"{C1}\nSet the year as you like.", C1),
    Shape(
        "a sentence that begins with Order",
        "MATCH (n) RETURN n.name\nOrder by name is not needed here.",
        "MATCH (n) RETURN n.name",
    ),
    Shape("a sentence after a full stop", f"{C1}. This finds the actors.", C1),
    Shape("a sentence after a comma", f"{C1}, and that's it.", C1),
    Shape("a sentence without a mark", f"{C1} LIMIT 5 which gives five of them", f"{C1} LIMIT 5"),
    Shape("a remark after a dash", f"{C1} LIMIT 5 — the first five", f"{C1} LIMIT 5"),
    Shape("a remark in parentheses", f"{C1} LIMIT 5 (the first five)", f"{C1} LIMIT 5"),
    Shape("within a sentence", f"You could run {C1} to see them.", C1),
    Shape("in back-ticks", f"The query is `{C1}`.", C1),
    Shape(
        "in back-ticks with back-ticks in it",
        "Use ``MATCH (n:`My Type`) RETURN n`` here.",
        "MATCH (n:`My Type`) RETURN n",
    ),
    Shape("in quotes", f'The query is "{C1}".', C1),
    Shape("in bold", f"**{C1}**", C1),
    Shape("in a quotation", _quoted(C, "> "), C),
    Shape(
        "with numbers of lines", "1 | MATCH (n:Movie)\n2 | RETURN n.title", "MATCH (n:Movie)\nRETURN n.title"
    ),
    Shape("indented", f"The query:\n\n    {C1}\n\nDone.", C1),
    Shape("in a table", f"| Question | Query |\n|---|---|\n| Who? | {C1} |", C1),
    Shape("in tags", f"<cypher>{C1}</cypher>", C1),
    Shape("in tags with prose", f"Okay.\n<answer>\n{C}\n</answer>\nDone.", C),
    Shape("in square tags", f"[CYPHER]{C1}[/CYPHER]", C1),
    Shape("words of the language in the prose", f"With a match on the label we return the names: {C1}", C1),
    Shape("parts of it explained", f"`MATCH (p:Person)` finds people. The query is {C1}", C1),
    Shape(
        "parts explained after it",
        f"{C}\n\n- `MATCH (p:Person)` finds people\n- `RETURN m.title` gives titles",
        C,
    ),
    Shape("SPARQL and a sentence", f"{S1} gives five of them. It's done.", S1, language="sparql"),
    Shape("SPARQL after a label", f"SPARQL: {S1}", S1, language="sparql"),
    Shape("SPARQL after a full stop", f"{S}.", S, language="sparql"),
    Shape(
        "SPARQL and words of the language", f"{S1}\nSelect the first, or ask for more.", S1, language="sparql"
    ),
    Shape("another language's words", f"Abfrage:\n{C}\n\nDas gibt die Filme zurück.", C),
    # --- reasoning
    Shape("reasoning", f"<think>Maybe {OTHER}?</think>\n{C}", C),
    Shape(
        "reasoning with a fence",
        f"<think>\nMaybe\n```cypher\n{OTHER}\n```\n</think>\n\n```cypher\n{C}\n```",
        C,
    ),
    Shape("reasoning under another name", f"<reasoning>{OTHER}</reasoning>{C}", C),
    Shape("reasoning whose tag the template opened", f"So I try {OTHER}. Good.\n</think>\n{C}", C),
    Shape("reasoning that never ends, after the answer", f"{C}\n<think>Did I get that right? {OTHER}", C),
    Shape("reasoning that never ends, with a query", f"<think>I need the films.\n```cypher\n{C}\n```", C),
    Shape("reasoning and nothing after it", f"<think>The query is\n{C}\n</think>", C),
    Shape(
        "reasoning that ends in a refusal", f"<think>{C}? No.</think>I cannot answer that.", None, "refusal"
    ),
    Shape(
        "channels",
        f"<|channel|>analysis<|message|>Try {OTHER}<|end|><|start|>assistant<|channel|>final<|message|>{C}"
        "<|return|>",
        C,
    ),
    Shape("channels without their marks", f"analysisWe need films: {OTHER}. assistantfinal{C}", C),
    Shape("a channel that is broken off", f"<|channel|>analysis<|message|>We need the films. {C}", C),
    Shape("marks of Kimi", f"◁think▷{OTHER}◁/think▷{C}", C),
    Shape("marks of Magistral", f"[THINK]{OTHER}[/THINK]{C}", C),
    # --- chat tokens
    Shape("a token at the end", f"{C}<|im_end|>", C),
    Shape("a token at the end of a sentence", f"{C1}</s>", C1),
    Shape("tokens round it", f"<|im_start|>assistant\n{C}<|im_end|>\n", C),
    Shape("the header of Llama", f"<|start_header_id|>assistant<|end_header_id|>\n\n{C}<|eot_id|>", C),
    Shape(
        "a turn that the model goes on with",
        f"{C}<|im_end|>\n<|im_start|>user\nAnd now?\n<|im_start|>assistant\n{OTHER}",
        C,
    ),
    Shape(
        "the turns of Gemma",
        f"{C}<end_of_turn>\n<start_of_turn>user\nHow many?<end_of_turn>\n<start_of_turn>model\n{OTHER}",
        C,
    ),
    Shape("questions that the model asks itself", f"{C}\n\nQuestion: How many films?\nCypher: {OTHER}", C),
    Shape("the question repeated", f"Question: Which films?\nCypher: {C}", C),
    Shape(
        "a token in a string",
        "MATCH (n {name: '<|im_end|>'}) RETURN n",
        "MATCH (n {name: '<|im_end|>'}) RETURN n",
    ),
    Shape(
        "a tag in a string in a fence",
        "```\nMATCH (n {name: '</think>'}) RETURN n\n```",
        "MATCH (n {name: '</think>'}) RETURN n",
    ),
    # --- JSON
    Shape("JSON", f'{{"cypher": "{_json(C)}"}}', C),
    Shape("JSON in a fence", f'```json\n{{"query": "{_json(C)}"}}\n```', C),
    Shape(
        "JSON with an explanation", f'{{"explanation": "Uses MATCH (a) RETURN a", "query": "{_json(C)}"}}', C
    ),
    Shape("JSON with real line ends", f'{{"cypher": "{C.replace(chr(34), chr(39))}"}}', C.replace('"', "'")),
    Shape("JSON in prose", f'Here: {{"cypher": "{_json(C)}"}} Hope that helps!', C),
    Shape("JSON within JSON", f'{{"result": {{"sparql": "{_json(S)}"}}}}', S, language="sparql"),
    Shape(
        "JSON in the arguments of a tool",
        f'<tool_call>{{"name": "run", "arguments": {{"query": "{_json(C)}"}}}}</tool_call>',
        C,
    ),
    Shape(
        "JSON in a string of JSON",
        '{"arguments": "' + _json('{"query": "' + _json(C) + '"}') + '"}',
        C,
    ),
    Shape("a list of JSON", f'["{_json(C)}", "{_json(OTHER)}"]', C),
    Shape("JSON that is broken off", f'{{"cypher": "{_json(C)}", "explanation": "It', C),
    Shape("JSON with a comma too many", f'{{"cypher": "{_json(C)}",}}', C),
    Shape("a dictionary of Python", f"{{'cypher': '{C1}'}}", C1),
    Shape(
        "JSON without a query", '{"cypher": null, "reason": "there are no birthdays"}', None, "unanswerable"
    ),
    Shape("JSON with an empty query", '{"query": ""}', None, "unanswerable"),
    Shape("YAML", f"query: |\n  {C1}\nexplanation: it's the actors", C1),
    # --- several queries
    Shape("two, the second announced as corrected", f"```\n{OTHER}\n```\nCorrected query:\n```\n{C}\n```", C),
    Shape(
        "two, the first announced as final",
        f"Final query:\n```\n{C}\n```\nIf you want the number:\n```\n{OTHER}\n```",
        C,
    ),
    Shape("two with nothing said", f"```\n{OTHER}\n```\n\n```\n{C}\n```", C),
    Shape("two steps", f"Step 1: count.\n```\n{OTHER}\n```\nStep 2: list.\n```\n{C}\n```", C),
    Shape("an alternative", f"```\n{C}\n```\nAlternatively:\n```\n{OTHER}\n```", C),
    Shape("options", f"Option 1:\n```\n{C}\n```\nOption 2:\n```\n{OTHER}\n```", C),
    Shape("numbered alternatives", f"1. {C1}\n2. {OTHER}", C1),
    Shape("the second is wrong", f"```\n{C}\n```\nDo not use this, it is wrong:\n```\n{OTHER}\n```", C),
    Shape("the first is wrong", f"This is wrong:\n```\n{OTHER}\n```\nThis works:\n```\n{C}\n```", C),
    Shape("two statements", f"```\n{OTHER};\n{C};\n```", f"{C};"),
    Shape("two in one fence", f"```\n{OTHER}\n\n{C}\n```", C),
    Shape("one in text and one in a fence", f"Instead of {OTHER} use\n```\n{C}\n```", C),
    Shape("a part and the whole", f"```\nMATCH (p:Person)\n```\nand then\n```\n{C}\n```", C),
    Shape(
        "a query and its prefixes apart",
        "```\nPREFIX a: <http://a/>\n```\nand\n```\nSELECT ?x { ?x a:b ?y }\n```",
        "PREFIX a: <http://a/>\nSELECT ?x { ?x a:b ?y }",
        language="sparql",
    ),
    Shape(
        "prefixes that nobody declares",
        "SELECT ?x { ?x pv:b ?y }",
        "SELECT ?x { ?x pv:b ?y }",
        language="sparql",
    ),
    Shape(
        "a model that does not stop", f"{C1}\n" + "".join(f"{OTHER}\n" for _ in range(3)) + "MATCH (p:", C1
    ),
    Shape(
        "three that are introduced",
        f"First:\n```\n{OTHER}\n```\nThen:\n```\n{C1}\n```\nAll:\n```\n{C}\n```",
        C,
    ),
    Shape("two of SPARQL", f"{OTHER_S}\n\nBetter:\n\n{S}", S, language="sparql"),
    # --- signs
    Shape("typographic quotes", "MATCH (n {name: “Tom”}) RETURN n", 'MATCH (n {name: "Tom"}) RETURN n'),
    Shape(
        "single typographic quotes", "MATCH (n {name: ‘Tom’}) RETURN n", "MATCH (n {name: 'Tom'}) RETURN n"
    ),
    Shape(
        "an apostrophe in typographic quotes",
        "MATCH (n {name: ‘O’Brien’}) RETURN n",
        "MATCH (n {name: 'O’Brien'}) RETURN n",
    ),
    Shape(
        "a typographic quote in a string stays",
        'MATCH (n {name: "O’Brien"}) RETURN n',
        'MATCH (n {name: "O’Brien"}) RETURN n',
    ),
    Shape(
        "signs of a web page",
        "MATCH (n)-[:A]-&gt;(m) WHERE n.x &lt; 3 RETURN n",
        "MATCH (n)-[:A]->(m) WHERE n.x < 3 RETURN n",
    ),
    Shape("invisible characters", "\ufeffMATCH (n:\u200bMovie) RETURN n\u200b", "MATCH (n:Movie) RETURN n"),
    Shape(
        "blanks of another width",
        "SELECT\u00a0?x WHERE {\u00a0?x ?p ?o }",
        "SELECT ?x WHERE { ?x ?p ?o }",
        language="sparql",
    ),
    Shape(
        "backslashes of Markdown",
        "MATCH (p)-\\[:ACTED\\_IN\\]->(m) RETURN p",
        "MATCH (p)-[:ACTED_IN]->(m) RETURN p",
    ),
    Shape("line ends written as \\n", C.replace("\n", "\\n"), C),
    Shape(
        "comments of SQL", "MATCH (n:Movie) -- all films\nRETURN n.title", "MATCH (n:Movie) \nRETURN n.title"
    ),
    Shape("breaks of HTML", "| MATCH (n:Movie)<br>RETURN n.title |", "MATCH (n:Movie)\nRETURN n.title"),
    Shape(
        "prefixes as in Turtle",
        "@prefix a: <http://a/> .\nSELECT ?x { ?x a:b ?y }",
        "PREFIX a: <http://a/>\nSELECT ?x { ?x a:b ?y }",
        language="sparql",
    ),
    # --- faults
    Shape(
        "a fault in a fence",
        "```cypher\nMATCH (n:Movie) RETURN n.title ORDER n.title\n```",
        "MATCH (n:Movie) RETURN n.title ORDER n.title",
        state="faulty",
    ),
    Shape(
        "a fault at the end of a line",
        "```\nMATCH (n)\nRETURN n.name\nHAVING n.name\n```",
        "MATCH (n)\nRETURN n.name\nHAVING n.name",
        state="faulty",
    ),
    Shape(
        "a fault in the middle",
        "MATCH (n) WHERE n.x === 1 MATCH (m) RETURN m",
        "MATCH (n) WHERE n.x === 1 MATCH (m) RETURN m",
        state="faulty",
    ),
    Shape("a fault alone", "MATCH (n:Movie RETURN n.title", "MATCH (n:Movie RETURN n.title", state="faulty"),
    Shape(
        "a query that is broken off",
        "```cypher\nMATCH (n:Movie)-[:A]->(m)\nRETURN n.title, count(",
        "MATCH (n:Movie)-[:A]->(m)\nRETURN n.title, count(",
        state="faulty",
    ),
    Shape(
        "a brace that is missing",
        "```sparql\nSELECT ?x WHERE { ?x a <urn:a>\n```",
        "SELECT ?x WHERE { ?x a <urn:a>",
        state="faulty",
        language="sparql",
    ),
    Shape(
        "SQL in the place of Cypher",
        "```sql\nSELECT name FROM people WHERE age > 3\n```",
        "SELECT name FROM people WHERE age > 3",
        state="faulty",
    ),
    Shape("SPARQL in the place of Cypher", f"```sparql\n{S1}\n```", S1, state="faulty"),
    Shape("Cypher in the place of SPARQL", f"```cypher\n{C}\n```", C, state="faulty", language="sparql"),
    # --- what would do more than read
    Shape(
        "a change", "```cypher\nMATCH (n) DETACH DELETE n\n```", "MATCH (n) DETACH DELETE n", state="unsafe"
    ),
    Shape(
        "a change in text",
        "Run MATCH (n) SET n.x = 1 RETURN n",
        "MATCH (n) SET n.x = 1 RETURN n",
        state="unsafe",
    ),
    Shape(
        "a change after a query",
        f"```\n{C};\nMATCH (n) DETACH DELETE n;\n```",
        "MATCH (n) DETACH DELETE n;",
        state="unsafe",
    ),
    Shape("creation", "CREATE (n:Person {name: 'x'})", "CREATE (n:Person {name: 'x'})", state="unsafe"),
    Shape(
        "an update",
        "```sparql\nDELETE WHERE { ?s ?p ?o }\n```",
        "DELETE WHERE { ?s ?p ?o }",
        state="unsafe",
        language="sparql",
    ),
    # --- no query
    Shape("empty", "", None, "empty"),
    Shape("blanks", " \n\t", None, "empty"),
    Shape("an empty fence", "```cypher\n```", None, "empty"),
    Shape("only a token", "<|im_end|>", None, "empty"),
    Shape("only an ellipsis", "...", None, "empty"),
    Shape("only reasoning", "<think>Hmm, what do they want?", None, "empty"),
    Shape("a refusal", "I'm sorry, but I cannot help with that.", None, "refusal"),
    Shape(
        "a refusal of an assistant",
        "As an AI language model I do not have access to databases.",
        None,
        "refusal",
    ),
    Shape("a refusal in German", "Das kann ich leider nicht beantworten.", None, "refusal"),
    Shape("a refusal in Spanish", "Lo siento, no puedo ayudar con eso.", None, "refusal"),
    Shape("not in the schema", "The schema does not contain birthdays.", None, "unanswerable"),
    Shape("the words agreed on", "CANNOT ANSWER: there are no birthdays", None, "unanswerable"),
    Shape(
        "the words agreed on, in a fence",
        "```\nUNANSWERABLE: there are no birthdays\n```",
        None,
        "unanswerable",
    ),
    Shape(
        "the words agreed on, as a comment",
        "```cypher\n// CANNOT ANSWER: no birthdays\n```",
        None,
        "unanswerable",
    ),
    Shape(
        "the words agreed on, and a query all the same",
        f"CANNOT ANSWER: no birthdays. But:\n```\n{OTHER}\n```",
        None,
        "unanswerable",
    ),
    Shape("the rule repeated", f"```\n{C}\n```\nIf the schema had no films I would reply UNANSWERABLE.", C),
    Shape("prose", "Tom Hanks acted in Cast Away and Apollo 13.", None, "prose"),
    Shape(
        "prose with words of the language",
        "You match the person with the film and return the title.",
        None,
        "prose",
    ),
    Shape("an order to return something", "Return the names of the actors.", None, "prose"),
    Shape("a pattern only", "(:Person)-[:ACTED_IN]->(:Movie)", None, "prose"),
    Shape("code of another kind", "```python\nprint('hello')\n```", None, "prose"),
)
