from dataclasses import replace

import pytest
from rich.cells import cell_len

from agent.commands.results import Diff
from agent.events import (
    Choice,
    ContextCompacted,
    ContextPruned,
    Event,
    Notice,
    QuestionAnswered,
    QuestionAsked,
    RetryWaiting,
    StepStarted,
    TextDelta,
    TodoUpdated,
    ToolFinished,
    ToolStarted,
    TurnEnded,
)
from agent.gate import CHOICES
from store.records import Message, Origin, Part, Progress, Role, TodoStatus, Usage
from tests.attacks import Attack, attacks
from tests.store.drafts import todo
from tests.tui.repl.papers import bare, paper
from tests.tui.test_escapes import is_plain
from tui.repl.last_exchange import last_exchange
from tui.repl.telling import Telling

ROWS = attacks("escape", "command-display", "path")
DIFF = "--- a/calc.py\n+++ b/calc.py\n@@ -8,3 +8,3 @@\n keep\n-old\n+new\n keep\n"


def tell(telling: Telling, *events: Event) -> str:
    return "".join(map(telling.told, events)) + telling.finish()


def said(*pieces: str) -> list[TextDelta]:
    return [TextDelta(1, 1, piece) for piece in pieces]


def finished(name: str = "shell", **more: object) -> ToolFinished:
    event = ToolFinished(1, 2, "c1", name, "completed", "", 800, "pytest -q")
    return replace(event, **more)  # type: ignore[arg-type]  # a test names fields of the event


def planned(*statuses: TodoStatus) -> TodoUpdated:
    todos = tuple(
        replace(todo(f"step {n}", session_id="s"), id=n, position=n, status=status)
        for n, status in enumerate(statuses, 1)
    )
    return TodoUpdated(todos, 1, Progress(statuses.count("completed"), len(statuses)))


def test_text_is_printed_once_and_only_when_it_is_whole():
    telling = Telling(paper())

    first = "".join(map(telling.told, said("Hel", "lo **wor", "ld**\n\nnext")))

    assert bare(first).strip() == "Hello world"
    assert telling.pending == "next"
    assert bare(telling.finish()).strip() == "next"


def test_a_call_is_one_line_with_how_it_went_and_how_long_it_took():
    shown = bare(tell(Telling(paper()), finished(output="1 passed\n")))

    assert shown.split("\n")[:2] == ["✓ Ran pytest -q · 800 ms", "  │ 1 passed"]


def test_a_command_that_failed_says_its_exit_code():
    shown = bare(tell(Telling(paper()), finished(metadata={"code": 2})))

    assert shown.startswith("✗ Ran")
    assert "exit 2" in shown


def test_a_search_says_how_much_it_found():
    shown = bare(tell(Telling(paper()), finished("grep", metadata={"hits": 1, "files": 1})))

    assert shown.strip() == "✓ Searched pytest -q · 1 hit in 1 file · 800 ms"


def test_an_answer_is_not_told_again_as_a_call():
    question = QuestionAsked("q1", "ask_user", "Which?", (), "", "ask_user")

    shown = bare(tell(Telling(paper()), question, QuestionAnswered("q1", "", "blue"), finished("ask_user")))

    assert "you: blue" in shown
    assert "Asked" not in shown


def test_an_edit_is_shown_as_a_numbered_coloured_diff():
    shown = tell(Telling(paper()), finished("edit", metadata={"diff": DIFF, "added": 1, "removed": 1}))

    lines = bare(shown).split("\n")
    assert [line.strip() for line in lines if "old" in line or "new" in line] == ["9 - old", "9 + new"]
    assert "+1 −1" in lines[0]
    assert "\x1b[32m" in shown
    assert "\x1b[31m" in shown


def test_the_plan_is_a_block_when_it_is_new_and_later_only_what_moved():
    telling = Telling(paper())

    first = bare(tell(telling, planned("in_progress", "pending", "pending")))
    second = bare(tell(telling, planned("completed", "in_progress", "pending")))
    third = tell(telling, planned("completed", "in_progress", "pending"))

    assert first.count("step") == 3
    assert "▶ #1 step 1" in first
    assert "Plan 1/3 ━━━━────────" in second
    assert [line.strip() for line in second.split("\n") if "step" in line] == ["✓ #1 step 1", "▶ #2 step 2"]
    assert third == ""


def test_a_row_says_what_is_special_about_it_and_goes_on_below_its_title():
    title = "renew the certificate of the host"
    item = replace(todo(title), id=7, status="blocked", blocked_reason="Ann is away", priority="high")
    event = TodoUpdated((item,), 1, Progress(0, 1))

    shown = bare(tell(Telling(paper(width=40)), event))

    assert [line.rstrip() for line in shown.split("\n")[1:4]] == [
        "  ■ #7 renew the certificate of the host",
        "    (high) (blocked: Ann is away)",
        "    (workspace)",
    ]


def test_a_long_reason_hides_nothing_that_stands_behind_it():
    item = replace(todo("sign"), id=7, status="blocked", blocked_reason="no " * 100)

    shown = bare(tell(Telling(paper()), TodoUpdated((item,), 1, Progress(0, 1))))

    assert "no…) (workspace)" in " ".join(shown.split())


def test_a_bar_is_empty_only_when_nothing_is_done_and_full_only_when_all_is():
    heads = [bare(Telling(paper()).planned((), Progress(done, 30))) for done in (0, 1, 29, 30)]

    assert [head.count("━") for head in heads] == [0, 1, 11, 12]


def test_a_bar_can_be_read_without_unicode():
    head = bare(Telling(paper(unicode=False)).planned((), Progress(1, 3)))

    assert head == "Plan 1/3 ####--------\n"


def test_changes_of_one_step_are_one_block():
    telling = Telling(paper())
    tell(telling, planned("in_progress", "pending"))

    between = "".join(
        map(
            telling.told,
            [planned("completed", "pending"), StepStarted(1, 2), planned("completed", "in_progress")],
        )
    )

    assert between == ""
    assert bare(telling.finish()).count("Plan") == 1


def test_what_left_the_prompt_is_told_with_its_size():
    telling = Telling(paper())

    told = bare(
        tell(
            telling,
            ContextPruned(3, 9_000, 20_000, 32_000),
            ContextCompacted(7, 28_000, 3_000, automatic=True, context_limit=32_000),
            # The command that was typed tells of this one itself.
            ContextCompacted(9, 3_000, 28_000, automatic=False, undone=True),
        )
    )

    assert "3 tool outputs left out of the prompt, 9,000 tokens" in told
    assert "context compacted: 28,000 to 3,000 tokens; /compact undo takes it back" in told
    assert told.count("28,000") == 1


def test_what_broke_off_is_not_printed_twice():
    telling = Telling(paper())

    shown = bare(tell(telling, *said("half a "), RetryWaiting(1, 2, "reset"), *said("whole\n")))

    assert "half" not in shown
    assert shown.count("whole") == 1


def test_the_words_for_listeners_have_no_signs_and_no_colour():
    telling = Telling(paper(styled=False, colour=False), words=True)

    shown = tell(telling, planned("in_progress", "blocked"), finished(), Notice("info", "all done"))

    assert "Plan: 0 of 2 done." in shown
    assert "in progress: #1 step 1" in shown
    assert "ok Ran pytest -q, 800 ms" in shown
    assert not set(shown) & set("\x1b▶✓━─│")


def test_a_terminal_without_unicode_gets_ascii_alone():
    telling = Telling(paper(unicode=False))

    shown = tell(
        telling, *said("- naïve → “quoted”\n\n> said\n"), planned("in_progress"), finished(output="é\n")
    )

    assert shown.isascii()


@pytest.mark.parametrize("unicode", [True, False])
@pytest.mark.parametrize("width", [20, 40, 80])
@pytest.mark.parametrize("letter", ["x", "漢"])
def test_lines_fit_the_terminal(width: int, letter: str, unicode: bool):
    telling = Telling(paper(width=width, unicode=unicode))
    events = [
        *said("word " * 60 + "\n\n- " + "item " * 30),
        planned("in_progress", "pending"),
        finished(output=letter * 300, title=letter * 300),
        QuestionAsked("q1", "permission", f"run {letter * 300}", CHOICES, "", "shell"),
    ]

    shown = bare(tell(telling, *events) + telling.spoken(f"{letter * 300} …→"))

    assert max(map(cell_len, shown.split("\n"))) <= width


def test_no_colour_means_none_while_weights_remain():
    shown = tell(Telling(paper(colour=False)), *said("**bold** and `code`\n\n"), finished())

    assert "\x1b[1m" in shown
    assert not any(f"\x1b[3{digit}m" in shown for digit in range(8))


@pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])
def test_no_attack_reaches_the_terminal_through_any_event(row: Attack):
    text = row.text
    changed = replace(planned("blocked"), todos=(replace(todo(text), blocked_reason=text, status="blocked"),))
    events: list[Event] = [
        *said(*text[:200]),
        *said("```\n", text, "\n```\n"),
        changed,
        ToolStarted(1, 2, "c", "edit", {"old": text, "new": text, "path": text}, text),
        QuestionAsked("q1", "permission", f"change {text}", CHOICES, text, "edit"),
        QuestionAsked("q2", "ask_user", text, (Choice(text, text, "1"),), text, "ask_user"),
        finished(output=text, title=text),
        finished("edit", metadata={"diff": f"--- a/{text}\n+++ b/{text}\n@@ -1 +1 @@\n-{text}\n+{text}\n"}),
        finished(status="failed", output=text),
        Notice("warning", text),
        RetryWaiting(1, 1, text),
        TurnEnded("interrupted", Usage(), 0),
    ]
    telling = Telling(paper())

    shown = tell(telling, *events) + telling.spoken(text) + telling.note(text)

    assert is_plain(bare(shown))


def test_an_approval_shows_the_whole_command_however_long():
    command = "echo " + "x" * 10_000 + "; touch LAST"
    question = QuestionAsked("q1", "permission", "run this", CHOICES, command, "shell")

    shown = bare(tell(Telling(paper()), question))

    assert "".join(line.removeprefix("▌ ") for line in shown.split("\n")).count(command) == 1


def test_changes_of_several_files_are_named_with_their_modes_and_lines():
    made = (
        "diff --git a/new.py b/new.py\nnew file mode 100755\n--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x\n"
    )
    moded = "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n"

    shown = Telling(paper()).result(
        Diff(f"diff --git a/calc.py b/calc.py\n{DIFF}{made}{moded}", "3 files changed")
    )

    assert bare(shown).split("\n") == [
        "3 files changed",
        "calc.py",
        "    8   keep",
        "    9 - old",
        "    9 + new",
        "   10   keep",
        "new.py",
        "  new file mode 100755",
        "    1 + x",
        "run",
        "  old mode 100644",
        "  new mode 100755",
        "",
    ]


def test_a_line_of_our_own_does_not_cut_what_is_being_written():
    telling = Telling(paper())
    reply = "Look:\n\n```python\nx = 1\ny = 2\n```\n\nThat is *all of it*.\n"

    shown = "".join(map(telling.told, said(reply[:22])))
    shown += telling.aside() + telling.note("held")
    shown += tell(telling, *said(reply[22:]))

    assert [line for line in bare(shown).split("\n") if line] == [
        "Look:",
        "held",
        "  x = 1",
        "  y = 2",
        "That is all of it.",
    ]


def test_a_question_about_a_command_does_not_cut_what_is_being_written():
    telling = Telling(paper())
    asked = QuestionAsked("q1", "confirm", "Trust it?", (Choice("yes", "Yes", "y"),))

    shown = "".join(
        map(telling.told, [*said("half a "), asked, QuestionAnswered("q1", "yes"), Notice("info", "so")])
    )
    shown += tell(telling, *said("sentence"))

    assert [line for line in bare(shown).split("\n") if line] == [
        "▌ Trust it?",
        "you: Yes",
        "so",
        "half a sentence",
    ]


def test_a_call_that_was_refused_is_not_told_as_if_it_had_happened():
    shown = bare(tell(Telling(paper()), finished("write", status="denied", output="no", title="new.txt")))

    assert shown.split("\n")[0] == "✗ Did not write new.txt"


def test_the_exit_code_is_said_once():
    shown = bare(tell(Telling(paper()), finished(output="bad\n(exit code 2)", metadata={"code": 2})))

    assert shown.split("\n")[:3] == ["✗ Ran pytest -q · exit 2 · 800 ms", "  │ bad", ""]


def test_no_line_of_a_quote_is_filled_up_to_the_edge():
    assert bare(paper(width=60).prose("> said before")) == "▌ said before\n"


def message(number: int, text: str, origin: Origin = "human", finish: str | None = None) -> Message:
    role: Role = "assistant" if origin == "agent" else "user"
    parts = (Part(number, number, "text", text),) if text else ()
    return Message(number, "S", role, origin, "build", "M", Usage(), 0.0, finish, 1, 1, parts)


def test_who_comes_back_reads_why_the_last_turn_failed():
    data = '{"reason": "no key for x", "code": "auth", "hint": "set one", "final": true}'
    failed = replace(message(4, "", "agent", "failed"), parts=(Part(4, 4, "retry", data=data),))
    history = [message(1, "one"), message(2, "first", "agent", "stop"), message(3, "two"), failed]

    shown = bare(Telling(paper()).recalled(last_exchange(history)))

    assert shown.split() == "› two no key for x; set one".split()


def test_who_comes_back_reads_that_the_reply_was_cut():
    history = [message(1, "one"), message(2, "half", "agent", "length")]

    shown = bare(Telling(paper()).recalled(last_exchange(history)))

    assert shown.split("\n")[:3] == ["› one", "", "half"]
    assert "the reply was cut at the output limit of M" in shown


@pytest.mark.parametrize(
    ("tool", "wanted"),
    [("write", "write"), ("edit", "edit"), ("patch", "patch"), ("shell", "run"), ("fetch", "fetch")],
)
def test_a_call_that_was_stopped_before_it_began_did_nothing_and_took_no_time(tool: str, wanted: str):
    shown = bare(tell(Telling(paper()), finished(tool, status="interrupted", metadata={"begun": False})))

    assert shown.strip() == f"– Did not {wanted} pytest -q · interrupted"
