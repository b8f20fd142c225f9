"""What writes reports and answers from them, made from the parts of an open graph."""

from __future__ import annotations

from ..answering.report_answers import ReportAnswerer
from ..core.schema import Schema
from ..core.settings import Settings
from ..linking.language import language
from ..linking.linked_question import LinkedQuestion
from ..linking.vocabulary import WordMatcher, other_labels_of
from ..models.calls import ModelCalls
from ..models.prompts.prompts import Prompts
from ..retrievers.subgraph.kept_reports import KeptReports
from ..retrievers.subgraph.selection import SubgraphSelection
from ..retrievers.subgraph.written_reports import PROMPT, ReportWriter
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


def report_writer(
    selection: SubgraphSelection, schema: Schema, calls: ModelCalls, settings: Settings
) -> ReportWriter:
    """What lets the model write reports on a selection. Reports are kept in the cache folder of the settings.

    Raises:
        ModelError: a model that has to be asked what it takes does not say so.
        SettingsError: the prompt cannot be used.
    """
    prompt = Prompts(settings.prompts).get(PROMPT)
    return ReportWriter(selection, schema, calls, prompt, KeptReports(settings.cache_dir))
