"""One question of a file that has objects (JSON, JSON Lines, YAML), whichever of the known layouts it follows.

=================  ================================  ==================================  =========================
layout             the question                      its gold query                      its right answers
=================  ================================  ==================================  =========================
ours               ``question``: text                ``query``: text, or an object with  ``answers``: a list of
                                                     ``sparql``, ``cypher`` or ``plan``  names, ids and values
text2cypher        ``question``: text                ``cypher``: text                    none
CK25 (TEXT2SPARQL) ``question``: by language         ``query.sparql``                    none
QALD               ``question``: ``[{"language",     ``query.sparql``                    ``answers``: SPARQL results
                   "string"}]``
DBLP-QuAD          ``question.string``               ``query.sparql``                    ``answer``: SPARQL results
=================  ================================  ==================================  =========================
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from ..core.errors import BadValueError, PlanError
from ..core.plan_json import plan_from_dict
from ..core.values import Value, from_json_value
from .gold import GoldItem, GoldQuery, GoldQuestion

_NAMES: Final = ("name", "text", "label", "value", "title")
_IDS: Final = ("id", "iri", "uri", "node", "kb_id")
_FORMS: Final = ("form", "query_type", "type")
_SPARQL: Final = re.compile(r"(?is)^\s*(?:#[^\n]*\n\s*)*(?:prefix|base|select|ask|construct|describe)\b")
_CYPHER: Final = re.compile(
    r"(?is)^\s*(?://[^\n]*\n\s*)*(?:match|optional\s+match|unwind|with|return|call|cypher)\b"
)
# DBLP-QuAD has names such as J\\u00F6rg, escaped once more than JSON asks for.
_ESCAPED: Final = re.compile(r"(?:\\u[0-9A-Fa-f]{4})+")
_XSD: Final = "http://www.w3.org/2001/XMLSchema#"


class Fault(Exception):
    """What is wrong with one question; the reader of the file adds where."""


def question_of_object(data: Any, number: int, language: str, *, needs_gold: bool = True) -> GoldQuestion:
    """The question that an object of a file holds.

    Args:
        data: the object.
        number: its place in the file, from 1: its id where it names none.
        language: which wording to take where there are several, as ``"en"``.
        needs_gold: whether it must say what is right.

    Raises:
        Fault: it holds no question, or, where that is needed, no sign of what is right.
    """
    if not isinstance(data, Mapping):
        raise Fault(f"an object with a question was expected, not {_shown(data)}")
    text = question_text(data.get("question"), language)
    if not text.strip():
        raise Fault("the question is empty")
    answers, query = _answers(data), _query(data)
    if needs_gold and answers is None and query is None:
        raise Fault("it has neither 'answers' nor a 'query', so nothing says what is right")
    id = data.get("id", data.get("instance_id"))
    form = next((data[key] for key in _FORMS if isinstance(data.get(key), str)), "")
    return GoldQuestion(str(number if id is None else id), text.strip(), answers, query, form.strip())


def question_text(question: Any, language: str) -> str:
    """The wording of a question in one language; where that is missing, the first that there is."""
    match question:
        case str():
            return question
        case {"string": str(text)}:
            return _ESCAPED.sub(_unescaped, text)
        case Mapping():
            wordings = {key: text for key, text in question.items() if isinstance(text, str)}
        case list():
            wordings = {
                item.get("language", ""): item["string"]
                for item in question
                if isinstance(item, Mapping) and isinstance(item.get("string"), str)
            }
        case _:
            wordings = {}
    if not wordings:
        missing = "'question' is missing" if question is None else f"'question' is {_shown(question)}"
        raise Fault(f"{missing}: a text was expected, or texts by language")
    return wordings.get(language) or next(iter(wordings.values()))


def _unescaped(escapes: re.Match[str]) -> str:
    """What some escapes stand for; two halves of a surrogate pair are one character."""
    units = (int(unit, 16).to_bytes(2, "big") for unit in escapes[0].split("\\u")[1:])
    return b"".join(units).decode("utf-16-be", "replace")


# --- queries


def query_of_text(text: str) -> GoldQuery:
    """A gold query from its text, SPARQL or Cypher by its first word. Raises :class:`Fault`."""
    if _SPARQL.match(text):
        return GoldQuery("sparql", text)
    if _CYPHER.match(text):
        return GoldQuery("cypher", text)
    raise Fault(f"the query is neither SPARQL nor Cypher: {_shown(text)}")


def _query(data: Mapping[str, Any]) -> GoldQuery | None:
    query = data.get("query")
    match query:
        case None:
            pass
        case str():
            return query_of_text(query) if query.strip() else None
        case {"plan": plan}:
            return _plan_query(plan, query.get("asks", False))
        case {"sparql": str(text)}:
            return GoldQuery("sparql", text)
        case {"cypher": str(text)}:
            return GoldQuery("cypher", text)
        case _:
            raise Fault(f"'query' is {_shown(query)}: a text, or an object with sparql, cypher or plan")
    sparql, cypher = data.get("sparql"), data.get("cypher")
    if isinstance(sparql, str) and sparql.strip():
        return GoldQuery("sparql", sparql)
    return GoldQuery("cypher", cypher) if isinstance(cypher, str) and cypher.strip() else None


def _plan_query(plan: Any, asks: Any) -> GoldQuery:
    if not isinstance(asks, bool):
        raise Fault(f"'asks' is {_shown(asks)}: true or false was expected")
    try:
        return GoldQuery("plan", plan=plan_from_dict(plan), asks=asks)
    except PlanError as error:
        raise Fault(error.message) from error


# --- answers


def item_of_value(value: Any) -> GoldItem:
    """A right answer from what stands in a file: a name, id or value, or an object with some of these.

    Raises:
        Fault: it is none of these.
    """
    if isinstance(value, Mapping) and "$type" not in value:
        return _item_of_object(value)
    try:
        read = from_json_value(value)
    except BadValueError as error:
        raise Fault(error.message) from error
    if read is None or isinstance(read, list | dict):
        raise Fault(f"an answer is {_shown(value)}: a name, an id or a value was expected")
    return GoldItem((read,))


def _item_of_object(value: Mapping[str, Any]) -> GoldItem:
    id = next((value[key] for key in _IDS if isinstance(value.get(key), str)), None)
    forms: list[Value] = [value[key] for key in _NAMES if isinstance(value.get(key), str | int | float)]
    names = value.get("names", [])
    if not isinstance(names, list):
        raise Fault(f"the names of an answer are {_shown(names)}: a list was expected")
    forms += [form for name in names for form in item_of_value(name).forms]
    if id is None and not forms:
        raise Fault(f"an answer is {_shown(value)}: it has neither an id nor a name")
    return GoldItem(tuple(forms) or (id,), id)


def _answers(data: Mapping[str, Any]) -> tuple[GoldItem, ...] | None:
    given = data.get("answers", data.get("answer"))
    if given is None:
        return None
    if _is_sparql_result(given):
        return _items_of_result(given)
    if not isinstance(given, list):
        return (item_of_value(given),)
    if given and all(map(_is_sparql_result, given)):
        items = tuple(item for result in given for item in _items_of_result(result))
        # Published sets leave the results of a query out where their endpoint gave none.
        return items or None
    return tuple(map(item_of_value, given))


def _is_sparql_result(value: Any) -> bool:
    return isinstance(value, Mapping) and ("boolean" in value or "results" in value)


def _items_of_result(result: Mapping[str, Any]) -> tuple[GoldItem, ...]:
    """The first column of a result in the SPARQL 1.1 Query Results JSON Format."""
    if isinstance(result.get("boolean"), bool):
        return (GoldItem((result["boolean"],)),)
    try:
        bindings = result["results"]["bindings"]
        columns = result.get("head", {}).get("vars") or list(bindings[0] if bindings else ())
        terms = [row[columns[0]] for row in bindings if columns[0] in row]
        return tuple(dict.fromkeys(map(_item_of_term, terms)))
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise Fault("the answers are not results of SPARQL in its JSON format") from error


def _item_of_term(term: Mapping[str, Any]) -> GoldItem:
    text = str(term["value"])
    if term.get("type") in ("uri", "bnode"):
        return GoldItem((text,), text)
    if term.get("datatype") == f"{_XSD}boolean":
        return GoldItem((text.strip() in ("true", "1"),))
    return GoldItem((text,))


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
