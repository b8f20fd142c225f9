"""What a query says of the rows that it gave: the relations that it asked for, and the names in it.

A row holds what a query returns, and no more: that the one it names is the manager of somebody stands in the query. So
the patterns of the query are read as triples, with its variables as ends; a row says them with what it has for these.
Reading is by shape, not by a parser: a pattern that is not understood says nothing, and then the row says less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ...core.words import local_name, normalize

# Properties whose values are what a thing is called.
NAMING = frozenset(
    ["name", "label", "title", "preflabel", "altlabel", "fullname", "displayname", "id", "identifier"]
)
_TYPING = frozenset({"a", "type", "rdf:type"})
_DENYING = re.compile(r"\b(?:NOT|MINUS|NOT\s+EXISTS)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Triple:
    """A relation that the query asks for. Ends are variables (``"?m"``) or texts; ``label`` is the relation's name."""

    subject: str
    label: str
    object: str


@dataclass
class QueryReading:
    """What a query asks for.

    Attributes:
        triples: the relations of its patterns.
        names: for each variable the texts that it is called by in the query.
        types: for each variable its types.
        columns: for each column what it holds: a variable, and the property of it (``""`` for itself or its name,
            ``"#"`` for how many there are).
        nodes: variables that stand for nodes, as far as the query shows.
    """

    triples: list[Triple] = field(default_factory=list)
    names: dict[str, list[str]] = field(default_factory=dict)
    types: dict[str, list[str]] = field(default_factory=dict)
    columns: dict[str, tuple[str, str]] = field(default_factory=dict)
    nodes: set[str] = field(default_factory=set)

    def name(self, variable: str, text: str) -> None:
        """Call a variable so."""
        self.names.setdefault(variable, []).append(text)


def read_query(query: str) -> QueryReading:
    """Read a query of either language. One that denies anything is not read: its rows say what is not."""
    if _DENYING.search(_without_nulls(_without_texts(query))):
        return QueryReading()
    is_cypher = re.search(r"\bMATCH\b", query, re.IGNORECASE) and not re.search(
        r"\bSELECT\b", query, re.IGNORECASE
    )
    return _read_cypher(query) if is_cypher else _read_sparql(query)


def confines(query: str) -> frozenset[str] | None:
    """The names and figures, in normal form, to which a query confines what it looks at; ``None`` for one that denies
    something, whose rows are not confined by names alone."""
    plain = _without_texts(query)
    if _DENYING.search(_without_nulls(plain)):
        return None
    texts = [match[0][1:-1] for match in _TEXT.finditer(re.sub(r"<[^<>\s]*>", "", query))]
    figures = _FIGURE.findall(_PAGE.sub("", re.sub(r"<[^<>\s]*>|\$\w+", "", plain)))
    return frozenset(normal for text in (*texts, *figures) if (normal := normalize(text)))


_TEXT = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_FIGURE = re.compile(r"(?<![\w.:*])\d+(?:\.\d+)?(?![\w.*])")
_PAGE = re.compile(r"\b(?:LIMIT|SKIP|OFFSET)\s+\d+", re.IGNORECASE)


def _without_nulls(query: str) -> str:
    """A query without its tests for what is there: these deny nothing."""
    return re.sub(r"\bIS\s+NOT\s+NULL\b", "", query, flags=re.IGNORECASE)


def _without_texts(query: str) -> str:
    return re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", "''", query)


# --- Cypher

_NODE = r"\(\s*(?P<{0}v>\w*)\s*(?P<{0}t>(?:[:&|]\s*`?[\w ]+`?\s*)*)(?P<{0}p>\{{[^}}]*\}})?\s*\)"
_EDGE = r"\s*(?P<back><)?-(?:\[\s*\w*\s*:?(?P<type>[^\]\{*]*)[^\]]*\])?-(?P<forth>>)?\s*"
_FIRST = re.compile(_NODE.format("a"))
_STEP = re.compile(_EDGE + _NODE.format("b"))
_PROPERTY = re.compile(r"`?(\w+)`?\s*:\s*(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|([-\d.]+))")
_EQUAL = re.compile(
    r"(?:to(?:Lower|Upper)\(\s*)?\b(\w+)\.`?(\w+)`?\s*\)?\s*(?:=|CONTAINS)\s*(?:to(?:Lower|Upper)\(\s*)?(?:'([^']*)'|\"([^\"]*)\")",
    re.IGNORECASE,
)
_RETURN = re.compile(
    r"\bRETURN\b\s+(?:DISTINCT\s+)?(.*?)(?:\bORDER\s+BY\b|\bLIMIT\b|\bSKIP\b|$)", re.IGNORECASE | re.DOTALL
)
_COUNT = re.compile(r"^count\(\s*(?:DISTINCT\s+)?(\w+)(?:\.\w+)?\s*\)$", re.IGNORECASE)
_PLAIN = re.compile(r"^(\w+)(?:\.`?(\w+)`?)?$")


def _read_cypher(query: str) -> QueryReading:
    reading = QueryReading()
    unnamed = 0
    place = 0
    while first := _FIRST.search(query, place):
        here = _cypher_node(reading, first, "a", unnamed)
        unnamed += 1
        place = first.end()
        while step := _STEP.match(query, place):
            there = _cypher_node(reading, step, "b", unnamed)
            unnamed += 1
            for label in re.split(r"[|:]+", (step["type"] or "").strip(" `!&")):
                subject, object = (there, here) if step["back"] else (here, there)
                if label.strip(" `"):
                    reading.triples.append(Triple(subject, label.strip(" `"), object))
            here, place = there, step.end()
    for match in _EQUAL.finditer(query):
        _called(reading, f"?{match[1]}", match[2], match[3] or match[4] or "")
    returned = _RETURN.search(query)
    for item in _split(returned[1]) if returned else []:
        parts = re.split(r"\s+AS\s+", item.strip(), flags=re.IGNORECASE)
        expression, column = parts[0].strip(), parts[-1].strip(" `")
        if counted := _COUNT.match(expression):
            reading.columns[column] = (f"?{counted[1]}", "#")
        elif plain := _PLAIN.match(expression):
            key = plain[2] or ""
            reading.columns[column] = (
                f"?{plain[1]}",
                "" if normalize(key).replace(" ", "") in NAMING else key,
            )
    return reading


def _cypher_node(reading: QueryReading, match: re.Match[str], which: str, unnamed: int) -> str:
    variable = f"?{match[which + 'v'] or f'_{unnamed}'}"
    reading.nodes.add(variable)
    for kind in re.split(r"[:&|]", match[which + "t"] or ""):
        if kind.strip(" `"):
            reading.types.setdefault(variable, []).append(kind.strip(" `"))
    for item in _PROPERTY.finditer(match[which + "p"] or ""):
        _called(reading, variable, item[1], item[2] or item[3] or item[4] or "")
    return variable


def _called(reading: QueryReading, variable: str, key: str, text: str) -> None:
    """A property with a value: a name where the property is one, else a relation to the value."""
    if normalize(key).replace(" ", "") in NAMING:
        reading.name(variable, text)
    else:
        reading.triples.append(Triple(variable, key, text))


def _split(text: str) -> Iterator[str]:
    """The items of a list, at the commas outside of brackets."""
    depth, start = 0, 0
    for place, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            yield text[start:place]
            start = place + 1
    yield text[start:]


# --- SPARQL

_SPARQL_TOKEN = re.compile(
    r"\"\"\".*?\"\"\"|\"(?:[^\"\\\n]|\\.)*\"(?:@[\w-]+|\^\^\S+)?|'(?:[^'\\\n]|\\.)*'(?:@[\w-]+|\^\^\S+)?"
    r"|<[^<>\s]*>|[?$]\w+|[\w.-]*:[\w%.~-]*[\w%~-]|[\w-]+|[{}();,./|^*+?=!<>&]",
    re.DOTALL,
)
_SELECTED = re.compile(
    r"\bSELECT\b\s+(?:DISTINCT\s+|REDUCED\s+)?(.*?)(?:\bWHERE\b|\{)", re.IGNORECASE | re.DOTALL
)
_SPARQL_COUNT = re.compile(
    r"\(\s*COUNT\s*\(\s*(?:DISTINCT\s+)?[?$](\w+)\s*\)\s+AS\s+[?$](\w+)\s*\)", re.IGNORECASE
)
_COMPARED = re.compile(
    r"(?:STR|LCASE|UCASE)?\(*\s*[?$](\w+)\s*\)*\s*(?:=|,)\s*(?:LCASE\(\s*)?(?:\"([^\"]*)\"|'([^']*)')",
    re.IGNORECASE,
)
_MODIFIERS = frozenset({"*", "+", "?", "^", "|"})


def _read_sparql(query: str) -> QueryReading:
    reading = QueryReading()
    body = query[query.find("{") :] if "{" in query else ""
    for triple in _sparql_triples(body):
        reading.nodes.add(triple.subject)
        name = normalize(_last_part(triple.label)).replace(" ", "")
        if name in _TYPING or triple.label == "a":
            reading.types.setdefault(triple.subject, []).append(_last_part(triple.object))
        elif name in NAMING:
            reading.name(triple.subject, triple.object)
        else:
            reading.triples.append(Triple(triple.subject, _last_part(triple.label), triple.object))
    for match in _COMPARED.finditer(body):
        reading.name(f"?{match[1]}", match[2] or match[3] or "")
    selected = _SELECTED.search(query)
    head = selected[1] if selected else ""
    for match in _SPARQL_COUNT.finditer(head):
        reading.columns[match[2]] = (f"?{match[1]}", "#")
    for variable in re.findall(r"[?$](\w+)", _SPARQL_COUNT.sub("", head)):
        reading.columns.setdefault(variable, (f"?{variable}", ""))
    return reading


def _sparql_triples(body: str) -> Iterator[Triple]:
    """Triples of the patterns, with ``;`` and ``,``. Paths and filters are passed over."""
    subject = predicate = ""
    tokens = [match[0] for match in _SPARQL_TOKEN.finditer(body)]
    place = 0
    while place < len(tokens):
        token = tokens[place]
        place += 1
        if token in ("{", "}", "."):
            subject = predicate = ""
        elif token == ";":
            predicate = ""
        elif token == ",":
            continue
        elif token.upper() in ("FILTER", "BIND", "VALUES"):
            place = _after_brackets(tokens, place)
            subject = predicate = ""
        elif token == "(" or token in _MODIFIERS or token == "/":
            # A path: what it joins is not one relation.
            subject = predicate = ""
        elif token.upper() in (
            "OPTIONAL",
            "UNION",
            "WHERE",
            "GRAPH",
            "SERVICE",
            "ORDER",
            "GROUP",
            "BY",
            "LIMIT",
        ):
            subject = predicate = ""
        elif not subject:
            subject = _term(token)
        elif not predicate:
            predicate = token
        else:
            yield Triple(subject, predicate, _term(token))


def _after_brackets(tokens: list[str], place: int) -> int:
    depth = 0
    while place < len(tokens):
        depth += (tokens[place] in "({") - (tokens[place] in ")}")
        place += 1
        if depth <= 0 and tokens[place - 1] in ")}":
            break
    return place


def _term(token: str) -> str:
    """A variable as ``?name``, a literal as its text, an IRI as its last part in words."""
    if token[0] in "?$":
        return "?" + token[1:]
    if token[0] in "\"'":
        quoted = re.match(r"(\"\"\"|'''|\"|')(.*?)\1", token, re.DOTALL)
        return quoted[2] if quoted else token
    return _last_part(token)


def _last_part(token: str) -> str:
    return token if token == "a" else local_name(token.strip("<>"))


def name_variables(reading: QueryReading) -> Mapping[str, str]:
    """For each variable that holds a name the variable of what is called so: ``?name`` of ``?m rdfs:label ?name``."""
    return {
        text: variable for variable, texts in reading.names.items() for text in texts if text.startswith("?")
    }
