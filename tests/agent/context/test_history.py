import json
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.context.history import EMPTY, INTERRUPTED, PRUNED, to_chat
from store.records import Message, Part, Usage
from tests.agent.context.histories import PICTURE
from tests.provider.strict import complaint


def message(role: str, *parts: Part) -> Message:
    origin = "human" if role == "user" else "agent"
    return Message(1, "S", role, origin, "", "", Usage(), 0.0, None, 1, None, parts)  # type: ignore[arg-type]


def text(words: str) -> Part:
    return Part(1, 1, "text", text=words)


def call(identity: str, status: str = "completed", output: str | None = "ok", arguments: str = "{}") -> Part:
    return Part(2, 1, "tool", call_id=identity, tool="read", status=status, input=arguments, output=output)  # type: ignore[arg-type]


def test_a_call_and_its_result_become_a_pair():
    chat = to_chat("be good", [message("user", text("go")), message("assistant", text("on it"), call("c1"))])

    assert [entry["role"] for entry in chat] == ["system", "user", "assistant", "tool"]
    assert chat[3] == {"role": "tool", "tool_call_id": "c1", "content": "ok"}


def test_a_call_that_never_finished_gets_a_result_that_says_so():
    chat = to_chat("s", [message("user", text("go")), message("assistant", call("c1", "running", None))])

    assert chat[-1].get("content") == INTERRUPTED


def test_pruned_and_silent_outputs_are_replaced_by_a_word():
    pruned = Part(
        2, 1, "tool", call_id="a", tool="t", status="completed", input="{}", output="x", pruned_at=1
    )

    chat = to_chat("s", [message("user", text("go")), message("assistant", pruned, call("b", output=None))])

    assert [entry.get("content") for entry in chat[3:]] == [PRUNED, EMPTY]


def test_a_blank_output_that_was_cut_is_replaced_by_a_word_too():
    cut = Part(
        2, 1, "tool", call_id="a", tool="t", status="completed", input="{}", output="\n ", data='{"kept": 9}'
    )

    chat = to_chat("s", [message("user", text("go")), message("assistant", replace(cut, pruned_at=1))])

    assert chat[-1].get("content") == PRUNED


def test_ids_used_twice_are_told_apart():
    chat = to_chat("s", [message("assistant", call("c"), call("c")), message("assistant", call("c"))])

    assert complaint({"messages": list(chat)}) is None


def test_empty_turns_are_not_sent():
    chat = to_chat("s", [message("user", text(" ")), message("assistant"), message("assistant", text(""))])

    assert len(chat) == 1


def test_an_image_is_sent_after_the_results_of_its_turn():
    data = json.dumps({"media_type": "image/png", "base64": PICTURE, "name": "a.png"})
    picture = Part(3, 1, "file", data=data)

    chat = to_chat("s", [message("user", text("look")), message("assistant", call("c"), picture)])

    assert [entry["role"] for entry in chat[2:]] == ["assistant", "tool", "user"]
    assert f"data:image/png;base64,{PICTURE}" in json.dumps(chat[-1])


def test_a_picture_that_is_none_is_not_shown_to_the_model():
    page = Part(3, 1, "file", data=json.dumps({"media_type": "image/png", "base64": "PGh0bWw+", "name": "p"}))

    chat = to_chat("s", [message("user", text("look"), page)])

    assert "[p: image/png, 6 bytes, cannot be shown]" in str(chat[1].get("content"))


def test_a_picture_goes_by_what_it_is_and_not_by_what_it_was_called():
    wrong = Part(3, 1, "file", data=json.dumps({"media_type": "image/jpeg", "base64": PICTURE, "name": "p"}))

    assert "data:image/png;base64," in str(to_chat("s", [message("user", text("look"), wrong)]))


def test_a_model_that_reads_only_text_is_told_of_pictures_in_words():
    picture = Part(3, 1, "file", data=json.dumps({"media_type": "image/png", "base64": PICTURE, "name": "p"}))

    chat = to_chat("s", [message("user", text("look"), picture)], pictures=False)

    assert "[p: a picture, which this model cannot see]" in str(chat[1].get("content"))
    assert "image_url" not in str(chat)


def test_a_longer_history_starts_with_the_bytes_of_the_shorter_one():
    history = [message("user", text("go")), message("assistant", text("a"), call("c1"))]
    longer = [*history, message("user", text("more")), message("assistant", call("c2"))]

    assert to_chat("s", longer)[: len(to_chat("s", history))] == to_chat("s", history)


_PICTURE = '{"media_type": "image/png", "base64": "iVBORw0KGgo="}'
STATUSES = st.sampled_from(["pending", "running", "completed", "failed", "denied", "interrupted", None])
PARTS = st.builds(
    Part,
    id=st.just(1),
    message_id=st.just(1),
    kind=st.sampled_from(["text", "reasoning", "tool", "file", "compaction", "subtask", "retry", "step"]),
    text=st.text(max_size=10),
    call_id=st.sampled_from(["a", "b", "", None]),
    tool=st.text(max_size=80) | st.none(),
    status=STATUSES,
    input=st.sampled_from(["{}", '{"a": 1}', "[1]", "not json", "", None, '"{}"', "{", "NaN"]),
    output=st.text(max_size=10) | st.none(),
    data=st.sampled_from(
        [None, "{}", "nonsense", "[]", '{"media_type": "image/png", "base64": "AA"}', _PICTURE]
    ),
    started_at=st.none(),
    ended_at=st.none(),
    pruned_at=st.none() | st.just(1),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.lists(PARTS, max_size=5)), max_size=8))
def test_whatever_a_history_holds_the_request_is_valid(turns: list[tuple[str, list[Part]]]):
    chat = to_chat("s", [message(role, *parts) for role, parts in turns])

    assert complaint({"messages": list(chat)}) is None


def test_a_history_that_lost_its_beginning_or_end_is_mended():
    chat = to_chat("s", [message("assistant", text("left over"))])

    assert [entry["role"] for entry in chat] == ["system", "user", "assistant", "user"]
    assert complaint({"messages": list(chat)}) is None


def test_ids_that_some_provider_refuses_are_mended_and_stay_apart():
    odd = [call("a b/c"), call("x" * 90), call("x" * 80), call("ü"), call("_")]

    chat = to_chat("s", [message("user", text("go")), message("assistant", *odd)])

    assert complaint({"messages": list(chat)}) is None


def test_an_id_that_carries_a_signature_is_kept_as_it_is():
    signed = "call_1__thought__" + "A+/=" * 30

    chat = to_chat("s", [message("user", text("go")), message("assistant", call(signed))])

    assert chat[-1].get("tool_call_id") == signed


def test_files_that_are_no_pictures_are_told_in_words():
    notes = Part(
        3, 1, "file", data=json.dumps({"media_type": "text/plain", "base64": "aGk=", "name": "n.txt"})
    )
    paper = Part(4, 1, "file", data=json.dumps({"media_type": "application/pdf", "base64": "aGk="}))

    chat = to_chat("s", [message("user", text("see"), notes, paper)])

    assert complaint({"messages": list(chat)}) is None
    told = str(chat[1].get("content"))
    assert "[n.txt]\\nhi" in told
    assert "application/pdf, 2 bytes, cannot be shown" in told


def test_blank_output_is_replaced_by_a_word():
    chat = to_chat("s", [message("user", text("go")), message("assistant", call("c", output=" \n"))])

    assert chat[-1].get("content") == EMPTY
