from __future__ import annotations

import json

import pytest
from hypothesis import given
from tests.made_answers import ABSTENTION, MANAGER, any_answer

from askgraph.core.answer_reading import answer_from_dict
from askgraph.core.errors import BadValueError


@pytest.mark.parametrize("answer", [MANAGER, ABSTENTION])
def test_an_answer_is_read_back_as_it_was(answer):
    assert answer_from_dict(json.loads(answer.to_json())) == answer


@given(any_answer)
def test_every_answer_survives_its_json(answer):
    data = answer.to_dict()
    written = json.dumps(data, allow_nan=False)
    assert answer_from_dict(json.loads(written)).to_dict() == data


@pytest.mark.parametrize("data", [{}, {"question": "Who?"}, MANAGER.to_dict() | {"facts": [1]}])
def test_what_is_no_answer_is_refused(data):
    with pytest.raises(BadValueError, match="JSON form of an answer"):
        answer_from_dict(data)


def test_a_run_stored_before_sentences_were_checked_is_read():
    data = MANAGER.to_dict()
    data["sentences"] = [{"text": "Nina Quast.", "facts": [1]}]
    assert answer_from_dict(data) == MANAGER
