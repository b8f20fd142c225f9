"""A grammar of its own, to make SPARQL queries that nobody wrote.

``ASKGRAPH_FUZZ`` multiplies the number of examples: 1 (the default) is made for every run of the tests, 20 by hand.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

FACTOR = int(os.environ.get("ASKGRAPH_FUZZ", "1"))


def examples(count: int) -> settings:
    return settings(
        max_examples=count * FACTOR,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )


VARIABLES = st.sampled_from(["?x", "?y", "$z", "?größe", "?select"])
IRIS = st.sampled_from(["<http://e/a>", "<>", "e:a", ":", ":b.c", "e:%20\\-", "e:optional", "<é#ü>"])
LITERALS = st.sampled_from(
    [
        "1",
        "-1",
        "+2.5",
        ".5",
        "1e-3",
        "true",
        "FALSE",
        "'it\\'s'",
        '"a"@en-GB',
        '"""x"y\n"""',
        "'1'^^e:t",
        "''",
        "'\\u00FC'",
    ]
)
TERMS = st.one_of(VARIABLES, IRIS, LITERALS)
PATHS = st.recursive(
    st.one_of(IRIS, st.just("a")),
    lambda inner: st.one_of(
        st.builds("({}|{})".format, inner, inner),
        st.builds("({}/{})".format, inner, inner),
        st.builds("(^{})".format, inner),
        st.builds("({}){}".format, inner, st.sampled_from("*+?")),
        st.builds("!({}|^{})".format, IRIS, IRIS),
    ),
    max_leaves=5,
)
NODES = st.recursive(
    st.one_of(TERMS, st.just("[]")),
    lambda inner: st.one_of(
        st.builds("({} {})".format, inner, inner),
        st.builds("[ {} {} ; a {} , {} ]".format, IRIS, inner, inner, inner),
    ),
    max_leaves=4,
)
TRIPLES = st.builds("{} {} {} ; {} {}".format, TERMS, PATHS, NODES, st.one_of(VARIABLES, PATHS), NODES)


def _expressions(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operator = st.sampled_from(["||", "&&", "=", "!=", "<", ">=", "+", "-", "*", "/"])
    return st.one_of(
        st.builds("({} {} {})".format, inner, operator, inner),
        st.builds("({}) {} ({})".format, inner, operator, inner).map("({})".format),
        st.builds("(({}) -1 +?x*-2)".format, inner),
        st.builds("{}({})".format, st.sampled_from("!-+"), inner).map("({})".format),
        st.builds("(({}) NOT IN ({}, {}))".format, inner, inner, inner),
        st.builds("if({}, {}, BOUND(?x))".format, inner, inner),
        st.builds("coalesce({}, e:f({}), regex({}, 'a', 'i'))".format, inner, inner, inner),
        st.builds("(EXISTS {{ ?x ?y {} FILTER({}) }})".format, TERMS, inner),
    )


EXPRESSIONS = st.recursive(st.one_of(VARIABLES, IRIS, LITERALS), _expressions, max_leaves=8)


def _patterns(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("{} . {}".format, TRIPLES, inner),
        st.builds("OPTIONAL {{ {} }} {}".format, inner, inner),
        st.builds("{{ {} }} UNION {{ {} }}".format, inner, inner),
        st.builds("MINUS {{ {} }} . FILTER({})".format, inner, EXPRESSIONS),
        st.builds("GRAPH {} {{ {} }}".format, st.one_of(VARIABLES, IRIS), inner),
        st.builds("{{ SELECT DISTINCT ?x {{ {} }} ORDER BY DESC({}) LIMIT 3 }}".format, inner, EXPRESSIONS),
        st.builds("VALUES (?x ?y) {{ ({} UNDEF) }} {}".format, st.one_of(IRIS, LITERALS), inner),
        st.builds("{{ BIND({} AS ?new) }}".format, EXPRESSIONS),
    )


PATTERNS = st.recursive(TRIPLES, _patterns, max_leaves=5)
PROLOGUE = "BASE <http://b/> PREFIX e: <http://e/> PREFIX : <> "
QUERIES = st.one_of(
    st.builds("SELECT * {{ {} }} OFFSET 1 VALUES ?x {{ {} }}".format, PATTERNS, IRIS),
    st.builds(
        "SELECT (({}) AS ?made) (COUNT(DISTINCT {}) AS ?n) {{ {} }} GROUP BY ?x".format,
        LITERALS,
        EXPRESSIONS,
        PATTERNS,
    ),
    st.builds("ASK {{ {} }}".format, PATTERNS),
    st.builds("DESCRIBE {} {{ {} }} HAVING ({})".format, IRIS, PATTERNS, EXPRESSIONS),
    st.builds("CONSTRUCT {{ {} ?p {} }} {{ {} }}".format, TERMS, NODES, PATTERNS),
)
"""Valid queries, to be put after ``PROLOGUE``."""
