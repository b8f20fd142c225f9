"""Replies that are kept: nothing is asked twice, and a recording replays without the model."""

from __future__ import annotations

import json
import logging
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from askgraph.core.budget import Budget
from askgraph.core.errors import ModelBusyError, ModelForbiddenError, ReplyNotRecordedError, SettingsError
from askgraph.core.model_call import Message, Usage
from askgraph.core.settings import Settings
from askgraph.models.kept_replies import CachedModel, ForbiddenModel, RecordingModel, ReplayingModel
from askgraph.models.language_model import LanguageModel, Reply, Request
from askgraph.models.registry import make_model
from askgraph.models.scripted import ScriptedModel


def request(text: str = "Who?", **given: object) -> Request:
    return replace(Request((Message("user", text),), purpose="answer"), **given)  # type: ignore[arg-type]


def counting() -> ScriptedModel:
    """Says something else each time."""
    said: list[int] = []

    def say(asked: Request) -> Reply:
        said.append(1)
        return Reply(f"reply {len(said)} to {asked.messages[-1].text}", Usage(3, 4, cost=0.5))

    return ScriptedModel(say)


@pytest.mark.parametrize(
    "model",
    [CachedModel(counting(), Path("x")), RecordingModel(counting(), Path("x")), ForbiddenModel(counting())],
)
def test_each_is_a_model_as_the_one_behind_it(model):
    assert isinstance(model, LanguageModel)
    assert (model.name, model.context_window, model.tokens("a b")) == ("scripted", 128_000, 2)


class TestCache:
    def test_what_was_asked_is_not_asked_again_and_costs_nothing(self, tmp_path):
        behind = counting()
        model = CachedModel(behind, tmp_path / "new" / "replies.sqlite")
        first = model.reply(request(), Budget())
        again = model.reply(request(), Budget())
        assert first.usage == Usage(3, 4, cost=0.5)
        assert (again.text, again.usage) == (first.text, Usage(cost=0.0))
        assert len(behind.requests) == 1

    def test_it_outlives_the_process(self, tmp_path):
        CachedModel(counting(), tmp_path / "replies.sqlite").reply(request(), Budget())
        behind = counting()
        assert (
            CachedModel(behind, tmp_path / "replies.sqlite").reply(request(), Budget()).text
            == "reply 1 to Who?"
        )
        assert behind.requests == []

    @pytest.mark.parametrize(
        "other",
        [
            request("Where?"),
            request(temperature=0.5),
            request(seed=2),
            request(stop=("x",)),
            request(schema={"type": "object"}),
            request(messages=(Message("system", "s"), Message("user", "Who?"))),
        ],
    )
    def test_another_request_is_asked(self, tmp_path, other):
        behind = counting()
        model = CachedModel(behind, tmp_path / "replies.sqlite")
        model.reply(request(), Budget())
        model.reply(other, Budget())
        assert len(behind.requests) == 2

    def test_another_model_is_asked(self, tmp_path):
        CachedModel(counting(), tmp_path / "replies.sqlite").reply(request(), Budget())
        other = ScriptedModel(["other"], name="other")
        assert CachedModel(other, tmp_path / "replies.sqlite").reply(request(), Budget()).text == "other"

    def test_streams_fill_it_and_are_filled_by_it(self, tmp_path):
        behind = counting()
        model = CachedModel(behind, tmp_path / "replies.sqlite")
        *pieces, whole = model.stream(request(), Budget())
        assert len(pieces) > 2
        text, again = model.stream(request(), Budget())
        assert isinstance(whole, Reply)
        assert isinstance(again, Reply)
        assert text == again.text == whole.text
        assert len(behind.requests) == 1

    @pytest.mark.parametrize("bad", [Reply("cut", finish="length"), Reply(" "), Reply("", finish="refused")])
    def test_what_is_no_whole_reply_is_not_kept(self, tmp_path, bad):
        behind = ScriptedModel([bad, "good"])
        model = CachedModel(behind, tmp_path / "replies.sqlite")
        model.reply(request(), Budget())
        assert model.reply(request(), Budget()).text == "good"

    def test_a_failure_is_not_kept(self, tmp_path):
        model = CachedModel(ScriptedModel([ModelBusyError("busy"), "good"]), tmp_path / "replies.sqlite")
        with pytest.raises(ModelBusyError):
            model.reply(request(), Budget())
        assert model.reply(request(), Budget()).text == "good"

    def test_a_damaged_file_is_made_anew(self, tmp_path, caplog):
        path = tmp_path / "replies.sqlite"
        path.write_bytes(b"no database" * 1_000)
        with caplog.at_level(logging.WARNING):
            model = CachedModel(counting(), path)
            assert model.reply(request(), Budget()).text == model.reply(request(), Budget()).text
        assert "is damaged" in caplog.text

    def test_a_reply_with_a_flipped_bit_is_asked_again(self, tmp_path):
        path = tmp_path / "replies.sqlite"
        CachedModel(counting(), path).reply(request(), Budget())
        with sqlite3.connect(path) as database:
            database.execute("UPDATE replies SET reply = ?", (b'{"text": "forged", "finish": "stop"}',))
        database.close()
        assert CachedModel(counting(), path).reply(request(), Budget()).text == "reply 1 to Who?"


class TestRecording:
    def test_a_recording_replays(self, tmp_path):
        path = tmp_path / "new" / "replies.jsonl"
        recorder = RecordingModel(counting(), path)
        first = recorder.reply(request(), Budget())
        *_, second = recorder.stream(request("Où?\u2028\ud800"), Budget())
        replay = ReplayingModel(path)
        assert replay.reply(request(), Budget()) == first
        *pieces, whole = replay.stream(request("Où?\u2028\ud800"), Budget())
        assert whole == second
        assert isinstance(whole, Reply)
        assert "".join(str(piece) for piece in pieces) == whole.text
        assert replay.name == "scripted"

    def test_it_is_a_file_that_people_can_read_and_keep(self, tmp_path):
        path = tmp_path / "replies.jsonl"
        RecordingModel(counting(), path).reply(request("Où?"), Budget())
        (line,) = path.read_text(encoding="utf-8").splitlines()
        record = json.loads(line)
        assert record["purpose"] == "answer"
        assert record["request"]["messages"] == [{"role": "user", "text": "Où?"}]
        assert "Où?" in line

    def test_how_long_a_reply_may_be_does_not_matter(self, tmp_path):
        path = tmp_path / "replies.jsonl"
        RecordingModel(counting(), path).reply(request(max_tokens=100), Budget())
        assert ReplayingModel(path).reply(request(max_tokens=99), Budget()).text == "reply 1 to Who?"

    def test_several_replies_to_one_request_come_in_their_order(self, tmp_path):
        path = tmp_path / "replies.jsonl"
        recorder = RecordingModel(counting(), path)
        for _ in range(2):
            recorder.reply(request(), Budget())
        replay = ReplayingModel(path)
        assert [replay.reply(request(), Budget()).text[:7] for _ in range(3)] == [
            "reply 1",
            "reply 2",
            "reply 2",
        ]

    def test_a_request_that_was_not_recorded_is_an_error_that_shows_it(self, tmp_path):
        path = tmp_path / "replies.jsonl"
        RecordingModel(counting(), path).reply(request(), Budget())
        with pytest.raises(ReplyNotRecordedError, match=r"no reply to this request \(answer\): 'Where\?'"):
            ReplayingModel(path).reply(request("Where?"), Budget())

    @pytest.mark.parametrize(
        "text", ["{", "[]", '{"model": "m"}', '{"model": "m", "request": {}, "reply": 1, "usage": 3}']
    )
    def test_a_file_that_is_no_recording_is_refused_with_the_line(self, tmp_path, text):
        path = tmp_path / "replies.jsonl"
        path.write_text(f"\n{text}\n", encoding="utf-8")
        with pytest.raises(SettingsError, match="line 2"):
            ReplayingModel(path)

    def test_a_file_that_is_not_there_is_refused(self, tmp_path):
        with pytest.raises(SettingsError, match="cannot be read: No such file") as raised:
            make_model(Settings.load(model=f"replay:{tmp_path / 'nothing'}"))
        assert "record_replies" in str(raised.value.advice)
        with pytest.raises(SettingsError, match="names no file") as raised:
            make_model(Settings.load(model="replay:"))
        assert "replay:FILE" in str(raised.value.advice)

    def test_a_place_that_cannot_be_written_is_said(self, tmp_path):
        (tmp_path / "file").write_text("", encoding="utf-8")
        with pytest.raises(SettingsError, match="cannot be recorded"):
            RecordingModel(counting(), tmp_path / "file" / "x").reply(request(), Budget())

    def test_a_failure_is_not_recorded(self, tmp_path):
        path = tmp_path / "replies.jsonl"
        with pytest.raises(ModelBusyError):
            RecordingModel(ScriptedModel([ModelBusyError("x")]), path).reply(request(), Budget())
        assert not path.exists()


class TestSettings:
    def test_settings_put_them_in_front_of_a_model(self, tmp_path):
        behind = counting()
        record = tmp_path / "replies.jsonl"
        settings = Settings.load(reply_cache=True, record_replies=record, cache_dir=tmp_path)
        model = make_model(settings, behind)
        assert model.reply(request(), Budget()).text == model.reply(request(), Budget()).text
        assert len(behind.requests) == 1
        assert len(record.read_text(encoding="utf-8").splitlines()) == 1
        assert (
            make_model(Settings.load(model=f"replay:{record}")).reply(request(), Budget()).text
            == "reply 1 to Who?"
        )

    def test_what_is_cached_is_given_also_where_calls_are_forbidden(self, tmp_path):
        path = tmp_path / "replies.sqlite"
        CachedModel(counting(), path).reply(request(), Budget())
        forbidden = CachedModel(ForbiddenModel(counting()), path)
        assert forbidden.reply(request(), Budget()).text == "reply 1 to Who?"
        with pytest.raises(ModelForbiddenError, match="at a price that is not known"):
            forbidden.reply(request("Where?"), Budget())
