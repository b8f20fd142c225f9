"""Finds nodes by words on a server, in one request for all texts.

Where the server has an index of texts, by that; it proposes what shares words with a text, the caller decides what is
meant. Everywhere else by exact look-ups of labels, in the wordings and language tags that are usual: every engine has
an index for these, and none for anything else.

Virtuoso's index was tried on the real server; those of QLever, of GraphDB and Fuseki (Lucene), and the search of
Wikidata are used as their documentation says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ...core.budget import Budget
from ...core.errors import BadReplyError, BudgetError, QueryError
from ...core.graph import Node
from ...core.words import normalize
from ..rdf.names import LabelSettings
from ..rdf.vocabulary import ALIAS_PROPERTIES, LABEL_PROPERTIES, RDF_LANG_STRING, XSD_STRING
from .client import SparqlClient
from .engines import Engine
from .hiding import Hiding
from .node_reading import NodeReader
from .self_description import number_of
from .terms import Literal, Resource
from .wording import iris, is_language_tag, literal_text, quoted

TEXTS_AT_ONCE: Final = 20
_MORE: Final = 5
"""Times more candidates than are wanted: one node may bear several names."""
_MOST_WORDS: Final = 12
_LONG_ENOUGH: Final = 4
_WORD: Final = re.compile(r"\w+")
# Part of every label that is looked for exactly.
_USUAL_TAGS: Final = ("en", "en-us", "en-gb", "de", "fr", "es")


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How names are looked for.

    Attributes:
        properties: the label properties to look in.
        languages: the language tags that labels have, as far as known.
        lucene: on GraphDB, the IRI of the Lucene connector; empty: none.
    """

    properties: tuple[str, ...]
    languages: tuple[str, ...]
    lucene: str = ""


def search_settings(
    labels: LabelSettings, naming: Iterable[str] = (), languages: Iterable[str] = ()
) -> SearchSettings:
    """Settings for one graph.

    Args:
        labels: how names are chosen.
        naming: further properties that name nodes in this graph.
        languages: language tags that its labels have.
    """
    properties = dict.fromkeys(
        [*labels.properties, *LABEL_PROPERTIES, *naming, *labels.aliases, *ALIAS_PROPERTIES]
    )
    tags = dict.fromkeys(tag for tag in (*labels.languages, *languages, *_USUAL_TAGS) if is_language_tag(tag))
    return SearchSettings(tuple(properties), tuple(tags))


class NameSearch:
    """Looks up names in one graph.

    Attributes:
        is_full_text: whether the server's own index of texts is used.
    """

    def __init__(
        self, client: SparqlClient, reader: NodeReader, hiding: Hiding, *, is_full_text: bool
    ) -> None:
        self.is_full_text = is_full_text
        self._client = client
        self._reader = reader
        self._hiding = hiding

    def find(
        self, texts: Sequence[str], settings: SearchSettings, limit: int, budget: Budget
    ) -> list[list[Node]]:
        """For each text up to ``limit`` nodes, the best first."""
        candidates: list[list[str]] = []
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            candidates += self._candidates(texts[start : start + TEXTS_AT_ONCE], settings, limit, budget)
        wanted = list(dict.fromkeys(id for found in candidates for id in found))
        nodes = {node.id: node for node in self._reader.nodes(wanted, budget)}
        return [
            _best_first(text, [nodes[id] for id in found if id in nodes])[:limit]
            for text, found in zip(texts, candidates, strict=True)
        ]

    def _candidates(
        self, texts: Sequence[str], settings: SearchSettings, limit: int, budget: Budget
    ) -> list[list[str]]:
        """The ids of nodes for each text."""
        if self.is_full_text:
            try:
                return self._ask(self._full_text_query, texts, settings, limit, budget)
            except (QueryError, BadReplyError):
                # An index that went away, or words that it does not take: names are still found exactly.
                pass
            except BudgetError:
                budget.check("looking up names")
        return self._ask(self._exact_query, texts, settings, limit, budget)

    def _ask(
        self,
        write: Callable[[Sequence[str], SearchSettings, int], str],
        texts: Sequence[str],
        settings: SearchSettings,
        limit: int,
        budget: Budget,
    ) -> list[list[str]]:
        """What a query for some texts finds for each. A server that cuts its replies is asked for half of them."""
        query = write(texts, settings, limit)
        if not query:
            return [[] for _ in texts]
        limits = Budget(seconds=budget.remaining, rows=50_000, bytes=budget.bytes)
        reply = self._client.select(query, limits)
        if reply.truncated and len(texts) > 1:
            half = len(texts) // 2
            parts = (texts[:half], texts[half:])
            return [ids for part in parts for ids in self._ask(write, part, settings, limit, budget)]
        found: list[dict[str, None]] = [{} for _ in texts]
        for place, node in reply.rows:
            number = number_of(place)
            if (
                number is not None
                and number < len(texts)
                and isinstance(node, Resource)
                and not node.is_blank
            ):
                found[number][node.id] = None
        return [list(ids) for ids in found]

    def _exact_query(self, texts: Sequence[str], settings: SearchSettings, limit: int) -> str:
        return exact_query(texts, settings, limit, self._client.engine.engine)

    def _full_text_query(self, texts: Sequence[str], settings: SearchSettings, limit: int) -> str:
        parts = []
        for place, text in enumerate(texts):
            pattern = full_text_pattern(self._client.engine.engine, text, settings, limit * _MORE)
            if pattern:
                hidden = self._hiding.no_hidden_node("?x")
                parts.append(
                    f"{{ SELECT ({place} AS ?text) ?x WHERE {{ {pattern} {hidden} }} LIMIT {limit * _MORE} }}"
                )
        return f"SELECT ?text ?x WHERE {{ {' UNION '.join(parts)} }}" if parts else ""


# --- the server's own index


def full_text_pattern(engine: Engine, text: str, settings: SearchSettings, limit: int) -> str:
    """A pattern that binds ?x to nodes whose labels share the words of a text; empty where there are no words.

    What a text holds besides words never gets into the search: the query languages of the indexes have operators.
    """
    words = _words(text)
    if not words:
        return ""
    labels = f"VALUES ?label {{ {iris(settings.properties)} }}"
    match engine:
        case Engine.VIRTUOSO:
            wanted = " AND ".join(f"'{word}'" for word in words)
            return f"?x ?label ?name . ?name <bif:contains> {quoted(wanted)} . {labels}"
        case Engine.QLEVER:
            wanted = " ".join(words)
            return (
                f"?t <http://qlever.cs.uni-freiburg.de/builtin-functions/contains-word> {quoted(wanted)} . "
                f"?t <http://qlever.cs.uni-freiburg.de/builtin-functions/contains-entity> ?x ."
            )
        case Engine.FUSEKI:
            wanted = " AND ".join(words)
            return f"(?x ?score) <http://jena.apache.org/text#query> ({quoted(wanted)} {limit}) ."
        case Engine.GRAPHDB:
            base = "http://www.ontotext.com/connectors/lucene"
            wanted = " AND ".join(words)
            return f"?search a <{settings.lucene}> ; <{base}#query> {quoted(wanted)} ; <{base}#entities> ?x ."
        case Engine.WIKIDATA:
            return (
                "SERVICE <http://wikiba.se/ontology#mwapi> { <http://www.bigdata.com/rdf#serviceParam> "
                '<http://wikiba.se/ontology#endpoint> "www.wikidata.org" ; '
                '<http://wikiba.se/ontology#api> "EntitySearch" ; '
                f"<https://www.mediawiki.org/ontology#API/search> {quoted(' '.join(words))} ; "
                f'<https://www.mediawiki.org/ontology#API/language> "{settings.languages[0]}" . '
                "?x <http://wikiba.se/ontology#apiOutputItem> <https://www.mediawiki.org/ontology#API/item> . }"
            )
    return ""


def find_index(client: SparqlClient, settings: SearchSettings, budget: Budget) -> tuple[bool, SearchSettings]:
    """Whether the server has an index of texts, and the settings by which it is used.

    A server without one may find nothing and say nothing. So a label is taken from the graph, and one of its words is
    looked up: only where that finds something there is an index.
    """
    engine = client.engine.engine
    if engine is Engine.WIKIDATA:
        return True, settings
    if engine not in (Engine.VIRTUOSO, Engine.FUSEKI, Engine.QLEVER, Engine.GRAPHDB):
        return False, settings
    try:
        if engine is Engine.GRAPHDB:
            settings = replace(settings, lucene=_connector(client, budget))
            if not settings.lucene:
                return False, settings
        word = _word_of_a_label(client, settings, budget)
        if not word:
            return False, settings
        pattern = full_text_pattern(engine, word, settings, 1)
        found = client.select(f"SELECT ?x WHERE {{ {pattern} }} LIMIT 1", _few(budget))
    except (QueryError, BadReplyError, BudgetError):
        return False, settings
    return bool(found.rows), settings


def _word_of_a_label(client: SparqlClient, settings: SearchSettings, budget: Budget) -> str:
    query = (
        f"SELECT ?name WHERE {{ VALUES ?label {{ {iris(settings.properties)} }} ?x ?label ?name . "
        "FILTER(isLiteral(?name)) } LIMIT 20"
    )
    words = [
        word
        for (name,) in client.select(query, _few(budget)).rows
        if isinstance(name, Literal)
        for word in _words(name.text)
        if len(word) >= _LONG_ENOUGH and word.isalpha()
    ]
    return max(words, key=len, default="")


def _connector(client: SparqlClient, budget: Budget) -> str:
    """The first of GraphDB's Lucene connectors."""
    query = "SELECT ?x WHERE { ?x <http://www.ontotext.com/connectors/lucene#listConnectors> ?any }"
    rows = client.select(query, _few(budget)).rows
    return min((term.id for (term, *_) in rows if isinstance(term, Resource)), default="")


def _few(budget: Budget) -> Budget:
    return Budget(seconds=budget.remaining, rows=100, bytes=budget.bytes)


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(_WORD.findall(text.replace("_", " "))))[:_MOST_WORDS]


# --- exact look-ups


def exact_query(texts: Sequence[str], settings: SearchSettings, limit: int, engine: Engine) -> str:
    """A query for nodes that bear a text as a label, in one of its wordings and with one of the language tags."""
    parts = []
    for place, text in enumerate(texts):
        names = [
            literal_text(literal) for wording in wordings(text) for literal in _literals(wording, settings)
        ]
        if engine is Engine.VIRTUOSO:
            # To it a text with the datatype of texts is another one than without.
            names += [f"{quoted(wording)}^^<{XSD_STRING}>" for wording in wordings(text)]
        if names:
            parts.append(
                f"{{ SELECT ({place} AS ?text) ?x WHERE {{ VALUES ?name {{ {' '.join(names)} }} ?x ?label ?name . "
                f"VALUES ?label {{ {iris(settings.properties)} }} }} LIMIT {limit * _MORE} }}"
            )
    return f"SELECT DISTINCT ?text ?x WHERE {{ {' UNION '.join(parts)} }}" if parts else ""


def wordings(text: str) -> tuple[str, ...]:
    """A text as it may stand in a label: as it is, and with the usual capitals.

    ``"ada lovelace"`` gives ``"ada lovelace"``, ``"Ada lovelace"``, ``"Ada Lovelace"``, ``"ADA LOVELACE"``.
    """
    plain = " ".join(text.split())
    if not plain:
        return ()
    first = plain[0].upper() + plain[1:]
    titled = " ".join(word[0].upper() + word[1:] for word in plain.split())
    lowered = plain.lower()
    shouted = plain.upper() if len(plain) <= 40 else plain
    return tuple(dict.fromkeys((plain, first, titled, lowered, lowered[0].upper() + lowered[1:], shouted)))


def _literals(text: str, settings: SearchSettings) -> list[Literal]:
    tagged = [Literal(text, RDF_LANG_STRING, tag) for tag in settings.languages]
    return [Literal(text, XSD_STRING), *tagged]


def _best_first(text: str, nodes: list[Node]) -> list[Node]:
    """Nodes that bear the name first, then by how much of it they share; ties as the server had them."""
    wanted = normalize(text)
    words = set(wanted.split())

    def distance(node: Node) -> tuple[bool, float]:
        names = [normalize(name.text) for name in node.names] or [""]
        shared = max(len(words & set(name.split())) / (len(words | set(name.split())) or 1) for name in names)
        return wanted not in names, -shared

    return sorted(nodes, key=distance)
