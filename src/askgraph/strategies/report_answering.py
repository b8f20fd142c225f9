"""What answers from reports, made from the parts of an open graph."""

from __future__ import annotations

from ..answering.report_answers import ReportAnswerer
from ..linking.language import language
from ..linking.linked_question import LinkedQuestion
from ..linking.vocabulary import WordMatcher, other_labels_of
from ..retrievers.subgraph.selection import SubgraphSelection
from .base import Parts


def report_answerer(parts: Parts, question: LinkedQuestion, selection: SubgraphSelection) -> ReportAnswerer:
    """What answers a question from reports on a selection: the subgraph of the question, or the whole graph."""
    matcher = WordMatcher(
        question.words,
        language(question.language),
        parts.index.labels,
        parts.embedder,
        question.phrases(),
        other_labels_of(parts.schema),
    )
    return ReportAnswerer(question, selection, parts.schema, matcher, parts.settings, parts.embedder)
