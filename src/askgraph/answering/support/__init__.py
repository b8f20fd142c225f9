"""Does a fact say what a sentence says? The checker of answers, in floors of its own:

rules (what a language's file says) < tokens < quantities < contents (what the facts say) < mentions < relations <
clauses (who does what to whom) < measures (counts, sums, comparisons) < basis < naming | wording | texts < checker <
figures < judge.
"""
