from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.todos.errors import TodoError
from agent.todos.grammar import (
    VERBS,
    Add,
    Command,
    Delete,
    Describe,
    List,
    Move,
    Prioritise,
    SetStatus,
    Show,
    Subject,
    Undo,
    parse_command,
    parse_reply,
)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("add review the deploy status", Add("review the deploy status")),
        ("add -w shared work", Add("shared work", None, True)),
        ("add title\nfirst line\n\nthird line\n/endtodo", Add("title", "first line\n\nthird line")),
        ("add title\n/endtodo", Add("title")),
        ("start 14", SetStatus(("14",), "in_progress")),
        ("done #14, 15 16", SetStatus(("#14", "15", "16"), "completed")),
        ("DONE write the post", SetStatus(("write the post",), "completed")),
        ("done all", SetStatus(("all",), "completed")),
        ("cancel 15", SetStatus(("15",), "cancelled")),
        ("reopen 15", SetStatus(("15",), "pending")),
        ("block 14: waiting for a key", SetStatus(("14",), "blocked", "waiting for a key")),
        ("block 14 waiting for a key", SetStatus(("14",), "blocked", "waiting for a key")),
        ("describe 14: bumped to: next sprint", Describe("14", "bumped to: next sprint")),
        ("describe review the: more", Describe("review the", "more")),
        ("subject #14: review the canary", Subject("#14", "review the canary")),
        ("priority 14 high", Prioritise("14", "high")),
        ("priority #14: LOW", Prioritise("#14", "low")),
        ("priority write docs: medium", Prioritise("write docs", "medium")),
        ("show write docs", Show("write docs")),
        ("move 14 up", Move("14", "up")),
        ("move 14 before 15", Move("14", "before", "15")),
        ("move write docs after ship it", Move("write docs", "after", "ship it")),
        ("move 14 under 12", Move("14", "under", "12")),
        ("move 14 out", Move("14", "under")),
        ("delete 14", Delete(("14",))),
        ("delete completed", Delete(("completed",))),
        ("undo", Undo()),
        ("list", List()),
        ("list open high", List("open high")),
        ("", List()),
    ],
)
def test_every_verb_is_read(text: str, command: Command) -> None:
    assert parse_command(text) == command


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ad x", "did you mean add"),
        ("frobnicate", "there are add, start"),
        ("add", "add needs a title"),
        ("add -w", "add needs a title"),
        ("start", "/todo start ID"),
        ("block 14", "/todo block ID: REASON"),
        ("describe 14:", "/todo describe ID: TEXT"),
        ("move 14", "up, down, top, bottom"),
        ("undo 3", "takes nothing behind it"),
        ("add title\nno end", "missing /endtodo terminator"),
        ("add one\n/todo add two", "one command at a time"),
        ("start 1\nand 2", "one command at a time"),
    ],
)
def test_what_is_not_understood_says_how_to_write_it(text: str, words: str) -> None:
    with pytest.raises(TodoError) as caught:
        parse_command(text)

    assert words in str(caught.value)


def test_commands_are_found_between_prose_and_not_in_fences() -> None:
    reply = """I will plan this.
/todo add first
/todo add second

Then, as an example:
```
/todo add quoted
```
~~~sh
/todo add quoted too
```
~~~
  /todo done 1
- /todo add in a bullet
Use `/todo list` or /todo list inside a sentence.
/todos
"""

    assert [writ.line for writ in parse_reply(reply)] == [
        "/todo add first",
        "/todo add second",
        "/todo done 1",
    ]


def test_a_line_right_below_an_add_opens_a_block_and_an_empty_one_does_not() -> None:
    (first,) = parse_reply("/todo add a\n\nprose that goes on")
    (second,) = parse_reply("/todo add a\nprose that never ends")

    assert first.command == Add("a")
    assert (second.command, second.error) == (None, "missing /endtodo terminator")


def test_another_command_inside_an_unended_block_is_still_read() -> None:
    first, second = parse_reply("/todo add a\nbody\n/todo add b\n")

    assert (first.command, first.error) == (None, "missing /endtodo terminator")
    assert second.command == Add("b")


def test_fenced_code_inside_a_block_is_part_of_it() -> None:
    (writ,) = parse_reply("/todo add a\nrun:\n```\n/todo add x\n/endtodo\n```\n/endtodo\n")

    assert writ.command == Add("a", "run:\n```\n/todo add x\n/endtodo\n```")


@given(st.text())
def test_any_text_is_read_without_a_crash(text: str) -> None:
    for writ in parse_reply(text):
        assert (writ.command is None) == bool(writ.error)


@given(st.sampled_from(VERBS), st.text(alphabet="abc #14:,-\n/`", max_size=30))
def test_any_words_behind_a_verb_are_read_or_refused(verb: str, rest: str) -> None:
    for writ in parse_reply(f"/todo {verb} {rest}"):
        assert (writ.command is None) == bool(writ.error)
