"""Does a fact say what a sentence says? The checker of answers, in floors of its own:

rules (a language's file) < tokens < quantities < contents (statements) < fact_reading (facts to statements, by
query_reading where a query gave them) < mentions < relations < parsing < clauses (who does what to whom) < joining <
measures (counts, sums, comparisons) < basis < naming | wording | texts < checker < figures < judge.
"""
