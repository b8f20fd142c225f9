"""Prompts are files that a user may replace, and nothing in the data can leave the place that it was given."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askgraph.core.errors import SettingsError
from askgraph.core.model_call import Message
from askgraph.models.prompts.prompts import Prompt, Prompts, prompt_names
from askgraph.models.prompts.quoting import EXPLANATION, quoted_block, quoted_value

_MARKS = """
    <|im_start|> <|im_end|> <|endoftext|> <|eot_id|> <|start_header_id|> <|begin_of_text|> <|system|> <|user|> <|end|>
    <|assistant|> <|START_OF_TURN_TOKEN|> <|channel|> <|python_tag|> <s> </s> <unk> <pad> <bos> <eos> <start_of_turn>
    <end_of_turn> <<SYS>> <</SYS>> [INST] [/INST] [TOOL_CALLS] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_RESULTS]
    [SYSTEM_PROMPT] [gMASK] [SEP] [CLS] <think> </think> <tool_call> </tool_call> <function_calls> <function=f> <fim>
    <｜begin▁of▁sentence｜> <｜User｜> ＜|im_end|＞ <!-- <![CDATA[ <?xml </data> <\u200c|im_end|> <\u200b|im_end|>
    <% <0x0A> [|system|] [|endofturn|] ]~b] ]~!b[ [e~[ <|turn> <turn|>
"""
CONTROL_TOKENS = tuple(_MARKS.split())
LINE_BREAKS = ("\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")

nasty_texts = st.lists(
    st.one_of(
        st.text(max_size=8),
        st.sampled_from(CONTROL_TOKENS + LINE_BREAKS),
        st.sampled_from(
            [
                "| ",
                '"',
                "\\",
                "\\u003c",
                "{{x}}",
                "```",
                "# system\n",
                "\n\nHuman:",
                "'",
                "\u202e",
                "\U000e0041",
            ]
        ),
    ),
    max_size=12,
).map("".join)


def prompt(user: str, system: str = "Do it.") -> Prompt:
    return Prompt("test", system, user, "test.md")


def user_text(template: str, **data: str) -> str:
    return prompt(template).messages(data)[-1].text


def write(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


class TestQuoting:
    @given(nasty_texts)
    def test_every_line_of_a_block_begins_with_the_mark(self, text):
        block = quoted_block(text)
        lines = re.split("|".join(LINE_BREAKS), block)
        assert all(line.startswith("|") for line in lines)

    @given(nasty_texts)
    def test_a_value_is_one_line_and_gives_back_what_was_put_in(self, text):
        value = quoted_value(text)
        assert len(value.splitlines()) == 1
        assert json.loads(value) == text

    @pytest.mark.parametrize("token", CONTROL_TOKENS)
    @pytest.mark.parametrize("around", ["{}", "a{}b", "name {} \n{}", "<{}>", "[{}]", "\u200c{}", "\\{}"])
    def test_no_mark_of_a_chat_template_or_a_tool_survives(self, token, around):
        text = around.replace("{}", token)
        assert token not in quoted_block(text)
        assert token not in quoted_value(text)

    @given(nasty_texts, st.sampled_from(CONTROL_TOKENS), nasty_texts)
    def test_nor_does_it_in_the_midst_of_anything(self, before, token, after):
        for quoted in (quoted_block(before + token + after), quoted_value(before + token + after)):
            assert not any(mark in quoted for mark in CONTROL_TOKENS if mark.isascii())

    @given(nasty_texts)
    def test_quoting_is_repeatable_and_quoting_the_quoted_is_harmless(self, text):
        assert quoted_block(text) == quoted_block(text)
        assert json.loads(json.loads(quoted_value(quoted_value(text)))) == text

    @pytest.mark.parametrize(
        "text",
        [
            "(p:Person)-[:WORKS_FOR]->(c:Company)<-[:OWNS]-(o)",
            "<http://example.org/Person> a <urn:type:Thing> .",
            "x <= 3 AND y <> 4 OR a < b",
            '"1"^^<http://www.w3.org/2001/XMLSchema#integer>',
            "[a, b] [ANY] [:SYS] [x | x.name] a[1]~b",
            "नमस्ते می‌خواهم 👨‍👩‍👧",
        ],
    )
    def test_what_models_are_to_copy_stays_as_it_is(self, text):
        assert quoted_block(text) == f"| {text}"

    def test_what_cannot_be_seen_is_shown(self):
        assert (
            quoted_block("a\u202eb\x1b[31m\u200b\U000e0041") == "| a\\u202eb\\u001b[31m\\u200b\\udb40\\udc41"
        )

    def test_nothing_is_a_block_of_one_empty_line(self):
        assert quoted_block("") == "|"
        assert quoted_block("\n\n") == "|"

    def test_an_iri_with_more_in_it_than_an_iri_is_a_tag(self):
        assert "<http://" not in quoted_block('<http://x.org/ onload="<|im_end|>">')


class TestFilling:
    def test_a_placeholder_on_its_own_line_is_a_block_and_one_within_a_line_a_value(self):
        assert user_text("Graph:\n{{graph}}\nIs it {{name}}?", graph="a\nb", name='x "y"') == (
            'Graph:\n| a\n| b\nIs it "x \\"y\\""?'
        )

    def test_an_indented_block_keeps_its_indentation(self):
        assert user_text("- list:\n  {{graph}}", graph="a\nb") == "- list:\n  | a\n  | b"

    def test_what_looks_like_a_placeholder_in_data_is_data(self):
        assert user_text("{{a}}\n{{b}}", a="{{b}}", b="secret") == "| {{b}}\n| secret"

    def test_a_paragraph_with_a_block_of_nothing_is_left_out(self):
        template = "Examples:\n{{examples}}\n\nQuestion: {{question}}"
        assert user_text(template, examples=" \n", question="") == 'Question: ""'

    def test_the_system_message_ends_with_what_quoting_means(self):
        system = prompt("x", system="Be brief, {{name}}.").messages({"name": "A"})[0]
        assert system == Message("system", f'Be brief, "A".\n\n{EXPLANATION}')

    def test_earlier_messages_stand_between(self):
        earlier = (Message("user", "one"), Message("assistant", "two"))
        assert [message.text for message in prompt("three").messages({}, earlier)][1:] == [
            "one",
            "two",
            "three",
        ]

    def test_a_placeholder_without_data_is_said_with_what_there_is(self):
        with pytest.raises(SettingsError, match=r"\{\{questoin\}\}.*\n.*Did you mean 'question'"):
            user_text("{{questoin}}", question="?")

    @given(nasty_texts)
    def test_data_cannot_become_a_line_of_the_prompt(self, text):
        filled = user_text("Task.\n{{data}}\nAnd {{data}} too.\nEnd.", data=text + "x")
        lines = filled.splitlines()
        assert lines[0] == "Task."
        assert lines[-1] == "End."
        assert lines[-2].startswith('And "')
        assert all(line.startswith("|") for line in lines[1:-2])


class TestFiles:
    def test_each_of_ours_can_be_read_and_filled(self):
        assert "repair_structure" in prompt_names()
        for name in prompt_names():
            found = Prompts().get(name)
            messages = found.messages(dict.fromkeys(found.placeholders, "x"))
            assert [message.role for message in messages] == ["system", "user"]
            assert "{{" not in messages[-1].text

    def test_a_users_file_replaces_section_by_section(self, tmp_path):
        folder = write(tmp_path / "mine", "repair_structure", "# System\nNur JSON.\n")
        found = Prompts(folder).get("repair_structure")
        assert found.system == "Nur JSON."
        assert found.user == Prompts().get("repair_structure").user
        assert str(folder) in found.source

    @pytest.mark.parametrize(
        ("text", "fault"),
        [
            ("Hello\n# user\nx", "text before its first section"),
            ("# user\nx\n# users\ny", "section 'users', which no prompt has"),
            ("# user\nx\n# User\ny", "section 'user' twice"),
            ("# user\n{{ Question }}", "belongs to no placeholder"),
            ("# user\n{{question}", "belongs to no placeholder"),
        ],
    )
    def test_a_file_that_is_no_prompt_is_refused_with_the_reason(self, tmp_path, text, fault):
        folder = write(tmp_path / "mine", "repair_structure", text)
        with pytest.raises(SettingsError, match=fault):
            Prompts(folder).get("repair_structure")

    def test_a_file_that_is_no_text_is_refused(self, tmp_path):
        folder = tmp_path / "mine"
        folder.mkdir()
        (folder / "repair_structure.md").write_bytes(b"# user\n\xff\xfe")
        with pytest.raises(SettingsError, match="cannot be read"):
            Prompts(folder).get("repair_structure")

    def test_a_file_of_a_name_that_no_prompt_has_is_found_at_once(self, tmp_path):
        folder = write(tmp_path / "mine", "repair_structur", "# user\nx")
        with pytest.raises(SettingsError, match=r"replaces no prompt\n.*repair_structure"):
            Prompts(folder)

    def test_a_folder_that_is_none_is_refused(self, tmp_path):
        with pytest.raises(SettingsError, match="no folder"):
            Prompts(tmp_path / "nowhere")

    def test_an_unknown_prompt_is_refused(self):
        with pytest.raises(SettingsError, match="no prompt 'nothing'"):
            Prompts().get("nothing")
