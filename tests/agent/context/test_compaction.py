from collections.abc import Sequence
from dataclasses import replace

import pytest

from agent.context.compaction import Mark, divide, mark_of, visible
from agent.context.history import to_chat
from store.records import Message, Part
from tests.agent.context.histories import call, message, replied, said, summary, text


def words(messages: Sequence[Message]) -> list[str]:
    return [each.text for each in messages]


def test_a_summary_stands_before_what_was_kept_and_in_place_of_the_rest():
    history = [said("a"), replied("b"), said("c"), replied("d"), summary("S", kept=2), said("e")]

    assert words(visible(history)) == ["S", "c", "d", "e"]


def test_the_newest_summary_counts_and_one_that_was_undone_is_gone():
    first, second = summary("S1"), summary("S2", kept=1)
    history = [said("a"), first, said("b"), replied("c"), second, said("d")]
    undone = [*history[:4], summary("S2", kept=1, undone=True), history[5]]

    assert words(visible(history)) == ["S2", "c", "d"]
    assert words(visible(undone)) == ["S1", "b", "c", "d"]


def test_a_kept_message_never_brings_an_older_summary_back():
    history = [said("a"), summary("S1"), replied("b"), summary("S2", kept=2), said("c")]

    assert words(visible(history)) == ["S2", "b", "c"]


def test_a_mark_is_read_back_as_it_was_written():
    mark = Mark(3, 1000, 50, automatic=False, focus="the “login”", local=True, undone=True)
    part = Part(1, 1, "compaction", data=mark.to_json())

    assert mark_of(message("user", part, origin="summary")) == mark


@pytest.mark.parametrize("data", [None, "", "{", "[]", "{}", '"kept"'])
def test_a_damaged_mark_is_none_and_all_is_sent_again(data: str | None):
    broken = message("user", text("S"), Part(1, 1, "compaction", data=data), origin="summary")

    assert mark_of(broken) is None
    assert words(visible([said("a"), broken, said("b")])) == ["a", "b"]


@pytest.mark.parametrize("kept", ["-5", "1e400", "true", '"x"', "99999999999999999999"])
def test_an_odd_count_does_no_harm(kept: str):
    part = Part(1, 1, "compaction", data=f'{{"kept": {kept}}}')
    broken = message("user", text("S"), part, origin="summary")

    assert words(visible([said("a"), broken, said("b")]))[-1] == "b"


def heavy(each: Message) -> int:
    return 10


def test_what_nobody_answered_is_not_summarised():
    history = [said("a"), replied("b"), said("new"), message("user", text("todos"), origin="todos")]

    assert divide(history, heavy, tail=0, most=100) == 2


def test_the_last_exchange_stays_when_there_is_room_for_it():
    history = [said("a"), replied("b", call()), replied("c", call()), replied("d", call())]

    assert divide(history, heavy, tail=0, most=100) == 4
    assert divide(history, heavy, tail=20, most=100) == 2


def test_of_unanswered_messages_the_last_stays_however_long():
    history = [said("a"), replied("b"), said("long"), said("last")]

    assert divide(history, heavy, tail=0, most=5) == 3


def test_a_summary_is_never_kept_beside_a_new_one():
    history = [said("a"), replied("b"), summary("S1", kept=1), said("c"), replied("d")]

    assert divide(history, heavy, tail=1000, most=1000) == 3


def test_requests_after_a_summary_begin_with_it_and_keep_their_bytes():
    history = [said("a"), replied("b", call()), summary("S", kept=1)]
    longer = [*history, said("go on"), replied("", call(identity="c"))]

    first, then = to_chat("system", history), to_chat("system", longer)

    assert first[1] == {"role": "user", "content": "S"}
    assert then[: len(first)] == first


def test_a_message_without_its_parts_is_still_divided():
    empty = replace(replied("x"), parts=())

    assert divide([said("a"), empty], heavy, tail=0, most=100) == 0
